"""The ``Seen`` group: what people see; a module of it is loaded when one of its functions is first called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kursk_pbem.kernel.late import load_late
from kursk_pbem.kernel.ruleset import Seen
from kursk_pbem.rulesets.armor_commander import sequence
from kursk_pbem.rulesets.armor_commander.seen import telling

if TYPE_CHECKING:
    from kursk_pbem.rulesets.armor_commander.seen import (
        chances,
        charts,
        drafts,
        headlines,
        left,
        outlook,
        picture,
        plans,
        spoken,
        verbs,
    )
else:
    chances, charts, drafts, headlines, left, outlook, picture, plans, spoken, verbs = load_late(
        __package__,
        "chances",
        "charts",
        "drafts",
        "headlines",
        "left",
        "outlook",
        "picture",
        "plans",
        "spoken",
        "verbs",
    )

SEEN = Seen(
    words=telling.Telling,
    standing=telling.standing,
    quiet=sequence.has_no_choices,
    hints=drafts.hints,
    picture=picture.picture,
    odds=chances.odds,
    outlook=outlook.outlook,
    refereed="The side that seals its orders still does, and shows them before the dice.",
    left=left.left,
    verbs=verbs.verbs,
    hidden=telling.hidden,
    spoken=spoken.words,
    headlines=headlines.headlines,
    story=headlines.story,
    why=outlook.why,
    tables=charts.tables,
    track=charts.track,
    plans=plans.plans,
)
