"""The ``Seen`` group: the views for people; a module is loaded at the first call of its functions."""

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
    commands, exact_odds, headlines, hints, outlook, picture, plans, tables, unused, verbs = load_late(
        __package__, "commands exact_odds headlines hints outlook picture plans tables unused verbs"
    )

SEEN = Seen(
    words=wording.Wording,
    standing=wording.list_standing,
    quiet=sequence.has_no_choices,
    hints=hints.list_hints,
    picture=picture.draw_table,
    looks=picture.list_looks,
    odds=exact_odds.list_odds,
    turn=exact_odds.make_turn,
    outlook=outlook.find_outlook,
    refereed="The sealing side still seals orders, and shows the orders before the dice.",
    unused=unused.find_unused,
    verbs=verbs.list_verbs,
    hidden=wording.hidden,
    command=commands.write_order,
    headlines=headlines.list_headlines,
    story=headlines.write_story,
    why=outlook.explain_bar,
    tables=tables.list_tables,
    track=tables.list_turns,
    plans=plans.list_plans,
)
