"""Whether a message is late, by the receipt of the one before it, as it is signed or will be.

Mails are taken before receipts are signed: of two messages that are taken in one round, the first has no receipt when
the second is judged. So what a receipt will say is worked out here, for whoever judges and for whoever signs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.referee import kept, onward, timekeeper
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.errors import DiskError, UsageError, shell_word
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, keyring
from kursk_pbem.post import address as addresses
from kursk_pbem.post import came, people
from kursk_pbem.post.letter import MESSAGE
from kursk_pbem.post.outbox import SENT, Box
from kursk_pbem.post.referee import deadlines, pauses, timing
from kursk_pbem.post.referee.deadlines import Running
from kursk_pbem.post.referee.terms import Terms
from kursk_pbem.post.referee.timing import Watch
from kursk_pbem.post.seat import Seat
from kursk_pbem.post.tournaments import events, presiding
from kursk_pbem.trust import referee
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import RECEIPT

_ALWAYS = "0000-01-01T00:00:00Z"
UNBOUND = "nobody loses a game before it is bound"


@dataclass(frozen=True)
class Judge:
    """Who says what is late: a referee with their key and terms, and the watch over the clock."""

    home: Path
    key: Path
    terms: Terms
    watch: Watch

    def late(self, desk: Desk, message: Message) -> str:
        """Why a message that is next is not taken in, in words; '' if it is, or if that is not for this desk to say."""
        game = desk.game
        if message.sender == REFEREE or message.sender != game.chain.writer(message.seq):
            return ""  # what nobody owes is refused, however late it is
        if not self._referees(desk) or deadlines.let_pass(self.home, game.chain.game, message):
            return ""
        doubt = self.watch.doubt()
        term = self._running(desk, sure=not doubt)
        if term is None:
            return self._untimed(desk)
        received = timing.of_turn(self.home, desk, message.seq, message.id, sure=not doubt)
        if timing.UNSURE in (term.received, received):
            return f"{doubt}; when it came, or the message before it, is not known before"
        due = presiding.due_with_log(self.home, game, term)
        if not received or times.between(due, received) <= self.terms.grace * 3600:
            return ""
        bound = message.seq > referee.binding(game.chain)
        ends = f"'kursk forfeit {shell_word(desk.folder)}' ends the game" if bound else UNBOUND
        if (event := events.of_head(self.home, game.chain.head)) is not None:
            ends = f"{presiding.ends(event, game.chain.game, message.sender, bound=bound)} ends the game"
        lay = ""
        with suppress(UsageError):  # a letter that cannot be read is told of elsewhere
            lay = _after_half(self._out(desk, term.seq, ()), term.received, due)
        return (
            f"it was due {due} and came {received}{lay and f' ({lay})'}: it is late, and waits for the director; "
            f"'kursk referee pass {game.chain.game[:8]}' lets it pass, {ends}"
        )

    def short(self, desk: Desk, term: Running, reminded: Iterable[str] = ()) -> str:
        """Why too little was left of a term for whoever owes the answer, in words; '' if half was. UsageError.

        What is to be answered may have waited for the director's word, or for another message, or nothing could be
        sent: nobody loses a game by that alone. ``reminded``: when reminders went out, which bring it, too.
        """
        out = self._out(desk, term.seq, reminded)
        if not out:
            return f"neither message {term.seq} nor its receipt went to where whoever owes the answer is reached now"
        return _after_half(out, term.received, term.due)

    def _out(self, desk: Desk, seq: int, reminded: Iterable[str]) -> str:
        """When a message or its receipt first went to where whoever owes the answer is reached; '' if none did.

        What was mailed before this mailbox sent anything counts as sent when it came. UsageError.
        """
        chain = desk.game.chain
        box, person = Box(self.home, chain.game), people.known(self.home, chain.keys[chain.writer(seq + 1)])
        if seq <= box.as_sent:
            return _ALWAYS
        sent = list(reminded)
        for name in box.written:
            if int(name[:4]) < seq:
                break
            letter = box.read(name)
            about = any(item.seq == seq and item.kind in (MESSAGE, RECEIPT) for item in letter.carried)
            there = any(to.mark == person.mark and addresses.same(to.address, person.reached) for to in letter.to)
            if about and there and box.ended(letter, person.mark) == SENT:
                sent.append(box.noted(letter, person.mark, SENT)[0])
        return min(filter(None, sent), default="")

    def unknown(self, desk: Desk, there: Iterable[Message], *, sure: bool) -> str:
        """Why nobody knows if one of some messages that are next is late, in words; '' if it is known."""
        term = self._running(desk, sure=sure)
        if term is None:
            return self._untimed(desk)
        came_at = {timing.of_turn(self.home, desk, turn.seq, turn.id, sure=sure) for turn in there}
        unsure = timing.UNSURE in {term.received, *came_at}
        return "when it came is not known before the clock is believed" if unsure else ""

    def _untimed(self, desk: Desk) -> str:
        """That the message before the one that is next has no receipt, in words; '' if this mailbox has to sign none.

        It was put in by hand, or the newest receipt names a time that is still to come.
        """
        seq, chain = desk.seq - 1, desk.game.chain
        unlogged = "tournament" in chain.head and events.of_head(self.home, chain.head) is None
        if unlogged or not (desk.game.papers.receipts and self._times(desk, seq)):
            return ""
        return f"message {seq} has no receipt yet, and nobody knows when its answer is due"

    def _running(self, desk: Desk, *, sure: bool) -> Running | None:
        """The term of the message that is next, without what a log has granted; None where there is none yet.

        It counts as received at UNSURE if nobody knows when the message before came.
        """
        seq = desk.seq - 1
        if (signed := deadlines.signed(desk.game, seq)) is not None:
            return signed
        if not self._will_sign(desk, seq):
            return None
        try:
            term = self.term(desk, seq, sure=sure)
        except DiskError:
            raise
        except UsageError:  # no log of its tournament is here: no receipt will be signed
            return None
        if term.received in ("", timing.UNSURE):
            return None if sure else Running(seq, timing.UNSURE, "")
        due = term.of(term.received)
        return Running(seq, term.received, due, due)

    def _referees(self, desk: Desk) -> bool:
        """Whether a game is one of those that are refereed here: the owner of this mailbox may play others (post.seat).

        What came late in those is for their referees to say: nobody here could let it pass, or end the game.
        """
        if desk.own is not None:
            return desk.own_side == REFEREE
        event = events.of_head(self.home, desk.game.chain.head)
        directors = {keyring.public_of(self.key)} | ({event.book.rules.key} if event is not None else set())
        return desk.game.chain.keys.get(REFEREE) in directors

    def _will_sign(self, desk: Desk, seq: int) -> bool:
        """Whether this mailbox will sign a receipt of the newest message by itself that says when that came."""
        game, chain = desk.game, desk.game.chain
        ours = self._times(desk, seq)
        if not ours or events.of_head(self.home, chain.head) is not None:
            return ours
        # what was put in by hand has its receipt from the director, and so has what follows it
        before = range(max(game.papers.receipts) + 1, seq)
        return all(came.said(self.home, chain.game, number, chain.ids[number]) for number in before)

    def _times(self, desk: Desk, seq: int) -> bool:
        """Whether the newest message is to have a receipt from here that says when it came.

        That of one's own message says when it is signed: its answer cannot be late before.
        """
        game, chain = desk.game, desk.game.chain
        if chain.writer(seq) == REFEREE:
            return False
        if (event := events.of_head(self.home, chain.head)) is not None:
            onward = "continues" in chain.head and presiding.board(event, chain.game) is None  # as nobody agreed to yet
            return chain.keys.get(REFEREE) == event.book.rules.key and not onward
        if desk.own is not None or not game.papers.receipts:  # one's own game as a referee who rolls, too
            return False
        return chain.keys.get(REFEREE) == keyring.public_of(self.key)

    def term(self, desk: Desk, seq: int, *, sure: bool = True) -> Term:
        """What the receipt of a message says that has none: received '' if it came by no mail, or at UNSURE.

        A program may have died, or a disk been full, before one was signed: it says the same again.
        """
        chain = desk.game.chain
        said = kept.said(kept.path_of(self.home, chain, seq))
        if chain.writer(seq) == REFEREE:
            if said is None and deadlines.receipted(self.home, chain.game) - {*chain.ids}:  # now is later than theirs
                raise DiskError(f"receipts were signed of messages that are not in {desk.folder} now: put them back")
            received = self.watch.now() or timing.UNSURE
        else:
            received = presiding.received(self.home, desk, seq, chain.ids[seq], sure=sure)
        if said is None and received in ("", timing.UNSURE):
            return Term(received)
        over = desk.game.over and seq == desk.seq - 1
        days = 0 if over else self.terms.days_of(chain.game)
        usual = Term(received, days=days, late=True, until=pauses.said(self.home))
        term = presiding.term(self.home, chain.head, usual)
        if said is not None:
            return replace(term, received=said[0], due=said[1], days=0)
        until = timekeeper.away(desk.folder, desk.game, seq, self.home)
        if term.days and "tournament" not in chain.head:  # a log holds all time
            self._need_time(desk, seq)
        return replace(term, until=max(term.until, until), side=chain.writer(seq + 1))

    def unsigned(self, desk: Desk, seat: Seat, *, sure: bool) -> Iterator[str]:
        """What signs the receipt that a game lacks, or why it cannot be signed: KurskError."""
        if missing := deadlines.without_receipt(seat):
            term, chain = self.term(desk, missing[0], sure=sure), desk.game.chain
            known = term.due or desk.game.over or "tournament" in chain.head
            days = "" if known else f" --days {self.terms.days_of(chain.game)}"
            signs = f"'kursk receipt {shell_word(seat.folder)}{days} --seq {missing[0]}' signs it"
            yield f"message {missing[0]} has no receipt: {signs}"
            return
        made = seat.folder.resolve().name == folders.folder_name(seat.game)  # or a mail is saved among the games
        if made and not (seat.rolled or seat.receipts):  # then a program died, or no days were said
            yield f"it has a folder and no receipt: 'kursk receipt {shell_word(seat.folder)} --days 7' begins it"

    def _need_time(self, desk: Desk, seq: int) -> None:
        """DiskError where a holiday that was mailed, and may hold for the answer to a message, is in no folder now."""
        chain = desk.game.chain
        theirs = (before for before in range(seq) if chain.writer(before + 1) == chain.writer(seq + 1))
        gone = deadlines.time_gone(self.home, chain.game, desk.folder, {*theirs}.__contains__)
        for game, folder in onward.elders(desk.folder, desk.game, self.home):
            gone = gone or deadlines.time_gone(self.home, game, folder, lambda _seq: True)
        if gone:
            raise DiskError(
                f"{gone}, and may hold for this term, too: put it back{timekeeper.unless(desk.folder, seq)}"
            )


def unbegun(seat: Seat, *, bound: bool) -> str:
    """Why nobody loses a game yet by silence alone, in words; '' if somebody does.

    Whoever has written nothing in a game that continues another may not know that it does: what was agreed to there may
    not have come, or somebody may have told them otherwise. Message 0 is written before the agreement.
    """
    late = seat.known.writer
    if bound and "continues" in seat.known.head and seat.newest_of(late) <= 0:
        return f"the {late} side has written nothing in it yet: they may lack the game that it continues"
    return "" if bound else UNBOUND


def _after_half(out: str, received: str, due: str) -> str:
    """That what is to be answered went out after half of a term, in words; '' if it did before, or did not at all."""
    if out <= received or 2 * times.between(out, due) >= times.between(received, due):
        return ""
    return f"what is to be answered first went to where they are reached at {out}, after half of the term"


def told(game: str, seq: int, versions: int, ends: str, unknown: str) -> str:
    """That a message waits, perhaps in several versions, and what the director types; ``ends``: what ends the game.

    ``unknown``: why nobody knows if it is late.
    """
    two = f" in {versions} versions that differ" if versions > 1 else ""
    if unknown:
        return f"message {seq} waits{two}: {unknown}"
    then = f", or {ends}" if ends else ""
    return f"message {seq} came late{two}: 'kursk referee pass {game[:8]}'{then}"
