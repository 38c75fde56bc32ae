"""The copies of one turn in a mail: which belong together, and which of them fits its signature (docs/formats.md 4.1).

It may be lenient, because nothing here is believed. A repaired copy is taken only if its signature then fits it, by the
key that the signature itself names; whether that is the player's key is the chain's to say, of whatever comes out here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import filterfalse, islice
from typing import TypeAlias

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import Plain, sha256_hex, state_hash
from kursk_pbem.formats.precheck import accepts
from kursk_pbem.trust import mailrepair, messages, papers, sshsig
from kursk_pbem.trust import slip as slips
from kursk_pbem.trust.allowance import Allowance, beyond, cost
from kursk_pbem.trust.mailbytes import NOT_BASE64
from kursk_pbem.trust.mailtext import Region

SHOWN = 12
"""Turns that a refusal lists."""

LEFT = ("left",)
"""Stands among the places for how many copies found no room at theirs."""
_FIELD = re.compile(rb"^[ \t>|]*(game|nonce|seq|from|type):[ \t]*['\"]?([A-Za-z0-9]{1,64})", re.MULTILINE)
_HEAD, _FIELDS = 2048, 32
"""Bytes of a copy, and fields in them, in which it says what it is; they stand at its beginning."""
_BEGIN = sshsig.BEGIN.encode("ascii")
AnyTurn: TypeAlias = "messages.Message | papers.Paper | slips.Slip"
MAGIC = b"U1NIU0lH"
"""How every signature begins, in base64: SSHSIG."""
_CHANGED, _BARE, _SIGNED = 1, 2, 3
"""What a copy is worth by the position below it: another than was signed, none, the one that was."""
_LOOKS = 4
"""Copies of one signature that are looked at for its position; a thread may quote a turn a hundred times."""


@dataclass
class Letter:
    """One turn as a mail holds it: what it says of itself, and its copies. ``paper``: a paper or slip, its type."""

    game: str
    seq: str
    sender: str
    paper: str
    copies: list[tuple[Region, bytes]] = field(default_factory=list)

    @property
    def regions(self) -> list[Region]:
        """Where its copies stand."""
        return [region for region, _signature in self.copies]

    def signed(self) -> list[tuple[Region, bytes]]:
        """Its copies that have a signature, in the order in which they are worth a look."""
        there: dict[bytes, list[tuple[Region, bytes]]] = {}
        for copy in self.copies:
            if copy[1].startswith(MAGIC):
                there.setdefault(copy[1], []).append(copy)
        alike = list(there.values())
        found = [alike[at] for at in outer_first([[region for region, _signature in same] for same in alike])]
        copies = [same[at] for same in found for at in outer_first([[region] for region, _signature in same])]
        return sorted(copies, key=lambda copy: copy[0].shown)

    def __str__(self) -> str:
        game = f" of game {self.game[:16]}" if self.game else ""
        if self.paper in slips.FIELDS:
            return f"a {self.paper} ({self.copies[0][0].place})"
        about = f"{self.paper} about " if self.paper else ""
        return f"{about}message {self.seq or '?'} of {self.sender or '?'}{game} ({self.copies[0][0].place})"


@dataclass(frozen=True)
class Reading:
    """A copy as read: the region it comes from, its bytes, its id; no id where the signature does not fit.

    ``exact``: its lines are those of the region. ``turn``: what it says, where that was found out already.
    """

    region: Region
    raw: bytes
    id: str = ""
    exact: bool = True
    turn: AnyTurn | None = field(default=None, repr=False)


def letters(stretches: Iterable[Region]) -> list[Letter]:
    """Copies put together: those with one signature, and those that say to be one message of one side.

    Proposals name no game: they are told apart by their nonce, since a director's mailbox holds many of one side.
    """
    result: list[Letter] = []
    by_claim: dict[tuple[str, ...], Letter] = {}
    by_armour: dict[bytes, Letter] = {}
    for region in stretches:
        text = region.text()
        said = claim(text)
        signature = armour(text)
        letter = by_armour.get(signature) or by_claim.get(said)
        if letter is None:
            letter = Letter(*said[:4])
            result.append(letter)
            by_claim[said] = letter
        by_armour.setdefault(signature, letter)
        letter.copies.append((region, signature))
    return result


def armour(text: bytes) -> bytes:
    """The last signature in a text, without what is no base64; something else if there is none."""
    return text[text.rfind(_BEGIN) + len(_BEGIN) :].translate(None, NOT_BASE64)


def claim(text: bytes) -> tuple[str, str, str, str, str]:
    """What a copy says to be: its game, number, sender, type of paper, and without a game its nonce."""
    said: dict[str, str] = {}
    for match in islice(_FIELD.finditer(text[:_HEAD]), _FIELDS):
        said.setdefault(match[1].decode("ascii"), match[2].decode("ascii"))
    kind, game = said.get("type", ""), said.get("game", "")
    paper = kind if kind in papers.FIELDS or kind in slips.FIELDS else ""
    return game, said.get("seq", ""), said.get("from", ""), paper, "" if game else said.get("nonce", "")


def settle(
    letter: Letter, allowance: Allowance, places: Counter[tuple[str, ...]] | None = None
) -> tuple[list[Reading], FileError | None]:
    """The different messages that a letter's copies say and whose signatures fit; if none by a key fits, one as it is.

    Of the first few copies with one signature the one counts whose position is what was signed: a quotation that was
    trimmed may stand above the whole turn. The last signature comes first, and a key has room for a few of a number:
    whoever is quoted can sign anything, and takes no place of who quotes them. With it, why the rest was left.
    ``places``: how many were found of each in other letters of a mail, which may claim to be something else, and LEFT.
    """
    fitting: dict[str, tuple[int, Reading]] = {}
    fault: FileError | None = None
    readable: list[Reading] = []
    try:
        allowance.take(cost(b""))
        places = Counter() if places is None else places
        left = places[LEFT]
        _fit(letter, allowance, fitting, readable, places)
        if not (fitting or readable) and places[LEFT] == left:
            readable.append(as_it_is(letter.copies[0][0], allowance))
    except FileError as error:
        fault = error
    return [reading for _rank, reading in reversed(fitting.values())] or readable[:1], fault


def other(letter: Letter, found: Sequence[Reading]) -> Region | None:
    """A copy with none of the signatures that were ``found`` to fit, and not quoted: what it was nobody knows."""
    signed = tuple(armour(reading.region.text()) for reading in found if reading.id)
    others = (region for region, signature in letter.copies if not signature.startswith(signed))
    return next(filterfalse(is_quoted, others), None) if signed else None


def is_quoted(region: Region) -> bool:
    """Whether marks of quotation stand before a copy."""
    return b">" in region.prefix or b"|" in region.prefix


def as_it_is(region: Region, allowance: Allowance) -> Reading:
    """A copy without the marks before it. FileError where the allowance does not last."""
    text = region.text()
    allowance.take(2 * cost(text))  # marks of quotation before each of many lines cost as much again
    return Reading(region, mailrepair.unquoted(region, text) + b"\n")


def _fit(
    letter: Letter,
    allowance: Allowance,
    fitting: dict[str, tuple[int, Reading]],
    readable: list[Reading],
    places: Counter[tuple[str, ...]],
) -> None:
    """Put down which copies are ``fitting``, by id and with what each is worth, and which can be read at least.

    FileError where the allowance does not last.
    """
    looks = Counter[bytes]()
    known: dict[bytes, _Said] = {}
    for region, signature in letter.signed():
        if looks[signature] >= _LOOKS:
            continue
        signed = mailrepair.unquoted(region, region.text())
        for repair, exact in mailrepair.REPAIRS:
            raw = repair(signed)
            allowance.take(spent := cost(raw))
            if raw not in known:
                data, more = _read(raw)
                allowance.take(more)
                known[raw], spent = _said(data), spent + more
                if data and not known[raw].id:
                    readable.append(Reading(region, raw, exact=exact))
            said = known[raw]
            if said.id and places[said.place] >= SHOWN:
                places[LEFT] += 1
            if not said.id or places[said.place] >= SHOWN:
                continue
            below = mailrepair.position(region, allowance)
            whole = _whole(raw, repair(below) if below else b"", said, allowance)
            worth = _worth(whole[1]) if whole is not None else 0
            if worth:
                allowance.fits(spent)
            else:  # signed or not, it is no turn
                known[raw] = _Said()
            looks[signature] += _LOOKS if worth == _SIGNED else 1
            places[said.place] += worth > 0 and said.id not in fitting
            if whole is not None and worth > (fitting[said.id][0] if said.id in fitting else 0):
                fitting[said.id] = worth, Reading(region, whole[0], said.id, exact, whole[1])
            if worth:
                break


@dataclass(frozen=True)
class _Said:
    """What a copy is: its ``id``, '' where its signature does not fit; whether it is a referee's ``paper``.

    ``place``: whose message, paper or slip it is, by key; there is room for a few that are the same.
    """

    id: str = ""
    place: tuple[str, ...] = ()
    paper: bool = False


def _said(data: Mapping[str, Plain]) -> _Said:
    id_, key = _fitting(data) if data else ("", "")
    others = (str(data.get(name, "")) for name in ("type", "for", "serial"))
    return _Said(id_, (key, *said_by(data), *others), data.get("type") in tuple(papers.FIELDS))  # it may be a list


def said_by(data: Mapping[str, Plain]) -> tuple[str, ...]:
    """Which message something is that was read: its game, number and sender, as in a :func:`claim`."""
    return tuple(str(data.get(name, "")) for name in ("game", "seq", "from"))


def outer_first(groups: Sequence[Sequence[Region]]) -> list[int]:
    """Numbers of groups of copies in the order in which they are worth a look.

    The last comes first, then the first, and so on to the middle: the writer of a mail puts their own turn above or
    below what they quote, and whoever is quoted may have written a lot. What is shown in a page comes behind the rest.
    """

    def rank(at: int) -> tuple[bool, bool, int]:
        far = min(2 * (len(groups) - 1 - at), 2 * at + 1)
        return all(region.shown for region in groups[at]), all(map(is_quoted, groups[at])), far

    return sorted(range(len(groups)), key=rank)


def _read(raw: bytes) -> tuple[dict[str, Plain], int]:
    """What a copy says, if it is signed at all, and what that has cost beyond its cost.

    Nothing if it cannot be read, or has not the form of what it is.

    Why is not put into words here: that costs more than all the rest, for a stranger signs what they like (T27).
    """
    try:
        document = strictyaml.read(raw, "")
    except FileError:
        return {}, 0
    data = document.data
    kind = data.get("type")
    form = "slip" if kind in tuple(slips.FIELDS) else "paper" if kind in tuple(papers.FIELDS) else "message"
    good = isinstance(data.get("signature"), str) and accepts(data, form)
    return data if good else {}, beyond(document)


def _fitting(data: Mapping[str, Plain]) -> tuple[str, str]:
    """The id of a copy whose own signature fits it, and the key that made that; '' and '' of any other."""
    armour = str(data["signature"])
    signed = messages.signed_bytes({name: value for name, value in data.items() if name not in ("signature", "state")})
    try:
        # the key is part of what a signature says: after the magic, the version and the lengths and name of its kind
        key = sshsig.public_text(sshsig.dearmour(armour)[33:65])
        sshsig.verify(key, sshsig.NAMESPACE, signed, armour)
    except TrustError:
        return "", ""
    return sha256_hex(signed), key


def read(raw: bytes, name: str, *, paper: bool | None = None) -> AnyTurn:
    """What a turn that was found says: a message, a referee's paper, or a slip. FileError.

    ``paper``: whether it is a referee's, where that is known; otherwise the whole is read to find out.
    """
    if slips.is_slip(raw):
        return slips.read(raw, name)
    paper = papers.is_paper(raw) if paper is None else paper
    return papers.read(raw, name) if paper else messages.read(raw, name)


def _whole(raw: bytes, position: bytes, said: _Said, allowance: Allowance) -> tuple[bytes, AnyTurn] | None:
    """A copy that fits, with the position below it where that can be read, and what it says; None if it is not taken.

    Then the reader will say why, of the copy that is left.
    """
    for copy in (raw + position, raw) if position else (raw,):
        allowance.take_good(cost(copy))
        try:
            turn = read(copy, "", paper=said.paper)
        except FileError:
            allowance.take_good(cost(copy) - cost(b""))  # why was put into words: that costs as much again
            continue
        allowance.take_good(beyond(turn.document))
        if turn.id == said.id:
            return copy, turn
    return None


def _worth(turn: AnyTurn) -> int:
    """How good a copy is: with the position that was signed, or none to have; without one; with another one."""
    if not isinstance(turn, messages.Message):
        return _SIGNED
    if turn.state is None:
        return _BARE
    with suppress(ValueError):
        return _SIGNED if state_hash(turn.state) == turn.content.get("state-out") else _CHANGED
    return _CHANGED
