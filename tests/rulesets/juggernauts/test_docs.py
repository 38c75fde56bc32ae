"""The demonstration and the page of this game: its orders are legal in sequence, and the page is complete."""

import re

import pytest
from helpers import signed_play
from helpers.registry import ROOT

from kursk_pbem.cli import run
from kursk_pbem.game import entropy
from kursk_pbem.rulesets.juggernauts import RULESET, losses, orders, setup
from kursk_pbem.rulesets.juggernauts.seen.hints import PLAN_LINES
from kursk_pbem.rulesets.juggernauts.seen.verbs import list_verbs
from rulesets.juggernauts.board import JULY, at, attack, fight, july, place

PAGE = (ROOT / "docs" / "games" / "juggernauts.md").read_text(encoding="utf-8")
BLOCKS = [re.findall(r"\$ kursk order (.*)", block) for block in re.findall("```console\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.slow
def test_the_demonstration_plays_and_is_verified(tmp_path, capsys):
    assert run(["demo", "juggernauts", str(tmp_path / "demo")]) == 0
    said = capsys.readouterr().out
    assert said.count(": verified, 5 messages") + said.count(": verified, 6 messages") == 2
    assert "Panzerkeil of XXXXVII Pz" in said
    assert run(["demo", "juggernauts", "one", "two"]) == 2


@pytest.mark.slow
def test_the_orders_of_the_page_are_a_turn(tmp_path, monkeypatch, capsys):
    """Each block is a message; after a second step, its answer and dice are empty."""
    german, answer, blitzkrieg, russian = BLOCKS
    with entropy.fix_random_bytes(JULY):
        table = signed_play.Table(tmp_path, JULY).begin()
        for lines in (german, answer, blitzkrieg, [], [], russian):
            monkeypatch.setenv("KURSK_HOME", str(table.due.home))
            for line in lines:
                assert run(["order", str(table.due.folder), *line.split()]) == 0, capsys.readouterr().err
            table.send()
    assert table.game.state.stage == "russian-answer"


def test_2_0_ae_no_place_says_that_who_is_listed_is_lost_for_certain():
    """J-9: bug: 'first' and 'in this order' promised the loss of a tank corps that survived."""
    assert set(losses.choose_victims({"r-2tc": 1, "r-57a": 3, "r-7ga": 4}, 7, ("r-2tc",))) == {"r-57a", "r-7ga"}
    row = next(line for line in PAGE.splitlines() if line.startswith("| `losses`"))
    assert "preferred" in row
    assert "spares each unit" in row
    assert "losses: [preferred losses]" in " ".join(PLAN_LINES)


def test_14_2_15_2_the_paragraphs_say_for_whom_they_hold(capsys):
    """Exchanges include defending artillery; a D1 opens a Russian line; only Russian lines have no strength behind."""
    for number, told in (
        ("14.2", "Attacking, they take no part in exchanges"),
        ("15.2", "From behind a Russian one has no strength."),
        ("15.2", "D2 and DE open it, a Russian one D1 too"),
    ):
        assert run(["rule", "juggernauts", number]) == 0
        assert told in " ".join(capsys.readouterr().out.split())


def test_9_0_an_advance_through_the_hex_that_is_too_far_is_none_and_the_page_says_so():
    """A player expected an advance into the first hex at least, but the hex stayed empty."""
    order = attack("I9", "g-2ss", advance="g-2ss J9")
    there = [at(fight(place("H9: g-2ss | I9: r-57a"), order, dice=die), "g-2ss") for die in "13"]
    assert there == ["J9", "H9"]
    assert "or does not move if HEX is too far" in " ".join(PAGE.split())


def test_8_0_who_withdraws_goes_as_far_as_said_and_the_page_says_so():
    """A player expected a shorter way to the named hex, but the longest way overrides the wish."""
    state, order = place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss")
    said = [{"withdraw": far, "retreat": ["U15"]} for far in "12"]
    ends = [at(fight(state, order, dice="4", policy=answer), "r-57a") for answer in said]
    assert ends[0] == "U15"
    assert ends[1] in ("T17", "U17", "V16", "V15", "V14")
    told = " ".join(PAGE.split())
    assert "`withdraw` says up to how many" not in told
    assert "`withdraw` is the number of hexes" in told


def test_17_2_armour_is_placed_by_one_order_after_the_other(tmp_path, monkeypatch, capsys):
    """The page's order is saved although seven units are missing; an illegal order is not."""
    assert "kursk order place 5 pz e6" in " ".join(PAGE.split())
    with entropy.fix_random_bytes(JULY):
        table = signed_play.Table(tmp_path, JULY, {"deployment": "by-choice"}).begin()
    monkeypatch.setenv("KURSK_HOME", str(table.due.home))
    where = str(table.due.folder)
    assert run(["order", where]) == 0
    listed = capsys.readouterr().out  # the page's example is one of eight
    assert "\n  place 5 pz e6 " in listed
    assert "of no use now" not in listed
    assert run(["order", where, "place", "5", "pz", "e6"]) == 0
    assert "unfinished; it holds 1 order" in capsys.readouterr().out
    assert run(["order", where, "place", "5", "pz", "e6"]) == 0
    again = capsys.readouterr()
    assert "unfinished; it holds 1 order" in again.out
    assert "places 8 units, not 1" in again.err
    setting = july("by-choice")
    usual = {uid: setting.counters[uid].hex for uid in setup.list_free_units(setting, "german")[:8]}
    other = next(uid for uid in usual if uid != "g-5pz")
    assert run(["order", where, "place", other, usual[other]]) == 0
    assert "unfinished; it holds 2 orders" in capsys.readouterr().out
    assert run(["order", where, "undo", "2"]) == 0
    assert run(["order", where, "place", "4", "pz", "k9"]) == 1
    assert run(["check", where]) == 1
    assert "places 8 units, not 1" in capsys.readouterr().err
    table.due.fill({"seal": {setup.HALF: usual}})
    table.send()
    assert run(["map", where]) == 0
    shown = " ".join(capsys.readouterr().out.split())  # the map shows the scenario's set-up
    told = ", ".join(f"place {uid} {hex_}" for uid, hex_ in sorted(usual.items()))
    assert f"Hidden, and not on the map: {told}." in shown


def test_options_verbs_and_plans_are_all_there():
    wanted = {JULY, *(verb.name for verb in list_verbs(july())), *orders.PLAN_KEYS, *orders.FORCED}
    for option in RULESET.options:
        wanted |= {option.key, *option.values}
    assert [word for word in sorted(wanted) if not re.search(rf"\b{word}\b", PAGE)] == []


def test_2_0_only_what_belongs_to_german_plans_is_listed_as_german():
    """Russian attacks may have names, too."""
    usage = next(verb.usage for verb in list_verbs(july()) if verb.name == "attack")
    assert usage.endswith("[as NAME]; of German attacks also [cancel ...] [breakthrough ...] [exploit ...]")
