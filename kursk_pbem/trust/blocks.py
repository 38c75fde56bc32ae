"""The turns, papers, cards and invitations in the texts of a mail, each from its first word to its signature.

Damaged turns are not repaired: an unreadable turn is a fault, and the receiver asks the sender for a new copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from kursk_pbem.errors import TOO_EARLY, EarlyError, FileError, NewerError, TrustError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.precheck import is_accepted
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import show
from kursk_pbem.trust import card as cards
from kursk_pbem.trust import form, invitation, mailtext, messages, papers, sofar, turns
from kursk_pbem.trust.allowance import Allowance, excess_cost, reading_cost
from kursk_pbem.trust.card import Card
from kursk_pbem.trust.decoding import Unread
from kursk_pbem.trust.invitation import Invitation
from kursk_pbem.trust.mailtext import Block
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper
from kursk_pbem.trust.turns import AGAIN, Reading

Item: TypeAlias = "Message | Paper | Card | Invitation | Document"

WORDS = 45_000
"""The cost of writing an error message about a malformed turn, in tenths of a microsecond."""
PLAYED, EVENT, INVITED = "kursk-pbem", "kursk-tournament", invitation.FIRST_WORD
"""The first words of a turn, of a tournament's paper, and of an invitation."""
_NOUNS = {PLAYED: "turn", EVENT: "paper", INVITED: "invitation"}
_KINDS: Mapping[str, strictyaml.Kind] = {PLAYED: "message", EVENT: "tournament", INVITED: "invitation"}
_CLAIM = re.compile(rb"^(game|nonce|seq|from|type):[ \t]*['\"]?([A-Za-z0-9]{1,64})", re.MULTILINE)
_CLAIMED = 2_048
"""Length of the beginning of a turn, with its game, number and sender."""
_REMAINS = re.compile(
    rb"^[^\w\n]{0,40}(?:kursk-(?:pbem|tournament|invitation):[^\w\n]{0,9}[0-9]|-----BEGIN SSH SIG)", re.MULTILINE
)
"""A sign of a turn in a text without a readable turn: its first word, or its signature."""


_Faults: TypeAlias = "list[tuple[Block, tuple[str, ...], FileError]]"


@dataclass
class _Found:
    """The intact items, without copies, and the faults of the other blocks with the claims of these blocks."""

    items: dict[tuple[str, str], Item] = field(default_factory=dict)
    faults: _Faults = field(default_factory=list)


def read_mail(raw: bytes, name: str, allowance: Allowance, *, check: bool) -> tuple[Reading, bool]:
    """Return a mail's turns and papers, and whether a turn is cut off. Raises FileError if the mail is too large.

    A damaged copy of a turn is ignored if the mail also contains an undamaged copy.
    """
    opened = mailtext.open_mail(raw, name)
    proofs = [part for part in opened.parts if turns.EARLY_PROOF.search(part.text)]
    opened.parts = [part for part in opened.parts if part not in proofs]
    found = _read_blocks(mailtext.find_blocks(opened, name), name, allowance, check=check)
    items = tuple(found.items.values())
    signed = [item for item in items if not isinstance(item, Document)]
    whole = {_parse_claim(item.document.raw) for item in signed}
    whole |= {("", "", "", "")} if signed else set()  # a damaged copy, perhaps in HTML
    left = [each for each in found.faults if each[0].first == EVENT or each[1] not in whole]
    of_game = {fault.message: type(fault) for block, _claim, fault in left if block.first != EVENT}
    claims = [*_list_claims(left)]
    of_game |= {f"the proof {TOO_EARLY}": EarlyError} if proofs else {}
    if not (items or left) and (why := _explain_remains(part.text for part in opened.parts)):
        of_game[f"the turn {why}: {AGAIN}"] = FileError
        claims.append(("", "", False))
    of_event = {fault.message: type(fault) for block, _claim, fault in left if block.first == EVENT}
    reading = Reading(
        name,
        tuple(item for item in items if isinstance(item, (Message, Paper))),
        tuple(item for item in items if isinstance(item, Card)),
        tuple(item for item in items if isinstance(item, Invitation)),
        tuple(item for item in items if isinstance(item, Document)),
        tuple(fault(why, Where(name)) for why, fault in of_game.items()),
        tuple(fault(why, Where(name)) for why, fault in of_event.items()),
        (*opened.unread, *(Unread(part.place, kind) for part in opened.parts if (kind := turns.name_text(part.text)))),
        claims=tuple(claims),
    )
    return reading, any(block.fault == mailtext.CUT and block.first != EVENT for block, _claim, _fault in left)


def _list_claims(faults: _Faults) -> Iterator[tuple[str, str, bool]]:
    """Yield game and number of each damaged turn that was signed, and whether the turn is cut off."""
    for block, (game, seq, _sender, kind), _fault in faults:
        if block.first == PLAYED and block.fault != mailtext.UNSIGNED and kind not in cards.FIELDS:
            yield game, seq, block.fault == mailtext.CUT


def _explain_remains(texts: Iterable[bytes]) -> str:
    """Return what happened to a turn that texts show only signs of, or ''."""
    remains = [match[0] for text in texts if (match := _REMAINS.search(text))]
    if any(b"kursk-" in each for each in remains):
        return "was changed on the way"
    return "lacks its first lines" if remains else ""


def _read_blocks(blocks: Iterable[Block], name: str, allowance: Allowance, *, check: bool) -> _Found:
    """Return the intact items and the faults of a mail's blocks, as far as the allowance reaches."""
    found = _Found()
    for block in blocks:
        try:
            item = _read_block(block, name, allowance, check=check)
        except FileError as error:
            found.faults.append((block, _parse_claim(block.text), error))
            if allowance.spent:
                break
        else:
            key = (item.raw.decode("latin-1"), "") if isinstance(item, Document) else (item.id, item.armour)
            found.items[key] = _join_copies(found.items.get(key), item)
    return found


def _read_block(block: Block, name: str, allowance: Allowance, *, check: bool) -> Item:
    """Return the item of a block, a turn with the position below. Raises FileError, also for an unreadable position."""
    noun, name = _NOUNS[block.first], f"{name} ({show(block.place)})" if block.place else name
    allowance.take(2 * reading_cost(block.text))
    if block.fault == mailtext.UNSIGNED and block.first == PLAYED:
        raise FileError(f"the turn is not signed ('kursk check' checks your own draft): {AGAIN}")
    if block.fault:
        raise FileError(f"the {noun} {block.fault}: {AGAIN}")
    changed = FileError(f"the {noun} was changed on the way: {AGAIN}")
    try:
        document = strictyaml.read(block.text, name, _KINDS[block.first])
    except FileError:
        raise changed from None
    allowance.take(2 * excess_cost(document))
    if block.first == EVENT:
        form.refuse_early(document)
        return document
    if check and not form.fits_its_key(document.data, block.first):
        form.refuse_later(document, block.first)
        raise changed
    if not is_accepted(document.data, "invitation" if block.first == INVITED else turns.find_schema(document)):
        allowance.take(WORDS + 2 * reading_cost(block.text))
    try:
        item = invitation.parse_invitation(document) if block.first == INVITED else turns.parse_turn(document)
    except NewerError:
        raise
    except (TrustError, FileError) as error:
        if getattr(error, "fault", "") == "signature":  # the key in the text is not the key of the signature
            raise changed from None
        why = error.message.partition("\n")[0]
        raise FileError(f"the {noun} came unchanged, but {why}: ask the writer for another {noun}") from None
    if block.state and isinstance(item, Message):
        raw = block.text + block.state
        allowance.take(reading_cost(raw))
        try:
            item = messages.read_message(raw, name)
        except FileError:
            allowance.take(reading_cost(raw))
            raise changed from None
    return replace(item, below=sofar.find_block(block.rest, allowance)) if isinstance(item, Message | Paper) else item


def _join_copies(first: Item | None, item: Item) -> Item:
    """Return the copy of a turn with the signed position, and with the game so far of either copy."""
    if isinstance(first, Message) and isinstance(item, Message):
        item = max(first, item, key=lambda one: (one.is_whole, one.state is not None))
    if isinstance(first, Message | Paper) and isinstance(item, Message | Paper):
        item = replace(item, below=first.below or item.below)
    return item


def _parse_claim(text: bytes) -> tuple[str, ...]:
    """Return the turn's claims about itself: game, number, sender, type; for a proposal, the nonce as game."""
    said = dict[bytes, bytes]()
    for match in _CLAIM.finditer(text[:_CLAIMED]):
        said.setdefault(match[1], match[2])
    game = said.get(b"game", b"") or said.get(b"nonce", b"")
    kind = said.get(b"type", b"").decode("ascii")
    paper = kind if kind in papers.FIELDS or kind in cards.FIELDS else ""
    return game.decode("ascii"), said.get(b"seq", b"").decode("ascii"), said.get(b"from", b"").decode("ascii"), paper
