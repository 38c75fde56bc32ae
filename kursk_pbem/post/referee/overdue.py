"""Missed deadlines, and reasons against ending a game for them. Only the director ends a game (decision 77).

A missing message may have reached the other player. So after a missed term the mailbox asks both players' programs for
the game, once a day, and proposes no end before an answer of the other player, or seven days.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own.register import Known
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game.games import Game
from kursk_pbem.post.mailbox import outbox, people, spool, store
from kursk_pbem.post.referee import absences
from kursk_pbem.post.round import early_turns, repeats
from kursk_pbem.post.round.deadlines import Running
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.trust.messages import Message

_PUT_OFF, _ASKED = 3 * times.DAY, 7 * times.DAY
"""Seconds before the end of a game is proposed: after a later turn of the late player, or without any answer."""


@frozen
class Overdue:
    """A deadline missed by a player. ``ends``: the command to end the game. ``against``: reasons against the end."""

    seat: GameMail
    term: Running
    rule: str
    ends: str
    against: tuple[str, ...]

    @property
    def told(self) -> str:
        """The line for the director about a late player: the deadline, and the rule that ends the game."""
        side, seq = self.seat.known.writer, self.term.seq + 1
        return f"message {seq} of the {side} side was due {times.tell(self.term.due)}, by {self.rule}"


def ask_players(home: Path, seat: GameMail, running: Running) -> None:
    """Ask both players' programs for the missing message after a deadline, before a player counts as silent."""
    owed, now = seat.known.newest + 1, clock.now()
    if now <= running.due or seat.known.writer in ("", REFEREE):
        return
    if not store.load_setting(home, _asked(seat, owed)):
        store.save_setting(home, _asked(seat, owed), now)
    elif not explain_wait(home, seat):
        return
    for side, key in seat.keys.items():
        if side != REFEREE:
            repeats.note_event(home, repeats.LACKS, seat.game, people.mark_of(key))


def explain_wait(home: Path, seat: GameMail) -> str:
    """Return why the player to move does not count as silent yet, or ''. Raises DiskError and UsageError."""
    owed, side, now = seat.known.newest + 1, seat.known.writer, clock.now()
    if followed := describe_followed(home, seat):
        return followed
    later = [turn for turn in early_turns.list_turns(home, seat.game) if turn.sender == side and turn.seq > owed]
    if later:  # an invented message holds the end back once
        if not (since := store.load_setting(home, name := f"put off {seat.game} {owed}")):
            store.save_setting(home, name, since := now)
        if times.seconds_between(since, now) < _PUT_OFF:
            return (
                f"message {later[0].seq} of the {side} side is here, and message {owed} is not: both players are asked"
            )
    asked = store.load_setting(home, _asked(seat, owed))  # '' without a mailbox that asks
    marks = (people.mark_of(key) for who, key in seat.keys.items() if who not in (REFEREE, side))
    heard = max((repeats.find_event(home, repeats.LETTER, seat.game, mark) for mark in marks), default="")
    if asked and heard < asked and times.seconds_between(asked, now) < _ASKED:
        return f"the other player is asked for message {owed}, and has not answered"
    return ""


def describe_followed(home: Path, seat: GameMail) -> str:
    """Return a sentence if the missing message was lost, or ''. Proof: a later turn of the other player waits here."""
    owed, side = seat.known.newest + 1, seat.known.writer
    for turn in early_turns.list_turns(home, seat.game):
        if isinstance(turn, Message) and turn.sender not in (side, REFEREE) and turn.seq > owed:
            return f"message {turn.seq} of {turn.sender} is here, and follows message {owed}: message {owed} was lost"
    return ""


def _asked(seat: GameMail, owed: int) -> str:
    return f"asked {seat.game} {owed}"


def list_objections(home: Path, seat: GameMail, received: str) -> Iterator[str]:
    """Yield reasons against a forfeit. ``received``: when the time limit for the answer began. Raises DiskError."""
    owed, side = seat.known.newest + 1, seat.known.writer
    if side not in seat.keys or side == REFEREE:
        return
    person = people.person_of(home, seat.keys[side])
    if spool.holds_any(home):
        yield "fetched mails are not processed yet: type 'kursk inbox', or 'kursk referee run --once'"
    if any(turn.seq == owed for turn in early_turns.list_turns(home, seat.game)):
        yield "the owed message is here, and waits: 'kursk referee' lists late messages"
    with store.open_reading(home) as found:
        heard = dict(found.execute("select address, at from heard").fetchall())
    if (last := max((str(heard.get(address, "")) for address in person.known_at), default="")) >= received:
        yield f"a mail from the {side} side came {times.tell(last)}, after the last receipt: read the mail first"
    if person.addresses and not person.reached:
        yield f"no letter reaches the {side} side: {person.question(f'the {side} side')}"
    elif outbox.has_trouble(home, person.mark, received):
        yield f"a letter to the {side} side came back after the last receipt"
    yield from absences.list_player_absences(home, seat.game, person.mark, received)
    if "continues" in seat.known.head and seat.newest_of(side) <= 0:
        yield f"the {side} side has sent no message of this game: the player may lack the earlier game"


def folder_objections(home: Path, folder: Path, game: Game) -> list[str]:
    """Return reasons against ending a verified game in a folder. Without a receipt for the newest message return [].

    Raises UsageError if the other side has answered the missing message, so the message was only lost.
    """
    receipt = game.papers.receipts.get(game.chain.next_seq - 1)
    seat = GameMail(Known(game.chain.game, folder, None), REFEREE)
    if receipt is None:
        return []
    if followed := describe_followed(home, seat):
        raise UsageError(f"no player is late: {followed}")
    return [*filter(None, [explain_wait(home, seat)]), *list_objections(home, seat, receipt.text("received"))]
