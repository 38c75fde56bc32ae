"""Armor Commander: a table top on which models stand anywhere (3.0). Which message holds what; X seals, Y is open.

==========  =======  ==================================================================================
stage       writer   message holds
==========  =======  ==================================================================================
deploy      X        seals its deployment
place       Y        deployment in the clear
ready       X        shows its deployment; initiative of turn 1; seals its orders
orders      Y        orders of the turn in the clear
action      X        shows its orders; all dice of the action; initiative of the next turn; seals its orders
over        -        the game has ended
==========  =======  ==================================================================================

A game that goes on from an agreed position begins with ``plot``, in which X seals its orders.

Where a referee rolls, X shows its deployment (``unveil``) and its orders (``show``) in messages of their own, the dice
of ``initiative`` and ``dice`` are the referee's, and after them X seals its orders (``plot``).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from kursk_pbem.kernel.ruleset import Data, Option, Play, Ruleset, Seen
from kursk_pbem.rulesets.armor_commander import check, plotting, position, resume, sequence, setting, setup, victory
from kursk_pbem.rulesets.armor_commander.seen import telling

VERSION = 1
OPTIONS = (
    Option(
        "cohesion",
        ("pairs", "chain"),
        "pairs: every two models of a unit end within 6 inches; chain: each within 6 of some other (A-18)",
    ),
)

REFEREED = "Your orders are sealed as ever, and shown before the dice."


def _later(module: str, name: str) -> Callable[..., Any]:
    """A function of this package, loaded when it is first called: who only verifies looks at nothing."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(f"{__name__}.{module}"), name)(*arguments)

    return call


RULESET = Ruleset(
    id="armor-commander",
    title="Armor Commander",
    version=VERSION,
    sides=setting.SIDES,
    options=OPTIONS,
    rulebook=Path(__file__).with_name("rulebook.yaml"),
    rulings="A",
    schema="armor-commander",
    scenario_schema="armor-commander-scenario",
    data=Data(check.check, setting.load, setup.setup, resume.resume),
    play=Play(
        sequence.stages,
        sequence.follow,
        plotting.seals,
        lambda shown, _seq: (dict(shown), {}),
        lambda _label: (),
        lambda _policy: ((), "this game asks nobody anything: there are no answers to keep"),
        victory.verdict,
        position.invariants,
    ),
    seen=Seen(
        telling.Telling,
        telling.standing,
        sequence.quiet,
        _later("drafts", "hints"),
        _later("picture", "picture"),
        _later("chances", "odds"),
        _later("outlook", "outlook"),
        REFEREED,
        left=_later("left", "left"),
        verbs=_later("verbs", "verbs"),
        headlines=_later("headlines", "headlines"),
        story=_later("headlines", "story"),
        why=_later("outlook", "why"),
        tables=_later("charts", "tables"),
        track=_later("charts", "track"),
        plans=_later("plans", "plans"),
    ),
)
