"""The form of the game so far, packed in comment lines below a turn (docs/formats.md 3.1). No turn is read here."""

from __future__ import annotations

import binascii
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.trust.allowance import Allowance

MAX_UNPACKED, MAX_ITEMS, MAX_MAPPINGS = 2 << 20, 1_000, 64_000
"""The maximum numbers of a block: unpacked bytes, messages and papers, opening braces."""
_ITEM = 6_000
"""The cost of a message or paper in a block, apart from its bytes, in tenths of a microsecond."""
_COLUMNS = 74
_FIRST = "# so-far: messages 0 to {}, packed for programs; you may delete these lines"
_LAST = "# end of so-far"
_SIGNED = b"-----END SSH SIGNATURE-----"
_NAME, _BEGIN, _END = b"so-far", b"so-far:", b"end of so-far"
_KEPT = re.compile(rb"[^\r\n]*+[\r\n]++(?:state:[^\r\n]*+[\r\n]++(?:[ \t](?![ ]*so-far)[^\r\n]*+[\r\n]++)*+)?+")
"""The end of the signature, and the position."""
_STREAM = b"eN"
"""The beginning of the base64 of a zlib stream of this program. The words of the first line lack it."""
_OTHERS = bytes(each for each in range(256) if not (each < 128 and chr(each).isalnum()) and each not in b"+/=")


@frozen
class Below:
    """The text below a turn with the game so far, still unread. ``allowance``: the limit of work to read the mail."""

    packed: bytes = field(repr=False)
    allowance: Allowance | None = None

    def unpack(self) -> Mapping[str, Any]:
        """Return the messages and papers in this text, as two lists. Raises ValueError, zlib.error or FileError."""
        allowance = self.allowance or Allowance.of_file(b"", "")
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(binascii.a2b_base64(self.packed), MAX_UNPACKED)
        allowance.take(2 * len(text))
        if not unpacker.eof or text.count(b"{") > MAX_MAPPINGS:
            raise ValueError("the block is too long, or cut off")
        lists = json.loads(text)
        items = len(lists["messages"]) + len(lists.get("papers", ()))
        if items > MAX_ITEMS or lists["type"] != "so-far":
            raise ValueError("the block has too much in it, or something else")
        allowance.take(_ITEM * items)
        return dict(lists)


def find_block(raw: bytes, allowance: Allowance | None = None) -> Below | None:
    """Return the block below a turn's signature, in a file or a mail's text, or None without a block."""
    begin = raw.find(_BEGIN, max(raw.rfind(_SIGNED), 0))
    end = raw.find(_END, begin) if begin >= 0 else -1
    _words, mark, rest = raw[begin:end].translate(None, _OTHERS).partition(_STREAM)
    return Below(mark + rest, allowance) if mark and end >= 0 else None


def cut_block(raw: bytes) -> bytes:
    """Return a turn file without the block below signature and position, even if the block is damaged."""
    signed = raw.rfind(_SIGNED)
    if signed < 0 or raw.find(_NAME, signed) < 0:
        return raw
    kept = _KEPT.match(raw, signed)
    return raw[: kept.end()] if kept is not None else raw


def pack(messages: Sequence[Mapping[str, Any]], papers: Sequence[Mapping[str, Any]] = ()) -> str:
    """Return comment lines with the messages from message 0 on and the papers, or '' without messages and papers.

    Keys keep the same order, so a file restored from the lines has the same bytes as the original.
    """
    if not messages:
        return ""
    lists = {"messages": messages, "type": "so-far"} | ({"papers": papers} if papers else {})
    text = json.dumps(lists, separators=(",", ":")).encode("ascii")
    base64 = binascii.b2a_base64(zlib.compress(text, 9), newline=False).decode("ascii")
    rows = (f"# {base64[at : at + _COLUMNS]}" for at in range(0, len(base64), _COLUMNS))
    return "\n".join([_FIRST.format(len(messages) - 1), *rows, _LAST, ""])
