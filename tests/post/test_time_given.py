"""Time that a director gives, by mail: extensions reach both players, pauses hold for all games, clocks may jump."""

import itertools
import shutil

import pytest
from helpers.mailbags import letter, turn
from helpers.postmen import BEGIN, text
from helpers.refereed_mail import DAY, HOUR, begun, hours, played_on

from kursk_pbem.desk.referee import grants, timekeeper
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.times import said
from kursk_pbem.post.mailbox import people, place
from kursk_pbem.post.round import delivery, notes
from kursk_pbem.trust.papers import HOLIDAY


@pytest.fixture
def world(directed):
    return directed


def extend(world, **said):
    return grants.extend(world.folder, world.ref.key, Grant(**said)).paper


def post(world):
    """A round of post of everybody, and what it carried some hours later."""
    world.director.sits()
    world.director.post()
    world.time.passes(6 * 3600)
    for name in ("anna", "boris"):
        world.member[name].post()


def test_both_players_get_every_extension_with_what_it_rests_on(world):
    one = extend(world, days=2)
    post(world)
    two = extend(world, until=text(BEGIN + 20 * DAY), cause=HOLIDAY)
    post(world)
    for player in (world.anna, world.boris):
        held = player.desk(world.game).game.papers
        assert [paper.id for paper in held.extensions(0)] == [one.id, two.id]
        assert held.due(0) == text(BEGIN + 20 * DAY)
    letters = [raw.decode() for _at, _sender, _reader, raw in world.office.mails]
    assert all("receipt-0000.yaml" in raw for raw in letters if "extension-0000-" in raw)
    count = len(letters)
    post(world)
    assert len(world.office.mails) == count


def test_what_is_signed_after_the_rest_was_mailed_by_hand_goes_out(world):
    """More time, and the end of the game, were about a message that counted as mailed: no letter ever held them."""
    played_on(world)
    shutil.rmtree(place.root(world.ref.home) / "out")
    desk = world.director.sits().office()
    delivery.begin(desk, list(desk.slates()))
    world.office.mails.clear()
    world.director.post()
    assert world.office.mails == []
    extend(world, days=3)
    world.director.post()
    world.time.passes(12 * 24 * 3600)
    timekeeper.forfeit(world.folder, world.ref.key)
    world.director.post()
    post(world)
    told = [
        (reader, name)
        for _a, _s, reader, raw in world.office.mails
        for name in (b"extension-", b"forfeit-")
        if name in raw
    ]
    assert len({*told}) == 4
    assert world.boris.desk(world.game).game.over


def test_an_extension_that_comes_before_its_receipt_counts(world):
    """Also where the letters come in another order, or one never comes (X2, X3)."""
    first = timekeeper.receipt(
        timekeeper.open_folder(world.folder, world.ref.home, timekeeper.Term()), world.ref.key, timekeeper.Term()
    ).paper
    second = extend(world, days=2)
    third = extend(world, days=3)
    for number, order in enumerate(itertools.permutations((first, second, third))):
        player = world.boris if number % 2 else world.anna
        folder = player.folder(world.game)
        for path in [*folder.glob("receipt-*.yaml"), *folder.glob("extension-*.yaml")]:
            path.unlink()
        for paper in order:
            timekeeper.receive(paper, player.home, folder)
        assert player.desk(world.game).game.papers.due(0) == third.text("due")


def test_status_and_reminders_say_the_term_as_it_was_extended(world):
    extend(world, days=7)
    world.director.sits()
    hours(world, 13 * 24 + 6, step=6)
    reminders = [raw for reader, raw in world.words() if "a reminder" in raw and reader == world.boris.address]
    assert len(reminders) == 2
    assert all(said(text(BEGIN + 14 * DAY)) in raw for raw in reminders)
    world.asks("STATUS")
    assert said(text(BEGIN + 14 * DAY)) in world.words()[-1][1]
    world.asks("REPORT 0", Message_ID="<q2@example.test>")
    assert "extension-0000-" in world.words()[-1][1]


def test_T55_a_message_within_the_extension_is_not_late(world):
    world.boris.sign(world.game)
    extend(world, days=7)
    world.director.sits()
    world.time.passes((13 * DAY).total_seconds())
    world.office.put(letter(turn(world.boris, world.game, 1), world.boris.address), world.ref.address)
    world.director.post()
    assert (world.folder / "0001.yaml").exists()


def test_a_holiday_holds_for_the_next_term_of_that_player(world):
    until = text(BEGIN + 20 * DAY)
    extend(world, until=until, cause=HOLIDAY)
    world.director.sits()
    played_on(world)
    papers = world.ref.desk(world.game).game.papers
    assert papers.due(1) < until  # Anna's
    assert papers.due(2) == until


def test_a_pause_holds_for_terms_that_run_and_for_those_that_begin(world):
    until = text(BEGIN + 20 * DAY)
    [line] = world.director.errand.chair.pause(until)
    assert "for a pause" in line
    assert list(world.director.errand.chair.pause(until)) == []
    world.director.sits()
    played_on(world)
    papers = world.ref.desk(world.game).game.papers
    assert [papers.due(seq) for seq in (0, 1, 2)] == [until] * 3
    world.time.passes((20 * DAY + 12 * HOUR).total_seconds())
    world.boris.sign(world.game)
    world.director.sits()
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    world.director.post()
    assert world.ref.desk(world.game).game.papers.due(3) == text(world.time.now + 7 * DAY)


@pytest.mark.parametrize("days", [-1, 0, 61])
def test_a_pause_has_an_end_that_is_near(world, days):
    with pytest.raises(UsageError, match="in the next 60 days"):
        list(world.director.errand.chair.pause(text(world.time.now + days * DAY)))
    assert world.papers() == ["receipt-0000.yaml"]


def test_a_pause_that_was_said_is_made_no_shorter(world):
    """A second one with an earlier end took its place: the next term ended in the first one."""
    chair = world.director.errand.chair
    assert len(list(chair.pause(text(world.time.now + 20 * DAY)))) == 1
    with pytest.raises(UsageError, match="can only be made longer"):
        list(chair.pause(text(world.time.now + 5 * DAY)))


def test_absent_says_how_many_days_of_holidays_somebody_has_had_and_the_director_how_to_give_them(world):
    world.asks("ABSENT 2026-09-05 2026-09-12", who="boris")
    assert any("You have had 0 days of holidays" in " ".join(raw.split()) for _reader, raw in world.words())
    [line] = world.director.errand.chair.pending()
    assert f"'kursk extend game-{world.game[:16]} --until 2026-09-13T00:00:00Z'" in line
    extend(world, until="2026-09-13T00:00:00Z", cause=HOLIDAY)
    world.director.sits()
    world.time.passes(3600)
    world.asks("ABSENT 2026-10-05 2026-10-12", who="boris", Message_ID="<q3@example.test>")
    assert any("You have had 5 days of holidays" in " ".join(raw.split()) for _reader, raw in world.words())


@pytest.mark.parametrize("days", ["9999-12-30 9999-12-31", "2026-09-02 2027-09-05", "2020-01-01 2020-01-02"])
def test_T56_an_absence_of_another_age_is_refused_and_stops_nothing(world, days):
    world.asks(f"ABSENT {days}")
    assert "is over, or more than a year away" in " ".join(world.words()[-1][1].split())
    assert world.director.errand.chair.pending() == []
    first, last = days.split()  # as an older program has noted it
    place.once(place.root(world.ref.home) / "referee" / "absent" / f"{world.game[:16]}-{'0' * 16}-{first}-{last}", b"")
    assert world.director.errand.chair.pending() == []


def test_the_same_answer_of_another_day_is_another_letter(world):
    world.asks("HELP")
    world.time.passes(86_400)
    world.asks("HELP", Message_ID="<q2@example.test>")
    names = [line for _reader, raw in world.words() for line in raw.splitlines() if line.startswith("Message-ID")]
    assert len(set(names)) == len(names) == 2


def test_T44_that_no_more_is_answered_is_told_once_a_round(world):
    """A forged sender costs nothing, and thousands of mails may come at once."""
    for number in range(40):
        raw = f"From: anna@example.test\r\nX: {number}\r\n\r\nREPORT {number}00\r\n".encode()
        world.office.put(raw, world.ref.address)
    told = world.director.post().done
    assert len(world.words()) == 10
    assert sum("answers a day are the most" in line for line in told) == 1


def test_one_damaged_game_of_a_player_keeps_no_word_and_no_pause_from_the_others(world):
    other = begun(world, world.anna, world.boris)
    damaged, good = sorted([world.game, other])
    (world.ref.folder(damaged) / "receipt-0000.yaml").write_bytes(b"x")
    world.director.sits()
    world.asks("STATUS\nABSENT 2026-09-05 2026-09-07", "boris")
    (words,) = (raw for reader, raw in world.words() if reader == world.boris.address)
    assert f"game {damaged[:8]} cannot be opened here now" in words
    assert f"game {good[:8]}\r\n  message 1 of the" in words
    assert words.count("the director is told") == 2
    told = list(world.director.errand.chair.pause(text(world.time.now + 20 * DAY)))
    assert [line.split(":")[0] for line in told] == [f"game {damaged[:8]}", f"game {good[:8]}"]
    assert len(list(world.ref.folder(good).glob("extension-*"))) == 1


def test_T44_reminders_of_a_day_are_no_answers_of_that_day(world):
    """After a pause all games of a player may be due on one day."""
    for number in range(notes.A_DAY):
        note = notes.Note(people.mark(world.boris.public), world.boris.address, "a reminder", f"{number}")
        notes.write(world.ref.home, note, world.ref.address, text(world.time.now)[:10])
    assert world.asks("STATUS", "boris").done == [f"answered {world.boris.address}: status"]
