"""People and their addresses with sources. An address never identifies a writer."""

import json
from dataclasses import replace

import pytest
from helpers import postal
from helpers.mailbags import box, letter, taken

from kursk_pbem.cli.mail import people as people_commands
from kursk_pbem.errors import UsageError
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import people
from kursk_pbem.trust import card as cards
from kursk_pbem.trust import keys

GOOD = ["boris@example.org", "b.o-r+i_s@mail.example.org", "x@localhost", "!#$%&'*+/=^_`{|}~-?@a.b"]
WRONG_NAMES = ["@example.org", "a b@example.org", ".b@x.org", "b..c@x.org", '"b"@x.org', "x" * 65 + "@x.org"]
WRONG_PLACES = ["", "boris", "boris@", "boris@exa mple.org", "boris@-x.org", "boris@x-.org", "b@[127.0.0.1]"]
TOO_MUCH = ["b@x.org,c@x.org", "Boris <b@x.org>", "b@x.org\r", "b@x.org\nBcc: m@x.org", "b@" + "x." * 130 + "org"]
OTHER_SCRIPTS = ["\u0431@x.org", "b@\u0431.org", "=?utf-8?q?x?=@x.org"]


@pytest.mark.parametrize("text", GOOD)
def test_an_address_is_taken(text):
    assert addresses.check_address(text) == text


@pytest.mark.parametrize("text", [*WRONG_NAMES, *WRONG_PLACES, *TOO_MUCH, *OTHER_SCRIPTS])
def test_T46_what_is_no_address_is_refused(text):
    with pytest.raises(UsageError):
        addresses.check_address(text)


@pytest.fixture
def boris():
    return people.Person(keys.from_seed(b"b" * 32).public, "Boris")


def mailed(writer, reader, text, serial=1, forged=b""):
    """Return a mail with a card for a reader's key; ``forged``: an address to replace the true address."""
    made = cards.emit_card(cards.sign_card(reader.public, text, serial, keys.load_key(writer.key))).encode("ascii")
    return letter(made.replace(text.encode("ascii"), forged) if forged else made, writer.address)


def test_T43_a_card_is_taken_down_and_not_used_before_it_is_confirmed(pair, tmp_path):
    """The card with the highest serial counts, so an old card cannot restore an old address."""
    anna, boris, _game = pair
    mails = [mailed(boris, anna, f"{number:02d}@x.org", number) for number in (1, 3, 2)]
    told = str(taken(anna, box(tmp_path, mails)).cards)
    assert "'kursk people confirm Boris 03@x.org'" in told
    taken(anna, box(anna.place, mails[:1]))
    person = people.person_of(anna.home, boris.public)
    assert (person.reached, [entry.text for entry in person.asked]) == ("", ["03@x.org"])
    anna.kursk("people", "confirm", "boris", "--yes")
    assert people.person_of(anna.home, boris.public).reached == "03@x.org"


@pytest.mark.parametrize("wrong", ["of a stranger", "for another", "forged"])
def test_T42_a_card_of_a_stranger_for_another_key_or_forged_puts_nothing_down(pair, tmp_path, wrong):
    anna, boris, _game = pair
    carla = postal.make_friends(tmp_path, "carla")[0]
    writer, reader = carla if wrong == "of a stranger" else boris, carla if wrong == "for another" else anna
    mail = mailed(writer, reader, "old@x.org", forged=b"bad@x.org" if wrong == "forged" else b"")
    assert "reached at" not in str(taken(anna, box(tmp_path, [mail])).cards)
    assert people.load_people(anna.home) == []


def test_people_are_those_of_the_games_and_those_who_were_added(pair):
    anna, boris, game = pair
    out = anna.kursk("people")
    assert f"Boris: {people.Person(boris.public).fingerprint}, in {game[:8]}" in out
    assert "no address; 'kursk people add Boris ADDRESS'" in out
    assert people.Person(anna.public).fingerprint not in out
    anna.kursk("people", "add", "bor", boris.address)
    anna.kursk("people", "add", "Carla", "carla@example.test", "--key", boris.place / "me.pub", status=0)
    (row,) = json.loads(anna.kursk("people", "--json"))["people"]
    assert [entry["text"] for entry in row["addresses"]] == [boris.address, "carla@example.test"]
    anna.kursk("people", "forget", "carla", "carla@example.test")
    anna.kursk("people", "add", "nobody", "x@example.test", status=2, told="unknown name")
    anna.kursk("people", "add", "bor", "no address", status=2)


def test_a_name_that_several_have_is_asked_back(friends):
    anna, boris, borja = friends("anna", "boris", "borja")
    for other in (boris, borja):
        postal.began(anna, other)
    anna.kursk("people", "add", "bor", "x@example.test", status=2, told="fits several people")
    anna.kursk("people", "add", people.Person(borja.public).fingerprint, borja.address)
    assert people.person_of(anna.home, borja.public).reached == borja.address


@pytest.mark.parametrize("name", ["x'; rm -rf ~; '", "$(id)", "`id`", "Anna Lena", ""])
def test_what_we_tell_somebody_to_type_holds_no_name_that_a_shell_would_read(boris, name):
    assert replace(boris, name="Anna-2").typed == "Anna-2"
    told = boris.put("$(id)@x.org", people.CARDED, "a card").put("b@x.org", people.SEEN, "a turn").question("Boris")
    assert "'kursk people confirm Boris ADDRESS'" in told
    assert replace(boris, name=name).typed == boris.fingerprint
    assert people_commands.find_person([replace(boris, name=name)], boris.fingerprint).key == boris.key
