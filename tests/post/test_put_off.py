"""Deferred letters and closed connections: later letters are sent, and no letter is given up early."""

from helpers.postmen import Time

from kursk_pbem.desk.ground import clock


def test_a_letter_that_was_put_off_once_is_not_given_up_because_nobody_looked(posted):
    """Greylisting defers every first try. A player with a round every fourth day must succeed too."""
    anna, boris, _game, _imap, smtp = posted
    smtp.post.answers[boris.address] = ["450 greylisted"] * 4
    for day in ("01", "05", "09", "13"):
        with clock.fix_time(f"2026-07-{day}T00:00:00Z"):
            anna.kursk("post", "send", "--unsent", told="put off (450)")
    with clock.fix_time("2026-07-17T00:00:00Z"):
        anna.kursk("post", "send")
    assert [reader for _sender, reader, _raw in smtp.post.mails] == [boris.address]


def test_a_letter_that_was_put_off_goes_to_the_address_that_is_used_now(posted, monkeypatch):
    anna, boris, _game, _imap, smtp = posted
    time = Time().set(monkeypatch)
    smtp.post.answers[boris.address] = "450 later"
    anna.kursk("post", "send", "--unsent")
    smtp.post.answers.clear()
    time.passes(3600)
    anna.kursk("people", "add", "boris", "boris@right.test")
    anna.kursk("post", "send")
    assert [reader for _sender, reader, _raw in smtp.post.mails] == ["boris@right.test"]
