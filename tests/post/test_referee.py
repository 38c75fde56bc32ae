"""A referee's mailbox: receipts, answers in words, reminders, and open decisions."""

from helpers.mailbags import letter, turn
from helpers.postmen import BEGIN, text

from post.refereed_mail import DAY, HOUR, begin_game, played_on


def test_a_receipt_says_when_a_message_came_and_both_get_it(world):
    world.boris.sign(world.game)
    world.time.passes(3600)
    world.office.put(letter(turn(world.boris, world.game, 1), world.boris.address), world.ref.address)
    world.time.passes(7200)
    world.director.post()
    held = world.ref.desk(world.game).game.papers.receipts[1]
    assert (held.text("received"), held.text("due")) == (text(BEGIN + HOUR), text(BEGIN + HOUR + 7 * DAY))
    assert [reader for _at, _sender, reader, _raw in world.office.mails] == [world.anna.address]
    world.time.passes(86_400)  # the receipt of an own message waits a day for another letter
    world.director.post()
    assert world.boris.address in [reader for _at, _sender, reader, _raw in world.office.mails]
    for _at, _sender, _reader, raw in world.office.mails:
        assert b"Auto-Submitted: auto-generated" in raw
        assert b"X-Kursk-Referee: 1" in raw
    sent = len(world.office.mails)
    world.director.sits()
    world.director.post()
    assert len(world.office.mails) == sent


def test_a_damaged_paper_in_a_game_folder_stops_no_round_and_no_answer(directed):
    world = directed
    played_on(world)
    other = begin_game(world, world.anna, world.boris)
    for file in ("extension-0002-0123456789abcdef.yaml", "forfeit.yaml", "receipt-0002.yaml"):
        world.office.mails.clear()
        path = world.folder / file
        path.unlink(missing_ok=True)
        path.write_bytes(b"x")
        assert world.asks("STATUS", X=file).mails == 1
        ((_reader, words),) = world.words()
        assert f"game {world.game[:8]} cannot be opened here now" in words
        assert f"game {other[:8]}\r\n  message 1 of the" in words
        told = [*world.director.session.faults, *world.director.session.referee.list_pending()]
        assert any(file in str(line) for line in told)
        path.unlink()
