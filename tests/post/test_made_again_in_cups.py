"""A new edition of a letter of a tournament goes out, also where the first one was through and was lost."""

import re
from datetime import timedelta

import pytest
from helpers.cup_by_mail import announced
from helpers.postmen import Line
from helpers.returned import report

from kursk_pbem.post.mailbox import people
from kursk_pbem.post.wire.smtp import LATER, Answer

DAY = timedelta(days=1)


@pytest.fixture
def letter_of_the_cup(relayed):
    """Somebody who has no game yet has been sent the log: who, and the Message-ID."""
    relayed.ref.post()
    player = next(player for player in relayed.players.values() if player.friend.records() == [])
    subject = f"Subject: [kursk {relayed.book().id[:8]}]".encode()
    sent = [raw for _at, _sender, reader, raw in relayed.office.mails if reader == player.address and subject in raw]
    relayed.time.now += DAY
    return player, sent[-1].partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode()


def goes_again(cup, mid, told):
    """To whom an edition of a letter goes within a day, once the command that was told is typed."""
    cup.office.mails.clear()
    cup.ref.friend.kursk("outbox", "--again", re.search(r"--again (\S+)'", told)[1])
    for _round in range(3):
        cup.time.now += DAY / 3
        cup.ref.post()
    return [reader for _at, _sender, reader, raw in cup.office.mails if mid.split(".")[1].encode() in raw]


def test_a_letter_that_came_back_goes_to_the_address_that_is_said_then(relayed, letter_of_the_cup):
    player, mid = letter_of_the_cup
    relayed.office.put(report(mid, player.address), relayed.ref.address)
    (told,) = relayed.ref.post().returned
    known = people.known(relayed.ref.friend.home, player.friend.public)
    people.save(relayed.ref.friend.home, known.put("new@example.test", people.SAID, "as they said"))
    assert goes_again(relayed, mid, told) == ["new@example.test"]


def test_what_an_entrant_sends_once_more_is_tried_again_once_a_server_has_put_it_off(tmp_path, time, monkeypatch):
    """One greylisting, and it never went again."""
    cup = announced(tmp_path, time)
    player = cup.players["p01"]
    player.friend.kursk("tournament", "enter", cup.folder / "log" / "0000.yaml", "p01", "--yes")
    player.post()
    cup.office.boxes.clear()  # it is lost on its way
    cup.office.mails.clear()
    time.now += 3 * DAY + DAY / 2
    with monkeypatch.context() as patch:
        patch.setattr(Line, "send", lambda *_words: Answer(LATER, 450, "greylisted"))
        player.post()
    assert cup.office.mails == []
    time.now += DAY / 2
    player.post()
    assert [reader for _at, _sender, reader, _raw in cup.office.mails] == [cup.ref.address]
