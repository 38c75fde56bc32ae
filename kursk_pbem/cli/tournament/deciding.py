"""grant, judge, forfeit, withdraw, substitute, key, refuse, correct: the decisions of a director."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli.alone import declared_option
from kursk_pbem.cli.common import ask, say, warn
from kursk_pbem.cli.common import pairs as key_values
from kursk_pbem.cli.tournament import tournament
from kursk_pbem.cli.tournament.common import (
    close_office,
    close_seat,
    decision_options,
    found,
    looking,
    office,
    paper_options,
    record_of,
    seat,
)
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.game import histories
from kursk_pbem.post.referee import overdue
from kursk_pbem.tournament import open_papers, private
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.book.outcomes import METHODS
from kursk_pbem.tournament.director import decisions
from kursk_pbem.tournament.records import WITHDREW

if TYPE_CHECKING:
    from kursk_pbem.tournament.director.desk import DirectorDesk

why_option = click.option("--why", default="", help="The reason (public).")


def _decide(
    question: str | Callable[[DirectorDesk], str],
    work: Callable[[DirectorDesk], object],
    *,
    folder: Path | None,
    quiet: bool,
    yes: bool = True,
    against: Callable[[DirectorDesk], Iterable[str]] = lambda _desk: (),
    board: str = "",
) -> None:
    """Ask, decide, and print the result: the text of ``work``, if any, and the log's papers.

    ``question``: a text, or a function of the desk. ``against``: warnings before the question. ``board``: the board of
    the decided game, or ''.
    """
    desk = office(folder) if yes else looking(folder)
    for line in (said := [*against(desk)]):
        warn(line)
    if not yes:
        before = _held(desk, board)
        ask(question if isinstance(question, str) else question(desk), yes=yes)
        desk = office(folder)
        timekeeper.check_nothing_arrived((*before, said), (*_held(desk, board), [*against(desk)]), desk.folder)
    told = work(desk)
    if isinstance(told, str):
        say(told, quiet=quiet, did=[told])
    close_office(desk, quiet=quiet)


def _held(desk: DirectorDesk, board: str) -> tuple[str, list[str]]:
    """Return what a decision is based on: the newest log paper, and the files of the ``board``'s game, if any."""
    files = list[str]()
    with suppress(KurskError):  # without a game, the decision raises an error
        files = sorted(path.name for path in decisions.find_begun(desk, board)[1].iterdir()) if board else []
    return desk.book.head.id, files


@tournament.command()
@click.argument("who")
@click.argument("days", type=click.IntRange(1, 365))
@click.argument("why")
@click.option("--holiday", is_flag=True, help="A holiday until this day, without days from the bank.")
@decision_options
def grant(who: str, days: int, why: str, holiday: bool, **given: Any) -> None:
    """Give WHO (an entrant's number or name, or all) DAYS more for every answer that WHO owes now. All can read WHY."""

    def work(desk: DirectorDesk) -> None:
        decisions.grant_time(desk, who, days, why, holiday=holiday)

    what = f"{days} days of holidays" if holiday else f"{days} days more"
    _decide(f"Give {who} {what}, in public?", work, **given)


@tournament.command()
@click.argument("board")
@click.argument("by", type=click.Choice([by for by in METHODS if by != WITHDREW]))
@click.argument("winner", required=False, default="")
@why_option
@decision_options
def judge(board: str, by: str, winner: str, why: str, **given: Any) -> None:
    """Decide BOARD, whose game has not ended or not begun. WINNER, if you can choose, is a side, draw or nobody."""
    question = f"Judge board {board} by {by}{f': {winner}' if winner else ''}, in public?"
    _decide(question, lambda desk: decisions.judge_board(desk, board, by, winner, why), **given, board=board)


@tournament.command()
@click.argument("board")
@declared_option
@decision_options
def forfeit(board: str, declared: str, **given: Any) -> None:
    """End the game of BOARD for the side that has missed its deadline, after all added time.

    The command prints objections to the end, and asks. 'kursk referee forfeit --overdue' lists all missed deadlines.
    """
    question = f"Declare board {board} lost for the side that has not answered?"
    work, against = partial(decisions.forfeit_game, called=board, declared=declared), partial(_against, board=board)
    _decide(question, work, against=against, board=board, **given)


def _against(desk: DirectorDesk, board: str) -> Iterable[str]:
    """Yield warnings before a missed term ends the game of a board."""
    place, folder = decisions.find_begun(desk, board)
    game = histories.load(folder).game
    late, held = game.chain.writer(game.chain.next_seq), game.papers.receipts.get(game.chain.next_seq - 1)
    if late in place.sides and held is not None:
        due = clocks.compute_due(desk.book, place.sides[late], held.text("received"), held.text("due"))
        term = (held.text("received"), due)
        yield from filter(None, [open_papers.find_objection(desk.book, place, game.chain.keys, late, term)])
    yield from overdue.folder_objections(desk.home, folder, game)


@tournament.command()
@click.argument("who", required=False, default="")
@why_option
@decision_options
def withdraw(who: str, why: str, folder: Path | None, yes: bool, quiet: bool) -> None:
    """Withdraw from the tournament; as the director, log the withdrawal of WHO, by paper or for missed rounds."""
    own = record_of(found(folder))
    if own is not None and own.role == private.ENTRANT:
        ask("Withdraw from the tournament? You lose your open games.", yes=yes)
        desk = seat(folder)
        desk.sign("withdraw", "", {"note": why} if why else {}, "withdrawal")
        close_seat(desk, quiet=quiet)
        return
    if not who:
        raise UsageError("type the number or the name of the entrant who has withdrawn")
    question = f"Log that {who} has withdrawn?"
    _decide(question, lambda desk: decisions.log_withdrawal(desk, who, why), folder=folder, yes=yes, quiet=quiet)


@tournament.command()
@click.argument("who")
@click.argument("why")
@click.option("--name", default="", help="The new player, if several players offered.")
@decision_options
def substitute(who: str, why: str, name: str, **given: Any) -> None:
    """Let the signer of a stand-in paper play for WHO, with WHO's entrant number, from the next round on.

    WHO loses all undecided boards.
    """

    def question(desk: DirectorDesk) -> str:
        return f"Let {decisions.describe_offer(desk, who, name)} play for {who}?"

    _decide(question, lambda desk: decisions.log_substitute(desk, who, why, name), **given)


@tournament.command()
@click.argument("who")
@paper_options
def key(who: str, **given: Any) -> None:
    """Log the new key of WHO, by the paper that both keys signed."""
    _decide("", lambda desk: decisions.log_key(desk, who), **given)


@tournament.command()
@click.argument("paper")
@click.argument("why")
@decision_options
def refuse(paper: str, why: str, **given: Any) -> None:
    """Refuse an entry or a claim: PAPER is the beginning of the paper's id, or the entrant's name."""
    question = f"Refuse {paper}, in public?"
    _decide(question, lambda desk: decisions.refuse_paper(desk, paper, why), **given)


@tournament.command()
@click.argument("what")
@click.argument("why")
@click.option("--now", multiple=True, metavar="FIELD=VALUE", help="The new value of a field in a log paper.")
@decision_options
def correct(what: str, why: str, now: tuple[str, ...], **given: Any) -> None:
    """Correct the result of board WHAT, such as 3-7, from its game; or fields of the log paper with number WHAT."""

    def work(desk: DirectorDesk) -> None:
        if what.isdigit():
            decisions.correct_paper(desk, int(what), key_values(now), why)
        else:
            decisions.correct_result(desk, what, why)

    _decide(f"Correct {what}, in public?", work, **given)
