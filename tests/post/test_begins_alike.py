"""Turns of a game whose id begins as that of a known one: anybody can write one; folders are called by 16 digits."""

import pytest
from helpers.mailbags import box, letter, long_game, taken, turn
from helpers.postmen import text
from helpers.refereed_mail import ends_by_itself, lets_pass

from kursk_pbem.formats.canonical import canon
from kursk_pbem.post import came, place
from kursk_pbem.post.outcome import TAKEN, UNKNOWN
from kursk_pbem.post.referee.damage import Damage
from kursk_pbem.trust import keys, messages, sshsig


def alike(stranger, writer, game, seq):
    """A letter with the same message, of a game that begins so, signed by a stranger."""
    content = messages.read(turn(writer, game, seq), "").content
    content = {**content, "game": game[:16] + game[:15:-1]}
    armour = keys.load(stranger.key).sign(sshsig.NAMESPACE, canon(content))
    return letter(messages.mailed(content, armour, None).encode("ascii"), "stranger@example.test")


def spooled(friend):
    return place.names(place.root(friend.home) / "in" / "spool")


def strange(world):
    """A round in which a stranger's letter has come; the outcome of each turn."""
    world.office.put(alike(world.anna, world.boris, world.game, 3), world.ref.address)
    return {outcome.state for game in world.director.post().games for outcome in game.outcomes}


def test_T49_a_game_that_begins_alike_keeps_no_mail_at_the_referees(late):
    """Each stayed for sixty days, and was told in each round as a folder that cannot be read."""
    assert strange(late) == {UNKNOWN}
    assert spooled(late.ref) == []


def test_T49_a_game_that_begins_alike_lets_no_turn_sleep(late):
    """The director has let a message pass, which waits; a stranger's mail in each round kept it waiting."""
    lets_pass(late)
    assert strange(late) == {UNKNOWN, TAKEN}


def test_T49_a_game_that_begins_alike_is_not_that_of_a_player(friends, tmp_path):
    """The player was told in each round to move the private record of their own game away."""
    anna, boris, stranger = friends("anna", "boris", "stranger")
    game = long_game(anna, boris, 4)
    day = taken(boris, box(tmp_path, [alike(stranger, boris, game, 3)]))
    assert [outcome.state for game_taken in day.games for outcome in game_taken.outcomes] == [UNKNOWN]


def test_T40_of_two_messages_that_begin_alike_the_second_gets_no_time_of_its_own(late, monkeypatch):
    """Whoever is late can make two: when the second came was not known, so it did not count as late."""
    first = messages.read(turn(late.boris, late.game, 3), "")
    content = {**first.content, "note": "the other"}
    armour = keys.load(late.boris.key).sign(sshsig.NAMESPACE, canon(content))
    second = messages.mailed(content, armour, None).encode("ascii")
    real = came._path
    monkeypatch.setattr(came, "_path", lambda home, game, seq, _id: real(home, game, seq, "alike"))
    came.note(late.ref.home, late.game, 3, first.id, fetched=text(late.time.now))
    late.office.put(letter(second, late.boris.address), late.ref.address)
    (outcome,) = late.director.post().games[0].outcomes
    assert "its id begins like that of another message 3" in outcome.error.message
    assert not (late.folder / "0003.yaml").exists()
    assert came.said(late.ref.home, late.game, 3, first.id)


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize("alike", [True, False])
def test_T40_what_is_new_of_a_game_counts_not_for_one_that_begins_alike(owed, words, alike):
    """Whoever proposes both finds two that begin with the same eight digits in a second."""
    new = owed.game[:8] + owed.game[:7:-1] if alike else owed.game
    mail = Damage(frozenset({owed.boris.address}), frozenset({new[:8]}), besides=frozenset({(new, 2)}), words=words)
    owed.director.errand.chair.intake.damaged.hear({mail})
    assert ends_by_itself(owed) == (not alike)
