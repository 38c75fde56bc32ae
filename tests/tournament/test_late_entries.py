"""Nobody is shut out in silence: entries and offers without effect, told to their writers (directors.md 2 and 3)."""

from __future__ import annotations

import sys
from datetime import timedelta

import pytest
from helpers.commands import Terminal
from helpers.cup_by_mail import Cup, pair_first_round
from post.conftest import share

from kursk_pbem.cli.mail import rounds
from kursk_pbem.tournament.book import people, reading

DAY = timedelta(days=1)
LATE = {"late: {until: '1', points: '0'}": "late: {until: '2', points: '2'}"}


def enter_late(root, time, *, paired=True):
    """Return a Swiss with round 1 paired, and Hal, who entered after draw 0 with the rules file alone.

    ``paired`` False: draw 0 is still open.
    """
    cup = Cup(root, time, players=2)
    cup.new("--swiss", 3, "--system", "hex-toy/fords", edit=LATE)
    for name, player in cup.players.items():
        player.friend.kursk("tournament", "enter", cup.folder / "log" / "0000.yaml", name, "--yes")
        player.post()
    cup.time.now += DAY
    cup.ref.post()
    cup.direct("tournament", "inbox")
    pair_first_round(cup)
    if paired:
        cup.direct("tournament", "pair")
    hal = cup.comes("hal")
    hal.friend.kursk("tournament", "enter", cup.folder / "log" / "0000.yaml", "Hal", "--yes")
    hal.post()
    cup.time.now += DAY
    cup.ref.post()
    cup.told = cup.direct("tournament", "inbox")
    return cup


_late, late = share("late", enter_late, "cup")


@pytest.fixture
def types(monkeypatch):
    return lambda text: monkeypatch.setattr(sys, "stdin", Terminal(text))


def goes_round(cup):
    """Let the director send, and Hal read and send."""
    for member in (cup.ref, cup.players["hal"], cup.ref):
        member.post()
        cup.time.now += DAY


def letters_to_hal(cup):
    to = cup.players["hal"].address
    return [raw for _at, by, reader_, raw in cup.office.mails if (by, reader_) == (cup.ref.address, to)]


def test_a_late_entry_is_told_to_the_director_with_the_reason(late):
    """Bug: the log acknowledged the entry, the book knew the reason, and no program printed the reason."""
    why = "The entry of Hal has no effect: the field of lots 0 was closed by log paper 2."
    assert why in late.told
    assert why in late.direct("tournament", "status")
    assert any(why in line for line in late.ref.session.referee.list_pending())


def test_a_late_entrant_gets_the_papers_once_and_enters_after_a_yes(late, types):
    """Bug: a late entrant with the rules file was acknowledged, got no letter, and played nowhere."""
    hal = late.players["hal"]
    late.ref.post()
    assert letters_to_hal(late) == []  # the director has not confirmed the address
    late.direct("people", "confirm", "--all", "--yes")
    late.ref.sits()
    for _day in range(3):
        late.ref.post()
        late.direct("tournament", "pair")
        late.time.now += DAY
    assert len(letters_to_hal(late)) == 1
    assert b"Your entry came after the lots of round 1" in letters_to_hal(late)[0]
    digest = hal.post()
    assert any("Your entry came after the lots of round 1" in line for line in digest.done)
    (copy,) = hal.friend.place.glob("tournament-*")
    assert len(reading.read_folder(copy).log) >= 3
    said = hal.friend.kursk("tournament", "status")
    assert "not acknowledged" not in said
    assert f"kursk tournament enter {copy}" in said
    types("n\n")
    with hal.friend.sitting():
        rounds.ask_to_enter()
        assert reading.read_folder(copy).next_draw == 1
        types("y\n")
        rounds.ask_to_enter()
        types("")
        rounds.ask_to_enter()  # one question is enough
    goes_round(late)
    late.direct("tournament", "inbox")
    assert [entrant.name for entrant in late.book().entrants.values()][-1] == "Hal"


def test_nobody_is_offered_a_draw_after_the_last_round_of_late_entries(late):
    """Bug: between the field of lots 1 and round 2 the program offered draw 2, which pairs round 3."""
    assert people.find_late_obstacle(late.book(), 2) == ""
    assert "and no entry and no yes counts from then on" in people.find_late_obstacle(late.book(), 3)


def test_the_next_field_waits_three_days_for_the_yes_of_a_late_entrant(late):
    """Bug: the letter said 'at once', because the round could end on any day."""
    late.over()
    zoe = late.comes("zoe")
    zoe.friend.kursk("tournament", "enter", late.folder / "log" / "0000.yaml", "Zoe", "--yes")
    zoe.post()
    late.time.now += DAY / 4
    late.ref.post()
    late.direct("tournament", "inbox")
    late.direct("tournament", "pair")
    assert late.book().next_draw == 1
    late.time.now += 3 * DAY + DAY / 24
    late.direct("tournament", "pair")
    assert late.book().next_draw == 2


def test_a_refused_entrant_gets_the_reason_once(late):
    """A refusal is told to its writer: before, the program stopped all letters to the refused person."""
    hal = late.players["hal"]
    late.direct("people", "confirm", "--all", "--yes")
    late.ref.sits()
    goes_round(late)
    (copy,) = hal.friend.place.glob("tournament-*")
    for _again in range(2):
        hal.friend.kursk("tournament", "enter", copy, "Hal", "--yes")
    assert len(list(hal.friend.home.glob("tournaments/*/journal/entry*"))) == 2
    goes_round(late)
    late.direct("tournament", "inbox")
    late.direct("tournament", "refuse", "Hal", "a second key of Boris", "--yes")
    before = len(letters_to_hal(late))
    goes_round(late)
    goes_round(late)
    assert len(letters_to_hal(late)) == before + 1
    assert b"a second key of Boris" in b" ".join(letters_to_hal(late)[-1].split())


def test_an_entry_during_the_first_draw_is_told_when_entries_begin(time, types, tmp_path):
    """Late entries begin after the first draw: the first letter says so, and the next letter asks."""
    late = enter_late(tmp_path, time, paired=False)
    late.direct("people", "confirm", "--all", "--yes")
    late.ref.sits()
    goes_round(late)
    assert b"late entries begin after" in b" ".join(letters_to_hal(late)[0].split())
    hal = late.players["hal"]
    late.direct("tournament", "pair")
    goes_round(late)
    goes_round(late)
    assert len(letters_to_hal(late)) == 2
    types("y\n")
    with hal.friend.sitting():
        rounds.ask_to_enter()
    goes_round(late)
    late.direct("tournament", "inbox")
    assert late.book().by_key(hal.friend.public) is not None
