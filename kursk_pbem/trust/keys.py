"""Make and load players' SSH keys, and sign with them (protocol 3.5).

A plain ed25519 key file is loaded directly. Other keys (with a passphrase, an unsupported cipher, or a private half in
an agent) are left to ``ssh-keygen -Y sign``. It asks for the passphrase, so this program never sees one. Ed25519 is
deterministic, so both ways give the same bytes. Security keys (``sk-``) are refused: their signatures contain a
counter, so the secret of protocol 3.7 could not be restored.
"""

from __future__ import annotations

import binascii
import hashlib
import os
import warnings
from collections.abc import Callable
from dataclasses import field
from pathlib import Path

from kursk_pbem.errors import ExposedKeyWarning, TrustError, UsageError, Where
from kursk_pbem.formats import files
from kursk_pbem.formats.text import show, to_utf8
from kursk_pbem.frozen import frozen
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.sshsig import ssh_string

AGENT_WAIT = 3
"""Seconds to wait for an answer of ssh-agent."""
MAX_KEY_FILE = 65_536
COMMENT = "kursk-pbem"
"""Default comment of new keys."""

_BEGIN = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_END = b"-----END OPENSSH PRIVATE KEY-----"
_MAGIC = b"openssh-key-v1\0"
_WIDTH = 70
_THERE = "is already there, and keys are never overwritten: choose another name, or use the key you have"


@frozen
class Signer:
    """A signing key. ``public``: ``ssh-ed25519 AAAA...`` without a comment."""

    public: str
    raw: Callable[[str, bytes], bytes] = field(repr=False)
    """The function that signs: namespace, data -> the 64-byte signature."""

    def sign(self, namespace: str, data: bytes) -> str:
        """Return the printable signature (armour) over ``data``. Raises UsageError if ssh-keygen fails."""
        return sshsig.armour_signature(sshsig.public_key(self.public), namespace, self.raw(namespace, data))


def from_seed(seed: bytes) -> Signer:
    """Return a signer made from a 32-byte Ed25519 seed, for tests. For players' key files use :func:`load_key`."""
    from kursk_pbem.trust import ed25519  # noqa: PLC0415  11 ms

    return Signer(
        sshsig.public_text(ed25519.derive_public(seed)),
        lambda namespace, data: ed25519.sign(seed, sshsig.signed_data(namespace, data)),
    )


def generate_key_pair(path: Path, seed: bytes, comment: str = COMMENT) -> str:
    """Write a key pair without a passphrase, ``path`` (mode 0600) and ``path.pub``. Return the public key as text.

    ``seed``: 32 unpredictable bytes, the private key. Raises UsageError if one of the files exists already.
    ``ssh-keygen -p -f path`` adds a passphrase.
    """
    if not path.name or path.suffix == ".pub":  # a private key with this name would be mistaken for the public key
        msg = f"{path} cannot be the name of a private key: choose one without .pub, which the public key gets"
        raise UsageError(msg)
    pub = _public_path(path)
    public = from_seed(seed).public
    private = _build_key_file(seed, sshsig.public_key(public), comment)
    if pub.exists():  # checked first, so no half of a pair remains
        raise UsageError(f"{pub} {_THERE}")
    _write_new_file(path, private, 0o600)
    _write_new_file(pub, f"{public} {comment}\n".encode("ascii"), 0o644)
    return public


def set_passphrase(path: Path) -> bool:
    """Run ssh-keygen, which asks for a new passphrase of a key file. Return whether the key now has a passphrase."""
    import subprocess  # noqa: PLC0415  3 ms, imported only if needed

    try:
        subprocess.run(["ssh-keygen", "-q", "-p", "-f", str(path)], check=False)
    except OSError:  # missing, or starting programs is forbidden
        return False
    return _split_key_file(_read_key_file(path))[0] != b"none"


def list_agent_keys() -> list[str]:
    """Return ssh-agent's ed25519 keys as (public text, comment). If no agent answers, return no keys."""
    import subprocess  # noqa: PLC0415

    try:
        done = subprocess.run(["ssh-add", "-L"], capture_output=True, check=False, timeout=AGENT_WAIT)
    except (OSError, subprocess.TimeoutExpired):
        return []
    lines = done.stdout.decode("utf-8", "replace").splitlines() if done.returncode == 0 else []
    return [line for line in lines if line.startswith("ssh-ed25519 ")]


def _build_key_file(seed: bytes, public: bytes, comment: str) -> bytes:
    """Return the key file of a seed: openssh-key-v1 without a passphrase.

    The check number is derived from the seed instead of random, so one seed gives one file.
    """
    check = hashlib.sha256(b"kursk-pbem check number " + seed).digest()[:4]
    kind = ssh_string(b"ssh-ed25519")
    inner = check + check + kind + ssh_string(public) + ssh_string(seed + public) + ssh_string(comment.encode("ascii"))
    inner += bytes(range(1, 1 + -len(inner) % 8))
    none = ssh_string(b"none")
    blob = _MAGIC + none + none + ssh_string(b"") + (1).to_bytes(4, "big") + ssh_string(kind + ssh_string(public))
    encoded = binascii.b2a_base64(blob + ssh_string(inner), newline=False)
    lines = [encoded[at : at + _WIDTH] for at in range(0, len(encoded), _WIDTH)]
    return b"\n".join([_BEGIN, *lines, _END, b""])


def _write_new_file(path: Path, data: bytes, mode: int) -> None:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    except FileExistsError:
        raise UsageError(f"{path} {_THERE}") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except OSError as error:  # a full disk
        path.unlink()
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def _public_path(path: Path) -> Path:
    return path if path.suffix == ".pub" else path.with_name(path.name + ".pub")


def read_public(path: Path) -> str:
    """Return the public key in a .pub file as text without comment. Raises UsageError unless the key is valid."""
    if not path.exists():
        msg = f"the file {path} does not exist; a public key is the file NAME.pub made by 'kursk keygen NAME'"
        raise UsageError(msg)
    return parse_public(_read_key_file(path), path)


def parse_public(raw: bytes, path: Path) -> str:
    """Return the public key in the bytes of a .pub file, like :func:`read_public`. ``path``: its name in errors."""
    text = to_utf8(raw).decode("utf-8", "replace").strip()
    if _BEGIN.decode() in text:
        raise UsageError(
            f"{path} is a private key; use the public key, {_public_path(path).name}. "
            "If this private key came by mail, the sender must make a new key with 'kursk keygen FILE'"
        )
    if "\n" in text:
        msg = f"{path} contains more than one line; a public key is one line beginning with 'ssh-ed25519 AAAA'"
        raise UsageError(msg)
    return _check_public_text(" ".join(text.split()[:2]), path)


def _check_public_text(text: str, path: Path) -> str:
    """Return the text if it is a valid public key. Raises UsageError, not TrustError: the file is the player's own."""
    kind, why = text.partition(" ")[0], ""
    if kind.startswith("sk-"):
        why = (
            "this key is in a security key (FIDO), which never signs a text the same way twice; make an "
            "ordinary one with 'kursk keygen FILE' or 'ssh-keygen -t ed25519'"
        )
    elif not kind.startswith(("ssh-", "ecdsa-")):
        why = (
            "this file is no usable key; a public key is one line beginning with 'ssh-ed25519 AAAA', and "
            "'kursk keygen FILE' or 'ssh-keygen -t ed25519' makes a private key"
        )
    elif kind != "ssh-ed25519":
        why = (
            f"a key of the kind {show(kind)} is of no use here; make one with 'kursk keygen FILE' or "
            "'ssh-keygen -t ed25519'"
        )
    try:
        sshsig.public_key(text)
    except TrustError as error:
        raise UsageError(why or error.message, Where(str(path))) from None
    return text


def load_key(path: Path) -> Signer:
    """Return a signer for a private key file, or for a .pub file whose private key ssh-agent has.

    ssh-keygen asks for a passphrase only when signing. Raises UsageError if the file is missing or no ed25519 key.
    Warns if others can read a private key (ExposedKeyWarning).
    """
    data = _read_key_file(path)
    if data.lstrip()[:4] in (b"ssh-", b"sk-s", b"ecds"):
        public = read_public(path)
    elif (container := _read_public_part(data)) is not None:
        public = _check_public_text(container, path)
        _warn_if_exposed(path)
        if signer := _load_plain(data):
            return signer
    elif _public_path(path).is_file():
        public = read_public(_public_path(path))
    else:
        raise UsageError(
            f"{path} is not an OpenSSH key; make one with 'kursk keygen FILE' or 'ssh-keygen -t ed25519', or give the "
            ".pub file of a key that ssh-agent holds"
        )
    return Signer(public, lambda namespace, text: _sign_outside(path, public, namespace, text))


def is_open(data: bytes) -> bool:
    """Return whether a private key file can sign without a passphrase and without an agent."""
    return _load_plain(data) is not None if _split_key_file(data) else False


def _warn_if_exposed(path: Path) -> None:
    """Warn if others have any permission on the player's own key, as ssh does. Windows has no such modes."""
    if os.name == "nt":
        return
    status = path.stat()
    if status.st_uid == os.getuid() and status.st_mode & 0o077:
        msg = f"other users of this machine can read the private key {path} and play as you: 'chmod 600 {path}'"
        warnings.warn(msg, ExposedKeyWarning, stacklevel=3)


def _load_plain(data: bytes) -> Signer | None:
    """Load a key without passphrase. Return None on any failure: ssh-keygen may be able to use the key."""
    cipher, kdf, _options, public, inner = _split_key_file(data)
    kind, rest = _split_string(inner[8:])  # after two equal check numbers, which show that a key was decrypted
    key, rest = _split_string(rest)
    pair, _ = _split_string(rest)
    if (cipher, kdf, kind, len(pair)) != (b"none", b"none", b"ssh-ed25519", 64) or inner[:4] != inner[4:8]:
        return None
    signer = from_seed(pair[:32])
    same = pair[32:] == key == public[-32:] and sshsig.public_text(key) == signer.public
    return signer if same else None


def _read_key_file(path: Path) -> bytes:
    try:
        data = files.read(path, MAX_KEY_FILE)
    except FileNotFoundError:
        msg = f"there is no key file {path}; name yours with --key ('kursk keygen FILE' makes a key for new games)"
        raise UsageError(msg) from None
    except OSError as error:
        raise UsageError(f"the key file {path} cannot be read: {error.strerror}") from None
    if len(data) > MAX_KEY_FILE:
        raise UsageError(f"{path} is too long to be a key")
    return data


def _read_public_part(data: bytes) -> str | None:
    """Return the public text in an OpenSSH private key file. A passphrase does not encrypt the public text."""
    parts = _split_key_file(data)
    if not parts:
        return None
    kind, _ = _split_string(parts[3])
    return f"{kind.decode('latin-1')} {binascii.b2a_base64(parts[3], newline=False).decode('ascii')}"


def _split_key_file(data: bytes) -> list[bytes]:
    """Return cipher, kdf, kdf options, public and private part of an OpenSSH private key file; [] for other files."""
    begin, end = data.find(_BEGIN), data.find(_END)
    if begin < 0 or end < begin:
        return []
    try:
        rest = binascii.a2b_base64(data[begin + len(_BEGIN) : end])
    except ValueError:
        return []
    if not rest.startswith(_MAGIC):
        return []
    parts, rest = [], rest[len(_MAGIC) :]
    for at in range(5):
        # the number of keys, always 1, is before the public part
        part, rest = _split_string(rest[4:] if at == 3 else rest)
        parts.append(part)
    return parts


def _split_string(data: bytes) -> tuple[bytes, bytes]:
    length = int.from_bytes(data[:4], "big")
    return data[4 : 4 + length], data[4 + length :]


def _sign_outside(path: Path, public: str, namespace: str, data: bytes) -> bytes:
    """Sign with ``ssh-keygen -Y sign``. It may ask for a passphrase on the terminal or use ssh-agent."""
    import subprocess  # noqa: PLC0415  3 ms, imported only if needed

    try:
        # ssh-keygen asks for the passphrase on the terminal (or by SSH_ASKPASS).
        # Standard error stays open, because some systems ask there.
        done = subprocess.run(
            ["ssh-keygen", "-q", "-Y", "sign", "-f", str(path), "-n", namespace],
            input=data,
            stdout=subprocess.PIPE,
            check=False,
        )
    except OSError:
        raise UsageError(
            f"the key {path} has a passphrase or is in an agent, and needs ssh-keygen, but ssh-keygen does not start; "
            "install OpenSSH (on Windows: Settings, Optional features, OpenSSH client), or make a key "
            "without passphrase with 'kursk keygen FILE'"
        ) from None
    if done.returncode != 0 and path.suffix == ".pub":
        raise UsageError(
            f"{path} is the public half of a key: give the private half, {path.stem}. If an agent holds the key, "
            "check that 'ssh-add -l' lists it"
        )
    if done.returncode != 0:
        raise UsageError(
            f"ssh-keygen could not sign with {path}: check the passphrase. If an agent holds the key, check that "
            "'ssh-add -l' lists the key"
        )
    try:
        return sshsig.verify(public, namespace, data, done.stdout.decode("ascii", "replace"))
    except TrustError:
        msg = f"ssh-keygen signed with another key than {path} says; do {path} and its .pub file belong together?"
        raise UsageError(msg) from None
