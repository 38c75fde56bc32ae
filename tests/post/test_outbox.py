"""The outbox contains signed turns without proof of arrival, as drafts or marked by hand."""

import email
import email.policy
import os

import pytest
from helpers import postal
from helpers.postmen import run_in_child

from kursk_pbem.desk.own import desks
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import people, post_folder
from kursk_pbem.post.mailbox.post_folder import lock_post
from kursk_pbem.post.round.outgoing import Outbox
from kursk_pbem.trust import reader


def office(friend, key=None):
    return Outbox(friend.home, friend.place, key)


def letters(friend, key=None):
    return list(office(friend, key).list_letters())


def knows(friend, *others):
    for other in others:
        person = people.person_of(friend.home, other.public)
        people.save_person(
            friend.home, people.Person(other.public, other.name, person.addresses).put(other.address, people.SAID, "")
        )


def parsed(path):
    return email.message_from_bytes(path.read_bytes(), policy=email.policy.default)


def test_what_is_signed_is_to_be_mailed_until_its_answer_is_here(pair):
    anna, boris, game = pair
    (entry,) = letters(anna)  # her proposal: Boris has the mail, but her desk has no proof
    assert (entry.letter.seq, entry.label) == (0, f"{game[:8]}/0")
    assert letters(boris) == []
    boris.sign(game)
    (entry,) = letters(boris)
    assert entry.letter.seq == 1
    postal.carried(game, 1, boris, anna)
    assert letters(anna) == []
    anna.sign(game)
    assert [found.letter.seq for found in letters(anna)] == [2]
    assert [found.letter.seq for found in letters(boris)] == [1]
    postal.carried(game, 2, anna, boris)
    assert letters(boris) == []


def test_a_letter_tells_in_words_what_happened_and_what_to_do(pair, tmp_path):
    anna, boris, game = pair
    boris.sign(game)
    knows(boris, anna)
    (entry,) = letters(boris)
    made = parsed(office(boris).draft(entry, tmp_path / "drafts"))
    assert made["To"] == anna.address
    assert made["Subject"].startswith(f"[kursk {game[:8]}] ")
    assert made["Subject"].endswith(("Your answer, please", "Your orders, please"))
    text = made.get_body().get_content()
    assert f"game {game[:8]}" in text
    assert "You write message 2: " in text
    assert "you play Amber against Boris (Violet)." in " ".join(text.split())
    assert "    kursk post" in text.splitlines()
    assert all(len(line) <= 72 for line in text.splitlines())
    (attached,) = made.iter_attachments()
    assert attached.get_filename() == f"kursk-{game[:8]}-0001.yaml"
    assert attached.get_content_type() == "application/yaml"
    assert attached.get_content() == folders.message_path(boris.folder(game), 1).read_bytes()


def test_a_letter_is_named_by_game_number_and_reader(pair):
    _anna, boris, game = pair
    boris.sign(game)
    for label in (game[:8], game[:4], f"{game[:8]}/1", f"game-{game[:16]}/0001", f"{game[:8]}/1/an", "all"):
        assert len(office(boris).choose_letters(label)) == 1, label
    for label in ("", "1", game[:3], f"{game[:8]}/2", f"{game[:8]}/1/x", "../..", f"{'0' * 8}/1"):
        with pytest.raises(UsageError, match="kursk outbox"):
            office(boris).choose_letters(label)


def test_the_first_letter_to_somebody_holds_a_card_and_no_other_does(pair, tmp_path):
    anna, boris, game = pair
    boris.kursk("people", "card", boris.address, "--yes")
    boris.sign(game)
    (entry,) = letters(boris)
    draft = office(boris).draft(entry, tmp_path)
    survey = reader.read_thing(draft.read_bytes(), "mail")
    ((slip,), _message) = survey.cards, survey.turns
    assert (slip.text("address"), slip.text("for"), slip.text("key")) == (boris.address, anna.public, boris.public)
    boris.kursk("outbox", "--sent", "all")
    postal.carried(game, 1, boris, anna)
    anna.sign(game)
    postal.carried(game, 2, anna, boris)
    boris.sign(game)
    (entry,) = letters(boris)
    assert entry.letter.cards == ()
    boris.kursk("people", "card", "boris@new.example.test", "--yes")
    (entry,) = letters(boris)
    assert (entry.letter.cards, entry.letter.sender) == ((people.mark_of(anna.public),), "boris@new.example.test")


def test_T57_no_letter_holds_anything_hidden(german_sealed, tmp_path):
    friend, game = german_sealed
    (entry,) = letters(friend)
    raw = office(friend).draft(entry, tmp_path).read_bytes()
    raw += b"".join(part.get_payload(decode=True) or b"" for part in email.message_from_bytes(raw).walk())
    desk = desks.open_desk(friend.folder(game), friend.home)
    slot = desk.own.read_slot(entry.letter.seq)
    assert slot.seals
    for seal in slot.seals.values():
        assert seal["salt"].encode() not in raw
    assert desk.own.secret.hex().encode() not in raw
    assert str(friend.home).encode() not in raw


@pytest.fixture
def german_sealed(friends):
    """Return a game whose newest message seals a choice."""
    anna, boris = friends("anna", "boris")
    game = postal.began(anna, boris, scenario="battle-for-kursk/citadel")
    boris.sign(game)
    return boris, game


def test_T59_the_post_folder_is_for_its_owner_alone(pair):
    anna, boris, game = pair
    knows(boris, anna)
    boris.sign(game)
    boris.kursk("outbox", "--sent", "all")
    for path in post_folder.locate(boris.home).rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path
    for path in boris.folder(game).iterdir():
        assert anna.address not in path.read_text("utf-8"), path


def test_one_program_at_a_time_changes_the_post_and_a_dead_one_locks_nothing(friends):
    (anna,) = friends("anna")
    anna.home.mkdir(exist_ok=True)
    with lock_post(anna.home), pytest.raises(UsageError, match="works on the mail"), lock_post(anna.home):
        raise AssertionError("two programs at once")

    def dies():
        with lock_post(anna.home):
            os._exit(7)

    assert run_in_child(dies) == 7
    with lock_post(anna.home):
        pass


def test_a_letter_is_a_link_that_the_reader_takes(pair, capsys):
    anna, boris, game = pair
    boris.sign(game)
    boris.kursk("outbox", "--link")
    assert capsys.readouterr().out.splitlines()[-1].startswith("#k1.")  # for the page, or for 'kursk inbox'
    boris.kursk("outbox", "--link", "kursk.example", status=2)
    boris.kursk("outbox", "--link", "https://kursk.example/")
    boris.kursk("outbox", "--link")
    made = capsys.readouterr().out.splitlines()[-1]
    assert made.startswith("https://kursk.example/#k1.")
    anna.kursk("inbox", made[:-3], status=2, told="the link is cut off")
    anna.kursk("inbox", made, told="message 1")
    assert anna.desk(game).seq == 2
    anna.kursk("inbox", made, "--report")
    assert anna.desk(game).seq == 2
