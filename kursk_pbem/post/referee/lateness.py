"""Whether a message is late, by the receipt of the message before it, as it is signed or will be.

Mails are taken before receipts are signed: of two messages that are taken in one round, the first has no receipt when
the second is judged. So this module works out what a receipt will say, for the judge and for the signer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.referee import kept, timekeeper
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.errors import DiskError, UsageError, shell_word
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, keyring
from kursk_pbem.post.mailbox import came, events
from kursk_pbem.post.referee import deadlines, pauses, timing
from kursk_pbem.post.referee.deadlines import Running
from kursk_pbem.post.referee.terms import Terms
from kursk_pbem.post.round.seat import Seat
from kursk_pbem.post.tournaments import presiding
from kursk_pbem.trust import referee
from kursk_pbem.trust.messages import Message

UNBOUND = "nobody loses a game before it is bound"


@dataclass(frozen=True)
class Judge:
    """The referee who says what is late: the private folder, the key and the terms."""

    home: Path
    key: Path
    terms: Terms

    def late(self, desk: Desk, message: Message) -> str:
        """Return why the next message of a game is not taken in, '' if it is, or if this desk does not judge it."""
        game = desk.game
        if message.sender == REFEREE or message.sender != game.chain.writer(message.seq):
            return ""  # a message that nobody owes is refused, however late it is
        if not self._referees(desk) or deadlines.let_pass(self.home, game.chain.game, message):
            return ""
        if (term := self._running(desk)) is None:
            return self.untimed(desk)
        received = timing.of_turn(self.home, desk, message.seq, message.id)
        due = presiding.granted(self.home, game.chain.head, game.chain.writer(term.seq + 1), term)
        if not received or times.between(due, received) <= self.terms.grace * 3600:
            return ""
        bound = message.seq > referee.binding(game.chain)
        ends = f"'kursk forfeit {shell_word(desk.folder)}' ends the game" if bound else UNBOUND
        if (event := events.of_head(self.home, game.chain.head)) is not None:
            ends = f"{presiding.ends(event, game.chain.game, message.sender, bound=bound)} ends the game"
        return (
            f"it was due {due} and came {received}: it is late, and waits for the director; "
            f"'kursk referee pass {game.chain.game[:8]}' lets it pass, {ends}"
        )

    def untimed(self, desk: Desk) -> str:
        """Return that the newest message lacks its receipt, '' if this mailbox signs none. The message came by hand."""
        if self._running(desk) is not None:
            return ""
        seq, chain = desk.seq - 1, desk.game.chain
        unlogged = "tournament" in chain.head and events.of_head(self.home, chain.head) is None
        if unlogged or not (desk.game.papers.receipts and self._times(desk, seq)):
            return ""
        return f"message {seq} has no receipt yet, and nobody knows when its answer is due"

    def _running(self, desk: Desk) -> Running | None:
        """Return the term of the next message, without what a log has granted; None if there is none yet."""
        seq = desk.seq - 1
        if (signed := deadlines.signed(desk.game, seq)) is not None:
            return signed
        if not self._will_sign(desk, seq):
            return None
        try:
            term = self.term(desk, seq)
        except DiskError:
            raise
        except UsageError:  # the log of its tournament is not here: no receipt will be signed
            return None
        if not term.received:
            return None
        due = term.of(term.received)
        return Running(seq, term.received, due, due)

    def _referees(self, desk: Desk) -> bool:
        """Return whether this desk referees a game: the owner of this mailbox may play other games (post.seat)."""
        if desk.own is not None:
            return desk.own_side == REFEREE
        event = events.of_head(self.home, desk.game.chain.head)
        directors = {keyring.public_of(self.key)} | ({event.book.rules.key} if event is not None else set())
        return desk.game.chain.keys.get(REFEREE) in directors

    def _will_sign(self, desk: Desk, seq: int) -> bool:
        """Return whether this mailbox will sign a receipt of the newest message that says when the message came."""
        game, chain = desk.game, desk.game.chain
        ours = self._times(desk, seq)
        if not ours or events.of_head(self.home, chain.head) is not None:
            return ours
        # the director signs the receipt of a message that came by hand, and of what follows it
        before = range(max(game.papers.receipts) + 1, seq)
        return all(came.said(self.home, chain.game, number, chain.ids[number]) for number in before)

    def _times(self, desk: Desk, seq: int) -> bool:
        """Return whether the newest message is to have a receipt from here that says when the message came.

        The receipt of one's own message says when it is signed: its answer cannot be late before.
        """
        game, chain = desk.game, desk.game.chain
        if chain.writer(seq) == REFEREE:
            return False
        if (event := events.of_head(self.home, chain.head)) is not None:
            onward = "continues" in chain.head and presiding.board(event, chain.game) is None  # nobody agreed to it yet
            return chain.keys.get(REFEREE) == event.book.rules.key and not onward
        if desk.own is not None or not game.papers.receipts:  # also the game of a referee who rolls
            return False
        return chain.keys.get(REFEREE) == keyring.public_of(self.key)

    def term(self, desk: Desk, seq: int) -> Term:
        """Return what the receipt of a message says that has none: received '' if the message came by no mail.

        A program may have died, or a disk been full, before a receipt was signed: it says the same again.
        """
        chain = desk.game.chain
        said = kept.said(kept.path_of(self.home, chain, seq))
        own = chain.writer(seq) == REFEREE
        received = clock.now() if own else timing.of_turn(self.home, desk, seq, chain.ids[seq])
        if said is None and not received:
            return Term("")
        over = desk.game.over and seq == desk.seq - 1
        days = 0 if over else self.terms.days_of(chain.game)
        usual = Term(received, days=days, late=True, until=pauses.said(self.home))
        term = presiding.term(self.home, chain.head, usual)
        if said is not None:
            return replace(term, received=said[0], due=said[1], days=0)
        until = timekeeper.away(desk.folder, desk.game, seq, self.home)
        return replace(term, until=max(term.until, until), side=chain.writer(seq + 1))

    def unsigned(self, desk: Desk, seat: Seat) -> Iterator[str]:
        """Yield what signs the receipt that a game lacks. Raises KurskError if it cannot be signed."""
        if missing := deadlines.without_receipt(seat):
            term, chain = self.term(desk, missing[0]), desk.game.chain
            known = term.due or desk.game.over or "tournament" in chain.head
            days = "" if known else f" --days {self.terms.days_of(chain.game)}"
            signs = f"'kursk receipt {shell_word(seat.folder)}{days} --seq {missing[0]}' signs it"
            yield f"message {missing[0]} has no receipt: {signs}"
            return
        made = seat.folder.resolve().name == folders.folder_name(seat.game)  # or a mail is saved among the games
        if made and not (seat.rolled or seat.receipts):  # a program died, or no days were said
            yield f"it has a folder and no receipt: 'kursk receipt {shell_word(seat.folder)} --days 7' begins it"


def unbegun(seat: Seat) -> str:
    """Return why nobody loses a game by silence alone yet, '' if somebody does.

    A player who has written nothing in a game that continues another may lack the agreement to it. Message 0 is
    written before the agreement.
    """
    late = seat.known.writer
    if "continues" in seat.known.head and seat.newest_of(late) <= 0:
        return f"the {late} side has written nothing in it yet: they may lack the game that it continues"
    return ""


def told(game: str, seq: int, versions: int, ends: str, untimed: str) -> str:
    """Return that a message waits, perhaps in several versions, and what the director types.

    ``ends``: what ends the game. ``untimed``: why nobody knows whether the message is late.
    """
    two = f" in {versions} versions that differ" if versions > 1 else ""
    if untimed:
        return f"message {seq} waits{two}: {untimed}"
    then = f", or {ends}" if ends else ""
    return f"message {seq} came late{two}: 'kursk referee pass {game[:8]}'{then}"
