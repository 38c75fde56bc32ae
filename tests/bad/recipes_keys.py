"""Wrong key files: private keys of the player, public keys of the opponent."""

from __future__ import annotations

import base64
from collections.abc import Callable

from bad.bad_desk import Bad, Base
from bad.bad_text import Change, rewrite
from kursk_pbem.trust import sshsig

PROPOSE = "propose battle-for-kursk/citadel --as german --key ME --opponent FILE --dir GAME"
SIGN = "sign DRAFT --key FILE --yes -q"


def _pack(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def of_kind(kind: str, body: bytes) -> str:
    return f"{kind} {base64.b64encode(_pack(kind.encode()) + body).decode('ascii')} boris\n"


def change_public(change: Callable[[str], str]) -> Bad:
    """Return the changed public key of the opponent."""
    return Bad(PROPOSE, "german 0", lambda base: change(f"{base.signers['russian'].public} boris\n").encode("utf-8"))


def change_private(change: Change) -> Bad:
    """Return the changed key file of the player."""
    return Bad(SIGN, "german 8", lambda base: change((base.demo / "german" / "me").read_bytes()))


def _make_container(base: Base, kind: bytes) -> bytes:
    """Return the outside of a private key file of another kind."""
    public_ = _pack(kind) + _pack(bytes(range(32)))
    blob = b"openssh-key-v1\0" + _pack(b"none") + _pack(b"none") + _pack(b"") + (1).to_bytes(4, "big") + _pack(public_)
    text = base64.b64encode(blob + _pack(b"")).decode("ascii")
    return f"-----BEGIN OPENSSH PRIVATE KEY-----\n{text}\n-----END OPENSSH PRIVATE KEY-----\n".encode("ascii")


RSA = of_kind("ssh-rsa", _pack(b"\x01\x00\x01") + _pack(b"\x00" + b"\xab" * 128))
FILES: dict[str, Bad] = {
    **{
        f"weak-{number:02d}.pub": change_public(lambda _text, key=key: f"{sshsig.public_text(key)} weak\n")  # type: ignore[misc]
        for number, key in enumerate(sorted(sshsig.WEAK_KEYS))
    },
    "rsa.pub": change_public(lambda _text: RSA),
    "ecdsa.pub": change_public(
        lambda _text: of_kind("ecdsa-sha2-nistp256", _pack(b"nistp256") + _pack(b"\x04" + b"\x01" * 64))
    ),
    "security-key.pub": change_public(
        lambda _text: of_kind("sk-ssh-ed25519@openssh.com", _pack(bytes(range(32))) + _pack(b"ssh:"))
    ),
    "certificate.pub": change_public(lambda _text: of_kind("ssh-ed25519-cert-v01@openssh.com", _pack(b"nonce"))),
    "own.pub": Bad(PROPOSE, "german 0", lambda base: f"{base.signers['german'].public} me\n".encode("ascii")),
    "two-keys.pub": change_public(lambda text: text * 2),
    "empty.pub": change_public(lambda _text: ""),
    "words.pub": change_public(lambda _text: "my key is the one with the red tag\n"),
    "kind-alone.pub": change_public(lambda _text: "ssh-ed25519\n"),
    "cut-off.pub": change_public(lambda text: text[:60]),
    "one-letter-changed.pub": change_public(lambda text: text.replace("AAAAC3", "AAAAC4")),
    "one-letter-more.pub": change_public(lambda text: text.replace(" boris", "A boris")),
    "other-letter.pub": change_public(lambda text: text.replace("AAAAC3", "AAA\u0410C3")),
    "kind-wrong.pub": change_public(lambda text: text.replace("ssh-ed25519", "ssh-ed25518")),
    "options-before.pub": change_public(lambda text: f'namespaces="kursk-pbem" {text}'),
    "private-for-public.pub": Bad(PROPOSE, "german 0", lambda base: (base.demo / "russian" / "me").read_bytes()),
    "fingerprint.pub": change_public(
        lambda _text: "256 SHA256:qhL5F926lLPVm7L2G1P4pi2CotI1uhyY8QKsE5ac6lQ boris (ED25519)\n"
    ),
    # for signing
    "words.key": change_private(rewrite("correct horse battery staple\n")),
    "empty.key": change_private(rewrite("")),
    "cut-off.key": change_private(lambda text: text[:200]),
    "rsa.key": Bad(SIGN, "german 8", lambda base: _make_container(base, b"ssh-rsa")),
    "security.key": Bad(SIGN, "german 8", lambda base: _make_container(base, b"sk-ssh-ed25519@openssh.com")),
    "pem.key": change_private(
        rewrite("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAAAAAAAAAAAAAAA\n-----END PRIVATE KEY-----\n")
    ),
    "putty.key": change_private(rewrite("PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: me\n")),
    "of-the-other-side.key": Bad(SIGN, "german 8", lambda base: (base.demo / "russian" / "me").read_bytes()),
    "rsa-public.key": change_private(rewrite(RSA)),
    "too-long.key": Bad(SIGN, "german 8", lambda _base: b"x" * 70_000),
}
