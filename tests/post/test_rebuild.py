"""A damaged post store is named, set aside and rebuilt; a copy can be made during use."""

import sqlite3
from contextlib import closing

import pytest

from kursk_pbem.desk.own import mailed
from kursk_pbem.post.mailbox import store


def test_a_damaged_store_is_named_and_one_command_makes_a_new_one(due):
    """Due letters are sent again with equal bytes, and received mail is read again."""
    anna, _boris, game, _imap, smtp = due
    anna.kursk("post", "-q")
    sent = list(smtp.post.mails)
    assert anna.desk(game).seq == 3
    path = store.store_path(anna.home)
    damage(path)
    mailed._checked.clear()  # as a new process does
    anna.kursk("post", status=2, told="'kursk post rebuild'")
    anna.kursk("post", "rebuild", status=2)
    anna.kursk("post", "rebuild", "--yes")
    assert path.with_suffix(".damaged-1").exists()
    anna.kursk("post", told="'kursk people confirm Boris boris@example.test'")  # his mail was read again
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


def damage(path):
    path.write_bytes(path.read_bytes()[:5000] + b"x" * 5000)


def renew(path):
    with closing(sqlite3.connect(path)) as rows:
        rows.execute("pragma user_version = 2")


def lock(path):
    rows = sqlite3.connect(path, isolation_level=None)
    rows.execute("begin exclusive")
    return rows


SAID = {damage: "is damaged", renew: "with tables 2: use that", lock: "cannot be used now: database is locked"}


@pytest.mark.parametrize("harm", SAID, ids=["damaged", "newer", "locked"])
def test_R8_an_unusable_store_gets_the_same_answer_from_every_command(due, monkeypatch, harm):
    """Only a damaged store needs 'kursk post rebuild', which asks again for addresses and confirmations."""
    anna, _boris, game, *_servers = due
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *of, **more: connect(*of, **more | {"timeout": 0}))
    held = harm(store.store_path(anna.home))
    for words in (["post"], ["outbox"], ["status", game]):
        mailed._checked.clear()  # as a new process does
        said = anna.kursk(*words, status=2, told=SAID[harm])
        assert ("'kursk post rebuild'" in said) == (harm is damage)
    if held is not None:
        held.close()
