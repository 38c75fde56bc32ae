"""The ``Seen`` group: the first call of a function imports its module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kursk_pbem.kernel.late import load_late
from kursk_pbem.kernel.ruleset import Seen
from kursk_pbem.rulesets.battle_for_kursk import sequence
from kursk_pbem.rulesets.battle_for_kursk.seen import wording

if TYPE_CHECKING:
    from kursk_pbem.rulesets.battle_for_kursk.seen import (
        commands,
        exact_odds,
        headlines,
        hints,
        outlook,
        picture,
        story,
        tables,
        unused,
        verbs,
    )
else:
    commands, exact_odds, headlines, hints, outlook, picture, story, tables, unused, verbs = load_late(
        __package__, "commands exact_odds headlines hints outlook picture story tables unused verbs"
    )

REFEREED = "Your plans and standing answers are open, and battles are rolled without waiting for the defender's answer."

SEEN = Seen(
    words=wording.Wording,
    standing=wording.make_standing,
    quiet=sequence.has_no_choice,
    hints=hints.make_hints,
    picture=picture.draw_picture,
    looks=picture.list_looks,
    odds=exact_odds.compute_odds,
    outlook=outlook.make_outlook,
    refereed=REFEREED,
    unused=unused.find_unused,
    why=outlook.explain_refusal,
    tables=tables.make_tables,
    track=tables.make_track,
    verbs=verbs.list_verbs,
    hidden=wording.describe_hidden,
    command=commands.write_order,
    headlines=headlines.make_headlines,
    story=story.tell_story,
    declared=exact_odds.list_fights,
    turn=exact_odds.make_turn,
)
