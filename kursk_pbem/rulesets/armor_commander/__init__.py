"""Armor Commander: models on a table top without a grid (3.0). The messages: X seals, Y writes open orders.

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

A successor game begins with ``plot``: X seals its orders.

If a referee rolls, X shows its deployment (``unveil``) and orders (``show``) in separate messages. The referee rolls
``initiative`` and ``dice``; afterwards X seals its orders (``plot``).
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.kernel.late import make_seen
from kursk_pbem.kernel.ruleset import Data, Option, Play, Ruleset
from kursk_pbem.rulesets.armor_commander import check, resume, sequence, setting, setup, victory

VERSION = 2
OPTIONS = (
    Option(
        "cohesion",
        ("pairs", "chain"),
        "pairs: every two models of a unit end within 6 inches; chain: steps of at most 6 join them all (A-18)",
    ),
)

REFEREED = "The sealing side still seals orders, and shows the orders before the dice."

RULESET = Ruleset(
    id="armor-commander",
    title="Armor Commander",
    version=VERSION,
    first=2,
    sides=setting.SIDES,
    options=OPTIONS,
    rulebook=Path(__file__).with_name("rulebook.yaml"),
    rulings="A",
    schema="armor-commander",
    scenario_schema="armor-commander-scenario",
    data=Data(
        check=check.check_scenario,
        load=setting.load,
        setup=setup.make_first_state,
        resume=resume.resume_game,
        arrange=setup.arrange_models,
        places=("units", "units", "*", "models", "*", "place"),
    ),
    play=Play(
        stages=sequence.list_stages,
        follow=sequence.find_next_stage,
        seals=sequence.check_seals,
        policy=lambda _policy: ((), "Armor Commander has no standing answers"),
        verdict=victory.find_verdict,
        invariants=resume.find_breaches,
        kept={"deployment": 1008, "orders": 1008},
    ),
    seen=make_seen(
        __name__,
        sequence.is_quiet,
        REFEREED,
        looks="picture.list_looks",
        figures="picture.name_figures",
        hidden="wording.describe_hidden",
        plans="plans.list_plans",
    ),
    levels=(1, 2),
    messages=3,
)
