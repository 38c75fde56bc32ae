"""SSH signatures (SSHSIG) over Ed25519, read strictly: protocol 3.4.

Stock ``ssh-keygen -Y`` makes and checks the same bytes. Our check is stricter than OpenSSH: the blob must equal the
blob built from the pinned key and the last 64 bytes, and S must be below the group order. So a 64-byte signature has
one valid spelling, and ssh-keygen accepts every signature accepted here.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from functools import lru_cache
from typing import NoReturn

from kursk_pbem.errors import TrustError
from kursk_pbem.formats.text import show

NAMESPACE = "kursk-pbem"
BEGIN = "-----BEGIN SSH SIGNATURE-----"
END = "-----END SSH SIGNATURE-----"

_ARMOUR = re.compile(rf"[ \t\r\n]*{BEGIN}[ \t]*[\r\n]([^-]*)[\r\n][ \t]*{END}[ \t\r\n]*")
_KIND = b"ssh-ed25519"
_WIDTH = 70
_L = 2**252 + 27742317777372353535851937790883648493
_P = 2**255 - 19
_ORDER_8 = (  # the y of the points of order 8
    int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"),
    int.from_bytes(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little"),
)
WEAK_KEYS = frozenset(
    (y | sign << 255).to_bytes(32, "little") for y in (0, 1, _P - 1, _P, _P + 1, *_ORDER_8) for sign in (0, 1)
)
"""The 14 encodings of points of small order (protocol 3.4): under such a key one signature fits many messages (T16)."""


def ssh_string(data: bytes) -> bytes:
    """Return bytes as a string of the SSH protocol: their length in four bytes, then the bytes."""
    return len(data).to_bytes(4, "big") + data


def _encode_key(key: bytes) -> bytes:
    return ssh_string(_KIND) + ssh_string(key)


def _encode_base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def public_text(key: bytes) -> str:
    """Return a 32-byte public key as the text ``ssh-ed25519 AAAA...``: 80 characters, no comment."""
    return f"ssh-ed25519 {_encode_base64(_encode_key(key))}"


@lru_cache(maxsize=64)
def public_key(text: str) -> bytes:
    """Return the 32 bytes of a public key from its text ``ssh-ed25519 AAAA...``.

    Raises TrustError (head) unless the text has exactly two fields and canonical base64, and the key is not weak.
    """
    kind, _, encoded = text.partition(" ")
    if kind != "ssh-ed25519":
        msg = (
            f"the key {show(text)} is not of the kind ssh-ed25519; make one with 'kursk keygen FILE' or "
            "'ssh-keygen -t ed25519'"
        )
        raise TrustError("head", msg)
    try:
        blob = binascii.a2b_base64(encoded.encode("ascii"), strict_mode=True)
    except ValueError:
        blob = b""
    key = blob[-32:]
    if blob != _encode_key(key) or text != public_text(key):
        msg = (
            f"the key {show(text)} has not the form of ssh-keygen: 'ssh-ed25519', one blank, 68 characters, "
            "no comment; ask the owner of the key for another copy"
        )
        raise TrustError("head", msg)
    if key in WEAK_KEYS:
        msg = (
            f"the key {show(text)} is a point of small order: one signature would fit many messages. No honest "
            "program makes it; ask for another key"
        )
        raise TrustError("head", msg)
    return key


def fingerprint(text: str) -> str:
    """Return a public key's fingerprint as ``ssh-keygen -lf`` prints it: ``SHA256:`` and 43 characters."""
    return "SHA256:" + _encode_base64(hashlib.sha256(_encode_key(public_key(text))).digest()).rstrip("=")


def signed_data(namespace: str, data: bytes) -> bytes:
    """Return the bytes that Ed25519 signs for ``data``: namespace and SHA-512 (102 bytes for this program)."""
    return (
        b"SSHSIG"
        + ssh_string(namespace.encode("ascii"))
        + ssh_string(b"")
        + ssh_string(b"sha512")
        + ssh_string(hashlib.sha512(data).digest())
    )


def _encode_blob(key: bytes, namespace: str, signature: bytes) -> bytes:
    return (
        b"SSHSIG"
        + (1).to_bytes(4, "big")
        + ssh_string(_encode_key(key))
        + ssh_string(namespace.encode("ascii"))
        + ssh_string(b"")
        + ssh_string(b"sha512")
        + ssh_string(ssh_string(_KIND) + ssh_string(signature))
    )


def armour_signature(key: bytes, namespace: str, signature: bytes) -> str:
    """Return the armoured (printable) signature, with the bytes that ``ssh-keygen -Y sign`` writes."""
    text = _encode_base64(_encode_blob(key, namespace, signature))
    lines = [text[i : i + _WIDTH] for i in range(0, len(text), _WIDTH)]
    return "\n".join([BEGIN, *lines, END, ""])


def read_armour(armoured: str) -> bytes:
    """Return the decoded signature between two marker lines. The base64 must be canonical. White space is ignored.

    Raises TrustError (signature).
    """
    match = _ARMOUR.fullmatch(armoured)
    if not match:
        _refuse_copy(f"the signature is not between the lines {BEGIN!r} and {END!r}")
    encoded = re.sub(r"[ \t\r\n]+", "", match[1])
    try:
        blob = binascii.a2b_base64(encoded.encode("ascii"), strict_mode=True)
    except ValueError:
        _refuse_copy("the signature is not base64")
    if _encode_base64(blob) != encoded:
        _refuse_copy("the base64 of the signature is not spelled as ssh-keygen spells it")
    return blob


def find_signer(armour: str) -> str:
    """Return the public key named in a signature. Raises TrustError if the signature is malformed."""
    # after the magic, the version, and the lengths and name of the key type
    return public_text(read_armour(armour)[33:65])


def verify(text: str, namespace: str, data: bytes, armoured: str) -> bytes:
    """Check an armoured signature over ``data`` by the public key ``text``; return the 64 bytes of the signature.

    Raises TrustError: ``head`` if message 0 may not name such a key, otherwise ``signature``. The error accuses no
    person, because a mail program may have changed a letter.
    """
    from kursk_pbem.trust import ed25519  # noqa: PLC0415  11 ms

    key = public_key(text)
    blob = read_armour(armoured)
    raw = blob[-64:]
    if blob != _encode_blob(key, namespace, raw):
        _refuse_copy("the signature is by another key, or of another kind or purpose")
    if int.from_bytes(raw[32:], "little") >= _L:
        _refuse_copy("the signature has been rewritten (its second half is not reduced)")
    if not ed25519.verify(key, raw, signed_data(namespace, data)):
        _refuse_copy("the signature does not fit the text")
    return raw


def _refuse_copy(fault: str) -> NoReturn:
    msg = (
        f"this copy differs from the signed message: {fault}. Ask for the message again, perhaps as an attachment; a "
        "damaged copy proves nothing"
    )
    raise TrustError("signature", msg) from None
