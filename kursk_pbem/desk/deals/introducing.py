"""The player's name in the note of the first message, after ``kursk accept --name``."""

from __future__ import annotations

from typing import Any

from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.draft.wording import NOTE
from kursk_pbem.desk.own.desks import Desk

_TOLD = "My name is {}."
LATER = "your name is in no message; type 'kursk order note' when your next message is due"


def write_name_note(desk: Desk, name: str) -> str:
    """Write the player's name into the note of the draft and return the note.

    Return '' if the opponent writes the next message, or if the draft already has a note. Raises UsageError.
    """
    told = _TOLD.format(name.removesuffix("."))
    if not desk.mine or desk.game.chain.next_seq >= desk.game.chain.bound:
        return ""
    sheet = ordering.open_draft(desk)
    if remove_name_note(desk, sheet.choices).get(NOTE):  # keep a note of the player
        return ""
    ordering.write_proposal(sheet, [[NOTE, told]])
    return told


def find_untold_name(desk: Desk, name: str) -> str:
    """Return the player's remembered name if the opponent cannot know it yet, otherwise ''."""
    head = desk.game.chain.head
    told = "tournament" in head or head["names"].get(desk.own_side, "").casefold() == name.casefold()
    return "" if told or desk.seq != 1 or not desk.mine else name


def describe_name_note(told: str) -> str:
    """Return a sentence that tells the player: the note of the draft contains your name."""
    return f'your first message tells your opponent: "{told}"' if told else LATER


def remove_name_note(desk: Desk, choices: Any) -> Any:
    """Return a draft's choices without the note that contains the player's name."""
    noted = choices.get(NOTE) if isinstance(choices, dict) else None
    first, last = _TOLD.split("{}")
    named = desk.seq == 1 and isinstance(noted, str) and noted.startswith(first) and noted.endswith(last)
    return {key: value for key, value in choices.items() if key != NOTE} if named else choices
