"""A server that breaks off at some mails, in each session, keeps out no other mail (T49)."""

import re

import pytest
from helpers.mailbags import letter, turn

from kursk_pbem.cli import run


@pytest.mark.parametrize("validity", ["the same", "another in each session", "none"])
@pytest.mark.parametrize("part", ["HEADER", "PEEK[]"])
def test_T49_more_than_one_mail_at_which_a_server_breaks_off_keep_out_none_behind_them(posted, capsys, validity, part):
    """Where it numbers anew in each session the second was forgotten as the first broke off, and again."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    for uid in (1, 2, 3, 4):
        mail = f"From: boris@example.test\r\nSubject: number {uid}\r\nMessage-ID: <{uid}@x.test>\r\n\r\nkursk\r\n"
        imap.add(mail.encode())
    imap.add(letter(turn(boris, game, 1), boris.address))

    def spoilt(name, text):
        if name == "EXAMINE":
            imap.validity += validity.startswith("another")
            return [one for one in imap._examine(text) if b"UIDVALIDITY" not in one] if validity == "none" else None
        asked = set(re.split(",| ", text)) if name == "UID FETCH" and part in text else set()
        if asked & {"1", "4"}:
            raise OSError
        return None

    imap.spoilt = spoilt
    with anna.sitting():
        for _round in range(9):
            run(["post"])
    told = capsys.readouterr().err
    assert all(f"(UID {uid}), which is passed by" in told for uid in (1, 4))
    assert (anna.folder(game) / "0001.yaml").exists()
    if validity == "the same":
        assert list((anna.home / "post" / "in").rglob("asked")) == []
