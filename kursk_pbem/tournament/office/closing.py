"""How a tournament ends."""

from __future__ import annotations

from kursk_pbem.tournament.office import rounds
from kursk_pbem.tournament.office.office import Office
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.score import table


def end(office: Office) -> Paper:
    """Log what is still to be logged, and end the tournament, once. KurskError says what is not over."""
    if office.book.ended:
        office.done.append("the tournament has ended already")
        return next(paper for paper in office.book.log if paper.type == fields.END)
    rounds.advance(office)
    played = sum(bool(board.games) for board in office.book.boards.values())
    sha256 = table.standings(office.book).sha256
    return office.sign(fields.END, {"sha256": sha256, "played": str(played)}, "the tournament has ended")
