"""Letters that came back (RFC 3464): told, and the address is no longer used until its owner's desk says so anew.

Anybody can write such a report. It counts only with the Message-ID of a letter that was tried here, and it stops an
address, never a clock (T60). One that is no sure failure of its reader's address (the letter was put off, or was passed
on to another one), or that names no letter of this desk, stops none: it is told once where it names one, and keeps a
game from ending by itself.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import DiskError, FileError, UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.post import address as addresses
from kursk_pbem.post import letter as letters
from kursk_pbem.post import people, place
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.letter import Letter, Reader
from kursk_pbem.post.outbox import BOUNCED, DOUBTED, SENT, Box
from kursk_pbem.post.referee import notes, requests
from kursk_pbem.post.told import untold
from kursk_pbem.trust import leftover, mailbytes, mailhtml, mailtext

_ID = re.compile(rb"k1\.(?:([0-9a-f]{32})\.([0-9]{1,4})|words\.([0-9a-f]{32}))@")
_MARK = b"k1."
_FIELD = re.compile(rb"(?:^|>)Message-ID:\s{0,9}(?:<|&lt;)" + _ID.pattern, re.IGNORECASE | re.MULTILINE)
_WORDS_EDITION = -1
_GAP = rb"(?:[ \t]|\([^()]{0,200}\))*+"
"""What may stand between the words of a field: blanks and comments (RFC 5322)."""
_READ = rb"(?:displayed|dispatched|processed)\b"
"""What has arrived, by the words of a desk that tells what became of a mail (RFC 8098)."""
_ACTION = re.compile(
    rb"^Action:%b(?:(fail)|(?!delivered|relayed|expanded)[a-z])|^Disposition:(?!(?:[^;\n]*;)?%b%b)"
    % (_GAP, _GAP, _READ),
    re.IGNORECASE | re.MULTILINE,
)
"""What has not arrived; the second is how a filter of its reader says that it was refused (RFC 5429)."""
_ARRIVED = re.compile(
    rb"^Action:%b(?:delivered|relayed|expanded)|^Disposition:(?:[^;\n]*;)?%b%b" % (_GAP, _GAP, _READ),
    re.IGNORECASE | re.MULTILINE,
)
_READER = re.compile(
    rb"^(?:Final|Original)-Recipient:%b(?:rfc822|utf-8)%b;%b<?([^\s<>;()]{3,254})" % (_GAP, _GAP, _GAP),
    re.IGNORECASE | re.MULTILINE,
)
_IN_WORDS = re.compile(rb"^<([^\s<>]{3,254})>:[ \t]*\r?\n([^\r\n]{1,300})", re.MULTILINE)
"""An address that failed, and why, in the report that qmail writes in words."""
_BLANK = re.compile(rb"\r?\n[ \t]*\r?\n")
_FOLD = re.compile(rb"\r?\n[ \t]++")
_STATUS_PART = re.compile(
    rb"^Content-Type:(?:[ \t]|\r?\n[ \t])*+\"?message/(?:global-)?(?:delivery-status|disposition-notification)\b",
    re.IGNORECASE | re.MULTILINE,
)
_MOST_PARTS, _HEADER = 10, 1000
"""Parts of a report in fields, and bytes of the header of each, that are read."""
_WORDS = re.compile(rb"^Diagnostic-Code:[ \t]*[a-z]+;[ \t]*([^\r\n]{1,300})", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(rb"^Status:[ \t]*([^\r\n]{1,300})", re.IGNORECASE | re.MULTILINE)
_MOST, _MOST_READERS = 1024 * 1024, 100
_DASHES = 2
"""In the name of a letter: number, digest, edition."""

_STOPPED = "Nothing more goes to that address before you say it anew"
_GIVEN_UP = "Nobody is reached there any more"


@dataclass(frozen=True)
class Report:
    """What a report says: which letter (digest, edition), which addresses it did not reach, and why.

    ``digest``: '' where it names none. ``readers``: none where the letter may yet arrive, nobody is named, or a subject
    or an empty path alone says that it is a report. ``late``: those whom it may reach yet.
    ``why``: in quotes, for whoever knows the Message-ID chooses the words. The edition of a letter in words is -1.
    ``mail``: the digest of the mail that is the report; ``senders`` and ``games``: what it says of whose it is, by
    which a game may be in doubt.
    """

    digest: str
    edition: int
    readers: tuple[str, ...]
    why: str
    mail: str = ""
    late: tuple[str, ...] = ()
    senders: frozenset[str] = frozenset()
    games: frozenset[str] = frozenset()

    @property
    def named(self) -> tuple[str, ...]:
        """All whom it has not reached."""
        return (*self.readers, *self.late)


def read(mail: Mail) -> Report | None:
    """The report that a mail is; None if it is none about a letter that did not arrive, or not yet.

    Some servers' reports can be told by no field but an empty return path, or another sign of a program. Programs that
    answer for people have that, too: it is a report if it names a letter below its own header, however it is written.
    """
    if not (mail.reports or (_may_name(mail.raw) and (mail.without_path or requests.machine(mail, ())))):
        return None
    named, letter = None, None
    for text in _texts(mail):  # of none of them anything is held
        named = named or _groups(_ID, text)
        letter = letter or (_groups(_FIELD, text[:_MOST]) if named else None)
    if not (mail.reports or named):
        return None
    told = b"\n\n".join((_fields(mail) if mail.in_fields else []) or _above_letter(mail))
    groups = [_FOLD.sub(b" ", group) for group in _BLANK.split(told) if group.strip()]
    if (failed := _in_fields(groups)) is None and (any(map(_ARRIVED.search, groups)) or not mail.of_delivery):
        return None
    final, late, why = failed or _as_words(mail, told)
    final = final if mail.by_server else []
    # a report may name the whole thread first, as Exim's does
    turn, number, words = letter or named or _groups(_ID, mail.without_body.raw) or (b"", b"", b"")
    edition = int(number or _WORDS_EDITION) if turn or words else 0
    reason = show(why.decode("latin-1").strip()) if why else "no reason is given"
    readers, others = (tuple(dict.fromkeys(each.decode("latin-1") for each in listed)) for listed in (final, late))
    return Report((turn or words).decode("ascii"), edition, readers, reason, mail.digest, others)


def _groups(pattern: re.Pattern[bytes], text: bytes) -> tuple[bytes, bytes, bytes] | None:
    """The digest and the edition of the turn, or the digest of the words, that is named first; None without any."""
    match = pattern.search(text)
    return (match[1] or b"", match[2] or b"", match[3] or b"") if match else None


def _fields(mail: Mail) -> list[bytes]:
    """The parts of a report that say in fields what has happened, wherever they stand (RFC 3464, RFC 8098)."""
    raw, there, end = mail.raw[:_MOST], list[bytes](), 0
    for kind in _STATUS_PART.finditer(raw):
        if kind.start() < end or len(there) == _MOST_PARTS:  # nothing is read twice
            continue
        blank = _BLANK.search(raw, kind.end(), kind.end() + _HEADER)
        if blank is None or b"\n--" in raw[kind.end() : blank.start()]:  # there the header of the next part ends
            continue
        head = raw[max(0, raw.rfind(b"\n--", 0, kind.start())) : blank.start()].lower()
        part = raw[blank.end() - 1 :].partition(b"\n--")[0][1:]
        end = blank.end() + len(part)
        if b"base64" in head:
            part = mailbytes.base64(part.translate(None, mailbytes.NOT_BASE64))
        there.append(binascii.a2b_qp(part) if b"quoted-printable" in head else part)
    return there


def _above_letter(mail: Mail) -> Iterator[bytes]:
    """What stands above the letter that came back, also in parts: below its Message-ID are words of those who play."""
    texts = [mail.raw[:_MOST]]
    if letter := _FIELD.search(texts[0], len(mail.without_body.raw)):
        texts = [texts[0][: letter.start()]]
    with suppress(FileError):
        wholes, parts = mailtext.said(texts[0], mail.name)
        texts += (*(whole.partition(b"\n\n")[2] for whole in wholes), *parts)
    for text in texts:
        letter = _FIELD.search(text)
        yield text[: letter.start()] if letter else text


def _may_name(raw: bytes) -> bool:
    """Whether a mail may name a letter of ours: programs write thousands that do not."""
    return _MARK in raw or b"base64" in raw.lower() or _MARK in binascii.a2b_qp(raw)


def _texts(mail: Mail) -> Iterator[bytes]:
    """What a mail says below its header, as it stands there and in parts, and the beginning of each page as shown."""
    texts, left = [mail.raw[len(mail.without_body.raw) :]], mailtext.MAX_HTML
    with suppress(FileError):
        wholes, parts = leftover.said(mail.raw, mail.name)
        texts += (whole.partition(b"\n\n")[2] for whole in wholes)
        texts += parts
    for text in texts:
        yield (said := leftover.in_pairs(text) or text)
        begin = said[:_MOST]
        left -= mailhtml.marks(begin) if (page := mailhtml.is_page(begin)) else 0
        if page and left >= 0:
            yield mailhtml.plain(begin)


def _in_fields(groups: Iterable[bytes]) -> tuple[list[bytes], list[bytes], bytes] | None:
    """Whom a letter has not reached, for good and until now, and why, by the fields of a report; None without any."""
    told = [(match[1], group) for group in groups if (match := _ACTION.search(group)) is not None]
    if not told:
        return None
    failed, late = ([group for final, group in told if bool(final) == so] for so in (True, False))
    text = b"\n".join(failed or late)
    why = _WORDS.search(text) or _STATUS.search(text)
    return _listed(failed), _listed(late), why[1] if why is not None else b""


def _listed(groups: Iterable[bytes]) -> list[bytes]:
    """The addresses in some groups of fields."""
    found = (match[1] for group in groups for match in _READER.finditer(group))
    return list(islice(found, _MOST_READERS))


def _as_words(mail: Mail, raw: bytes) -> tuple[list[bytes], list[bytes], bytes]:
    """The same of a report in words alone: Exim names in its header who was not reached, qmail before the letter."""
    found = list(islice(_IN_WORDS.finditer(raw), _MOST_READERS))
    listed = ",".join(mail.every("X-Failed-Recipients")).replace(",", " ").split()
    readers = [*(reader.encode("latin-1", "replace") for reader in listed), *(each[1] for each in found)]
    return readers[:_MOST_READERS], [], found[0][2] if found else b""


@dataclass
class Letters:
    """What went out from here. Anybody can mail thousands of reports (T49): all of it is looked through once.

    ``doubts``: what reports said of whose letters may not have arrived, addresses and games (damage.Damage).
    """

    home: Path
    doubts: set[tuple[frozenset[str], frozenset[str]]] = field(default_factory=set)

    @cached_property
    def turns(self) -> dict[str, list[Path]]:
        """What describes the letters, by digest and edition. DiskError."""
        root, there = place.root(self.home) / "out", dict[str, list[Path]]()
        for short in place.names(root):
            for name in place.names(root / short) if (root / short).is_dir() else ():
                if name.endswith(".json") and name.count("-") >= _DASHES:
                    there.setdefault("-".join(name[:-5].split("-")[-2:]), []).append(root / short / name)
        return there

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """The names of the letters in words that were tried, by digest. DiskError."""
        return notes.tried(self.home)

    @cached_property
    def to_director(self) -> dict[str, list[Path]]:
        """What is put down of those to the director of which nobody knows whether they arrived, by address."""
        return notes.to_director(self.home, chain.from_iterable(self.words.values()))


def take(there: Letters, report: Report) -> Iterator[str]:
    """Put down that a letter came back, for each of its readers that is named; what is said of that. UsageError.

    Nothing of a letter that was never tried, or came back before. One that is not here may be ours under the name that
    a server has given it, or not ours.
    """
    if report.edition == _WORDS_EDITION:
        yield from _in_words(there, report)
        return
    paths = there.turns.get(f"{report.digest}-{report.edition}", ())
    if not paths:
        yield from _in_doubt(there, report)
    for path in paths:
        try:
            letter = letters.from_plain(place.load(path))
        except (UsageError, KeyError, TypeError, ValueError):
            yield f"a letter came back, and {path}, which describes it, cannot be read: move it away"
            continue
        yield from _with_turn(there, report, letter)


def _with_turn(there: Letters, report: Report, letter: Letter) -> Iterator[str]:
    """The same of a letter that is here. Where no reader of it is named it may have reached none of them."""
    home, box, name = there.home, Box(there.home, letter.game), f"{letter.game[:8]}/{letter.seq}"
    failed, late = _among(letter, report.readers), _among(letter, report.late)
    if report.named and not (failed or late):  # what names this letter may stand in another one that came back
        yield from _in_doubt(there, report)
    for reader in letter.to:
        if not box.count(letter, reader.mark, "try") or box.ended(letter, reader.mark) not in ("", SENT):
            continue
        if reader in failed:
            anew = _stop(home, reader.address, report.why)
            next_step = f"{_STOPPED}: {anew}, then" if anew else f"{_GIVEN_UP};"
            yield untold.add(
                home,
                f"the letter {name} to {reader.address} came back: {report.why}. {next_step} 'kursk outbox --again "
                f"{name}'",
            )
            box.note(letter, reader.mark, BOUNCED, words=report.why)
        elif reader in late or not (failed or late):
            senders = frozenset[str]() if letter.of_game else frozenset({reader.address.lower()})
            there.doubts.add((senders, frozenset({letter.game[:8]})))
            if not box.happened(letter, reader.mark, DOUBTED):
                yield untold.add(
                    home,
                    f"the letter {name} to {reader.address} may not have arrived: {report.why}. "
                    f"'kursk outbox --again {name}' makes it anew",
                )
                box.note(letter, reader.mark, DOUBTED, words=report.why)


def _among(letter: Letter, listed: Collection[str]) -> set[Reader]:
    """The readers of a letter who are listed."""
    return {reader for reader in letter.to if any(addresses.same(reader.address, each) for each in listed)}


def _in_words(there: Letters, report: Report) -> Iterator[str]:
    """The same of a letter in words, such as a reminder. It has one reader: nobody else can know who it is about."""
    home, known = there.home, there.words.get(report.digest, ())
    theirs = any(notes.went_to(home, name, each) for name in known for each in report.named)
    if not known or (report.named and not theirs):
        yield from _in_doubt(there, report)
    for path, mark, address in notes.came_back(home, known, report.readers):
        anew = _stop(home, address, report.why) if mark else ""
        told = f"a letter in words to {address} may not have arrived: {report.why}. It counts as no reminder"
        if mark:
            next_step = f"{_STOPPED}: {anew}" if anew else _GIVEN_UP
            told = f"a letter in words to {address} came back: {report.why}. {next_step}"
        yield untold.add(home, told)
        place.once(path, {"why": report.why, "at": clock.now()})


def _in_doubt(there: Letters, report: Report) -> Iterator[str]:
    """Put down that a letter may not have arrived, nobody knows which: anybody who is named may own it. UsageError.

    The director plays no game: of all that was written to them it may be any, a last call too.
    """
    named = {address.lower() for address in report.named}
    there.doubts.add((report.senders | named, report.games))
    paths = [path for address in sorted(named) for path in there.to_director.get(address, ()) if not path.exists()]
    if paths:
        yield untold.add(there.home, f"a letter in words to the director may not have arrived: {report.why}")
    for path in paths:
        place.once(path, {"why": report.why, "at": clock.now()})


def _stop(home: Path, address: str, why: str) -> str:
    """An address is not used any more, for anybody; what is typed to say it anew, of each who was reached there.

    Not of whoever was merely asked about, or has given it up: a report can be forged, and what it tells is typed.

    Before the report is put down as known: whoever is killed between the two reads it again. DiskError where it is
    nobody's whose file can be read, and it may be that of one whose file cannot.
    """
    anew, faults = list[str](), list[DiskError]()
    for mark in people.beginning(home, ""):
        stopped = person = None
        try:
            person = people.marked(home, mark)
            stopped = person and person.stopped(address, f"a letter came back: {why}")
        except DiskError as error:
            faults.append(error)
        if stopped is not None and stopped != person:
            people.save(home, stopped)
        if stopped is not None and stopped.state_of(address) == people.BOUNCED and not stopped.reached:
            anew.append(stopped.command("add", address))
    if faults and not anew:
        raise faults[0]
    return " and ".join(anew)
