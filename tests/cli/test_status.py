"""'kursk status': all games of a player, and the state of one game."""

import json
import re
import shutil
import sys

import pytest
from helpers.commands import lines_of_json, refused, tree, well

from kursk_pbem.cli import run
from kursk_pbem.errors import UsageError
from kursk_pbem.game import scenario_files


def lines_of(said):
    """Return the lines of the list, each with its continuation lines."""
    return re.sub(r"\n {8}(?=\S)", " ", said).splitlines()


@pytest.fixture
def two(capsys, german, tmp_path):
    """Return the folder of a second game of the German player, a proposal only."""
    assert run(["keygen", str(tmp_path / "petra")]) == 0
    mine = ("--as", "german", "--key", str(german / "me"))
    other = ("--opponent", str(tmp_path / "petra.pub"), "--opponent-name", "Petra of Orel")
    assert run(["propose", "battle-for-kursk/campaign", *mine, *other, "--dir", str(tmp_path)]) == 0
    capsys.readouterr()
    return next(tmp_path.glob("game-*"))


def test_one_game_in_a_list_of_one(capsys, elsewhere, game):
    head, row, last, due = lines_of(well(capsys, "status"))
    assert head.split() == ["game", "opponent", "scenario", "turn", "to", "write", "since", "draft"]
    since = r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"
    assert re.fullmatch(rf"{game.name[5:13]}  Boris +battle-for-kursk/citadel  2 +you +{since}  untouched", row)
    assert last.startswith("    last: Boris (Russian) wrote message 7: ")
    assert due.startswith("    due:  message 8, posture, with orders or without: type 'kursk order' or edit ")
    assert due.endswith("0008.draft.yaml, then 'kursk check' and 'kursk sign'")


def test_without_a_tournament_nothing_of_tournaments_is_loaded(capsys, elsewhere, game, monkeypatch):
    """Loading the tournament modules took a tenth of a second in each call."""
    for name in ("kursk_pbem.post.tournaments", "kursk_pbem.tournament.private"):
        monkeypatch.setitem(sys.modules, name, None)
    assert game.name[5:13] in well(capsys, "status")


def test_games_that_wait_for_me_come_first_and_columns_are_aligned(capsys, elsewhere, two, game):
    lines = lines_of(well(capsys, "status"))
    rows = [line for line in lines if not line.startswith("    ")]
    assert len(rows) == 3
    assert "Boris" in rows[1]
    assert "Petra of Orel" in rows[2]
    assert len({rows[0].index("scenario"), *(line.index("battle-for-kursk/") for line in rows[1:])}) == 1
    assert "Petra of Orel (Russian) writes the message; when the mail comes, type 'kursk inbox'" in lines[-1]
    assert f"if you have not mailed {two / '0000.yaml'} yet, mail it now" in lines[-1]
    assert "last: you proposed the game" in lines[-2]


def test_a_successor_that_is_not_offered_or_was_not_agreed_to_is_not_to_be_mailed(capsys, elsewhere, game):
    refused(capsys, 2, "offer", game, "successor", "--at", "1", silent=False)  # no terminal for the answer
    [path] = (path for path in game.parent.glob("game-*/0000.yaml") if path.parent != game)
    due = lines_of(well(capsys, "status"))[-1]
    assert f"no effect before your offer: 'kursk offer {game} successor {path}'" in due
    assert "if you have not mailed" not in due
    assert path.parent.name[5:13] not in well(capsys, "outbox")
    well(capsys, "offer", game, "draw", "--yes")
    gone = f"{game.name} continued instead: delete {path.parent}, then type 'kursk status --forget"
    assert gone in " ".join(lines_of(well(capsys, "status")))
    assert well(capsys, "tables", "--track") == well(
        capsys, "tables", "--track", game
    )  # bug: the output said "2 games go on" of one game
    shutil.rmtree(path.parent)
    well(capsys, "status", "--forget", path.parent.name[5:13], "--yes")
    assert path.parent.name[5:13] not in well(capsys, "status")


@pytest.mark.parametrize("bare", [False, True])
def test_a_draft_is_untouched_until_it_is_edited(capsys, elsewhere, draft, bare):
    assert run(["setup", "draft", "--force", *(["--bare"] if bare else [])]) == 0
    capsys.readouterr()
    assert "the draft of message 8 is untouched" in well(capsys, "status", "boris")
    draft.write_text(draft.read_text(encoding="ascii") + "note: on we go\n", encoding="ascii")
    assert "the draft of message 8 is edited" in well(capsys, "status", "boris")
    assert " edited\n" in well(capsys, "status")
    draft.unlink()
    assert "'kursk setup draft' writes the draft" in well(capsys, "status", "boris")


def test_status_of_one_game_tells_where_i_was(capsys, elsewhere, game):
    said = well(capsys, "status", "boris")
    flat = " ".join(said.split())
    told = [
        "Battle for Kursk: Citadel",
        "last, ",
        ": Boris (Russian) wrote message 7: ",
        "now: type 'kursk order' or edit ",
        "then 'kursk check' and 'kursk sign'",
        "the draft of message 8 is untouched",
        "turn 2; due is message 8 of the German side",
        "this turn will take 2 to 8 more mails, including the due message; you are the German side, against Boris",
        "units on the map",
    ]
    places = [flat.index(each) for each in told]
    assert places == sorted(places)
    assert re.search(r"last, \d{4}-\d\d-\d\d \d\d:\d\d UTC: Boris", flat)
    assert not any(line.startswith(("reconstructed", "invented")) for line in said.splitlines())


def test_what_is_not_as_printed_is_told_where_it_is_agreed_on_and_by_scenarios(capsys, german, tmp_path):
    listed = well(capsys, "scenario", "list", "battle-for-kursk/citadel", "--data")
    assert "    invented: map/terrain, map/fortifications" in listed
    assert "campaign" not in listed
    assert "invented: " not in well(capsys, "scenario", "list", "battle-for-kursk").replace("invented: ours", "")
    [said] = lines_of_json(capsys, 0, "scenario", "list", "battle-for-kursk/citadel", "--data", "--json")
    [found] = said["scenarios"]
    assert found["data"]["invented"] == ["map/terrain", "map/fortifications"]
    refusal = refused(capsys, 2, "scenario", "list", "nosuch")
    assert "there is no scenario 'nosuch'; known scenarios: " in refusal
    assert "battle-for-kursk/campaign" in refusal
    assert run(["keygen", str(tmp_path / "him")]) == 0
    capsys.readouterr()
    new = ("propose", "battle-for-kursk/citadel", "--as", "german", "--key", german / "me")
    said = well(capsys, *new, "--opponent", tmp_path / "him.pub", "--dir", tmp_path)
    assert "Differences from the printed game" in said
    assert "invented (ours, without a source): map/terrain" in said


def test_after_my_message_it_says_whom_i_wait_for_and_what_to_mail(capsys, elsewhere, game):
    assert run(["sign", "--yes", "-q"]) == 0
    said = " ".join(well(capsys, "status", "boris").split())
    assert "you wrote message 8" in said
    assert f"if you have not mailed {game / '0008.yaml'} yet, mail it now" in said
    assert "the draft" not in said
    assert "  russian  " in well(capsys, "status")


def test_after_the_last_message_it_says_what_to_mail(capsys, elsewhere, game):
    assert run(["resign", "--yes", "-q"]) == 0
    said = " ".join(well(capsys, "status", "boris").split())
    assert f"if you have not mailed {game / '0008.yaml'} yet, mail it now" in said


def test_who_plays_several_games_is_asked_about_the_one_that_is_meant(capsys, elsewhere, two, game):
    named = f"{game.name} against Boris"
    for words in (("sign",), ("resign",), ("offer", "draw")):
        assert run(list(words)) == 2
        assert named in capsys.readouterr().err


def test_json_of_all_and_of_one(capsys, elsewhere, two, game):
    [every] = lines_of_json(capsys, 0, "status", "--json")
    first, second = every["games"]
    assert (first["mine"], first["draft"], first["opponent"]) == (True, "untouched", "Boris")
    assert (second["mine"], second["draft"], second["you"], second["messages"]) == (False, "", "german", 1)
    [one] = lines_of_json(capsys, 0, "status", "boris", "--json")
    assert one == first | {"format": "kursk status 1"}


def test_a_damaged_game_hides_no_other_and_is_named(capsys, elsewhere, two, game):
    (two / "0000.yaml").write_bytes(b"no: [turn\n")
    assert run(["status"]) == 2
    said = capsys.readouterr()
    assert "Boris" in said.out
    assert "cannot be read" in said.out
    assert "0000.yaml" in said.err
    shutil.rmtree(two)
    assert run(["status"]) == 2
    assert "is missing" in capsys.readouterr().err


def test_a_game_whose_folder_was_deleted_leaves_the_list(capsys, elsewhere, two, game, german):
    """Bug: the game stayed in every list forever, and no command removed the game."""
    messages = {path.name: path.read_bytes() for path in two.iterdir() if path.is_file()}
    assert "exists; delete the folder" in refused(capsys, 2, "status", "--forget", two.name, "--yes")
    assert "type the GAME" in refused(capsys, 2, "status", "--forget", "--yes")
    shutil.rmtree(two)
    assert run(["status"]) == 2
    assert f"'kursk status --forget {two.name[5:13]}' removes the game from your list" in capsys.readouterr().err
    assert "give --yes" in refused(capsys, 2, "status", "--forget", two.name[5:13])
    before = tree(german / "private")
    [said] = lines_of_json(capsys, 0, "status", "--forget", two.name, "--yes", "--json")
    assert said["forgot"].startswith(two.name[5:])
    after = tree(german / "private")
    assert {path.name for path in after.keys() - before.keys()} == {"forgotten.json"}
    assert {path: raw for path, raw in after.items() if path in before} == before
    assert two.name[5:13] not in well(capsys, "status")
    assert "has this name" in refused(capsys, 2, "status", two.name[5:13])
    two.mkdir()
    for name, raw in messages.items():
        (two / name).write_bytes(raw)
    assert two.name[5:13] in well(capsys, "status")


def test_without_games_the_private_folder_is_named(capsys, elsewhere, monkeypatch, tmp_path):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nosuch"))
    said = refused(capsys, 2, "status")
    assert f"KURSK_HOME names {tmp_path / 'nosuch'}, and this folder does not exist" in said
    assert "'kursk accept FILE' takes a proposal" in said


def test_an_auditor_is_told_whose_private_folder_was_looked_in(capsys, game, monkeypatch, tmp_path):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nosuch"))
    said = well(capsys, "status", game)
    assert f"you are an auditor here (KURSK_HOME names {tmp_path / 'nosuch'}, and this folder does not exist)" in said


def test_names_from_mails_cannot_move_the_terminal_nor_begin_a_line(capsys, elsewhere, german, game):
    path = german / "private" / "games" / game.name[5:] / "game.json"
    record = json.loads(path.read_text(encoding="ascii")) | {"opponent": "B\n\x1b[2Jverified \u202ex" + "y" * 300}
    path.write_text(json.dumps(record), encoding="ascii")
    for words in ((), (game,)):
        said = well(capsys, "status", *words)
        assert said.replace("\n", "").isprintable()
        assert not any(line.startswith("verified") for line in said.splitlines())


def test_who_has_only_the_file_of_a_proposal_reads_how_it_is_taken(capsys, german, tmp_path, monkeypatch):
    assert run(["keygen", str(tmp_path / "him")]) == 0
    new = ("propose", "battle-for-kursk/citadel", "--as", "german", "--key", german / "me")
    well(capsys, *new, "--opponent", tmp_path / "him.pub", "--dir", tmp_path)
    [folder] = tmp_path.glob("game-*")
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "somebody"))
    (tmp_path / "somebody").mkdir()
    said = " ".join(well(capsys, "status", folder).split())
    assert f"accepts the proposal with 'kursk accept {folder / '0000.yaml'} --key FILE'" in said


def test_a_scenario_may_be_called_by_its_ruleset_where_that_has_no_other():
    assert scenario_files.resolve_id("juggernauts") == scenario_files.resolve_id("july-1943") == "juggernauts/july-1943"
    with pytest.raises(UsageError, match="may be battle-for-kursk/campaign or battle-for-kursk/citadel"):
        scenario_files.resolve_id("battle-for-kursk")
