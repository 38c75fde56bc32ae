"""Views of a hex position: after every event the updated view equals a new view."""

from dataclasses import fields
from functools import cached_property
from importlib import import_module

import pytest
from helpers import finished_games, registry, sweeps
from helpers.replays import replayed

from kursk_pbem.kernel.events import apply

LED_ON = ("battle-for-kursk", "kursk-1971", "juggernauts")
"""Systems with a view in ``position.py``."""


def view_of(kit):
    return import_module(f"{kit.ruleset.data.setup.__module__.rpartition('.')[0]}.position").VIEW


def known(pos):
    """Return the computed properties of a view."""
    lazy = [name for name, what in vars(type(pos)).items() if isinstance(what, cached_property) and name[0] != "_"]
    told = {name: getattr(pos, name) for name in [*(each.name for each in fields(pos)), *lazy]}
    for name in ("communication", "reached", "supply", "zone", "weak", "zoc"):
        told |= {(name, side): getattr(pos, name)(side) for side in pos.setting.sides if hasattr(pos, name)}
    return told | {("full", uid): pos.full(uid) for uid in pos.where if hasattr(pos, "full")}


@pytest.mark.some(9)
@pytest.mark.slow
@pytest.mark.parametrize("system", LED_ON)
@pytest.mark.parametrize("games", sweeps.sizes(1, 2))
def test_a_view_led_on_by_events_is_the_view_of_the_position(system, games):
    """The check runs after every event of a finished game, with and without earlier questions."""
    kit, kinds = registry.kit(system), set()
    view = view_of(kit)
    for name in sorted(kit.plots)[:games]:
        for step in replayed(finished_games.folder_of(kit, name))[1 : 13 if games == 1 else None]:
            setting, state = step.game.setting, step.result.before
            pos = view.build(setting, state)
            for event in step.result.events:
                known(pos)
                state = apply(state, event)
                pos = view.after(setting, pos, state, event)
                assert known(pos) == known(view.build(setting, state)), f"{system}, {name}: {event}"
                kinds.add(type(event).__name__)
    assert games == 1 or {"Moved", "Placed", "Removed", "Marked", "Tracked", "Scheduled"} <= kinds


@pytest.mark.parametrize("system", LED_ON)
def test_a_view_that_nothing_has_changed_is_kept(system):
    kit = registry.kit(system)
    setting, view = kit.setting(kit.scenarios[0]), view_of(kit)
    pos = view.build(setting, kit.setup(setting))
    assert view.after(setting, pos, pos.state, None) is pos
