"""A letter of a desk is whole if its Message-ID follows from what is in it: nobody needs to read that (2.12)."""

import re

import pytest
from helpers import postal
from helpers.mailbags import turn
from helpers.refereed_mail import comes, ends_by_itself, played_on

from kursk_pbem.post import card, people, sorting
from kursk_pbem.post import letter as letters
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.letter import Item, Letter, Reader
from kursk_pbem.post.office import Office

SUBJECTS = {
    "same": lambda said: said,
    "spam": lambda _said: b"[SPAM] suspicious message",
    "cut": lambda said: said[:25] + b"...",
    "none": lambda _said: b"",
    "translated": lambda said: said.replace(b"message", b"Nachricht"),
}


def titled(raw, which):
    """A mail with another subject."""
    return re.sub(rb"(?m)^Subject: (.*?)\r\n(?! )", lambda found: b"Subject: %b\r\n" % SUBJECTS[which](found[1]), raw)


def without(raw, *names):
    """A mail from which a server took these files, with their names."""
    head, *parts = re.split(rb"(?m)^(?=--=_kursk)", raw)
    return head + b"".join(part for part in parts if not any(name in part for name in names))


def third(world):
    """Boris owes message 3; the letter in which his desk mails it, with message 0 in case it was lost, and a card."""
    card.say(world.boris.home, world.boris.address, cards=True)
    played_on(world)
    world.boris.sign(world.game)
    before = len(world.office.mails)
    world.member["boris"].post()
    (raw,) = (raw for _at, _from, reader, raw in world.office.mails[before:] if reader == world.ref.address)
    world.office.boxes.clear()
    return raw


@pytest.mark.parametrize("which", SUBJECTS)
@pytest.mark.parametrize("taken_away", [[b"-0000.yaml"], [b"-card.yaml"], []], ids=["card", "zero", "both"])
def test_T48_a_letter_without_its_turn_ends_no_game_whatever_its_subject_says(automatic, which, taken_away):
    """What was left counted as the letter if a gateway had changed the subject, too: it was told to nobody."""
    raw = third(automatic)
    automatic.office.put(titled(without(raw, b"-0003.yaml", *taken_away), which), automatic.ref.address)
    (told,) = automatic.director.post().faults
    assert "lost something on its way" in str(told)
    assert not ends_by_itself(automatic)


@pytest.mark.parametrize("which", SUBJECTS)
@pytest.mark.parametrize("how", ["once more", "made anew"])
def test_2_12_a_whole_letter_holds_no_game_whatever_its_subject_says(automatic, which, how):
    """A server delivers it late, or twice; one that is made anew has perhaps no card."""
    world = automatic
    raw = third(world)
    world.office.put(raw, world.ref.address)
    world.director.post()
    if how == "made anew":
        world.boris.kursk("people", "card", world.boris.address, "--no", "-q")
        world.member["boris"].sits()
        office = Office(world.boris.home, world.boris.place)
        (slate,) = office.lost(f"{world.game[:8]}/3")
        raw = office.raw(office.again(slate))
    postal.carried(world.game, 3, world.boris, world.anna)
    world.time.passes(60)
    comes(world, world.anna, 4)
    world.time.passes(60)
    world.office.put(b"Received: from b by a; x\r\n" + titled(raw, which), world.ref.address)
    assert world.director.post().faults == []
    assert ends_by_itself(world)


@pytest.mark.parametrize("lost", [None, "%s-0002.yaml", "%s-receipt-0002.yaml"])
@pytest.mark.parametrize("which", ["same", "spam"])
def test_T48_a_player_is_told_of_what_a_letter_of_the_referee_has_lost(automatic, which, lost):
    """It carries the message that its paper is about, in case that was lost, too."""
    world = automatic
    played_on(world)
    mails = (raw for _at, _from, reader, raw in world.office.mails if reader == world.boris.address)
    raw = next(raw for raw in mails if b"-receipt-0002.yaml" in raw)
    world.office.boxes.clear()
    raw = without(raw, (lost % world.game[:8]).encode()) if lost else raw
    world.office.put(titled(raw, which), world.boris.address)
    faults = world.member["boris"].post().faults
    assert ["lost something on its way" in str(fault) for fault in faults] == [True] * (lost is not None)


@pytest.mark.parametrize("thread", ["of a game", "of a tournament", "of nobody"])
@pytest.mark.parametrize("known", [True, False])
def test_2_12_only_what_a_message_id_can_say_is_asked_of_a_letter(pair, thread, known):
    """Those of tournaments rest on their words, and hold games, too; of a game that is not here no keys are known."""
    anna, boris, game = pair
    boris.sign(game)
    about = game if thread == "of a game" else "cd" * 32
    item, reader = Item(letters.MESSAGE, 1, "ab" * 32), Reader(people.mark(anna.public), anna.address)
    made = Letter(about, (item,), (), (reader,), boris.address, "2026-09-01T00:00:00Z", "my turn", "Hello\n")
    raw = letters.render(made, [(item.file(game), turn(boris, game, 1))])
    raw = raw.replace(b"References:", b"X:") if thread == "of nobody" else raw
    read = sorting.read([Mail(raw, "a mail")], keys=lambda: {game: [anna.public, boris.public]} if known else {})
    assert len(read.faults) == (known and thread != "of a tournament")
