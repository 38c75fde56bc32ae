"""6.4: a board holds what was there at the log paper that decided it, and later messages harm nobody."""

from __future__ import annotations

import shutil

import pytest
from helpers import sweeps
from helpers.four import enter_four
from helpers.tourney import Playing

from kursk_pbem.desk.own import desks
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders, histories
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.site import publication
from tournament.dated import at_desks, place_of, write


def write_late(world, board="1-2"):
    """Write one more message at the desk of its player, and mail it to nobody; return writer and file."""
    game = at_desks(world, board)
    return game.due()[0], write(world, game)


def begun(tmp_path):
    """Return a tournament in which board 1-1 has one proposal and no answer."""
    world = enter_four(tmp_path)
    Playing(world, world.book().boards["1-1"]).begin()
    world.inbox()
    world.play(world.book().boards["1-2"], 3, "german")
    world.inbox()
    return world


def open_next(world):
    """Close the field of the next draw, and let all entrants open: their papers name their last messages."""
    world.pair()
    world.exchange()
    world.pair()
    world.post()


def forfeited(world):
    """Forfeit board 1-2, after a player wrote the next message too late; return the writer and the message."""
    world.later(8)
    late = write_late(world)
    world.director.kursk("tournament", "forfeit", "1-2", "--yes", "--in", world.folder)
    world.pair()
    return late


def silent(world):
    """Judge board 1-1 by silence, after a player wrote the next message too late."""
    world.later(15)
    late = write_late(world, "1-1")
    sides = histories.load(place_of(world, "1-1")).game.chain
    winner = next(side for side in world.book().boards["1-1"].sides if side != sides.writer(sides.next_seq))
    world.director.kursk("tournament", "judge", "1-1", "silence", winner, "--yes", "--in", world.folder)
    world.pair()
    return late


def judged(world):
    world.later(91)
    late = write_late(world)
    world.director.kursk("tournament", "judge", "1-2", "points", "--yes", "--in", world.folder)
    world.pair()
    return late


def left(world):
    """Judge board 1-2 because a player has left."""
    late = write_late(world)
    game = at_desks(world)
    other = next(who for who in game.people.values() if who is not late[0])
    other.kursk("tournament", "withdraw", "--yes", "--in", other.tournament)
    world.collect()
    number = next(number for number in world.book().boards["1-2"].numbers if world.by_number(number) is other)
    world.director.kursk("tournament", "withdraw", number, "--yes", "--in", world.folder)
    world.pair()
    return late


@pytest.mark.parametrize("decide", sweeps.some([forfeited, judged, left], 3))
def test_6_4_a_message_after_the_decision_spoils_no_archive(decide, four):
    """N-2: the next papers name the late message; nobody is asked for it, and a copy convicts nobody."""
    writer, message = decide(four)
    check_all(four, "1-2", writer, message)


def test_6_4_a_message_after_silence_spoils_no_archive(tmp_path):
    """N-2: the loser answered a proposal after the judgement, and the copy convicted the director."""
    world = begun(tmp_path)
    writer, message = silent(world)
    check_all(world, "1-1", writer, message)


def check_all(world, board, writer, message):
    """Check the archive without and with the late message, the mail of the message, the site and the rating."""
    seq = world.book().boards[board].outcome.seq
    open_next(world)
    named = [each for paper in world.book().papers.values() for each in paper.said("games") or ()]
    assert folders.read_message(message).id in {said["head"] for said in named}
    proof = verify.verify_tournament(world.folder)
    assert (proof.status, proof.missing) == (0, ()), proof
    assert any(f"log/{seq:04d}.yaml decided the board without the message" in note for note in proof.notes)
    shutil.copyfile(message, world.director.inbox / message.name)
    said = world.inbox(status=None)
    assert "its game is over" in said
    assert "kept as" in said
    assert len([*world.folder.glob("evidence/message-*")]) == 1
    shutil.copyfile(message, place_of(world, board) / message.name)
    proof = verify.verify_tournament(world.folder)
    assert (proof.status, proof.missing) == (0, ()), proof
    assert any("1 later message left out" in note for note in proof.notes)
    site = publication.build_files(publication.load_view(world.folder, proof))
    assert f"board-{board}.html" in site
    assert "verified" in world.verify()


@pytest.mark.parametrize("decide", sweeps.some([judged, forfeited, left], 3))
def test_6_4_nobody_signs_in_a_board_that_the_log_decided(decide, four, monkeypatch):
    """N-2: sign wrote a message 90 seconds after the copy of the log had the judgement."""
    monkeypatch.setattr(f"{__name__}.write_late", lambda world, *_more: (at_desks(world).people["german"], None))
    decide(four)
    four.inform()
    writer, desk = at_desks(four).due()
    name = desk.game.chain.game[:8]
    writer.kursk("sign", name, "--yes", status=2, told="its game is over")
    with writer.sitting(), pytest.raises(UsageError, match="its game is over"):
        desks.open_desk(desk.folder, writer.home).unlocked()
    assert "over" in writer.kursk("status", name)


def test_6_4_an_adjourned_board_can_be_signed(four):
    """6.4: play continues on an adjourned board."""
    four.later(91)
    four.director.kursk("tournament", "judge", "1-2", "adjourned", "--yes", "--in", four.folder)
    four.inform()
    _writer, message = write_late(four)
    assert message.exists()


def test_6_4_a_judgement_names_the_last_message(four):
    """6.4: withdrawn and silence name the last message too, if the game has begun."""
    left(four)
    outcome = four.book().boards["1-2"].outcome
    assert outcome.by == "withdrawn"
    assert outcome.head == histories.load(place_of(four)).game.chain.head_id


def test_6_4_an_ended_tournament_with_a_late_message_is_rated(four):
    """N-2: rating refused the whole tournament."""
    _writer, message = forfeited(four)
    open_next(four)
    four.take()
    four.play_round()
    four.inbox()
    four.later(1)
    four.director.kursk("tournament", "end", four.folder)
    shutil.copyfile(message, place_of(four) / message.name)
    assert "rated games: 3" in four.director.kursk("rating", four.folder)
