"""The folder of sent mails is the journal: copies before SMTP, and own messages found there."""

import os
import random
import re
import shutil
import signal

import pytest
from helpers.mailbags import letter, turn
from helpers.postal import carried, others
from helpers.postmen import run_in_child

from kursk_pbem.desk.ground import clock
from kursk_pbem.post.wire import smtp as wire


def list_ids(mails):
    """Return the Message-IDs of mails in order."""
    return [re.search(rb"Message-ID: (\S+)", raw)[1] for raw, *_more in mails]


def test_a_letter_is_in_the_folder_of_sent_mails_before_it_is_sent(due, monkeypatch):
    """The program dies at SMTP: the copy is there, and the next round sends the same bytes."""
    anna, _boris, _game, imap, smtp = due

    def dies(*_said):
        os.kill(os.getpid(), signal.SIGKILL)

    def work():
        monkeypatch.setattr(wire.Mailer, "send", dies)
        anna.kursk("post", "send")

    assert run_in_child(work) == -signal.SIGKILL
    ((copied, _when),) = imap.sent.values()
    assert smtp.post.mails == []
    anna.kursk("post", "-q")
    ((_sender, _reader, sent),) = smtp.post.mails
    assert sent == copied
    assert len(imap.sent) == 1


@pytest.mark.parametrize("why", ["full", "missing"])
def test_a_folder_that_takes_no_copy_stops_no_letter(due, capsys, why):
    anna, boris, _game, imap, smtp = due
    imap.full, imap.sent = why == "full", {} if why == "full" else None
    anna.kursk("post", "send")
    assert [reader for _sender, reader, _raw in smtp.post.mails] == [anna.address, boris.address]
    assert len({raw for _sender, _reader, raw in smtp.post.mails}) == 1
    said = "refuses it" if why == "full" else "the server has no folder of sent mails"
    assert re.search(
        rf"{said}.*: a copy of each letter goes to your own address, and may come late", capsys.readouterr().out
    )


def test_a_letter_has_one_copy_after_five_tries_and_on_a_server_that_files_by_itself(due):
    anna, boris, _game, imap, smtp = due
    smtp.post.answers[boris.address] = ["450 later"] * 4
    for day in range(1, 6):
        with clock.fix_time(f"2126-07-{day:02d}T00:00:00Z"):
            anna.kursk("post", "send", "-q")
    assert (len(imap.sent), len(smtp.post.mails)) == (1, 1)
    for _sender, _reader, raw in smtp.post.mails:
        imap.add(raw, mails=imap.sent)
    assert len(imap.sent) == 2  # the server has filed the letter by itself
    anna.kursk("post", "-q")
    assert list_ids(imap.sent.values()) == list_ids([(raw,) for _sender, _reader, raw in smtp.post.mails])


def test_a_second_answer_to_an_aimed_message_never_leaves(due, tmp_path):
    """Boris knows the opening in Anna's message 4, and aims another message 3 at her machine that was set back."""
    anna, boris, game, imap, smtp = due
    anna.kursk("post", "-q")
    carried(game, 2, anna, boris)
    forged = list(others(boris, game, tmp_path, number=3))
    boris.sign(game)
    aimed = next(raw for raw in forged if raw != turn(boris, game, 3))
    backup = anna.copy(tmp_path / "backup")
    imap.add(letter(turn(boris, game, 3), boris.address))
    anna.kursk("post", "-q")
    anna.sign(game)
    anna.kursk("post", "-q")
    answer, sent = turn(anna, game, 4), list(smtp.post.mails)

    shutil.rmtree(anna.place)
    backup.place.rename(anna.place)
    (anna.place / "aimed.yaml").write_bytes(aimed)
    anna.kursk("inbox", "aimed.yaml", "-q")
    anna.sign(game, random.Random(4))
    assert turn(anna, game, 4) != answer
    anna.kursk("post", "-q")
    assert turn(anna, game, 4) == answer
    gone, before = ({*list_ids((raw,) for *_names, raw in mails)} for mails in (smtp.post.mails, sent))
    assert gone == before  # the first answer goes again
