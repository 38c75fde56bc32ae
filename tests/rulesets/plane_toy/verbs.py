"""The words of ``kursk order``."""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names
from kursk_pbem.kernel.verbs import Edit, OrderContext, Verb
from rulesets.plane_toy import sequence
from rulesets.plane_toy.orders import label
from rulesets.plane_toy.setting import Setting

EXAMPLE = "go n-1 12.50 30.00 fire s-1"


def go(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """2.2, 3.0: write a model's move and target, replacing an earlier order."""
    said = names.split_clauses(words, ("fire",))
    known = {uid: (model.name,) for uid, model in ask.setting.models.items()}
    if len(said[""]) < 3 and "fire" not in said:
        raise UsageError(f"say who goes where, as in '{EXAMPLE}'")
    spot = said[""][-2:] if len(said[""]) > 2 else []
    uid = names.find(" ".join(said[""][:-2] or said[""]), known, "model")
    order = {"id": uid}
    if spot:
        order["to"] = f"{spot[0]}, {spot[1]}"
    if "fire" in said:
        order["fire"] = names.find(" ".join(said["fire"]), known, "model")
    sealed = sequence.PLOT in sequence.stages(ask.setting)[ask.state.stage].phases
    path = ("seal", label(ask.state.turn)) if sealed else ("orders", "models")
    listed = ask.draft.get(path[0], {}).get(path[1], [])
    old = tuple(Edit((*path, at)) for at, each in enumerate(listed) if each["id"] == uid)
    text = f"{uid} goes to {order.get('to', 'nowhere')} and fires at {order.get('fire', 'nobody')}"
    return (*old, Edit(path, order, add=True, said=text))


def verbs(_setting: Setting) -> tuple[Verb, ...]:
    """Return the only word."""
    return (
        Verb(
            "go", "MODEL X Y [fire MODEL]", "a model goes to a point, and fires", EXAMPLE, go, ("orders/models", "plot")
        ),
    )
