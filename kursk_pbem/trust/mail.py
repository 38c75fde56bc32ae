"""Finds the turn in what a mail program saves: a quoted body, an .eml, an mbox, text before and after (protocol §4.6).

A turn begins at a line ``kursk-pbem: '1'`` and ends at the END line of its signature, or below that with the indented
``state:``. We look for these lines themselves, in the file and in whatever base64, quoted-printable and UTF-16 in it
say, and never build the tree of a mail: so no nesting, header or number of mails costs more than its length. Nothing
is executed, fetched or followed, and nothing is written.

It may be lenient, because nothing here is believed. A repaired copy is taken only if its signature then fits it, by the
key that the signature itself names; whether that is the player's key is the chain's to say, of whatever comes out here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from kursk_pbem.errors import FileError, TrustError, Where
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.trust import message as messages
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.mailtext import MAX_MAIL, NOT_BASE64, Region, regions

MAX_READ = 4 * MAX_BYTES
"""What may be spent on the copies of one turn beside the first, to find one whose signature fits."""

MAX_ALL = 32 * MAX_BYTES
"""The same where all turns of a file are wanted, for all their copies."""

LOOKED_AT = 4
"""What a copy costs, for each of its bytes."""

TRIED = 8 * 1024
"""What each attempt to read it costs besides, if it fails."""

SHOWN = 12
"""Turns that a refusal lists."""

_STATE = re.compile(rb"state:[ \t]*(?:#.*)?\Z")
_ESCAPED_FROM = re.compile(rb"\A>+From ")
_FIELD = re.compile(rb"^[ \t>|]*(game|seq|from):[ \t]*['\"]?([A-Za-z0-9]{1,64})", re.MULTILINE)
_VARIANTS = 8
_HEAD = 4096
_MAX_EMPTY = 1000
_BEGIN = sshsig.BEGIN.encode("ascii")


@dataclass(frozen=True)
class Turn:
    """A turn found: ``raw``, the bytes of a turn file, and what to call it in messages about it.

    Where lines can be kept apart, blank lines in front of ``raw`` make its lines those of the file it was found in.
    ``fits``: its signature is one over what it says, whoever made it.
    """

    raw: bytes
    name: str
    fits: bool


@dataclass
class _Letter:
    """One turn as a mail holds it: what it says of itself, and its copies."""

    game: str
    seq: str
    sender: str
    copies: list[tuple[Region, bytes]] = field(default_factory=list)

    def __str__(self) -> str:
        game = f" of game {self.game[:16]}" if self.game else ""
        return f"message {self.seq or '?'} of {self.sender or '?'}{game} ({self.copies[0][0].place})"


@dataclass(frozen=True)
class _Reading:
    """A copy as read: the region it comes from, its bytes, its id; no id where the signature does not fit.

    ``exact``: its lines are those of the region.
    """

    region: Region
    raw: bytes
    id: str = ""
    exact: bool = True


def extract(raw: bytes, name: str) -> list[bytes]:
    """Every signed turn in ``raw``, in order, as the bytes of a turn file; copies of one turn count once.

    ``name`` is what error messages call the file. Raises FileError for what cannot be looked through.
    """
    allowance = _Allowance(name, MAX_ALL)
    return [each.raw for letter in _letters(_complete(raw, name)) for each in _settle(letter, allowance)]


def pick(raw: bytes, name: str, seq: int | None = None) -> Turn | None:
    """The one turn in ``raw``, or the one with the number ``seq``; None if no turn begins in it.

    FileError where several different ones are there, listed; where none is signed or whole; where there is too much.
    """
    found = regions(raw, name)
    letters = _letters(each for each in found if each.complete)
    if not letters:
        if found:
            _refuse_unfinished(found[0], name)
        return None
    listed = ", ".join(map(str, letters[:SHOWN])) + (", and more" if len(letters) > SHOWN else "")
    if seq is not None:
        letters = [each for each in letters if each.seq == str(seq)]
    if not letters:
        raise FileError(f"no message {seq} is in it; it holds {listed}", Where(name))
    if len(letters) > 1:
        how = "save the right mail by itself" if seq is not None else "choose one with --seq N"
        raise FileError(f"it holds different turns: {listed}; {how}", Where(name))
    first = LOOKED_AT * letters[0].copies[0][0].size + _VARIANTS * TRIED
    readings = _settle(letters[0], _Allowance(name, MAX_READ + first))
    if len(readings) > 1:
        places = ", ".join(each.region.place for each in readings)
        why = (f"it holds message {letters[0].seq} in different versions ({places}), each with a signature of its own; "
               "save the right one by itself")
        raise FileError(why, Where(name))
    return _named(readings[0], name)


def _named(reading: _Reading, name: str) -> Turn:
    region = reading.region
    if not reading.id and not _is_signature(region.text()):
        why = "the signature of the turn that begins here is spoilt; ask for it again, if need be as an attachment"
        raise FileError(why, Where(name, region.line))
    pad = region.line - 1
    if region.exact and reading.exact and pad + len(reading.raw) <= MAX_BYTES:
        return Turn(b"\n" * pad + reading.raw, name, bool(reading.id))
    place = f"{name} (turn {'in' if region.packed else 'at'} {region.place})"
    return Turn(reading.raw, place, bool(reading.id))


def _is_signature(text: bytes) -> bool:
    """Whether the last thing between BEGIN and END is at least a signature, be it the right one or not."""
    return text[text.rfind(_BEGIN) + len(_BEGIN) :].translate(None, NOT_BASE64).startswith(b"U1NIU0lH")  # SSHSIG


def _refuse_unfinished(region: Region, name: str) -> NoReturn:
    place = Where(name, region.line)
    if _BEGIN in region.text():
        why = ("the turn that begins here is cut off: the end of its signature is missing, or other text stands in it. "
               "Ask for it again, if need be as an attachment")
        raise FileError(why, place)
    why = ("the turn that begins here is not signed: a draft has been mailed, or only a part of the turn. Ask for the "
           "file that 'kursk sign' wrote")
    raise FileError(why, place)


def _complete(raw: bytes, name: str) -> list[Region]:
    return [each for each in regions(raw, name) if each.complete]


def _letters(found: Iterator[Region] | list[Region]) -> list[_Letter]:
    """Copies put together: those with one signature, and those that say to be one message of one side."""
    result: list[_Letter] = []
    by_claim: dict[tuple[str, str, str], _Letter] = {}
    by_armour: dict[bytes, _Letter] = {}
    for region in found:
        text = region.text()
        said: dict[str, str] = {}
        for match in _FIELD.finditer(text[:_HEAD]):
            said.setdefault(match[1].decode("ascii"), match[2].decode("ascii"))
        claim = said.get("game", ""), said.get("seq", ""), said.get("from", "")
        armour = text[text.rfind(_BEGIN) + len(_BEGIN) :].translate(None, NOT_BASE64)
        letter = by_armour.get(armour) or by_claim.get(claim)
        if letter is None:
            letter = _Letter(*claim)
            result.append(letter)
            by_claim[claim] = letter
        by_armour.setdefault(armour, letter)
        letter.copies.append((region, armour))
    return result


class _Allowance:
    """How much may still be spent."""

    def __init__(self, name: str, size: int) -> None:
        self.name = name
        self.left = size

    def take(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            why = "it holds too many damaged copies to look through; save the one mail with the turn by itself"
            raise FileError(why, Where(self.name))


def _settle(letter: _Letter, allowance: _Allowance) -> list[_Reading]:
    """The different messages that a letter's copies say and whose signatures fit; if none fits, one copy as it is."""
    fitting: dict[str, _Reading] = {}
    settled: set[bytes] = set()
    seen: set[bytes] = set()
    first: _Reading | None = None
    readable: _Reading | None = None
    for region, armour in letter.copies:
        if armour in settled or len(fitting) >= SHOWN:
            continue
        allowance.take(LOOKED_AT * region.size)
        for raw, exact in _variants(region):
            first = first or _Reading(region, raw)
            if raw in seen:
                continue
            seen.add(raw)
            try:
                message = messages.read(raw, "")
                readable = readable or _Reading(region, raw, exact=exact)
                _check(message)
            except (FileError, TrustError):
                allowance.take(TRIED)
                continue
            fitting.setdefault(message.id, _Reading(region, raw, message.id, exact=exact))
            settled.add(armour)
            break
    if first is None:
        raise AssertionError("a letter without a copy")
    return list(fitting.values()) or [readable or first]


def _check(message: messages.Message) -> None:
    """Refuse what its own signature does not fit, whoever made it."""
    armour = message.armour or ""
    # the key is part of what a signature says: after the magic, the version and the lengths and name of its kind
    key = sshsig.public_text(sshsig.dearmour(armour)[33:65])
    sshsig.verify(key, sshsig.NAMESPACE, message.signed, armour)


def _variants(region: Region) -> Iterator[tuple[bytes, bool]]:
    """What a copy may have been before the mail, and whether its lines are still those of the region.

    As it stands, without space-stuffing, without blanks at line ends and empty lines; then without the position.
    """
    signed = [_ESCAPED_FROM.sub(_one_less, each) for each in _unquoted(region, region.text())]
    position = list(_position(region))
    for lines in ([*signed, *position], signed) if position else (signed,):
        stuffed = [each.removeprefix(b" ") for each in lines]
        for each in (lines, stuffed):
            yield b"\n".join([*each, b""]), True
        for each in (lines, stuffed):
            yield b"".join(line.rstrip() + b"\n" for line in each if line), False


def _one_less(found: re.Match[bytes]) -> bytes:
    return found[0][1:]


def _unquoted(region: Region, text: bytes) -> Iterator[bytes]:
    """The lines without the marks of quotation, or the blanks, that stand before the first; others stay as they are."""
    prefix = region.prefix.replace(b"|", b">")
    depth = prefix.count(b">")
    tail = prefix[prefix.rfind(b">") + 1 :]
    marks = re.compile(rb"(?:[ \t]{0,4}[>|]){%d}" % depth)
    for line in text.split(b"\n"):
        found = marks.match(line)
        rest = line[found.end() :] if found else line
        yield rest.removeprefix(tail) if rest.strip() else b""


def _position(region: Region) -> Iterator[bytes]:
    """The lines below the signature that belong to the turn: ``state:`` and what is indented under it."""
    empty: list[bytes] = []
    inside = False
    for line in _unquoted(region, region.after().partition(b"\n")[2]):
        if not line:
            empty.append(line)
            if len(empty) > _MAX_EMPTY:
                return
            continue
        if not (line.startswith((b" ", b"\t")) if inside else _STATE.match(line)):
            return
        inside = True
        yield from empty
        yield line
        empty.clear()


__all__ = ["MAX_MAIL", "Turn", "extract", "pick"]
