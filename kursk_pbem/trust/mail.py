"""The signed turns, papers and cards of a mail (docs/formats.md 4.1).

A turn is accepted if its signature fits the key named in the signature. The chain checks later for the right key.
Damaged turns are not repaired: an unreadable turn is a fault, and the receiver asks the sender for a new copy.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kursk_pbem.errors import FileError, TrustError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import Plain, state_hash
from kursk_pbem.formats.precheck import is_accepted
from kursk_pbem.formats.text import show
from kursk_pbem.trust import card as cards
from kursk_pbem.trust import mailtext, messages, papers, sshsig
from kursk_pbem.trust.allowance import Allowance, excess_cost, reading_cost
from kursk_pbem.trust.mailtext import Block, Opened

FIRST_WORD = "kursk-pbem"
AGAIN = "ask for it again, as an attachment"
AnyTurn: TypeAlias = "messages.Message | papers.Paper | cards.Card"

_CLAIM = re.compile(rb"^(game|nonce|seq|from|type):[ \t]*['\"]?([A-Za-z0-9]{1,64})", re.MULTILINE)
_FILE = re.compile(rb"^[^>\n]{0,500}?(kursk-[0-9a-f]{8}-[a-z0-9-]{4,32}\.yaml)", re.MULTILINE)
_CLAIMED = 2_048
"""Length of the beginning of a turn, with its game, number and sender."""


@dataclass(frozen=True)
class Survey:
    """The turns, papers and cards of a mail, and a fault for each unreadable one."""

    turns: tuple[AnyTurn, ...]
    faults: tuple[FileError, ...]


def survey_mail(raw: bytes, name: str, allowance: Allowance | None = None, opened: Opened | None = None) -> Survey:
    """Return all turns of a mail in order, without copies. ``opened``: the mail, if already opened.

    A damaged copy is no fault if the mail contains an intact copy of the turn. Raises FileError if the mail is too
    large.
    """
    allowance = allowance or Allowance.of_file(raw, name)
    opened = opened or mailtext.open_mail(raw, name)
    good, faults = dict[tuple[str, str], AnyTurn](), list[tuple[tuple[str, ...], str]]()
    for block in mailtext.find_blocks(opened, name, FIRST_WORD):
        try:
            turn = _read_block(block, name, allowance)
        except FileError as error:
            faults.append((_parse_claim(block.text), error.message))
            if allowance.spent:
                break
        else:
            there = good.setdefault((turn.id, turn.armour or ""), turn)
            if getattr(there, "state", None) is None:
                good[turn.id, turn.armour or ""] = turn
    whole = {_parse_claim(turn.document.raw) for turn in good.values()}
    whole |= {("", "", "", "")} if good else set()  # a damaged copy, perhaps in HTML
    words = dict.fromkeys(why for claim, why in faults if claim not in whole)
    if not good and not faults and (why := _find_trace(opened)):
        words[why] = None
    return Survey(tuple(good.values()), tuple(FileError(why, Where(name)) for why in words))


def _read_block(block: Block, name: str, allowance: Allowance) -> AnyTurn:
    """Return the turn of a block, without a damaged or unsigned position. Raises FileError."""
    name = f"{name} ({show(block.place)})" if block.place else name
    allowance.take(2 * reading_cost(block.text))
    if block.fault:
        raise FileError(f"the turn in it {block.fault}: {AGAIN}")
    try:
        document = strictyaml.read(block.text, name)
    except FileError:
        raise FileError(f"the mail's turn was changed on the way: {AGAIN}") from None
    allowance.take(2 * excess_cost(document))
    kind = document.data.get("type")
    form = "slip" if kind in tuple(cards.FIELDS) else "paper" if kind in tuple(papers.FIELDS) else "message"
    if form == "message":
        messages.refuse_other(document)
    if not (isinstance(document.data.get("signature"), str) and is_accepted(document.data, form)):
        raise FileError(f"the mail's turn was changed on the way: {AGAIN}")
    if not _has_fitting_signature(document.data):
        raise FileError(f"the mail's turn was changed on the way, because the signature does not fit: {AGAIN}")
    if block.state and form == "message":
        allowance.take(reading_cost(block.text + block.state))
        try:
            message = messages.read_message(block.text + block.state, name)
            if state_hash(message.state or {}) == message.content.get("state-out"):
                return message
        except (FileError, ValueError):  # the position is only a copy
            allowance.take(reading_cost(block.text + block.state))
    return read_turn(block.text, name)


def _has_fitting_signature(data: Mapping[str, Plain]) -> bool:
    """Return whether a turn's signature fits the key in the signature."""
    armour = str(data["signature"])
    signed = messages.signed_bytes({name: value for name, value in data.items() if name not in ("signature", "state")})
    try:
        sshsig.verify(find_signer(armour), sshsig.NAMESPACE, signed, armour)
    except TrustError:
        return False
    return True


def find_signer(armour: str) -> str:
    """Return the key named in a signature. Raises TrustError."""
    # after the magic, the version, and the lengths and name of the key type
    return sshsig.public_text(sshsig.read_armour(armour)[33:65])


def _parse_claim(text: bytes) -> tuple[str, ...]:
    """Return the turn's claims about itself: game, number, sender, type; for a proposal, the nonce as game."""
    said = dict[bytes, bytes]()
    for match in _CLAIM.finditer(text[:_CLAIMED]):
        said.setdefault(match[1], match[2])
    game = said.get(b"game", b"") or said.get(b"nonce", b"")
    kind = said.get(b"type", b"").decode("ascii")
    paper = kind if kind in papers.FIELDS or kind in cards.FIELDS else ""
    return game.decode("ascii"), said.get(b"seq", b"").decode("ascii"), said.get(b"from", b"").decode("ascii"), paper


def _find_trace(opened: Opened) -> str:
    """Return why a mail without a readable turn seems to contain a turn, or ''. Mails about tournaments give ''."""
    if any(b"kursk-tournament:" in part.text for part in opened.parts):
        return ""
    for part in opened.parts:
        if b"kursk-pbem:" in part.text or b"k\0u\0r\0s\0k\0-\0p\0b\0e\0m\0:" in part.text:
            where = f"the file {show(part.place)}" if part.place else "its text"
            return f"a turn may be in {where}, and cannot be read there: {AGAIN}"
    for text in ("\n".join(opened.names).encode("utf-8", "replace"), *(part.text for part in opened.parts)):
        if b"kursk-" in text and (found := _FILE.search(text)):
            return f"the file {found[1].decode('ascii')} is not in it, or cannot be read: {AGAIN}"
    return ""


def read_turn(raw: bytes, name: str) -> AnyTurn:
    """Read a turn file: a message, a referee's paper, or a card. Raises FileError."""
    if cards.is_card(raw):
        return cards.read_card(raw, name)
    return papers.read_paper(raw, name) if papers.is_paper(raw) else messages.read_message(raw, name)
