"""The views of a system with delayed import: verifying a game never loads the code for players' pages.

Every system names its views alike: ``seen/hints.py`` has ``make_hints``. A view elsewhere, or one that not every system
has, is named as ``turn="whole_turn.make_turn"``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from kursk_pbem.kernel.ruleset import Seen

PLACES = {
    "words": "wording.Wording",
    "standing": "wording.make_standing",
    "hints": "hints.make_hints",
    "picture": "picture.draw_picture",
    "odds": "exact_odds.list_chances",
    "turn": "exact_odds.make_turn",
    "outlook": "outlook.make_outlook",
    "why": "outlook.explain_refusal",
    "unused": "unused.find_unused",
    "tables": "tables.make_tables",
    "track": "tables.make_track",
    "verbs": "verbs.list_verbs",
    "command": "commands.write_order",
    "headlines": "headlines.make_headlines",
    "story": "headlines.tell_story",
}
"""View of every system -> module and function of its folder ``seen``."""


def make_seen(package: str, quiet: Callable[[Any, Any], bool], refereed: str, **more: str) -> Seen:
    """Return the displays of the system in ``package``. A module loads when one of its functions is called."""
    views = {view: _load_late(f"{package}.seen", place) for view, place in {**PLACES, **more}.items()}
    return Seen(quiet=quiet, refereed=refereed, **views)


def _load_late(package: str, place: str) -> Callable[..., Any]:
    module, _dot, name = place.partition(".")

    def call_late(*arguments: Any) -> Any:
        return getattr(import_module(f"{package}.{module}"), name)(*arguments)

    call_late.__name__ = call_late.__qualname__ = name
    call_late.__module__ = f"{package}.{module}"
    return call_late
