"""A restored record: old drafts, old messages and old proposals do no harm (2.6)."""

import shutil

from helpers.losing import Loser, draft_of, game_folder, restored

from kursk_pbem.trust import messages


def test_a_draft_of_a_signed_message_does_not_survive_a_restore(demo, tmp_path, kursk):
    """N-11: the draft of message 4 stayed in the folder, beside the signed message."""
    loser = Loser(demo, tmp_path, "german")
    shutil.copytree(game_folder(loser.before), loser.folder)
    old = loser.folder / "0006.draft.yaml"
    shutil.copyfile(draft_of(loser), old)
    assert kursk(loser, "restore", loser.folder, "--key", loser.place / "me")[0] == 0
    assert not old.exists()
    assert draft_of(loser).exists()


def test_T10_old_messages_again_change_nothing(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path, count=7)
    restored(kursk, loser)
    before = loser.files()
    for path in loser.mails[1:]:
        kursk(loser, "inbox", "--report", path, ends=0, told="processed before")
    restored(kursk, loser, *loser.mails, *loser.mails)
    assert loser.files() == before


def test_T13_a_proposal_replayed_to_who_lost_his_record_gives_other_openings_and_salts(demo, tmp_path, kursk):
    loser = Loser(demo, tmp_path, count=1)
    said = []
    for number in "12":
        loser.home = loser.place / f"private-{number}"
        kursk(loser, "accept", loser.mail(0), "--key", loser.place / "me", "--dir", loser.place / number, ends=0)
        draft = loser.place / number / loser.folder.name / "0001.draft.yaml"
        kursk(loser, "sign", draft, "--yes", ends=0)
        said.append(messages.read_message(draft.with_name("0001.yaml").read_bytes(), number).content)
    one, two = said
    assert one["game"] == two["game"]
    for name in ("open", "commit", "secret"):
        assert one[name] != two[name], name
    loser.home = loser.place / "private-3"
    kursk(loser, "restore", loser.folder, loser.mail(0), "--key", loser.place / "me", ends=2, told="kursk accept")
