"""A game between two desks, function by function: refusals, repetitions, secrets."""

import re
import shutil
from dataclasses import replace

import pytest
from helpers.commands import tree
from helpers.signed_play import Player
from rulesets.battle_for_kursk.first_turn import OPEN_ORDERS, ORDERS

from kursk_pbem.errors import LostError, TrustError
from kursk_pbem.game import folders

# Flow and repeated messages


@pytest.mark.parametrize("place", ["moved", "elsewhere"])
def test_a_turn_finds_its_game_in_a_folder_that_was_moved(begun, tmp_path, monkeypatch, kursk, place):
    german, moved = begun.german, tmp_path / "moved"
    mails = tmp_path / "mails"
    mails.mkdir()
    for name in ("0000.yaml", "0001.yaml"):
        shutil.copy(german.folder / name, mails)
    (mails / "0001.yaml").rename(mails / "0003.yaml")
    moved.mkdir()
    (tmp_path / "elsewhere").mkdir()
    german.folder.rename(moved / german.folder.name)
    monkeypatch.chdir(tmp_path / place)
    status, told = kursk(german, "inbox", "--report", mails / "0003.yaml")
    if place == "moved":
        assert (status, "message 1 was processed before; nothing changed" in told) == (0, True)
    else:
        assert (status, " no longer contains the game;" in told, "KURSK_HOME" in told) == (2, True, False)


# Signing


def test_signing_again_gives_the_same_bytes_and_never_another_message(begun, kursk):
    german = begun.german
    path = german.fill(ORDERS)
    draft = path.read_bytes()
    sent = german.sign()
    first = sent.read_bytes()
    assert not path.exists()
    for lost in (False, True):  # with or without the file, the journal gives the same bytes
        for note in (b"", b"note: other orders\n"):  # the same draft; another draft does not get the slot
            path.write_bytes(draft + note)
            if lost:
                sent.unlink()
            kursk(german, "sign", path, "--yes", ends=0, told="message 2 was signed before")
            assert sent.read_bytes() == first
            assert not path.exists()
            assert german.desk.own.read_slot(2).id == folders.read_message(sent).id


def test_what_the_other_side_would_refuse_is_neither_journalled_nor_written(begun):
    german = begun.german
    german.fill(ORDERS)
    checked = german.check()
    wrong = replace(checked, result=replace(checked.result, dice={"ponyri/combat": "6"}))
    before = tree(german.folder, german.home)
    with pytest.raises(TrustError, match="rolls dice"):
        german.sign(wrong)
    assert tree(german.folder, german.home) == before
    assert german.sit().own.read_slot(2) is None
    german.sign(checked)


def test_a_forged_own_message_in_the_folder_is_noticed(declared):
    german = declared.german
    slot = german.desk.own.path / "journal" / "0002.json"
    slot.write_text(
        slot.read_text(encoding="utf-8").replace(german.desk.own.read_slot(2).id, "f" * 64), encoding="utf-8"
    )
    with pytest.raises(LostError, match="your journal has another message 2"):
        german.sit()


def test_a_folder_without_its_private_record_cannot_sign(begun, tmp_path, kursk):
    german = begun.german
    german.fill(ORDERS)
    copy = tmp_path / "elsewhere" / german.folder.name
    shutil.copytree(german.folder, copy)
    nobody = Player("german", tmp_path / "no place")
    before = tree(copy)
    for words in (("check", copy / "0002.draft.yaml"), ("sign", copy / "0002.draft.yaml", "--yes")):
        kursk(nobody, *words, ends=2, told="no private record")
    kursk(nobody, "resign", copy, "--yes", ends=2)
    assert tree(copy) == before
    assert not nobody.place.exists()
    kursk(nobody, "verify", copy, ends=0)  # anyone may look


def test_3_7_a_record_older_than_the_folder_signs_and_reveals(declared):
    table = declared
    table.turn({"policy": {}})
    german = table.german
    (german.desk.own.path / "journal" / "0002.json").unlink()
    german.sit()
    assert german.desk.unlocked() == german.desk.own


def test_an_edited_draft_is_left_alone(begun, kursk):
    german = begun.german
    path = german.fill(ORDERS)
    before = path.read_bytes()
    told = "the draft of message 2 contains your changes"
    kursk(german, "inbox", "--report", german.inbox / "0001.yaml", ends=0, told=told)
    assert path.read_bytes() == before
    kursk(german, "setup", "draft", german.folder, ends=2)
    assert path.read_bytes() == before
    kursk(german, "setup", "draft", german.folder, "--force", "--bare", ends=0)
    assert path.read_bytes() != before


# Ends, and quiet messages


def test_there_is_nothing_to_resign_before_the_game_is_bound(begun, kursk):
    german = begun.german
    before = tree(german.place)
    told = "the game does not bind you before message 2"
    kursk(german, "resign", german.folder, "--yes", ends=2, told=told)
    assert tree(german.place) == before


def test_adjudicate_sign_leaves_an_answer_that_can_matter_to_its_owner(begun, kursk):
    german, russian = begun.german, begun.russian
    german.fill(ORDERS)
    letter = begun.mail(german.sign(), "russian")
    kursk(russian, "inbox", "--report", letter, "--sign", "-q", ends=2, told="message 3 has choices")
    assert not folders.message_path(russian.folder, 3).exists()


def test_adjudicate_sign_sends_an_empty_answer_at_once(begun, kursk):
    german, russian = begun.german, begun.russian
    german.fill(OPEN_ORDERS)
    letter = begun.mail(german.sign(), "russian")
    kursk(russian, "inbox", "--report", letter, "--sign", "-q", ends=0)
    sent = folders.message_path(russian.folder, 3)
    answer = folders.read_message(sent)
    assert answer.mapping("policy") == {}
    assert answer.mapping("reveal").keys() == {"posture/turn-1"}
    german.take(begun.mail(sent, "german"))
    assert german.desk.game.state.stage == "german-dice"


def test_the_dice_are_told_to_the_one_who_threw_them(declared, monkeypatch, kursk):
    german, russian = declared.german, declared.russian
    russian.fill({"policy": {}})
    letter = declared.mail(russian.sign(), "german")
    there = folders.message_path(german.folder, 3)
    shutil.copy(letter, there)  # bug: dice of a mail saved in the game folder were not reported
    kursk(german, "status", ends=0, told="dice: yours have fallen, the dice show ")
    kursk(german, "status", german.folder, ends=0, told="YOUR DICE HAVE FALLEN: the dice show ")
    with monkeypatch.context() as patch:
        patch.setattr("kursk_pbem.kernel.account.lines.MOST", 0)
        _status, short = kursk(german, "status", ends=0)
    assert re.search("yours have fallen, the dice show .*; and [0-9] more", short)
    assert "told below" not in short  # the last line
    assert "Next, message" not in short  # the due message has a line
    there.unlink()
    kursk(german, "inbox", letter, ends=0, told="    Your dice: 2011: ")
    _status, told = kursk(german, "inbox", "--report", letter, ends=0)
    assert told.partition("\nReport of")[0].count("\nYour dice: 2011: ") == 1  # the results first
    report, amid = told.split("DRAFT, NOT SENT: what message 4, turn 1 does before you choose\n")
    assert "Die (ponyri/combat)" not in report
    assert "Die (ponyri/combat)" in amid
    assert amid.count("Owed next: message 4, which you sign") == 1  # not the successor
    assert "Die (ponyri/combat)" in folders.report_path(german.folder, 4, draft=True).read_text(encoding="utf-8")


def test_adjudicate_sign_does_not_choose_for_anybody(begun, kursk):
    german = begun.german
    before = tree(german.place)
    status, told = kursk(german, "inbox", "--report", german.inbox / "0001.yaml", "--sign", "-q")
    assert status
    assert told
    assert tree(german.place) == before
