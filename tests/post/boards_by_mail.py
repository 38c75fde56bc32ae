"""Boards of a tournament by mail, started by their players."""

from datetime import timedelta

from helpers import cup_by_mail, postal
from helpers.cup_by_mail import announced, enters, pair_first_round


def two_entered(root, time):
    cup = announced(root, time)
    for name in cup.players:
        enters(cup, name)
    cup.direct("tournament", "inbox")
    return cup


def one_paired(root, time):
    cup = two_entered(root, time)
    pair_first_round(cup)
    cup_by_mail.relay_proposals(cup)
    return cup


def receipted(cup):
    """Mail the proposal of board 1-1 and its receipt; return the game, the proposer and the other player."""
    cup.ref.post()
    cup.time.now += timedelta(hours=3)
    for player in cup.players.values():
        player.post()
    return cup.first_board()


def begin_board(cup):
    """Accept the proposal of board 1-1 as the other player; return the game."""
    game, _proposer, other = receipted(cup)
    other.friend.kursk("accept", game[:8])
    return game


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
