"""What in a mail may be a turn that nobody can read: changed on its way, or in something that is not opened.

Nothing that is found here counts as a turn. It says that a mail may have held more than was read of it: so its sender
is asked, and nobody loses a game by it. Every part is decoded first. In linear time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain

from kursk_pbem.errors import FileError
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.trust import mailbroken, mailbytes, mailhtml, mailmarks, mailnames, mailtext, sshsig, strays

SPOILT = re.compile(rb"""(?m)^[ \t>|{]*+['"]?kursk-pbem['"]?[ \t]*:""")
"""How a turn may have begun that is written otherwise, or was."""
OF_A_GAME = re.compile(rb"""(?m)^game:[ \t]*+['"]?[0-9a-f]{64}['"]?[ \t\r]*+$""")
"""What stands below the first line of a turn, and in nothing else: somebody has copied it without that line."""
_BEGIN = sshsig.BEGIN.encode("ascii")
_SIGNED = re.compile(rb"(?m)^[ \t]*+%b[ \t\r]*+$" % re.escape(_BEGIN))
_UNSHOWN = b"kursk-pbem :"
"""What a page seems to show that is too much to be shown: something that may be a turn."""
_WORDS = (b"kursk-pbem", b"SSH SIGNATURE", b"game:", b"kursk-tournament")
"""Without any of these nothing of a turn is in a text."""

_BELOW = "what stands below it in a turn is there: ask for the whole turn, as an attachment"
_JOINED = "a signature is in it, but its lines are joined, or something stands before each: ask for an attachment"
_FILES = (
    (re.compile(rb"\APK\x03\x04"), rb"\.zip\b", "a .zip is not opened: unpack it, and name the turn file"),
    (None, rb"\.(?:7z|rar|t?gz|bz2|xz)\b", "an archive is not opened: unpack it, and name the turn file"),
    (
        re.compile(rb"\A\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        rb"\.msg\b",
        "an Outlook .msg is not opened: in Outlook save the mail as text or .eml, or save the attachment alone",
    ),
    (
        re.compile(rb"\A\x78\x9f\x3e\x22|winmail\.dat|[/.]ms-tnef\b(?!-)"),
        rb"winmail\.dat",
        "winmail.dat is not opened: ask for the turn as text, in the mail itself",
    ),
    (
        re.compile(rb"-----BEGIN PGP MESSAGE|pkcs7-mime|pgp-encrypted"),
        rb"\.(?:gpg|pgp|yaml\.asc|txt\.asc)\b",
        "what is encrypted is not opened: decrypt it first",
    ),
    (
        None,
        rb"\.(?:docx?|odt|rtf|pdf)\b",
        "what a word processor has written is not opened: ask for the turn as text, or as an attachment",
    ),
)
"""What may hold a turn and is not opened: a sign in the mail, one in the names of its files, and what is said of it."""
_PACKED = re.compile(b"|".join(named for _mark, named, _words in _FILES), re.IGNORECASE)
_RICH = re.compile(rb"\{\\rtf[0-9]")
"""How rich text begins; nobody writes that by hand."""
_FOLDED = rb"[ \t]*+(?:\r?\n[ \t]++)?+"
_HEADS = (
    (
        re.compile(rb"\ncontent-type[ \t]*+:%bmessage/partial\b" % _FOLDED),
        "it is a piece of a mail, and pieces are not put together: ask for the turn in a mail of its own",
    ),
    (
        re.compile(
            rb"\ncontent-transfer-encoding[ \t]*+:%b"
            rb"(?!\"?(?:[78]-?bits?|binary|none|utf-?8|base64|quoted-printable)\b)[!-~]" % _FOLDED
        ),
        "how it is encoded is not known here: ask for the turn as text, in the mail itself",
    ),
)
"""Fields of parts, in small letters, that nobody reads: also of an encoding that is named behind a remark."""
_TEXTS = (
    (OF_A_GAME, _BELOW),
    (_SIGNED, _BELOW),
    (_RICH, "rich text is not read: save it as plain text"),
    (re.compile(rb"<html|<HTML|<br|<BR"), "nor in what its page of HTML shows: ask for the turn as an attachment"),
)
"""What is read and holds none: a sign in the mail, and what is said of it."""
_TURN_FILE = re.compile(
    rb"(?<![A-Za-z0-9_-])(?:(?:[A-Za-z0-9_-]*+\.ya?ml|[0-9]{4}(?: ?\([0-9]\))?\.txt)\b"
    rb"|kursk[-_][0-9a-f]{8}[-_](?:[a-z]{1,12}[-_])?[0-9]{4})",
    re.IGNORECASE,
)
"""A turn file, and one as a program names it again that does not know its kind."""
_NUMBERED = re.compile(rb"(?<![A-Za-z0-9_-])([0-9]{4})\.(?:ya?ml|txt)\b", re.IGNORECASE)
"""One as a game folder names it."""
_BLANK_LINE = re.compile(rb"\r?\n\r?\n|\r\r")
_BEGINNING = 600
"""Bytes of a file, in base64 too, in which a turn names its game and its number."""
_CLOSED = (
    re.compile(rb"winmail\.dat"),
    re.compile(rb"/ms-tnef\b(?!-)"),
    re.compile(rb"\.ms-tnef\b(?!-)"),
    re.compile(rb"application/(?:(?:x-)?pkcs7-mime|pgp-encrypted)"),
    re.compile(rb"-----BEGIN PGP MESSAGE"),
    re.compile(rb"\nbegin [0-7]{3,4} [!-~]"),
    _RICH,
)
"""What is packed or encrypted, by its kind or its first line.

Each begins with letters of its own, which are found ten times faster than one of several signs.
"""
_BEGUN = re.compile(rb"begin [0-7]{3,4} [!-~]")
_MOST_TEXTS = 20
"""Texts of a mail that are looked at for why nothing is read of it, at their beginnings."""
_NO_LETTERS = bytes([*range(7), *range(14, 26), *range(28, 32)])
_NO_TURN = re.compile(
    rb"\xff\xd8\xff|\x89PNG|GIF8|RIFF|BM|II\*\0|MM\0\*|....ftyp|OggS|ID3|\xff[\xf2-\xfb]|fLaC|\0\0[\1\2]\0"
    rb"|\x1a\x45\xdf\xa3|\xd7\xcd\xc6\x9a|ActiveMime",
    re.DOTALL,
)
"""How pictures, sounds and films begin."""
_OID = rb"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"
_DETACHED = re.compile(rb"\x30.{1,5}%b\x02.{1,200}?\x30(?:\x0b%b\x01|\x80%b\x01\0\0)" % (_OID, _OID, _OID), re.DOTALL)
"""How a signature of S/MIME begins that holds nothing of what it signs."""


def said(raw: bytes, name: str) -> tuple[list[bytes], list[bytes]]:
    """As :func:`mailtext.said`, of one mail once: several ask for it, one after the other (T27). FileError."""
    held = _said(raw, name)
    if isinstance(held, FileError):
        raise held.with_traceback(None)
    return held


@lru_cache(maxsize=1)
def _said(raw: bytes, name: str) -> tuple[list[bytes], list[bytes]] | FileError:
    """The same, or why nothing is said: to find that out costs as much."""
    try:
        return mailtext.said(raw, name)
    except FileError as error:
        return error


@lru_cache(maxsize=1)
def names(raw: bytes) -> bytes:
    """The names of the files of a mail; looked for once, like that."""
    return mailnames.listed(raw)


def forget() -> None:
    """Nothing of the last mail is held any more: hundreds of large ones may come (T49)."""
    _said.cache_clear()
    names.cache_clear()
    _broken.cache_clear()


def told(raw: bytes, name: str) -> str:
    """Why nothing is read of a mail without turns, and what to do, in words; '' if nobody can tell."""
    texts, named_files = [raw], names(raw)
    with suppress(FileError):
        texts += said(raw, name)[1]
    begins = [text[:MAX_BYTES] for text in texts[:_MOST_TEXTS]]
    for mark, named, words in _FILES:
        if re.search(named, named_files, re.IGNORECASE) or (mark is not None and any(map(mark.search, begins))):
            return words
    words = next(filter(None, map(_unread, begins)), "")
    words = words or next((words for mark, words in _TEXTS if any(map(mark.search, begins))), "")
    return words or (_JOINED if hidden(raw, name) else "")


def spoilt(raw: bytes, name: str) -> bool:
    """Whether something in a mail without turns may have been the beginning, or the end, of one."""
    return _too_many(raw, name) or any(_begun(text) or strays.found(text, ()) for text, _shown in _texts(raw, name))


def whole(texts: Iterable[bytes]) -> frozenset[bytes]:
    """Turns and papers that were read, as a part of a mail says them that holds nothing else.

    What their words look like is no business of whoever looks for more: a note may tell of a winmail.dat.
    """
    return frozenset(map(_bare, texts))


def _bare(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n").strip()


def spoilt_beside(
    raw: bytes,
    name: str,
    armours: Iterable[str | None],
    papers: Iterable[str] | None = None,
    apart: Collection[bytes] = (),
) -> bool:
    """The same of a mail with turns, beside those that were read, with these signatures; what is quoted is left.

    ``papers``: the signatures of papers of tournaments that were read, too; None: nobody has looked for those.
    ``apart``: parts that are ``whole``.
    """
    if _too_many(raw, name):
        return True
    read, any_paper = strays.signatures((*armours, *(papers or ()))), papers is None
    for text, shown in _texts(raw, name, apart):
        page = mailhtml.is_page(text) and not shown
        text = _broken(raw, name).get(text, text) if page else text  # noqa: PLW2901
        if (not page or strays.any_part(text)) and strays.found(text, read, in_page=page, any_paper=any_paper):
            return True
    return False


def _too_many(raw: bytes, name: str) -> bool:
    """Whether there are so many signatures in the texts of a mail that not all of them were read (T27)."""
    return sum(text.count(_BEGIN) for text in _decoded(raw, name)) > strays.MANY


def _begun(text: bytes) -> list[bytes]:
    """The beginnings of turns; what begins at lines is looked for alone where it is anywhere: that costs far less."""
    return SPOILT.findall(text) if b"kursk-pbem" in text else []


def unopened(raw: bytes, name: str, apart: Collection[bytes] = ()) -> bool:
    """Whether something in it is not opened that may hold a turn: packed, encrypted, of a word processor.

    ``apart``: parts that are ``whole``.
    """
    if _PACKED.search(names(raw)):
        return True
    try:
        _wholes, parts = said(raw, name)
    except FileError:
        return True
    texts = (text for text in (raw, *parts) if not apart or _bare(text) not in apart)
    return any(_is_data(text) or _is_closed(text) or _unread(text) for text in texts)


def _is_closed(text: bytes) -> bool:
    """Whether something in it is packed or encrypted."""
    return _BEGUN.match(text) is not None or any(sign.search(text) for sign in _CLOSED)


def _unread(text: bytes) -> str:
    """Why a part of it is not read, by its header, and what to do; '' if nothing there says so."""
    lower = b"\n" + text.lower()
    return next((words for mark, words in _HEADS if mark.search(lower)), "")


def _is_data(text: bytes) -> bool:
    """Whether it is no text, and nothing else that surely holds no turn."""
    if _is_plain(text) or in_pairs(text):
        return False
    return not (_NO_TURN.match(text) or _DETACHED.match(text, 0, 400))


def names_turn(raw: bytes) -> bool:
    """Whether the name of a file in a mail is one of a file that holds a turn."""
    return _TURN_FILE.search(names(raw)) is not None


def numbered(raw: bytes) -> Counter[bytes]:
    """How many files of a mail are named by each number, as those of a game folder are.

    The header of a part may name its file twice, and a mail may hold a file twice: what begins alike counts once.
    """
    there = set[tuple[bytes, int]]()
    for found, begins in _files(raw, _NUMBERED):
        there.add((found[1], hash(begins)))
    return Counter(number for number, _begins in there)


def emptied(raw: bytes) -> bool:
    """Whether a file of a mail that is named as one that holds a turn begins with nothing of one: it was replaced."""
    last = None  # a header may name its file half a million times
    for _found, begins in _files(raw, _TURN_FILE):
        if begins is not last and not _may_begin(begins):
            return True
        last = begins
    return False


def _may_begin(begins: bytes) -> bool:
    """Whether a file that begins so, perhaps in base64 and in UTF-16, may hold a turn or a paper."""
    said = (begins, mailbytes.base64(begins.partition(b"\n--")[0].translate(None, mailbytes.NOT_BASE64)))
    return any(b"kursk-" in text.replace(b"\0", b"").lower() for text in said)


def _files(raw: bytes, wanted: re.Pattern[bytes]) -> Iterator[tuple[re.Match[bytes], bytes]]:
    """The names of files of a mail that are ``wanted``, and how what stands below each header begins."""
    start, end, begins = 0, -1, b""
    if wanted.search(names(raw)) is None:
        return
    for name, at in mailnames.each(raw, names(raw)):
        if found := wanted.search(name):
            if not start <= at <= end:
                blank = _BLANK_LINE.search(raw, at)
                start, end = at, blank.end() if blank else len(raw)
                begins = raw[end : end + _BEGINNING]
            yield found, begins


def hidden(raw: bytes, name: str, apart: Collection[bytes] = ()) -> bool:
    """Whether a signature is in it that no line begins with: lines are joined, or something stands before each.

    ``apart``: parts that are ``whole``.
    """
    return mailmarks.hidden(chain(_decoded(raw, name, apart), _broken(raw, name).values()))


def _decoded(raw: bytes, name: str, apart: Collection[bytes] = ()) -> Iterator[bytes]:
    """What a mail says, part by part, but for those that are ``apart``; nothing where that is too much."""
    try:
        wholes, parts = said(raw, name)
    except FileError:  # told by whoever looks for turns
        return
    for text in (*(wholes or [raw]), *parts):
        if not apart or _bare(text) not in apart:
            yield in_pairs(text) or text


def _texts(raw: bytes, name: str, apart: Collection[bytes] = ()) -> Iterator[tuple[bytes, bool]]:
    """What a mail says, part by part, and each page as it is ``shown``; as far as it is not too much.

    What is shown is judged by its lines, whatever is left in it that looks like a page: whoever wrote a turn that is
    quoted chooses that.
    """
    there = _and_shown(plain for plain in _decoded(raw, name, apart) if any(word in plain for word in _WORDS))
    return chain(there, ((shown, True) for shown in _broken(raw, name).values()))


@lru_cache(maxsize=1)
def _broken(raw: bytes, name: str) -> dict[bytes, bytes]:
    """Pages of a mail that show words of a turn which their sources break, and what each shows."""
    looks = mailbroken.Looks(mailtext.MAX_HTML)
    return {text: shown for text in _decoded(raw, name) if (shown := looks.shown(text))}


def every_text(raw: bytes, name: str) -> Iterator[bytes]:
    """The same of all that it says, whether anything in it is of a turn or not."""
    return chain((text for text, _shown in _and_shown(_decoded(raw, name))), _broken(raw, name).values())


def _and_shown(texts: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Texts, and behind each page what it shows; what is too much of that may hold anything."""
    left = mailtext.MAX_HTML
    for plain in texts:
        yield plain, False
        page = mailhtml.is_page(plain)
        left -= mailhtml.marks(plain) if page else 0
        if page:  # too much of one is not shown, and what stands in it nobody can tell
            yield mailhtml.plain(plain) if left >= 0 else _UNSHOWN, True


def in_pairs(text: bytes) -> bytes:
    """What a text in UTF-16 says; nothing where it is none."""
    head = text[:1000]
    odd, even = head[1::2].count(0), head[::2].count(0)
    if 3 * max(odd, even) < len(head):
        return b""
    said = text.decode("utf-16-le" if odd > even else "utf-16-be", "replace").encode("utf-8", "replace")
    return said.removeprefix(b"\xef\xbb\xbf") if _is_plain(said) else b""


def _is_plain(text: bytes) -> bool:
    """Whether it holds only what texts hold."""
    return len(text.translate(None, _NO_LETTERS)) == len(text)
