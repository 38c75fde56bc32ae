"""Boards of a tournament by mail, started by their players."""

from datetime import timedelta

from helpers import postal
from helpers.mailbags import letter, turn

from kursk_pbem.game import folders


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


class Board:
    """Board 1-1 of a small tournament after four accepted messages; ``other`` waits for the next message."""

    def __init__(self, cup):
        self.cup = cup
        self.game = begin_board(cup)
        self.folder = cup.folder / "games" / folders.folder_name(self.game)
        for _message in range(4):
            self.moves()
        self.other = next(player for player in cup.players.values() if not player.friend.desk(self.game).mine)

    def moves(self):
        """Sign the due message and run a round of the director's mailbox."""
        players = [player.friend for player in self.cup.players.values()]
        who = next(each for each in players if each.desk(self.game).mine)
        who.sign(self.game)
        seq = len(folders.message_files(who.folder(self.game))) - 1
        postal.carried(self.game, seq, who, next(each for each in players if each is not who))
        self.cup.office.put(letter(turn(who, self.game, seq), who.address), self.cup.ref.address)
        self.passes(hours=1)

    def passes(self, *, hours=0, days=0):
        """Let time pass, with a round of post twice a day."""
        until = self.cup.time.now + timedelta(hours=hours, days=days)
        while self.cup.time.now < until:
            self.cup.time.now += min(timedelta(hours=12), until - self.cup.time.now)
            self.cup.ref.post()
