"""The page on this game: its orders, given one after the other, are understood and legal; nothing is missing in it."""

import re

import pytest
from helpers import signed_play
from helpers.registry import ROOT

from kursk_pbem.desk.draft import ordering
from kursk_pbem.game import entropy
from kursk_pbem.rulesets.juggernauts import RULESET, orders
from kursk_pbem.rulesets.juggernauts.seen.verbs import verbs
from rulesets.juggernauts.board import JULY, july

PAGE = (ROOT / "docs" / "games" / "juggernauts.md").read_text(encoding="utf-8")
BLOCKS = [re.findall(r"\$ kursk order (.*)", block) for block in re.findall("```console\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.slow
def test_the_orders_of_the_page_are_a_turn(tmp_path):
    """A block for each message; where a second step was ordered its answer and its dice hold nothing."""
    german, answer, blitzkrieg, russian = BLOCKS
    with entropy.fixed(JULY):
        table = signed_play.Table(tmp_path, JULY).begin()
        for lines in (german, answer, blitzkrieg, [], [], russian):
            for line in lines:
                ordered = ordering.write(ordering.open_sheet(table.due.sit()), ordering.split(line))
                assert ordered.said
            table.send()
    assert table.game.state.stage == "russian-answer"


def test_options_verbs_and_plans_are_all_there():
    wanted = {JULY, *(verb.name for verb in verbs(july())), *orders.PLAN_KEYS, *orders.FORCED}
    for option in RULESET.options:
        wanted |= {option.key, *option.values}
    assert [word for word in sorted(wanted) if not re.search(rf"\b{word}\b", PAGE)] == []
