"""A part of an order typed as an order, or a misplaced comma: the answer names the next step (all systems)."""

import re

import pytest
from helpers import registry
from helpers.commands import refused, well
from helpers.signed_play import Table

from kursk_pbem.cli import COMMANDS
from kursk_pbem.desk.draft import vocabulary
from kursk_pbem.game import entropy


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """Return a game in which the German of Kursk (1971) writes the orders of turn 1."""
    with entropy.fix_random_bytes("parts"):
        return Table(tmp_path_factory.mktemp("parts"), "kursk-1971/july4-historical").begin().due


@pytest.fixture
def german(begun, monkeypatch):
    monkeypatch.setenv("KURSK_HOME", str(begun.home))
    monkeypatch.chdir(begun.folder)
    return begun


def test_the_words_of_parts_are_those_of_all_systems_that_begin_no_order():
    kits = registry.kits()
    known = [verb for kit in kits for verb in kit.ruleset.seen.verbs(kit.setting(kit.scenarios[0], dict(kit.options)))]
    usages = " ".join(verb.usage for verb in known)
    assert set(vocabulary.list_parts()) <= set(re.findall(r"[a-z][a-z-]+", usages))
    assert not {*vocabulary.list_words(), *COMMANDS}.intersection(vocabulary.list_parts())


@pytest.mark.parametrize("word", ["retreat", "losses", "support", "advance"])
def test_a_part_of_an_order_is_told_behind_which_order_it_stands(german, capsys, word):
    """Bug: the answer denied that the command or the order exists, and named unrelated words."""
    for command in ((word, "away", "kursk"), ("order", word, "away", "kursk")):
        said = refused(capsys, 2, *command)
        assert f"'{word}' begins no order; it is a word inside the order attack" in said


def test_a_part_of_an_order_that_this_message_does_not_take_is_told_so(german, capsys):
    said = refused(capsys, 2, "withdraw", "1")
    assert "'withdraw' is no order for message 1" in said  # a word of another system


def test_a_comma_before_a_part_of_an_order_is_told(german, capsys):
    said = refused(capsys, 2, "order", "attack", "1823", "all,", "losses", "gd")
    assert "inside the order attack: leave out the comma" in said


def test_a_hex_that_nobody_can_attack_is_told_why_and_which_can_be(german, capsys):
    """Bug: the answer was 'no unit is adjacent to an enemy there', even for a hex without enemies, and named no
    other hex."""
    assert "there is no hex or enemy unit '2042'; did you mean " in (
        said := refused(capsys, 2, "order", "attack", "2042", "all")
    )
    assert "; you can attack 0918, 10" in said
    said = refused(capsys, 2, "order", "attack", "1724", "all")
    assert "1724 contains no enemy; you can attack " in said
    named = re.findall(r"[0-9]{4}", said.partition("can attack ")[2])
    assert named
    assert "name attackers of" in refused(capsys, 2, "order", "attack", named[0])


def test_an_attack_that_is_gone_is_told_so(german, capsys):
    well(capsys, "order", "attack", "1823", "all")
    well(capsys, "order", "attack", "b1823", "none")
    said = refused(capsys, 2, "order", "attack", "b1823", "none")
    assert said == "kursk: no order was removed: the draft contains no attack 'b1823'\n"
    said = refused(capsys, 2, "order", "patrol", "orel", "with", "nobody")
    assert said == "kursk: no order was removed: the draft contains no patrol 'orel'\n"
    said = refused(capsys, 2, "order", "attack", "oboyan", "losses", "none")
    assert "1820 Oboyan contains no enemy; " in said
    assert "no order was removed" not in said
