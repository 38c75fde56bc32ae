"""A player's letters reach the referee who keeps time, whatever becomes of the copy for the other player."""

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import Line
from helpers.refereed_mail import played_on
from helpers.returned import report

from kursk_pbem.post.mailbox import outbox, people
from kursk_pbem.post.round import delivery
from kursk_pbem.post.round.office import hindrance
from kursk_pbem.post.wire import smtp
from kursk_pbem.post.wire.smtp import Answer, Command

HOURS = 3600
SAID_NO = "echo 'msmtp: server message: 554 5.7.1 no' >&2; exit 69"


def boris_moves(world, seq, to=""):
    world.boris.sign(world.game)
    to = to or world.ref.address
    world.office.put(letter(turn(world.boris, world.game, seq), world.boris.address), to)
    world.director.post()
    world.time.passes(3 * HOURS)


def anna_has_signed(world):
    """Anna has signed message 4, which is not mailed yet."""
    played_on(world)
    boris_moves(world, 3)
    world.member["anna"].post()
    world.anna.sign(world.game)


def rounds(world):
    """Anna and the director look at their post for a day."""
    for _half_a_day in range(2):
        world.member["anna"].post()
        world.time.passes(12 * HOURS)
        world.director.post()


def message_id(raw):
    return raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode()


def test_a_turn_goes_to_the_referee_although_the_other_player_is_not_reached(directed):
    """One report that a letter had not reached the opponent, and no turn went out any more: the game was lost."""
    world, anna = directed, directed.member["anna"]
    played_on(world)
    world.office.mails.clear()
    anna.post()
    [mine] = {raw for _at, sender, _to, raw in world.office.mails if sender == world.anna.address}
    world.office.put(report(message_id(mine), world.boris.address), world.anna.address)
    world.time.passes(60)
    anna.post()
    boris_moves(world, 3)
    anna.post()
    world.anna.sign(world.game)
    rounds(world)
    assert (world.folder / "receipt-0004.yaml").exists()
    world.anna.kursk("people", "add", "boris", world.boris.address, "-q")
    world.office.mails.clear()
    anna.post()
    assert world.boris.address in {to for _at, sender, to, _raw in world.office.mails if sender == world.anna.address}


def stops(world, *others):
    """Addresses of others are known to Anna no more."""
    for other in others:
        person = people.known(world.anna.home, other.public)
        for entry in person.addresses:
            people.stop(world.anna.home, entry.text)


def test_a_copy_of_what_was_answered_holds_no_later_turn_back(directed, monkeypatch):
    """The copy for the opponent was in doubt for good and the referee's refused: the next turn went to nobody."""
    world, anna = directed, directed.member["anna"]
    anna_has_signed(world)

    def fails(_line, _raw, _sender, reader):
        return Answer(smtp.REFUSED, 552, "full") if reader == world.ref.address else Answer(smtp.DOUBT, 0, "hung")

    with monkeypatch.context() as patch:
        patch.setattr(Line, "send", fails)
        for _round in range(outbox.MOST_DOUBTS + 2):
            anna.errand.take()
            steps = [delivery.told(step) for step in anna.errand.send()]
            world.time.passes(5 * HOURS)
    assert any("nobody knows whether it arrived; 'kursk outbox --sent" in text and bad for text, bad in steps)
    office = anna.errand.office()
    assert any(f"--sent {slate.label}' says that" in hindrance(office, slate) for slate in office.slates())
    postal.carried(world.game, 4, world.anna, world.boris)
    boris_moves(world, 5, world.anna.address)
    anna.post()
    world.anna.sign(world.game)
    world.office.mails.clear()
    anna.post()
    sent = {to for _at, sender, to, raw in world.office.mails if sender == world.anna.address and b"-0006" in raw}
    assert sent == {world.boris.address, world.ref.address}


@pytest.mark.parametrize(
    ("ends", "state"),
    [
        ("exit 67", "refused"),
        ("exit 68", "later"),
        ("exit 69", "later"),
        ("exit 74", "later"),
        ("kill $$", "doubt"),
        (SAID_NO, "refused"),
    ],
)
def test_what_a_sendmail_program_says_of_a_line_that_broke_is_no_refusal(tmp_path, ends, state):
    """All but 75 counted as refused for good: the program of a laptop without a network says 68 or 74."""
    script = tmp_path / "send"
    script.write_text(f"#!/bin/sh\ncat > /dev/null\n{ends}\n")
    script.chmod(0o755)
    assert Command((str(script),)).send(b"Subject: x\r\n\r\n", "a@x.test", "b@x.test").state == state


@pytest.mark.parametrize(("words", "given_up"), [("server message: 450 full", True), ("cannot connect", False)])
def test_a_sendmail_program_without_a_network_uses_up_no_time(directed, monkeypatch, words, given_up):
    """A laptop that was away for three days found its letters given up, though no server had been asked."""
    world, anna = directed, directed.member["anna"]
    anna_has_signed(world)
    said = Answer(smtp.LATER, 75, words, reached=given_up)
    monkeypatch.setattr(Line, "send", lambda *_: said)
    for _round in range(20):
        anna.errand.take()
        steps = [delivery.told(step)[0] for step in anna.errand.send()]
        world.time.passes(5 * HOURS)
    assert any("given up after three days" in step for step in steps) is given_up
