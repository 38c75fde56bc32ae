"""A lost folder or private record is restored from mails and key, each message verified (2.6, 3.7)."""

import json
import mailbox
import shutil
import tracemalloc
from email.message import EmailMessage
from pathlib import Path

import pytest
from helpers import alone
from helpers.losing import ALL, Loser, draft_of, game_folder, letters, restored

from kursk_pbem.desk.own import desks
from kursk_pbem.game import copies
from kursk_pbem.game.journal import RECEIVED, RESTORED
from kursk_pbem.trust import keys, messages

# Restored data


def test_T38_a_standing_policy_is_in_no_mail_and_that_is_said(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    assert f"If you had a policy, type 'kursk policy {loser.folder} FILE'" in restored(kursk, loser)
    (file := tmp_path / "policy.yaml").write_text("stand-fast: never\n", encoding="ascii")
    assert kursk(loser, "policy", loser.folder, file)[0] == 0
    assert "standing policy" not in restored(kursk, loser)  # the record exists, with the policy
    assert "stand-fast: never" in kursk(loser, "policy", loser.folder)[1]


def test_a_lost_record_beside_a_folder_that_is_left(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path, "german")
    shutil.copytree(game_folder(loser.before), loser.folder)
    draft = draft_of(loser)
    kursk(loser, "sign", draft, "--yes", ends=2, told="kursk restore")
    kursk(loser, "restore", loser.folder, ends=2, told="--key")
    kursk(loser, "restore", loser.folder, "--key", loser.place / "me", ends=0)
    assert [loser.own.read_slot(seq).kind for seq in range(ALL)] == [RESTORED, RECEIVED] * (ALL // 2)


def test_a_lost_folder_comes_back_from_the_journal_and_the_letters_received(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path, "german")
    shutil.copytree(loser.before / "private", loser.home)
    for seq in range(0, ALL, 2):
        loser.mail(seq).unlink()
    _status, said = kursk(loser, "restore", loser.folder, *loser.mails, ends=0)
    assert "Complete: you can continue" in said  # the journal knows all signed messages
    assert kursk(loser, "sign", draft_of(loser), "--yes")[0] == 0


def test_a_whole_mailbox_with_other_games_and_spoilt_copies(demo, stranger, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    shutil.rmtree(loser.place / "mails")
    (loser.place / "mails").mkdir()
    box = mailbox.mbox(loser.place / "mails" / "sent-and-received")
    for path in (*letters(stranger / "german"), *reversed(letters(loser.before)), *letters(loser.before, 3)):
        mail = EmailMessage()
        mail["Subject"] = f"turn {path.stem}"
        mail.set_content("Here it is.\n\n" + path.read_text(encoding="ascii"))
        box.add(mail)
    box.close()
    (loser.place / "mails" / "spoilt.yaml").write_bytes(loser.before.joinpath("me.pub").read_bytes())
    told = "1 files or copies were not used"
    kursk(loser, "restore", loser.folder, loser.place / "mails", "--key", loser.place / "me", ends=0, told=told)
    assert (loser.folder / "0007.yaml").read_bytes() == letters(loser.before)[7].read_bytes()


# Refusals


def test_a_folder_with_holes_is_filled_and_a_spoilt_file_in_it_is_named(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    loser.folder.mkdir()
    for seq in (2, 5):
        loser.mail(seq).rename(loser.folder / f"{seq:04d}.yaml")
    spoilt = loser.folder / "0003.yaml"
    spoilt.write_bytes(loser.mail(3).read_bytes()[:2000])
    before = loser.files()
    status, said = kursk(loser, "restore", loser.folder, *loser.mails, "--key", loser.place / "me")
    assert (status, "differs from the signed message 3" in said, "move the file away" in said) == (2, True, True), said
    assert loser.files() == before
    spoilt.unlink()
    restored(kursk, loser)


@pytest.mark.parametrize("missing", [0, 1, 4, 6])
def test_a_gap_is_named(demo, tmp_path, kursk, missing):
    loser = Loser(demo, tmp_path)
    loser.mail(missing).unlink()
    alone.cut_blocks(*loser.mails)
    before = loser.files()
    status, said = kursk(loser, "restore", loser.folder, *loser.mails, "--key", loser.place / "me")
    assert status == (3 if missing else 2)
    assert f"message {missing}" in said
    assert "your opponent" in said
    assert loser.files() == before


def test_a_forged_or_changed_copy_is_refused_and_a_good_one_beside_it_counts(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    alone.cut_blocks(*loser.mails)
    good = loser.mail(4).read_text(encoding="ascii")
    loser.mail(4).write_text(good.replace("seq: '4'", "seq: '4'\nnote: more"), encoding="ascii")
    before = loser.files()
    told = "differs from the signed text"
    kursk(loser, "restore", loser.folder, *loser.mails, "--key", loser.place / "me", ends=3, told=told)
    assert loser.files() == before
    (loser.place / "mails" / "z-good.yaml").write_text(good, encoding="ascii")
    restored(kursk, loser)


def test_another_key_restores_nothing(demo, stranger, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    keys.generate_key_pair(loser.place / "third", b"\5" * 32)
    for key, why in (("third", "is no key of the game"), ("nowhere", "no key file")):
        before = loser.files()
        found = kursk(loser, "restore", loser.folder, *loser.mails, "--key", loser.place / key)
        assert (found[0], why in found[1]) == (2, True), found
        assert loser.files() == before
    kursk(loser, "restore", loser.folder, *loser.mails, ends=2, told="--key")


def test_T30_names_come_from_the_game_alone(demo, stranger, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    odd = loser.place / "mails" / "..%2f..%2fCON.yaml"
    loser.mail(3).rename(odd)
    parent = loser.place / "some where"
    kursk(loser, "restore", parent, *loser.mails, "--key", loser.place / "me", ends=0)
    assert [path.name for path in parent.iterdir()] == [loser.folder.name]
    names = {path.name for path in (parent / loser.folder.name).iterdir()}
    assert names == {f"{seq:04d}.yaml" for seq in range(ALL)} | {f"report-{seq:04d}.txt" for seq in range(1, ALL)}

    # No second folder of a game begins, and no folder gets a second game.
    kursk(loser, "restore", loser.place / "else", *loser.mails, ends=2, told="your folder of the game is")
    fake = loser.place / "fake" / loser.folder.name
    fake.mkdir(parents=True)
    shutil.copy(letters(stranger / "german")[0], fake)
    shutil.rmtree(parent)
    before = loser.files()
    kursk(loser, "restore", fake.parent, *loser.mails, ends=2, told="0000.yaml differs from the signed message 0")
    assert loser.files() == before


def test_a_folder_that_moved_is_put_down(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    restored(kursk, loser)
    shutil.rmtree(loser.folder)
    kursk(loser, "restore", loser.place / "new", *loser.mails, ends=0)
    assert Path(loser.own.folder) == loser.place / "new" / loser.folder.name
    assert desks.open_desk(Path(loser.own.folder), loser.home).lock == ""


def test_several_games_among_the_mails(demo, stranger, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    strange = letters(stranger / "russian")
    status, said = kursk(loser, "restore", loser.place, *loser.mails, *strange, "--key", loser.place / "me")
    assert status == 0, said  # the other game has other keys
    kursk(loser, "restore", loser.place / "x", *strange, "--key", loser.place / "me", ends=2, told="other keys")


def test_a_mail_in_the_place_of_the_folder_is_not_said_to_be_missing(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    status, said = kursk(loser, "restore", *loser.mails, "--key", loser.place / "me")
    assert (status, "is a file" in said, "no message 0" in said) == (2, True, False), said


def test_damaged_private_files_say_what_helps(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    restored(kursk, loser)
    for path in (loser.journal / "0003.json", loser.journal.parent / "game.json"):
        whole = path.read_bytes()
        path.write_text("{", encoding="ascii")
        kursk(loser, "sign", loser.folder / "0009.draft.yaml", ends=2)
        kursk(loser, "inbox", "--report", loser.mail(6), ends=2, told="kursk restore")
        path.unlink()
        restored(kursk, loser)
        assert json.loads(path.read_bytes()) == json.loads(whole)


# Files of strangers


def forged(loser, seq, number=9999, sender="german"):
    """Return a mail with message ``number`` and a wrong signature."""
    message = messages.read_message(loser.mail(seq).read_bytes(), "")
    content = {**message.content, "seq": str(number), "from": sender}
    path = loser.place / "mails" / f"x-{number}-{sender}.yaml"
    path.write_text(messages.emit_message(content, message.armour), encoding="ascii")
    return path


@pytest.mark.parametrize(("number", "sender"), [(9999, "german"), (9998, "german"), (8, "german"), (9, "russian")])
def test_T10_a_forged_mail_with_a_high_number_does_not_stop_restore_and_is_named(demo, tmp_path, kursk, number, sender):
    loser = Loser(demo, tmp_path)
    path = forged(loser, 6, number, sender)
    said = restored(kursk, loser)
    assert f"{ALL} messages, all verified" in said
    assert f"1 files or copies were not used; the first of these is {path}" in said
    assert "opponent" not in said.replace("your opponent's", "")


def test_a_gap_names_the_file_of_the_later_message(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    loser.mail(6).unlink()
    alone.cut_blocks(*loser.mails)
    bad = forged(loser, 4, 6)
    _status, said = kursk(loser, "restore", loser.folder, *loser.mails, "--key", loser.place / "me", ends=3)
    assert f"message 6 is missing, and {loser.mail(7)} is message 7" in said
    assert f"{bad}" in said  # perhaps the same message, damaged


@pytest.mark.parametrize("orders", [{"nonsense": ["x"]}, {"battles": [{"id": "x", "hex": "0101", "attackers": ["x"]}]}])
def test_T8_a_void_message_of_the_opponent_at_the_end_does_not_stop_restore(demo, tmp_path, kursk, orders):
    loser = Loser(demo, tmp_path, "russian")
    last = messages.read_message(loser.mail(6).read_bytes(), "")
    content = {**last.content, "orders": orders}
    armour = keys.load_key(loser.before.parent / "german" / "me").sign("kursk-pbem", messages.signed_bytes(content))
    for seq in (6, 7):
        loser.mail(seq).unlink()
    path = loser.place / "mails" / "void.yaml"
    path.write_text(messages.emit_message(content, armour), encoding="ascii")
    said = restored(kursk, loser)
    assert "6 messages, all verified" in said
    assert f"1 files or copies were not used; the first of these is {path} is void" in said


def test_T27_files_that_cannot_be_read_do_not_stay_in_memory(demo, tmp_path):
    loser = Loser(demo, tmp_path)
    junk = loser.place / "mails" / "junk"
    with junk.open("wb") as file:
        file.truncate(4_000_000)
    found = copies.Copies()
    found.add([junk])  # everything is loaded now
    tracemalloc.start()
    found.add([junk] * 8)
    held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 1_000_000
    assert most < 48_000_000
    assert len(found.others) == 9


def test_T12_a_strangers_proposal_that_names_ones_key_does_not_stop_restore(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path)
    first = messages.read_message(loser.mail(0).read_bytes(), "")
    mallory = keys.from_seed(bytes([77]) * 32)
    content = {**first.content, "nonce": "77" * 32, "keys": {**first.content["keys"], "german": mallory.public}}
    text = messages.emit_message(content, mallory.sign("kursk-pbem", messages.signed_bytes(content)), first.state)
    (loser.place / "mails" / "x-proposal.yaml").write_text(text, encoding="ascii")
    place = loser.place / "anywhere"
    told = f"{ALL} messages, all verified"
    kursk(loser, "restore", place, *loser.mails, "--key", loser.place / "me", ends=0, told=told)
    assert (place / loser.folder.name / "0007.yaml").is_file()
