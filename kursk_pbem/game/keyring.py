"""Keys for the players' commands: make a pair, read a public key, show fingerprints. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kursk_pbem.formats import files
from kursk_pbem.formats.text import free_text_fault, to_utf8
from kursk_pbem.game import disk, entropy
from kursk_pbem.trust import keys, sshsig

KEY = "key"
"""File name of a key made by the program itself: for practice, a demonstration, or the second player's side."""
MAX_NAME = 60
"""Maximum length of an owner's name."""
_USUAL_NAMES = ("me", "id_ed25519")
"""Usual file names of a player's own key."""
MAX_COMMENT = 4096
"""Maximum number of bytes read from a .pub file for its comment."""


def make(path: Path) -> str:
    """Make a key pair, ``path`` and ``path.pub``; return its fingerprint. Raises UsageError if a file exists."""
    return sshsig.fingerprint(keys.generate_key_pair(path, entropy.random_bytes()))


def find_or_make(folder: Path) -> Path:
    """Return the program's own key in a folder; create folder and key if they are missing."""
    disk.make_private(folder)
    if not (key := folder / KEY).exists():
        make(key)
    return key


def read_public_key(path: Path | None) -> str:
    """Return the public key in a .pub file, '' for None. Raises UsageError unless the file has one valid key."""
    return keys.read_public(path) if path else ""


def read_comment(path: Path | None) -> str:
    """Return the key owner's name: from the comment of a .pub file, or from a file name such as boris.pub.

    The name is not signed. Return '' if no name is found.
    """
    words = to_utf8(files.read(path, MAX_COMMENT)).decode("utf-8", "replace").split() if path else []
    said = " ".join(words[2:])
    if said not in ("", keys.COMMENT) and not free_text_fault(said):
        return said[:MAX_NAME]
    named = path.stem if path and path.suffix == ".pub" else ""
    return "" if named in _USUAL_NAMES or free_text_fault(named) else named[:MAX_NAME]


def find_public_key(path: Path) -> str:
    """Return the public key of a private key file. Raises UsageError."""
    return keys.load_key(path).public


def make_fingerprints(publics: Mapping[str, str]) -> dict[str, str]:
    """Return name -> fingerprint for name -> public key. A name is, for example, the side that owns the key."""
    return {who: sshsig.fingerprint(public_) for who, public_ in publics.items()}
