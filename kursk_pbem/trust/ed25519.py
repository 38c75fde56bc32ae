"""Ed25519 (RFC 8032), by ``cryptography`` or by the JavaScript module ``kursk_ed25519`` of a web page.

Both backends verify without cofactor (protocol 3.4): [S]B - [h]key must encode to the bytes of R.
"""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("cryptography"):
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

    def derive_public(seed: bytes) -> bytes:
        """Return the public key of a seed; both have 32 bytes."""
        return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()

    def sign(seed: bytes, message: bytes) -> bytes:
        """Return the 64-byte signature by the key of a seed."""
        return Ed25519PrivateKey.from_private_bytes(seed).sign(message)

    def verify(key: bytes, signature: bytes, message: bytes) -> bool:
        """Return whether a signature fits the public key and the message."""
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True

else:
    import kursk_ed25519  # type: ignore[import-not-found]
    from pyodide.ffi import to_js  # type: ignore[import-not-found]

    def derive_public(seed: bytes) -> bytes:
        """Return the public key of a seed; both have 32 bytes."""
        return bytes(kursk_ed25519.public(to_js(seed)).to_bytes())

    def sign(seed: bytes, message: bytes) -> bytes:
        """Return the 64-byte signature by the key of a seed."""
        return bytes(kursk_ed25519.sign(to_js(seed), to_js(message)).to_bytes())

    def verify(key: bytes, signature: bytes, message: bytes) -> bool:
        """Return whether a signature fits the public key and the message."""
        return bool(kursk_ed25519.verify(to_js(key), to_js(signature), to_js(message)))
