"""The ``Seen`` group: views for players; each module is loaded at the first call of its functions."""

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
    commands, exact_odds, headlines, hints, outlook, picture, tables, unused, verbs = load_late(
        __package__, "commands exact_odds headlines hints outlook picture tables unused verbs"
    )

REFEREED = "Your plans and standing answers are open, and attacks are rolled without waiting for the defender's answer."

SEEN = Seen(
    words=wording.Wording,
    standing=wording.make_standing,
    quiet=sequence.is_quiet,
    hints=hints.make_hints,
    picture=picture.draw_position,
    odds=exact_odds.find_odds,
    turn=exact_odds.make_turn,
    outlook=outlook.make_outlook,
    begun=outlook.mark_points,
    refereed=REFEREED,
    unused=unused.find_unused,
    why=outlook.explain_unreachable,
    tables=tables.make_tables,
    track=tables.make_track,
    verbs=verbs.list_verbs,
    command=commands.write_order,
    headlines=headlines.write_headlines,
    story=headlines.write_story,
    declared=exact_odds.describe_declared,
)
