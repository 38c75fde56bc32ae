"""The page on this game: its orders, given one after the other, are understood and legal; nothing is missing in it."""

import re

import pytest
from helpers import signed_play
from helpers.registry import ROOT

from kursk_pbem.cli import run
from kursk_pbem.game import entropy
from kursk_pbem.rulesets.juggernauts import RULESET, orders
from kursk_pbem.rulesets.juggernauts.seen.verbs import verbs
from rulesets.juggernauts.board import JULY, july

PAGE = (ROOT / "docs" / "games" / "juggernauts.md").read_text(encoding="utf-8")
BLOCKS = [re.findall(r"\$ kursk order (.*)", block) for block in re.findall("```console\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.slow
def test_the_orders_of_the_page_are_a_turn(tmp_path, monkeypatch, capsys):
    """A block for each message; where a second step was ordered its answer and its dice hold nothing."""
    german, answer, blitzkrieg, russian = BLOCKS
    with entropy.fixed(JULY):
        table = signed_play.Table(tmp_path, JULY).begin()
        for lines in (german, answer, blitzkrieg, [], [], russian):
            monkeypatch.setenv("KURSK_HOME", str(table.due.home))
            for line in lines:
                assert run(["order", str(table.due.folder), *line.split()]) == 0, capsys.readouterr().err
            table.send()
    assert table.game.state.stage == "russian-answer"


def test_17_2_armour_is_placed_by_one_order_after_the_other(tmp_path, monkeypatch, capsys):
    """The order of the page is written though seven more units are to come; what breaks the rules is not."""
    assert "kursk order place 5 pz e6" in PAGE
    with entropy.fixed(JULY):
        table = signed_play.Table(tmp_path, JULY, {"deployment": "by-choice"}).begin()
    monkeypatch.setenv("KURSK_HOME", str(table.due.home))
    where = str(table.due.folder)
    assert run(["order", where, "place", "5", "pz", "e6"]) == 0
    assert "unfinished; it holds 1 order" in capsys.readouterr().out
    assert run(["order", where, "place", "4", "pz", "k9"]) == 1
    assert run(["check", where]) == 1
    assert "places 8 units, not 1" in capsys.readouterr().err


def test_options_verbs_and_plans_are_all_there():
    wanted = {JULY, *(verb.name for verb in verbs(july())), *orders.PLAN_KEYS, *orders.FORCED}
    for option in RULESET.options:
        wanted |= {option.key, *option.values}
    assert [word for word in sorted(wanted) if not re.search(rf"\b{word}\b", PAGE)] == []
