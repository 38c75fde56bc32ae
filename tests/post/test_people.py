"""People: who is reached where, and who says so. An address never decides who wrote."""

import json
from dataclasses import replace

import pytest
from helpers import postal
from helpers.mailbags import box, letter, taken

from kursk_pbem.cli.mail import finding
from kursk_pbem.desk import begin
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import in_header
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import card, people, place, store
from kursk_pbem.trust import keys, slip

GOOD = ["boris@example.org", "b.o-r+i_s@mail.example.org", "x@localhost", "!#$%&'*+/=^_`{|}~-?@a.b"]
BAD = [
    "",
    "boris",
    "@example.org",
    "boris@",
    "a b@example.org",
    "boris@example.org\nBcc: m@x.org",
    "boris@exa mple.org",
    "boris@-x.org",
    "boris@x-.org",
    ".b@x.org",
    "b..c@x.org",
    '"b"@x.org',
    "b@[127.0.0.1]",
    "b@x.org,c@x.org",
    "Boris <b@x.org>",
    "\u0431@x.org",
    "b@\u0431.org",
    "b@x.org\r",
    "=?utf-8?q?x?=@x.org",
    "x" * 65 + "@x.org",
    "b@" + "x." * 130 + "org",
]


@pytest.mark.parametrize("text", GOOD)
def test_an_address_is_taken(text):
    assert addresses.check(text) == text


@pytest.mark.parametrize("text", BAD)
def test_T46_what_is_no_address_is_refused(text):
    with pytest.raises(UsageError):
        addresses.check(text)


def test_T46_a_message_id_is_one_word_between_brackets():
    assert addresses.is_message_id("<k1.0a.0@example.org>")
    assert addresses.is_message_id("<AM0PR01MB-1=x[1]@host.local>")
    for text in (
        "",
        "<a b@c>",
        "<a@b>\nBcc: x@y",
        "a@b",
        "<a@b",
        "<a@b> <c@d>",
        "<=?utf-8?q?=0A?=@x>",
        f"<{'a' * 300}>",
    ):
        assert not addresses.is_message_id(text), text


def test_words_for_a_header_are_one_plain_line():
    assert in_header("Citadel,\r\nBcc: x@y \u0431=?utf-8?", 60) == "Citadel, Bcc: x y ?utf-8?"
    assert in_header("a" * 50, 20) == "a" * 17 + "..."


@pytest.fixture
def signer():
    return keys.from_seed(b"b" * 32)


@pytest.fixture
def anna_alone(friends):
    (anna,) = friends("anna")
    anna.kursk("people", "card", "a@x.org", "--no", "-q")
    return anna


@pytest.fixture
def boris(signer):
    return people.Person(signer.public, "Boris")


def test_a_person_comes_back_as_they_were_saved(tmp_path, boris):
    saved = people.save(
        tmp_path, boris.put("b@x.org", people.SAID, "as you said").put("c@x.org", people.SEEN, "a turn")
    )
    assert people.known(tmp_path, boris.key) == saved
    assert saved.reached == "b@x.org"
    assert [entry.text for entry in saved.asked] == ["c@x.org"]
    people.forget(tmp_path, saved, "B@x.org")
    assert people.known(tmp_path, boris.key).known_at == {"c@x.org"}


def test_an_address_that_was_only_seen_or_carded_is_not_used(boris):
    assert boris.put("b@x.org", people.SEEN, "").put("c@x.org", people.CARDED, "").reached == ""


def test_an_address_that_a_letter_came_back_from_is_not_used_before_it_is_said_anew(tmp_path, boris):
    """An older one was given up; who was merely asked about is not told of. A card does not lift that."""
    carla = people.Person(keys.from_seed(b"c" * 32).public, "Carla").put("b@x.org", people.CARDED, "a card")
    boris = boris.put("old@x.org", people.SAID, "said").put("b@x.org", people.SAID, "said")
    people.save(tmp_path, carla)
    people.save(tmp_path, boris)
    assert [person.key for person in people.stop(tmp_path, "B@x.org")] == [boris.key]
    assert people.stop(tmp_path, "b@x.org") == []
    stopped = people.known(tmp_path, boris.key)
    assert stopped.reached == ""
    assert people.known(tmp_path, carla.key).asked[0].told == "a card, but a letter came back from there"
    assert people.save(tmp_path, stopped.put("b@x.org", people.SAID, "said")).reached == "b@x.org"


def test_where_somebody_else_is_reached_nobody_seems_to_be(tmp_path, boris):
    """They sent on a turn: an opponent, or this desk itself. Where one is reached that was seen of another goes."""
    anna = keys.from_seed(b"a" * 32).public
    card.say(tmp_path, "own@x.org", cards=False)
    people.save(tmp_path, boris.put("b@x.org", people.SAID, "said"))
    for text in ("B@x.org", "own@x.org", ""):
        assert people.noticed(tmp_path, anna, text, "a turn").addresses == ()
    assert people.noticed(tmp_path, anna, "c@x.org", "a turn", "Anna").state_of("c@x.org") == people.SEEN
    people.save(tmp_path, boris.put("c@x.org", people.SAID, "said"))
    assert people.known(tmp_path, anna).addresses == ()


def test_a_newer_address_is_asked_about_and_told_with_what_to_type(boris):
    boris = boris.put("b@x.org", people.SAID, "said").put("n@x.org", people.CARDED, "a card of theirs names it")
    told = boris.put("s@x.org", people.SEEN, "message 2 came from there").question("Boris")
    assert told.startswith("Boris may be at n@x.org: a card of theirs names it, or at s@x.org")
    assert "'kursk people confirm Boris n@x.org' says yes" in told
    odd = people.Person(boris.key, "Boris").put("$(id)@x.org", people.SEEN, "a turn")
    assert "'kursk people confirm Boris ADDRESS'" in odd.question("Boris")


def test_a_damaged_store_is_one_clear_error(anna_alone, capsys):
    store.path_of(anna_alone.home).write_bytes(b"x" * 4096)
    anna_alone.kursk("people", status=2)
    told = capsys.readouterr().err
    assert "is damaged" in told
    assert "'kursk post rebuild' makes a new one" in told


def mailed(writer, reader, text, serial=1, forged=b""):
    """A mail with a card of somebody for a reader's key; ``forged``: the address that stands there instead."""
    made = slip.emit(slip.card(reader.public, text, serial, keys.load(writer.key))).encode("ascii")
    return letter(made.replace(text.encode("ascii"), forged) if forged else made, writer.address)


def test_T43_a_card_is_taken_down_and_not_used_before_it_is_confirmed(pair, tmp_path):
    """Of several the highest serial counts: whoever kept a card cannot bring an old address back."""
    anna, boris, _game = pair
    mails = [mailed(boris, anna, f"{number:02d}@x.org", number) for number in (1, 3, 2)]
    told = str(taken(anna, box(tmp_path, mails)).cards)
    assert "'kursk people confirm Boris 03@x.org' says yes" in told
    assert "a card of 'Boris' that names 02@x.org is left: its number is 2, and number 3 has come" in told
    taken(anna, box(anna.place, mails[:1]))
    person = people.known(anna.home, boris.public)
    assert (person.reached, [entry.text for entry in person.asked]) == ("", ["03@x.org"])
    anna.kursk("people", "confirm", "boris", "--yes")
    assert people.known(anna.home, boris.public).reached == "03@x.org"


@pytest.mark.parametrize("wrong", ["of a stranger", "for another", "forged"])
def test_T42_a_card_of_a_stranger_for_another_key_or_forged_puts_nothing_down(pair, tmp_path, wrong):
    anna, boris, _game = pair
    carla = postal.friends(tmp_path, "carla")[0]
    writer, reader = carla if wrong == "of a stranger" else boris, carla if wrong == "for another" else anna
    mail = mailed(writer, reader, "old@x.org", forged=b"bad@x.org" if wrong == "forged" else b"")
    assert "reached at" not in str(taken(anna, box(tmp_path, [mail])).cards)
    assert people.stored(anna.home) == []


def test_one_s_own_address_gets_a_new_serial_when_it_changes(tmp_path, signer, boris):
    assert card.say(tmp_path, "a@x.org", cards=True).serial == 1
    assert card.say(tmp_path, "a@x.org", cards=True).serial == 1
    first = card.made(tmp_path, boris, signer)
    assert slip.emit(card.made(tmp_path, boris, signer)) == slip.emit(first)
    assert card.due(tmp_path, boris)
    card.sent(tmp_path, boris)
    assert not card.due(tmp_path, boris)
    assert card.say(tmp_path, "b@x.org", cards=True).serial == 2
    assert card.due(tmp_path, boris)
    assert not card.due(tmp_path, boris) or card.say(tmp_path, "", cards=False) == card.Own("b@x.org", False, 2)
    assert not card.due(tmp_path, boris)


def test_people_are_those_of_the_games_and_those_who_were_added(pair, capsys):
    anna, boris, game = pair
    anna.kursk("people")
    out = capsys.readouterr().out
    assert f"Boris: {people.Person(boris.public).fingerprint}, in {game[:8]}" in out
    assert "no address: 'kursk people add Boris ADDRESS'" in out
    assert people.Person(anna.public).fingerprint not in out
    anna.kursk("people", "add", "bor", boris.address)
    anna.kursk("people", "add", "Carla", "carla@example.test", "--key", boris.place / "me.pub", status=0)
    capsys.readouterr()
    anna.kursk("people", "--json")
    (row,) = json.loads(capsys.readouterr().out)["people"]
    assert [entry["text"] for entry in row["addresses"]] == [boris.address, "carla@example.test"]
    anna.kursk("people", "forget", "carla", "carla@example.test")
    anna.kursk("people", "add", "nobody", "x@example.test", status=2)
    anna.kursk("people", "add", "bor", "no address", status=2)
    assert "nobody is called so" in capsys.readouterr().err


def test_a_name_that_several_have_is_asked_back(friends, capsys):
    anna, boris, borja = friends("anna", "boris", "borja")
    for other in (boris, borja):
        postal.began(anna, other)
    anna.kursk("people", "add", "bor", "x@example.test", status=2)
    err = capsys.readouterr().err
    assert "several people may be meant" in err
    anna.kursk("people", "add", people.Person(borja.public).fingerprint, borja.address)
    assert people.known(anna.home, borja.public).reached == borja.address


def test_T29_a_name_that_an_opponent_chose_has_no_line_of_its_own(friends, capsys, tmp_path):
    """Message 0 said it in three: 'kursk people' and 'kursk outbox' showed an address that nobody had said."""
    anna, boris = friends("anna", "boris")
    evil = "Anna: SHA256:x\n  anna@evil.test (as you said)\nCarla"
    said = begin.Proposal("hex-toy/fords", "amber", boris.public, {"amber": evil, "blue": "Boris"}, {}, "")
    desk = begin.propose(said, anna.key, anna.place, anna.home)
    game = desk.game.chain.game
    boris.kursk("accept", desk.newest, "--key", boris.key)
    boris.sign(game)
    (path,) = boris.home.glob("**/game.json")
    for _record in ("of now", "of old"):
        capsys.readouterr()
        boris.kursk("people")
        boris.kursk("outbox")
        lines = capsys.readouterr().out.splitlines()
        assert any(line.startswith(" ".join(evil.split())) for line in lines)
        assert not any(line.startswith(("Carla", "  anna@evil")) for line in lines)
        path.write_text(json.dumps(json.loads(path.read_text()) | {"opponent": evil}))


def test_two_programs_do_not_change_the_post_at_once(tmp_path, capsys):
    with place.locked(tmp_path), pytest.raises(UsageError, match="another kursk"), place.locked(tmp_path):
        pass
    with place.locked(tmp_path):
        pass


@pytest.mark.parametrize("name", ["x'; rm -rf ~; '", "$(id)", "`id`", "Anna Lena", ""])
def test_what_we_tell_somebody_to_type_holds_no_name_that_a_shell_would_read(boris, name):
    assert replace(boris, name="Anna-2").typed == "Anna-2"
    assert replace(boris, name=name).typed == boris.fingerprint
    assert finding.find([replace(boris, name=name)], boris.fingerprint).key == boris.key


def test_T43_no_number_of_cards_takes_the_address_that_was_said(boris):
    """Whoever is not reached any more gets no reminder, and then no term of theirs ends a game by itself."""
    boris = boris.put("b@x.org", people.SAID, "as you said")
    for number in range(40):
        boris = boris.put(f"b{number}@example.test", people.CARDED, "a card")
    assert boris.reached == "b@x.org"
    assert boris.state_of("b39@example.test") == people.CARDED
    assert len(boris.addresses) == 20


@pytest.mark.parametrize("means", ["address", "fingerprint", "digits"])
def test_whose_name_is_the_address_or_fingerprint_of_another_is_not_taken_for_them(friends, means):
    """What is typed to let letters go somewhere went to the file of whoever was called so."""
    boris, mallory = (people.Person(one.public, one.name) for one in friends("boris", "mallory"))
    boris = boris.put("boris@example.test", people.SAID, "said")
    digits = boris.fingerprint.removeprefix("SHA256:")[:12]
    typed = {"address": "boris@example.test", "fingerprint": boris.fingerprint, "digits": digits}[means]
    assert finding.find([boris, mallory], typed) is boris
    mallory = replace(mallory, name=typed)
    if means == "fingerprint":
        assert finding.find([boris, mallory], typed) is boris
    else:
        with pytest.raises(UsageError, match="several people may be meant"):
            finding.find([boris, mallory], typed)
