"""Messages: which fields each type holds (protocol 2.2), and their two written forms (3.1, 3.6).

The signed object is a turn file's mapping without ``signature`` and ``state``; its canonical JSON is what the
signature covers, and the SHA-256 of that is the message's id. The YAML file is for people and mail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES, REFEREE, Plain, canon, parse_canonical, sha256_hex
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import free_text_fault, machine_fault, show
from kursk_pbem.formats.yamlout import yaml_lines

VERSION = "1"

READING_ORDER = (
    "kursk-pbem",
    "type",
    "game",
    "seq",
    "from",
    "prev",
    "open",
    "commit",
    "mix",
    "nonce",
    "continues",
    "dice-from",
    "keys",
    "names",
    "ruleset",
    "scenario",
    "options",
    "tournament",
    "reveal",
    "dice",
    "state-in",
    "pending",
    "choice",
    "waive",
    "orders",
    "decisions",
    "policy",
    "seal",
    "secret",
    "offer",
    "reply",
    "next",
    "note",
    "state-out",
)
"""The order of the fields in a file (protocol 3.6); inside a field keys keep the order they came in."""

CHOOSE = frozenset(("choice", "waive", "orders", "decisions", "policy", "secret"))
"""What a writer is free in (protocol 2.1): these fields never feed a die of their own message."""

_COMMON = frozenset(("kursk-pbem", "type", "seq", "from", "commit", "state-out"))
_LATER = _COMMON | {"game", "prev", "open", "state-in"}
_HEAD = _COMMON | {"nonce", "keys", "names", "ruleset", "scenario", "options", "dice-from"}
_DUTIES = frozenset(("reveal", "dice", "pending"))

FIELDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "propose": (_HEAD, frozenset(("continues", "tournament", "note"))),
    "accept": (_LATER, (_DUTIES | CHOOSE | {"note"}) - {"dice"}),
    "turn": (_LATER, _DUTIES | CHOOSE | {"note"}),
    "offer": (_LATER | {"offer"}, (_DUTIES | {"note"}) - {"pending"}),  # dice that stop leave no room for an offer
    "reply": (_LATER | {"reply"}, frozenset(("note",))),
    "resign": (_LATER, _DUTIES | {"note"}),
}
"""For each type of message: the fields it must hold, and those it may hold besides (protocol 2.2, players' dice)."""

_BINDING = frozenset(("open", "commit"))
_ROLLED = frozenset(("dice", "pending"))
_HANDING = (_LATER, _ROLLED | {"next", "note"})
"""The referee's messages after M0, where the referee rolls: dice, and the next writer; no choices."""

_PAPERS = ("receipt", "extension", "forfeit")


class Signed:
    """What messages and a referee's papers have in common: fields that can be asked for, and where they stand."""

    content: dict[str, Plain]
    document: Document

    @property
    def seq(self) -> int:
        """The number of the message, from 0; a paper's is that of the message which it is about."""
        return int(self.text("seq"))

    @property
    def sender(self) -> str:
        """Who claims to have written it."""
        return self.text("from")

    @property
    def type(self) -> str:
        """What kind it is: one of the keys of the module's ``FIELDS``."""
        return self.text("type")

    def text(self, name: str) -> str:
        """A field that is one string. KeyError without it, TypeError if it is no string; reading rules out both."""
        value = self.content[name]
        if not isinstance(value, str):
            raise TypeError(name)
        return value

    def where(self, *path: str | int) -> Where:
        """Return the place in the file of the value at ``path``."""
        return self.document.where(path)


@dataclass(frozen=True)
class Message(Signed):
    """One message as read. ``content`` is the signed mapping, ``signed`` its canonical bytes, ``id`` their SHA-256.

    ``armour`` is the signature as written, not yet checked (that is the chain's work); a draft has none, and no id.
    ``state`` is the position that may travel with it, bound to nothing until someone compares it with ``state-out``.
    """

    content: dict[str, Plain]
    armour: str | None
    state: dict[str, Plain] | None
    id: str
    signed: bytes = field(repr=False)
    document: Document = field(repr=False, compare=False)

    def mapping(self, name: str) -> Mapping[str, Any]:
        """Return a field that is a mapping; empty if it is absent, which means the same. TypeError if it is none."""
        value = self.content.get(name, {})
        if not isinstance(value, dict):
            raise TypeError(name)
        return value


def read(raw: bytes, name: str) -> Message:
    """Read a signed turn file (YAML) with all checks that need no other message: form, schema, a signature is there.

    ``name`` is the file as a person calls it. The signature is *not* verified here. Raises FileError.
    """
    try:
        document = strictyaml.read(raw, name)
        content, armour, state = _parts(document)
    except FileError:
        _refuse_a_letter(raw, name)
        raise
    if armour is None:
        msg = (
            "this file is not signed; if it is your own draft, sign it with 'kursk sign', if it came by mail, ask "
            "for the signed file"
        )
        raise FileError(msg, Where(name))
    return _message(content, armour, state, document)


_FIRST_LINE = re.compile(rb"^([> \t|]*)kursk-pbem:", re.MULTILINE)


def _refuse_a_letter(raw: bytes, name: str) -> None:
    """Say so where what cannot be read is a whole mail, or a quoted one, with a turn file in it."""
    match = _FIRST_LINE.search(raw)
    if match is not None and (raw[: match.start()].strip() or match.group(1).strip()):
        line = raw.count(b"\n", 0, match.start()) + 1
        why = (
            "the turn file begins in this line; save it without what the mail has before and after it and without "
            "marks of quotation, or ask for it as an attachment"
        )
        raise FileError(why, Where(name, line))


def read_draft(raw: bytes, name: str) -> Message:
    """Read an unsigned draft: what signing adds (openings, commitments, hashes) may be absent, ``seal`` may be there.

    The file may be written as editors write text. Raises FileError, also for fields that the type cannot hold.
    """
    document = strictyaml.read_edited(raw, name)
    content, armour, state = _parts(document)
    if armour is not None:
        msg = "this file is signed already, and what is signed cannot be changed; the draft is another file"
        raise FileError(msg, document.where(("signature",)))
    required, optional = FIELDS[str(content["type"])]
    for key in content:
        if key not in required | optional and not (key == "seal" and "secret" in optional):
            msg = f"a message of type {content['type']} holds no field {key!r}; delete it"
            raise FileError(msg, document.where((key,)))
    return Message(content, None, state, "", b"", document)


def draft(content: Mapping[str, Plain]) -> Message:
    """A draft that we have made ourselves, and so need not read."""
    return Message(dict(content), None, None, "", b"", Document(dict(content), str(content["type"])))


def read_archive(raw: bytes, armour: str, name: str) -> Message:
    """Read the auditors' form: canonical JSON and its detached signature (protocol 3.8). Raises FileError."""
    data = parse_canonical(raw, name)
    document = Document(data, name)
    if not _is_plain(raw):
        _check_texts(document)
    content, inside, state = _parts(document)
    if inside is not None or state is not None:
        msg = "an archived message holds neither 'signature' nor 'state': they are not signed"
        raise FileError(msg, Where(name))
    return _message(content, armour, None, document)


def _message(
    content: dict[str, Plain], armour: str | None, state: dict[str, Plain] | None, document: Document
) -> Message:
    signed = signed_bytes(content)
    # Written anew a text grows, by escapes and indentation, at most 30 times. A message that its receiver could not
    # write and read again would stop the game (T27); and one that no archive can hold no auditor could check.
    if len(signed) > MAX_BYTES or (len(signed) > MAX_BYTES // 32 and len(emit(content, armour)) > MAX_BYTES):
        msg = f"written line by line or as JSON it has more than {MAX_BYTES} bytes; ask for a message that says less"
        raise FileError(msg, Where(document.name))
    return Message(content, armour, state, sha256_hex(signed), signed, document)


def _parts(document: Document) -> tuple[dict[str, Plain], str | None, dict[str, Plain] | None]:
    """Check a file against the schema and split it into what is signed, the signature and the state."""
    _refuse_not_yet(document)
    schema.check(document.data, "message", document)
    content = dict(document.data)
    armour, state = content.pop("signature", None), content.pop("state", None)
    return content, armour if isinstance(armour, str) else None, state if isinstance(state, dict) else None


def _refuse_not_yet(document: Document) -> None:
    kind = document.data.get("type")
    if isinstance(kind, str) and kind in _PAPERS:
        msg = f"this is a referee's {kind}, no message of a game; 'kursk adjudicate' takes it"
        raise FileError(msg, document.where(("type",)))


_LONG = re.compile(rb'"[^"]{%d}' % (strictyaml.MAX_SCALAR + 1))


def _is_plain(raw: bytes) -> bool:
    """Whether canonical JSON is so short and plain that :func:`_check_texts` can find nothing: nearly every message.

    It has no more values than bytes, and without escapes its texts are the very characters that stand between quotes.
    """
    plain = raw.isascii() and b"\\" not in raw and raw.decode("ascii").isprintable()
    return plain and len(raw) < strictyaml.MAX_NODES - 3 and _LONG.search(raw) is None


def _check_texts(document: Document) -> None:
    """Hold JSON to the limits of the YAML reader (protocol 3.1, 4.2): both forms may say the same."""
    where = Where(document.name)
    nodes = 3  # the mapping itself, and the signature that stands in the other form
    for name, value in document.data.items():
        for text, free in ((name, False), *_texts(value, free=name in ("note", "names"))):
            nodes += 1
            if fault := (free_text_fault if free else machine_fault)(text):
                msg = f"the character {fault} in {show(text)} is not allowed there; ask for the file again"
                raise FileError(msg, where)
            if len(text) > strictyaml.MAX_SCALAR:
                msg = f"a text of {len(text)} characters; {strictyaml.MAX_SCALAR} are the most"
                raise FileError(msg, where)
    if nodes > strictyaml.MAX_NODES:
        msg = f"{nodes} values; {strictyaml.MAX_NODES} are the most"
        raise FileError(msg, where)


def _texts(value: Plain, *, free: bool) -> Iterator[tuple[str, bool]]:
    """Walk all values: (text, whether it may be free); for a list or mapping itself an empty text, to be counted."""
    if isinstance(value, str):
        yield value, free
        return
    yield "", free
    if isinstance(value, list):
        for inner in value:
            yield from _texts(inner, free=free)
    else:
        for key, inner in value.items():
            yield key, False
            yield from _texts(inner, free=free)


def fields_of(kind: str, sender: str, *, refereed: bool) -> tuple[frozenset[str], frozenset[str]]:
    """Return the fields that a message must hold, and may hold besides (protocol 2.2, ``refereed``: 2.11).

    Then the players keep no nonces: their messages carry ``mix`` instead, and no dice.
    """
    required, optional = FIELDS[kind]
    if not refereed:
        return required, optional
    if kind == "propose":
        return required | {"next"}, optional
    if sender == REFEREE:
        return _HANDING
    return required - _BINDING | {"mix"}, optional - _ROLLED


def misfits(content: Mapping[str, Plain], *, refereed: bool = False) -> tuple[list[str], list[str]]:
    """Return (fields that the type must hold and this message lacks, fields it holds and must not); sorted."""
    required, optional = fields_of(str(content["type"]), str(content["from"]), refereed=refereed)
    present = frozenset(content)
    return sorted(required - present), sorted(present - required - optional)


def signed_bytes(content: Mapping[str, Plain]) -> bytes:
    """Return the bytes that the signature covers: canonical JSON without ``signature`` and ``state``."""
    return canon(content)


def emit(content: Mapping[str, Plain], armour: str | None = None, state: Mapping[str, Plain] | None = None) -> str:
    """Return a message as the YAML text that is mailed (protocol 3.6): pure ASCII, ends in a newline.

    Without ``armour`` it is a draft. Reading it back gives the same parts.
    """
    ordered = {key: content[key] for key in READING_ORDER if key in content}
    ordered.update((key, value) for key, value in content.items() if key not in ordered)
    lines = yaml_lines(ordered)
    if armour is not None:
        lines.append("signature: |")
        lines += [f"  {line}" for line in map(str.strip, armour.split("\n")) if line]
    if state is not None:
        lines += yaml_lines({"state": state})
    lines.append("")
    return "\n".join(lines)


def mailed(content: Mapping[str, Plain], armour: str, state: Mapping[str, Plain] | None) -> str:
    """Return a signed message as :func:`emit`, without the position where the two would be more than may be read.

    What is signed counts alone; the position is there for people, and may be deleted (protocol 3.6).
    """
    text = emit(content, armour, state)
    return text if len(text) <= MAX_BYTES else emit(content, armour)
