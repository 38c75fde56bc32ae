"""The ``Seen`` group: what people see; a module of it is loaded when one of its functions is first called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kursk_pbem.kernel.late import load_late
from kursk_pbem.kernel.ruleset import Seen
from kursk_pbem.rulesets.armor_commander import sequence
from kursk_pbem.rulesets.armor_commander.seen import wording

if TYPE_CHECKING:
    from kursk_pbem.rulesets.armor_commander.seen import (
        commands,
        exact_odds,
        headlines,
        hints,
        outlook,
        picture,
        plans,
        tables,
        unused,
        verbs,
    )
else:
    exact_odds, tables, hints, headlines, unused, outlook, picture, plans, commands, verbs = load_late(
        __package__,
        "exact_odds",
        "tables",
        "hints",
        "headlines",
        "unused",
        "outlook",
        "picture",
        "plans",
        "commands",
        "verbs",
    )

SEEN = Seen(
    words=wording.Wording,
    standing=wording.standing,
    quiet=sequence.has_no_choices,
    hints=hints.hints,
    picture=picture.picture,
    odds=exact_odds.odds,
    outlook=outlook.outlook,
    refereed="The side that seals its orders still does, and shows them before the dice.",
    unused=unused.find_unused,
    verbs=verbs.verbs,
    hidden=wording.hidden,
    command=commands.write_order,
    headlines=headlines.headlines,
    story=headlines.story,
    why=outlook.why,
    tables=tables.tables,
    track=tables.track,
    plans=plans.plans,
)
