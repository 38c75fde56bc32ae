"""Output of commands: JSON, maps, suggestions for wrong names, and verify."""

import re
import shutil

import pytest
from helpers import alone
from helpers.commands import lines_of_json, refused, tree, well

from kursk_pbem.game import folders


def test_json_is_json(capsys, german, game, draft):
    [found] = lines_of_json(capsys, 0, "verify", game, "--json")
    assert (found["status"], found["messages"], found["fault"]) == (0, 8, "")
    [found] = lines_of_json(capsys, 0, "check", draft, "--json")
    assert (found["legal"], found["violations"]) == (True, [])
    assert {*found["left"][0]} == {"rule", "text"}
    draft.write_text(draft.read_text(encoding="ascii").replace("give-ups: [", "give-ups: [r-3, "), encoding="ascii")
    [found] = lines_of_json(capsys, 1, "check", draft, "--json")
    assert not found["legal"]
    told = [(each["file"], each["rule"], each["order"]) for each in found["violations"]]
    assert told == [(str(draft), "10.6", "r-3")]
    (game / "0003.yaml").write_bytes((game / "0003.yaml").read_bytes().replace(b"AAAA", b"AAAB", 1))
    found = lines_of_json(capsys, 3, "verify", game, game / "0002.yaml", german / "nowhere", "--json")
    assert [each["status"] for each in found] == [3, 0, 2]
    assert found[0]["fault"] == "signature"


def test_saved_mails_are_not_a_broken_game(capsys, german, game, tmp_path, monkeypatch):
    """Status 3 is for possible fraud. Each received mail carries the messages before it."""
    mails = tmp_path / "mails"
    mails.mkdir()
    for seq in (0, 1, 3, 5, 7):
        shutil.copyfile(game / f"{seq:04d}.yaml", mails / f"{seq:04d}.yaml")
    alone.cut_blocks(mails)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "spectator"))
    said = refused(capsys, 2, "verify", mails)
    assert "0002.yaml: message 2 is missing, and later messages are there" in said
    assert "look for the other side's messages in the mails" in said
    assert "verified, 8 messages" in well(capsys, "verify", german / "inbox")


def test_a_message_that_was_signed_and_not_written_comes_back_with_the_letter_before(capsys, german, game, draft):
    """As after a crash between journal and file: the player must mail the message, not fill in a draft."""
    text = draft.read_bytes()
    well(capsys, "sign", draft, "--yes", "-q")
    sent = game / "0008.yaml"
    first = sent.read_bytes()
    sent.unlink()
    draft.write_bytes(text)
    said = well(capsys, "inbox", "--report", german / "inbox" / "from-boris-0007.yaml")
    assert sent.read_bytes() == first
    assert said.endswith(f"if you have not mailed {sent} yet, mail it now\n")


def test_names_that_mean_nothing_are_shown_back(capsys, game):
    assert "nosuch" in refused(capsys, 2, "moves", game, "nosuch")
    assert "9999" in refused(capsys, 2, "map", game, "--around", "9999")
    assert "13.9" in refused(capsys, 2, "rule", "battle-for-kursk", "13.9")
    assert "has no paragraph 'battle-for-moon'" in refused(capsys, 2, "rule", "battle-for-moon")
    for word, said in (("germans", "did you mean 'german'?"), ("Rusian", "'russian'?"), ("x", "are german, russian")):
        words = ("propose", "battle-for-kursk/citadel", "--as", word, "--key", "k", "--opponent", "o")
        assert said in refused(capsys, 2, *words)


def test_the_map_finds_hexes_cities_and_units_and_shows_what_a_draft_does(capsys, game, draft):
    by_hex = well(capsys, "map", game, "--around", "2116", "--radius", "1")
    assert by_hex == well(capsys, "map", game, "--around", "belgorod", "--radius", "1")
    assert by_hex == well(capsys, "map", game, "--around", "g-3-pz", "--radius", "1")
    message = game / "0007.yaml"
    assert "is not on the map" in refused(capsys, 2, "map", game, "--around", "r-40")  # eliminated
    assert "|(4-6)" not in well(capsys, "map", message, "--around", "g-40-pz", "--radius", "0")
    assert "|(4-6)" in well(capsys, "map", game, "--around", "g-40-pz", "--radius", "0")
    assert "|(4-6)" in well(capsys, "map", draft, "--around", "g-40-pz", "--radius", "0")  # the unit loses a step


def test_one_who_names_the_wrong_thing_is_told_the_right_one(capsys, demo, german, game, draft, tmp_path):
    assert str(draft) in well(capsys, "check", game)  # a folder means its draft
    assert "choose the folder of your saved mails" in refused(capsys, 2, "inbox", "--report", game)
    assert f"mail {game / '0006.yaml'}" in refused(capsys, 2, "check", game / "0006.draft.yaml")
    new = ["propose", "battle-for-kursk/citadel", "--as", "german", "--key", german / "me", "--opponent"]
    assert "NAME.pub made by 'kursk keygen NAME'" in refused(capsys, 2, *new, tmp_path / "boris.pub")
    inbox = tmp_path / "stranger" / "inbox"
    inbox.mkdir(parents=True)
    shutil.copy(next((demo / "german").glob("game-*")) / "0000.yaml", inbox / "0000.yaml")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KURSK_HOME", str(tmp_path / "stranger" / "private"))
        assert "type 'kursk accept'" in refused(capsys, 2, "inbox", "--report", inbox / "0000.yaml")
    assert len(tree(inbox)) == 1


@pytest.mark.parametrize(
    "around",
    [
        lambda text: b"Hello Anna,\n\nhere I come!\n\n" + text + b"\n-- \nBoris\n",
        lambda text: b"".join(b"> " + line for line in text.splitlines(keepends=True)),
    ],
)
def test_a_turn_file_inside_a_mail_is_seen(capsys, german, around):
    """A command that does not accept mails says so; test_mail_files.py tests the commands that accept mails."""
    letter = german / "inbox" / "mail.txt"
    letter.write_bytes(around((german / "inbox" / "from-boris-0007.yaml").read_bytes()))
    said = refused(capsys, 2, "status", letter)
    assert "mail.txt: this is a mail or text with a turn: 'kursk inbox FILE' takes it; then" in said


# verify


def test_verify_compares_heads(capsys, game, demo):
    head = re.search(r"head ([0-9a-f]{32})", well(capsys, "verify", game))[1]
    whole = folders.read_message(game / "0007.yaml").id
    assert whole.startswith(head)
    for right in (head, whole, head.upper()):
        well(capsys, "verify", game, "--head", right)
        well(capsys, "verify", game / "0007.yaml", "--head", right)
    almost = whole[:-1] + ("0" if whole[-1] != "0" else "1")
    for wrong in ("0" * 32, almost, folders.read_message(game / "0006.yaml").id):
        assert "0007.yaml" in refused(capsys, 3, "verify", game, "--head", wrong)
        assert "0007.yaml" in refused(capsys, 3, "verify", game / "0007.yaml", "--head", wrong)
    for odd in ("a", head[:31], head + "0", "g" * 32, whole + "0"):
        assert "is no head" in refused(capsys, 2, "verify", game, "--head", odd)


def test_verify_one_file_with_and_without_its_key(capsys, german, game, demo, tmp_path):
    assert "the signature holds, the position is the signed position" in well(capsys, "verify", game / "0003.yaml")
    assert "(propose)" in well(capsys, "verify", game / "0000.yaml")
    letter = german / "inbox" / "from-boris-0003.yaml"
    assert "the signature holds" in well(capsys, "verify", letter, "--key", demo / "russian" / "me.pub")
    assert "another key" in refused(capsys, 3, "verify", letter, "--key", german / "me.pub")
