"""The signed turns, papers and cards of a mail (docs/formats.md 4.1).

A mail holds a turn, or it does not. A turn is taken if its signature fits, by the key that the signature itself names;
the chain decides whether that is the right key. Nothing is repaired. What looks like a turn and cannot be read is a
fault, and its sender is asked for it again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from kursk_pbem.errors import FileError, TrustError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import Plain, state_hash
from kursk_pbem.formats.precheck import accepts
from kursk_pbem.formats.text import show
from kursk_pbem.trust import mailtext, messages, papers, sshsig
from kursk_pbem.trust import slip as slips
from kursk_pbem.trust.allowance import Allowance, beyond, cost
from kursk_pbem.trust.mailtext import Block, Opened

FIRST_WORD = "kursk-pbem"
AGAIN = "ask for it again, as an attachment"
AnyTurn: TypeAlias = "messages.Message | papers.Paper | slips.Slip"

_CLAIM = re.compile(rb"^(game|nonce|seq|from|type):[ \t]*['\"]?([A-Za-z0-9]{1,64})", re.MULTILINE)
_FILE = re.compile(rb"^[^>\n]{0,500}?(kursk-[0-9a-f]{8}-[a-z0-9-]{4,32}\.yaml)", re.MULTILINE)
_CLAIMED = 2_048
"""Bytes of a turn in which it says which one it is."""


@dataclass(frozen=True)
class Survey:
    """The turns, papers and cards of a mail, and why others that begin in it cannot be read."""

    turns: tuple[AnyTurn, ...]
    faults: tuple[FileError, ...]


def survey(raw: bytes, name: str, allowance: Allowance | None = None, opened: Opened | None = None) -> Survey:
    """Return everything in a mail, in order; copies of one turn count once. ``opened``: the mail, if already opened.

    A copy that cannot be read is no fault if the mail holds the same turn whole. FileError if there is too much in it.
    """
    allowance = allowance or Allowance.of_file(raw, name)
    opened = opened or mailtext.open_mail(raw, name)
    good, faults = dict[tuple[str, str], AnyTurn](), list[tuple[tuple[str, ...], str]]()
    for block in mailtext.find_blocks(opened, name, FIRST_WORD):
        try:
            turn = _read_block(block, name, allowance)
        except FileError as error:
            faults.append((_claim(block.text), error.message))
            if allowance.spent:
                break
        else:
            there = good.setdefault((turn.id, turn.armour or ""), turn)
            if getattr(there, "state", None) is None:
                good[turn.id, turn.armour or ""] = turn
    whole = {_claim(turn.document.raw) for turn in good.values()}
    whole |= {("", "", "", "")} if good else set()  # a remnant beside a whole turn, in a page perhaps
    words = dict.fromkeys(why for claim, why in faults if claim not in whole)
    if not good and not faults and (why := _find_trace(opened)):
        words[why] = None
    return Survey(tuple(good.values()), tuple(FileError(why, Where(name)) for why in words))


def _read_block(block: Block, name: str, allowance: Allowance) -> AnyTurn:
    """Return the turn of a block. A position that cannot be read, or is not the signed one, is left out. FileError."""
    name = f"{name} ({show(block.place)})" if block.place else name
    allowance.take(2 * cost(block.text))
    if block.fault:
        raise FileError(f"the turn in it {block.fault}: {AGAIN}")
    try:
        document = strictyaml.read(block.text, name)
    except FileError:
        raise FileError(f"the turn in it was changed on its way: {AGAIN}") from None
    allowance.take(2 * beyond(document))
    kind = document.data.get("type")
    form = "slip" if kind in tuple(slips.FIELDS) else "paper" if kind in tuple(papers.FIELDS) else "message"
    if not (isinstance(document.data.get("signature"), str) and accepts(document.data, form)):
        raise FileError(f"the turn in it was changed on its way: {AGAIN}")
    if not _fits(document.data):
        raise FileError(f"the turn in it was changed on its way, its signature does not fit: {AGAIN}")
    if block.state and form == "message":
        allowance.take(cost(block.text + block.state))
        try:
            message = messages.read(block.text + block.state, name)
            if state_hash(message.state or {}) == message.content.get("state-out"):
                return message
        except (FileError, ValueError):  # a position is no more than a copy
            allowance.take(cost(block.text + block.state))
    return read(block.text, name)


def _fits(data: Mapping[str, Plain]) -> bool:
    """Return whether a turn's signature fits, by the key in the signature."""
    armour = str(data["signature"])
    signed = messages.signed_bytes({name: value for name, value in data.items() if name not in ("signature", "state")})
    try:
        # after the magic, the version, and the lengths and name of its kind
        key = sshsig.public_text(sshsig.dearmour(armour)[33:65])
        sshsig.verify(key, sshsig.NAMESPACE, signed, armour)
    except TrustError:
        return False
    return True


def _claim(text: bytes) -> tuple[str, ...]:
    """Return which turn a text says to be: game, number, sender, type, and a proposal's nonce."""
    said = dict[bytes, bytes]()
    for match in _CLAIM.finditer(text[:_CLAIMED]):
        said.setdefault(match[1], match[2])
    game = said.get(b"game", b"") or said.get(b"nonce", b"")
    kind = said.get(b"type", b"").decode("ascii")
    paper = kind if kind in papers.FIELDS or kind in slips.FIELDS else ""
    return game.decode("ascii"), said.get(b"seq", b"").decode("ascii"), said.get(b"from", b"").decode("ascii"), paper


def _find_trace(opened: Opened) -> str:
    """Return why a mail without a turn looks like one with a turn, '' if it does not or is about a tournament."""
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


def read(raw: bytes, name: str) -> AnyTurn:
    """Read a turn file: a message, a referee's paper, or a card. FileError."""
    if slips.is_slip(raw):
        return slips.read(raw, name)
    return papers.read(raw, name) if papers.is_paper(raw) else messages.read(raw, name)
