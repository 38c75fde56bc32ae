"""What a referee's papers mean for a game (protocol 2.10): which receipts count, whether a forfeit has ended it.

Everything here is the referee's word, times above all. What is checked: the referee has signed it, it is about this
game's own messages, and it does not contradict itself. Where it does, nothing is chosen: it is told.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NoReturn

from kursk_pbem.errors import TrustError
from kursk_pbem.formats.canonical import REFEREE, apart
from kursk_pbem.trust import sshsig, terms
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.papers import EXTENSION, FORFEIT, RECEIPT, SUCCESSOR, Paper
from kursk_pbem.trust.terms import ContradictionError


@dataclass(frozen=True)
class Papers:
    """A referee's papers on one game, weighed: ``receipts`` that count, by message; ``forfeit`` if one ended the game.

    ``all``: every paper there is, those that do not count too. ``terms``: by message, when the answer to it is due.
    """

    receipts: Mapping[int, Paper] = field(default_factory=lambda: MappingProxyType({}))
    forfeit: Paper | None = None
    all: tuple[Paper, ...] = ()
    terms: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))

    def due(self, last: int) -> str:
        """When the message after ``last`` is due, with every extension; '' if that is not said."""
        return self.terms.get(last, "")

    def extensions(self, seq: int) -> list[Paper]:
        """The extensions of the term for the answer to a message, in the order of their terms."""
        about = (paper for paper in self.all if paper.type == EXTENSION and paper.seq == seq)
        return sorted(about, key=lambda paper: (paper.text("due"), paper.id))


NONE = Papers()


def binding(chain: Chain) -> int:
    """The number of the message that binds a game (protocol 2.3): before it anyone may leave, nobody loses by silence.

    A game that continues another binds both from its beginning: they have agreed to it there.
    """
    if "continues" in chain.head:
        return 0
    return chain.bound


def check_signature(paper: Paper, key: str) -> None:
    """TrustError unless the owner of a key has signed a paper."""
    try:
        sshsig.verify(key, sshsig.NAMESPACE, paper.signed, paper.armour)
    except TrustError as error:
        raise TrustError(error.fault, error.message, paper.where("signature")) from None


def check(chain: Chain, paper: Paper) -> None:
    """One paper by itself: this game, the referee's signature, a message that is here. The first failure counts.

    Raises TrustError; ContradictionError where the referee's signature holds and the message here is another one.
    """
    if paper.text("game") != chain.game:
        why = f"it is about another game ({paper.text('game')[:16]}, here is {chain.game[:16]}); look for its folder"
        _refuse("chain", why, paper, "game")
    if REFEREE not in chain.keys:
        _refuse("sender", "message 0 of this game names no referee: nobody can sign such a thing for it", paper, "from")
    _check_sender(paper)
    check_signature(paper, chain.keys[REFEREE])
    if paper.seq >= chain.next_seq:
        why = (
            f"it is about message {paper.seq}, and the last one here is message {chain.next_seq - 1}: look for what "
            "is missing in your mail, or ask for it"
        )
        _refuse("chain", why, paper, "seq")
    if paper.text("id") != chain.ids[paper.seq]:
        there, here = apart(paper.text("id"), chain.ids[paper.seq], 32)
        why = (
            f"the referee had another message {paper.seq} ({there}) than the one here ({here}). Two convict their "
            "writer: ask the referee for that one, and 'kursk prove' both"
        )
        _contradict("chain", why, paper, "id")
    check_itself(paper)


def check_itself(paper: Paper) -> None:
    """TrustError where it is not from the referee, or where the times of one paper cannot all be true."""
    _check_sender(paper)
    if paper.type == RECEIPT and paper.text("due") < paper.text("received"):
        _refuse("order", "due is before received", paper, "due")
    if paper.type == EXTENSION and paper.text("due") <= paper.text("declared"):
        _refuse("order", "due is not after declared: it gives no time", paper, "due")
    if paper.type == FORFEIT and paper.text("declared") <= paper.text("due"):
        _refuse("order", "it was declared before the answer was overdue: declared must be after due", paper, "declared")


def _check_sender(paper: Paper) -> None:
    if paper.sender != REFEREE:
        _refuse("sender", f"a {paper.type} is the referee's to sign, not {paper.sender}'s", paper, "from")


def weigh(chain: Chain, papers: Iterable[Paper], *, over: bool, known: Papers = NONE) -> Papers:
    """All papers of a game together. ``over``: whether the game has ended by its messages alone.

    ``known`` were weighed before with this chain, or the beginning of it; they are added, and each by itself is good.
    Raises TrustError as :func:`check`, and ContradictionError where one of them contradicts the others or the game.
    """
    fresh = {paper.id: paper for paper in papers}
    for paper in fresh.values():
        check(chain, paper)
    every = tuple(({paper.id: paper for paper in known.all} | fresh).values())
    receipts: dict[int, Paper] = {}
    # Of several the earliest counts. Two of one time that set different terms are no earliest.
    for paper in sorted(
        (paper for paper in every if paper.type == RECEIPT), key=lambda receipt: receipt.text("received")
    ):
        first = receipts.setdefault(paper.seq, paper)
        if first.text("received") == paper.text("received") and first.text("due") != paper.text("due"):
            why = (
                f"the referee has signed two receipts of message {paper.seq}, both received "
                f"{paper.text('received')}, one with the answer due {first.text('due')} ({first.document.name}), "
                f"one {paper.text('due')}: ask the referee which is right"
            )
            _contradict("order", why, paper, "due")
    if (pair := out_of_order(receipts)) is not None:
        before, after = pair
        _contradict("order", told_order(before, after), before if before.id in fresh else after, "received")
    terms.check(every)
    dues = terms.latest(receipts, (paper for paper in every if paper.type == EXTENSION))
    forfeits = [paper for paper in every if paper.type == FORFEIT]
    if len(forfeits) > 1:
        one, two = forfeits[:2]
        why = (
            f"the referee has signed two different forfeits: {one.document.name} (message {one.seq}, "
            f"{one.text('side')}, declared {one.text('declared')}) and this one (message {two.seq}, "
            f"{two.text('side')}, declared {two.text('declared')}): ask which is right"
        )
        _contradict("order", why, two)
    for forfeit in forfeits:
        _check_forfeit(chain, receipts, forfeit, over=over)
        _check_term(every, receipts[forfeit.seq], dues[forfeit.seq], forfeit)
    return Papers(receipts, forfeits[0] if forfeits else None, every, dues)


def out_of_order(receipts: Mapping[int, Paper]) -> tuple[Paper, Paper] | None:
    """Two receipts whose times go back, the one of the earlier message first; None where all are in order.

    ``receipts``: those that count, by message. A message holds the id of the one before it, so nobody can have had it
    before that was written; two that came in one mail have one time.
    """
    ordered = [receipts[seq] for seq in sorted(receipts)]
    pairs = itertools.pairwise(ordered)
    return next(((one, two) for one, two in pairs if two.text("received") < one.text("received")), None)


def told_order(before: Paper, after: Paper) -> str:
    """What is wrong about two receipts whose times go back."""
    return (
        f"by {after.document.name} the referee had message {after.seq} at {after.text('received')}, and by "
        f"{before.document.name} message {before.seq} only at {before.text('received')}: message {after.seq} could not "
        f"be written without message {before.seq}, so one of these times is wrong, perhaps by a year. Ask the referee "
        "for the right paper"
    )


def _check_forfeit(chain: Chain, receipts: Mapping[int, Paper], forfeit: Paper, *, over: bool) -> None:
    """A forfeit against the game: it is about the last message, and the side that owed the next one by that receipt."""
    last, side = chain.next_seq - 1, forfeit.text("side")
    if SUCCESSOR in forfeit.content and chain.head.get("tournament", {}).get("substitutes") != "yes":
        why = "message 0 allows no substitutes: nobody takes over a side that has fallen silent"
        _refuse("order", why, forfeit, SUCCESSOR)
    if forfeit.seq < last:
        _later_message(receipts, forfeit)
    if over:
        _contradict("order", f"the game had ended with message {last}: nobody owed another", forfeit, "seq")
    if last < binding(chain):
        why = (
            f"the game is not bound before message {binding(chain)}, and until then whoever leaves loses nothing "
            "(protocol 2.3)"
        )
        _contradict("order", why, forfeit, "seq")
    writer = chain.writer(last + 1)
    if writer == REFEREE:
        why = f"message {last + 1} is the referee's own to write: no side has missed it"
        _contradict("order", why, forfeit, "side")
    if side != writer:
        _contradict("order", f"message {last + 1} is {writer}'s to write, not {side}'s", forfeit, "side")
    if last not in receipts:
        why = (
            f"the receipt of message {last} is missing, which says when the answer was due: ask the referee for "
            f"receipt-{last:04d}.yaml, and take it first"
        )
        _refuse("chain", why, forfeit, "seq")


def _check_term(every: Iterable[Paper], counts: Paper, term: str, forfeit: Paper) -> None:
    """A forfeit against the term that it says was missed: the receipt that counts, and what extends it (X5)."""
    due, seq = forfeit.text("due"), forfeit.seq + 1
    others = {paper.text("due") for paper in every if paper.type == RECEIPT and paper.seq == forfeit.seq}
    if due > term and due not in others:
        why = (
            f"it says that message {seq} was due {due}, and by the papers here it was due {term}: an extension is "
            "missing, or the referee's papers contradict each other. Ask the referee for it, and take it first"
        )
        _refuse("chain", why, forfeit, "due")
    if due != term:
        extended = "" if term == counts.text("due") else f", with what the referee has extended it by, {term}"
        why = (
            f"it says that message {seq} was due {due}, and the receipt that counts, {counts.document.name}, says "
            f"{counts.text('due')}{extended}: the referee's papers contradict each other"
        )
        _contradict("order", why, forfeit, "due")


def _later_message(receipts: Mapping[int, Paper], forfeit: Paper) -> NoReturn:
    """A forfeit for want of a message that is here. Who is right no file can tell, unless the referee has said so."""
    seq, side, due = forfeit.seq + 1, forfeit.text("side"), forfeit.text("due")
    declared = f"the referee declares the game lost for {side}, from whom no message {seq} had come by {due}"
    if seq not in receipts:
        why = (
            f"{declared}; but message {seq} is here. By the referee's word it came too late and is not "
            "valid. If it came in time the referee must sign a receipt of it: ask for that"
        )
        _contradict("order", why, forfeit, "seq")
    received = receipts[seq].text("received")
    when = "in time" if received <= due else "late, but received"
    _contradict(
        "order",
        f"{declared}; but by {receipts[seq].document.name} the referee had message {seq} at "
        f"{received}, {when}: the referee's papers contradict each other",
        forfeit,
        "seq",
    )


def _refuse(fault: str, why: str, paper: Paper, *path: str) -> NoReturn:
    raise TrustError(fault, why, paper.where(*path))


def _contradict(fault: str, why: str, paper: Paper, *path: str) -> NoReturn:
    raise ContradictionError(fault, why, paper.where(*path))
