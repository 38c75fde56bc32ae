"""Many games, players and strangers at one referee's mailbox: who is answered, and what a mail costs."""

import re
from dataclasses import replace

import pytest
from helpers.postmen import Time
from helpers.refereed_mail import World, begun

from kursk_pbem.desk.shelf import register
from kursk_pbem.post import chair
from kursk_pbem.post.mailbox import people
from kursk_pbem.post.referee import absent
from kursk_pbem.post.round import notes
from kursk_pbem.trust import sshsig


@pytest.fixture
def world(friends, tmp_path, monkeypatch):
    return World(friends, tmp_path, Time().set(monkeypatch))


def test_two_players_with_one_address_are_answered_about_the_games_of_both(friends, world):
    """Which of them writes nobody can tell; what is told goes to both anyway."""
    carla, dmitri = friends("carla", "dmitri")
    others = [begun(world, carla, dmitri) for _number in range(2)]
    for who in (world.anna, world.boris, carla):
        people.save(world.ref.home, people.known(world.ref.home, who.public).put("club@example.test", people.SAID, ""))
    world.director.sits()
    world.asks(f"STATUS\nABSENT {world.game[:8]} 2026-09-05 2026-09-07\nSTATUS {others[0][:8]}", "club")
    ((reader, raw),) = world.words()
    assert reader == "club@example.test"
    assert all(f"game {game[:8]}\r\n  message 1 of the" in raw for game in (world.game, *others))
    assert raw.count(f"game {others[0][:8]}\r\n") == 2
    absent = [line for line in world.director.errand.chair.pending() if "will be away" in line]
    assert {sshsig.fingerprint(who.public) in " ".join(absent) for who in (world.anna, world.boris)} == {True}
    assert len(absent) == 2
    people.save(world.ref.home, replace(people.known(world.ref.home, carla.public), name="carla"))
    world.asks(f"ABSENT {others[0][:8]} 2026-09-08 2026-09-09", "club", Message_ID="<q2@example.test>")
    assert any("says that carla will be away" in line for line in world.director.errand.chair.pending())


def test_T56_of_two_players_with_one_address_a_reply_is_that_of_the_reader_of_the_letter(world, monkeypatch):
    """What forgers say of the other takes no room of it. Where they took all room it is noted of both."""
    monkeypatch.setattr(absent, "_MOST", 1)
    world.asks("HELP")
    ((_reader, raw),) = world.words()
    boris = people.known(world.ref.home, world.boris.public)
    people.save(world.ref.home, boris.put(world.anna.address, people.SAID, "as you said"))
    world.asks("ABSENT 2026-10-01 2026-10-02", Message_ID="<q2@example.test>")
    world.asks("ABSENT 2026-10-03 2026-10-04", In_Reply_To=re.search(r"Message-ID: (\S+)", raw)[1])
    assert "the director is told" in " ".join(world.words()[-1][1].split())
    told = [line for line in world.director.errand.chair.pending() if "will be away" in line]
    sure = sorted(line for line in told if "which anybody can have written" not in line)
    assert any(
        f"with key {sshsig.fingerprint(world.anna.public)} will be away from 2026-10-03" in line for line in sure
    )
    assert len(told) == 4


def test_T56_two_players_with_one_address_may_say_the_same_in_replies_of_one_round(world):
    """The second one's counted as what anybody can have written, or was lost where forgers had used up that room."""
    boris = people.known(world.ref.home, world.boris.public)
    world.asks("HELP")
    world.asks("HELP", "boris")
    people.save(world.ref.home, boris.put(world.anna.address, people.SAID, "as you said"))
    note = notes.Note(boris.mark, world.anna.address, "a reminder", "Your turn.")
    notes.write(world.ref.home, note, world.ref.address, "2026-09-01")
    world.director.post()
    ids = [re.search(r"Message-ID: (\S+)", raw)[1] for reader, raw in world.words() if reader == world.anna.address]
    for number, mid in enumerate(ids):
        head = f"From: {world.anna.address}\r\nMessage-ID: <r{number}@example.test>\r\nIn-Reply-To: {mid}\r\n\r\n"
        world.office.put(f"{head}ABSENT 2026-10-03 2026-10-04\r\n".encode(), world.ref.address)
    world.director.post()
    told = [line for line in world.director.errand.chair.pending() if "will be away" in line]
    assert ["which anybody can have written" in line for line in told] == [False, False]


def test_T56_a_reply_tells_the_absence_of_a_second_player_with_one_address_in_a_game_of_theirs(friends, world):
    """Letters to both go to the first of them: the room for absences of the other was a stranger's, for good."""
    carla, dmitri = friends("carla", "dmitri")
    other = begun(world, carla, dmitri)
    people.save(world.ref.home, people.known(world.ref.home, carla.public).put(world.anna.address, people.SAID, ""))
    seen = {seat.game for seat, _player in world.director.sits().chair.ear._at(world.anna.address)}
    assert seen == {world.game, other}
    world.asks("HELP")
    ((_reader, raw),) = world.words()
    for number, game in enumerate((world.game, other), 3):
        lines = [f"ABSENT {game[:8]} 2026-09-{day} 2026-10-{day - 9:02}" for day in range(10, 30)]
        world.asks("\n".join(lines), Message_ID=f"<{number}@evil.test>")
        said = f"ABSENT {game[:8]} 2026-10-0{number} 2026-10-2{number}"
        mid = f"<r{number}@example.test>"
        world.asks(said, Message_ID=mid, In_Reply_To=re.search(r"Message-ID: (\S+)", raw)[1])
        told = [line for line in world.director.errand.chair.pending() if f"from 2026-10-0{number}" in line]
        assert ["which anybody can have written" in line for line in told] == [False]


def test_T49_mails_that_ask_for_nothing_cost_no_look_into_the_games(world, monkeypatch):
    looks = []
    seats = chair.Chair.seats
    monkeypatch.setattr(chair.Chair, "seats", lambda self: looks.append(1) or seats(self))
    for number in range(20):
        who = "mallory" if number % 2 else "anna"
        words = "STATUS" if number % 2 else "Buy!"
        world.office.put(f"From: {who}@example.test\r\nX: {number}\r\n\r\n{words}\r\n".encode(), world.ref.address)
    world.director.post()
    assert len(looks) <= 2


def test_all_games_are_served_however_many_folders_there_are(world, monkeypatch):
    """Those behind the first 500 folders were left out, and nothing was said."""
    for _number in range(2):
        begun(world, world.anna, world.boris)
    (world.ref.place / "a-folder").mkdir()
    monkeypatch.setattr(register, "_LOOKED_AT", 1)
    assert len(world.director.sits().chair.seats()) == 3
