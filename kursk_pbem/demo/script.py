"""What a demonstration is: a scenario, who does what under which title, and how its players fill in their drafts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from kursk_pbem.desk import desk as desks
from kursk_pbem.desk.desk import Desk
from kursk_pbem.game import folder as folders
from kursk_pbem.game import game as games
from kursk_pbem.kernel.state import State
from kursk_pbem.trust import message as messages

MODULES: dict[str, str] = {
    "battle-for-kursk": "kursk_pbem.demo.players",
    "armor-commander": "kursk_pbem.demo.tanks",
}
"""Id of a ruleset -> the module that holds its ``SCRIPT``; the first is played where none is named."""

Choices = Callable[[Desk, State], Mapping[str, Any]]


@dataclass(frozen=True)
class Script:
    """The opening of a game: the first of ``sides`` proposes, the other takes it under the title ``begins``.

    ``steps`` are the titles of the messages from 2 on, written in turn; ``loud`` are those whose reports are shown
    whole. ``ends`` is the title of the last part, ``looks`` are commands of the first side. ``forged`` is the message
    of which a cheat turns a die, and what stands before that die. ``choices`` is what a draft is filled with.
    """

    scenario: str
    sides: tuple[str, str]
    begins: str
    steps: tuple[str, ...]
    loud: frozenset[int]
    ends: str
    looks: tuple[tuple[str, ...], ...]
    forged: tuple[int, str]
    choices: Choices


def script(rid: str) -> Script:
    """The script of a ruleset of the table."""
    found: Script = import_module(MODULES[rid]).SCRIPT
    return found


def fill(path: Path, desk: Desk, choices: Choices) -> str:
    """Fill in the draft at ``path`` for the message that is due; returns what was written into it, as YAML."""
    draft = messages.read_draft(folders.read_bytes(path), str(path))
    state = desks.duties(desk, desk.record_of_writer()).middle
    chosen = dict(choices(desk, state))
    kept = {key: value for key, value in draft.content.items() if key not in games.CHOICE_FIELDS}
    folders.write(path, messages.emit({**kept, **chosen}), force=True)
    return messages.emit(chosen)
