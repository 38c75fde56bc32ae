"""Missed terms, and reasons against ending a game by one. Only the director ends a game (decision 77)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own.register import Known
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game.games import Game
from kursk_pbem.post.mailbox import outbox, people, spool, store
from kursk_pbem.post.referee import absences
from kursk_pbem.post.round import deadlines, early_turns
from kursk_pbem.post.round.deadlines import Running
from kursk_pbem.post.round.game_mail import GameMail


@frozen
class Overdue:
    """A term missed by a player. ``ends``: the director's command. ``against``: reasons against it."""

    seat: GameMail
    term: Running
    rule: str
    ends: str
    against: tuple[str, ...]

    @property
    def told(self) -> str:
        """The line for the director: the late player, the deadline and the rule."""
        side, seq = self.seat.known.writer, self.term.seq + 1
        return f"message {seq} of the {side} side was due {clock.display_deadline(self.term.due)}, by {self.rule}"


def list_objections(home: Path, seat: GameMail, received: str) -> Iterator[str]:
    """Yield reasons against ending a game by the term with its begin ``received``. Raises DiskError."""
    owed, side = seat.known.newest + 1, seat.known.writer
    if side not in seat.keys or side == REFEREE:
        return
    person = people.person_of(home, seat.keys[side])
    if spool.holds_any(home):
        yield "mails were fetched and are not filed yet: 'kursk inbox', or 'kursk referee run --once', does"
    if any(turn.sender != side or turn.seq == owed for turn in early_turns.list_turns(home, seat.game)):
        yield "a turn of the game waits: 'kursk referee' lists late turns"
    with store.open_reading(home) as found:
        heard = dict(found.execute("select address, at from heard").fetchall())
    if (last := max((str(heard.get(address, "")) for address in person.known_at), default="")) >= received:
        yield f"a mail from the {side} side came {times.tell(last)}, after the term began: read the mail first"
    if person.addresses and not person.reached:
        yield f"no letter reaches the {side} side: {person.question(f'the {side} side')}"
    elif outbox.has_trouble(home, person.mark, received):
        yield f"a letter to the {side} side came back after the term began"
    yield from absences.list_player_absences(home, seat.game, person.mark, received)
    if "continues" in seat.known.head and seat.newest_of(side) <= 0:
        yield f"the {side} side has sent no message of this game: the player may lack the former game"
    yield from filter(None, [deadlines.describe_evidence(seat.folder)])


def folder_objections(home: Path, folder: Path, game: Game) -> list[str]:
    """Return the reasons for a verified game in a folder; nothing without a receipt of its newest message."""
    receipt = game.papers.receipts.get(game.chain.next_seq - 1)
    seat = GameMail(Known(game.chain.game, folder, None), REFEREE)
    return list(list_objections(home, seat, receipt.text("received"))) if receipt is not None else []
