"""What may stand in the headers of a mail that we write: closed alphabets, plain ASCII, one line (T46).

A mail address is an RFC 5321 mailbox without quotes, comments or other scripts; a Message-ID one word between angle
brackets. Words, such as titles and names, keep only letters, digits and harmless marks (``text.in_header``).

And the addresses in the fields of others: many mail programs write no From line as RFC 5322 wants it. To look for them
costs the time of their length, whatever a stranger writes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from email.errors import MessageError
from email.header import Header, decode_header, make_header
from email.utils import parseaddr
from itertools import islice

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*")
_MESSAGE_ID = re.compile(r"<[!#-'*+./0-9:=?@A-Z^_`a-z{|}~\[\]-]{3,250}>")
LONGEST = 254
_MOST_FIELD = 2000
"""Characters of a field that holds addresses: to read a group of them costs the square of its length."""
_MOST = 10
"""Fields, and addresses in them, that are looked at: nobody has written a mail in the name of a thousand players."""
_CHARSET = re.compile(
    r"(us-)?ascii|utf-?(8|16|32)([bl]e)?|latin-?[0-9]+|(iso|windows|cp|ibm|koi8|gb|euc|big5|shift|tis|mac)[a-z0-9_-]*",
    re.IGNORECASE,
)
"""The character sets of mails; Python would take rot13, zip and its own escapes for some, too."""
_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]"
_ANY = re.compile(rf"(?<!{_LOCAL})({_LOCAL}{{1,65}})\"?@([A-Za-z0-9.-]{{1,255}})")
_FOREIGN = re.compile(r"(?<=@)(?![!-~]*+(?![^\s<>()\[\],;:\"@]))[^\s<>()\[\],;:\"@]{1,253}")
"""A domain with letters that are not of ASCII."""
_DOT = re.compile("[.\u3002\uff0e\uff61]")
_KEPT = re.compile("[\u00df\u1e9e\u03c2\u200c\u200d]")
"""Letters that domains have today, and that were written as others, or left out, by IDNA 2003 (RFC 5894, 7.2)."""
_LABEL_LENGTH = 63
_BRACKETED = re.compile(r"[^<]*+<\s*([^\s<>]{3,254})\s*>\s*")
"""A field that ends with what stands in its only angle brackets."""


def is_address(text: str) -> bool:
    """Whether a text is an address that mail can be sent to: ``boris@example.org``."""
    local = text.partition("@")[0]
    return len(text) <= LONGEST and len(local) <= 64 and "=?" not in text and _ADDRESS.fullmatch(text) is not None


def check(text: str) -> str:
    """An address, its domain in small letters. UsageError."""
    if not is_address(text):
        raise UsageError(f"{show(text)} is no address for mail, such as boris@example.org, in plain letters")
    local, _at, domain = text.partition("@")
    return f"{local}@{domain.lower()}"


def same(one: str, other: str) -> bool:
    """Whether two addresses are one: nobody tells them apart by capital letters."""
    return one.lower() == other.lower()


def domain(text: str) -> str:
    """What stands behind the ``@``."""
    return text.partition("@")[2]


def is_message_id(text: str) -> bool:
    """Whether a text is a Message-ID that can stand in a header as it is."""
    return _MESSAGE_ID.fullmatch(text) is not None and "=?" not in text


def text(value: str | Header) -> str:
    """A field as it stands in a mail, in one line; letters that are not of ASCII are taken for UTF-8 (RFC 6532)."""
    if isinstance(value, Header):  # how the library gives such a field
        value = b"".join(part for part, _charset in decode_header(value)).decode("utf-8", "replace")
    return " ".join(value.split())


def decoded(text: str) -> str:
    """A field as it is read; of one that cannot be decoded the plain letters: which game it names counts."""
    try:
        parts = decode_header(text)
        if all(charset is None or _CHARSET.fullmatch(charset) for _part, charset in parts):
            return " ".join(str(make_header(parts)).split())
    except (MessageError, LookupError, ValueError):
        pass
    return " ".join(text.split())


def sender(said: str) -> str:
    """The address of whoever wrote a mail, by what it says to be from; '' if that is none that could be used.

    What stands in its only angle brackets counts, whatever is written before them; otherwise what the library reads;
    where it reads none, the only address there. A domain in another script counts as it is written today.
    """
    if len(said) > _MOST_FIELD:
        return ""
    bracketed = _BRACKETED.fullmatch(said)
    if bracketed is not None and is_address(bracketed[1]):
        return check(bracketed[1])
    try:
        text = parseaddr(said)[1]
    except (ValueError, IndexError, RecursionError):  # brackets within brackets
        text = ""
    if is_address(text):
        return check(text)
    there = _found(_texts(said), _of_2008)
    return check(there.popitem()[1]) if len(there) == 1 else ""


def every(values: Iterable[str]) -> frozenset[str]:
    """All addresses that some fields hold, in small letters, as far as they are looked at.

    Of a domain in another script both forms: which one a server wrote, and is on file, nobody knows. Words or marks of
    another script may stand directly behind one, too.
    """
    texts = [text for said in islice(values, _MOST) for text in _texts(said[:_MOST_FIELD])]
    there = list(islice(_found(texts, _of_2008), _MOST))
    if not all(map(str.isascii, texts)):
        there += islice(_found(texts, _of_2003), _MOST)
        there += islice(_found(texts, str), _MOST)
    return frozenset(there)


def _texts(said: str) -> list[str]:
    """A field as it stands there, and as it is read."""
    return [said, decoded(said)] if "=?" in said else [said]


def _found(texts: Iterable[str], in_ascii: Callable[[str], str]) -> dict[str, str]:
    """The addresses in some fields, by their small letters; how a domain of another script stands in those of ASCII.

    Of a field as many of those are looked at as of addresses: a stranger can write a thousand (T49).
    """

    def put(domain: re.Match[str]) -> str:
        labels = _DOT.split(unicodedata.normalize("NFKC", domain[0]))
        if max(map(len, labels)) <= _LABEL_LENGTH:  # one letter may stand for eighteen, and that is no domain
            with suppress(UnicodeError):
                return in_ascii(domain[0])
        return domain[0]

    texts = [one if one.isascii() else _FOREIGN.sub(put, one, _MOST) for one in texts]
    pairs = (match.groups() for text in texts for match in _ANY.finditer(text))
    found = (local.lstrip("'") + "@" + domain.rstrip(".-") for local, domain in pairs)
    return {text.lower(): text for text in found if is_address(text)}


def _of_2003(domain: str) -> str:
    """A domain as servers of old write it (RFC 3490)."""
    return domain.encode("idna").decode("ascii")


def _of_2008(domain: str) -> str:
    """A domain as servers write it today, which know more letters (RFC 5891)."""
    return ".".join(map(_today, _DOT.split(domain)))


def _today(label: str) -> str:
    if not _KEPT.search(label):
        with suppress(UnicodeError):  # it refuses more of what is written from right to left (RFC 5893)
            return _of_2003(label)
    return _label(label)


def _label(label: str) -> str:
    small = "".join(map(str.lower, unicodedata.normalize("NFKC", label)))  # letter by letter: no other sigma at its end
    return f"xn--{small.encode('punycode').decode('ascii')}" if len(label) < _LABEL_LENGTH else label
