"""referee receipt, extend, forfeit: a referee's papers."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli.alone import alone, declared_option, look, time_option
from kursk_pbem.cli.common import ask, home, keyed_options, may_ask, need_key, note, release, say, sign_options, warn
from kursk_pbem.cli.games import complete_games, game_argument, pick_path
from kursk_pbem.cli.referee import referee_group
from kursk_pbem.desk.own import lookup
from kursk_pbem.desk.referee import grants, timekeeper
from kursk_pbem.errors import UsageError
from kursk_pbem.game import histories, reports
from kursk_pbem.post.referee.overdue import folder_objections
from kursk_pbem.post.round import proposals
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.tournament import timekeeping

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kursk_pbem.desk.referee.timekeeper import Issued
    from kursk_pbem.post.referee.overdue import Overdue

DAYS = 3660
_SAID = ("received", "due", "side", "declared", "cause", "successor")
"""The fields of a paper to print, with its times."""


@referee_group.command()
@click.argument("game", metavar="[GAME]", default="", shell_complete=complete_games)
@time_option("--received", "The time of arrival, in UTC; otherwise now.")
@time_option("--due", "When the answer is due, such as '2026-11-20 10:00' (UTC).")
@click.option("--days", type=click.IntRange(1, DAYS), help="The due time, in days after the arrival.")
@click.option("--seq", type=click.IntRange(0, 9999), help="The number of the message, if not the newest.")
@click.option("--late", is_flag=True, help="Accept the message despite a missed deadline.")
@keyed_options
def receipt_command(
    game: str, received: str, due: str, days: int | None, seq: int | None, late: bool, key: Path | None, quiet: bool
) -> None:
    """Sign, as the referee of GAME, that a message came and when the answer is due.

    GAME is your folder of the game, or the file of a message from a mail: the command verifies this message and puts it
    into the folder. For a new game, name the proposal's file, or the first digits of a waiting proposal. A message with
    orders against the rules is void: it gets no receipt, and its side's time still runs.
    """
    path, near = _find_meant(game)
    secret, term = _signing_key(key, path), timekeeper.Term(received, due, days or 0, late)
    term.check()
    keeper = timekeeping.find_keeper(timekeeper.read_tournament(path, home()), home())
    term = keeper.term(term) if keeper is not None else term
    with alone():
        opened = timekeeper.open_folder(path, home(), term, near)
        issued = timekeeper.sign_receipt(opened, secret, term, opened.seq if seq is None else seq)
    _print_paper(issued, quiet=quiet)


def _find_meant(typed: str) -> tuple[Path, Path | None]:
    """Return the folder or message, and the folder for the game of a waiting proposal."""
    if typed and not lookup.is_game_name(typed, home(), Path()) and not Path(typed).exists():
        waits = proposals.find_waiting(home(), typed)
        if waits is not None:
            account = accounts.load_account(home())
            return waits, account.games if account is not None else Path()
        if proposals.parse_digits(typed):
            raise UsageError(f"there is no file {typed}, and no proposal waits whose game id begins with {typed}")
    return pick_path(typed), None


@referee_group.command()
@game_argument("game")
@click.option("--days", type=click.IntRange(1, DAYS), help="How many days more, from the player's bank of days.")
@time_option("--until", "No message is due before TIME, such as '2026-11-20 10:00' (UTC).")
@click.option("--holiday", "cause", flag_value="holiday", help="The cause is a holiday of the player.")
@click.option("--pause", "cause", flag_value="pause", help="The cause is a pause by you, the referee.")
@declared_option
@sign_options
def extend_command(
    game: Path, days: int | None, until: str, cause: str | None, declared: str, key: Path | None, yes: bool, quiet: bool
) -> None:
    """Give, as the referee of GAME, the player who owes a message more time before the deadline passes.

    You cannot take back the time, so the command asks once. A holiday or a pause also extends the next deadlines.
    """

    def confirm(given: Mapping[str, str]) -> None:
        """Ask before signing the paper."""
        ask(f"Give time for message {int(given['seq']) + 1} until {given['due']}? This is final.", yes=yes)
        stack.enter_context(alone())

    grant = grants.Grant(days or 0, until, cause or ("holiday" if until else "bank"), declared)
    with ExitStack() as stack:
        _print_paper(grants.extend_deadline(game, _signing_key(key, game), grant, confirm), quiet=quiet)


@referee_group.command()
@click.argument("game", metavar="[GAME]", default="", shell_complete=complete_games)
@declared_option
@click.option("--overdue", is_flag=True, help="List the missed deadlines, and ask for the games to end.")
@sign_options
def forfeit_command(game: str, declared: str, overdue: bool, key: Path | None, yes: bool, quiet: bool) -> None:
    """Declare, as the referee, GAME lost for the side that has missed its deadline. The game then ends.

    The deadline is in your receipt of the last message, with every extension. The command prints what speaks against
    the end, and asks once. No game ends without this command. --overdue lists the missed deadlines of all games,
    also of tournament boards; --yes then ends the games without objections.
    """
    if overdue:
        if game or declared:
            raise UsageError("--overdue lists the missed deadlines of all games: leave GAME and --declared out")
        _settle_overdue(key, yes=yes, quiet=quiet)
        return
    folder = pick_path(game)
    named = timekeeper.read_tournament(folder, home())
    keeper = timekeeping.find_keeper(named, home())
    log = keeper.book.head.id if keeper is not None else ""

    def confirm(lost: Mapping[str, str]) -> None:
        """Ask before signing the paper."""
        here = histories.load(folder).game
        if keeper is not None:
            timekeeping.check_time_over(keeper.book, keeper.board, here, lost)
        for line in (told := folder_objections(home(), folder, here)):
            warn(line)
        owed = f"the {lost['side']} side (message {int(lost['seq']) + 1} was due {lost['due']})"
        question = f"Declare the game lost for {owed}?"
        ask(f"{question} Your declaration ends the game, and is final.", yes=yes)
        stack.enter_context(alone())
        again = timekeeping.find_keeper(named, home())
        new = again.book.head.id if again is not None else ""
        timekeeper.check_nothing_arrived((log, told), (new, folder_objections(home(), folder, here)), folder)

    with ExitStack() as stack:
        dated = keeper.date if keeper is not None else None
        _print_paper(timekeeper.forfeit(folder, _signing_key(key, folder), declared, dated, confirm), quiet=quiet)


def _signing_key(key: Path | None, folder: Path) -> Path:
    """Return the named key, or else this desk's key of the game. Raises UsageError."""
    return need_key(key or timekeeper.find_own_key(folder, home()))


def _settle_overdue(key: Path | None, *, yes: bool, quiet: bool) -> None:
    """List all missed terms, and end the games that the director chooses."""
    listed = list(look(key).list_overdue())
    for number, missed in enumerate(listed, 1):
        say(f"{number}. game {missed.seat.game[:8]}: {missed.told}")
        for line in missed.against:
            say(f"   but {line}")
    note(overdue=[{"game": missed.seat.game, "due": missed.term.due, "against": missed.against} for missed in listed])
    if not listed:
        say("no missed terms", quiet=quiet)
        return
    chosen = [missed for missed in listed if not missed.against] if yes else _ask_games(listed)
    with alone():
        referee = look(key)
        now = list(referee.list_overdue())
        for missed in chosen:
            if missed not in now:
                warn(f"game {missed.seat.game[:8]}: the game has changed since the list above; look at the game again")
                continue
            done = referee.forfeit(missed)
            say(done, did=[done])
    say("the next round of mail tells the players about the forfeits", quiet=quiet or not chosen)


def _ask_games(listed: Sequence[Overdue]) -> list[Overdue]:
    """Ask which of the listed games end. Raises UsageError without a terminal."""
    if not may_ask():
        raise UsageError("--yes ends each game without an objection; 'kursk referee forfeit GAME' ends one game")
    release()

    def numbers(answer: str) -> list[Overdue]:
        words = answer.replace(",", " ").split()
        if words == ["all"]:
            return list(listed)
        if not all(word.isdecimal() and 1 <= int(word[:9]) <= len(listed) for word in words):
            raise click.UsageError(f"type numbers from 1 to {len(listed)}, or 'all', or only Enter for no game")
        return [listed[number - 1] for number in sorted({int(word) for word in words})]

    question = "Final. Numbers, 'all', or Enter for none"
    return click.prompt(question, default="", show_default=False, value_proc=numbers, err=True)


def _print_paper(issued: Issued, *, quiet: bool) -> None:
    paper, chain = issued.paper, issued.game.chain
    note(**{name: str(paper.content[name]) for name in _SAID if name in paper.content})
    note(type=paper.type, seq=paper.seq, id=paper.id, game=chain.game, again=not issued.fresh, wrote=[issued.path])
    say(reports.describe_paper(chain, paper), quiet=quiet)
    if issued.fresh:
        say(f"wrote {issued.path}: mail this paper to both players, who read the paper with 'kursk inbox'", quiet=quiet)
    else:
        say(f"{issued.path} was signed before; no change", quiet=quiet)
