"""propose, plays, bid, agree, absent, claim, stand-in, new-key, rule-on: the papers of entrants and assistants."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli.common import PATH, ask, home, keyed_options, need_key, note, read_time, say
from kursk_pbem.cli.tournament import tournament
from kursk_pbem.cli.tournament.common import close_seat, decision_options, paper_options, seat
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.own import remembered
from kursk_pbem.tournament.director import intake
from kursk_pbem.tournament.entrant import desk as seats
from kursk_pbem.tournament.entrant import games, statements

if TYPE_CHECKING:
    from collections.abc import Callable

    from kursk_pbem.tournament.entrant.desk import EntrantDesk


def _sign(folder: Path | None, work: Callable[[EntrantDesk], object], *, quiet: bool) -> None:
    """Sign a paper at the entrant's desk, and print the written letters."""
    desk = seat(folder)
    work(desk)
    close_seat(desk, quiet=quiet)


@tournament.command()
@click.argument("board", required=False, default="")
@click.option("--yes", is_flag=True, hidden=True, expose_value=False)
@click.option("--dir", "parent", type=PATH, default=Path(), help="The parent folder of the game folder.")
@paper_options
def propose(board: str, parent: Path, folder: Path | None, quiet: bool) -> None:
    """Propose the game of BOARD, with everything filled in; without BOARD, all games you must propose."""
    proposed = games.propose_games(seat(folder), board, parent)
    say("you have no game to propose now", quiet=quiet or bool(proposed), wrote=[])
    for place, path in proposed:
        say(f"wrote {path} for board {place}: mail it to your opponent and the director", quiet=quiet, wrote=[path])


@tournament.command()
@click.argument("wish", type=click.Choice(["yes", "bye", "no"]))
@paper_options
def plays(wish: str, folder: Path | None, quiet: bool) -> None:
    """Sign whether you will play in the next round that the director pairs. 'bye' asks for a round without a game.

    Your wish counts if it reaches the director before the lots of that round are closed.
    """
    note(plays=wish)
    _sign(folder, lambda desk: seats.sign_wish(desk, wish), quiet=quiet)


@tournament.command()
@click.argument("board")
@click.argument("side")
@click.argument("price", type=click.IntRange(0, 999))
@paper_options
def bid(board: str, side: str, price: int, folder: Path | None, quiet: bool) -> None:
    """Seal a bid: to play SIDE on BOARD, you give your opponent PRICE victory points in the tournament's count."""
    _sign(folder, lambda desk: seats.sign_bid(desk, board, side, price), quiet=quiet)


@tournament.command()
@click.argument("board")
@click.argument("winner")
@decision_options
def agree(board: str, winner: str, folder: Path | None, yes: bool, quiet: bool) -> None:
    """Sign that the unfinished game of BOARD counts for WINNER (a side, or draw); your opponent signs the same."""
    ask(f"Sign that board {board} counts as {'a draw' if winner == 'draw' else f'won by {winner}'}?", yes=yes)
    _sign(folder, lambda desk: statements.sign_agreement(desk, board, winner), quiet=quiet)


@tournament.command()
@click.argument("first", type=read_time)
@click.argument("last", type=read_time)
@click.option("--note", default="", help="A note to the director; the note is public.")
@paper_options
def absent(first: str, last: str, note: str, folder: Path | None, quiet: bool) -> None:
    """Announce an absence from FIRST to LAST, days or times such as 2027-01-05 or '2027-01-05 10:00' (UTC).

    The director then grants time.
    """
    _sign(folder, lambda desk: statements.sign_absence(desk, first, last, note), quiet=quiet)


@tournament.command()
@click.argument("board")
@click.argument("note")
@paper_options
def claim(board: str, note: str, folder: Path | None, quiet: bool) -> None:
    """Ask the director for a decision about BOARD. NOTE is your request, in public."""
    _sign(folder, lambda desk: statements.sign_claim(desk, board, note), quiet=quiet)


@tournament.command("stand-in")
@click.argument("path", type=PATH, metavar="PAPERS")
@click.argument("number")
@click.argument("name")
@click.option("--dir", "parent", type=PATH, default=Path(), help="The folder for your copy of the tournament.")
@keyed_options
def stand_in(path: Path, number: str, name: str, parent: Path, key: Path | None, quiet: bool) -> None:
    """Offer to replace an entrant: NUMBER is the entrant's, NAME yours. PAPERS: the tournament's folder, or a mail."""
    begin.check_sendable_texts([name])
    desk = seats.join_tournament(
        intake.read_files([path]).papers, need_key(remembered.find_key(home(), key)), parent, home()
    )
    statements.sign_offer(desk, number, name)
    say(f"your copy of the tournament is {desk.folder}", quiet=quiet)
    close_seat(desk, quiet=quiet)


@tournament.command("new-key")
@click.argument("path", type=PATH, metavar="KEY")
@decision_options
def new_key(path: Path, folder: Path | None, yes: bool, quiet: bool) -> None:
    """Change your key to KEY; both keys sign. The new key is used after the director has logged the change."""
    ask(f"Use the key {path} from the next lots on?", yes=yes)
    _sign(folder, lambda desk: statements.sign_new_key(desk, path), quiet=quiet)


@tournament.command("rule-on")
@click.argument("board")
@click.argument("winner")
@click.argument("note")
@click.option("--game", type=PATH, help="Your folder of the game.")
@paper_options
def rule_on(board: str, winner: str, note: str, game: Path | None, folder: Path | None, quiet: bool) -> None:
    """As an assistant: judge the director's own unfinished game of BOARD for WINNER, with a reason."""
    _sign(folder, lambda desk: statements.sign_ruling(desk, board, winner, note, game), quiet=quiet)
