"""The evidence of a referee's papers alone (protocol 2.10): message 0, a receipt, a forfeit and extensions.

The papers prove no fraud and no time. They prove that the referee, whose key both sides have pinned, declared the
forfeit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from kursk_pbem.errors import KurskError, TrustError
from kursk_pbem.formats.canonical import REFEREE, shorten
from kursk_pbem.frozen import frozen
from kursk_pbem.trust import chains, referee, sshsig, terms
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import EXTENSION, FORFEIT, RECEIPT, Paper


@frozen
class Declared:
    """A forfeit: ``side`` owed the message after ``seq`` and lost; with the times and the key of the referee's papers.

    ``notes``: sentences on other facts in the files.
    """

    game: str
    side: str
    seq: int
    received: str
    due: str
    declared: str
    key: str
    notes: tuple[str, ...] = ()


def declared(papers: Iterable[Paper], messages: Sequence[Message]) -> tuple[list[Declared], list[str]]:
    """Return the forfeits that a referee has declared, and the reasons why other papers have no effect."""
    games: dict[str, list[Paper]] = {}
    for paper in papers:
        games.setdefault(paper.text("game"), []).append(paper)
    lost: list[Declared] = []
    reasons: list[str] = []
    for game, members in sorted(games.items()):
        first = find_first(message for message in messages if message.id == game)
        if first is None:
            reasons.append(f"game {game[:16]}: message 0 is missing; give message 0, with the referee's key")
            continue
        head = chains.start_chain(first)
        good = _select_valid(head, members, reasons)
        outcome = _judge_forfeit(head, good, messages, reasons)
        lost += [outcome] if outcome is not None else []
    return lost, reasons


def find_first(messages: Iterable[Message]) -> Message | None:
    """Return the first valid message 0, if there is one; damaged copies are ignored."""
    for message in messages:
        with suppress(KurskError):
            if message.seq == 0:
                chains.start_chain(message)
                return message
    return None


def _select_valid(head: Chain, papers: Sequence[Paper], reasons: list[str]) -> list[Paper]:
    """Return the papers that the referee signed and that are consistent, without copies, in order of time."""
    good: dict[str, Paper] = {}
    for paper in papers:
        if REFEREE not in head.keys:
            reasons.append(f"{paper.document.name}: message 0 of the game names no referee")
            continue
        try:
            sshsig.verify(head.keys[REFEREE], sshsig.NAMESPACE, paper.signed, paper.armour)
            referee.check_paper_alone(paper)
        except TrustError as error:
            reasons.append(f"{paper.document.name}: {error.message}")
            continue
        good[paper.id] = paper
    return sorted(good.values(), key=lambda paper: (paper.seq, paper.text("due"), paper.id))


def _judge_forfeit(
    head: Chain, papers: Sequence[Paper], messages: Sequence[Message], reasons: list[str]
) -> Declared | None:
    forfeits = [paper for paper in papers if paper.type == FORFEIT]
    receipts = [paper for paper in papers if paper.type == RECEIPT]
    for seq in sorted({paper.seq for paper in receipts}):
        ids = sorted({paper.text("id") for paper in receipts if paper.seq == seq})
        if len(ids) > 1:
            two = " and ".join(shorten(ids[0], ids[1]))
            reasons.append(
                f"the referee has signed receipts of {len(ids)} different messages {seq} ({two}): message {seq} was "
                "signed twice, and the message of the longer line counts"
            )
        reasons += filter(None, [terms.describe_receipts(receipts, seq)])
    reasons += [
        f"the referee has extended a term in two ways, and both count: {one.document.name} until {one.text('due')} "
        f"({one.text('cause')}), {two.document.name} until {two.text('due')} ({two.text('cause')})"
        for one, two in terms.find_rivals(papers)
    ]
    if len(forfeits) > 1:
        names = ", ".join(paper.document.name for paper in forfeits)
        reasons.append(f"no forfeit counts, because the referee has signed different forfeits: {names}")
    if len(forfeits) != 1:
        return None
    [forfeit] = forfeits
    why, receipt = _find_term(head, forfeit, receipts, [paper for paper in papers if paper.type == EXTENSION])
    if receipt is None:
        reasons.append(f"{forfeit.document.name}: {why}")
        return None
    return Declared(
        head.game,
        forfeit.text("side"),
        forfeit.seq,
        receipt.text("received"),
        forfeit.text("due"),
        forfeit.text("declared"),
        sshsig.fingerprint(head.keys[REFEREE]),
        tuple(filter(None, (terms.describe_receipts(receipts, forfeit.seq), *_make_notes(head, forfeit, messages)))),
    )


def _find_term(
    head: Chain, forfeit: Paper, receipts: Sequence[Paper], extensions: Sequence[Paper]
) -> tuple[str, Paper | None]:
    """Return the receipt that set the term of a forfeit, or '' and why the forfeit decides nothing."""
    seq, side, due = forfeit.seq, forfeit.text("side"), forfeit.text("due")
    if seq < referee.binding_seq(head):
        return f"the game is not bound before message {referee.binding_seq(head)}: no side can lose before", None
    if head.head["dice-from"] == "players" and side != head.writer(seq + 1):
        return f"message {seq + 1} was {head.writer(seq + 1)}'s to write, not {side}'s", None
    later = [paper for paper in receipts if paper.seq > seq]
    if later:
        had = f"the referee had message {later[0].seq} at {later[0].text('received')}"
        return f"the referee's papers contradict each other: by {later[0].document.name} {had}", None
    mine = [paper for paper in receipts if paper.seq == seq and paper.text("id") == forfeit.text("id")]
    if not mine:
        return f"the receipt of message {seq}, with the term, is missing", None
    if (pair := _find_wrong_order(receipts)) is not None:
        return f"the referee's papers contradict each other: {referee.describe_wrong_order(*pair)}", None
    about = [*mine, *(paper for paper in extensions if paper.seq == seq and paper.text("id") == forfeit.text("id"))]
    try:
        terms.check_extensions(about)
    except TrustError as error:
        return f"the referee's papers contradict each other: {error.message}", None
    last = max(about, key=lambda paper: (paper.text("due"), paper.id))
    if due < (term := last.text("due")):
        return f"the referee's papers contradict each other: {last.document.name} gives time until {term}", None
    if due > term:
        return f"the receipt or extension with time until {due} is missing", None
    return "", min(mine, key=lambda receipt: (receipt.text("received"), receipt.text("due")))


def _find_wrong_order(receipts: Sequence[Paper]) -> tuple[Paper, Paper] | None:
    """Return two receipts whose times run backwards, or ``None``. The earliest receipt of a message counts."""
    by_time = sorted(receipts, key=lambda receipt: receipt.text("received"), reverse=True)
    return referee.find_wrong_order({paper.seq: paper for paper in by_time})


def _make_notes(head: Chain, forfeit: Paper, messages: Sequence[Message]) -> list[str]:
    """Return notes on the presence of the named message and of the missing message."""
    notes = []
    for message in {message.id: message for message in messages if message.content.get("game") == head.game}.values():
        if not message.is_signed_by(head.keys.get(message.sender, "")):
            continue
        if message.id == forfeit.text("id"):
            notes.append(f"message {message.seq} is here, signed by {message.sender}")
        if message.content.get("prev") == forfeit.text("id"):
            notes.append(
                f"message {message.seq} of {message.sender} is here too: only the referee can say if the "
                "message came in time"
            )
    return sorted(notes)
