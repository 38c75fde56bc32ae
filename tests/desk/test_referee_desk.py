"""The desk of a rolling referee: player commands change nothing and never crash."""

from collections.abc import Iterator

import pytest
from helpers.relaying import day
from helpers.signed_play import Player
from rulesets.battle_for_kursk.first_turn import CITADEL, OPENING, SIDES

from kursk_pbem.desk.deals import begin, director
from kursk_pbem.desk.draft import blanks, drafts
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import desks
from kursk_pbem.game import entropy, folders
from kursk_pbem.trust import keys

POSTURE = {"choice": {"posture/turn-1": {"posture": "pause", "reaction": "no"}}}


class Directed:
    """A game with a rolling referee, after the German posture and the referee's message 4."""

    def __init__(self, root):
        self.desks = {who: Player(who, root / who) for who in (*SIDES, "referee")}
        for player in self.desks.values():
            player.place.mkdir()
            keys.generate_key_pair(player.key, entropy.random_bytes())
        publics = {side: keys.read_public(self.desks[side].place / "me.pub") for side in SIDES}
        self.referee = self.desks["referee"]
        match = director.Match(CITADEL, publics, {}, {})
        path = director.propose_game(match, self.referee.key, self.referee.place, self.referee.home).newest
        self.referee.desk = desks.open_desk(path.parent, self.referee.home)
        for side in SIDES:
            player = self.desks[side]
            player.desk = begin.accept_proposal(path, player.key, player.place, player.home)
        for content in (OPENING, POSTURE):
            self.send(content)
            self.answer()

    def send(self, content):
        """Write the next message from choices or a draft, and deliver the message."""
        chain = self.referee.desk.game.chain
        player = self.desks[chain.writer(chain.next_seq)]
        if isinstance(content, dict):
            player.fill(content)
        checked = None if isinstance(content, dict) else content(player.desk)
        self.spread(player, player.sign(checked))

    def answer(self):
        """Write the referee's message."""
        answered = director.sign_answer(self.referee.desk, None)
        self.referee.sit()
        self.spread(self.referee, answered.newest)

    def spread(self, writer, path):
        for each in self.desks.values():
            if each is not writer:
                each.take(path)


@pytest.fixture
def directed(tmp_path) -> Iterator[Directed]:
    with entropy.fix_random_bytes("a referee's desk"):
        yield Directed(tmp_path)


@pytest.mark.parametrize("offered", [False, True], ids=["handing on", "an offer"])
def test_a_referee_has_no_draft_and_no_players_command(directed, kursk, offered):
    directed.send((lambda desk: drafts.make_offer(desk, "draw")) if offered else {})
    referee, folder = directed.referee, directed.referee.folder
    assert referee.desk.mine
    assert referee.desk.game.hands_on
    assert "due is message 6 of the referee: to hand on" in kursk(referee, "status", folder)[1]
    assert ("to hand on an offer" in kursk(referee, "verify", folder)[1]) == offered
    path = referee.draft()
    path.write_text(blanks.compose_draft(referee.desk.game, referee.desk.game.state, {}), encoding="ascii")
    before = sorted(each.name for each in folder.iterdir())
    for words in (
        ("setup", "draft", folder),
        ("setup", "draft", "--force", folder),
        ("check", path),
        ("sign", path, "--yes"),
        ("moves", path),
        ("offer", folder, "draw", "--yes"),
        ("reply", folder, "decline", "--yes"),
        ("resign", folder, "--yes"),
    ):
        status, said = kursk(referee, *words)
        assert status == 2, (words, said)
        assert "a referee" in said or "no offer" in said, (words, said)
    assert sorted(each.name for each in folder.iterdir()) == before
    assert kursk(referee, "inbox", "--report", folders.message_path(folder, 5))[0] == 0
    assert referee.sit().seq == 7


def test_nobody_forfeits_while_the_referees_own_message_is_due(directed, kursk):
    directed.send({})
    referee = directed.referee
    as_referee = (referee.folder, "--key", referee.key)
    with clock.fix_time(day(4)):
        assert kursk(referee, "referee", "receipt", *as_referee, "--received", day(1), "--due", day(2))[0] == 0
        status, said = kursk(referee, "referee", "forfeit", "--yes", *as_referee, "--declared", day(3))
    assert status == 2
    assert "the referee's own to write" in said
