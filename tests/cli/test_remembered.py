"""Key and name are remembered; a proposal is confirmed, withdrawn, and proposed again with sides changed."""

import sys

import pytest
from helpers.commands import Terminal, refused, well

from kursk_pbem.cli import run
from kursk_pbem.formats import data
from kursk_pbem.game import folders
from kursk_pbem.rulebook import balance

CITADEL = "battle-for-kursk/citadel"


@pytest.fixture
def sit(seat, capsys):
    """Seat Anna or Boris, who have keys and nothing else; return a player's folder."""
    for name in ("anna", "boris"):
        seat(name)
        well(capsys, "keygen", name)
    return seat


def propose(sit, capsys, *more):
    """Let Anna propose a game to Boris; return the id and the file."""
    place = sit("anna")
    before = {*place.glob("game-*")}
    well(capsys, "propose", CITADEL, "--as", "german", "--opponent", "../boris/boris.pub", *more)
    [folder] = {*place.glob("game-*")} - before
    return folder.name.removeprefix("game-"), folder / "0000.yaml"


def accept(sit, capsys, file, *more):
    """Let Boris accept a proposal and sign message 1; return what ``accept`` printed, and the message."""
    place = sit("boris")
    said = well(capsys, "accept", file, *more)
    folder = place / file.parent.name
    well(capsys, "sign", folder, "--yes")
    return said, folder / "0001.yaml"


def test_key_and_name_are_typed_once(sit, capsys, monkeypatch):
    _game, first = propose(sit, capsys, "--name", "Anna")
    _game, second = propose(sit, capsys)
    assert second.read_text(encoding="ascii").count("Anna") == first.read_text(encoding="ascii").count("Anna") == 1
    assert "My name is Boris" in accept(sit, capsys, first, "--name", "Boris")[0]
    assert "My name is Boris" in accept(sit, capsys, second)[0]
    place = sit("anna")
    assert "your usual key is still" in well(capsys, "keygen", "other")
    monkeypatch.setenv("KURSK_KEY", "other")  # the environment and --key have priority
    words = ("propose", CITADEL, "--as", "german", "--opponent")
    assert "is your own key" in refused(capsys, 2, *words, "other.pub")
    monkeypatch.delenv("KURSK_KEY")
    (place / "anna").unlink()
    said = refused(capsys, 2, *words, "../boris/boris.pub")
    assert f"your key {place / 'anna'} is missing" in " ".join(said.split())


def test_the_side_is_told_before_anything_is_written_and_the_name_is_asked_for(sit, capsys, monkeypatch):
    place = sit("anna")
    new = ("propose", CITADEL, "--opponent", "../boris/boris.pub")
    assert "the proposer plays German" in (said := refused(capsys, 2, *new))
    assert "give --yes or --as german" in said
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    assert run([*new]) != 0
    assert not [*place.glob("game-*")]
    monkeypatch.setattr("sys.stdin", Terminal("y\n\nAnna\n"))
    assert run([*new]) == 0
    [folder] = place.glob("game-*")
    assert "Anna" in (folder / "0000.yaml").read_text(encoding="ascii")


def test_a_withdrawn_proposal_is_in_no_list_until_it_is_accepted(sit, capsys):
    propose(sit, capsys, "--name", "Anna", "--opponent-name", "Boris")
    game, file = propose(sit, capsys, "--opponent-name", "Boris")
    assert "Withdraw your proposal" in refused(capsys, 2, "propose", "--withdraw", game)  # no terminal to ask
    well(capsys, "propose", "--withdraw", game, "--yes")
    assert game[:8] not in well(capsys, "status") + well(capsys, "outbox")
    well(capsys, "map")  # nobody asks which of two games
    _said, first = accept(sit, capsys, file)
    sit("anna")
    told = "Boris accepted the proposal that you had withdrawn"
    assert told in " ".join(well(capsys, "inbox", first).split())
    said = " ".join(well(capsys, "status").split())
    assert told in said
    assert f"type 'kursk status --forget {game[:8]}'" in said
    assert "kursk resign" in refused(capsys, 2, "propose", "--withdraw", game, "--yes")
    well(capsys, "order", game, "posture", "engage")
    well(capsys, "sign", game, "--yes")
    assert told not in " ".join(well(capsys, "status").split())


def test_a_rematch_changes_the_sides(sit, capsys):
    game, file = propose(sit, capsys, "--name", "Anna", "--option", "weather=die")
    accept(sit, capsys, file, "--name", "Boris")
    sit("anna")
    said = " ".join(refused(capsys, 2, "propose", "--again", game).split())
    assert f"ask your opponent to type 'kursk propose --again {game[:8]} --as german'" in said
    place = sit("boris")
    assert "you play the German side" in well(capsys, "propose", "--again", game, "--yes")
    [again] = (path for path in place.glob("game-*") if path.name != file.parent.name)
    sit("anna")
    said = " ".join(well(capsys, "accept", again / "0000.yaml").split())
    assert "weather" in said
    assert [*(place.parent / "anna").glob(f"{again.name}/0001.draft.yaml")]


@pytest.mark.parametrize(("typed", "points"), [("german=7\n", "german-7"), ("\n", "none")])
def test_a_prompt_offers_the_points_that_make_the_game_even(typed, points, sit, capsys, monkeypatch):
    """By the row with the most games in docs/balance.md. Nothing is asked with --yes or --give, or without points."""
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    _game, first = propose(sit, capsys, "--name", "Anna")
    assert folders.read_message(first).mapping("options").get("given", "none") == points
    monkeypatch.setattr(sys, "stdin", Terminal("nobody asks\n"))
    for more in (("--yes",), ("--give", "german=3")):
        propose(sit, capsys, *more)
    sit("anna")
    well(capsys, "propose", "juggernauts/july-1943", "--as", "russian", "--opponent", "../boris/boris.pub")
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    assert "Points to give, or Enter for none" in well(capsys, "invite", CITADEL, "--name", "Anna")


def test_the_row_of_the_highest_level_with_enough_games_counts(monkeypatch, tmp_path):
    """Below 200 games no points are found: then the row with the most games counts, but not for the messages."""
    rows = [
        "| a/b | 2 | 199 | German 30.0%, Soviet 70.0% | -2.00 | - | 37; 36 to 38; 30 to 40 | 468d4482 |",
        "| a/b | 1 | 2,000 | German 4.5%, Soviet 95.5% | -9.08 | German 2 or German 3 | - | 468d4482 |",
    ]
    monkeypatch.setattr(data, "find_folder", lambda _kind: tmp_path)
    more = [rows[0].replace("| 199 |", "| 200 |").replace("| - |", "| German 10 |", 1), rows[1]]
    for page, even in ((rows, "German 2 or German 3"), (rows[::-1], "German 2 or German 3"), (more, "German 10")):
        (tmp_path / balance.PAGE).write_text("\n".join(page))
        balance.list_rows.cache_clear()
        assert f"even with points given: {even}" in balance.find_sentence("a/b").replace("nearest to even", "even")
        assert balance.find_length("a/b").messages == (37, 36, 38, 30, 40)
    late = [balance.count_longer("a/b", messages) for messages in (29, 36, 37, 38, 40)]
    assert late == [100, 95, 50, 5, 0]
    balance.list_rows.cache_clear()
