"""The ``Seen`` group: views for people; a module loads at the first call of one of its functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kursk_pbem.kernel.late import load_late
from kursk_pbem.kernel.ruleset import Seen
from kursk_pbem.rulesets.juggernauts import sequence
from kursk_pbem.rulesets.juggernauts.seen import telling

if TYPE_CHECKING:
    from kursk_pbem.rulesets.juggernauts.seen import (
        chances,
        charts,
        drafts,
        headlines,
        left,
        outlook,
        picture,
        spoken,
        verbs,
    )
else:
    chances, charts, drafts, headlines, left, outlook, picture, spoken, verbs = load_late(
        __package__, "chances", "charts", "drafts", "headlines", "left", "outlook", "picture", "spoken", "verbs"
    )

REFEREED = "Your plans and standing answers are open, and attacks are rolled without waiting for the defender's answer."

SEEN = Seen(
    words=telling.Telling,
    standing=telling.standing,
    quiet=sequence.is_quiet,
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
    spoken=spoken.words,
    headlines=headlines.headlines,
    story=headlines.story,
    declared=chances.declared,
)
