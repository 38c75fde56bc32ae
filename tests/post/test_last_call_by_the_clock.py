"""A last call and a clock that is wrong: a true day behind the letters, and answers that count (decision 74)."""

import pytest
from helpers import sweeps
from helpers.postmen import Line
from helpers.refereed_mail import DAY, HOUR, played_on
from helpers.two_clocks import Machine

from kursk_pbem.errors import DiskError
from kursk_pbem.post import people, place
from kursk_pbem.post.referee import reminders


@pytest.fixture
def machine(automatic, monkeypatch):
    """Boris owes message 3, and its term ends."""
    played_on(automatic)
    there = Machine(automatic, monkeypatch)
    there.goes_on(7 * 24 - 6, 6)
    return there


def called(machine):
    """Everybody is told."""
    machine.goes_on(60, until=lambda: machine.calls)
    assert machine.calls
    assert not machine.ended


@pytest.mark.parametrize("ahead", sweeps.some([47, 3, 240], 3))
def test_2_12_an_answer_counts_that_is_written_before_a_time_to_come(machine, ahead):
    """What was put down of the first letter by a clock that was ahead stayed in the future."""
    machine.starts_anew(ahead)
    called(machine)
    machine.goes_on(2)
    machine.is_right()
    machine.goes_on(2)
    raw = f"From: anna@example.test\r\nSubject: Re: [kursk {machine.world.game[:8]}] a last call\r\n\r\nWait\r\n"
    machine.world.office.put(raw.encode(), machine.world.ref.address)
    machine.goes_on(10 * 24, 12)
    assert not machine.ended


def test_2_12_an_answer_counts_though_what_is_to_come_cannot_be_put_right(machine, monkeypatch):
    """A full disk as the clock is believed again: when the first letter was written stayed in the future."""
    machine.starts_anew(20)
    called(machine)
    machine.is_right()
    real = place.put

    def put(path, data):
        if path.parent.name == "called":
            raise DiskError("no room")
        real(path, data)

    monkeypatch.setattr(place, "put", put)
    machine.goes_on(2)
    raw = f"From: anna@example.test\r\nSubject: Re: [kursk {machine.world.game[:8]}] a last call\r\n\r\nWait\r\n"
    machine.world.office.put(raw.encode(), machine.world.ref.address)
    machine.goes_on(2)
    monkeypatch.setattr(place, "put", real)
    machine.goes_on(10 * 24, 12)
    assert not machine.ended


@pytest.mark.parametrize("seen", sweeps.some([47, 0, 300], 2))
def test_2_12_a_day_passes_though_the_clock_is_set_once_where_nobody_sees_it(machine, seen):
    """Two days counted from the letters, though it was known that the clock had been set since."""
    called(machine)
    machine.is_set(seen)
    machine.goes_on(2)
    machine.starts_anew(23)
    machine.goes_on(1, 0.5)
    machine.goes_on(6 * 24)
    assert machine.ended
    assert machine.behind >= 24


def test_2_12_a_clock_that_is_set_unseen_first_and_then_where_it_is_seen(machine):
    called(machine)
    machine.starts_anew(23)
    machine.goes_on(1, 0.5)
    machine.is_set(30)
    machine.goes_on(6 * 24)
    assert machine.behind >= 24


@pytest.mark.parametrize("days", sweeps.some([3, 1, 30], 3))
@pytest.mark.parametrize("anew", sweeps.some([True, False], 2))
def test_2_12_letters_that_go_out_while_the_clock_is_set_back_went_out_today(machine, monkeypatch, days, anew):
    """They were put down as sent days ago, and the game ended an hour later."""
    real, done = Line.send, []

    def send(line, raw, sender, to):
        if b"a last call" in raw and not done:
            done.append(raw)
            machine.ahead -= days * DAY
        return real(line, raw, sender, to)

    monkeypatch.setattr(Line, "send", send)
    called(machine)
    machine.goes_on(1, 1)
    machine.ahead += days * DAY
    if anew:
        machine.world.director.sits()
    machine.goes_on(6 * 24)
    assert machine.behind >= 24


@pytest.mark.parametrize("ahead", sweeps.some([20, 1], 2))
def test_2_12_a_day_passes_behind_a_clock_that_was_seen_to_jump_though_its_machine_starts_anew(machine, ahead):
    """The program that saw it had ended, and by the clock of a new start less than a day had passed."""
    called(machine)
    machine.goes_on(48 - ahead - 2)
    machine.ahead += ahead * HOUR
    jumped = machine.world.time.now
    machine.goes_on(1, 1)
    machine.starts_anew()
    machine.goes_on(6 * 24)
    assert machine.ended
    assert machine.world.time.now - jumped >= DAY


@pytest.mark.parametrize("hours", sweeps.some([-3, 20, -0.2, -30], 2))
@pytest.mark.parametrize("anew", sweeps.some([False, True], 2))
def test_2_12_a_day_passes_behind_a_clock_that_was_seen_to_be_set_and_set_right_again(machine, hours, anew):
    """It was right when it was looked at next, and nothing was left of what had been seen."""
    called(machine)
    machine.goes_on(46)
    machine.ahead += hours * HOUR
    seen = machine.world.time.now
    machine.goes_on(0.5, 0.5)
    assert not machine.ended
    machine.ahead -= hours * HOUR + HOUR / 40  # a little less than it said before
    if anew:
        machine.starts_anew()
    machine.goes_on(6 * 24)
    assert machine.ended
    assert machine.world.time.now - seen >= DAY


def test_2_12_whoever_is_reached_where_they_were_before_is_told_anew(machine):
    """There and back again: the letter to the first address was two days old."""
    called(machine)
    for at in ("anna@home.example", "anna@example.test"):
        machine.goes_on(30, 6)
        anna = people.known(machine.world.ref.home, machine.world.anna.public)
        people.save(machine.world.ref.home, anna.put(at, people.SAID, "said"))
        machine.world.director.sits()
    machine.goes_on(6 * 24)
    assert len(machine.calls) == 5
    assert machine.ended
    assert machine.behind >= 48


@pytest.mark.parametrize("days", sweeps.some([5, 1, 30], 3))
def test_2_12_an_answer_counts_though_the_clock_was_set_ahead_as_the_first_letter_was_written(
    machine, monkeypatch, days
):
    """Between the look at the clock and that."""
    with monkeypatch.context() as patched:
        patched.setattr(reminders, "lacking", lambda *_of: setattr(machine, "ahead", days * DAY) or "")
        machine.goes_on(60, until=lambda: machine.ahead)
    machine.goes_on(1, 1)
    machine.is_set(-days * 24)
    called(machine)
    raw = f"From: anna@example.test\r\nSubject: [kursk {machine.world.game[:8]}] wait\r\n\r\nWait\r\n"
    machine.world.office.put(raw.encode(), machine.world.ref.address)
    machine.goes_on(14 * 24, 6)
    assert not machine.ended
