"""A player's letters reach the referee, even if the copy for the other player fails."""

import pytest
from helpers.mails import attached
from helpers.mails import letter as plain_letter

from kursk_pbem.post.wire.smtp import Command
from post.refereed_mail import deliver_message, played_on
from post.returned import report

SAID_NO = "echo 'msmtp: server message: 554 5.7.1 no' >&2; exit 69"


def rounds(world):
    """Run a day of rounds for Anna and the director."""
    for _half_a_day in range(2):
        world.member["anna"].post()
        world.time.passes(12 * 3600)
        world.director.post()


def message_id(raw):
    return raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode()


def test_a_turn_goes_to_the_referee_although_the_other_player_is_not_reached(directed):
    """Bug: after one bounce from the opponent no turn was sent, and the game was lost."""
    world, anna = directed, directed.member["anna"]
    played_on(world)
    world.office.mails.clear()
    anna.post()
    [mine] = {raw for _at, sender, _to, raw in world.office.mails if sender == world.anna.address}
    world.office.put(report(message_id(mine), world.boris.address), world.anna.address)
    world.time.passes(60)
    anna.post()
    deliver_message(world, world.boris, 3)
    world.time.passes(3 * 3600)
    anna.post()
    world.anna.sign(world.game)
    rounds(world)
    assert (world.folder / "receipt-0004.yaml").exists()
    world.anna.kursk("people", "add", "boris", world.boris.address, "-q")
    world.office.mails.clear()
    anna.post()
    assert world.boris.address in {to for _at, sender, to, _raw in world.office.mails if sender == world.anna.address}


@pytest.mark.parametrize(
    ("ends", "state"), [("exit 67", "refused"), ("exit 68", "later"), ("kill $$", "doubt"), (SAID_NO, "refused")]
)
def test_what_a_sendmail_program_says_of_a_line_that_broke_is_no_refusal(tmp_path, ends, state):
    """Bug: every status except 75 was a final refusal. A laptop without a network reports 68 or 74."""
    script = tmp_path / "send"
    script.write_text(f"#!/bin/sh\ncat > /dev/null\n{ends}\n")
    script.chmod(0o755)
    assert Command((str(script),)).send(b"Subject: x\r\n\r\n", "a@x.test", "b@x.test").state == state


@pytest.mark.parametrize(
    ("reader", "sender", "named"),
    [("anna", "ref", 1), ("anna", "BORIS", 1), ("ref", "Boris", 1), ("ref", "anna", 0), ("boris", "ref", 0)],
)
def test_R1_an_unreadable_mail_of_a_person_who_owes_is_named(world, reader, sender, named):
    """A relaying referee brings the owed message; a referee waits for it, too. Case does not matter in an address."""
    member, mails = world.member[reader], [plain_letter("I am ill.\n"), plain_letter("Here it comes.\n")]
    attached(mails[1], b"7z\xbc\xaf\x27\x1c" + bytes(40), name="turn.7z")
    for mail in mails:
        mail.replace_header("From", f"{sender}@example.test")
        world.office.put(mail.as_bytes(), member.address)
    day = member.post()
    assert len([fault for fault in day.faults if "the file 'turn.7z' is a 7-Zip archive" in str(fault)]) == named
    asked = reader == "ref"  # a referee reads questions
    assert len([line for line in day.done if "the mail from" in line]) == (0 if asked else named)
    assert (day.talk, day.status) == (1 if asked else 2, 2 * named)
