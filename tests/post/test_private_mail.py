"""Ten thousand private mails in the folders of an account: none is marked, moved, changed, or kept here."""

import re
from time import perf_counter

import pytest
from helpers import mail_servers
from helpers.mail_servers import Imap
from helpers.mailbags import letter, turn

from kursk_pbem.game import folders

NUMBER = 10_000
BODY = "Dear Carla, the kursk salad was good; message 1 of the cup is in the fridge."


def private(number):
    """Return a small private mail; some talk about Kursk, and some have attachments."""
    about = ("lunch", "Kursk 1943", "Re: kursk", "[kursk] the film")[number % 4]
    head = f"From: friend{number}@example.test\r\nSubject: {about} {number}\r\nMessage-ID: <{number}@example.test>\r\n"
    if number % 50:
        return f"{head}\r\n{BODY}\r\n".encode()
    kind = "Content-Type: application/yaml; name=list.yaml\r\nContent-Disposition: attachment; filename=list.yaml\r\n"
    return f"{head}{kind}\r\nshopping: [milk, bread]\r\n".encode()


@pytest.mark.long
def test_no_private_mail_is_marked_moved_or_kept(pair, tmp_path, time):
    """Three rounds in ten days, the search of all folders included."""
    anna, boris, game = pair
    boris.sign(game)
    with Imap(mail_servers.write_certificates(tmp_path)) as server:
        server.moved, server.decoded = {}, bytes  # a real server has an index
        for number in range(NUMBER):
            server.add(private(number), mails=server.mails if number % 5 else server.moved)
        server.add(letter(turn(boris, game, 1), boris.address, subject=f"[kursk {game[:8]}] message 1"))
        before = [dict(mails) for mails in (server.mails, server.moved)]
        mail_servers.account(anna, tmp_path, server.port)
        began = perf_counter()
        for days in (0, 4, 6):
            time.passes(days * 86_400)
            anna.kursk("post", "-q")
        assert perf_counter() - began < 100
        assert [server.mails, server.moved] == before
    assert len(folders.message_files(anna.folder(game))) == 2
    assert server.flags == {}
    assert not [said for said in server.said if re.match("(UID )?(COPY|MOVE|DELETE|RENAME)", said)]
    kept = b"".join(path.read_bytes() for path in anna.home.rglob("*") if path.is_file())
    assert not [word for word in (b"fridge", b"shopping", b"friend1@") if word in kept]
