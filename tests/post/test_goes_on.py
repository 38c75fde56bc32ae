"""A board of a tournament that goes on as another game: from when the term of its first answer runs, and for whom."""

import shutil
from contextlib import suppress
from datetime import timedelta

from helpers import postal
from helpers.boards_by_mail import begins
from helpers.mailbags import letter, turn
from helpers.postmen import text

from kursk_pbem.desk import desks, offers, play
from kursk_pbem.errors import KurskError
from kursk_pbem.game import folders, receipts
from kursk_pbem.game.successor import Terms


def under_way(cup):
    """The players of board 1-1, which begins, and its game."""
    game = begins(cup)
    return [player.friend for player in cup.players.values()], game


def goes(cup, players, game, who):
    """A message that is signed goes to the other player and to the director, who looks at the post."""
    seq = len(folders.message_files(who.folder(game))) - 1
    postal.carried(game, seq, who, next(each for each in players if each is not who))
    cup.office.put(letter(turn(who, game, seq), who.address), cup.ref.address)
    cup.time.now += timedelta(minutes=10)
    return cup.ref.post()


def can_go_on(cup, players, game, *, back=False):
    """Who owes a message and may offer, the other one, who proposes how it goes on, and message 0 of that.

    ``back``: from an earlier position, so that the one who offers is the one who proposes.
    """
    while True:
        due = next(each for each in players if each.desk(game).mine)
        other = next(each for each in players if each is not due)
        if due.desk(game).seq >= 3:
            ways = [(due, at) for at in range(due.desk(game).seq - 1, 0, -1)] if back else [(due, None), (other, None)]
            for who, at in ways:
                with suppress(KurskError):
                    return due, other, who, offers.propose(who.desk(game), Terms({}, {}, at), None, who.place)
        due.sign(game)
        goes(cup, players, game, due)


def passes(cup, days):
    for _half in range(int(days * 2)):
        cup.time.now += timedelta(hours=12)
        cup.ref.post()


def test_the_first_answer_is_due_from_when_the_two_had_agreed(relayed):
    """Its term ran from when the proposal came, days before the offer: it was late before anybody owed it."""
    cup, (players, game) = relayed, under_way(relayed)
    due, other, proposer, path = can_go_on(cup, players, game)
    cup.office.put(letter(path.read_bytes(), proposer.address), cup.ref.address)
    cup.ref.post()
    passes(cup, 6.5)
    unagreed = desks.sit(cup.folder / "games" / path.parent.name, cup.ref.friend.home)
    assert not cup.ref.errand.chair.judge._will_sign(unagreed, 0)  # so nothing is late in it
    way = [shutil.copyfile(path, each.place / "way.yaml") for each in (due, other)]
    play.sign(due.desk(game), offers.offer(due.desk(game), way[0], None)[0], None)
    goes(cup, players, game, due)
    passes(cup, 6.5)
    agreed = text(cup.time.now)
    play.sign(other.desk(game), offers.accept(other.desk(game), way[1], None)[0], None)
    goes(cup, players, game, other)
    passes(cup, 0.5)
    new = cup.book().boards["1-1"].game
    assert new == folders.read_message(path).id
    receipt = receipts.read_file(cup.folder / "games" / folders.folder_name(new) / "receipt-0000.yaml")
    assert receipt.text("received") >= agreed
