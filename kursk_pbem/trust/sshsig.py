"""SSH signatures (SSHSIG) over Ed25519, read strictly: protocol 3.4.

Stock ``ssh-keygen -Y`` makes and checks the same bytes. Our test accepts a subset of what any OpenSSH accepts: the
blob must equal the one we build ourselves from the pinned key and the last 64 bytes, and S must be below the group
order. So a 64-byte signature has one legal spelling, and whatever we call valid ssh-keygen calls valid.
"""

from __future__ import annotations

import binascii
import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn

from kursk_pbem.errors import TrustError
from kursk_pbem.formats.text import show

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

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


def _str(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _key_blob(key: bytes) -> bytes:
    return _str(_KIND) + _str(key)


def _base64(data: bytes) -> str:
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def public_text(key: bytes) -> str:
    """Return ``ssh-ed25519 AAAA...`` (80 characters, no comment) for a 32-byte public key."""
    return f"ssh-ed25519 {_base64(_key_blob(key))}"


@lru_cache(maxsize=64)
def public_key(text: str) -> bytes:
    """Return the 32 bytes of ``ssh-ed25519 AAAA...``: exactly two fields, base64 in its one spelling, no weak key.

    Raises TrustError (head): a key like this must not be pinned.
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
    if blob != _key_blob(key) or text != public_text(key):
        msg = (
            f"the key {show(text)} is not written as ssh-keygen writes it: 'ssh-ed25519', one blank, 68 characters, "
            "no comment; ask its owner for it again"
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
    """Return the fingerprint of a public key as ``ssh-keygen -lf`` prints it: ``SHA256:`` and 43 characters."""
    return "SHA256:" + _base64(hashlib.sha256(_key_blob(public_key(text))).digest()).rstrip("=")


def signed_data(namespace: str, data: bytes) -> bytes:
    """Return what Ed25519 signs (102 bytes for our namespace): it holds the SHA-512 of ``data``, not ``data``."""
    return (
        b"SSHSIG" + _str(namespace.encode("ascii")) + _str(b"") + _str(b"sha512") + _str(hashlib.sha512(data).digest())
    )


def _blob(key: bytes, namespace: str, signature: bytes) -> bytes:
    return (
        b"SSHSIG"
        + (1).to_bytes(4, "big")
        + _str(_key_blob(key))
        + _str(namespace.encode("ascii"))
        + _str(b"")
        + _str(b"sha512")
        + _str(_str(_KIND) + _str(signature))
    )


def armour(key: bytes, namespace: str, signature: bytes) -> str:
    """Return the armoured signature, ending in a newline: the same bytes that ``ssh-keygen -Y sign`` writes."""
    text = _base64(_blob(key, namespace, signature))
    lines = [text[i : i + _WIDTH] for i in range(0, len(text), _WIDTH)]
    return "\n".join([BEGIN, *lines, END, ""])


def dearmour(armoured: str) -> bytes:
    """Return the blob between the two marker lines. White space there is free, the base64 has one spelling.

    Raises TrustError (signature).
    """
    match = _ARMOUR.fullmatch(armoured)
    if not match:
        _refuse(f"the signature does not stand between the lines {BEGIN!r} and {END!r}")
    encoded = re.sub(r"[ \t\r\n]+", "", match[1])
    try:
        blob = binascii.a2b_base64(encoded.encode("ascii"), strict_mode=True)
    except ValueError:
        _refuse("the signature is not base64")
    if _base64(blob) != encoded:
        _refuse("the base64 of the signature is not spelled as ssh-keygen spells it")
    return blob


def verify(text: str, namespace: str, data: bytes, armoured: str) -> bytes:
    """Check an armoured signature over ``data`` by the public key ``text``; return its raw 64 bytes.

    Raises TrustError: (head) if the key itself cannot be pinned, (signature) for anything else. Whose fault it is
    nobody can tell: a mail program that changed a letter looks the same as a forger.
    """
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  11 ms

    key = public_key(text)
    blob = dearmour(armoured)
    raw = blob[-64:]
    if blob != _blob(key, namespace, raw):
        _refuse("the signature is by another key, or of another kind or purpose")
    if int.from_bytes(raw[32:], "little") >= _L:
        _refuse("the signature has been rewritten (its second half is not reduced)")
    try:
        _verifier(key).verify(raw, signed_data(namespace, data))
    except (InvalidSignature, ValueError):
        _refuse("the signature does not fit the text")
    return raw


@lru_cache(maxsize=64)
def _verifier(key: bytes) -> Ed25519PublicKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    return Ed25519PublicKey.from_public_bytes(key)


def _refuse(fault: str) -> NoReturn:
    msg = (
        f"this copy is not what was signed: {fault}. Ask for the message again, if need be as an attachment; this "
        "accuses nobody"
    )
    raise TrustError("signature", msg) from None
