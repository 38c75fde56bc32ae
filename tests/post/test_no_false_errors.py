"""What a person reads when nothing is wrong, and what a watching director need not do (referees.md, directors.md 2)."""

from __future__ import annotations

from helpers import postal

from kursk_pbem.post.mailbox import people, post_folder
from kursk_pbem.post.referee import terms
from kursk_pbem.post.round import delivery
from kursk_pbem.post.wire import imap
from post.boards_by_mail import receipted
from post.refereed_mail import DAY


def test_a_watch_sends_within_a_minute_what_another_window_made(posted, monkeypatch, smtp):
    """Bug: after 'tournament close' in another window no letter went for 15 minutes."""
    anna, boris, game, *_more = posted
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    sent = []

    def waits(_mailbox, seconds, called):
        sent.append(len(smtp.post.mails))
        assert (seconds, called()) == (900, False)
        with post_folder.lock_post(anna.home):  # commands are given
            postal.carried(game, 1, boris, anna)
        anna.sign(game)
        assert called()

    monkeypatch.setattr(imap.Mailbox, "wait", waits)
    anna.kursk("post", "watch", "--times", "2", "-q")
    assert (sent, len(smtp.post.mails)) == ([0], 1)


def test_a_director_who_watches_reminds_as_a_referee_does(relayed):
    """Bug: only a mailbox with referee reminded; a director on 'post watch' sent no reminder in 15 days."""
    game, _proposer, silent = receipted(relayed)
    terms.terms_path(relayed.ref.friend.home).unlink()
    relayed.ref.director = False
    relayed.ref.sits()
    relayed.time.now += 4 * DAY
    day = relayed.ref.post()
    assert [line for line in day.done if "reminded" in line] == [f"game {game[:8]}: reminded {silent.friend.name}"]
    relayed.time.now += DAY / 4
    assert [line for line in relayed.ref.post().done if "reminded" in line] == []


def test_a_player_whose_director_relays_reads_no_untried_letter(relayed):
    """Bug: each round said 'not tried: no address of Boris may be used', though the director brings every message."""
    game, proposer, other = receipted(relayed)
    for one, another in ((proposer, other), (other, proposer)):
        people.delete_address(one.friend.home, people.person_of(one.friend.home, another.friend.public))
    relayed.ref.post()
    relayed.time.now += DAY / 8
    other.post()
    other.friend.kursk("accept", game[:8])
    other.friend.sign(game)
    other.sits()
    outbox = other.session.open_outbox()
    (due,) = [entry for entry in outbox.list_letters() if entry.about.game == game]
    assert outbox.describe_hindrance(due) == ""
    (*_told, steps) = other.session.send()
    assert [(step.reader.address, step.state) for step in steps] == [(relayed.ref.address, "sent")]
    (*_told, steps) = other.session.send()
    assert [step for step in steps if step.state == delivery.NOT_TRIED] == []
    assert "if you have not mailed" not in other.friend.kursk("status", game[:8])
