"""Plane Toy: a small game on a table top, for tests: no hexes, sealed and open orders at once, many dice.

=======  =======  ===================================================================
stage    writer   message holds
=======  =======  ===================================================================
plot     north    seals the orders of the turn
orders   south    orders of the turn, in the open
show     north    shows the orders; all models move and fire; seals those of the next
over     -        the game has ended
=======  =======  ===================================================================

Where a referee rolls the orders are sealed too: ``show`` only shows them, the dice (``fire``) are the referee's, and
``plot`` comes again.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.kernel.ruleset import Data, Play, Ruleset, Seen
from rulesets.plane_toy import (
    exact_odds,
    headlines,
    hints,
    orders,
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
    id="plane-toy",
    title="Plane Toy",
    version=1,
    sides=setting.SIDES,
    options=(),
    rulebook=Path(__file__).with_name("rulebook.yaml"),
    rulings="",
    schema="plane-toy",
    scenario_schema="plane-toy-scenario",
    data=Data(check=setting.check, load=setting.load, setup=setting.setup, resume=sequence.resume),
    play=Play(
        stages=sequence.stages,
        follow=lambda _umpire, _filing, _stage: "",
        seals=orders.seals,
        seal=lambda shown, _seq: (dict(shown), {}),
        guesses=lambda _label: (),
        policy=lambda _policy: ((), "this game has no standing answers"),
        verdict=wording.verdict,
        invariants=setting.invariants,
    ),
    seen=Seen(
        words=wording.Wording,
        standing=wording.standing,
        quiet=lambda _setting, _state: False,
        hints=hints.hints,
        picture=picture.picture,
        odds=exact_odds.odds,
        outlook=outlook.outlook,
        refereed="Your orders are sealed as ever, and shown before the dice.",
        unused=unused.find_unused,
        why=outlook.why,
        tables=tables.tables,
        track=tables.track,
        verbs=verbs.verbs,
        headlines=headlines.headlines,
        story=headlines.story,
    ),
)
