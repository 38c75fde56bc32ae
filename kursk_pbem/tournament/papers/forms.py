"""Reading and signing of a paper (docs/directors.md 6.1).

A paper is strict YAML of text, lists and mappings. The signature covers the canonical JSON of the paper, in a separate
SSHSIG namespace: a paper cannot pass for a message (T31).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from kursk_pbem.errors import FileError, TrustError, Where
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES, Plain, canon, sha256_hex
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.yamlout import yaml_lines
from kursk_pbem.frozen import frozen
from kursk_pbem.tournament.papers import fields
from kursk_pbem.trust import form, messages, sshsig
from kursk_pbem.trust.keys import Signer

NAMESPACE = "kursk-tournament"
SECRET_NAMESPACE = "kursk-tournament-secret"  # noqa: S105  the name of a namespace
FIRST_WORD = "kursk-tournament"
"""The first key of a paper."""

ONE_LINE = ("name", "title")
"""Fields that must have one line, because a second line could imitate the program's own text."""
_SIGNATURES = ("signature", "countersignature")
SCHEMA: Literal["tournament"] = "tournament"


@frozen
class Paper(messages.Signed):
    """A signed paper of a tournament: its fields, canonical bytes, and id (SHA-256).

    ``armour``: the unverified signature. ``second``: in a ``new-key`` paper, the new key's 64-byte signature in hex.
    """

    content: dict[str, Plain]
    armour: str
    id: str
    signed: bytes = field(repr=False)
    document: Document = field(repr=False, compare=False)
    second: str = ""

    @property
    def name(self) -> str:
        """The file name of the paper, as people read it."""
        return self.document.name

    @property
    def of_log(self) -> bool:
        """Whether the paper is a log paper. A log paper has a number."""
        return self.type in fields.LOG

    def said(self, name: str) -> Any:
        """Return the value of a field of any type, or '' if the paper lacks the field."""
        return self.content.get(name, "")

    def texts(self, name: str) -> list[str]:
        """Return a field that is a list of texts, or an empty list if the paper lacks the field."""
        value = self.content.get(name, [])
        if not isinstance(value, list):
            raise TypeError(name)
        return [str(item) for item in value]

    def number(self, name: str) -> int:
        """Return a field's value as a whole number."""
        return int(self.text(name))


def read_paper(raw: bytes, name: str) -> Paper:
    """Return a paper from YAML bytes. ``name``: the file name in messages. Raises FileError for malformed data."""
    return parse_paper(strictyaml.read(raw, name, SCHEMA))


def parse_paper(document: Document) -> Paper:
    """Return the paper in a YAML file. Raises FileError for malformed data."""
    content = check_content(document)
    armour, second = (content.pop(key, "") for key in _SIGNATURES)
    if not armour:
        raise FileError("the paper is not signed; ask the writer for the signed paper", Where(document.name))
    return _make_paper(content, str(armour), str(second), document)


def check_content(document: Document) -> dict[str, Plain]:
    """Check a file against the schema, the fields of its type and the calendar; return its content."""
    kind = document.data.get("type")
    if "kursk-pbem" in document.data:
        raise FileError("the file is a message or paper of a game, not of a tournament", document.where())
    form.refuse_early(document)
    schema.check(document.data, SCHEMA, document)
    content = dict(document.data)
    missing, surplus = fields.find_misfits({key: content[key] for key in content if key not in _SIGNATURES})
    form.need_fields(document, f"a paper of type {kind}", missing, surplus)
    if "countersignature" in content and kind != fields.NEW_KEY:
        raise FileError("only a paper of type new-key has a second signature", document.where(("countersignature",)))
    for key in ONE_LINE:
        if "\n" in str(content.get(key, "")):
            raise FileError(f"a {key} is one line", document.where((key,)))
    form.need_times(document, ("time", "due", "until", "first", "last"))
    return content


def _make_paper(content: dict[str, Plain], armour: str, second: str, document: Document) -> Paper:
    signed = canon(content)
    large = len(signed) > MAX_BYTES // 32 and len(_emit_fields(content, armour, second)) > MAX_BYTES
    if large or len(signed) > MAX_BYTES:
        raise FileError(f"the paper has more than {MAX_BYTES} bytes", Where(document.name))
    return Paper(content, armour, sha256_hex(signed), signed, document, second)


def sign_paper(
    content: Mapping[str, Plain], signer: Signer, name: str, new: Signer | None = None, document: Document | None = None
) -> Paper:
    """Return a signed paper. ``new``: a new key that signs, too. ``document``: the edited form, for lines in errors."""
    required, optional = fields.fields_of_type(str(content["type"]))
    ordered = {key: content[key] for key in (*required, *optional) if key in content}
    ordered |= content  # check_content refuses surplus fields
    document = Document(ordered, name, document.raw if document is not None else b"")
    data = canon(check_content(document))
    second = new.raw(NAMESPACE, data).hex() if new is not None else ""
    return _make_paper(dict(ordered), signer.sign(NAMESPACE, data), second, document)


def emit_paper(paper: Paper) -> str:
    """Return a paper as ASCII YAML that ends with a newline. Reading this text gives an equal paper."""
    return _emit_fields(paper.content, paper.armour, paper.second)


def _emit_fields(content: Mapping[str, Plain], armour: str, second: str) -> str:
    required, optional = fields.fields_of_type(str(content["type"]))
    lines = yaml_lines({key: content[key] for key in (*required, *optional) if key in content})
    lines += yaml_lines({"countersignature": second}) if second else []
    lines += ["signature: |", *(f"  {line}" for line in map(str.strip, armour.split("\n")) if line)]
    return "\n".join([*lines, ""])


def check_signature(paper: Paper, key: str) -> None:
    """Check a paper's signature by a key. For a ``new-key``, check the new key's signature, too. Raises TrustError."""
    _verify_signature(paper, key, paper.armour, "signature")
    if paper.type == fields.NEW_KEY:
        if not paper.second:
            raise TrustError("signature", "the signature of the new key is missing", paper.where())
        new = paper.text("new")
        armour = sshsig.armour_signature(sshsig.public_key(new), NAMESPACE, bytes.fromhex(paper.second))
        _verify_signature(paper, new, armour, "countersignature")


def _verify_signature(paper: Paper, key: str, armour: str, where: str) -> None:
    try:
        sshsig.verify(key, NAMESPACE, paper.signed, armour)
    except TrustError as error:
        raise TrustError(error.fault, error.message, paper.where(where)) from None
