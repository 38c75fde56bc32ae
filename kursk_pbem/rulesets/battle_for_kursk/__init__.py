"""Battle for Kursk: which message holds what (4.0). The table in code stands in ``sequence``.

================  =======  ===============================================================================
stage             writer   message holds
================  =======  ===============================================================================
opening           Russian  short scenario: the distribution (6.0); seals the posture of the first turn
posture           German   posture in the clear; with ``waive: posture`` also what ``german-orders`` holds
reveal            Russian  (not waived) shows the posture
german-orders     German   objective, replacements, armor and rail, battles; without battles also movement
german-answer     Russian  (waived) shows the posture; answers the battles
german-dice       German   dice and results; movement
russian-orders    Russian  (waived, no battles) shows the posture; as german-orders; without battles also
                           housekeeping and the sealed posture of the next turn
russian-answer    German   answers the battles
russian-dice      Russian  dice and results; movement; housekeeping; seals the posture of the next turn
over              -        the game has ended
================  =======  ===============================================================================

With the option ``weather: die`` (11.3) a turn that has a weather die begins otherwise:

================  =======  ===============================================================================
weather           German   the weather die; seals the German posture
weather-answer    Russian  posture in the clear; the German shows theirs with ``german-orders``
first-binding     German   first turn of the game: nothing; no die may fall before message 3
first-weather     Russian  first turn of the game: the weather die; seals the posture; ``posture`` follows
================  =======  ===============================================================================

With the option ``uncovered: ask`` dice stop at a decision that no answer covers (K-75):

================  =======  ===============================================================================
german-decision   Russian  takes the decision; then ``german-dice`` again, with new plans sealed before it
russian-decision  German   takes the decision; then ``russian-dice`` again
================  =======  ===============================================================================

A game that goes on from an agreed position may begin with another message (``resume``):

================  =======  ===============================================================================
resumed           Russian  seals the posture anew; nothing where the weather die is due
================  =======  ===============================================================================

Where a referee rolls (K-87 to K-89) ``german-rolls`` and ``russian-rolls`` are the referee's; ``german-dice`` holds the
movement after them, if the posture has any; ``russian-dice`` always comes. Nobody waits for an answer but after message
1, and then it accepts the game. ``weather-die`` is the referee's too, and ``resumed`` follows, with the sealed posture.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.kernel.ruleset import Data, Option, Play, Ruleset
from kursk_pbem.rulesets.battle_for_kursk import (
    answers,
    check,
    orders,
    posture,
    resume,
    sequence,
    setting,
    setup,
    victory,
)
from kursk_pbem.rulesets.battle_for_kursk.seen.group import SEEN
from kursk_pbem.rulesets.battle_for_kursk.setting import SIDES

VERSION = 1
OPTIONS = (
    Option(
        "uncovered",
        ("default", "ask"),
        "ask: dice stop for a decision that no answer covers, and its owner takes it by mail (K-75)",
    ),
    Option("weather", ("script", "die"), "die: the weather of some turns is rolled instead of scripted (11.3)"),
)

RULESET = Ruleset(
    id="battle-for-kursk",
    title="Battle for Kursk",
    version=VERSION,
    sides=SIDES,
    options=OPTIONS,
    rulebook=Path(__file__).with_name("rulebook.yaml"),
    rulings="K",
    schema="battle-for-kursk",
    scenario_schema="battle-for-kursk-scenario",
    data=Data(check=check.check, load=setting.load, setup=setup.setup, resume=resume.resume),
    play=Play(
        stages=sequence.stages,
        follow=sequence.follow,
        seals=sequence.seals,
        seal=orders.Plan.seal,
        guesses=posture.guesses,
        policy=answers.POLICIES.slip,
        verdict=victory.verdict,
        invariants=resume.invariants,
        misnamed=answers.names,
        margin=lambda setting, state: -victory.score(setting, state).total,
    ),
    seen=SEEN,
)
