"""No command verifies a message twice."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from helpers import alone, sweeps
from helpers.agreements import agreed, go_on, propose
from helpers.commands import well
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import fought

from kursk_pbem.game import folders
from kursk_pbem.game import verified as remembered
from kursk_pbem.trust.chains import Chain

FINISHED = Path(__file__).parents[1] / "games" / "battle-for-kursk"


@pytest.fixture
def verified(monkeypatch):
    """Count the verifications of each message, by id."""
    seen = Counter()
    extend = Chain.extend

    def counting(chain, message):
        seen[message.id] += 1
        return extend(chain, message)

    monkeypatch.setattr(Chain, "extend", counting)
    return seen


COMMANDS = {
    "status": lambda game: ("status", game),
    "status of a message": lambda game: ("status", game / "0005.yaml"),
    "report": lambda game: ("report", game),
    "report of the game": lambda game: ("report", game, "--all"),
    "report of a message": lambda game: ("report", game / "0006.yaml"),
    "map": lambda game: ("map", game),
    "map of a draft": lambda game: ("map", game / "0008.draft.yaml"),
    "moves": lambda game: ("moves", game),
    "odds of a message": lambda game: ("odds", game / "0006.yaml"),
    "draft": lambda game: ("setup", "draft", game, "--force"),
    "check": lambda game: ("check", game / "0008.draft.yaml"),
    "sign": lambda game: ("sign", game / "0008.draft.yaml", "--yes"),
    "resign": lambda game: ("resign", game, "--yes"),
    "offer": lambda game: ("offer", game, "draw", "--yes"),
    "offer of a successor": lambda game: ("offer", game, "successor", "--at", "1", "--yes"),
    "an old message again": lambda game: ("inbox", "--report", game / "0003.yaml"),
    "the last message again": lambda game: ("inbox", "--report", game / "0007.yaml"),
    "verify": lambda game: ("verify", game),
    "export": lambda game: ("export", game, "-o", game.with_name("archive")),
    "restore": lambda game: ("restore", game, "--key", game.parent / "me"),
}


@pytest.mark.parametrize("what", sweeps.some(COMMANDS, 3))
def test_a_command_verifies_each_message_once(verified, capsys, german, game, what):
    for kept in (german / "private").glob(f"games/*/{remembered.NAME}"):
        kept.unlink()
    well(capsys, *COMMANDS[what](game))
    assert set(verified.values()) == {1}, verified
    assert len(verified) >= 4


OLDER = {"status of a message", "report of a message", "odds of a message", "an old message again"}
WHOLE = OLDER | {"report of the game", "verify", "export", "restore", "offer of a successor"}
"""Commands that need all messages, or that trust no record of a desk."""


@pytest.mark.parametrize("what", sweeps.some(sorted(COMMANDS), 3))
def test_a_command_verifies_the_newest_messages_alone_at_a_desk_that_knows_the_others(verified, capsys, game, what):
    well(capsys, "status", game)
    verified.clear()
    well(capsys, *COMMANDS[what](game))
    assert (len(verified) > 4) == (what in WHOLE), verified


def test_a_lost_folder_is_restored_from_mails_verified_once(verified, capsys, german, game):
    mails = german / "mails"
    game.rename(mails)
    well(capsys, "restore", game, mails, "--key", german / "me")
    assert set(verified.values()) == {1}


def test_a_mailbox_is_taken_in_one_sitting(verified, capsys, tmp_path, monkeypatch):
    """Also the second time, and even if the mailbox has a letter of another game in between."""
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "home"))
    turns = sorted((FINISHED / "moscow").glob("[0-9][0-9][0-9][0-9].yaml"))
    game = tmp_path / folders.folder_name(folders.read_message(turns[0]).id)
    game.mkdir()
    shutil.copy(turns[0], game)
    box = tmp_path / "box.mbox"
    box.write_bytes(b"".join(b"From b@example.org\n\n" + turn.read_bytes() + b"\n" for turn in turns[1:]))
    for wrote in (True, False):
        verified.clear()
        said = well(capsys, "inbox", "--report", box)
        assert set(verified.values()) == {1}
        assert len(verified) == len(turns) - 1
        assert (f"wrote {game / turns[-1].name}" in said) == wrote
    alone.cut_blocks(game)
    assert [each.read_bytes() for each in sorted(game.glob("[0-9]*.yaml"))] == [each.read_bytes() for each in turns]


def test_games_that_go_on_as_others_are_held_together_without_a_second_look(verified, capsys, tmp_path):
    table = fought(Table(tmp_path / "table").begin())
    new = go_on(table, agreed(table, propose(table.german)))
    verified.clear()
    said = well(capsys, "verify", table.german.folder, new.german.folder)
    assert "agreed to in" in said
    assert set(verified.values()) == {1}
