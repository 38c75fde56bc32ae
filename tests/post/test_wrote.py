"""Whoever writes has not fallen silent: no game ends by itself over what a person wrote (decision 73)."""

import re
import shutil
from datetime import timedelta
from email.message import EmailMessage

import pytest
from helpers import postal
from helpers.mailbags import by_desk, letter, turn
from helpers.refereed_mail import (
    ahead_of_referee,
    closing,
    comes,
    damages,
    ends_by_itself,
    owes_in_two,
    played_on,
    waits_for_a_reader,
)

from kursk_pbem.post import errand, people, place
from kursk_pbem.post.referee import wrote

QUOTE = "On Tue, 1 Sep 2026 at 9:00 the referee\n<ref@example.test> wrote:\n> Your message 3 is due.\n"


def writes(world, words, sender="boris@example.test", subject="hello", files=(), **fields):
    """Somebody writes to the referee; the day on which that is read."""
    made = EmailMessage()
    made["From"], made["Subject"], made["Message-ID"] = sender, subject, f"<{len(words)}@example.test>"
    for name, value in fields.items():
        made[name.replace("_", "-")] = value
    made.set_content(words)
    for name, content in files:
        made.add_attachment(content, "application", "octet-stream", filename=name)
    world.office.put(made.as_bytes(), world.ref.address)
    return world.director.post()


def owes(world):
    """Boris owes message 3."""
    played_on(world)
    return world


def both_move(world):
    """Messages 3 and 4 come: Boris owes message 5."""
    comes(world, world.boris, 3)
    postal.carried(world.game, 3, world.boris, world.anna)
    world.time.passes(60)
    comes(world, world.anna, 4)


@pytest.mark.parametrize(
    "words",
    [
        "I am ill, please wait.\n",
        "",
        f"Orders: panzers go to 1911.\n\n{QUOTE}",
        "STATUS\n\nI am ill\n",
        "HELP me please\n",
    ],
    ids=["words", "nothing", "orders in words", "a command and words", "no command"],
)
def test_T48_whoever_owes_a_message_and_writes_loses_no_game_unread(automatic, words):
    """A reply to the reminder in words counted as silence; so would a turn in a form that no program knows."""
    writes(owes(automatic), words)
    assert not ends_by_itself(automatic)
    assert "read that before you end the game" in str(automatic.director.errand.chair.pending())


def test_2_12_what_the_program_of_a_player_answers_by_itself_holds_no_game(automatic):
    writes(owes(automatic), "I am away.\n", Auto_Submitted="auto-replied")
    assert ends_by_itself(automatic)


def test_2_12_the_same_letter_of_a_desk_once_more_holds_no_game(automatic):
    """A server delivers it twice, with other lines above it."""
    raw = letter(turn(owes(automatic).boris, automatic.game, 1), "boris@example.test")
    automatic.office.put(by_desk(raw, automatic.anna, automatic.ref), automatic.ref.address)
    automatic.director.post()
    assert ends_by_itself(automatic)


def test_2_12_a_turn_that_is_here_and_comes_by_hand_is_read_by_a_person(automatic):
    """Whoever answers a reminder with the wrong file has not fallen silent."""
    automatic.office.put(letter(turn(owes(automatic).boris, automatic.game, 1)), automatic.ref.address)
    automatic.director.post()
    assert not ends_by_itself(automatic)


def test_2_12_what_others_write_holds_no_game_of_whom_they_do_not_play(automatic):
    """Nor does it if an opponent asks about the game."""
    game = owes(automatic).game
    for subject in ("hello", f"[kursk {game[:8]}] is he late?"):
        writes(automatic, f"Well, {subject}\n", "anna@example.test", subject)
    writes(automatic, "Buy now!\n", "shop@example.test")
    assert ends_by_itself(automatic)


def test_T48_words_about_the_game_from_an_unknown_address_are_read_by_a_person(automatic):
    writes(owes(automatic), "It does not work here\n", "me@new.test", f"Re: [kursk {automatic.game[:8]}] message 2")
    assert not ends_by_itself(automatic)


def test_2_12_what_was_written_before_the_last_message_holds_nothing(automatic):
    """It was about what has been played since."""
    world = automatic
    played_on(world)
    writes(world, "A hard one!\n")
    world.time.passes(3600)
    both_move(world)
    assert ends_by_itself(world)


def test_T48_it_counts_though_it_came_before_what_it_answers(automatic):
    """The opponent's letter to the referee took longer than the one to the player."""
    world = automatic
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 1)), world.ref.address)
    world.director.post()
    postal.carried(world.game, 1, world.boris, world.anna)
    world.time.passes(60)
    writes(world, "My orders\n")
    world.time.passes(60)
    comes(world, world.anna, 2)
    assert not ends_by_itself(world)


@pytest.mark.parametrize("desk", [True, False])
def test_T48_a_turn_of_another_game_that_comes_by_hand_may_have_words_about_this_one_beside_it(automatic, desk):
    """What was written beside it was dropped: the other turn in letters that stand for others, or 'I am ill'."""
    world = automatic
    other = owes_in_two(world)
    raw = letter(turn(world.boris, world.game, 3))
    world.office.put(by_desk(raw, world.ref, world.anna) if desk else raw, world.ref.address)
    world.director.post()
    ends_by_itself(world)
    assert (world.ref.folder(other) / "forfeit.yaml").exists() == desk


def test_2_12_what_stands_beside_a_turn_is_no_word_about_the_next_one(automatic):
    world = owes(automatic)
    both_move(world)
    assert ends_by_itself(world)


def test_2_12_where_nobody_has_written_nobody_has_since_a_time_that_is_not_known(automatic):
    """A referee began to keep time in the middle of a game: no note and no time were both nothing."""
    world = owes(automatic)
    (world.folder / "receipt-0001.yaml").unlink()
    shutil.rmtree(place.root(world.ref.home) / "came")
    seat = next(iter(world.director.errand.chair.seats()))
    assert not list(wrote.doubts(world.ref.home, seat, "2026-09-01T00:00:00Z"))


def test_T48_words_hold_the_other_game_of_their_writer_too(automatic):
    """They say which they mean only if they like."""
    world = automatic
    other = owes_in_two(world)
    writes(world, "Wait, please\n", subject=f"[kursk {world.game[:8]}] late")
    assert not ends_by_itself(world)
    assert not closing(world.ref.home, world.ref.folder(other))


@pytest.mark.parametrize("which", ["people", "note"])
def test_T48_where_files_of_the_mailbox_are_damaged_nobody_is_taken_for_silent(automatic, which):
    world = owes(automatic)
    root = place.root(world.ref.home)
    if which == "people":
        (file,) = (path for path in (root / "people").glob("*.json") if b"boris" in path.read_bytes())
        before = file.read_bytes()
        damages(file)
        writes(world, "Please wait\n")
        damages(file, before)
    else:
        writes(world, "Please wait\n")
        for path in (root / "referee" / "wrote").iterdir():
            damages(path)
    assert not ends_by_itself(world)


def test_2_12_whoever_ends_a_game_by_hand_is_told_that_the_late_side_has_written(automatic):
    world = owes(automatic)
    assert not list(errand.against(world.ref.home, world.folder, world.ref.desk(world.game).game))
    writes(world, "Please wait\n")
    (told,) = errand.against(world.ref.home, world.folder, world.ref.desk(world.game).game)
    assert "read that before you end the game" in told


def without_number(world, number, instead):
    """Boris's desk mails message 3, with message 0 in case it was lost; a server leaves but one of the two."""
    owes(world).boris.sign(world.game)
    before = len(world.office.mails)
    world.member["boris"].post()
    (raw,) = (raw for _at, _sender, reader, raw in world.office.mails[before:] if reader == world.ref.address)
    world.office.boxes.clear()
    boundary, *parts = re.split(rb"(?m)^(?=--=_kursk)", raw)
    name, line = b"-%04d.yaml" % number, parts[0].partition(b"\r\n")[0]
    left = [part if name not in part else b"%b\r\n\r\n%b\r\n" % (line, instead) if instead else b"" for part in parts]
    return boundary + b"".join(left)


@pytest.mark.parametrize("instead", [b"", b"A file was removed.", b"Removed: kursk-1a2b3c4d-0003.yaml"])
def test_T48_a_letter_of_a_desk_without_what_its_subject_names_ends_no_game(automatic, instead):
    """What had gone with the turn was left, so that the letter seemed to be whole, and nobody was told."""
    raw = without_number(automatic, 3, instead)
    automatic.office.put(raw, automatic.ref.address)
    (told,) = automatic.director.post().faults
    assert "lost something on its way" in str(told)
    assert not ends_by_itself(automatic)


def test_T48_words_from_an_address_that_was_forgotten_since_end_no_game(automatic):
    """A newer card takes the place of an older one, whose address was known as that of the player when they wrote."""
    world = owes(automatic)
    boris = people.known(world.ref.home, world.boris.public)
    people.save(world.ref.home, boris.put("other@example.test", people.CARDED, "a card"))
    writes(world, "Please wait\n", "other@example.test")
    people.save(world.ref.home, boris)
    assert not ends_by_itself(world)


def test_T48_words_about_a_game_whose_folder_is_away_are_read_by_a_person(automatic):
    """Nobody looked for its number then."""
    world = owes(automatic)
    (world.ref.place / "0000.yaml").unlink()
    away = world.folder.rename(world.ref.place.parent / "elsewhere")
    writes(world, "It does not work here\n", "me@new.test", f"Re: [kursk {world.game[:8]}] message 2")
    away.rename(world.folder)
    assert not ends_by_itself(world)
    assert "read that before you end the game" in str(world.director.errand.chair.pending())


@pytest.mark.parametrize("note", [b"", b"x"], ids=["whole", "damaged"])
def test_T48_what_is_new_and_comes_later_in_the_name_of_the_writer_hides_no_words(automatic, note):
    """Their opponent has a message that they signed ahead, and mails it: its note took the place of the words'."""
    world = owes(automatic)
    ahead_of_referee(world)
    world.boris.sign(world.game)
    writes(world, "My turn is on my web page\n")
    for path in (place.root(world.ref.home) / "referee" / "wrote").iterdir() if note else ():
        damages(path, note)
    world.time.passes(3600)
    world.office.put(letter(turn(world.boris, world.game, 5), "boris@example.test"), world.ref.address)
    world.director.post()
    assert not ends_by_itself(world)


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize("field", ["Reply-To", "Sender", "Return-Path"])
def test_T48_a_turn_of_the_opponent_that_names_the_writer_hides_no_words(automatic, field, words):
    world = automatic
    world.boris.sign(world.game)
    world.office.put(letter(turn(world.boris, world.game, 1)), world.ref.address)
    world.director.post()
    postal.carried(world.game, 1, world.boris, world.anna)
    world.time.passes(3600)
    if words:
        writes(world, "I am ill, please give me two weeks\n")
    world.time.passes(3600)
    world.anna.sign(world.game)
    raw = letter(turn(world.anna, world.game, 2), "anna@example.test")
    world.office.put(field.encode() + b": boris@example.test\n" + raw, world.ref.address)
    world.director.post()
    postal.carried(world.game, 2, world.anna, world.boris)
    world.time.passes(60)
    assert ends_by_itself(world) == (not words)


@pytest.mark.parametrize(
    "files", [{}, {"kursk-{}-0003.yaml": b"\x01 removed"}, {"0003.yaml": b"\x01"}], ids=["words", "named", "numbered"]
)
def test_T48_a_turn_with_a_number_still_to_come_hides_nothing_that_stands_beside_it(automatic, files):
    """It is signed at any time, upon nothing, and counted as something new."""
    world = owes(automatic)
    ahead_of_referee(world)
    world.boris.sign(world.game)
    named = [(name.format(world.game[:8]), content) for name, content in files.items()]
    writes(world, "Here is 5, and 3.\n", files=[*named, ("turn.yaml", turn(world.boris, world.game, 5))])
    assert not ends_by_itself(world)


def test_T52_words_count_that_are_read_after_the_clock_was_set_back_by_a_minute(automatic):
    """It is believed then, and they seemed to have come before the message that they stood behind."""
    world = automatic
    comes(world, world.boris, 1)
    postal.carried(world.game, 1, world.boris, world.anna)
    world.time.now -= timedelta(seconds=100)
    writes(world, "I am ill from tomorrow, please wait\n")
    world.time.passes(3600)
    comes(world, world.anna, 2)
    postal.carried(world.game, 2, world.anna, world.boris)
    assert waits_for_a_reader(world)


@pytest.mark.parametrize(("when", "sender"), [("", "new"), ("with", "new"), ("behind", "new"), ("with", "example")])
def test_2_12_words_from_where_a_message_came_that_waits_are_read(automatic, when, sender):
    """Its address was not known before it was taken, and they counted for nothing."""
    world, address = automatic, f"boris@{sender}.test"
    comes(world, world.boris, 1)
    postal.carried(world.game, 1, world.boris, world.anna)
    for who, other, seq in ((world.anna, world.boris, 2), (world.boris, world.anna, 3)):
        who.sign(world.game)
        postal.carried(world.game, seq, who, other)
    world.office.put(letter(turn(world.boris, world.game, 3), address), world.ref.address)
    for moment in ("with", "behind"):
        if moment == when:
            writes(world, "I go to hospital, please wait\n", address)
        world.director.post()
        world.time.passes(600)
    comes(world, world.anna, 2)
    world.ref.kursk("people", "add", people.known(world.ref.home, world.boris.public).fingerprint, address, "-q")
    world.anna.sign(world.game)
    comes(world, world.anna, 4)
    assert ends_by_itself(world) == (not when)
