"""Address cards: signed notes between two desks, outside every game.

A **card** says: the owner of this key receives mail at this address. The owner signs the card for one reader's key. The
card with the highest serial is valid. A card changes no game, no die and no deadline.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import schema
from kursk_pbem.formats.canonical import Plain, canon, sha256_hex
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.frozen import frozen
from kursk_pbem.trust import form, messages, sshsig

if TYPE_CHECKING:
    from kursk_pbem.trust.keys import Signer

CARD = "card"

FIELDS: Mapping[str, tuple[str, ...]] = {CARD: ("kursk-pbem", "type", "for", "key", "address", "serial")}
"""The fields of each type, in the order of a file. All are required."""


@frozen
class Card(messages.Signed):
    """A card as read from a file."""


def parse_card(document: Document) -> Card:
    """Return the address card in a parsed file. Raises FileError if a field is wrong."""
    content = _check_document(document)
    armour = content.pop("signature", "")
    if not isinstance(armour, str) or not armour:
        raise FileError("this card is not signed; ask for the signed card", Where(document.name))
    return _make_card(content, armour, document)


def _check_document(document: Document) -> dict[str, Plain]:
    form.refuse_later(document, "kursk-pbem")
    schema.check(document.data, "slip", document)
    content = dict(document.data)
    wanted = FIELDS[str(content["type"])]
    missing = [name for name in wanted if name not in content]
    form.need_fields(document, f"a {content['type']}", missing, sorted(set(content) - {*wanted, "signature"}))
    return content


def _make_card(content: dict[str, Plain], armour: str, document: Document) -> Card:
    content = {name: content[name] for name in FIELDS[str(content["type"])]}
    signed = canon(content)
    return Card(content, armour, sha256_hex(signed), signed, document)


def check_card(card: Card) -> None:
    """Check an address card: its signature, and that the key of its reader is well formed. Raises TrustError."""
    sshsig.public_key(card.text("for"))
    card.check_signature(card.text("key"))


def emit_card(card: Card) -> str:
    """Return an address card as YAML text for a mail, in pure ASCII, with a newline at the end."""
    return messages.emit_message(card.content, card.armour)


def sign_card(reader: str, address: str, serial: int, signer: Signer) -> Card:
    """Sign an address card for one reader. ``reader``: the reader's public key. Raises FileError for a bad address."""
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
    return _make_card(_check_document(document), armour, document)
