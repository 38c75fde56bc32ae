"""Boards of a tournament by mail, as their players begin them."""

from datetime import timedelta

from kursk_pbem.post import waiting


def begins(cup):
    """The players of board 1-1 take its proposal; its game."""
    cup.ref.post()
    cup.time.now += timedelta(hours=1)
    for player in cup.players.values():
        player.post()
        for short in waiting.games(player.friend.home):
            player.friend.kursk("accept", short)
    return cup.book().boards["1-1"].game
