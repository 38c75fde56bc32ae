"""The last message of a tournament's game reaches the other player with a receipt, for every kind of end."""

import re
from datetime import timedelta

import pytest
from helpers import postal

from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.turn import play
from kursk_pbem.kernel.state import OVER
from kursk_pbem.tournament.proof import verify
from post.boards_by_mail import begin_board
from post.conftest import one_paired, share


def strangers(cup):
    """Make the players unknown to each other, so that only mail by the director arrives."""
    players, post = {player.address for player in cup.players.values()}, cup.office.post

    def carry(raw, sender, reader):
        if not {sender, reader} <= players:
            post(raw, sender, reader)

    cup.office.post = carry
    return cup


def rounds(cup, number=4):
    """Run rounds of post at all desks in turn, some hours apart."""
    for _round in range(number):
        cup.time.now += timedelta(hours=6)
        cup.ref.post()
        for player in cup.players.values():
            player.post()
            player.accepts()


def writer(cup, game):
    """Return the writer of the next message of a game, and the other player."""
    players = sorted(cup.players.values(), key=lambda player: not player.friend.desk(game).mine)
    assert players[0].friend.desk(game).mine
    return players


def moves(cup, game, number):
    """Write some messages, given to the other player by hand; the last one is only mailed to the director."""
    for left in reversed(range(number)):
        who, other = writer(cup, game)
        who.friend.sign(game)
        desk = who.friend.desk(game)
        if desk.game.over or not left:
            who.post()
            return
        postal.carried(game, desk.last.seq, who.friend, other.friend)


def under_way(root, time):
    """Begin the game of board 1-1, and play four messages."""
    cup = one_paired(root, time)
    cup.played = begin_board(strangers(cup))
    rounds(cup, 3)
    moves(cup, cup.played, 4)
    rounds(cup, 2)
    del cup.office.post
    return cup


_played, played = share("played", under_way, "cup")


@pytest.fixture
def relayed(played):
    return strangers(played)


def status(player, *words):
    return " ".join(player.friend.kursk("status", *words).split())


def ended(cup, game):
    """Check that both players have the last message with a receipt, no status has a step, and the log agrees."""
    rounds(cup)
    for player in cup.players.values():
        desk = player.friend.desk(game)
        assert desk.game.over
        receipt = desk.game.papers.receipts[desk.last.seq]
        assert receipt.text("due") == receipt.text("received")
        assert "deadline" not in status(player)
        assert " writes" not in status(player)
    cup.ref.friend.kursk("tournament", "status", "cup", told=f"message {desk.last.seq}, over")
    cup.direct("tournament", "pair")
    assert cup.book().boards["1-1"].outcome.head == desk.last.id
    rounds(cup)
    assert verify.verify_tournament(cup.folder).status == 0
    return desk


def test_a_game_that_is_given_up_ends_at_the_winners_desk_too(relayed):
    game = relayed.played
    loser, _winner = writer(relayed, game)
    desk = loser.friend.desk(game)
    play.sign_message(desk, drafts.make_resignation(desk), None)
    loser.post()
    assert ended(relayed, game).last.type == "resign"


def test_a_game_that_is_played_out_ends_at_both_desks(relayed):
    game = relayed.played
    moves(relayed, game, 100)
    assert ended(relayed, game).game.state.stage == OVER


def test_a_judged_game_is_over_at_both_players_desks(relayed):
    game = relayed.played
    for player in relayed.players.values():
        player.friend.kursk("tournament", "agree", "1-1", "draw", "--yes")
        player.post()
    rounds(relayed, 1)
    relayed.direct("tournament", "judge", "1-1", "agree", "--yes")
    rounds(relayed)
    for player in relayed.players.values():
        for said in (status(player), status(player, game[:8])):
            assert re.search(r"drew with p0[12] \(Violet\), by agreement of the players; its game is over", said)
            assert "is due" not in said
            assert "deadline" not in said
    assert verify.verify_tournament(relayed.folder).status == 0
