"""Typed orders change the text of the draft without losses, and can be taken back."""

import stat

import pytest

from desk.sheets import order, sheet, text
from kursk_pbem.desk.draft import changes, history, ordering, orderlines
from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.formats import strictyaml


def data(player):
    return strictyaml.read(player.draft().read_bytes(), "draft").data


def test_an_order_changes_one_place_and_no_comment(player):
    before = text(player)
    done = order(player, "posture deploy, move 24 pz 2219")
    assert done.checked.result.legal
    assert done.said == (
        "posture of turn 1: deploy",
        "24 Pz (g-24-pz) from 2221 to 2219 before combat: 2220 2219, 2 of 6 MP",
    )
    after = text(player).splitlines()
    assert [line for line in before.splitlines() if line not in after] == [
        "choice: {posture/turn-1: {posture: engage, reaction: 'no'}}",
        "  armor-and-rail: []",
    ]
    assert [line for line in after if line not in before.splitlines()] == [
        "choice: {posture/turn-1: {posture: deploy, reaction: 'no'}}",
        "  armor-and-rail:",
        "  - {unit: g-24-pz, to: '2219'}",
    ]


def test_a_draft_that_was_edited_keeps_all_that_its_player_wrote(player):
    own = text(player).replace(
        "  armor-and-rail: []",
        "  armor-and-rail:   # the pincers\n"
        "    # first the south\n    -   {unit: g-24-pz,\n         to: 2219}   # to be seen\n\n",
    )
    player.draft().write_text(own, encoding="ascii")
    order(player, "posture engage, rail 41 pz 2010")
    after = text(player)
    for line in ("# the pincers", "    # first the south", "    -   {unit: g-24-pz,", "     to: 2219}   # to be seen"):
        assert line in after
    assert [each["unit"] for each in data(player)["orders"]["armor-and-rail"]] == ["g-24-pz", "g-41-pz"]


def test_undo_gives_the_former_text_back_to_the_byte_as_often_as_there_were_orders(player):
    texts = [text(player)]
    for each in ("posture deploy", "posture engage", "move 24 pz 2219", "attack 2011 with all"):
        order(player, each)
        texts.append(text(player))
    for earlier in reversed(texts[:-1]):
        ordering.undo_command(sheet(player))
        assert text(player) == earlier
    with pytest.raises(UsageError, match=r"no command can be taken back; .undo N"):
        ordering.undo_command(sheet(player))


def test_undo_does_not_overwrite_what_was_edited_since(player):
    order(player, "posture deploy")
    edited = text(player) + "# my own thoughts\n"
    player.draft().write_text(edited, encoding="ascii")
    with pytest.raises(UsageError, match="after the last command; 'undo N' removes order N and leaves your edits"):
        ordering.undo_command(sheet(player))
    assert text(player) == edited


def test_one_order_is_taken_out_by_its_number(player):
    order(player, "posture engage, move 24 pz 2219, attack 2011 with all, 2015 with all")
    listed = [words for _path, words in orderlines.list_lines(sheet(player).choices)]
    number = next(at for at, words in enumerate(listed, 1) if "2011" in words)
    ordering.take_out_order(sheet(player), number)
    assert [each["hex"] for each in data(player)["orders"]["battles"]] == ["2015"]
    for wrong in (0, 99):
        with pytest.raises(UsageError, match=f"there is no order {wrong}; the orders have the numbers 1 to 4"):
            ordering.take_out_order(sheet(player), wrong)


def test_an_edit_at_the_same_moment_is_not_overwritten(player):
    mine = sheet(player)
    player.draft().write_text(text(player) + "# saved just now\n", encoding="ascii")
    with pytest.raises(UsageError, match=r"another program has changed .*; nothing was written"):
        ordering.write_orders(mine, [["posture", "deploy"]])
    assert text(player).endswith("# saved just now\n")


@pytest.mark.parametrize(
    "said",
    [
        "move 24 pz",
        "move nobody 2219",
        "fly 24 pz 2219",
        "attack 2015",
        "posture sideways",
        "attack 2011 with all lead 41",
        "plan x losses 52",
        "answer stand always",
        "decide accept",
        "move 24 pz 2219 \x1b[2J",
        "move \u0418\u0432\u0430\u043d 2219",
        "attack 2015 with all with all",
        "replace",
        "m 24 pz 2219",
        ", , x",
        "note " + "x" * 5000,
    ],
)
def test_what_is_not_understood_is_asked_back_and_nothing_is_written(player, said):
    before = text(player)
    with pytest.raises((UsageError, FileError)) as error:
        order(player, f"posture deploy, {said}")
    assert error.value.message.replace("\n", "").isprintable()
    assert text(player) == before
    assert not list((player.desk.own.path / "drafts").glob("*"))


def test_what_is_understood_and_illegal_is_written_and_told(player):
    done = order(player, "posture engage, move 24 pz kursk")
    assert [each.rule for each in done.checked.result.violations] == ["8.0"]
    assert "to: '2113'" in text(player)
    again = order(player, "move 24 pz 2219")  # replaces the former line
    assert again.checked.result.legal
    assert "2113'}" not in text(player)


def test_a_word_left_out_is_that_of_the_order_before(player):
    order(player, "posture engage, attack 2011 with all, 2015 with 48 3 52")
    assert [each["hex"] for each in data(player)["orders"]["battles"]] == ["2011", "2015"]


def test_a_note_takes_the_rest_of_its_line_in_any_letters(player):
    order(player, "posture engage, note Good luck, J\u00fcrgen # not: a 'comment'")
    assert data(player)["note"] == "Good luck, J\u00fcrgen # not: a 'comment'"
    text(player).encode("ascii")


def test_a_draft_of_bad_form_is_not_touched(player):
    for wrong in ("orders: [", "orders: {movment: []}", "orders: {movement: [{unit: g-1}]}", "\u00fc: 1"):
        bad = (text(player).split("choice:")[0] + wrong + "\n").encode()
        player.draft().write_bytes(bad)
        with pytest.raises(FileError):
            order(player, "posture engage")
        assert player.draft().read_bytes() == bad


def test_former_texts_are_private_few_and_of_this_draft_only(player):
    place = player.desk.own.path / "drafts"
    place.mkdir(mode=0o700, exist_ok=True)
    (place / "0000-0007.json").write_text("{}")
    for _each in range(history.MOST_KEPT // 2 + 3):
        order(player, "posture deploy")
        order(player, "posture engage")
    found = sorted(place.iterdir())
    assert len(found) == history.MOST_KEPT + 1
    assert all(each.name.startswith("0002-") for each in found)
    assert {stat.S_IMODE(each.stat().st_mode) for each in found} == {0o600}
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert stat.S_IMODE(player.draft().stat().st_mode) == 0o600


def test_a_damaged_former_text_stops_no_order(player):
    order(player, "posture deploy")
    (step,) = (player.desk.own.path / "drafts").iterdir()
    for damaged in ("", "[]", '{"before": "x"}', "\x00"):
        step.write_text(damaged)
        with pytest.raises(UsageError, match="cannot be read"):
            ordering.undo_command(sheet(player))
    order(player, "posture engage")


def test_a_draft_that_is_gone_is_written_anew(player):
    player.draft().unlink()
    order(player, "posture engage")
    assert "# Battle for Kursk, turn 1" in text(player)


def test_a_first_word_alone_lists_what_it_can_name_now(player):
    with pytest.raises(UsageError) as error:
        order(player, "attack")
    lines = error.value.message.splitlines()
    assert lines[0].startswith("say more, as in 'attack 2015 with ")
    assert "  2015 (40th Army)" in lines
    assert len(lines) <= orderlines.MOST + 4


def test_undo_and_redo_name_the_orders_that_differ(player):
    order(player, "attack 2015 48 pz 3 pz")
    order(player, "attack 2015 losses 3 pz")
    long, short = "attack 2015 with g-48-pz g-3-pz as b2015 losses g-3-pz", "attack 2015 with g-48-pz g-3-pz as b2015"
    assert ordering.undo_command(sheet(player)).said == (f"undone: {long}", f"undone; restored: {short}")
    assert ordering.redo_command(sheet(player)).said == (f"redone: {long}", f"redone; removed: {short}")


def test_undo_names_the_restored_order_last(player):
    order(player, "move 24 pz 2219")
    order(player, "move 24 pz 2220 2219, note on we go")
    assert ordering.undo_command(sheet(player)).said == (
        "undone: rail g-24-pz 2220 2219",
        "undone: note on we go",
        "undone; restored: rail g-24-pz 2219",
    )


def test_what_each_attack_hex_and_unit_is_told_is_one_order():
    one = {"policy": {"hexes": {"1823": {"retreat": ["1824"]}}}}
    both = {"policy": {"hexes": {"1823": {"retreat": ["1824"]}, "1912": {"retreat": ["1708"]}}}}
    more = {"seal": {"placement": {"g-1": "K8", "g-2": "K9"}, "plans/3": {"oboyan": {"losses": ["g-1"]}}}}
    choice = {"choice": {"posture/3": {"posture": "deploy", "reaction": "no"}}}
    assert [path for path, _value in orderlines.list_entries({**both, **more, **choice})] == [
        ("policy", "hexes", "1823"),
        ("policy", "hexes", "1912"),
        ("seal", "placement", "g-1"),
        ("seal", "placement", "g-2"),
        ("seal", "plans/3", "oboyan"),
        ("choice", "posture/3"),
    ]
    former = [changes.compare_choices(one, both), changes.compare_choices({}, one)]
    path, value = ("policy", "hexes", "1823"), one["policy"]["hexes"]["1823"]
    assert changes.restore_replaced(former, {"policy": {}}, path, value, lambda _choices: ["an order"]) == ()
