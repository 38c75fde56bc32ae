"""The ``Seen`` group: views for people; a module loads at the first call of one of its functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kursk_pbem.kernel.late import load_late
from kursk_pbem.kernel.ruleset import Seen
from kursk_pbem.rulesets.juggernauts import sequence
from kursk_pbem.rulesets.juggernauts.seen import wording

if TYPE_CHECKING:
    from kursk_pbem.rulesets.juggernauts.seen import (
        commands,
        exact_odds,
        headlines,
        hints,
        outlook,
        picture,
        tables,
        unused,
        verbs,
        whole_turn,
    )
else:
    commands, exact_odds, headlines, hints, outlook, picture, tables, unused, verbs, whole_turn = load_late(
        __package__, "commands exact_odds headlines hints outlook picture tables unused verbs whole_turn"
    )

REFEREED = "Your plans and standing answers are open, and attacks are rolled without waiting for the defender's answer."

SEEN = Seen(
    words=wording.Wording,
    standing=wording.standing,
    quiet=sequence.is_quiet,
    hints=hints.hints,
    picture=picture.picture,
    looks=picture.list_looks,
    odds=exact_odds.odds,
    turn=whole_turn.make_turn,
    outlook=outlook.outlook,
    refereed=REFEREED,
    unused=unused.find_unused,
    why=outlook.why,
    tables=tables.tables,
    track=tables.track,
    verbs=verbs.verbs,
    command=commands.write_order,
    headlines=headlines.headlines,
    story=headlines.story,
    declared=exact_odds.declared,
)
