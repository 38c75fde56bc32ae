"""A player's standing policy: what the defenders do, kept at home and written into every answer that can matter (K-73).

It lies in the private folder of the game and is shown to nobody before the answer it is written into (T38).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.text import show
from kursk_pbem.game import folder as folders
from kursk_pbem.game.game import Game
from kursk_pbem.game.journal import Record
from kursk_pbem.kernel.ruleset import Ruleset


def path(own: Record) -> Path:
    """Where the policy of a game lies, whether or not there is one."""
    return own.path / "policy.yaml"


def load(own: Record, ruleset: Ruleset) -> dict[str, Any]:
    """The standing policy of a game; empty if there is none. FileError with line if it does not hold."""
    held = path(own)
    return read(folders.read_bytes(held), str(held), ruleset) if held.exists() else {}


def read(raw: bytes, name: str, ruleset: Ruleset) -> dict[str, Any]:
    """A policy from a file: the keys that stand under ``policy:`` in an answer. FileError with line."""
    document = strictyaml.read(raw, name)
    schema.check({"policy": document.data}, ruleset.schema, _under(document))
    if slip := ruleset.play.policy(document.data):
        path, why = slip
        raise FileError(why, document.where(path))
    return document.data


def _under(document: strictyaml.Document) -> strictyaml.Document:
    """The same file as a mapping that stands one level deeper."""
    return strictyaml.Document({"policy": document.data}, document.name, document.raw, above=1)


def store(own: Record, game: Game, raw: bytes, name: str) -> Path:
    """Keep a policy for all answers to come; where it lies now. FileError names all that is not there, UsageError."""
    policy = read(raw, name, game.ruleset)
    wrong = list(game.ruleset.play.misnamed(game.setting, own.side, policy))
    if wrong:
        document = strictyaml.read(raw, name)
        first = document.where(wrong[0][0]) if len(wrong) == 1 else None
        lines = [f"{document.where(path)}: {show(str(path[-1]))} {why}" for path, why in wrong]
        raise FileError("\n".join(lines) if first is None else f"{show(str(wrong[0][0][-1]))} {wrong[0][1]}", first)
    folders.write(path(own), raw.decode("ascii"), force=True, private=True)
    return path(own)
