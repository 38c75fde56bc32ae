"""The displays of every system: functions with the signatures that ``Seen`` promises."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest
from helpers import registry

from kursk_pbem.kernel.ruleset import Seen

SHORT = {
    "Account": "Callable[[Any, State, Sequence[Event], State], tuple[str, ...]]",
    "Plans": "tuple[tuple[Event, ...], tuple[Sight, ...]]",
    "Iterable": "Iterator",
}
"""Names of types in ``Seen`` -> the types in the functions."""


@pytest.mark.parametrize("ruleset_id", sorted(registry.KITS))
def test_displays_of_a_system_have_the_signatures_of_seen(ruleset_id: str) -> None:
    """A view loads late, by name, so the type checker does not compare it with the group."""
    seen = registry.kit(ruleset_id).ruleset.seen
    late = {view: getattr(seen, view) for view in Seen.__annotations__ if view != "refereed"}
    for view, there in late.items():
        if there.__name__ == "<lambda>":  # the default of the group
            continue
        real = getattr(import_module(there.__module__), there.__name__)
        signature, promised = inspect.signature(real), Seen.__annotations__[view]
        for name, type_ in SHORT.items():
            promised = promised.replace(name, type_)
        taken = ", ".join(parameter.annotation for parameter in signature.parameters.values())
        given = "Words" if inspect.isclass(real) else signature.return_annotation
        assert f"Callable[[{taken.replace('Setting', 'Any')}], {given}]" == promised, view
