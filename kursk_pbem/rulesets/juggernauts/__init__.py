"""Juggernauts: which message holds what (19.0). The table in code stands in ``sequence``.

=====================  =======  ==========================================================================
stage                  writer   message holds
=====================  =======  ==========================================================================
german-orders          German   Panzerkeil formations; movement, also of Panthers; attacks, plans sealed
german-answer          Russian  answers: No Retreat, withdrawals, ways
german-dice            German   Panther die, combat dice and results; Blitzkrieg: movement and attacks
german-second-answer   Russian  answers
german-second-dice     German   dice of the Blitzkrieg; end of the player turn
russian-orders and so  Russian  the same with the sides exchanged: ArtKor emplaced or on the road for formations,
on                              Proriv for Blitzkrieg; its last message also holds replacements of the next turn
over                   -        the game has ended
=====================  =======  ==========================================================================

A player turn without attacks and without a Panther on the move takes one message. With the option ``deployment:
by-choice`` (17.2, J-57) a game begins otherwise:

=====================  =======  ==========================================================================
german-half            German   seals where half of the German armour stands
russian-half           Russian  half of the Russian armour, in the open
german-rest            German   the half is shown; seals the rest
russian-rest           Russian  the rest of the Russian armour; ``german-orders`` shows the German rest
=====================  =======  ==========================================================================

Where a referee rolls the messages of dice are theirs, ``german-rolls`` and so on; what a player does after them follows
in a message of their own. Nobody waits for an answer: answers stand open beforehand.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.kernel.ruleset import Data, Option, Play, Ruleset
from kursk_pbem.rulesets.juggernauts import answers, check, orders, resume, sequence, setting, setup, victory
from kursk_pbem.rulesets.juggernauts.seen.group import SEEN

VERSION = 2
OPTIONS = (
    Option(
        "deployment",
        ("historical", "by-choice"),
        "by-choice: both sides place armour on ground that they hold, in two rounds, the German sealed (17.2, J-57)",
    ),
    Option("aircraft", ("grounded", "flown"), "flown: the air rules, which the text only discusses, are played (20.0)"),
)

RULESET = Ruleset(
    id="juggernauts",
    title="Juggernauts",
    version=VERSION,
    sides=setting.SIDES,
    options=OPTIONS,
    rulebook=Path(__file__).with_name("rulebook.yaml"),
    rulings="J",
    schema="juggernauts",
    scenario_schema="juggernauts-scenario",
    data=Data(check=check.check, load=setting.load, setup=setup.setup, resume=resume.resume),
    play=Play(
        stages=sequence.stages,
        follow=sequence.follow,
        seals=sequence.seals,
        seal=orders.Plan.seal,
        policy=answers.POLICIES.slip,
        verdict=victory.verdict,
        invariants=resume.invariants,
        misnamed=answers.names,
    ),
    seen=SEEN,
)
