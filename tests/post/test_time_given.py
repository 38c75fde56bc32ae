"""Time given by a director: extensions reach both players, pauses apply to all games, clocks may jump."""

from contextlib import nullcontext

import pytest
from helpers.postmen import BEGIN, text

from kursk_pbem.desk.referee import grants
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.times import tell
from kursk_pbem.trust import earlier, reader
from kursk_pbem.trust.papers import EXTENSION, HOLIDAY
from post.refereed_mail import DAY, HOUR, deliver_message, pass_hours, played_on


def extend(world, **said):
    return grants.extend_deadline(world.folder, world.ref.key, Grant(**said)).paper


def post(world):
    """Run a round of post at all desks; deliver the mails some hours later."""
    world.director.sits()
    world.director.post()
    world.time.passes(6 * 3600)
    for name in ("anna", "boris"):
        world.member[name].post()


def test_both_players_get_every_extension_with_what_it_rests_on(directed):
    one = extend(directed, days=2)
    post(directed)
    two = extend(directed, until=text(BEGIN + 20 * DAY), cause=HOLIDAY)
    post(directed)
    for player in (directed.anna, directed.boris):
        held = player.desk(directed.game).game.papers
        assert [paper.id for paper in held.extensions(0)] == [one.id, two.id]
        assert held.due(0) == text(BEGIN + 20 * DAY)
    letters = [raw for _at, _sender, _reader, raw in directed.office.mails]
    extensions = [turn for raw in letters for turn in reader.read_thing(raw, "mail").turns if turn.type == EXTENSION]
    assert extensions
    assert all({"propose", "receipt"} <= {each.type for each in earlier.open_block(turn)} for turn in extensions)
    count = len(letters)
    post(directed)
    assert len(directed.office.mails) == count


def test_T55_status_and_reminders_say_the_term_as_it_was_extended(directed):
    extend(directed, days=7)
    directed.director.sits()
    for _day in range(13):
        pass_hours(directed, 24, step=12)
        directed.director.sits()
    pass_hours(directed, 12, step=12)
    reminders = [(reader, raw) for reader, raw in directed.words() if "Reminder: " in raw]
    assert [reader for reader, _raw in reminders] == [directed.boris.address] * 2
    said = f"has not arrived; it is due {tell(text(BEGIN + 14 * DAY))}."
    assert all(said in " ".join(raw.split()) for _reader, raw in reminders)
    assert all(f"kursk-{directed.game[:8]}-0000.yaml" in raw for _reader, raw in reminders)
    directed.asks("STATUS")
    assert tell(text(BEGIN + 14 * DAY)) in directed.words()[-1][1]
    directed.asks("REPORT 0", Message_ID="<q2@example.test>")
    assert "extension-0000-" in directed.words()[-1][1]
    deliver_message(directed, directed.boris, 1)
    assert (directed.folder / "0001.yaml").exists()


def test_a_holiday_holds_for_the_next_term_of_that_player(directed):
    until = text(BEGIN + 20 * DAY)
    extend(directed, until=until, cause=HOLIDAY)
    directed.director.sits()
    played_on(directed)
    papers = directed.ref.desk(directed.game).game.papers
    assert papers.due(1) < until  # Anna's
    assert papers.due(2) == until


def test_a_pause_holds_for_terms_that_run_and_for_those_that_begin(directed):
    until = text(BEGIN + 20 * DAY)
    [line] = directed.director.session.referee.pause(until)
    assert "for a pause" in line
    assert list(directed.director.session.referee.pause(until)) == []
    directed.director.sits()
    played_on(directed)
    papers = directed.ref.desk(directed.game).game.papers
    assert [papers.due(seq) for seq in (0, 1, 2)] == [until] * 3
    directed.time.passes((20 * DAY + 12 * HOUR).total_seconds())
    directed.director.sits()
    deliver_message(directed, directed.boris, 3)
    assert directed.ref.desk(directed.game).game.papers.due(3) == text(directed.time.now + 7 * DAY)


def test_a_pause_has_an_end_that_is_near_and_is_made_no_shorter(directed):
    """Bug: a second pause with an earlier end replaced the first pause."""
    referee = directed.director.session.referee
    refused = [(-1, "at most 60"), (0, "at most 60"), (61, "at most 60"), (20, ""), (5, "can only be made longer")]
    for days, why in refused:
        until = text(directed.time.now + days * DAY)
        with pytest.raises(UsageError, match=why) if why else nullcontext():
            assert len(list(referee.pause(until))) == 1
