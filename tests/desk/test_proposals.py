"""Illegal defaults of a draft are left out and reported."""

import shutil

import pytest

from kursk_pbem.desk.draft import drafts, leftovers
from kursk_pbem.desk.own import desks
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import folders

SEAL = "proposed by the draft, but left out because of your orders: posture "


@pytest.fixture
def german(demo, tmp_path):
    """Return the draft of message 8 and its desk: two steps are proposed."""
    place = shutil.copytree(demo / "german", tmp_path / "german")
    folder = next(place.glob("game-*"))
    return desks.open_desk(folder, place / "private"), (folder / "0008.draft.yaml").read_text(encoding="ascii")


def check(desk, text):
    checked = drafts.check_draft(desk, drafts.read_draft(desk, text.encode("ascii"), "draft"))
    return checked, [str(each) for each in checked.result.violations]


def test_a_give_up_that_another_posture_does_not_ask_for_is_left_out(german):
    desk, text = german
    assert "give-ups: [g-40-pz, g-56-pz]" in text
    checked, wrong = check(desk, text.replace("posture: engage", "posture: pause"))
    assert wrong == []
    assert checked.content["orders"]["give-ups"] == ["g-40-pz"]
    told = [each.text for each in leftovers.list_unused(desk, checked)]
    assert told[0] == "proposed by the draft, but left out because of your orders: give-up g-56-pz"


def test_give_ups_that_come_too_early_are_left_out(german):
    desk, text = german
    checked, wrong = check(desk, text.replace("waive: posture\n", ""))
    assert wrong == []
    assert "orders" not in checked.content
    assert "give-up g-40-pz g-56-pz" in leftovers.list_unused(desk, checked)[0].text


def test_what_the_player_has_written_is_refused_as_ever(german):
    desk, text = german
    checked, wrong = check(desk, text.replace("posture: engage", "posture: pause").replace("[g-40-pz, ", "[g-41-pz, "))
    assert len(wrong) == 1
    assert checked.dropped == ()


def test_other_mistakes_are_still_named(german):
    desk, text = german
    text = text.replace("armor-and-rail: []", "armor-and-rail: [{unit: g-41-pz, to: '0101'}]")
    checked, wrong = check(desk, text.replace("posture: engage", "posture: pause"))
    assert [each for each in wrong if "give-ups" in each] == []
    assert wrong
    assert len(checked.dropped) == 1


def test_a_sealed_posture_is_left_out_where_battles_are_declared(later):
    desk = later.due.desk
    text = folders.read_bytes(later.due.draft()).decode("ascii")
    draft = strictyaml.read(text.encode("ascii"), "draft").data
    assert "posture/turn-2" in draft["seal"]
    unit, hex_ = _attack(desk)
    battle = f"battles:\n  - {{id: one, hex: '{hex_}', attackers: [{unit}]}}\n"
    checked, wrong = check(desk, text.replace("battles: []\n", battle))
    assert wrong == []
    assert not any(label.startswith("posture/") for label in checked.hidden)
    assert leftovers.list_unused(desk, checked)[0].text.startswith(SEAL)
    mine = text.replace("battles: []\n", battle).replace("reaction: 'no'", "reaction: 'yes'")
    assert check(desk, mine)[1], "a seal that the player has written is theirs to delete"


def _attack(desk):
    """Return a Russian unit and an enemy hex in reach."""
    game = desk.game
    middle = desks.preview_duties(desk, desk.own).middle
    found = game.ruleset.seen.outlook(game.setting, middle, "")
    target = next(each for each in found.targets if each.fought is not None and each.results)
    return target.fought.attack.units[0], target.place
