"""The words of ``kursk order``."""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names
from kursk_pbem.kernel.verbs import CHOICE, UNIT, Clause, Edit, OrderContext, Verb
from rulesets.plane_toy import sequence
from rulesets.plane_toy.orders import label
from rulesets.plane_toy.setting import INCH, SIDES, Setting, text

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


def offer(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """2.2, 3.0: offer a model, then points an inch away, and the enemies."""
    setting, state = ask.setting, ask.state
    own = setting.alive(state, state.side)
    if not words or words[0] not in own:
        return (Clause("", "model", UNIT, tuple((uid, setting.models[uid].name) for uid in own)),)
    x, y = setting.where(state, words[0])
    spots = [(x + right, y + up) for right, up in ((INCH, 0), (0, INCH), (-INCH, 0), (0, -INCH))]
    near = tuple((text(spot).replace(",", ""), "") for spot in spots if min(spot) >= 0 and setting.fits(spot))
    foes = tuple((uid, "") for uid in setting.alive(state, SIDES[1 - SIDES.index(state.side)]))
    return Clause("", "goes to", CHOICE, near, needed="go"), Clause("fire", "fires at", UNIT, foes, needed="go")


def verbs(_setting: Setting) -> tuple[Verb, ...]:
    """Return the only word."""
    fields, does = ("orders/models", "plot"), "a model goes to a point, and fires"
    return (Verb("go", "MODEL X Y [fire MODEL]", does, EXAMPLE, go, fields, offer),)
