"""A game between two desks, function by function: refusals, repetitions, secrets."""

import re
import shutil
from dataclasses import replace

import pytest
from helpers import intake
from helpers.commands import tree
from rulesets.battle_for_kursk.first_turn import ORDERS

from kursk_pbem.cli import run
from kursk_pbem.errors import LostError, TrustError
from kursk_pbem.game import folders

# Flow and repeated messages


def test_from_proposal_to_the_dice_both_desks_agree(declared):
    table = declared
    table.turn({"policy": {"stand-fast": "always"}})
    letter = table.turn({})
    assert folders.read_message(letter).mapping("dice").keys() == {"ponyri/combat"}
    german, russian = table.german.sit().game, table.russian.sit().game
    assert (german.chain, german.state) == (russian.chain, russian.state)
    assert german.chain.next_seq == 5
    for seq in range(5):
        name = f"{seq:04d}.yaml"
        assert (table.german.folder / name).read_bytes() == (table.russian.folder / name).read_bytes()


@pytest.mark.parametrize("place", ["moved", "elsewhere"])
def test_a_turn_finds_its_game_in_a_folder_that_was_moved(begun, tmp_path, monkeypatch, capsys, place):
    german, moved = begun.german, tmp_path / "moved"
    mails = tmp_path / "mails"
    mails.mkdir()
    for name in ("0000.yaml", "0001.yaml"):
        shutil.copy(german.folder / name, mails)
    (mails / "0001.yaml").rename(mails / "0003.yaml")
    moved.mkdir()
    (tmp_path / "elsewhere").mkdir()
    german.folder.rename(moved / german.folder.name)
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    monkeypatch.chdir(tmp_path / place)
    assert run(["inbox", "--report", str(mails / "0003.yaml")]) == (0 if place == "moved" else 2)
    told = capsys.readouterr()
    if place == "moved":
        assert "message 1 was processed before; nothing changed" in told.out
    else:
        assert " no longer contains the game;" in told.err
        assert "KURSK_HOME" not in told.err


def test_a_message_that_comes_too_early_names_the_missing_one(declared, tmp_path):
    table = declared
    letter = table.turn({"policy": {}})
    late = table.german.place / "copy"
    shutil.copytree(table.german.folder, late / table.german.folder.name)
    for path in (late / table.german.folder.name).glob("000[23]*"):
        path.unlink()
    with pytest.raises(TrustError, match="message 2 is missing"):
        intake.receive(letter.read_bytes(), str(letter), tmp_path / "nobody", late)


# Signing


def test_signing_again_gives_the_same_bytes_and_never_another_message(begun, monkeypatch, capsys):
    german = begun.german
    path = german.fill(ORDERS)
    draft = path.read_bytes()
    sent = german.sign()
    first = sent.read_bytes()
    assert not path.exists()
    monkeypatch.setenv("KURSK_HOME", str(german.home))

    for lost in (False, True):  # with or without the file, the journal gives the same bytes
        for note in (b"", b"note: other orders\n"):  # the same draft; another draft does not get the slot
            path.write_bytes(draft + note)
            if lost:
                sent.unlink()
            assert run(["sign", str(path), "--yes"]) == 0
            assert "message 2 was signed before" in capsys.readouterr().out
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


def test_a_folder_without_its_private_record_cannot_sign(begun, tmp_path, monkeypatch, capsys):
    german = begun.german
    german.fill(ORDERS)
    copy = tmp_path / "elsewhere" / german.folder.name
    shutil.copytree(german.folder, copy)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "no home"))
    before = tree(copy)
    for command in ("check", "sign"):
        assert run([command, str(copy / "0002.draft.yaml"), *(["--yes"] if command == "sign" else [])]) == 2
        assert "no private record" in capsys.readouterr().err
    assert run(["resign", str(copy), "--yes"]) == 2
    assert tree(copy) == before
    assert not (tmp_path / "no home").exists()
    assert run(["verify", str(copy)]) == 0  # but anyone may look


def test_3_7_a_record_older_than_the_folder_signs_and_reveals(declared):
    table = declared
    table.turn({"policy": {}})
    german = table.german
    (german.desk.own.path / "journal" / "0002.json").unlink()
    german.sit()
    assert german.desk.unlocked() == german.desk.own


def test_another_key_does_not_sign(begun, monkeypatch, capsys):
    german = begun.german
    path = german.fill(ORDERS)
    before = tree(german.place)
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    assert run(["sign", str(path), "--yes", "--key", str(begun.russian.key)]) == 2
    assert "not the key of the german side" in capsys.readouterr().err
    assert tree(german.place) == before


def test_an_edited_draft_is_left_alone(begun, monkeypatch, capsys):
    german = begun.german
    path = german.fill(ORDERS)
    before = path.read_bytes()
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    assert run(["inbox", "--report", str(german.place / "inbox" / "0001.yaml")]) == 0
    assert path.read_bytes() == before
    assert "the draft of message 2 contains your changes" in capsys.readouterr().out
    assert run(["setup", "draft", str(german.folder)]) == 2
    assert path.read_bytes() == before
    assert run(["setup", "draft", str(german.folder), "--force", "--bare"]) == 0
    assert path.read_bytes() != before


# Ends, and quiet messages


def test_a_resignation_ends_the_game_for_both(declared, monkeypatch, capsys):
    table, russian, german = declared, declared.russian, declared.german
    monkeypatch.setenv("KURSK_HOME", str(russian.home))
    assert run(["resign", str(russian.folder), "--yes"]) == 0
    sent = folders.message_path(russian.folder, 3)
    assert folders.read_message(sent).type == "resign"
    assert not russian.draft().exists()
    got = german.take(table.mail(sent, "german"))
    assert got.desk.game.over
    assert (got.desk.game.verdict.winner, got.desk.game.verdict.how) == ("german", "resignation")
    capsys.readouterr()
    assert run(["verify", str(german.folder)]) == 0
    assert "German victory: the Russian side resigned" in capsys.readouterr().out
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    assert run(["resign", str(german.folder), "--yes"]) == 2
    assert "the game is over" in capsys.readouterr().err
    assert run(["setup", "draft", str(german.folder)]) == 2


def test_there_is_nothing_to_resign_before_the_game_is_bound(begun, monkeypatch, capsys):
    monkeypatch.setenv("KURSK_HOME", str(begun.german.home))
    before = tree(begun.german.place)
    assert run(["resign", str(begun.german.folder), "--yes"]) == 2
    assert "the game does not bind you before message 2" in capsys.readouterr().err
    assert tree(begun.german.place) == before


def test_adjudicate_sign_leaves_an_answer_that_can_matter_to_its_owner(begun, monkeypatch, capsys):
    table, german, russian = begun, begun.german, begun.russian
    german.fill(ORDERS)
    letter = table.mail(german.sign(), "russian")
    monkeypatch.setenv("KURSK_HOME", str(russian.home))
    assert run(["inbox", "--report", str(letter), "--sign", "-q"]) == 2
    assert "message 3 has choices" in capsys.readouterr().err
    assert not folders.message_path(russian.folder, 3).exists()


def test_adjudicate_sign_sends_an_empty_answer_at_once(begun, monkeypatch, capsys):
    table, german, russian = begun, begun.german, begun.russian
    open_ground = {"id": "izyum", "hex": "2218", "attackers": ["g-42", "g-57-pz"]}
    german.fill({**ORDERS, "orders": {"battles": [open_ground]}})
    letter = table.mail(german.sign(), "russian")
    monkeypatch.setenv("KURSK_HOME", str(russian.home))
    assert run(["inbox", "--report", str(letter), "--sign", "-q"]) == 0
    sent = folders.message_path(russian.folder, 3)
    answer = folders.read_message(sent)
    assert answer.mapping("policy") == {}
    assert answer.mapping("reveal").keys() == {"posture/turn-1"}
    german.take(table.mail(sent, "german"))
    assert german.desk.game.state.stage == "german-dice"


def test_the_dice_are_told_to_the_one_who_threw_them(declared, monkeypatch, capsys):
    german, russian = declared.german, declared.russian
    russian.fill({"policy": {}})
    letter = declared.mail(russian.sign(), "german")
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    there = folders.message_path(german.folder, 3)
    shutil.copy(letter, there)  # bug: dice of a mail saved in the game folder were not reported
    for words, said in (
        ((), "dice: yours have fallen, the dice show "),
        ((str(german.folder),), "YOUR DICE HAVE FALLEN: the dice show "),
    ):
        assert run(["status", *words]) == 0
        assert said in capsys.readouterr().out
    monkeypatch.setattr("kursk_pbem.kernel.account.lines.MOST", 0)
    assert run(["status"]) == 0
    short = capsys.readouterr().out
    assert re.search("yours have fallen, the dice show .*; and [0-9] more", short)
    assert "told below" not in short  # the last line
    assert "Next, message" not in short  # the due message has a line
    monkeypatch.undo()
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    there.unlink()
    assert run(["inbox", str(letter)]) == 0
    assert "    Your dice: 2011: " in capsys.readouterr().out
    assert run(["inbox", "--report", str(letter)]) == 0
    told = capsys.readouterr().out
    assert told.partition("\nReport of")[0].count("\nYour dice: 2011: ") == 1  # the results first
    report, amid = told.split("DRAFT, NOT SENT: what message 4, turn 1 does before you choose\n")
    assert "Die (ponyri/combat)" not in report
    assert "Die (ponyri/combat)" in amid
    assert amid.count("Owed next: message 4, which you sign") == 1  # not the successor
    assert "Die (ponyri/combat)" in folders.report_path(german.folder, 4, draft=True).read_text(encoding="utf-8")


def test_adjudicate_sign_does_not_choose_for_anybody(begun, monkeypatch, capsys):
    german = begun.german
    monkeypatch.setenv("KURSK_HOME", str(german.home))
    before = tree(german.place)
    assert run(["inbox", "--report", str(german.place / "inbox" / "0001.yaml"), "--sign", "-q"]) != 0
    assert capsys.readouterr().err
    assert tree(german.place) == before
