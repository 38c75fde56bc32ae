"""A board of a tournament that goes on as another game: from when the term of its first answer runs."""

import shutil
from datetime import timedelta

from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import text

from kursk_pbem.desk import desks, offers, play
from kursk_pbem.errors import KurskError
from kursk_pbem.game import folders, receipts
from kursk_pbem.game.successor import Terms
from kursk_pbem.post import waiting


def goes(cup, players, game, who):
    """A message that is signed goes to the other player and to the director, who looks at the post."""
    seq = len(folders.message_files(who.folder(game))) - 1
    postal.carried(game, seq, who, next(each for each in players if each is not who))
    cup.office.put(letter(turn(who, game, seq), who.address), cup.ref.address)
    cup.time.now += timedelta(minutes=10)
    return cup.ref.post()


def can_go_on(cup, players, game):
    """Who owes a message and may offer, the other one, who proposes how it goes on, and message 0 of that."""
    while True:
        due = next(each for each in players if each.desk(game).mine)
        other = next(each for each in players if each is not due)
        if due.desk(game).seq >= 3:
            for who in (due, other):
                try:
                    return due, other, who, offers.propose(who.desk(game), Terms({}, {}, None), None, who.place)
                except KurskError:
                    continue
        due.sign(game)
        goes(cup, players, game, due)


def passes(cup, days):
    for _quarter in range(int(days * 4)):
        cup.time.now += timedelta(hours=6)
        cup.ref.post()


def test_the_first_answer_is_due_from_when_the_two_had_agreed(relayed):
    """Its term ran from when the proposal came, days before the offer: it was late before anybody owed it."""
    cup = relayed
    cup.ref.post()
    cup.time.now += timedelta(hours=1)
    players = [player.friend for player in cup.players.values()]
    for player in cup.players.values():
        player.post()
        for short in waiting.games(player.friend.home):
            player.friend.kursk("accept", short)
    game = cup.book().boards["1-1"].game
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
