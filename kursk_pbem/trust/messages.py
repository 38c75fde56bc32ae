"""Messages: the fields of each type (protocol 2.2), and two written forms (3.1, 3.6).

The signed object is the mapping of a turn file without ``signature`` and ``state``. The signature covers its canonical
JSON; the SHA-256 of the JSON is the message's id. The YAML file is for people and mail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from kursk_pbem.errors import FileError, NewerError, TrustError, Where
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES, REFEREE, Plain, canon, parse_canonical, sha256_hex, state_hash
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import free_text_fault, machine_fault, show
from kursk_pbem.formats.yamlout import yaml_lines
from kursk_pbem.frozen import frozen
from kursk_pbem.trust import form, sofar, sshsig
from kursk_pbem.trust.sofar import Below

VERSION = "1"

READING_ORDER = (
    *("kursk-pbem", "type", "game", "seq", "from", "prev", "open", "commit", "mix", "nonce", "continues", "what-if"),
    *("dice-from", "keys", "names", "ruleset", "scenario", "options", "seals", "tournament", "reveal", "dice"),
    *("state-in", "pending", "choice", "waive", "orders", "decisions", "policy", "seal", "secret", "kept", "offer"),
    *("reply", "next", "note", "state-out"),
)
"""The order of the fields in a file (protocol 3.6). Keys inside a field keep the order of the received file."""

_KNOWN = frozenset((*READING_ORDER, "signature", "state"))

CHOOSE = frozenset(("choice", "waive", "orders", "decisions", "policy", "secret", "kept"))
"""The fields that a writer chooses freely (protocol 2.1). They never influence a die of the same message."""

_COMMON = frozenset(("kursk-pbem", "type", "seq", "from", "commit", "state-out"))
_LATER = _COMMON | {"game", "prev", "open", "state-in"}
_HEAD = _COMMON | {"nonce", "keys", "names", "ruleset", "scenario", "options", "dice-from"}
_DUTIES = frozenset(("reveal", "dice", "pending"))

FIELDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "propose": (_HEAD, frozenset(("continues", "what-if", "seals", "tournament", "note"))),
    "accept": (_LATER, (_DUTIES | CHOOSE | {"note"}) - {"dice"}),
    "turn": (_LATER, _DUTIES | CHOOSE | {"note"}),
    "offer": (_LATER | {"offer"}, (_DUTIES | {"note"}) - {"pending"}),  # dice requests leave no room for an offer
    "reply": (_LATER | {"reply"}, frozenset(("note",))),
    "resign": (_LATER, _DUTIES | {"note"}),
}
"""For each type of message: the required and the optional fields (protocol 2.2, players' dice)."""

_BINDING = frozenset(("open", "commit"))
_ROLLED = frozenset(("dice", "pending"))
_HANDING = (_LATER, _ROLLED | {"next", "note"})
"""Fields of the referee's messages after M0, with referee's dice: dice and the next writer, no choices."""

_PAPERS = ("receipt", "extension", "forfeit")


@frozen
class Signed:
    """A signed file as read. ``content``: the signed mapping; ``signed``: its canonical bytes; ``id``: their SHA-256.

    ``armour``: the signature as text, not yet checked. ``below``: the block with the game so far, not yet read.
    """

    content: dict[str, Plain]
    armour: str
    id: str
    signed: bytes = field(repr=False)
    document: Document = field(repr=False, compare=False)
    below: Below | None = field(default=None, repr=False, compare=False, kw_only=True)

    @property
    def seq(self) -> int:
        """The number of the message, from 0. A referee's paper has the number of the message that it is about."""
        return int(self.text("seq"))

    @property
    def sender(self) -> str:
        """The side that claims to have written the file. Only the signature proves this."""
        return self.text("from")

    @property
    def type(self) -> str:
        """The type of the message or paper. It is a key of ``FIELDS`` in the module of the type."""
        return self.text("type")

    @property
    def game(self) -> str:
        """The id of the game, equal to the id of message 0. Later messages and papers name the id; '' if missing."""
        return self.id if (self.seq, self.type) == (0, "propose") else str(self.content.get("game", ""))

    def check_position(self) -> None:
        """Compare the position below the signature with the hash that is signed. Raises TrustError."""
        if not self.is_whole:
            why = (
                "the position below the signature differs from the signed position: the mail changed the position or "
                "cut off the end. Delete the position, from the line 'state:' to the end, and take the message again"
            )
            raise TrustError("state", why, self.where("state"))

    @property
    def is_whole(self) -> bool:
        """Whether the position below the signature is missing, or is the position that is signed."""
        return True

    def text(self, name: str) -> str:
        """Return the value of a text field. Raises KeyError or TypeError if the file was not checked when read."""
        value = self.content[name]
        if not isinstance(value, str):
            raise TypeError(name)
        return value

    def where(self, *path: str | int) -> Where:
        """Return the file and the line of the value at ``path`` (field names and list positions)."""
        return self.document.where(path)

    def check_signature(self, key: str, namespace: str = sshsig.NAMESPACE) -> bytes:
        """Check the signature by a public key; return its 64 bytes. Raises TrustError with file and line."""
        try:
            return sshsig.verify(key, namespace, self.signed, self.armour)
        except TrustError as error:
            raise TrustError(error.fault, error.message, self.where("signature")) from None

    def is_signed_by(self, key: str) -> bool:
        """Return whether the owner of the public key ``key`` made the signature."""
        try:
            sshsig.verify(key, sshsig.NAMESPACE, self.signed, self.armour)
        except TrustError:
            return False
        return True


@frozen
class Message(Signed):
    """A message as read; the chain checks its signature later. A draft has an empty signature and an empty id.

    ``state``: the attached position. It is unverified until its hash is compared with the field ``state-out``.
    """

    state: dict[str, Plain] | None = None

    def mapping(self, name: str) -> Mapping[str, Any]:
        """Return the value of a field that is a mapping, or {} without the field. Raises TypeError for other values."""
        value = self.content.get(name, {})
        if not isinstance(value, dict):
            raise TypeError(name)
        return value

    @property
    def is_whole(self) -> bool:
        """Whether the position below the signature is missing, or has the hash that is signed."""
        return self.state is None or state_hash(self.state) == self.content.get("state-out")


def read_message(raw: bytes, name: str) -> Message:
    """Return the message in a signed turn file (YAML). ``name``: the file's name in errors. Raises FileError.

    Check everything possible without other messages: the form, the schema, the existence of a signature. The signature
    is *not* verified.
    """
    below = sofar.find_block(raw)
    try:
        return replace(_parse_file(raw, name), below=below)
    except FileError as error:
        raise add_advice(error, raw, name) from None


def _parse_file(raw: bytes, name: str) -> Message:
    """Return the signed message of a file; a damaged block below does not count. Raises FileError."""
    try:
        return parse_message(strictyaml.read(raw, name))
    except FileError:
        if (bare := sofar.cut_block(raw)) == raw:
            raise
        return parse_message(replace(strictyaml.read(bare, name), raw=raw))


def parse_message(document: Document) -> Message:
    """Return the signed message in a file. Raises FileError."""
    content, armour, state = _split_parts(document)
    if armour is None:
        msg = (
            "this is an unsigned draft: 'kursk check' checks your own draft, and 'kursk sign' signs the draft; if the "
            "file came by mail, ask the sender for the signed file"
        )
        raise FileError(msg, Where(document.name))
    return _make_message(content, armour, state, document)


SIGNED = "a receiver cannot repair a signed turn: ask the writer to send the turn again, if need be as an attachment"


def add_advice(error: FileError, raw: bytes, name: str) -> FileError:
    """Return an error about a file. If the file is signed and the error has no advice, add advice for the receiver."""
    advised = isinstance(error, NewerError) or re.search("[Aa]sk (for|its|the) |release ", error.message)
    if advised or sshsig.BEGIN.encode("ascii") not in raw:
        return error
    why = re.sub("; (?:keep one|delete [a-z ]+|correct [a-z ]+)", "", error.message)  # advice for the writer of a draft
    if error.where is None:  # a list of errors, each line with its place
        return FileError(f"{why}\n{name}: {SIGNED}")
    between, advice = (" ", SIGNED.capitalize()) if why.endswith("?") else ("; ", SIGNED)
    return FileError(f"{why}{between}{advice}", error.where)


def read_draft(raw: bytes, name: str) -> Message:
    """Return the message in an unsigned draft.

    Fields added by signing (openings, commitments, hashes) may be missing; ``seal`` is allowed.

    Editors may have changed the layout. Raises FileError, also for a field that the message's type forbids.
    """
    document = strictyaml.read_edited(raw, name)
    content, armour, state = _split_parts(document)
    if armour is not None:
        msg = (
            "this file is signed, and a signed file cannot change: name the draft; 'kursk adjudicate' judges a signed "
            "file"
        )
        raise FileError(msg, document.where(("signature",)))
    required, optional = FIELDS[str(content["type"])]
    for key in content:
        if key not in required | optional and not (key == "seal" and "secret" in optional):
            msg = f"a message of type {content['type']} holds no field {key!r}; delete it"
            raise FileError(msg, document.where((key,)))
    return Message(content, "", "", b"", document, state)


def make_draft(content: Mapping[str, Plain]) -> Message:
    """Return a draft from content that this program has made. The content is not checked again."""
    return Message(dict(content), "", "", b"", Document(dict(content), str(content["type"])))


def read_archive(raw: bytes, armour: str, name: str) -> Message:
    """Return the message in an archive: canonical JSON and a separate signature (protocol 3.8). Raises FileError."""
    document = Document(parse_canonical(raw, name), name)
    _check_texts(document)
    content, inside, state = _split_parts(document)
    if inside is not None or state is not None:
        raise FileError("delete the fields 'signature' and 'state': an archived message has neither", Where(name))
    return _make_message(content, armour, None, document)


def _make_message(
    content: dict[str, Plain], armour: str, state: dict[str, Plain] | None, document: Document
) -> Message:
    signed = signed_bytes(content)
    # YAML output grows by escapes and indentation, at most 30 times. A receiver must be able to write and
    # read the message again (T27), and an archive must be able to hold it for auditors.
    if len(signed) > MAX_BYTES or (len(signed) > MAX_BYTES // 32 and len(emit_message(content, armour)) > MAX_BYTES):
        msg = f"written line by line or as JSON it has more than {MAX_BYTES} bytes; ask for a message that says less"
        raise FileError(msg, Where(document.name))
    return Message(content, armour, sha256_hex(signed), signed, document, state)


def _split_parts(document: Document) -> tuple[dict[str, Plain], str | None, dict[str, Plain] | None]:
    """Check a file against the schema. Return the signed content, the signature and the state."""
    refuse_other(document)
    form.refuse_later(document, "kursk-pbem", FIELDS, _KNOWN)
    schema.check(document.data, "message", document)
    content = dict(document.data)
    armour, state = content.pop("signature", None), content.pop("state", None)
    return content, armour if isinstance(armour, str) else None, state if isinstance(state, dict) else None


def refuse_other(document: Document) -> None:
    """Raise FileError if a file is no message, but a referee's paper or a tournament's paper."""
    kind = document.data.get("type")
    if "kursk-tournament" in document.data:
        form.refuse_early(document)
        msg = "this is a paper of a tournament, no message of a game; 'kursk tournament verify' verifies tournaments"
        raise FileError(msg, document.where())
    if isinstance(kind, str) and kind in _PAPERS:
        msg = f"this is a referee's {kind}, no message of a game; 'kursk inbox' takes it"
        raise FileError(msg, document.where(("type",)))


def _check_texts(document: Document) -> None:
    """Check JSON against the limits of the YAML reader (protocol 3.1, 4.2), so both forms have equal limits."""
    where = Where(document.name)
    nodes = 3  # the mapping itself, and the signature in the YAML form
    for name, value in document.data.items():
        for text, free in ((name, False), *_walk_texts(value, free=name in ("note", "names"))):
            nodes += 1
            if fault := (free_text_fault if free else machine_fault)(text):
                msg = f"the character {fault} in {show(text)} is not allowed there; ask for the file again"
                raise FileError(msg, where)
            if len(text) > strictyaml.MAX_SCALAR:
                raise FileError(f"the text has {len(text)} characters, but at most {strictyaml.MAX_SCALAR} fit", where)
    if nodes > strictyaml.MAX_NODES:
        raise FileError(f"{nodes} values; {strictyaml.MAX_NODES} are the most", where)


def _walk_texts(value: Plain, *, free: bool) -> Iterator[tuple[str, bool]]:
    """Yield all texts, and whether free text is allowed; for a list or mapping, an empty text for counting."""
    if isinstance(value, str):
        yield value, free
        return
    yield "", free
    if isinstance(value, list):
        for inner in value:
            yield from _walk_texts(inner, free=free)
    else:
        for key, inner in value.items():
            yield key, False
            yield from _walk_texts(inner, free=free)


def fields_of(kind: str, sender: str, *, refereed: bool) -> tuple[frozenset[str], frozenset[str]]:
    """Return a message's fields: the required fields and the optional fields (protocol 2.2).

    ``refereed``: whether the referee rolls the dice (2.11). If so, players' messages contain ``mix`` and no dice.
    """
    required, optional = FIELDS[kind]
    if not refereed:
        return required, optional
    if kind == "propose":
        return required | {"next"}, optional
    if sender == REFEREE:
        return _HANDING
    return required - _BINDING | {"mix"}, optional - _ROLLED


def find_misfits(content: Mapping[str, Plain], *, refereed: bool = False) -> tuple[list[str], list[str]]:
    """Return the missing fields and the forbidden fields of a message of this type, each list sorted."""
    required, optional = fields_of(str(content["type"]), str(content["from"]), refereed=refereed)
    present = frozenset(content)
    return sorted(required - present), sorted(present - required - optional)


def signed_bytes(content: Mapping[str, Plain]) -> bytes:
    """Return the bytes that are signed: canonical JSON without ``signature`` and ``state``."""
    return canon(content)


def emit_message(
    content: Mapping[str, Plain], armour: str | None = None, state: Mapping[str, Plain] | None = None
) -> str:
    """Return a message as YAML text for a mail (protocol 3.6), in pure ASCII, with a newline at the end.

    Without ``armour`` (the signature) the text is a draft. Reading the text gives an equal message.
    """
    ordered = {key: content[key] for key in READING_ORDER if key in content}
    ordered.update((key, value) for key, value in content.items() if key not in ordered)
    lines = yaml_lines(ordered)
    lines += emit_signature(armour) if armour else []
    if state is not None:
        lines += yaml_lines({"state": state})
    lines.append("")
    return "\n".join(lines)


def emit_signature(armour: str) -> list[str]:
    """Return the lines of a file that are its signature."""
    return ["signature: |", *(f"  {line}" for line in map(str.strip, armour.split("\n")) if line)]


def emit_for_mail(content: Mapping[str, Plain], armour: str, state: Mapping[str, Plain] | None) -> str:
    """Return a signed message as :func:`emit_message` does. If the text would be too long, omit the position.

    Omitting the position is harmless: a position is only for people and is not signed (protocol 3.6).
    """
    text = emit_message(content, armour, state)
    return text if len(text) <= MAX_BYTES else emit_message(content, armour)
