"""A player's standing policy: what the defenders do, kept at home and written into every answer that can matter (K-73).

It lies in the private folder of the game and is shown to nobody before the answer it is written into (T38).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kursk_pbem.desk import locks
from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.formats.text import show, to_utf8
from kursk_pbem.game import folders
from kursk_pbem.game.games import Game
from kursk_pbem.game.journal import Record
from kursk_pbem.kernel.ruleset import Ruleset


class ChangedError(UsageError):
    """The policy is not the one that its writer has seen. ``now``: what there is, ``stamp``: its stamp."""

    def __init__(self, now: bytes) -> None:
        super().__init__(
            "The standing answers were changed meanwhile, in another window or by 'kursk policy': nothing "
            "was kept. What there is now stands below your text; keep yours again to put it in its place."
        )
        self.now, self.stamp = now.decode("utf-8", "replace"), stamp(now)


def path(own: Record) -> Path:
    """Where the policy of a game lies, whether or not there is one."""
    return own.path / "policy.yaml"


def raw(own: Record) -> bytes:
    """What the policy file of a game holds, whether it is a good one or not; nothing without one. FileError."""
    held = path(own)
    return folders.read_bytes(held) if held.exists() else b""


def stamp(held: bytes) -> str:
    """What tells a policy from any other; '' for none."""
    return sha256_hex(held) if held else ""


def load(own: Record, ruleset: Ruleset) -> dict[str, Any]:
    """The standing policy of a game; empty if there is none. FileError with line if it does not hold."""
    held = path(own)
    return read(folders.read_bytes(held), str(held), ruleset) if held.exists() else {}


def read(data: bytes, name: str, ruleset: Ruleset) -> dict[str, Any]:
    """A policy from a file: the keys that stand under ``policy:`` in an answer. FileError with line."""
    document = strictyaml.read_edited(data, name)
    schema.check({"policy": document.data}, ruleset.schema, _under(document))
    if slip := ruleset.play.policy(document.data):
        path, why = slip
        raise FileError(why, document.where(path))
    return document.data


def _under(document: strictyaml.Document) -> strictyaml.Document:
    """The same file as a mapping that stands one level deeper."""
    return strictyaml.Document({"policy": document.data}, document.name, document.raw, above=1)


def store(own: Record, game: Game, data: bytes, name: str, seen: str | None = None) -> Path:
    """Keep a policy for all answers to come; where it lies.

    ``seen`` is the stamp of the one that its writer has seen, None where they put theirs in place of any. FileError
    names all that is not there; UsageError, ChangedError.
    """
    _check(own, game, data, name)
    with locks.held(own.path):
        _need_seen(own, seen)
        folders.write(path(own), to_utf8(data).decode("utf-8"), force=True, private=True)
    return path(own)


def drop(own: Record, seen: str) -> None:
    """Keep no policy any more; ``seen`` as in :func:`store`. UsageError, ChangedError."""
    with locks.held(own.path):
        _need_seen(own, seen)
        try:
            path(own).unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"{path(own)} cannot be deleted: {error.strerror}") from None


def _need_seen(own: Record, seen: str | None) -> None:
    if seen is not None and seen != stamp(now := raw(own)):
        raise ChangedError(now)


def _check(own: Record, game: Game, data: bytes, name: str) -> None:
    """FileError for a policy that this player's game has no use for, all that is wrong at once."""
    policy = read(data, name, game.ruleset)
    wrong = list(game.ruleset.play.misnamed(game.setting, own.side, policy))
    if wrong:
        document = strictyaml.read_edited(data, name)
        first = document.where(wrong[0][0]) if len(wrong) == 1 else None
        lines = [f"{document.where(path)}: {show(str(path[-1]))} {why}" for path, why in wrong]
        raise FileError("\n".join(lines) if first is None else f"{show(str(wrong[0][0][-1]))} {wrong[0][1]}", first)
