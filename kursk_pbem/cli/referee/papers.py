"""receipt, extend, forfeit: a referee's desk; and what adjudicate does with what they have signed."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.alone import alone
from kursk_pbem.cli.common import (
    TIME,
    ask,
    home,
    in_json,
    key_option,
    may_ask,
    need_key,
    note,
    release,
    said_options,
    say,
    say_json,
    warn,
    yes_option,
)
from kursk_pbem.cli.games import complete_games, game_argument, pick
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kursk_pbem.desk.desks import Desk
    from kursk_pbem.desk.referee.timekeeper import Issued, Received
    from kursk_pbem.game.inbox import Paper
    from kursk_pbem.post.referee.overdue import Overdue

DAYS = 3660
_SAID = ("received", "due", "side", "declared", "cause", "successor")


@cli.command()
@click.argument("game", metavar="[GAME]", default="", shell_complete=complete_games)
@click.option("--received", default="", type=TIME, metavar="TIME", help="When it came, in UTC; otherwise now.")
@click.option(
    "--due", default="", type=TIME, metavar="TIME", help="When the answer is due, such as '2026-11-20 10:00' (UTC)."
)
@click.option("--days", type=click.IntRange(1, DAYS), help="The same, as days after it came.")
@click.option("--seq", type=click.IntRange(0, 9999), help="Which message, if not the newest.")
@click.option("--late", is_flag=True, help="Take the message although it missed its own deadline.")
@key_option
@said_options
def receipt(
    game: str, received: str, due: str, days: int | None, seq: int | None, late: bool, key: Path | None, quiet: bool
) -> None:
    """As the referee of a game: sign that you had a message, and when the answer to it is due.

    GAME is your folder of the game, or a message as it came by mail, which is verified and put there. A proposal, or
    the number of one that waits, gets a folder. A message whose orders break the rules is void: it gets no receipt and
    stops no clock.
    """
    from kursk_pbem.desk.referee import timekeeper
    from kursk_pbem.desk.referee.timekeeper import Term
    from kursk_pbem.tournament import keeping

    path, near = _meant(game)
    secret, term = need_key(key or timekeeper.own_key(path, home())), Term(received, due, days or 0, late)
    term.check()
    if (keeper := keeping.find(timekeeper.tournament_of(path, home()), home(), keeping.RECEIPT)) is not None:
        term = keeper.term(term)
    with alone():
        opened = timekeeper.open_folder(path, home(), term, near)
        issued = timekeeper.receipt(opened, secret, term, opened.seq if seq is None else seq)
    _tell(issued, quiet=quiet)


def _meant(typed: str) -> tuple[Path, Path | None]:
    """The folder or message that is meant, and where the game of a proposal that waits begins: where games lie."""
    from kursk_pbem.desk.shelf import lookup
    from kursk_pbem.post.round import proposals
    from kursk_pbem.post.wire import account as accounts

    if typed and not lookup.named(typed, home(), Path(), files=True) and not Path(typed).exists():
        waits = proposals.meant(home(), typed)
        if waits is not None:
            account = accounts.load(home())
            return waits, account.games if account is not None else Path()
        if proposals.digits_of(typed):
            raise UsageError(f"{typed}: there is no such file, and no game of that id waits")
    return pick(typed), None


@cli.command()
@game_argument("folder")
@click.option("--days", type=click.IntRange(1, DAYS), help="So many days more, out of the player's bank.")
@click.option(
    "--until",
    default="",
    type=TIME,
    metavar="TIME",
    help="Nothing is due before TIME, such as '2026-11-20 10:00' (UTC).",
)
@click.option("--holiday", "cause", flag_value="holiday", help="It is a holiday of the player.")
@click.option("--pause", "cause", flag_value="pause", help="It is a pause of yours.")
@click.option("--declared", default="", type=TIME, metavar="TIME", help="When you declare it, in UTC; otherwise now.")
@key_option
@yes_option
@said_options
def extend(
    folder: Path,
    days: int | None,
    until: str,
    cause: str | None,
    declared: str,
    key: Path | None,
    yes: bool,
    quiet: bool,
) -> None:
    """As the referee of a game: give the player who owes a message more time, as long as their term still runs.

    What you give cannot be taken back, so it asks once. A holiday or a pause holds for their next terms too.
    """
    from kursk_pbem.desk.referee import grants, timekeeper
    from kursk_pbem.desk.referee.grants import Grant

    def confirm(given: Mapping[str, str]) -> None:
        """Ask before the paper is signed."""
        ask(f"Give time for message {int(given['seq']) + 1} until {given['due']}? It cannot be taken back.", yes=yes)
        stack.enter_context(alone())

    grant = Grant(days or 0, until, cause or ("holiday" if until else "bank"), declared)
    secret = need_key(key or timekeeper.own_key(folder, home()))
    with ExitStack() as stack:
        issued = grants.extend(folder, secret, grant, confirm)
    _tell(issued, quiet=quiet)


@cli.command()
@click.argument("game", metavar="[GAME]", default="", shell_complete=complete_games)
@click.option("--declared", default="", type=TIME, metavar="TIME", help="When you declare it, in UTC; otherwise now.")
@click.option("--overdue", is_flag=True, help="List all missed terms, and ask which games end.")
@key_option
@yes_option
@said_options
def forfeit(game: str, declared: str, overdue: bool, key: Path | None, yes: bool, quiet: bool) -> None:
    """As the referee of a game: declare it lost for the side that has missed its deadline. That ends the game.

    The deadline is that of your receipt of the last message, with every extension. It says what speaks against the
    end, and asks once. No game ends without this command. With --overdue it lists the missed terms of all games, boards
    of tournaments too; --yes then ends those that nothing speaks against.
    """
    if overdue:
        if game or declared:
            raise UsageError("--overdue lists the missed terms of all games: leave GAME and --declared out")
        _settle_overdue(need_key(key), yes=yes, quiet=quiet)
    else:
        _forfeit(pick(game), declared, key, yes=yes, quiet=quiet)


def _forfeit(folder: Path, declared: str, key: Path | None, *, yes: bool, quiet: bool) -> None:
    """End one game."""
    from kursk_pbem.desk.referee import timekeeper
    from kursk_pbem.game import histories
    from kursk_pbem.post.referee import overdue
    from kursk_pbem.tournament import keeping

    named = timekeeper.tournament_of(folder, home())
    keeper = keeping.find(named, home(), keeping.FORFEIT)
    log = keeper.log if keeper is not None else {}

    def confirm(lost: Mapping[str, str]) -> None:
        """Ask before the paper is signed."""
        game = histories.load(folder).game
        if keeper is not None:
            keeping.check_over(keeper.book, keeper.board, game, lost["declared"])
        seq, side = int(lost["seq"]) + 1, lost["side"]
        for line in (told := overdue.of_folder(home(), folder, game)):
            warn(line)
        question = f"Declare the game lost for the {side} side, whose message {seq} was due {lost['due']}?"
        ask(f"{question} It ends the game and cannot be taken back.", yes=yes)
        stack.enter_context(alone())
        again = keeping.find(named, home(), keeping.FORFEIT)
        new = again.log if again is not None else {}
        timekeeper.need_same((log, told), (new, overdue.of_folder(home(), folder, game)), folder)

    secret = need_key(key or timekeeper.own_key(folder, home()))
    with ExitStack() as stack:
        issued = timekeeper.forfeit(folder, secret, declared, log, confirm=confirm)
    _tell(issued, quiet=quiet)


def _settle_overdue(key: Path, *, yes: bool, quiet: bool) -> None:
    """List all missed terms, and end the games that the director ticks."""
    from kursk_pbem.post import errand

    listed = list(errand.looking(home(), key).overdue())
    for number, missed in enumerate(listed, 1):
        say(f"{number}. game {missed.seat.game[:8]}: {missed.told}")
        for line in missed.against:
            say(f"   but {line}")
    note(overdue=[{"game": missed.seat.game, "due": missed.term.due, "against": missed.against} for missed in listed])
    if not listed:
        say("no term is missed", quiet=quiet)
        return
    chosen = [missed for missed in listed if not missed.against] if yes else _ticked(listed)
    with alone():
        chair = errand.looking(home(), key)
        now = list(chair.overdue())
        for missed in chosen:
            if missed not in now:
                warn(f"game {missed.seat.game[:8]}: something has come for it while you were asked: look at it again")
                continue
            done = chair.forfeit(missed)
            note(did=[done])
            say(done)
    say("the next round of post carries it to the players", quiet=quiet or not chosen)


def _ticked(listed: Sequence[Overdue]) -> list[Overdue]:
    """Ask which of the listed games end. Raises UsageError if nobody can be asked."""
    if not may_ask():
        raise UsageError("say --yes to end the games that nothing speaks against, or name one: 'kursk forfeit GAME'")
    release()

    def numbers(answer: str) -> list[Overdue]:
        words = answer.replace(",", " ").split()
        if words == ["all"]:
            return list(listed)
        if not all(word.isdecimal() and 1 <= int(word[:9]) <= len(listed) for word in words):
            raise click.UsageError(f"type numbers from 1 to {len(listed)}, all, or nothing")
        return [listed[number - 1] for number in sorted({int(word) for word in words})]

    question = "Which of these games end? That cannot be taken back. Numbers, all, or nothing for none"
    return click.prompt(question, default="", show_default=False, value_proc=numbers, err=True)


def _tell(issued: Issued, *, quiet: bool) -> None:
    from kursk_pbem.game import reports

    facts = {**_facts(issued.paper), "game": issued.game.chain.game, "again": not issued.fresh}
    note(**facts, wrote=[issued.path])
    say(reports.of_paper(issued.game.chain, issued.paper), quiet=quiet)
    if issued.fresh:
        say(f"wrote {issued.path}: mail it to both sides, who take it with 'kursk adjudicate'", quiet=quiet)
    else:
        say(f"{issued.path} was signed before; nothing changed", quiet=quiet)


def _facts(paper: Paper) -> dict[str, object]:
    """What a paper says, as plain data: its times where it has them."""
    said = {name: str(paper.content[name]) for name in _SAID if name in paper.content}
    return {"type": paper.type, "seq": paper.seq, "id": paper.id, **said}


def take(paper: Paper, near: Path | None, sitting: Desk | None, *, quiet: bool) -> Desk:
    """``adjudicate`` for a referee's paper; ``sitting`` is a desk that is open already. The desk with it."""
    from kursk_pbem.desk.referee import timekeeper

    got = timekeeper.receive(paper, home(), near, sitting)
    _tell_taken(got, quiet=quiet)
    return got.desk


def _tell_taken(got: Received, *, quiet: bool) -> None:
    from kursk_pbem.game import reports

    paper = got.paper
    game = got.desk.game
    if in_json():
        told = {
            "game": game.chain.game,
            "seq": paper.seq,
            "from": paper.sender,
            "id": paper.id,
            "type": paper.type,
            "new": got.wrote is not None,
            "wrote": [str(got.wrote)] if got.wrote else [],
            "next": "" if game.over else game.chain.writer(got.desk.seq),
        }
        say_json("adjudicate", told)
        return
    say(reports.of_paper(game.chain, paper), quiet=quiet)
    counts = game.papers.receipts.get(paper.seq)
    if counts is not None and paper.type == "receipt" and counts.id != paper.id:
        say(f"{counts.document.name} is the receipt that counts: the earliest of several", quiet=quiet)
    say(f"wrote {got.wrote}" if got.wrote else "it was here before; nothing changed", quiet=quiet)
    if game.verdict:
        say(game.verdict.text, quiet=quiet)
