"""Battle for Kursk: the contents of messages (4.0). ``sequence`` has the table in code.

================  =======  ===============================================================================
stage             writer   content
================  =======  ===============================================================================
opening           Russian  short scenario: the distribution (6.0); seals the posture of the first turn
posture           German   open posture; with ``waive: posture`` also the content of ``german-orders``
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

With the option ``weather: die`` (11.3), turns with a weather die begin with:

================  =======  ===============================================================================
weather           German   the weather die; seals the German posture
weather-answer    Russian  open posture; ``german-orders`` shows the German posture
first-binding     German   first turn of the game: empty; no die before message 3
first-weather     Russian  first turn of the game: the weather die; seals the posture; ``posture`` follows
================  =======  ===============================================================================

With the option ``uncovered: ask``, dice stop at decisions without a filed answer (K-75):

================  =======  ===============================================================================
german-decision   Russian  takes the decision; then ``german-dice`` again, with new plans sealed before it
russian-decision  German   takes the decision; then ``russian-dice`` again
================  =======  ===============================================================================

A successor game may begin with another message (``resume``):

================  =======  ===============================================================================
resumed           Russian  seals the posture again; empty if the weather die is due
================  =======  ===============================================================================

A referee (K-87 to K-89) writes ``german-rolls``, ``russian-rolls`` and ``weather-die``. ``german-dice`` follows if the
posture includes movement; ``russian-dice`` always follows. Only message 1 waits for an answer, which accepts the game.
``resumed`` follows ``weather-die``, with the sealed posture.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.kernel.given import make_option
from kursk_pbem.kernel.late import make_seen
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
from kursk_pbem.rulesets.battle_for_kursk.setting import SIDES

VERSION = 1
OPTIONS = (
    Option(
        "uncovered",
        ("default", "ask"),
        "ask: dice stop for a decision that no answer covers, and its owner takes it by mail (K-75)",
    ),
    Option("weather", ("script", "die"), "die: the weather of some turns is rolled instead of scripted (11.3)"),
    make_option(SIDES, "K-71"),
)

REFEREED = "Your plans and standing answers are open, and battles are rolled without waiting for the defender's answer."

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
    data=Data(check=check.check_scenario, load=setting.load, setup=setup.make_first_state, resume=resume.resume_game),
    play=Play(
        stages=sequence.list_stages,
        follow=sequence.find_next_stage,
        seals=sequence.check_seals,
        seal=orders.Plan.seal,
        guesses=posture.list_guesses,
        policy=answers.POLICIES.slip,
        verdict=victory.find_verdict,
        invariants=resume.find_breaches,
        misnamed=answers.find_misnamed,
        margin=lambda setting, state: -victory.score(setting, state).total,
        kept={"posture": 48, "plans": 1008},
    ),
    seen=make_seen(
        __name__,
        sequence.is_quiet,
        REFEREED,
        looks="picture.list_looks",
        figures="picture.name_figures",
        hidden="wording.describe_hidden",
        story="story.tell_story",
        declared="exact_odds.list_declared",
    ),
    levels=(1, 2),
    messages=6,
)
