"""Signed texts as a link, and back (docs/formats.md 5.7).

The texts are in the fragment of the link. A browser sends no fragment to a server.
"""

from __future__ import annotations

import binascii
import re
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice

from kursk_pbem.errors import FileError, UsageError, Where
from kursk_pbem.formats.canonical import MAX_BYTES, sha256_hex
from kursk_pbem.trust import messages, sofar

ADDRESS = ""
"""The address of the public page, '' until there is one."""
MAX_CHAT = 2_000
"""Maximum length of a link, in characters, that every chat program transports whole."""
TOO_LONG = "too long for some chat programs: save the file instead"
SEEN = "The program that carried the link, and the history of a browser, have seen the link."
MAX_LINKS = 20
"""Maximum links in a mail."""

_MAX_LINK = 2 * MAX_BYTES
_LINK = re.compile(rb"#k([0-9]{1,4}+)\.([A-Za-z0-9_\s-]*+)(?:\.([0-9a-f]{8}))?")
_SPELT = re.compile(rb"(?:%(?:25){0,3}23|-23|\*)(?=k[0-9]{1,4}\.)")
"""The sign # as mail gateways and redirects write it in the middle of their own links."""
_MAX_SPELT = 16_384


def make_link(files: Iterable[bytes], address: str = "") -> str:
    """Return a link with the contents of signed files, without positions. Raises UsageError or FileError.

    ``address``: the address of a page for opening links, or '' for the fragment alone.
    """
    text = b"".join(map(_remove_position, files))
    if not text.isascii() or len(text) > MAX_BYTES:
        raise UsageError("a link cannot carry this letter: save the letter as a file")
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = binascii.b2a_base64(packer.compress(text) + packer.flush(), newline=False).rstrip(b"=")
    body = packed.translate(bytes.maketrans(b"+/", b"-_"))
    return f"{address or ADDRESS}#k1.{body.decode('ascii')}.{sha256_hex(body)[:8]}"


def _remove_position(raw: bytes) -> bytes:
    """Return a turn file without the unsigned position and the block; other files are returned unchanged."""
    raw = sofar.cut_block(raw)
    if not raw.startswith(b"kursk-pbem:") or b"\nstate:" not in raw:
        return raw
    message = messages.read_message(raw, "the message")
    return messages.emit_message(message.content, message.armour).encode("ascii")


def describe_length(link: str) -> str:
    """Return a warning if a link is too long for some chat programs, or ''."""
    return TOO_LONG if len(link) > MAX_CHAT else ""


def check_address(address: str) -> str:
    """Return the address of a page without its fragment. Raises UsageError for text that is no web address."""
    if not re.fullmatch(r"https?://[!-~]{1,500}", address):
        raise UsageError(f"{address[:60]!r} is no address of a web page, such as https://kursk.example/")
    return address.partition("#")[0]


def is_link(text: str | bytes) -> bool:
    """Return whether a text contains a link with signed texts."""
    links = _find_links(text.encode("utf-8", "replace") if isinstance(text, str) else text)
    return next(links, None) is not None


def _find_links(text: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the links in a text, also as gateways and redirects have spelt them anew."""
    yield from _LINK.finditer(text)
    for spelt in islice(_SPELT.finditer(text), MAX_LINKS):
        link = text[spelt.end() : spelt.end() + _MAX_SPELT]
        if spelt[0] == b"-23":  # the escapes of one gateway begin with a dash
            link = re.sub(rb"-(?=[0-9A-F]{2})", b"%", link)
        for _time in range(3):
            link = re.sub(rb"%([0-9A-Fa-f]{2})", lambda match: bytes.fromhex(match[1].decode()), link)
        found = _LINK.match(b"#" + link)
        if found and (found[3] or spelt[0] != b"*"):
            yield found


def read_links(text: bytes, name: str) -> Iterator[bytes]:
    """Yield the signed texts of the links in a text. Raises FileError for too many or damaged links.

    Programs wrap long lines, so white space inside a link is skipped.
    """
    for number, match in enumerate(_find_links(text), 1):
        if number > MAX_LINKS:
            raise FileError(f"the text has more than {MAX_LINKS} links; read the links one by one", Where(name))
        try:
            yield _open_link(match[1], b"".join(match[2].split()), match[3])
        except ValueError as error:
            raise FileError(f"{error}, or ask for the file", Where(name)) from None


def _open_link(form: bytes, body: bytes, checksum: bytes | None) -> bytes:
    """Return the texts of a link. Raises ValueError with the reason and a remedy."""
    if int(form) != 1:
        raise ValueError(f"the link has form {int(form)}, and this release reads form 1: use a newer release")
    if checksum is None:
        raise ValueError("the link is cut off: copy the whole link")
    if len(body) > _MAX_LINK:
        raise ValueError(f"the link has more than {_MAX_LINK} characters: ask for a shorter message")
    if sha256_hex(body)[:8] != checksum.decode("ascii"):
        raise ValueError("the link was changed on the way: copy the link again")
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        packed = binascii.a2b_base64(body.translate(bytes.maketrans(b"-_", b"+/")) + b"=" * (-len(body) % 4))
        text = unpacker.decompress(packed, MAX_BYTES + 1)
    except (binascii.Error, zlib.error):
        text = b""
    if len(text) > MAX_BYTES:
        raise ValueError(f"the link holds more than {MAX_BYTES} bytes: ask for a shorter message")
    if not text or not unpacker.eof:
        raise ValueError("the link holds no message: ask for another link")
    return text
