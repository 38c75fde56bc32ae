"""The last message of a tournament's game reaches the other player with a receipt."""

import re

import pytest

from kursk_pbem.kernel.state import OVER
from kursk_pbem.tournament.proof import verify
from post.boards_by_mail import moves, rounds, strangers


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
