"""Time given by a director: extensions reach both players, pauses apply to all games, clocks may jump."""

import pytest
from helpers.postmen import BEGIN, text

from kursk_pbem.desk.referee import grants
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.times import tell
from kursk_pbem.trust import earlier, reader
from kursk_pbem.trust.papers import EXTENSION, HOLIDAY
from post.refereed_mail import DAY, HOUR, deliver_message, pass_hours, played_on


@pytest.fixture
def world(directed):
    return directed


def extend(world, **said):
    return grants.extend_deadline(world.folder, world.ref.key, Grant(**said)).paper


def post(world):
    """Run a round of post at all desks; deliver the mails some hours later."""
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
    letters = [raw for _at, _sender, _reader, raw in world.office.mails]
    extensions = [turn for raw in letters for turn in reader.read_thing(raw, "mail").turns if turn.type == EXTENSION]
    assert extensions
    assert all({"propose", "receipt"} <= {each.type for each in earlier.open_block(turn)} for turn in extensions)
    count = len(letters)
    post(world)
    assert len(world.office.mails) == count


def test_status_and_reminders_say_the_term_as_it_was_extended(world):
    extend(world, days=7)
    world.director.sits()
    pass_hours(world, 13 * 24 + 12, step=12)
    reminders = [raw for reader, raw in world.words() if "Reminder: " in raw and reader == world.boris.address]
    assert len(reminders) == 2
    assert all(tell(text(BEGIN + 14 * DAY)) in raw for raw in reminders)
    world.asks("STATUS")
    assert tell(text(BEGIN + 14 * DAY)) in world.words()[-1][1]
    world.asks("REPORT 0", Message_ID="<q2@example.test>")
    assert "extension-0000-" in world.words()[-1][1]


def test_T55_a_message_within_the_extension_is_not_late(world):
    extend(world, days=7)
    world.director.sits()
    world.time.passes((13 * DAY).total_seconds())
    deliver_message(world, world.boris, 1)
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
    [line] = world.director.session.referee.pause(until)
    assert "for a pause" in line
    assert list(world.director.session.referee.pause(until)) == []
    world.director.sits()
    played_on(world)
    papers = world.ref.desk(world.game).game.papers
    assert [papers.due(seq) for seq in (0, 1, 2)] == [until] * 3
    world.time.passes((20 * DAY + 12 * HOUR).total_seconds())
    world.director.sits()
    deliver_message(world, world.boris, 3)
    assert world.ref.desk(world.game).game.papers.due(3) == text(world.time.now + 7 * DAY)


@pytest.mark.parametrize("days", [-1, 0, 61])
def test_a_pause_has_an_end_that_is_near(world, days):
    with pytest.raises(UsageError, match="at most 60 days from now"):
        list(world.director.session.referee.pause(text(world.time.now + days * DAY)))
    assert world.papers() == ["receipt-0000.yaml"]


def test_a_pause_that_was_said_is_made_no_shorter(world):
    """Bug: a second pause with an earlier end replaced the first pause."""
    referee = world.director.session.referee
    assert len(list(referee.pause(text(world.time.now + 20 * DAY)))) == 1
    with pytest.raises(UsageError, match="can only be made longer"):
        list(referee.pause(text(world.time.now + 5 * DAY)))
