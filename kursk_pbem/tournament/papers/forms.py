"""A paper of a tournament as it is read and signed: docs/directors.md 6.1.

Strict YAML of text, lists and mappings, like a message; canonical JSON without the signatures is what is signed and
hashed; the signature is SSHSIG in a namespace of its own, so that no paper passes for a message (T31).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.errors import FileError, TrustError, Where
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES, Plain, canon, sha256_hex
from kursk_pbem.formats.precheck import is_accepted
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.yamlout import yaml_lines
from kursk_pbem.tournament.papers import fields
from kursk_pbem.trust import form, messages, sshsig
from kursk_pbem.trust.keys import Signer

NAMESPACE = "kursk-tournament"
SECRET_NAMESPACE = "kursk-tournament-secret"  # noqa: S105  the name of a namespace
FIRST_WORD = "kursk-tournament"
"""The key that a paper begins with."""

ONE_LINE = ("name", "title")
"""Free text that stands in lines of ours: with a line of its own it could say anything in our name."""
_SIGNATURES = ("signature", "countersignature")
_SCHEMA = "tournament"


@dataclass(frozen=True)
class Paper(messages.Signed):
    """One paper as read. ``content`` is the signed mapping, ``signed`` its canonical bytes, ``id`` their SHA-256.

    ``armour`` is the signature as written, not yet checked; ``second`` that of the new key under a ``new-key``, its 64
    bytes in hex, otherwise ''.
    """

    content: dict[str, Plain]
    armour: str
    id: str
    signed: bytes = field(repr=False)
    document: Document = field(repr=False, compare=False)
    second: str = ""

    @property
    def name(self) -> str:
        """The file it came from, as a person calls it."""
        return self.document.name

    @property
    def former(self) -> bool:
        """Whether it is of version 1."""
        return self.content["kursk-tournament"] == fields.FORMER

    @property
    def of_log(self) -> bool:
        """Whether it is the director's, with a number in the log."""
        return self.type in fields.LOG

    def said(self, name: str) -> Any:
        """A field of any form; '' if it is absent, which for a paper means that it says nothing of it."""
        return self.content.get(name, "")

    def texts(self, name: str) -> list[str]:
        """A field that is a list of texts; empty if it is absent. TypeError for another form; reading rules it out."""
        value = self.content.get(name, [])
        if not isinstance(value, list):
            raise TypeError(name)
        return [str(item) for item in value]

    def number(self, name: str) -> int:
        """A field that is a whole number."""
        return int(self.text(name))


def read(raw: bytes, name: str) -> Paper:
    """Read a paper from its YAML file; ``name`` is the file as a person calls it. FileError."""
    return of(strictyaml.read(raw, name, "tournament"))


def fits(document: Document) -> bool:
    """Whether a file has the form of a paper, as far as that is found out without words about what is wrong."""
    return is_accepted(document.data, _SCHEMA)


def of(document: Document) -> Paper:
    """The paper that a file holds. FileError."""
    content = _checked(document)
    armour, second = (content.pop(key, "") for key in _SIGNATURES)
    if not armour:
        raise FileError("this paper is not signed; ask its writer for the signed one", Where(document.name))
    return _paper(content, str(armour), str(second), document)


def _checked(document: Document) -> dict[str, Plain]:
    """Hold a file to the schema, to the fields of its type, and its times to the calendar. FileError."""
    kind = document.data.get("type")
    if "kursk-pbem" in document.data:
        raise FileError("this is no paper of a tournament, but a message or paper of a game", document.where())
    schema.check(document.data, _SCHEMA, document)
    content = dict(document.data)
    missing, surplus = fields.misfits({key: content[key] for key in content if key not in _SIGNATURES})
    form.need_fields(document, f"a paper of type {kind}", missing, surplus)
    if "countersignature" in content and kind != fields.NEW_KEY:
        raise FileError("only a new key signs beside the old one", document.where(("countersignature",)))
    for key in ONE_LINE:
        if "\n" in str(content.get(key, "")):
            raise FileError(f"a {key} is one line", document.where((key,)))
    form.need_times(document, ("time", "due", "until", "first", "last"))
    return content


def _paper(content: dict[str, Plain], armour: str, second: str, document: Document) -> Paper:
    signed = canon(content)
    if len(signed) > MAX_BYTES or (len(signed) > MAX_BYTES // 32 and len(_emit(content, armour, second)) > MAX_BYTES):
        raise FileError(f"written line by line or as JSON it has more than {MAX_BYTES} bytes", Where(document.name))
    return Paper(content, armour, sha256_hex(signed), signed, document, second)


def draft(raw: bytes, name: str) -> Document:
    """Read the rules of a tournament that are still to be signed: YAML, not yet held to any form. FileError."""
    return strictyaml.read_edited(raw, name, "tournament")


def sign(
    content: Mapping[str, Plain], signer: Signer, name: str, new: Signer | None = None, document: Document | None = None
) -> Paper:
    """A paper with this content, signed; ``new`` is the new key that signs too. FileError if the form is wrong.

    ``document``: the form that it was written from, for the lines of what is wrong.
    """
    required, optional = fields.of_type(str(content["type"]), str(content["kursk-tournament"]))
    ordered = {key: content[key] for key in (*required, *optional) if key in content}
    ordered |= content  # a field too many is refused below
    document = Document(ordered, name, document.raw if document is not None else b"")
    data = canon(_checked(document))
    second = new.raw(NAMESPACE, data).hex() if new is not None else ""
    return _paper(dict(ordered), signer.sign(NAMESPACE, data), second, document)


def emit(paper: Paper) -> str:
    """A paper as the YAML text that is mailed and kept: pure ASCII, ends in a newline. Reading it gives it back."""
    return _emit(paper.content, paper.armour, paper.second)


def _emit(content: Mapping[str, Plain], armour: str, second: str) -> str:
    required, optional = fields.of_type(str(content["type"]), str(content["kursk-tournament"]))
    lines = yaml_lines({key: content[key] for key in (*required, *optional) if key in content})
    lines += yaml_lines({"countersignature": second}) if second else []
    lines += ["signature: |", *(f"  {line}" for line in map(str.strip, armour.split("\n")) if line)]
    return "\n".join([*lines, ""])


def check_signature(paper: Paper, key: str) -> None:
    """That a paper is signed by this key, a ``new-key`` by the key it names too. TrustError (signature)."""
    _verify(paper, key, paper.armour, "signature")
    if paper.type == fields.NEW_KEY:
        if not paper.second:
            raise TrustError("signature", "the new key has not signed it too", paper.where())
        new = paper.text("new")
        armour = sshsig.armour_signature(sshsig.public_key(new), NAMESPACE, bytes.fromhex(paper.second))
        _verify(paper, new, armour, "countersignature")


def _verify(paper: Paper, key: str, armour: str, where: str) -> None:
    try:
        sshsig.verify(key, NAMESPACE, paper.signed, armour)
    except TrustError as error:
        raise TrustError(error.fault, error.message, paper.where(where)) from None
