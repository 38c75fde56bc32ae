"""Keys as the players' commands need them: make a pair, read a public one, show fingerprints. Loads no rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kursk_pbem.formats import files
from kursk_pbem.formats.text import free_text_fault, to_utf8
from kursk_pbem.game import entropy
from kursk_pbem.trust import keys, sshsig

LONGEST = 60
"""Characters of an owner's name."""
_ANYBODY = ("me", "id_ed25519")
"""What everybody calls a key of their own."""
MAX_COMMENT = 4096
"""Bytes of a .pub file that are looked at for it."""


def make(path: Path) -> str:
    """Make a key pair, ``path`` and ``path.pub``; its fingerprint. UsageError if either is there."""
    return sshsig.fingerprint(keys.generate_key_pair(path, entropy.fresh()))


def protect(path: Path) -> bool:
    """Ask on the terminal for a passphrase of a key; whether it has one now."""
    return keys.set_passphrase(path)


def public(path: Path | None) -> str:
    """The public text of a .pub file, '' for None. UsageError for anything but one good key."""
    return keys.read_public(path) if path else ""


def comment(path: Path | None) -> str:
    """What a .pub file calls its owner, or else how the player has named that file: boris.pub is Boris's.

    '' if nothing tells one owner from another. It is not signed by anybody.
    """
    words = to_utf8(files.read(path, MAX_COMMENT)).decode("utf-8", "replace").split() if path else []
    said = " ".join(words[2:])
    if said not in ("", keys.COMMENT) and not free_text_fault(said):
        return said[:LONGEST]
    named = path.stem if path and path.suffix == ".pub" else ""
    return "" if named in _ANYBODY or free_text_fault(named) else named[:LONGEST]


def public_of(path: Path) -> str:
    """The public text that belongs to a key file, which signs. UsageError."""
    return keys.load_key(path).public


def fingerprints(publics: Mapping[str, str]) -> dict[str, str]:
    """The fingerprint of each public key, such as those that a game has pinned, by side."""
    return {who: sshsig.fingerprint(public_) for who, public_ in publics.items()}
