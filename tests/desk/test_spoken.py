"""Listed orders, typed again, write the same plain data."""

import random

import pytest
from helpers import registry
from helpers.signed_play import Table

from kursk_pbem.desk.draft import changes, drafts, ordering, orderlines, wording
from kursk_pbem.game import entropy

WORDS = {
    "battle-for-kursk": {"posture", "replace", "rail", "march", "attack", "answer", "distribute", "decide"},
    "kursk-1971": {"deploy", "intercept", "patrol", "interdict", "move", "motor", "attack", "answer", "raid"},
    "juggernauts": {"keil", "emplace", "move", "attack", "answer", "place"},
    "armor-commander": {"deploy", "move", "fire"},
}
"""The words that the players at random of these games have to say, at least."""
MOST = 18
"""Messages of a game."""


@pytest.mark.long("test-all")
@pytest.mark.parametrize("rid", registry.KITS)
def test_what_is_listed_is_typed_again_and_writes_the_same(tmp_path, rid):
    kit, said = registry.kit(rid), set()
    for seed, scenario in enumerate((kit.scenarios * 3)[:3]):
        with entropy.fix_random_bytes(f"spoken {rid} {seed}"):
            options = dict(kit.options[seed - 1 : seed]) if rid in ("battle-for-kursk", "juggernauts") else {}
            table = Table(tmp_path / str(seed), scenario, options).begin()
            chooser = kit.chooser(table.game.setting, random.Random(seed))
            while not table.game.over and table.game.chain.next_seq < MOST:
                writer = table.due
                content = writer.choose(chooser)
                writer.fill(content)
                sheet = ordering.open_draft(writer.desk)
                words = [words for path, words in sheet.orders if tidy(orderlines.get_value(sheet.choices, path))]
                said |= {word.split()[0] for order in words for word in order.split(", ")}
                taken_off(sheet)
                empty = emptied(sheet)
                typed = [order for line in words for order in ordering.split_orders(line)]
                joins = any("join" in order for order in typed)  # a later attack is known the second time
                again = ordering.write_orders(empty, typed * (2 if joins else 1))
                assert tidy(again.sheet.choices) == tidy(sheet.choices), words
                table.turn(content)
    assert said >= WORDS[rid]


def taken_off(sheet):
    """Remove the first order of a list by words, such as 'attack 2015 none'."""
    named = [
        (path, words, changes.find_subject(orderlines.get_value(sheet.choices, path))) for path, words in sheet.orders
    ]
    for path, words, subject in [entry for entry in named if isinstance(entry[0][-1], int) and entry[2]][:1]:
        understood = wording.read_orders(sheet, [[words.split()[0], subject, "none"]])
        assert understood.said[0] == f"taken out: {words}"
        gone = [value for place, value in understood.changes[0][changes.TOOK] if tuple(place)[:-1] == path[:-1]]
        assert {changes.find_subject(value) for value in gone} == {subject}


def emptied(sheet):
    """Return the draft without choices."""
    drafts.write_draft(sheet.desk, bare=True, force=True)
    head = ("kursk-pbem", "type", "game", "seq", "from", "prev")
    lines = [line for line in sheet.path.read_text(encoding="ascii").splitlines() if line.split(":")[0] in head]
    sheet.path.write_text("\n".join([*lines, ""]), encoding="ascii")
    return ordering.open_draft(sheet.desk)


def tidy(choices):
    """Remove empty values; write a path of one hex as a destination."""
    if isinstance(choices, list):
        return [tidy(order) for order in choices]
    if not isinstance(choices, dict):
        return choices
    held = {key: tidy(value) for key, value in choices.items() if value not in ("", [], {})}
    if "unit" in held and len(held.get("path", ())) == 1:
        held["to"] = held.pop("path")[0]
    if "planes" in held:
        del held["id"]  # a strike is named after its hex
    if "posture" in held:
        held.setdefault("reaction", "no")
    return {key: value for key, value in held.items() if value not in ("", [], {})}
