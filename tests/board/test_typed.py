"""Typed orders on the board: *Or in words* agrees with ``kursk order``."""

from __future__ import annotations

import re

import pytest
from helpers import registry

from board import july_juggernauts as july
from board.screens import enters, opened
from board.seats import Client, begun, by_turn
from kursk_pbem.cli import run

DEMO = (
    "move g-2-ss 1716",
    "move g-2-ss moscow",
    "attack 2014 g-24-pz",
    "attack 2319 g-24-pz g-57-pz",
    "move g-24-pz 2119",
    "note move on, Boris",
    "march g-nobody 1815",
    "posture pause",
    "attack 2319 none, posture pause",
)
JULY = ("attack P8 with g-2ss", "attack P7 with g-10bde g-52k", "move g-2ss Q9", "attack P9 with g-2ss")


def typed(client, words):
    return client.post(client.at("order"), {"words": words, "stamp": client.stamp(), "typed": "1"})


def alike(seat, orders, capsys, monkeypatch):
    """Type each order in two places from the same draft; return the statuses of 'kursk order'."""
    monkeypatch.setenv("KURSK_HOME", str(seat.home))
    client, draft, found = Client(seat).enter(), seat.draft(), []
    for words in orders:
        before = draft.read_bytes()
        found.append(run(["order", str(draft), *words.split()]))
        told = capsys.readouterr().err
        wanted = draft.read_bytes()
        draft.write_bytes(before)
        answer = typed(client, words)
        assert answer.status_code == (400 if found[-1] else 200), (words, told)
        assert draft.read_bytes() == wanted, words
        for paragraph in re.findall(r"^\[([\d.a-z-]+)\]", told if found[-1] else "", re.MULTILINE):
            assert f"[{paragraph}]" in answer.get_data(as_text=True), words
    return found


def test_what_kursk_order_refuses_is_refused_on_the_board_too(german, capsys, monkeypatch):
    """Bug: the board wrote the order, and *Sign* was grey."""
    assert {0, 1, 2} == {*alike(german, DEMO, capsys, monkeypatch)}


def test_3_0_an_order_that_waits_for_another_is_written_at_both_places(tmp_path, capsys, monkeypatch):
    """Juggernauts: an attack that needs a second attack is unfinished, not refused."""
    assert {0, 1} <= {*alike(july.due(tmp_path), JULY, capsys, monkeypatch)}


@pytest.mark.some(4)
@pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)
def test_the_examples_of_every_system_are_taken_at_both_places(kit, tmp_path, capsys, monkeypatch):
    seat, _other = by_turn(begun(tmp_path, kit.scenarios[0]))
    seat.sit()
    monkeypatch.setenv("KURSK_HOME", str(seat.home))
    assert run(["order", str(seat.folder)]) == 0
    shown = re.findall(r"^  (\S.*?)(?:  |$)", capsys.readouterr().out, re.MULTILINE)
    orders = [each for each in shown if not each.isupper() and "WORDS" not in each and "undo" not in each][:4]
    assert orders
    alike(seat, [each for each in orders if each != "redo"], capsys, monkeypatch)


def test_a_refused_order_stays_in_the_line_and_says_why(browser, german):
    """The text can be corrected, and the message can still be signed."""
    with opened(browser, german) as screen:
        page = screen.page
        enters(screen)
        before = german.draft().read_bytes()
        line = page.get_by_label("Or in words")
        line.fill("move g-2-ss moscow")
        screen.press("Enter")
        screen.settled()
        told = page.get_by_role("status").inner_text()
        assert told.startswith("Not allowed: g-2-ss: ")
        assert "[8." in told
        assert told.endswith("Not written: move g-2-ss moscow")
        assert line.input_value() == "move g-2-ss moscow"
        assert german.draft().read_bytes() == before
        assert page.get_by_role("button", name="Sign …").is_enabled()
        screen.wrong = [each for each in screen.wrong if "400" not in each]
