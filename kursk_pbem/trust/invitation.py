"""Open invitations to a game, and answers (docs/formats.md 5.6). They bind no player, and no game contains them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.errors import FileError
from kursk_pbem.formats import schema, strictyaml, times
from kursk_pbem.formats.canonical import Plain, canon, sha256_hex
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.yamlout import yaml_lines
from kursk_pbem.frozen import frozen
from kursk_pbem.trust import form, messages, sshsig
from kursk_pbem.trust.keys import Signer

FIRST_WORD = NAMESPACE = "kursk-invitation"
INVITATION, ANSWER, EITHER = "invitation", "answer", "either"
MAX_DAYS = 30
_HEAD = (FIRST_WORD, "type", "key", "name", "time")
FIELDS: Mapping[str, tuple[str, ...]] = {
    INVITATION: (*_HEAD, "until", "ruleset", "scenario", "options", "dice-from", "side"),
    ANSWER: (*_HEAD, "invitation"),
}
"""The required fields of each type, in the order of a file."""
_MORE: Mapping[str, tuple[str, ...]] = {INVITATION: ("referee", "note"), ANSWER: ("note",)}


@frozen
class Invitation(messages.Signed):
    """An invitation or an answer with a checked signature."""

    content: dict[str, Any]

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the public key of the writer."""
        return sshsig.fingerprint(self.text("key"))

    def emit(self) -> str:
        """Return the invitation, or the answer to it, as a file in pure ASCII with a newline at the end."""
        return _emit(self.content, self.armour)


def _emit(content: Mapping[str, Plain], armour: str) -> str:
    return "\n".join([*yaml_lines(content), *messages.emit_signature(armour), ""])


def read_invitation(raw: bytes, name: str) -> Invitation:
    """Return a file's invitation, or answer to an invitation, with checked signature. Raises FileError, TrustError."""
    return parse_invitation(strictyaml.read(raw, name, "invitation"))


def parse_invitation(document: Document) -> Invitation:
    """Return the invitation, or answer to an invitation, in a parsed file. Raises FileError and TrustError."""
    form.refuse_later(document, FIRST_WORD)
    schema.check(document.data, "invitation", document)
    content: dict[str, Any] = dict(document.data)
    armour, kind = str(content.pop("signature", "")), str(content["type"])
    missing = [name for name in FIELDS[kind] if name not in content]
    form.need_fields(document, f"an {kind}", missing, sorted({*content} - {*FIELDS[kind], *_MORE[kind]}))
    form.need_times(document, ("time", "until"))
    if kind == INVITATION:
        begins, ends = str(content["time"]), str(content["until"])
        if not begins < ends <= times.add_most(begins, MAX_DAYS):
            why = f"an invitation ends after its time, at most {MAX_DAYS} days later; ask for another invitation"
            raise FileError(why, document.where(("until",)))
    for named in ("key", "referee"):
        if named in content:
            sshsig.public_key(str(content[named]))
    signed = canon(content)
    read = Invitation(content, armour, sha256_hex(signed), signed, document)
    read.check_signature(read.text("key"), NAMESPACE)
    return read


def sign_invitation(content: Mapping[str, Plain], signer: Signer) -> Invitation:
    """Sign an invitation, or the answer to an invitation, with this content. Raises FileError for malformed content."""
    said = {FIRST_WORD: "1", **content, "key": signer.public}
    kind = str(content["type"])
    ordered = {name: said[name] for name in (*FIELDS[kind], *_MORE[kind]) if name in said}
    text = _emit(ordered, signer.sign(NAMESPACE, canon(ordered)))
    return read_invitation(text.encode("ascii"), kind)
