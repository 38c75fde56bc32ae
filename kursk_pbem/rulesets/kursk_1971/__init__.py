"""Kursk (1971), print and digital edition: the messages of a game (2.0).

``S`` is the side with the player turn; the scenario names the first side:

================  =========  ============================================================================
stage             writer     message holds
================  =========  ============================================================================
S-set-up          S          free deployment: first the second player, then the first, with ``S-orders``
S-orders          S          interception, reinforcements and movement, air superiority, ground attacks
                             with sealed plans; without attacks also the orders of ``S-dice``
S-answer          the other  sharing of patrols, retreats and advances of the defense
S-dice            S          dice: air superiority, then the attacks; motorized movement; patrols and
                             interdictions take off
over              -          the game has ended
================  =========  ============================================================================

With a referee, ``S-rolls`` contains the dice of the referee, and ``S-dice`` the orders after the dice. Plans are open.
Only message 1 has an answer, which accepts the game.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.kernel.given import make_option
from kursk_pbem.kernel.late import make_seen
from kursk_pbem.kernel.ruleset import Data, Option, Play, Ruleset
from kursk_pbem.rulesets.kursk_1971 import answers, check, orders, resume, sequence, setting, setup, victory

VERSION = 4
OPTIONS = (  # 16.0, S-55
    Option(
        "edition",
        ("digital", "print"),
        "print: the rules of 1971; three small units stack as a division, zones of control stay out of woods and "
        "swamps, the German 1-8 brigade has one, Army integrity is optional",
    ),
    Option(
        "optional-rules",
        ("kampfgruppen-only", "both-played", "neither-played"),
        "of the print edition: kampfgruppen-only plays 10.0, both-played Army integrity (11.0) too; "
        "the digital edition always plays both",
    ),
    make_option(setting.SIDES, "S-32"),
)

REFEREED = "Your plans and standing answers are open, and attacks are rolled without waiting for the defender's answer."

RULESET = Ruleset(
    id="kursk-1971",
    title="Kursk (1971)",
    version=VERSION,
    first=4,
    sides=setting.SIDES,
    options=OPTIONS,
    rulebook=Path(__file__).with_name("rulebook.yaml"),
    rulings="S",
    schema="kursk-1971",
    scenario_schema="kursk-1971-scenario",
    data=Data(
        check=check.check_scenario,
        load=setting.load,
        setup=setup.make_first_state,
        resume=resume.resume_game,
        places=("scenario", "start", "*"),
    ),
    play=Play(
        stages=sequence.list_stages,
        follow=sequence.find_next_stage,
        seals=sequence.check_seals,
        seal=orders.Plan.seal,
        policy=answers.POLICIES.slip,
        verdict=victory.find_verdict,
        invariants=resume.find_breaches,
        misnamed=answers.find_misnamed,
        margin=victory.find_margin,
        kept={"plans": 1008},
    ),
    seen=make_seen(
        __name__,
        sequence.is_quiet,
        REFEREED,
        begun="outlook.mark_points",
        declared="exact_odds.list_declared",
        figures="picture.name_figures",
    ),
    messages=3,
    levels=(1, 2),
)
