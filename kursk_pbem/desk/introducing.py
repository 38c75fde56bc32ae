"""Who accepts a game says their name in the note of their first message (decision 68)."""

from __future__ import annotations

from typing import Any

from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.draft.wording import NOTE

_TOLD = "My name is {}."
LATER = "your name was put into no message: one of yours that is due later takes it with 'kursk order note'"


def say_name(desk: Desk, name: str) -> str:
    """Put a player's own name into their draft as a note, if that message is theirs to write now.

    The note; '' where it is not. UsageError.
    """
    told = _TOLD.format(name.removesuffix("."))
    if not desk.mine or desk.game.chain.next_seq >= desk.game.chain.bound:
        return ""
    sheet = ordering.open_sheet(desk)
    if without_name(desk, sheet.choices).get(NOTE):  # the player has written a note of their own
        return ""
    ordering.propose(sheet, [[NOTE, told]])
    return told


def then(told: str) -> str:
    """What a player is told of it."""
    return f"your first message says it in a note, which your opponent reads in its report: {told}" if told else LATER


def without_name(desk: Desk, choices: Any) -> Any:
    """The choices of a draft without the name that ``accept --name`` has put there: no order of the player's own."""
    noted = choices.get(NOTE) if isinstance(choices, dict) else None
    first, last = _TOLD.split("{}")
    named = desk.seq == 1 and isinstance(noted, str) and noted.startswith(first) and noted.endswith(last)
    return {key: value for key, value in choices.items() if key != NOTE} if named else choices
