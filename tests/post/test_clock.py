"""A clock that differs from the mail server's by more than a day signs no time, and its owner is told."""

import pytest
from helpers.cup_by_mail import close_field
from helpers.postmen import text

from kursk_pbem.desk.ground import clock
from kursk_pbem.formats import times
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.round import server_clock
from kursk_pbem.tournament import letters
from kursk_pbem.tournament.book import reading


def posts_with(cup, member, days):
    """Run a round of post with a clock that is some days ahead; the mail server has the right time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: times.add_days(text(cup.time.now), days))
        return member.post()


def told(day):
    return [str(fault) for fault in day.faults if "the clock of this machine is" in str(fault)]


@pytest.fixture
def drawing(entered):
    """Return a tournament with an open draw: the opening of p02 waits in the director's mailbox, p01 has a letter."""
    close_field(entered, "p01")
    entered.time.passes(6 * 3600)
    return entered


@pytest.mark.parametrize("days", [60, -60])
def test_a_director_with_a_wrong_clock_signs_nothing_and_loses_no_mail(drawing, days):
    head = drawing.book().head
    for _round in range(2):
        (fault,) = told(posts_with(drawing, drawing.ref, days))
        assert ("ahead of" if days > 0 else "behind") in fault
    assert drawing.book().head == head
    drawing.direct("tournament", "pair", status=2)
    assert told(drawing.ref.post()) == []
    assert drawing.book().head.type == "received"
    assert drawing.book().head.text("time") <= clock.now()


@pytest.mark.parametrize("days", [60, -60])
def test_an_entrant_with_a_wrong_clock_takes_the_letter_and_opens_later(drawing, days):
    player = drawing.players["p01"]
    assert told(posts_with(drawing, player, days))
    (tournament,) = player.friend.home.glob("tournaments/*")
    assert not [name for name in letters.list_letters(tournament / "letters") if name.startswith("open")]
    assert told(player.post()) == []
    assert [name for name in letters.list_letters(tournament / "letters") if name.startswith("open")]


@pytest.mark.parametrize("days", [60, -60])
def test_a_referee_with_a_wrong_clock_signs_no_receipt_and_forfeits_nobody(owed, days):
    """The term runs by the right clock: the message that came in time is taken when the clock is right."""
    owed.member["boris"].post()
    owed.time.passes(3 * 3600)
    referee = owed.director.session.referee
    (before,) = referee.refereed_games()
    (fault,) = told(posts_with(owed, owed.director, days))
    assert ("ahead of" if days > 0 else "behind") in fault
    (seat,) = referee.refereed_games()
    assert (seat.known.newest, seat.receipts) == (2, before.receipts)
    assert list(referee.list_overdue()) == []
    assert told(owed.director.post()) == []
    (seat,) = referee.refereed_games()
    assert (seat.known.newest, max(seat.receipts)) == (3, 3)
    assert not list(seat.folder.glob("forfeit*"))


def test_after_a_quiet_week_nobody_is_asked_and_the_server_is_asked_once_a_day(drawing):
    """Old mail is no evidence."""
    drawing.ref.arrive()  # a week before the next round
    drawing.time.passes(7 * times.DAY)
    assert told(drawing.ref.post()) == []
    assert store.load_setting(drawing.ref.friend.home, server_clock.FAULT) == ""
    assert reading.read_folder(drawing.folder).head.type == "received"
    assert b"the time of the server" not in b"".join(path.read_bytes() for path in drawing.ref.sent.glob("*"))
