"""Those whose games are relayed by a referee are known at that desk, whatever else its owner plays or directs."""

import pytest
from helpers import postal
from helpers.mailbags import letter, states, turn
from helpers.new_addresses import NEW, boris_there, cards, comes
from helpers.postmen import text
from helpers.refereed_mail import DAY

from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.post import people, waiting
from kursk_pbem.post.outcome import PROPOSED, TAKEN


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


class UnderCarla:
    """The director of a mailbox plays Anna; Carla referees that game. The director has sent message 3 with a term."""

    def __init__(self, world, carla, days=2):
        self.world, self.carla, self.days = world, carla, days
        self.game = postal.began(world.anna, world.ref, relay=carla.public)
        proposal = carla.place / "0000.yaml"
        proposal.write_bytes(turn(world.anna, self.game, 0))
        timekeeper.receipt(timekeeper.open_folder(proposal, carla.home, Term(days=days)), carla.key, Term(days=days))
        proposal.unlink()
        self.mails(0)
        for who, seq in ((world.ref, 1), (world.anna, 2), (world.ref, 3)):
            who.sign(self.game)
            for other in (world.anna, world.ref):
                if other is not who:
                    postal.carried(self.game, seq, who, other)
            self.takes(who, seq)
            self.mails(seq)
            world.time.passes(3600)

    def takes(self, who, seq, *, late=False):
        """Carla takes a message, and signs when she has it."""
        postal.carried(self.game, seq, who, self.carla)
        opened = timekeeper.open_folder(self.carla.folder(self.game), self.carla.home, Term(days=self.days))
        term = Term(text(self.world.time.now), days=self.days, late=late)
        timekeeper.receipt(opened, self.carla.key, term, seq)

    def mails(self, seq):
        """Her receipt is mailed to the director; the day."""
        path = self.carla.folder(self.game) / f"receipt-{seq:04d}.yaml"
        return comes(self.world, letter(path.read_bytes(), self.carla.address))


@pytest.mark.parametrize("late", [True, False], ids=["their referee let it pass", "their referee has it in time"])
def test_2_12_what_comes_late_of_a_game_under_another_referee_is_taken(automatic, friends, late):
    """It waited for a word that nobody could say, and the owner of the mailbox lost that game at its referee's."""
    world = automatic
    there = UnderCarla(world, friends("carla")[0])
    world.time.now += (6 if late else 1) * DAY
    world.anna.sign(there.game)
    there.takes(world.anna, 4, late=late)
    world.time.now += (0 if late else 5) * DAY
    day = comes(world, letter(turn(world.anna, there.game, 4), world.anna.address))
    assert states(day) == [(4, TAKEN)]
    there.mails(4)
    assert world.ref.desk(there.game).seq == 5
    assert "receipt-0004.yaml" in [path.name for path in world.ref.folder(there.game).glob("receipt-*")]
