"""A player's standing policy: answers kept at home and written into each answer that can matter (K-73).

The policy stays in the private folder until an answer contains it (T38).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kursk_pbem.desk.ground import locks
from kursk_pbem.errors import ChangedError, FileError, UsageError
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.formats.text import show, to_utf8
from kursk_pbem.game import folders
from kursk_pbem.game.games import Game
from kursk_pbem.game.journal import Record
from kursk_pbem.kernel.ruleset import Ruleset


def make_policy_path(own: Record) -> Path:
    """Return the path of a game's policy file."""
    return own.path / "policy.yaml"


def read_raw(own: Record) -> bytes:
    """Return the bytes of the policy file without checking them; b'' if the file is missing. Raises FileError."""
    held = make_policy_path(own)
    return folders.read_bytes(held) if held.exists() else b""


def make_stamp(held: bytes) -> str:
    """Return the hash of a policy file's bytes ``held``, to notice a change; '' for no policy."""
    return sha256_hex(held) if held else ""


def load_policy(own: Record, ruleset: Ruleset) -> dict[str, Any]:
    """Return the player's standing answers (policy); {} without a file. Raises FileError with the line of a mistake."""
    held = make_policy_path(own)
    return read_policy(folders.read_bytes(held), str(held), ruleset) if held.exists() else {}


def read_policy(data: bytes, name: str, ruleset: Ruleset) -> dict[str, Any]:
    """Return a policy (standing answers), read from bytes. Raises FileError with the line of a mistake."""
    document = strictyaml.read_edited(data, name)
    nested = strictyaml.Document({"policy": document.data}, document.name, document.raw, above=1)
    schema.check(nested.data, ruleset.schema, nested)
    if slip := ruleset.play.policy(document.data):
        path, why = slip
        raise FileError(why, document.where(path))
    return document.data


def store_policy(own: Record, game: Game, data: bytes, name: str, seen: str | None = None) -> Path:
    """Save the standing answers (policy) for all future battles of a game; return the file's path.

    ``seen``: the stamp of the policy that the writer has read, or None to replace any policy. Raises UsageError,
    ChangedError, or FileError with all unknown names.
    """
    _check_policy(own, game, data, name)
    with locks.hold_lock(own.path):
        _check_seen(own, seen)
        folders.write(make_policy_path(own), to_utf8(data).decode("utf-8"), force=True, private=True)
    return make_policy_path(own)


def delete_policy(own: Record, seen: str) -> None:
    """Delete the policy. ``seen``: the stamp of the policy the player has read. Raises UsageError or ChangedError."""
    with locks.hold_lock(own.path):
        _check_seen(own, seen)
        try:
            make_policy_path(own).unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"{make_policy_path(own)} cannot be deleted: {error.strerror}") from None


def _check_seen(own: Record, seen: str | None) -> None:
    if seen is not None and seen != make_stamp(now := read_raw(own)):
        why = (
            "The standing answers were changed meanwhile, in another window or by 'kursk policy': nothing was kept. "
            "The new answers are below your text; keep your text again to replace the new answers."
        )
        raise ChangedError(why, now.decode("utf-8", "replace"), make_stamp(now))


def _check_policy(own: Record, game: Game, data: bytes, name: str) -> None:
    """Raise FileError with all names that the game does not know."""
    policy = read_policy(data, name, game.ruleset)
    wrong = list(game.ruleset.play.misnamed(game.setting, own.side, policy))
    if wrong:
        document = strictyaml.read_edited(data, name)
        first = document.where(wrong[0][0]) if len(wrong) == 1 else None
        lines = [f"{document.where(path)}: {show(str(path[-1]))} {why}" for path, why in wrong]
        raise FileError("\n".join(lines) if first is None else f"{show(str(wrong[0][0][-1]))} {wrong[0][1]}", first)
