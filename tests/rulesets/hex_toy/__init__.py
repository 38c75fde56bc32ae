"""Hex Toy: a small game, very different from the shipped systems, for tests of the shared parts.

Pointy-top hexes with letters, stacks, two dice a battle with modifiers, and a nerve test before battles.
The scenario names the first side. ``S`` is the side of the player turn:

============  ============  ==================================================================
stage         writer        message holds
============  ============  ==================================================================
S-march       S             march; assaults, each with a sealed stance
S-reply       the other     the volley of the defenders
S-dice        S             the stances are shown; nerve tests, assaults; pursuit
over          -             the game has ended
============  ============  ==================================================================

If a referee rolls, the stances are open, and the volleys are filed beforehand.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.kernel.ruleset import Data, Option, Play, Ruleset, Seen
from rulesets.hex_toy import (
    assaults,
    exact_odds,
    headlines,
    hints,
    outlook,
    picture,
    sequence,
    setting,
    tables,
    unused,
    verbs,
    wording,
)

RULESET = Ruleset(
    id="hex-toy",
    title="Hex Toy",
    version=3,
    first=2,
    sides=setting.SIDES,
    options=(Option("nerves", ("tested", "steel"), "steel: nobody tests their nerve before an assault (4.1)"),),
    rulebook=Path(__file__).with_name("rulebook.yaml"),
    rulings="",
    schema="hex-toy",
    scenario_schema="hex-toy-scenario",
    data=Data(check=setting.check, load=setting.load, setup=setting.setup, resume=sequence.resume),
    play=Play(
        stages=sequence.stages,
        follow=sequence.follow,
        seals=assaults.seals,
        seal=assaults.seal,
        guesses=lambda _label: (),
        policy=assaults.policy_slips,
        verdict=wording.verdict,
        invariants=setting.invariants,
    ),
    seen=Seen(
        words=wording.Wording,
        standing=wording.standing,
        quiet=sequence.quiet,
        hints=hints.hints,
        picture=picture.picture,
        odds=exact_odds.odds,
        outlook=outlook.outlook,
        refereed="Your stances and volleys are open, and nobody waits for a volley.",
        unused=unused.find_unused,
        why=outlook.why,
        tables=tables.tables,
        track=tables.track,
        verbs=verbs.verbs,
        headlines=headlines.headlines,
        story=headlines.story,
    ),
)
