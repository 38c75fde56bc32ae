"""Finds the turn in what a mail program saves: a quoted body, an .eml, an mbox (docs/formats.md 4.1).

A turn begins at a line ``kursk-pbem: '1'`` and ends at the END line of its signature, or below that with the indented
``state:``. We look for these lines themselves, in the file and in whatever base64, quoted-printable and UTF-16 in it
say, and never build the tree of a mail: so no nesting, header or number of mails costs more than its length. Nothing
is executed, fetched or followed, and nothing is written.

It may be lenient, because nothing here is believed. A repaired copy is taken only if its signature then fits it, by the
key that the signature itself names; whether that is the player's key is the chain's to say, of whatever comes out here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NoReturn

from kursk_pbem.errors import FileError, SeveralError, TrustError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES, Plain, sha256_hex, state_hash
from kursk_pbem.formats.precheck import accepts
from kursk_pbem.trust import mailrepair, messages, papers, sshsig
from kursk_pbem.trust import slip as slips
from kursk_pbem.trust.allowance import MAX_GOOD, MAX_READ, Allowance, cost
from kursk_pbem.trust.mailtext import MAX_MAIL, MAX_REGION, NOT_BASE64, TOO_LONG, Region, regions

SHOWN = 12
"""Turns that a refusal lists."""

_SIGNING = re.compile(rb"^[ \t>|]*(commit|mix|nonce|state-in|state-out):", re.MULTILINE)
"""Fields that signing writes."""
_FIELD = re.compile(rb"^[ \t>|]*(game|nonce|seq|from|type):[ \t]*['\"]?([A-Za-z0-9]{1,64})", re.MULTILINE)
_HEAD = 2048
_BEGIN = sshsig.BEGIN.encode("ascii")
_CHANGED, _BARE, _SIGNED = 1, 2, 3
"""What a copy is worth by the position below it: another than was signed, none, the one that was."""
_LOOKS = 4
"""Copies of one signature that are looked at for its position; a thread may quote a turn a hundred times."""
_MOST_PAD = 4096
"""Blank lines in front of a turn: it is kept with them, and one mail may hold a thousand turns (T49)."""


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
    """One turn as a mail holds it: what it says of itself, and its copies. ``paper``: a paper or slip, its type."""

    game: str
    seq: str
    sender: str
    paper: str
    copies: list[tuple[Region, bytes]] = field(default_factory=list)

    def __str__(self) -> str:
        game = f" of game {self.game[:16]}" if self.game else ""
        if self.paper in slips.FIELDS:
            return f"a {self.paper} ({self.copies[0][0].place})"
        about = f"{self.paper} about " if self.paper else ""
        return f"{about}message {self.seq or '?'} of {self.sender or '?'}{game} ({self.copies[0][0].place})"


@dataclass(frozen=True)
class _Reading:
    """A copy as read: the region it comes from, its bytes, its id; no id where the signature does not fit.

    ``exact``: its lines are those of the region. ``paper``: whether it is a referee's paper, None if nobody knows.
    """

    region: Region
    raw: bytes
    id: str = ""
    exact: bool = True
    paper: bool | None = None


def extract(raw: bytes, name: str) -> list[bytes]:
    """Every signed turn in ``raw``, in order, as the bytes of a turn file; copies of one turn count once.

    ``name`` is what error messages call the file. Raises FileError for what cannot be looked through.
    """
    allowance = Allowance(name, 2 * MAX_READ, MAX_GOOD)
    return [reading.raw for letter in _letters(_complete(raw, name)) for reading in _settle(letter, allowance)]


def pick(raw: bytes, name: str, seq: int | None = None) -> Turn | None:
    """The one turn in ``raw``, or the one with the number ``seq``; None if no turn begins in it.

    SeveralError where several different ones are there, listed; FileError where none is signed or whole, or where there
    is too much.
    """
    stretches = regions(raw, name)
    letters = _letters(region for region in stretches if region.complete)
    if not letters:
        if stretches:
            _refuse_unfinished(stretches[0], name)
        return None
    if any(letter.paper not in slips.FIELDS for letter in letters):  # a slip may travel with any turn
        letters = [letter for letter in letters if letter.paper not in slips.FIELDS]
    listed = ", ".join(map(str, letters[:SHOWN])) + (", and more" if len(letters) > SHOWN else "")
    if seq is not None:
        letters = [letter for letter in letters if letter.seq == str(seq)]
    if not letters:
        raise FileError(f"no message {seq} is in it; it holds {listed}", Where(name))
    if len(letters) > 1:
        how = "save the right mail by itself" if seq is not None else "choose one with --seq N"
        raise SeveralError(f"it holds different turns: {listed}; {how}", Where(name))
    readings = _settle(letters[0], Allowance(name, MAX_READ, MAX_READ))
    if len(readings) > 1:
        places = ", ".join(reading.region.place for reading in readings)
        why = (
            f"it holds message {letters[0].seq} in different versions ({places}), each with a signature of its own; "
            "save the right one by itself"
        )
        raise FileError(why, Where(name))
    return _named(readings[0], name)


@dataclass(frozen=True)
class Survey:
    """All that a mail holds: the turns, papers and slips that can be read, and why others that begin in it cannot."""

    turns: tuple[messages.Message | papers.Paper | slips.Slip, ...]
    faults: tuple[FileError, ...]


def survey(raw: bytes, name: str, allowance: Allowance | None = None) -> Survey:
    """Everything in ``raw``, in order; a copy that was cut off counts as a fault only where there is nothing else.

    FileError where there is too much of it: for its length, or for the ``allowance`` that is left for it.
    """
    there = regions(raw, name)
    allowance = allowance or Allowance(name, 2 * MAX_READ, MAX_GOOD)
    turns, faults = [], []
    for letter in _letters(region for region in there if region.complete):
        for reading in _settle(letter, allowance):
            try:
                turn = _named(reading, name)
                turns.append(read(turn.raw, turn.name, paper=reading.paper))
            except FileError as error:
                faults.append(error)
    if there and not turns and not faults:
        try:
            _refuse_unfinished(there[0], name)
        except FileError as error:
            faults.append(error)
    return Survey(tuple(turns), tuple(faults))


def _named(reading: _Reading, name: str) -> Turn:
    region = reading.region
    if len(reading.raw) > MAX_BYTES:
        raise FileError(TOO_LONG, Where(name, region.line))
    if not reading.id and not _is_signature(region.text()):
        why = "the signature of the turn that begins here is damaged; ask for it again, if need be as an attachment"
        raise FileError(why, Where(name, region.line))
    pad = region.line - 1
    if region.exact and reading.exact and pad <= _MOST_PAD and pad + len(reading.raw) <= MAX_BYTES:
        return Turn(b"\n" * pad + reading.raw, name, bool(reading.id))
    place = f"{name} (turn {'in' if region.packed else 'at'} {region.place})"
    return Turn(reading.raw, place, bool(reading.id))


def _is_signature(text: bytes) -> bool:
    """Whether the last thing between BEGIN and END is at least a signature, be it the right one or not."""
    return text[text.rfind(_BEGIN) + len(_BEGIN) :].translate(None, NOT_BASE64).startswith(b"U1NIU0lH")  # SSHSIG


def _refuse_unfinished(region: Region, name: str) -> NoReturn:
    place = Where(name, region.line)
    if region.size >= MAX_REGION:
        why = (
            f"the turn that begins here does not end within the {MAX_BYTES} bytes that a turn may have: it is not "
            "signed, or says too much. Ask for the file that 'kursk sign' wrote, if need be as an attachment"
        )
        raise FileError(why, place)
    if _BEGIN in region.text():
        why = (
            "the turn that begins here is cut off: the end of its signature is missing, or other text stands in it. "
            "Ask for it again, if need be as an attachment"
        )
        raise FileError(why, place)
    if was_signed(region.text()):
        why = (
            "the turn that begins here is cut off: no signature stands at its end. Ask for it again, if need be as "
            "an attachment"
        )
        raise FileError(why, place)
    why = (
        "the turn that begins here is not signed: a draft has been mailed, or only a part of the turn. Ask for the "
        "file that 'kursk sign' wrote"
    )
    raise FileError(why, place)


def was_signed(text: bytes) -> bool:
    """Whether a turn holds a field that signing writes and no draft has: without a signature, its end is missing."""
    return _SIGNING.search(text) is not None


def _complete(raw: bytes, name: str) -> list[Region]:
    return [region for region in regions(raw, name) if region.complete]


def _letters(stretches: Iterator[Region] | list[Region]) -> list[_Letter]:
    """Copies put together: those with one signature, and those that say to be one message of one side.

    Proposals name no game: they are told apart by their nonce, since a director's mailbox holds many of one side.
    """
    result: list[_Letter] = []
    by_claim: dict[tuple[str, ...], _Letter] = {}
    by_armour: dict[bytes, _Letter] = {}
    for region in stretches:
        text = region.text()
        said: dict[str, str] = {}
        for match in _FIELD.finditer(text[:_HEAD]):
            said.setdefault(match[1].decode("ascii"), match[2].decode("ascii"))
        kind = said.get("type", "")
        paper = kind if kind in papers.FIELDS or kind in slips.FIELDS else ""
        claim = said.get("game", ""), said.get("seq", ""), said.get("from", ""), paper
        armour = text[text.rfind(_BEGIN) + len(_BEGIN) :].translate(None, NOT_BASE64)
        told = (*claim, "" if claim[0] else said.get("nonce", ""))
        letter = by_armour.get(armour) or by_claim.get(told)
        if letter is None:
            letter = _Letter(*claim)
            result.append(letter)
            by_claim[told] = letter
        by_armour.setdefault(armour, letter)
        letter.copies.append((region, armour))
    return result


def _settle(letter: _Letter, allowance: Allowance) -> list[_Reading]:
    """The different messages that a letter's copies say and whose signatures fit; if none fits, one copy as it is.

    Of the first few copies with one signature the one counts whose position is what was signed: a quotation that was
    trimmed may stand above the whole turn.
    """
    fitting: dict[str, tuple[int, _Reading]] = {}
    looks = Counter[bytes]()
    ids: dict[bytes, str] = {}
    is_paper: dict[bytes, bool] = {}
    first: _Reading | None = None
    readable: _Reading | None = None
    for region, armour in letter.copies:
        if looks[armour] >= _LOOKS or len(fitting) >= SHOWN:
            continue
        signed = mailrepair.unquoted(region, region.text())
        for repair, exact in mailrepair.REPAIRS:
            raw = repair(signed)
            allowance.take(spent := cost(raw))
            first = first or _Reading(region, raw, exact=exact)
            if raw not in ids:
                data = _read(raw)
                ids[raw] = _fitting(data) if data else ""
                is_paper[raw] = data.get("type") in tuple(papers.FIELDS)  # it may be a list
                if data and not ids[raw]:
                    readable = readable or _Reading(region, raw, exact=exact)
            if not (id_ := ids[raw]):
                continue
            below = mailrepair.position(region, allowance)
            worth, whole = _whole(raw, repair(below) if below else b"", id_, allowance, paper=is_paper[raw])
            if worth:
                allowance.fits(spent)
            else:  # signed or not, it is no turn
                ids[raw] = ""
            looks[armour] += _LOOKS if worth == _SIGNED else 1
            if worth > (fitting[id_][0] if id_ in fitting else 0):
                fitting[id_] = worth, _Reading(region, whole, id_, exact, is_paper[raw])
            if worth:
                break
    if first is None:
        raise AssertionError("a letter without a copy")
    return [reading for _rank, reading in fitting.values()] or [readable or first]


def _read(raw: bytes) -> dict[str, Plain]:
    """What a copy says, if it is signed at all; nothing if it cannot be read, or has not the form of what it is.

    Why is not put into words here: that costs more than all the rest, for a stranger signs what they like (T27).
    """
    try:
        data = strictyaml.read(raw, "").data
    except FileError:
        return {}
    kind = data.get("type")
    form = "slip" if kind in tuple(slips.FIELDS) else "paper" if kind in tuple(papers.FIELDS) else "message"
    return data if isinstance(data.get("signature"), str) and accepts(data, form) else {}


def _fitting(data: dict[str, Plain]) -> str:
    """The id of a copy whose own signature fits it, whoever made that; '' of any other."""
    armour = str(data["signature"])
    signed = messages.signed_bytes({name: value for name, value in data.items() if name not in ("signature", "state")})
    try:
        # the key is part of what a signature says: after the magic, the version and the lengths and name of its kind
        key = sshsig.public_text(sshsig.dearmour(armour)[33:65])
        sshsig.verify(key, sshsig.NAMESPACE, signed, armour)
    except TrustError:
        return ""
    return sha256_hex(signed)


def read(raw: bytes, name: str, *, paper: bool | None = None) -> messages.Message | papers.Paper | slips.Slip:
    """What a turn that was found says: a message, a referee's paper, or a slip. FileError.

    ``paper``: whether it is a referee's, where that is known; otherwise the whole is read to find out.
    """
    if slips.is_slip(raw):
        return slips.read(raw, name)
    paper = papers.is_paper(raw) if paper is None else paper
    return papers.read(raw, name) if paper else messages.read(raw, name)


def _whole(raw: bytes, position: bytes, id_: str, allowance: Allowance, *, paper: bool) -> tuple[int, bytes]:
    """A copy that fits, with the position below it where that can be read, and its worth; 0 if it cannot be taken.

    Then the reader will say why, of the copy that is left.
    """
    for copy in (raw + position, raw) if position else (raw,):
        allowance.take_good(cost(copy))
        try:
            turn = read(copy, "", paper=paper)
        except FileError:
            allowance.take_good(cost(copy) - cost(b""))  # why was put into words: that costs as much again
            continue
        if turn.id == id_:
            return _worth(turn), copy
    return 0, b""


def _worth(turn: messages.Message | papers.Paper | slips.Slip) -> int:
    """How good a copy is: with the position that was signed, or none to have; without one; with another one."""
    if not isinstance(turn, messages.Message):
        return _SIGNED
    if turn.state is None:
        return _BARE
    with suppress(ValueError):
        return _SIGNED if state_hash(turn.state) == turn.content.get("state-out") else _CHANGED
    return _CHANGED


__all__ = ["MAX_MAIL", "Survey", "Turn", "extract", "pick", "read", "survey"]
