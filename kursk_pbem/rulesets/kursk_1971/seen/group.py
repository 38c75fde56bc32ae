"""The ``Seen`` group: what people see; a module of it is loaded when one of its functions is first called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kursk_pbem.kernel.late import load_late
from kursk_pbem.kernel.ruleset import Seen
from kursk_pbem.rulesets.kursk_1971 import sequence
from kursk_pbem.rulesets.kursk_1971.seen import wording

if TYPE_CHECKING:
    from kursk_pbem.rulesets.kursk_1971.seen import (
        commands,
        exact_odds,
        headlines,
        hints,
        outlook,
        picture,
        tables,
        unused,
        verbs,
    )
else:
    exact_odds, tables, hints, headlines, unused, outlook, picture, commands, verbs = load_late(
        __package__, "exact_odds", "tables", "hints", "headlines", "unused", "outlook", "picture", "commands", "verbs"
    )

REFEREED = "Your plans and standing answers are open, and attacks are rolled without waiting for the defender's answer."

SEEN = Seen(
    words=wording.Wording,
    standing=wording.standing,
    quiet=sequence.quiet,
    hints=hints.hints,
    picture=picture.picture,
    odds=exact_odds.odds,
    outlook=outlook.outlook,
    begun=outlook.begun,
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
