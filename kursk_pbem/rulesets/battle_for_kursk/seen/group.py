"""The ``Seen`` group: what people see; a module of it is loaded when one of its functions is first called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kursk_pbem.kernel.late import load_late
from kursk_pbem.kernel.ruleset import Seen
from kursk_pbem.rulesets.battle_for_kursk import sequence
from kursk_pbem.rulesets.battle_for_kursk.seen import telling

if TYPE_CHECKING:
    from kursk_pbem.rulesets.battle_for_kursk.seen import (
        chances,
        charts,
        drafts,
        headlines,
        left,
        outlook,
        picture,
        spoken,
        story,
        verbs,
    )
else:
    chances, charts, drafts, headlines, left, outlook, picture, spoken, story, verbs = load_late(
        __package__,
        "chances",
        "charts",
        "drafts",
        "headlines",
        "left",
        "outlook",
        "picture",
        "spoken",
        "story",
        "verbs",
    )

REFEREED = "Your plans and standing answers are open, and battles are rolled without waiting for the defender's answer."

SEEN = Seen(
    words=telling.Telling,
    standing=telling.standing,
    quiet=sequence.quiet,
    hints=drafts.hints,
    picture=picture.picture,
    odds=chances.odds,
    outlook=outlook.outlook,
    refereed=REFEREED,
    left=left.left,
    why=outlook.why,
    tables=charts.tables,
    track=charts.track,
    verbs=verbs.verbs,
    hidden=telling.hidden,
    spoken=spoken.words,
    headlines=headlines.headlines,
    story=story.story,
    declared=chances.declared,
)
