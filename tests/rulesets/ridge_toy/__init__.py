"""Ridge Toy: the smallest possible hex system, a model for authors of a new system.

Ten units, one table, five towns. The sides move and attack in turn; ``usual.turns`` has the stages.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.kernel.hexes.usual import position, wording
from kursk_pbem.kernel.ruleset import Data, Play, Ruleset, Seen
from rulesets.ridge_toy import rules, seen, setting

RULESET = Ruleset(
    id="ridge-toy",
    title="Ridge Toy",
    version=1,
    sides=setting.SIDES,
    options=(),
    rulebook=Path(__file__).with_name("rulebook.yaml"),
    rulings="",
    schema="ridge-toy",
    scenario_schema="ridge-toy-scenario",
    data=Data(check=setting.check, load=setting.load, setup=rules.TURNS.setup, resume=rules.TURNS.resume),
    play=Play(
        stages=rules.TURNS.stages,
        follow=rules.TURNS.follow,
        seals=rules.TURNS.seals,
        policy=rules.RETREATS.policies.slip,
        verdict=wording.make_verdict({"towns": "more towns (4.1)", "even": "the towns are even (4.1)"}),
        invariants=position.find_errors,
    ),
    seen=Seen(
        words=seen.Wording,
        standing=seen.standing,
        quiet=rules.TURNS.quiet,
        hints=seen.SHOWN.hints,
        picture=seen.picture,
        odds=rules.ATTACKS.chances,
        outlook=seen.SHOWN.outlook,
        refereed="Your answers stand in the open, and nobody waits for one.",
        unused=seen.SHOWN.unused,
        verbs=seen.SHOWN.verbs,
        command=seen.SHOWN.command,
        why=rules.MOVEMENT.why,
        tables=seen.tables,
        track=wording.turn_track,
        headlines=wording.make_headlines(seen.Wording, rules.HELD, rules.MOVEMENT.key),
        story=wording.make_story(seen.Wording, rules.MOVEMENT.key),
    ),
)
