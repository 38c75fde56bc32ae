"""The effect of a referee's papers on a game (protocol 2.10): valid receipts, and forfeits.

The referee alone attests the contents, above all times. This module checks the referee's signature, the game's
messages, and contradictions between papers. A contradiction is an error; the module never chooses between papers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import NoReturn

from kursk_pbem.formats.canonical import REFEREE, shorten
from kursk_pbem.frozen import frozen
from kursk_pbem.trust import terms
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.checks import refuse
from kursk_pbem.trust.papers import EXTENSION, FORFEIT, RECEIPT, Paper
from kursk_pbem.trust.terms import ContradictionError


@frozen
class Papers:
    """The papers of a referee about one game, after their checks.

    ``receipts``: message number -> its valid receipt. ``forfeit``: the forfeit that ended the game, or None. ``all``:
    every paper, also invalid ones. ``terms``: message number -> the deadline for its answer.
    """

    receipts: Mapping[int, Paper] = field(default_factory=lambda: MappingProxyType({}))
    forfeit: Paper | None = None
    all: tuple[Paper, ...] = ()
    terms: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))

    def due(self, last: int) -> str:
        """Return the deadline of the answer to message ``last``, with extensions, or '' if unknown."""
        return self.terms.get(last, "")

    def extensions(self, seq: int) -> list[Paper]:
        """Return the extensions of the deadline to answer message ``seq``, the earliest deadline first."""
        about = (paper for paper in self.all if paper.type == EXTENSION and paper.seq == seq)
        return sorted(about, key=lambda paper: (paper.text("due"), paper.id))

    def describe_receipts(self, seq: int) -> str:
        """Return a sentence if two receipts of message ``seq`` set different deadlines, otherwise ''."""
        return terms.describe_receipts(self.all, seq)


NONE = Papers()


def binding_seq(chain: Chain) -> int:
    """Return the number of the message that binds both players (protocol 2.3). Before it, silence loses no game.

    A successor game binds the players from the first message, because both agreed to the game in the earlier game.
    """
    if "continues" in chain.head:
        return 0
    return chain.bound


def check_paper(chain: Chain, paper: Paper) -> None:
    """Check that a paper belongs to the game, has the referee's signature, and is about a message of the game.

    Raises TrustError for the first failure, and ContradictionError if the paper is about a void message.
    """
    if paper.text("game") != chain.game:
        why = f"the paper is about another game ({paper.text('game')[:16]}, here is {chain.game[:16]}); find its folder"
        refuse("chain", why, paper, "game")
    if REFEREE not in chain.keys:
        refuse("sender", "message 0 of this game names no referee, so no paper of a referee counts", paper, "from")
    _check_sender(paper)
    paper.check_signature(chain.keys[REFEREE])
    if paper.seq >= chain.next_seq:
        why = (
            f"the paper is about message {paper.seq}, but the last one here is message {chain.next_seq - 1}: search "
            "your mail for the missing messages, or ask the sender for copies"
        )
        refuse("chain", why, paper, "seq")
    if is_about_void(chain, paper):
        there, here = shorten(paper.text("id"), chain.ids[paper.seq], 32)
        why = f"the referee had another message {paper.seq} ({there}) than the message that counts here ({here})"
        _contradict("chain", why, paper, "id")
    check_paper_alone(paper)


def is_signed(chain: Chain, paper: Paper) -> bool:
    """Return whether the referee of a game has signed a paper."""
    return paper.sender == REFEREE and paper.is_signed_by(chain.keys.get(REFEREE, ""))


def is_about_void(chain: Chain, paper: Paper) -> bool:
    """Return whether a paper is about a void message: another message with its number counts (protocol 2.6)."""
    return paper.seq < chain.next_seq and paper.text("id") != chain.ids[paper.seq]


def check_paper_alone(paper: Paper) -> None:
    """Check a paper's sender, and that the paper's times fit together. Raises TrustError."""
    _check_sender(paper)
    if paper.type == RECEIPT and paper.text("due") < paper.text("received"):
        refuse("order", "due is before received", paper, "due")
    if paper.type == EXTENSION and paper.text("due") <= paper.text("declared"):
        refuse("order", "due is not after declared: no time is given", paper, "due")
    if paper.type == FORFEIT and paper.text("declared") <= paper.text("due"):
        refuse("order", "it was declared before the answer was overdue: declared must be after due", paper, "declared")


def _check_sender(paper: Paper) -> None:
    if paper.sender != REFEREE:
        refuse("sender", f"a {paper.type} is the referee's to sign, not {paper.sender}'s", paper, "from")


def weigh_papers(chain: Chain, papers: Iterable[Paper], *, over: bool, known: Papers = NONE) -> Papers:
    """Check all papers of a game together, and return their effect. ``over``: whether a message ended the game.

    ``known``: papers checked earlier with this chain or a part of it: they are not checked again. Raises TrustError
    like :func:`check_paper`, and ContradictionError if a paper contradicts the game or another paper.
    """
    fresh = {paper.id: paper for paper in papers}
    for paper in fresh.values():
        check_paper(chain, paper)
    every = tuple(({paper.id: paper for paper in known.all} | fresh).values())
    receipts: dict[int, Paper] = {}
    for paper in sorted(
        (paper for paper in every if paper.type == RECEIPT),
        key=lambda receipt: (receipt.text("received"), receipt.text("due"), receipt.id),
    ):
        receipts.setdefault(paper.seq, paper)  # the earliest receipt tells the arrival
    if (pair := find_wrong_order(receipts)) is not None:
        before, after = pair
        _contradict("order", describe_wrong_order(before, after), before if before.id in fresh else after, "received")
    terms.check_extensions(every)
    dues = terms.find_deadlines(every)
    forfeits = [paper for paper in every if paper.type == FORFEIT]
    if len(forfeits) > 1:
        one, two = forfeits[:2]
        why = (
            f"the referee has signed two different forfeits: {one.document.name} (message {one.seq}, "
            f"{one.text('side')}, declared {one.text('declared')}) and this one (message {two.seq}, "
            f"{two.text('side')}, declared {two.text('declared')}): ask the referee for the right paper"
        )
        _contradict("order", why, two)
    for forfeit in forfeits:
        _check_forfeit(chain, receipts, forfeit, over=over)
        _check_term(every, dues[forfeit.seq], forfeit)
    return Papers(receipts, forfeits[0] if forfeits else None, every, dues)


def find_wrong_order(receipts: Mapping[int, Paper]) -> tuple[Paper, Paper] | None:
    """Return two receipts with times in the wrong order, the earlier message's receipt first, or None.

    ``receipts``: valid receipts by message number. A message contains the id of the message before, so the referee
    cannot have received the later message first. Two messages in a mail have equal times.
    """
    ordered = [receipts[seq] for seq in sorted(receipts)]
    pairs = itertools.pairwise(ordered)
    return next(((one, two) for one, two in pairs if two.text("received") < one.text("received")), None)


def describe_wrong_order(before: Paper, after: Paper) -> str:
    """Return the error message about two receipts if the later message has the earlier time."""
    return (
        f"by {after.document.name} the referee had message {after.seq} at {after.text('received')}, and by "
        f"{before.document.name} message {before.seq} only at {before.text('received')}: message {after.seq} needs "
        f"message {before.seq}, so one of these times is wrong, perhaps by a year. Ask the referee "
        "for the right paper"
    )


def _check_forfeit(chain: Chain, receipts: Mapping[int, Paper], forfeit: Paper, *, over: bool) -> None:
    """Check a forfeit against the game: about the last message, and against the side due to answer."""
    last, side = chain.next_seq - 1, forfeit.text("side")
    if forfeit.seq < last:
        _refuse_later_message(receipts, forfeit)
    if over:
        _contradict("order", f"the game had ended with message {last}: no message was due", forfeit, "seq")
    if last < binding_seq(chain):
        why = (
            f"the game is not bound before message {binding_seq(chain)}; before, a player can leave without "
            "a loss (protocol 2.3)"
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
        refuse("chain", why, forfeit, "seq")


def _check_term(every: Iterable[Paper], term: str, forfeit: Paper) -> None:
    """Check a forfeit against the missed deadline: the latest of the receipts and their extensions (X5)."""
    due, seq = forfeit.text("due"), forfeit.seq + 1
    if due > term:
        why = (
            f"the forfeit says that message {seq} was due {due}, but the papers here say {term}: a receipt or an "
            "extension is missing. Take the missing paper first"
        )
        refuse("chain", why, forfeit, "due")
    if due != term:
        about = (paper for paper in every if paper.seq == forfeit.seq and paper.type != FORFEIT)
        signed = next(paper.document.name for paper in about if paper.text("due") == term)
        why = (
            f"the forfeit says that message {seq} was due {due}, but {signed} says {term}, and the latest time counts: "
            "the referee's papers contradict each other"
        )
        _contradict("order", why, forfeit, "due")


def _refuse_later_message(receipts: Mapping[int, Paper], forfeit: Paper) -> NoReturn:
    """Refuse a forfeit for lack of a message, if the message is here.

    Only the referee's receipt decides who is right.
    """
    seq, side, due = forfeit.seq + 1, forfeit.text("side"), forfeit.text("due")
    declared = f"the referee declares the game lost for {side}, because message {seq} was missing at {due}"
    if seq not in receipts:
        why = (
            f"{declared}; but message {seq} is here. By the referee's word it came too late and is not "
            "valid. If the message came in time, ask the referee for a receipt"
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


def _contradict(fault: str, why: str, paper: Paper, *path: str) -> NoReturn:
    raise ContradictionError(fault, why, paper.where(*path))
