"""``kursk order`` shows examples of orders in this position: this side can type each example as shown."""

import re

import pytest
from helpers import registry, sweeps
from helpers.commands import refused, well
from helpers.signed_play import Table

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts, examples, ordering
from kursk_pbem.game import entropy

KITS = registry.kits()


@pytest.fixture(params=sweeps.some(KITS, 4), ids=[kit.ruleset.id for kit in KITS])
def table(request, tmp_path):
    with entropy.fix_random_bytes("examples"):
        yield Table(tmp_path, request.param.scenarios[0]).begin()


def shown(text):
    """Return the orders of a list: the lines after two blanks, without meaning, undo, redo and note."""
    whole = re.sub("\n    (?! )", " ", text)  # a long order continues in the next line
    listed = whole.partition("\n")[2].partition("A first word alone")[0].partition("Orders so far")[0]
    found = [line.strip().partition("  ")[0] for line in listed.splitlines() if line[:2] == "  " and line[2] != " "]
    return [each for each in found if each.split()[0] not in ("undo", "redo", "note")]


def _silent(desk):
    """Return the words that list no orders when typed alone; bug: the program announced lists of such words."""
    return [verb for verb in ordering.open_draft(desk).verbs if verb.usage and verb.clauses is None]


@pytest.mark.parametrize("messages", sweeps.sizes(2, 4))
def test_every_example_is_legal_for_whoever_writes(capsys, table, monkeypatch, messages):
    met = 0
    for _message in range(messages):
        player = table.due
        monkeypatch.setenv("KURSK_HOME", str(player.home))
        drafts.write_draft(player.desk, force=True)
        before = player.draft().read_bytes()
        whole = well(capsys, "order", player.folder)
        told_of = re.findall(
            "[a-z-]+", re.sub(r"\s+", " ", whole).partition(" objects, except for ")[2].partition(": ")[0]
        )
        listed = shown(whole)
        assert told_of == [
            verb.name for verb in _silent(player.desk) if any(verb.name == one.split()[0] for one in listed)
        ]
        for example in listed:
            assert run(["order", str(player.folder), *example.split()]) == 0
            said, wrong = capsys.readouterr()
            assert "legal; it holds" in said or "[3.0-must]" in wrong  # a first order: the next attack is mandatory
            assert not any(line.startswith("but ") for line in said.splitlines())
            if player.draft().read_bytes() != before:  # otherwise the output was the draft
                well(capsys, "order", player.folder, "undo")
            assert player.draft().read_bytes() == before
        met += len(listed)
        table.post()
    assert met >= messages


def test_a_refusal_shows_an_example_of_this_side(capsys, table, monkeypatch):
    """A player who types only a first word reads a legal order as an example."""
    table.post()
    player = table.due
    monkeypatch.setenv("KURSK_HOME", str(player.home))
    drafts.write_draft(player.desk, force=True)
    sheet = ordering.open_draft(player.desk)
    found = examples.Examples(sheet)
    for verb in sheet.verbs:
        if (example := found.of(verb)) and verb.usage:
            assert run(["order", str(player.folder), verb.name]) == 2
            assert f"say more, as in '{example}'" in capsys.readouterr().err


def test_a_word_that_the_posture_forbids_is_not_shown_as_an_example(capsys, tmp_path, monkeypatch):
    with entropy.fix_random_bytes("examples"):
        table = Table(tmp_path, "battle-for-kursk/citadel").begin()
        for _message in range(2):
            table.post()
    monkeypatch.setenv("KURSK_HOME", str(table.russian.home))
    said = well(capsys, "order", table.russian.folder)
    assert not [each for each in shown(said) if each.startswith(("attack", "give-up"))]
    assert "24 pz" not in said  # a German unit
    assert "plan" not in said  # no enemy to attack with this posture, so no plan
    assert refused(capsys, 2, "order", table.russian.folder, "move", "27")


def test_a_warning_that_was_given_before_hides_no_word(capsys, tmp_path, monkeypatch):
    """The draft has an order without effect; the list still names all other possible orders."""
    with entropy.fix_random_bytes("examples"):
        player = Table(tmp_path, "kursk-1971/july4-historical").begin().due
    monkeypatch.setenv("KURSK_HOME", str(player.home))
    first = well(capsys, "order", player.folder, "attack", "1823", "all", "advance", "gd")
    assert "advance g-gd has no effect in b1823" in first
    again = well(capsys, "order", player.folder, "attack", "1823", "advance", "11", "pz")
    assert "advance g-11pz has no effect in b1823" in " ".join(again.split())
    said = well(capsys, "order", player.folder)
    assert {"move", "raid", "attack"} <= {each.split()[0] for each in shown(said)}
    assert not re.search(r"attack 1823 .*advance", " ".join(said.partition("Orders so far")[0].split()))
    assert "no use now: motor (" in said  # with the reason
    why = "after the dice of the declared attacks: give this order in your next message [2.0-phases]"
    assert f"Not now: patrol, interdict ({why})." in " ".join(said.split())  # bug: both were missing without a reason
    well(capsys, "order", player.folder, "attack", "1823", "none")
    well(capsys, "order", player.folder, "motor", "10", "br", "1123")
    said = " ".join(well(capsys, "order", player.folder).split())
    assert "raid ('raid " in said
    assert run(["order", str(player.folder), "attack", "1823", "all"]) == 1
    told = "earlier orders are in the way; remove orders with 'undo 1' (motor g-10br 1123)"
    assert told in capsys.readouterr().err  # the attack itself has no violation
    assert run(["order", str(player.folder), "motor", "gd", "2001"]) == 1
    assert "ordered before" not in capsys.readouterr().err  # here the new order has a violation
    well(capsys, "order", player.folder, "patrol", "orel", "with", "air1", "air2")
    assert "3  patrol 1708 with g-air1 g-air2" in well(capsys, "order", player.folder)
    taken = well(capsys, "order", player.folder, "undo", "3")  # bug: the output also named the aircraft that stays up
    assert taken.startswith("taken out: patrol 1708 with g-air2\n")


@pytest.mark.long("test-all")
def test_a_unit_that_has_its_orders_hides_no_word(capsys, tmp_path, monkeypatch):
    """Bug: after the first unit's move, the list had no deployment, and named only this unit."""
    with entropy.fix_random_bytes("examples"):
        table = Table(tmp_path, "kursk-1971/august3").begin()
        table.post()
    player = table.due
    monkeypatch.setenv("KURSK_HOME", str(player.home))
    well(capsys, "order", player.folder, "move", "10t", "1718")
    (example,) = [each for each in shown(well(capsys, "order", player.folder)) if each.startswith("deploy")]
    assert "10t" not in example
    assert "legal; it holds 2 orders" in well(capsys, "order", player.folder, *example.split())
    for _order in range(2):
        well(capsys, "order", player.folder, "undo")
    assert "contains no orders" in refused(capsys, 2, "order", player.folder, "undo")


@pytest.mark.long("test-all")
def test_what_is_said_already_is_not_offered_and_a_plan_only_of_what_is_declared(capsys, game, draft):
    """12.0-2: the German's draft contains 'waive'; 'wait' replaces 'waive', and then leaves the list."""
    first = [order.split()[0] for order in shown(well(capsys, "order", game))]
    assert ("waive" in first, "wait" in first, "plan" in first) == (False, True, False)
    well(capsys, "order", game, "posture", "engage")
    (attack,) = [order for order in shown(well(capsys, "order", game)) if order.startswith("attack")]
    well(capsys, "order", game, *attack.split())
    (plan,) = [order for order in shown(well(capsys, "order", game)) if order.startswith("plan")]
    assert "legal" in well(capsys, "order", game, *plan.split())
    well(capsys, "order", game, "wait")
    assert "wait" not in [order.split()[0] for order in shown(well(capsys, "order", game))]
