"""A damaged post store is named, set aside and rebuilt; a copy can be made during use."""

import sqlite3

from helpers.mailbags import letter, turn

from kursk_pbem.post.mailbox import store


def test_a_damaged_store_is_named_and_one_command_makes_a_new_one(posted, capsys):
    """Due letters are sent again with equal bytes, and received mail is read again."""
    anna, boris, game, imap, smtp = posted
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    anna.kursk("post", "--unsent", "-q")
    anna.sign(game)
    anna.kursk("post", "-q")
    sent = list(smtp.post.mails)
    assert anna.desk(game).seq == 3
    path = store.store_path(anna.home)
    path.write_bytes(path.read_bytes()[:5000] + b"x" * 5000)
    store._checked.clear()  # as a new process does
    capsys.readouterr()
    anna.kursk("post", status=2)
    assert "'kursk post rebuild'" in capsys.readouterr().err
    anna.kursk("post", "rebuild", status=2)
    anna.kursk("post", "rebuild", "--yes")
    assert path.with_suffix(".damaged-1").exists()
    anna.kursk("post")
    assert "'kursk people confirm Boris boris@example.test'" in capsys.readouterr().out  # his mail was read again
    anna.kursk("people", "confirm", "boris", "boris@example.test", "--yes", "-q")
    anna.kursk("post", "-q")
    assert smtp.post.mails == [*sent, sent[-1]]
    assert anna.desk(game).seq == 3


def test_a_copy_of_the_store_is_whole_and_replaces_no_file(posted):
    anna, *_more = posted
    anna.kursk("post", "--unsent", "-q")
    anna.kursk("post", "backup", "copy.sqlite")
    anna.kursk("post", "backup", "copy.sqlite", status=2)
    copy = sqlite3.connect(anna.place / "copy.sqlite")
    assert copy.execute("select count(*) from letter").fetchone() == (1,)
    copy.close()
