"""Finds the turn in what a mail program saves: a quoted body, an .eml, an mbox (docs/formats.md 4.1).

A turn begins at a line ``kursk-pbem: '1'`` and ends at the END line of its signature, or below that with the indented
``state:``. We look for these lines themselves, in the file and in whatever base64, quoted-printable and UTF-16 in it
say, and never build the tree of a mail: so no nesting, header or number of mails costs more than its length. Nothing
is executed, fetched or followed, and nothing is written.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from kursk_pbem.errors import FileError, SeveralError, Where
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.trust import mailcopies, sshsig
from kursk_pbem.trust import slip as slips
from kursk_pbem.trust.allowance import MAX_READ, Allowance
from kursk_pbem.trust.mailcopies import MAGIC, SHOWN, AnyTurn, Letter, Reading, read
from kursk_pbem.trust.mailtext import MAX_MAIL, MAX_REGION, TOO_LONG, Region, regions

_SIGNING = re.compile(rb"^[ \t>|]*(commit|mix|nonce|state-in|state-out):", re.MULTILINE)
"""Fields that signing writes."""
_BEGIN = sshsig.BEGIN.encode("ascii")
_SOFT = re.compile(rb"=[ \t]*\n")
_MOST_PAD = 4096
"""Blank lines in front of a turn: it is kept with them, and one mail may hold a thousand turns (T49)."""


@dataclass(frozen=True)
class Turn:
    """A turn found: ``raw``, the bytes of a turn file, and what to call it in messages about it.

    Where lines can be kept apart, blank lines in front of ``raw`` make its lines those of the file it was found in.
    ``fits``: its signature is one over what it says, whoever made it. ``said``: what it says, where that is known.
    """

    raw: bytes
    name: str
    fits: bool
    said: AnyTurn | None = field(default=None, repr=False)

    def read(self) -> AnyTurn:
        """What it says, with its lines and its name; to read it anew costs as much again. FileError."""
        if self.said is None:
            return read(self.raw, self.name)
        return replace(self.said, document=replace(self.said.document, name=self.name, raw=self.raw))


def extract(raw: bytes, name: str) -> list[Turn]:
    """Every signed turn in ``raw``, in order, as the bytes of a turn file; copies of one turn count once.

    ``name`` is what error messages call the file. Raises FileError for what cannot be looked through.
    """
    allowance = Allowance.of_file(raw, name)
    letters = mailcopies.letters(region for region in regions(raw, name) if region.complete)
    readings = [reading for letter in letters for reading in _settled(letter, allowance)]
    return [Turn(reading.raw, name, bool(reading.id), reading.turn) for reading in readings]


def pick(raw: bytes, name: str, seq: int | None = None) -> Turn | None:
    """The one turn in ``raw``, or the one with the number ``seq``; None if no turn begins in it.

    SeveralError where several different ones are there, listed; FileError where none is signed or whole, or where there
    is too much.
    """
    stretches = regions(raw, name)
    letters = mailcopies.letters(region for region in stretches if region.complete)
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
    readings = _settled(letters[0], Allowance(name, MAX_READ, MAX_READ))
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
    """All that a mail holds: the turns, papers and slips that can be read, and why others that begin in it cannot.

    ``changed``: the ids of turns that are not what was signed, whoever did.
    """

    turns: tuple[AnyTurn, ...]
    faults: tuple[FileError, ...]
    changed: frozenset[str] = frozenset()


def survey(raw: bytes, name: str, allowance: Allowance | None = None) -> Survey:
    """Everything in ``raw``, in order; a copy that was cut off is a fault where it says to be something else.

    Of what is too much for the ``allowance`` that is left the last is read, for what is attached stands below what a
    mail quotes; a fault says so. FileError where there is too much for its length.
    """
    turns, faults, changed = list[AnyTurn](), list[FileError](), set[str]()
    there = regions(raw, name, left=faults)
    allowance = allowance or Allowance.of_file(raw, name)
    letters = mailcopies.letters(region for region in there if region.complete)
    readings = _read_all(letters, allowance, faults, name)
    fit = _listed(mailcopies.claim(reading.region.text())[:3] for reading in readings if reading.id)
    for reading in readings:
        if not reading.id and _undecoded(reading.region, fit):
            continue
        try:
            turn = _named(reading, name)
            turns.append(turn.read())
            changed |= set() if turn.fits else {turns[-1].id}
        except FileError as error:
            faults.append(error)
    known = {mailcopies.said_by(turn.content) for turn in turns}
    lost = next(_others(there, readings, known), None) if turns or faults else next(iter(there), None)
    if lost is not None:
        try:
            _refuse_unfinished(lost, name)
        except FileError as error:
            faults.append(error)
    return Survey(tuple(turns), tuple(faults), frozenset(changed))


def _read_all(letters: Sequence[Letter], allowance: Allowance, faults: list[FileError], name: str) -> list[Reading]:
    """What the letters of a mail say, in order; to ``faults`` why some of them are left."""
    settled: dict[int, list[Reading]] = {}
    places = Counter[tuple[str, ...]]()
    try:
        for at in mailcopies.outer_first([letter.regions for letter in letters]):
            settled[at], fault = mailcopies.settle(letters[at], allowance, places)
            if fault is not None:
                raise fault
            if (more := mailcopies.other(letters[at], settled[at])) is not None:
                settled[at].append(mailcopies.as_it_is(more, allowance))
    except FileError as error:
        faults.append(error)
    if places[mailcopies.LEFT]:
        why = f"it holds more than {SHOWN} different turns of one number and one key; the others are left"
        faults.append(FileError(why, Where(name)))
    return [reading for at in sorted(settled) for reading in settled[at]]


def _others(
    there: Sequence[Region], readings: Sequence[Reading], known: Collection[tuple[str, ...]]
) -> Iterator[Region]:
    """Copies that are not read, and not quoted, and say to be a message that is not among the ``known``.

    What is above the next first line counts. Whoever lost the end of their own turn may quote a whole one below it:
    then both end with one signature, and what was read is the other one.
    """
    read = {(id(reading.region.data), reading.region.end): reading.region.start for reading in readings}
    listed = _listed(known)
    starts: dict[int, list[int]] = {}
    for region in there:
        insort(starts.setdefault(id(region.data), []), region.start)
    for region in there:
        place, below = id(region.data), starts[id(region.data)]
        within = read.get((place, region.end), region.start + 1) <= region.start
        if within or mailcopies.is_quoted(region):
            continue
        at = bisect_right(below, region.start)
        end = min(region.end, below[at]) if at < len(below) else region.end
        above = region if end == region.end else replace(region, end=end)
        said = mailcopies.claim(above.text())[:3]
        if any(said) and said not in known and not _undecoded(above, listed):
            yield region


def _listed(known: Iterable[tuple[str, ...]]) -> Mapping[tuple[bool, bool], Sequence[tuple[str, str, str]]]:
    """What turns say, sorted with and without each of number and sender: (number, sender, game).

    A page may hold twenty thousand copies beside a thousand turns: each is looked up, not held against all (T27).
    """
    said = {(one[0], one[1], one[2]) for one in known}
    return {
        (with_seq, with_sender): sorted((seq * with_seq, sender * with_sender, game) for game, seq, sender in said)
        for with_seq in (False, True)
        for with_sender in (False, True)
    }


def _undecoded(region: Region, known: Mapping[tuple[bool, bool], Sequence[tuple[str, str, str]]]) -> bool:
    """Whether a copy is one of those that are ``known``, in a page whose quoted-printable is not decoded there.

    Its lines are broken in the middle of what it says: its game may be a beginning. ``known``: as they are listed.
    """
    if not (region.shown and _SOFT.search(text := region.text())):
        return False
    game, seq, sender = mailcopies.claim(text)[:3]
    if not (game or seq or sender):
        return False
    listed = known[bool(seq), bool(sender)]
    at = bisect_left(listed, (seq, sender, game))
    return any(one[:2] == (seq, sender) and one[2].startswith(game) for one in listed[at : at + 1])


def _named(reading: Reading, name: str) -> Turn:
    region = reading.region
    if len(reading.raw) > MAX_BYTES:
        raise FileError(TOO_LONG, Where(name, region.line))
    if not reading.id and not _is_signature(region.text()):
        why = "the signature of the turn that begins here is damaged; ask for it again, if need be as an attachment"
        raise FileError(why, Where(name, region.line))
    pad = region.line - 1
    if region.exact and reading.exact and pad <= _MOST_PAD and pad + len(reading.raw) <= MAX_BYTES:
        return Turn(b"\n" * pad + reading.raw, name, bool(reading.id), reading.turn)
    place = f"{name} (turn {'in' if region.packed else 'at'} {region.place})"
    return Turn(reading.raw, place, bool(reading.id), reading.turn)


def _is_signature(text: bytes) -> bool:
    """Whether the last thing between BEGIN and END is at least a signature, be it the right one or not."""
    return mailcopies.armour(text).startswith(MAGIC)


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


def _settled(letter: Letter, allowance: Allowance) -> list[Reading]:
    """What its copies say. FileError where the allowance does not last."""
    readings, fault = mailcopies.settle(letter, allowance)
    if fault is not None:
        raise fault
    return readings


__all__ = ["MAX_MAIL", "Survey", "Turn", "extract", "pick", "read", "survey"]
