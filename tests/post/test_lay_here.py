"""What lay at the referee before it went out: nobody loses a game because the director waited, or the mailbox did."""

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import Line, text
from helpers.refereed_mail import DAY, ahead_of_referee, comes, damages, ends_by_itself, hours, lets_pass, played_on
from helpers.returned import report

from kursk_pbem.post import people
from kursk_pbem.post.servers.smtp import LATER, Answer


def owes(world, days, *, late):
    """Boris's message 3 goes out to Anna, who owes its answer, so many days after it came: it waited in a way."""
    played_on(world)
    if late:
        world.time.now += 9 * DAY
        comes(world, world.boris, 3)
        hours(world, days * 24, step=12)
        lets_pass(world)
    else:
        world.boris.sign(world.game)
        world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
        world.time.now += days * DAY
        world.director.sits()
    world.office.mails.clear()
    world.director.post()
    assert any(reader == world.anna.address for _at, _sender, reader, _raw in world.office.mails)


@pytest.mark.parametrize("late", [True, False], ids=["let pass", "the mailbox was off"])
@pytest.mark.parametrize(("days", "ends"), [(3, True), (4, False), (6, False), (8, False)])
def test_2_12_a_message_that_lay_here_for_half_of_the_term_of_its_answer_ends_no_game(automatic, days, ends, late):
    """She lost it 42 hours after she first saw the message."""
    world = automatic
    owes(world, days, late=late)
    out = text(world.time.now)
    assert ends_by_itself(world) == ends
    told = f"first went to where they are reached at {out}, after half of the term"
    assert ends or told in str(world.director.errand.chair.pending())


def waits_behind(world, *numbers):
    """Message 3 is late, and others that the players have made wait behind it; six days later it is let pass."""
    played_on(world)
    ahead_of_referee(world)
    world.boris.sign(world.game)
    postal.carried(world.game, 5, world.boris, world.anna)
    world.time.now += 9 * DAY
    for seq in numbers:
        who = world.boris if seq % 2 else world.anna
        world.office.put(letter(turn(who, world.game, seq), who.address), world.ref.address)
        world.director.post()
    hours(world, 6 * 24, step=12)
    lets_pass(world)


def cannot_send(world, monkeypatch):
    """The server takes no letter for six days, in which a message comes."""
    played_on(world)
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    with monkeypatch.context() as patch:
        patch.setattr(Line, "send", lambda *_of: Answer(LATER, 450, "later"))
        hours(world, 6 * 24, step=12)


def is_damaged(world):
    """A file of the game is, for six days, in which a message comes."""
    played_on(world)
    path = world.folder / "0001.yaml"
    whole = path.read_bytes()
    damages(path)
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
    hours(world, 6 * 24, step=12)
    damages(path, whole)


def is_stopped(world):
    """A forged report stops the address of whoever owes the answer, before the message comes, for six days."""
    played_on(world)
    raw = next(raw for *_of, reader, raw in reversed(world.office.mails) if reader == world.anna.address)
    mid = raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode()
    world.office.put(report(mid, world.anna.address), world.ref.address)
    comes(world, world.boris, 3)
    hours(world, 6 * 24, step=12)
    anna = people.load(world.ref.home, world.anna.public)
    people.save(world.ref.home, anna.put(world.anna.address, people.SAID, "as you said"))


def is_swallowed(world):
    """Letters go for six days to an address that nobody reads any more, before the director says the new one."""
    played_on(world)
    comes(world, world.boris, 3)
    hours(world, 6 * 24, step=12)
    anna = people.load(world.ref.home, world.anna.public)
    people.save(world.ref.home, anna.put("anna@new.test", people.SAID, "as you said"))


WAYS = {
    "the answer waits behind a late message": lambda world, _patch: waits_behind(world, 3, 4),
    "another message waits behind it": lambda world, _patch: waits_behind(world, 3, 4, 5),
    "nothing can be sent": cannot_send,
    "a file is damaged": lambda world, _patch: is_damaged(world),
    "an address is no longer read": lambda world, _patch: is_swallowed(world),
    "an address is stopped": lambda world, _patch: is_stopped(world),
}


@pytest.mark.parametrize("way", WAYS)
def test_2_12_whatever_kept_a_message_here_for_half_of_the_term_ends_no_game(automatic, monkeypatch, way):
    """When the message came was asked, and whether it was let pass, not when it went out."""
    WAYS[way](automatic, monkeypatch)
    assert not ends_by_itself(automatic)
    told = str(automatic.director.errand.chair.pending())
    assert ("is reached now" if "no longer" in way else "after half of the term") in told


def test_a_late_answer_to_what_lay_here_is_told_as_that(automatic):
    """An hour after she first saw the message the director was told only that her answer is late."""
    world = automatic
    owes(world, 9, late=False)
    out = text(world.time.now)
    postal.carried(world.game, 3, world.boris, world.anna)
    told = str([one.told for game in comes(world, world.anna, 4).games for one in game.outcomes])
    assert (
        f"(what is to be answered first went to where they are reached at {out}, after half of the term): it is late"
        in told
    )


def test_2_12_what_went_out_by_a_clock_in_doubt_went_out_when_the_clock_is_believed(automatic, monkeypatch):
    """It counted as sent when that clock said: six days before it was, and the game ended two days after it."""
    world = automatic
    cannot_send(world, monkeypatch)
    world.time.now -= 6 * DAY
    world.director.sits()
    world.office.mails.clear()
    world.director.post()
    assert world.director.errand.intake.doubt()
    assert any(reader == world.anna.address for _at, _sender, reader, _raw in world.office.mails)
    world.time.now += 6 * DAY
    world.director.sits()
    assert not ends_by_itself(world)
    assert "after half of the term" in str(world.director.errand.chair.pending())


def test_2_12_so_did_what_the_director_mailed_by_hand(automatic, monkeypatch):
    world = automatic
    cannot_send(world, monkeypatch)
    world.time.now -= 6 * DAY
    world.ref.kursk("outbox", "--sent", "all")
    world.time.now += 6 * DAY
    world.director.sits()
    assert not ends_by_itself(world)
    assert "after half of the term" in str(world.director.errand.chair.pending())
