"""A letter that was put off goes to no address that is used no more, whoever it is for and whatever it is about."""

import pytest
from helpers.postmen import Line

from kursk_pbem.game import entropy
from kursk_pbem.post.mailbox import card, people
from kursk_pbem.post.wire.smtp import LATER, REFUSED, SENT, Answer
from kursk_pbem.trust import keys

NEW = "new@example.test"


class Servers:
    """What they answer for each address; ``went``: which ones they were asked for."""

    def __init__(self, monkeypatch, **answers):
        self.answers = {f"{who}@example.test": Answer(state, code, "so") for who, (state, code) in answers.items()}
        self.went = []
        monkeypatch.setattr(Line, "send", lambda _line, _raw, _sender, reader: self.asked(reader))

    def asked(self, reader):
        self.went.append(reader)
        return self.answers.get(reader, Answer(SENT, 250, "ok"))

    def goes_to(self, member, time):
        """To whom the letters go that a server takes two hours later."""
        self.went.clear()
        self.answers = {reader: answer for reader, answer in self.answers.items() if answer.state != LATER}
        time.passes(7200)
        member.post()
        return self.went


def stopped(home, _person, address):
    people.stop(home, address)


def said_anew(home, person, _address):
    people.save(home, person.put(NEW, people.SAID, "as you said"))


def forgotten(home, person, _address):
    people.forget(home, person)


BECOMES = [(stopped, []), (said_anew, [NEW]), (forgotten, [])]


@pytest.mark.parametrize(("becomes", "right"), BECOMES)
def test_T60_a_letter_of_a_tournament_goes_to_no_address_that_is_used_no_more(entered, monkeypatch, becomes, right):
    """'Nothing more goes to that address', and what had been put off did; at the old address it counted as sent."""
    servers = Servers(monkeypatch, p01=(LATER, 450), p02=(LATER, 450))
    one, other, home = entered.players["p01"], entered.players["p02"], entered.ref.friend.home
    entered.ref.knows(one, other)
    entered.ref.post()
    assert one.address in servers.went
    becomes(home, people.known(home, one.friend.public), one.address)
    assert sorted({*servers.goes_to(entered.ref, entered.time)}) == sorted([*right, other.address])
    assert servers.goes_to(entered.ref, entered.time) == []


@pytest.mark.parametrize(("becomes", "right"), BECOMES)
def test_T60_nor_does_a_copy_of_one_that_another_reader_was_refused(world, monkeypatch, becomes, right):
    """Only where nobody had refused it a letter followed its reader; so the referee's went to the old address."""
    servers = Servers(monkeypatch, anna=(REFUSED, 550), ref=(LATER, 450))
    boris, home = world.member["boris"], world.boris.home
    world.boris.sign(world.game)
    boris.post()
    assert world.ref.address in servers.went
    becomes(home, people.known(home, world.ref.public), world.ref.address)
    assert set(servers.goes_to(boris, world.time)) - {world.anna.address} == {*right}


def test_a_letter_for_a_key_that_was_changed_and_forgotten_stops_no_other(relayed, capsys):
    """'kursk outbox --eml' and '--sent all' ended with a fault of the program, and named no letter at all."""
    director, player = relayed.ref.friend, relayed.players["p01"].friend
    card.say(director.home, relayed.ref.address, cards=True)
    new = player.place / "new"
    keys.generate(new, entropy.fresh())
    (log,) = player.place.glob("tournament-*/log")
    player.kursk("tournament", "new-key", new, "--in", log.parent, "--yes")
    draft = max(player.home.glob("tournaments/*/letters/new-key*.eml"))
    director.kursk("tournament", "inbox", draft, "--in", relayed.folder)
    for path in director.home.glob("post/people/*.json"):
        path.unlink()
    number = next(entrant.number for entrant in relayed.book().entrants.values() if entrant.key == player.public)
    director.kursk("tournament", "key", number, "--in", relayed.folder)
    capsys.readouterr()
    director.kursk("outbox", "--eml", director.place / "drafts")
    assert capsys.readouterr().out.count("  wrote ") > 1
    director.kursk("outbox", "--sent", "all")
