"""Juggernauts. ``sequence`` and ``docs/games/juggernauts.md`` say which message contains which steps (19.0)."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.kernel.late import make_seen
from kursk_pbem.kernel.ruleset import Data, Option, Play, Ruleset
from kursk_pbem.rulesets.juggernauts import answers, check, orders, resume, sequence, setting, setup, victory

VERSION = 5
OPTIONS = (
    Option(
        "deployment",
        ("historical", "by-choice"),
        "by-choice: both sides place armour on ground that they hold, in two rounds, the German sealed (17.2, J-57)",
    ),
    Option("aircraft", ("grounded", "flown"), "flown: the air rules, which the text only discusses, are played (20.0)"),
)

REFEREED = "Your plans and standing answers are open, and attacks are rolled without waiting for the defender's answer."

RULESET = Ruleset(
    id="juggernauts",
    title="Juggernauts",
    version=VERSION,
    first=4,
    sides=setting.SIDES,
    options=OPTIONS,
    rulebook=Path(__file__).with_name("rulebook.yaml"),
    rulings="J",
    schema="juggernauts",
    scenario_schema="juggernauts-scenario",
    data=Data(check=check.check_scenario, load=setting.load, setup=setup.make_first_state, resume=resume.resume_game),
    play=Play(
        stages=sequence.list_stages,
        follow=sequence.find_next_stage,
        seals=sequence.check_seals,
        seal=orders.Plan.seal,
        policy=answers.POLICIES.slip,
        verdict=victory.find_verdict,
        invariants=resume.find_breaches,
        misnamed=answers.find_misnamed,
        kept={"deployment": 1008, "plans": 1008},
    ),
    seen=make_seen(
        __name__,
        sequence.is_quiet,
        REFEREED,
        looks="picture.list_looks",
        figures="picture.name_figures",
        turn="whole_turn.make_turn",
        declared="exact_odds.list_declared",
    ),
    messages=7,
    levels=(1, 2),
)
