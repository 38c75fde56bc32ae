"""Late messages, judged by the receipt of the previous message, signed or still to be signed.

Mails are processed before receipts are signed. If two messages arrive in one round, the first has no receipt yet. So
this module computes the receipt before its signature: to judge lateness, and to sign it later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.errors import DiskError, UsageError, shell_word
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import keyring
from kursk_pbem.post.mailbox import events, store
from kursk_pbem.post.referee.terms import Terms
from kursk_pbem.post.round import deadlines
from kursk_pbem.post.round.deadlines import Running
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.tournaments import directing
from kursk_pbem.trust import referee
from kursk_pbem.trust.messages import Message

UNBOUND = "no side can lose before the game binds both players"
PAUSE = "pause"
"""Name of the setting with the end of the last pause, which may be over."""


@frozen
class Judge:
    """Decides whether messages are late, from a referee's private folder, key and terms."""

    home: Path
    key: Path
    terms: Terms

    def late(self, desk: Desk, message: Message) -> str:
        """Return why a game's next message is refused as late, or ''. A message of the wrong player gets ''."""
        game, head = desk.game, desk.game.chain.head
        event = events.find_directed(self.home, head)
        if desk.own is not None:
            ours = desk.own_side == REFEREE
        else:
            directors = {keyring.find_public_key(self.key)} | ({event.book.rules.key} if event is not None else set())
            ours = game.chain.keys.get(REFEREE) in directors
        if not ours or message.sender == REFEREE or message.sender != game.chain.writer(message.seq):
            return ""
        term = self._next_term(desk)
        if term is None or deadlines.is_passed(self.home, game.chain.game, message):
            return ""
        received = deadlines.arrival_time(self.home, desk, message.seq, message.id)
        due = directing.granted(self.home, head, message.sender, term)
        if not received or times.seconds_between(due, received) <= self.terms.grace * 3600:
            return ""
        bound = message.seq > referee.binding_seq(game.chain)
        ends = f"'kursk referee forfeit {shell_word(desk.folder)}' ends the game" if bound else UNBOUND
        if event is not None:
            ends = f"{directing.make_end_command(event, game.chain.game, message.sender, bound=bound)} ends the game"
        return (
            f"late: due {due}, came {received}; the director must decide: "
            f"'kursk referee pass {game.chain.game[:8]}' accepts the message, {ends}"
        )

    def _next_term(self, desk: Desk) -> Running | None:
        """Return the term of the next message without the log's grants, or None if unknown."""
        seq, chain, papers = desk.seq - 1, desk.game.chain, desk.game.papers
        if (signed := deadlines.signed_term(desk.game, seq)) is not None:
            return signed
        begun = papers.receipts or events.find_directed(self.home, chain.head) is not None
        if chain.writer(seq) == REFEREE or not begun:
            return None  # our own receipt is signed later, so the answer cannot be late yet
        try:
            term = self.term(desk, seq)
        except DiskError:
            raise
        except UsageError:  # without the tournament's log, no receipt will be signed
            return None
        if not term.received:  # delivered by hand: the director signs the receipt
            return None
        due = term.of(term.received)
        return Running(seq, term.received, due, due)

    def term(self, desk: Desk, seq: int) -> Term:
        """Return the contents of a receipt before signing. ``received`` is '' if the message came without a mail."""
        chain = desk.game.chain
        own = chain.writer(seq) == REFEREE
        received = clock.now() if own else deadlines.arrival_time(self.home, desk, seq, chain.ids[seq])
        if not received:
            return Term("")
        over = desk.game.over and seq == desk.seq - 1
        days = 0 if over else self.terms.days_of(chain.game)
        usual = Term(received, days=days, late=True, until=store.load_setting(self.home, PAUSE))
        term = directing.make_term(self.home, chain.head, usual)
        until = timekeeper.find_absence_end(desk.game, seq)
        return replace(term, until=max(term.until, until), side=chain.writer(seq + 1))

    def describe_unsigned(self, desk: Desk, seat: GameMail) -> Iterator[str]:
        """Yield the command that signs a missing receipt. Raises KurskError if signing is impossible."""
        if missing := deadlines.list_unreceipted(seat):
            term, chain = self.term(desk, missing[0]), desk.game.chain
            known = term.due or desk.game.over or "tournament" in chain.head
            days = "" if known else f" --days {self.terms.days_of(chain.game)}"
            signs = f"'kursk referee receipt {shell_word(seat.folder)}{days} --seq {missing[0]}' signs the receipt"
            yield f"message {missing[0]} has no receipt: {signs}"
        elif not (seat.rolled or seat.receipts):  # a crash, or no days were set
            yield f"no receipt begins the game yet: type 'kursk referee receipt {shell_word(seat.folder)} --days 7'"
