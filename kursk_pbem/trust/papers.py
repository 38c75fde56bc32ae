"""The referee's papers outside the chain (protocol 2.10): fields and forms of receipts, extensions and forfeits.

A paper is plain data, signed as canonical JSON in the same namespace as a message. Papers have no place in the chain,
and feed no die. ``trust/referee.py`` defines their effect on a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.canonical import Plain, canon, parse_canonical, sha256_hex
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import machine_fault, show
from kursk_pbem.frozen import frozen
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
"""The required fields of each type, in the order of a file."""

LOG = "log"
"""Fields of a tournament game: number and id of the newest paper of the log known to the referee (directors.md 6)."""
BANK, HOLIDAY, PAUSE = "bank", "holiday", "pause"
"""Causes of an extension: days from a player's own time bank, a player's holidays, or a pause for all games."""
MORE: Mapping[str, tuple[str, ...]] = {RECEIPT: (LOG,), EXTENSION: (LOG,), FORFEIT: (LOG,)}
"""Optional fields of each type."""


@frozen
class Paper(messages.Signed):
    """A referee's paper as read from a file."""


def read_paper(raw: bytes, name: str) -> Paper:
    """Return the paper in a YAML file. ``name``: the file's name in errors. Raises FileError."""
    return parse_paper(strictyaml.read(raw, name))


def parse_paper(document: Document) -> Paper:
    """Return the paper in a parsed file. Raises FileError."""
    content = _check_document(document)
    armour = content.pop("signature", "")
    if not isinstance(armour, str) or not armour:
        raise FileError("this file is not signed; ask the referee for the signed file", Where(document.name))
    return _make_paper(content, armour, document)


def read_archive(raw: bytes, armour: str, name: str) -> Paper:
    """Return the paper in an archive: canonical JSON and a separate signature. Raises FileError."""
    document = Document(parse_canonical(raw, name), name)
    for text in (text for pair in document.data.items() for text in pair if isinstance(text, str)):
        if fault := machine_fault(text):
            raise FileError(f"the character {fault} in {show(text)} is not allowed here", Where(name))
    content = _check_document(document)
    if "signature" in content:
        raise FileError("delete the field 'signature': an archived paper has its signature in a file", Where(name))
    return _make_paper(content, armour, document)


def _check_document(document: Document) -> dict[str, Plain]:
    """Return the content of a file after checks of schema, fields and times. Raises FileError."""
    form.refuse_later(document, "kursk-pbem")
    schema.check(document.data, "paper", document)
    content = dict(document.data)
    kind = str(content["type"])
    missing = [name for name in FIELDS[kind] if name not in content]
    form.need_fields(document, f"a {kind}", missing, sorted({*content} - {*FIELDS[kind], *MORE[kind], "signature"}))
    form.need_times(document, TIMES)
    return content


def _make_paper(content: dict[str, Plain], armour: str, document: Document) -> Paper:
    content = _order_fields(content)
    signed = canon(content)
    return Paper(content, armour, sha256_hex(signed), signed, document)


def _order_fields(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the signed fields in the order of a file."""
    kind = str(content["type"])
    return {name: content[name] for name in (*FIELDS[kind], *MORE[kind]) if name in content}


def emit_paper(paper: Paper) -> str:
    """Return a paper as YAML text for a mail, in pure ASCII, with a newline at the end."""
    return messages.emit_message(paper.content, paper.armour)


def sign_paper(content: Mapping[str, Plain], signer: Signer) -> Paper:
    """Return a signed paper with this content. Raises FileError if the content is malformed."""
    draft = Document(dict(content), str(content["type"]))
    armour = signer.sign(sshsig.NAMESPACE, canon(_order_fields(content)))
    return _make_paper(_check_document(draft), armour, draft)
