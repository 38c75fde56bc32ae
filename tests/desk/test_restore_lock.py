"""A restored or outdated record signs nothing before the player confirms the newest message (2.6)."""

import shutil

import pytest
from helpers.losing import Loser, draft_of, game_folder, letters, restored

from kursk_pbem.desk.own import desks, elsewhere
from kursk_pbem.game.journal import RECEIVED, RESTORED, SIGNED
from kursk_pbem.trust import messages

pytestmark = pytest.mark.slow


def test_a_draft_of_a_signed_message_does_not_survive_a_restore(demo, tmp_path, kursk):
    """N-11: the draft of message 4 stayed in the folder, beside the signed message."""
    loser = Loser(demo, tmp_path, "german")
    shutil.copytree(game_folder(loser.before), loser.folder)
    old = loser.folder / "0006.draft.yaml"
    shutil.copyfile(draft_of(loser), old)
    assert kursk(loser, "restore", loser.folder, "--key", loser.place / "me")[0] == 0
    assert not old.exists()
    assert draft_of(loser).exists()


def locked(kursk, player, *letter):
    """Check that signing is refused, and that the refusal names the unlocking command."""
    before = player.files()
    draft = draft_of(player)
    commands = [("sign", draft, "--yes"), ("resign", player.folder, "--yes")]
    commands += [("inbox", "--report", each, "--sign") for each in letter]
    for command in commands:
        status, said = kursk(player, *command)
        assert status == 2, said
        assert "kursk restore" in said.splitlines()[-1]
    assert player.files() == before


def test_T37_a_restored_record_signs_nothing_before_the_player_confirms(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path, count=3)
    restored(kursk, loser)
    locked(kursk, loser, loser.mail(2))
    status, said = kursk(loser, "status", loser.folder)
    assert (status, "SIGNING IS LOCKED: this machine cannot know your newest message" in said) == (0, True)
    assert f"'kursk restore {loser.id[:8]} --confirm SEQ'" in said
    before = loser.files()
    for number, why in ((3, "message 3 is not here"), (0, "your newest message here is 1"), (9, "not here")):
        status, said = kursk(loser, "restore", loser.folder, "--confirm", number, "--yes")
        assert (status, why in said) == (2, True), said
    status, said = kursk(loser, "restore", loser.folder, "--confirm", 1)
    assert (status, "give --yes" in said) == (2, True)
    assert "played double" in said
    assert loser.files() == before
    assert kursk(loser, "restore", loser.folder, "--confirm", 1, "--yes")[0] == 0
    assert "LOCKED" not in kursk(loser, "status", loser.folder)[1]
    assert kursk(loser, "sign", draft_of(loser), "--yes")[0] == 0
    assert kursk(loser, "verify", loser.folder)[0] == 0
    assert loser.own.read_slot(3).kind == SIGNED
    status, said = kursk(loser, "restore", loser.folder, "--confirm", 3, "--yes")
    assert (status, "not locked" in said) == (2, True)


def test_T37_the_lock_outlives_a_second_restoration_and_a_game_file_that_is_lost_alone(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path, count=3)
    restored(kursk, loser)
    assert kursk(loser, "restore", loser.folder, "--confirm", 1, "--yes")[0] == 0
    assert "Complete: you can continue" in restored(kursk, loser)
    assert kursk(loser, "sign", draft_of(loser), "--yes")[0] == 0
    (loser.journal.parent / "game.json").unlink()
    assert "--confirm" in restored(kursk, loser)
    assert "--confirm" in desks.open_desk(loser.folder, loser.home).lock
    assert kursk(loser, "restore", loser.folder, "--confirm", 1, "--yes")[0] == 2
    assert kursk(loser, "restore", loser.folder, "--confirm", 3, "--yes")[0] == 0
    assert desks.open_desk(loser.folder, loser.home).lock == ""


def test_T37_who_restores_without_his_newest_message_and_lies_convicts_himself(demo, tmp_path, kursk):
    cheat = Loser(demo, tmp_path, count=3)
    restored(kursk, cheat)
    locked(kursk, cheat)
    assert kursk(cheat, "restore", cheat.folder, "--confirm", 1, "--yes")[0] == 0  # the lie
    draft = draft_of(cheat)
    draft.write_text(draft.read_text(encoding="ascii") + "note: another answer\n", encoding="ascii")
    assert kursk(cheat, "sign", draft, "--yes")[0] == 0
    second = messages.read_message((cheat.folder / "0003.yaml").read_bytes(), "second")
    first = messages.read_message(letters(cheat.before)[3].read_bytes(), "first")
    assert (first.id != second.id, first.content["prev"]) == (True, second.content["prev"])
    assert first.content["open"] == second.content["open"]  # the dice are the same

    honest = Loser(demo, tmp_path, "german")
    honest.backup(4)
    status, said = kursk(honest, "inbox", "--report", cheat.folder / "0003.yaml")
    assert (status, "another message 3" in said) == (3, True)

    # With two copies, the copy followed by a later message gets the slot.
    shutil.rmtree(cheat.folder)
    shutil.rmtree(cheat.home)
    for seq in (3, 4):
        shutil.copy(letters(cheat.before)[seq], cheat.place / "mails")
    (cheat.place / "mails" / "3-again.yaml").write_text(
        messages.emit_message(second.content, second.armour), encoding="ascii"
    )
    restored(kursk, cheat)
    assert cheat.own.read_slot(3).id == first.id
    cheat.mail(4).unlink()
    shutil.rmtree(cheat.folder)
    shutil.rmtree(cheat.home)
    status, said = kursk(cheat, "restore", cheat.folder, *cheat.mails, "--key", cheat.place / "me")
    assert (status, "keep both files" in said) == (3, True)


def test_T11_a_backup_of_the_private_folder_that_is_older_than_the_game_folder_does_not_sign(demo, tmp_path, kursk):
    player = Loser(demo, tmp_path, count=7)
    player.backup(2)
    for path in player.mails[3:]:
        shutil.copy(path, player.folder)
    (player.folder / "0007.draft.yaml").write_text("kursk-pbem: '1'\n", encoding="ascii")
    status, said = kursk(player, "inbox", "--report", player.mail(6), "--sign")
    assert (status, "lacks your own message 3" in said) == (2, True)
    locked(kursk, player)
    status, said = kursk(player, "restore", player.folder, "--confirm", 5, "--yes")
    assert (status, "lacks your own message 3" in said) == (2, True)
    (player.folder / "0007.draft.yaml").unlink()

    status, said = kursk(player, "restore", player.folder)  # the key has not moved
    assert (status, "LOST: your sealed plans/5" in said) == (0, True), said
    kinds = [player.own.read_slot(seq).kind for seq in range(7)]
    assert kinds == [RECEIVED, SIGNED, RECEIVED, RESTORED, RECEIVED, RESTORED, RECEIVED]
    assert kursk(player, "restore", player.folder, "--confirm", 3, "--yes")[0] == 2
    assert kursk(player, "restore", player.folder, "--confirm", 5, "--yes")[0] == 0
    assert desks.open_desk(player.folder, player.home).lock == ""


def test_T11_a_backup_of_everything_still_answers_the_opponents_next_message(demo, tmp_path, kursk):
    player = Loser(demo, tmp_path)
    player.backup(4)
    assert desks.open_desk(player.folder, player.home).lock == ""
    status, said = kursk(player, "inbox", "--report", player.mail(6))
    assert (status, "message 5 is missing" in said) == (3, True)
    assert "--confirm" in restored(kursk, player)
    assert kursk(player, "status", player.folder)[0] == 0


def test_T37_own_messages_get_into_a_fresh_record_by_restore_alone(demo, tmp_path, kursk):
    cheat = Loser(demo, tmp_path, count=3)
    assert kursk(cheat, "accept", cheat.mail(0), "--key", cheat.place / "me", "--dir", cheat.place)[0] == 0
    before = cheat.files()
    status, said = kursk(cheat, "inbox", "--report", cheat.mail(1), "--sign")
    assert (status, "kursk restore" in said) == (2, True)
    after = {path: data for path, data in cheat.files().items() if path.name != elsewhere.NAME}
    assert after == before  # except the note about a message signed elsewhere
    shutil.copy(cheat.mail(1), cheat.folder)
    status, said = kursk(cheat, "inbox", "--report", cheat.mail(2), "--sign")
    assert (status, "lacks your own message 1" in said) == (2, True)
    (cheat.folder / "0001.draft.yaml").unlink()
    restored(kursk, cheat)
    locked(kursk, cheat, cheat.mail(2))


def test_T10_old_messages_again_change_nothing(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path, count=7)
    restored(kursk, loser)
    before = loser.files()
    for path in loser.mails[1:]:
        status, said = kursk(loser, "inbox", "--report", path)
        assert (status, "processed before" in said) == (0, True), said
    restored(kursk, loser, *loser.mails, *loser.mails)
    assert loser.files() == before


def test_T13_a_proposal_replayed_to_who_lost_his_record_gives_other_openings_and_salts(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path, count=1)
    said = []
    for number in "12":
        loser.home = loser.place / f"private-{number}"
        status, text = kursk(loser, "accept", loser.mail(0), "--key", loser.place / "me", "--dir", loser.place / number)
        assert status == 0, text
        draft = loser.place / number / loser.folder.name / "0001.draft.yaml"
        status, text = kursk(loser, "sign", draft, "--yes")
        assert status == 0, text
        said.append(messages.read_message(draft.with_name("0001.yaml").read_bytes(), number).content)
    one, two = said
    assert one["game"] == two["game"]
    for name in ("open", "commit", "secret"):
        assert one[name] != two[name], name
    loser.home = loser.place / "private-3"
    status, text = kursk(loser, "restore", loser.folder, loser.mail(0), "--key", loser.place / "me")
    assert (status, "kursk accept" in text) == (2, True)
