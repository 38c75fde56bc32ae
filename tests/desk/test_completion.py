"""Completions of orders come from the position: movable units, hexes in reach, postures, words."""

import random

import pytest
from helpers import registry, sweeps
from helpers.signed_play import Table

from kursk_pbem.desk.draft import drafts, ordering, prospects
from kursk_pbem.desk.draft.completion import Completion
from kursk_pbem.errors import UsageError
from kursk_pbem.game import entropy

KITS = registry.kits()


@pytest.fixture(scope="module")
def sheet(_begun):
    """Return the German draft of message 2 of Citadel."""
    return ordering.open_draft(_begun.german.desk)


def offered(sheet, line):
    return [word.text for word in Completion(sheet).of(line)]


def outlook(sheet, unit=""):
    return prospects.compute_outlook(
        prospects.look_after_draft(sheet.desk, sheet.message, ahead=True, without=unit), unit
    )


def test_attack_offers_what_can_be_attacked_and_no_more(sheet):
    targets = {target.place for target in outlook(sheet).targets}
    assert set(offered(sheet, "attack ")) == targets
    assert 20 < len(targets) < 40
    assert offered(sheet, "attack 2015 ") == [
        *("g-3-pz", "g-48-pz", "g-52", "all"),
        *("with", "lead", "support", "advance", "losses", "retreat"),
    ]


def test_a_move_offers_units_that_move_then_the_hexes_in_reach(sheet):
    movers = {mover.unit for phase in outlook(sheet).phases for mover in phase.movers if mover.ends}
    assert set(offered(sheet, "move ")) == movers
    ends = {end.place for phase in outlook(sheet, "g-24-pz").phases for end in phase.movers[0].ends}
    for typed in ("24", "24 pz", "g-24-pz", "24pz"):
        assert set(offered(sheet, f"move {typed} ")) == ends
    assert offered(sheet, "move 24") == ["g-24-pz"]
    assert offered(sheet, "move 2 s") == ["ss"]


def test_what_is_ordered_before_in_the_line_counts(sheet):
    assert "g-3-pz" not in offered(sheet, "attack 2015 3 pz 48 pz, attack 2115 ")
    assert offered(sheet, "attack 2015 3 pz 48 pz, 2011 ")[:3] == ["g-41-pz", "g-46-pz", "g-47-pz"]
    end = offered(sheet, "march 43 ")[0]
    assert "g-9" in offered(sheet, f"march 43 {end}, ")
    assert "g-43" not in offered(sheet, f"march 43 {end}, ")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("posture ", ["pause", "reposition", "deploy", "engage"]),
        ("posture en", ["engage"]),
        ("posture engage ", ["reaction"]),
        ("attack 2015 all lead ", ["g-3-pz", "g-48-pz"]),
        ("attack 2015 all lead 3 pz lo", ["losses"]),
        ("attack 2015 3 pz retreat a", ["away"]),
        ("note to ", []),
        ("move nobody ", []),
        ("nosuch ", []),
        ("undo 1", ["1"]),
    ],
)
def test_words_of_an_order_are_offered_where_they_may_stand(sheet, line, words):
    assert offered(sheet, line) == words


def test_a_place_is_found_by_what_it_is(sheet):
    assert offered(sheet, "attack 3rd sh") == []  # two words: only the last is completed
    assert offered(sheet, "attack 3rd") == ["1200", "2309", "2620"]


@pytest.mark.some(9)
@pytest.mark.parametrize("walks", sweeps.sizes(1, 3))
@pytest.mark.parametrize("kit", sweeps.some(KITS, 2), ids=[kit.ruleset.id for kit in KITS])
def test_whatever_is_offered_is_understood(kit, tmp_path, walks):
    chance, walked = random.Random(11), 0
    with entropy.fix_random_bytes("walks"):
        table = Table(tmp_path, kit.scenarios[0]).begin()
        for _message in range(3):
            drafts.write_draft(table.due.desk, force=True)
            sheet = ordering.open_draft(table.due.desk)
            for verb in sheet.verbs:
                walked += sum(_walk(sheet, verb.name, chance) for _time in range(walks))
            table.post()
    assert walked > 8 * walks


def _walk(sheet, verb, chance):
    """Complete words after a verb, and return the number of completions."""
    completion, line, walked = Completion(sheet), f"{verb} ", 0
    for _step in range(6):
        words = completion.of(line)
        if not words:
            break
        line += f"{chance.choice(words).text} "
        walked += 1
        said = _asked_back(sheet, line)
        for word in ("there is no", "did you mean", "occurs twice", "may be"):
            assert word not in said, (line, said)
    return walked


def _asked_back(sheet, line):
    """Return the question to an order, '' for a complete order."""
    try:
        ordering.try_orders(sheet, [line.split()])
    except UsageError as error:
        return error.message
    return ""
