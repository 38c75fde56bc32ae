"""Slips: what two desks tell each other about their post, signed beside any game, and part of none.

A **card** says: whoever has this key is reached at this address. It is signed by that key, for one reader's key, and
of several the one with the highest serial counts. A slip changes no game, no die and no term.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kursk_pbem.errors import FileError, TrustError, Where
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.canonical import Plain, canon, sha256_hex
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.trust import form, messages, sshsig

if TYPE_CHECKING:
    from kursk_pbem.trust.keys import Signer

CARD = "card"

FIELDS: Mapping[str, tuple[str, ...]] = {CARD: ("kursk-pbem", "type", "for", "key", "address", "serial")}
"""For each type the fields it holds, all of them and in the order of a file."""

_SAID = re.compile(rb"^[ \t]*type:[ \t]*['\"]?(?:%b)\b" % "|".join(FIELDS).encode("ascii"), re.MULTILINE)


@dataclass(frozen=True)
class Slip:
    """A slip as read. ``content`` is the signed mapping, ``id`` its SHA-256; ``armour`` is not checked yet."""

    content: dict[str, Plain]
    armour: str
    id: str
    signed: bytes = field(repr=False)
    document: Document = field(repr=False, compare=False)

    @property
    def type(self) -> str:
        """Which kind it is: one of the keys of :data:`FIELDS`."""
        return self.text("type")

    def text(self, name: str) -> str:
        """A field; all of them are strings."""
        return str(self.content[name])


def is_slip(raw: bytes) -> bool:
    """Whether a file says that it is a slip, rightly or not."""
    return _SAID.search(raw) is not None


def read(raw: bytes, name: str) -> Slip:
    """Read a slip from its YAML file; ``name`` is the file as a person calls it. FileError."""
    document = strictyaml.read(raw, name)
    content = _checked(document)
    armour = content.pop("signature", "")
    if not isinstance(armour, str) or not armour:
        raise FileError("this file is not signed; ask for the signed one", Where(name))
    return _slip(content, armour, document)


def _checked(document: Document) -> dict[str, Plain]:
    schema.check(document.data, "slip", document)
    content = dict(document.data)
    wanted = FIELDS[str(content["type"])]
    missing = [name for name in wanted if name not in content]
    form.need_fields(document, f"a {content['type']}", missing, sorted(set(content) - {*wanted, "signature"}))
    return content


def _slip(content: dict[str, Plain], armour: str, document: Document) -> Slip:
    content = {name: content[name] for name in FIELDS[str(content["type"])]}
    signed = canon(content)
    return Slip(content, armour, sha256_hex(signed), signed, document)


def check(slip: Slip) -> None:
    """TrustError where it is not signed by the key that it names, or names a key that cannot be pinned."""
    sshsig.public_key(slip.text("for"))
    try:
        sshsig.verify(slip.text("key"), sshsig.NAMESPACE, slip.signed, slip.armour)
    except TrustError as error:
        raise TrustError(error.fault, error.message, slip.document.where(("signature",))) from None


def emit(slip: Slip) -> str:
    """Return a slip as the YAML text that is mailed: pure ASCII, ends in a newline."""
    return messages.emit(slip.content, slip.armour)


def card(reader: str, address: str, serial: int, signer: Signer) -> Slip:
    """Return a signed card for the reader with this public key. FileError if the address has not the form of one."""
    content: dict[str, Plain] = {
        "kursk-pbem": messages.VERSION,
        "type": CARD,
        "for": reader,
        "key": signer.public,
        "address": address,
        "serial": str(serial),
    }
    document = Document(content, CARD)
    armour = signer.sign(sshsig.NAMESPACE, canon(content))
    return _slip(_checked(document), armour, document)
