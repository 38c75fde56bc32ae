"""The systems on hexes have one grammar: equal words have equal meanings in all systems."""

import pytest
from helpers import registry
from helpers.commands import refused, well
from helpers.signed_play import Table

from kursk_pbem.desk.draft import drafts, ordering, prospects
from kursk_pbem.game import entropy
from kursk_pbem.kernel.names import match

HEXES = ("battle-for-kursk", "juggernauts", "kursk-1971")


@pytest.fixture(params=HEXES)
def german(request, tmp_path, monkeypatch):
    """Return a game in which the German orders the first moves and attacks."""
    with entropy.fix_random_bytes("grammar"):
        table = Table(tmp_path, registry.kit(request.param).scenarios[0]).begin()
        while not {"attack", "move"} <= {verb.name for verb in ordering.open_draft(table.due.desk).verbs}:
            table.post()
    monkeypatch.setenv("KURSK_HOME", str(table.due.home))
    drafts.write_draft(table.due.desk, force=True)
    return table.due


def ahead(player):
    sheet = ordering.open_draft(player.desk)
    return prospects.compute_outlook(prospects.look_after_draft(player.desk, sheet.message, ahead=True, without=""), "")


def test_attack_takes_its_units_with_or_without_with(capsys, german):
    hex_ = next(each.place for each in ahead(german).targets if each.verb == "attack" and each.results)
    said = {well(capsys, "order", german.folder, "attack", hex_, *words) for words in (["all"], ["with", "all"])}
    assert len(said) == 1
    uid = ordering.open_draft(german.desk).choices["orders"]["battles"][0]["attackers"][0]
    sheet = ordering.open_draft(german.desk)
    found = [ordering.try_orders(sheet, [["attack", hex_, *words]]).said for words in ([uid], ["with", uid])]
    assert found[0] == found[1]


def test_a_hex_that_was_forgotten_is_said_to_be_forgotten(capsys, german):
    mover = ahead(german).phases[-1].movers[0]
    assert f"the hex is missing: say where {mover.unit} goes" in refused(
        capsys, 2, "order", german.folder, "move", mover.unit, silent=True
    )
    place = mover.ends[0].place
    said = refused(capsys, 2, "order", german.folder, "move", place, mover.unit, silent=True)
    assert f"type the hex after the unit: '{mover.unit} {place}'" in said


def test_digits_and_letters_of_a_name_need_no_blank_between_them(capsys, german):
    units = dict.fromkeys(ordering.open_draft(german.desk).state.units, ())
    mover = ahead(german).phases[-1].movers[0].unit
    tight = "".join(mover.split("-"))
    assert match(tight, units) == [mover]
    assert well(capsys, "moves", german.folder, tight) == well(capsys, "moves", german.folder, mover)
