"""Every slip of form in a draft is named at once, each with its line; what follows from one is not."""

import pytest

from kursk_pbem.desk import desks
from kursk_pbem.desk.draft import drafts
from kursk_pbem.errors import FileError


@pytest.fixture(scope="module")
def german(demo):
    place = demo / "german"
    folder = next(place.glob("game-*"))
    return desks.open_desk(folder, place / "private"), drafts.render_draft(
        desks.open_desk(folder, place / "private"), bare=True
    )


def slips(german, *changes):
    desk, text = german
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(FileError) as refused:
        drafts.check_draft(desk, drafts.read_draft(desk, text.encode("ascii"), "draft"))
    lines = str(refused.value).splitlines()
    number = {line.strip(): at for at, line in enumerate(text.splitlines(), 1)}
    return [line.removeprefix("draft:") for line in lines], number


def test_slips_of_the_envelope_and_of_orders_come_together(german):
    found, at = slips(
        german,
        ("waive: posture", "waiv: posture"),
        ("posture: engage", "posture: engange"),
        ("replacements: []", "replacements: [{unit: g-3-pz}]"),
    )
    choice = next(line for text, line in at.items() if "engange" in text)
    assert [line.partition("; e.g. ")[0] for line in found] == [
        f"{choice}: posture: found 'engange', expected a posture: pause, reposition, deploy or engage",
        f"{at['waiv: posture']}: the key 'waiv' is not known here; did you mean 'waive'?",
        f"{at['replacements: [{unit: g-3-pz}]']}: replacements, entry 1: missing here: gain",
    ]


def test_a_slip_of_writing_hides_only_the_part_it_stands_in(german):
    found, at = slips(
        german,
        ("waive: posture", "waive: posture: now"),
        ("replacements: []", "replacements: [{unit: g-3-pz}"),
        ("battles: []", "battles: [{hex: '2015'}]"),
        ("movement: []", "movment: []"),
    )
    battles, movement = (at[line] for line in ("battles: [{hex: '2015'}]", "movment: []"))
    assert found[0].startswith(f"{at['waive: posture: now']}: a ':' where none can stand")
    assert any("is not closed" in line for line in found)
    assert any(line.startswith(f"{battles}: battles, entry 1: missing here: id, attackers") for line in found)
    assert f"{movement}: the key 'movment' is not known here; did you mean 'movement'?" in found
    assert len(found) == 4


def test_keys_that_stand_twice_are_all_named(german):
    found, _at = slips(
        german, ("waive: posture", "waive: posture\nwaive: posture"), ("battles: []", "battles: []\n  battles: []")
    )
    assert [line.partition(": ")[2] for line in found] == [
        "the key 'waive' stands twice; keep one of them (column 1)",
        "the key 'battles' stands twice; keep one of them (column 3)",
    ]


def test_fields_that_signing_writes_are_all_named(german):
    zeros = "0" * 64
    found, at = slips(german, ("waive:", f"commit: {zeros}\nstate-in: {zeros}\nwaive:"))
    assert [line.partition(":")[0] for line in found] == [str(at[f"commit: {zeros}"]), str(at[f"state-in: {zeros}"])]


def test_one_slip_is_said_as_ever(german):
    found, at = slips(german, ("waive: posture", "waiv: posture"))
    assert found == [f"{at['waiv: posture']}: the key 'waiv' is not known here; did you mean 'waive'?"]


def test_a_draft_of_another_message_is_no_heap_of_slips(german):
    found, _at = slips(german, ("seq: '8'", "seq: '9'"), ("from: german", "from: russian"))
    assert len(found) == 1
    assert "this draft is not for the message that is due: seq must be 8" in found[0]
