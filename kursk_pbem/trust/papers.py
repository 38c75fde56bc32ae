"""What a referee signs beside the chain (protocol 2.10): receipts, extensions and forfeits, their fields and forms.

Like a message such a paper is plain data, signed as canonical JSON in the same namespace; but it has no place in the
chain, and nothing in it feeds a die. What it means for a game ``trust/referee.py`` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.canonical import Plain, canon, parse_canonical, sha256_hex
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import machine_fault, show
from kursk_pbem.trust import form, messages, sshsig

if TYPE_CHECKING:
    from kursk_pbem.trust.keys import Signer

RECEIPT, EXTENSION, FORFEIT = "receipt", "extension", "forfeit"
TIMES = ("received", "due", "declared")

FIELDS: Mapping[str, tuple[str, ...]] = {
    RECEIPT: ("kursk-pbem", "type", "game", "seq", "from", "id", "received", "due"),
    EXTENSION: ("kursk-pbem", "type", "game", "seq", "from", "id", "replaces", "due", "declared", "cause"),
    FORFEIT: ("kursk-pbem", "type", "game", "seq", "from", "id", "side", "due", "declared"),
}
"""For each type the fields it holds, all of them and in the order of a file."""

LOG = "log"
"""In a tournament: number and id of the newest paper of its log that the referee had then (docs/directors.md 6)."""
BANK, HOLIDAY, PAUSE = "bank", "holiday", "pause"
"""Why a term is extended: days of the side's own bank, its holidays, or a pause that holds for everybody."""
SUCCESSOR = "successor"
"""In a forfeit: the game with which play goes on, with somebody else on the side that has fallen silent."""
MORE: Mapping[str, tuple[str, ...]] = {RECEIPT: (LOG,), EXTENSION: (LOG,), FORFEIT: (LOG, SUCCESSOR)}
"""Fields that a type may hold besides."""


@dataclass(frozen=True)
class Paper(messages.Signed):
    """A paper as read. ``content`` is the signed mapping, ``signed`` its bytes, ``id`` their SHA-256.

    ``armour`` is the signature as written, not yet checked.
    """

    content: dict[str, Plain]
    armour: str
    id: str
    signed: bytes = field(repr=False)
    document: Document = field(repr=False, compare=False)


def is_paper(raw: bytes) -> bool:
    """Whether a file says that it is one of these papers, rightly or not."""
    if not any(kind.encode("ascii") in raw for kind in FIELDS):
        return False
    try:
        return strictyaml.read(raw, "").data.get("type") in tuple(FIELDS)  # it may be a list
    except FileError:
        return False


def read(raw: bytes, name: str) -> Paper:
    """Read a paper from its YAML file; ``name`` is the file as a person calls it. FileError."""
    document = strictyaml.read(raw, name)
    content = _checked(document)
    armour = content.pop("signature", "")
    if not isinstance(armour, str) or not armour:
        raise FileError("this file is not signed; ask the referee for the signed one", Where(name))
    return _paper(content, armour, document)


def read_archive(raw: bytes, armour: str, name: str) -> Paper:
    """Read the auditors' form: canonical JSON and its signature. FileError."""
    document = Document(parse_canonical(raw, name), name)
    for text in (text for pair in document.data.items() for text in pair if isinstance(text, str)):
        if fault := machine_fault(text):
            raise FileError(f"the character {fault} in {show(text)} is not allowed there", Where(name))
    content = _checked(document)
    if "signature" in content:
        raise FileError("what is archived holds no 'signature': it is not signed", Where(name))
    return _paper(content, armour, document)


def _checked(document: Document) -> dict[str, Plain]:
    """Hold a file to the schema, to the fields of its type, and its times to the calendar."""
    schema.check(document.data, "paper", document)
    content = dict(document.data)
    kind = str(content["type"])
    missing = [name for name in FIELDS[kind] if name not in content]
    form.need_fields(document, f"a {kind}", missing, sorted({*content} - {*FIELDS[kind], *MORE[kind], "signature"}))
    form.need_times(document, TIMES)
    return content


def _paper(content: dict[str, Plain], armour: str, document: Document) -> Paper:
    content = _ordered(content)
    signed = canon(content)
    return Paper(content, armour, sha256_hex(signed), signed, document)


def _ordered(content: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are signed, in the order of a file."""
    kind = str(content["type"])
    return {name: content[name] for name in (*FIELDS[kind], *MORE[kind]) if name in content}


def emit(paper: Paper) -> str:
    """Return a paper as the YAML text that is mailed: pure ASCII, ends in a newline."""
    return messages.emit(paper.content, paper.armour)


def sign(content: Mapping[str, Plain], signer: Signer) -> Paper:
    """Return a paper with this content, signed. FileError if the content has not the form of one."""
    draft = Document(dict(content), str(content["type"]))
    armour = signer.sign(sshsig.NAMESPACE, canon(_ordered(content)))
    return _paper(_checked(draft), armour, draft)
