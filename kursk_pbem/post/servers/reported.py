"""Reports of servers about letters: which one did not arrive, whom it did not reach, and why (RFC 3464, RFC 8098).

Many say it in words alone, each server in its own.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice

from kursk_pbem.errors import FileError
from kursk_pbem.formats.text import show
from kursk_pbem.post import address as addresses
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.referee import requests
from kursk_pbem.trust import leftover, mailbytes, mailhtml, mailtext

_ID = re.compile(rb"k1\.(?:([0-9a-f]{32})\.([0-9]{1,4})|words\.([0-9a-f]{32})(?:\.game-[0-9a-f]{8})?)@")
_MARK = b"k1."
WORDS_EDITION = -1
"""That of a letter in words."""
_FIELD = re.compile(rb"(?:^|>)Message-ID:\s{0,9}(?:<|&lt;)" + _ID.pattern, re.IGNORECASE | re.MULTILINE)
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
_MOST, _MOST_READERS, _MOST_SPOKEN, _MOST_FOREIGN = 1024 * 1024, 100, 1000, 100
_LOCAL = rb"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]"
_PLAIN, _SPOKEN = (
    re.compile(rb"(?<!%b)(%b{1,200}+)\"?@([a-z0-9.%b-]{1,253}+)" % (_LOCAL, _LOCAL, others), re.IGNORECASE)
    for others in (b"", rb"\x80-\xff")
)
_IN_ASCII = re.compile(r"[a-z0-9.-]*+")
_MARKS = re.compile(r"[^a-z0-9._+-]"), re.compile(r"[^a-z0-9]")
"""What servers write before an address that they have packed (SRS, BATV), and quotes."""


@dataclass(frozen=True)
class Report:
    """What a report says: which letter (digest, edition), which addresses it did not reach, and why.

    ``digest``: '' where it names none. ``readers``: none where the letter may yet arrive, nobody is named, or a subject
    or an empty path alone says that it is a report. ``late``: those whom it may reach yet.
    ``why``: in quotes, for whoever knows the Message-ID chooses the words. The edition of a letter in words is -1.
    ``mail``: the digest of the mail that is the report; ``senders`` and ``games``: what it says of whose it is, by
    which a game may be in doubt. ``spoken``: the addresses in its text, in small letters, one of which it may be about;
    ``words``: the digests of the letters in words that it names.
    """

    digest: str
    edition: int
    readers: tuple[str, ...]
    why: str
    mail: str = ""
    late: tuple[str, ...] = ()
    senders: frozenset[str] = frozenset()
    games: frozenset[str] = frozenset()
    spoken: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()

    @property
    def named(self) -> tuple[str, ...]:
        """All whom it has not reached."""
        return (*self.readers, *self.late)

    @property
    def whose(self) -> tuple[frozenset[str], frozenset[str]]:
        """Whose the letter may be where nobody knows which one it is: addresses, in small letters, and games."""
        plain = {address.lower() for address in self.named if address.isascii()}
        others = (address for address in self.named if not address.isascii())  # of a domain in another script
        return self.senders.union(self.spoken, plain, *(addresses.every([address]) for address in others)), self.games


def read(mail: Mail) -> Report | None:
    """The report that a mail is; None if it is none about a letter that did not arrive, or not yet.

    Some servers' reports can be told by no field but an empty return path, or another sign of a program. Programs that
    answer for people have that, too: it is a report if it names a letter below its own header, however it is written.
    """
    if not (mail.reports or (_may_name(mail.raw) and (mail.without_path or requests.machine(mail, ())))):
        return None
    named, letter, there = None, None, set[str]()
    foreign = _Foreign()
    spoken = set(_spoken(mail.subject.encode("utf-8", "replace"), foreign))
    for text in _texts(mail):  # of none of them anything is held
        spoken.update(islice(_spoken(text[:_MOST], foreign), max(0, _MOST_SPOKEN - len(spoken))))
        named = named or _groups(_ID, text)
        ids = (match[3].decode("ascii") for match in _ID.finditer(text) if match[3])
        there.update(islice(ids, max(0, _MOST_SPOKEN - len(there))))
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
    edition = int(number or WORDS_EDITION) if turn or words else 0
    reason = show(why.decode("latin-1").strip()) if why else "no reason is given"
    readers, others = (tuple(dict.fromkeys(map(_as_text, listed))) for listed in (final, late))
    report = Report((turn or words).decode("ascii"), edition, readers, reason, mail.digest, others)
    return replace(report, spoken=frozenset(spoken), words=frozenset(there))


def _as_text(address: bytes) -> str:
    """An address as it is written, in UTF-8 if that can be (RFC 6533)."""
    try:
        return address.decode("utf-8")
    except UnicodeDecodeError:
        return address.decode("latin-1")


@dataclass
class _Foreign:
    """Addresses with a domain in another script, each as it may be on file; how many more ``tries`` there are (T49)."""

    known: dict[str, frozenset[str]] = field(default_factory=dict)
    tries: int = _MOST_SPOKEN

    def read(self, local: str, domain: str) -> frozenset[str]:
        """How one may be on file."""
        whole = f"{local}@{domain}"
        if whole not in self.known and len(self.known) < _MOST_FOREIGN:
            self.known[whole] = addresses.every(_packed(local, domain))
        return self.known.get(whole, frozenset())


def _spoken(text: bytes, foreign: _Foreign) -> Iterator[str]:
    """The addresses in a text, in small letters: servers write reports in words of their own.

    In other scripts words stand directly before and behind an address, too; of a character of two bytes the second may
    look like a letter of it.
    """
    at, text = 0, mailbytes.in_one_set(text)
    while (match := (_SPOKEN if foreign.tries > 0 else _PLAIN).search(text, at)) is not None:
        at = match.end()
        local, domain = (_as_text(each).lower() for each in match.groups())
        if (plain := _IN_ASCII.match(domain)) and plain[0]:
            yield from _packed(local, plain[0])
            if match.start() and text[match.start() - 1] > 0x7F:
                yield f"{local[1:]}@{plain[0].strip('.-')}"
        if not domain.isascii():
            foreign.tries -= 1
            yield from foreign.read(local, domain)


def _packed(local: str, domain: str) -> list[str]:
    """An address, and what may be packed in it."""
    packed = {local, local.lstrip("-.~_+&$^?'`*{|!#/"), *(mark.split(local)[-1] for mark in _MARKS)}
    return [f"{each}@{domain.partition('..')[0].strip('.-')}" for each in packed]


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
