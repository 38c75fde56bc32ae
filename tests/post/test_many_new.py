"""More new mails than the answer to one search names: a flood, or a mailbox that nobody has looked into (T49)."""

import imaplib
from datetime import date

import pytest
from helpers.mailbags import foreign, letter, turn

from kursk_pbem.game import folders
from kursk_pbem.post.servers import imap as fetching
from kursk_pbem.post.servers import searching
from kursk_pbem.post.servers.line import TooLongError
from kursk_pbem.post.servers.smtp import UnreachableError

FLOOD = range(1_000_000, 1_003_000)
LINE = 10_000
"""Bytes of a line that the library reads here; otherwise a million, for 140,000 mails."""


@pytest.fixture
def flooded(posted, monkeypatch):
    """Anna has looked into her mailbox; then 3,000 mails come, which are gone when they are asked for, and a turn."""
    monkeypatch.setattr(imaplib, "_MAXLINE", LINE)
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address), uid=FLOOD.stop)
    real, gone = type(imap)._uid_search, set()

    def search(name, text):
        if name == "UID FETCH":
            gone.update(map(int, text.split(" ")[2].split(",")))
        if name != "UID SEARCH" or "BODY" in text:
            return None
        there = sorted({*FLOOD} - gone | {*imap.mails})
        imap.mails, held = dict.fromkeys(there, (b"", "")), imap.mails
        told = real(imap, text)
        imap.mails = held
        return told

    imap.spoilt = search
    return anna, game, imap


@pytest.mark.parametrize("anew", [False, True])
def test_T49_more_mails_than_one_search_names_hide_none_behind_them(flooded, anew, monkeypatch):
    """Nothing new came, said this round and all later ones, and the mailbox counted as looked through."""
    anna, game, imap = flooded
    imap.validity += anew
    monkeypatch.setattr(searching, "_ENOUGH", 2_000, raising=False)
    rounds, fetch = [], fetching.fetch
    monkeypatch.setattr(fetching, "fetch", lambda *of, **more: rounds.append(fetch(*of, **more)) or rounds[-1])
    for _round in range(2):
        assert not (anna.folder(game) / "0001.yaml").exists()
        anna.kursk("post")
    assert [got.whole for got in rounds] == [False, True]
    assert (anna.folder(game) / "0001.yaml").exists()


class Folder:
    """A folder with these UIDs, on a server that names at most so many in one answer."""

    host = "mail.example.test"

    def __init__(self, uids, most):
        self.uids, self.most, self.asked = uids, most, 0

    def search(self, criteria):
        self.asked += 1
        low, high = [int(end) if end != b"*" else searching.NO_UID for end in criteria[1].split(b":")]
        found = [uid for uid in self.uids if low <= uid <= high]
        if len(found) > self.most:
            raise TooLongError("too long")
        return found


def test_T49_a_round_knows_the_lowest_of_them_and_whether_these_are_all(monkeypatch):
    monkeypatch.setattr(searching, "_ENOUGH", 30)
    uids = [*range(5, 100), 4_000_000_000]
    found, end = searching.new(folder := Folder(uids, 20), 7, date(2026, 9, 1))
    assert not end
    assert len(found) >= 30
    assert found == [uid for uid in uids if 7 <= uid <= found[-1]]
    assert folder.asked < 50
    assert searching.new(folder, 90, date(2026, 9, 1)) == ([*range(90, 100), 4_000_000_000], True)


def test_a_server_that_finds_too_much_in_every_number_ends_the_round():
    with pytest.raises(UnreachableError):
        searching.new(folder := Folder(range(7, 8), -1), 7, date(2026, 9, 1))
    assert folder.asked < 50


def test_T50_a_server_that_is_set_back_to_a_copy_of_before_hides_no_turn(posted):
    """It gives the same numbers once more: what came below the old end was passed by, and nobody was told."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    for number in range(10):
        imap.add(foreign(number))
    anna.kursk("post", "-q")
    imap.mails = {uid: mail for uid, mail in imap.mails.items() if uid <= 5}
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    anna.kursk("post", "-q")
    assert folders.message_path(anna.folder(game), 1).exists()
