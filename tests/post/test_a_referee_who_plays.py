"""Those whose games are relayed by a referee are known at that desk, whatever else its owner plays or directs."""

import pytest
from helpers import postal
from helpers.mailbags import letter, states
from helpers.new_addresses import NEW, boris_there, cards, comes

from kursk_pbem.post import people, waiting
from kursk_pbem.post.outcome import PROPOSED


@pytest.fixture
def plays(automatic, friends):
    """They have typed no address of Boris; where a private record was, only games with one were looked at."""
    postal.began(automatic.ref, friends("carla")[0])
    people.forget(automatic.ref.home, boris_there(automatic))
    automatic.director.sits()
    return automatic


def test_a_card_of_a_player_whose_game_they_relay_is_taken_down(plays):
    """It was passed over without a word."""
    (line,) = comes(plays, *cards(plays.boris, plays.ref, (NEW, 2))).cards
    assert f"they are reached at {NEW}" in line
    assert boris_there(plays).state_of(NEW) == people.CARDED


def test_a_card_for_the_other_player_is_none_for_another_key(plays):
    """Each letter of theirs brought a line: it holds a card for each of its readers."""
    boris = boris_there(plays)
    people.save(plays.ref.home, boris.put("boris@example.test", people.SAID, "as you said"))
    assert comes(plays, *cards(plays.boris, plays.anna, (NEW, 2))).cards == []


def test_a_card_for_the_opponent_in_a_tournament_is_none_for_another_key(relayed):
    """The games of a tournament lie in its folder, and were not looked at."""
    one, other = (player.friend for player in relayed.players.values())
    relayed.ref.post()
    relayed.office.put(cards(one, other, ("p01@new.test", 5))[0], relayed.ref.address)
    assert relayed.ref.post().cards == []


def test_T49_a_player_whose_game_they_relay_has_room_to_propose_among_strangers(plays, friends, monkeypatch):
    monkeypatch.setattr(waiting, "MOST_GAMES", 2)
    (stranger,) = friends("stranger")
    proposers = (stranger, stranger, plays.boris)
    mails = [letter(postal.proposed(who, plays.anna, relay=plays.ref.public)[0], who.address) for who in proposers]
    assert states(comes(plays, *mails)) == [(0, PROPOSED)] * 3
