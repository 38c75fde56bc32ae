"""What is wrong with the files of one game stops that game alone: its letters, what is told, the rounds."""

import re

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.refereed_mail import begun, damages

from kursk_pbem.desk import clock
from kursk_pbem.desk.shelf import overview
from kursk_pbem.errors import UsageError
from kursk_pbem.game import journal
from kursk_pbem.post.mailbox import spool, store
from kursk_pbem.post.wire import account


@pytest.mark.parametrize("name", ["receipt-0000.yaml", "receipt-0092.yaml"])
def test_a_paper_about_a_message_that_is_not_here_stops_the_letters_of_its_game_alone(world, name):
    """No round of post came to its end any more, of any game: IndexError."""
    other = begun(world, world.anna, world.boris)
    raw = (world.folder / "receipt-0000.yaml").read_bytes()
    path = damages(world.folder / name, raw.replace(b"seq: '0'", b"seq: '92'"))
    world.director.sits()
    world.director.post()
    assert path.name in "\n".join(map(str, world.director.errand.faults))
    assert {re.search(rb"\[kursk (.{8})", mail[3])[1].decode() for mail in world.office.mails} == {other[:8]}


@pytest.mark.parametrize("command", [("inbox",), ("post", "watch", "--times", "2")])
def test_a_damaged_journal_entry_of_another_game_leaves_telling_and_rounds_as_they_are(
    friends, monkeypatch, capfd, command
):
    """What came was dealt with, telling stopped before the half turn, and the watching program ended for good."""
    anna, boris, carla = friends("anna", "boris", "carla")
    games = {boris: postal.began(anna, boris), carla: postal.began(anna, carla)}
    for who, game in games.items():
        who.sign(game)
    damages(journal.find(anna.home, games[carla]).path / "journal" / "0000.json")
    store.set_setting(anna.home, "begun", "2026-06-01T00:00:00Z")
    account.path_of(anna.home).write_text('address = "anna@example.test"\ngames = "."\n', "utf-8")
    for number, who in enumerate(reversed(games)):
        raw = turn(who, games[who], 1)
        raw = letter(raw if who is boris else raw[: len(raw) // 2], who.address, f"of {who.name}")
        spool.put(anna.home, raw, folder="INBOX", uid=str(number), fetched="2026-09-01T00:00:00Z")
    rests = []
    monkeypatch.setattr(clock, "rest", rests.append)
    capfd.readouterr()
    anna.kursk(*command, status=2)
    out, err = capfd.readouterr()
    assert "of carla" in err
    assert "'kursk sign'" in out
    assert len(rests) == ("watch" in command)


def test_where_the_next_step_cannot_be_told_what_came_is(pair, monkeypatch, tmp_path, capfd):
    """It ended the command, and what was taken was told neither then nor later."""
    anna, boris, game = pair
    boris.sign(game)
    mail = tmp_path / "mail.eml"
    mail.write_bytes(letter(turn(boris, game, 1), boris.address))

    def fails(*_of):
        raise UsageError("a file of it cannot be read")

    monkeypatch.setattr(overview, "at", fails)
    capfd.readouterr()
    anna.kursk("inbox", mail)
    out = capfd.readouterr().out
    assert "message 1" in out
    assert "cannot be read" in out
