"""The script of a demonstration: the proposing side, the purpose of each message, and the player functions."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from kursk_pbem import rulesets
from kursk_pbem.desk.draft import drafts, ordering
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.turn import play
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.kernel.state import State
from kursk_pbem.trust import messages

SCRIPTS = {
    "battle-for-kursk": "kursk_pbem.demo.players",
    "kursk-1971": "kursk_pbem.demo.players_1971",
    "juggernauts": "kursk_pbem.demo.players_juggernauts",
    "armor-commander": "kursk_pbem.demo.players_armor",
}
"""Ruleset id -> module with ``SCRIPT``."""
FIRST = "battle-for-kursk"
"""The default system."""


@frozen
class Script:
    """The plan of a demonstration game of a system."""

    scenario: str
    proposer: str
    titles: tuple[str, ...]  # the proposal with message 1, each later message, the end
    loud: tuple[int, ...]  # messages with a whole report; the cheat turns a die of the first
    around: tuple[str, str]  # place and radius of the last map
    choices: Callable[[Desk, State], dict[str, Any]]  # returns the choices of the due message
    die: str = "/combat: '"  # the text before the turned die

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the demonstration."""
        return rulesets.ruleset(self.scenario.partition("/")[0])

    @property
    def other(self) -> str:
        """The side that accepts the game."""
        return self.ruleset.other(self.proposer)

    @property
    def last(self) -> int:
        """The number of the last message in the demonstration."""
        return len(self.titles) - 1


def load_script(ruleset: str) -> Script:
    """Return the demonstration of a system."""
    loaded = import_module(SCRIPTS[ruleset]).SCRIPT
    if not isinstance(loaded, Script):
        raise TypeError(f"{ruleset} has no script")
    return loaded


def fill(script: Script, desk: Desk) -> tuple[str, Checked]:
    """Fill in the draft of the next message; return the choices as YAML, and the checked draft."""
    choices = script.choices(desk, desks.preview_duties(desk, desk.record_of_writer()).middle)
    return messages.emit_message(choices), drafts.fill_draft(desk, choices)


def play_messages(open_desk: Callable[[], Desk], script: Script, last: int) -> None:
    """Play both sides up to message ``last``. ``open_desk``: a function for the desk of the player who writes next."""
    while (desk := open_desk()).seq <= last:
        ordering.open_draft(desk)
        play.sign_shown(desk, fill(script, desk)[1], None)
