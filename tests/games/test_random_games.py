"""The beginnings of random games, in every scenario and with options, played at all desks and verified."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import registry, signed_play
from trust.auditors import SECOND, load

from kursk_pbem.audit import export
from kursk_pbem.game import folders

pytestmark = pytest.mark.long

TESTS = Path(__file__).resolve().parents[1]


each_kit = pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)


@each_kit
@pytest.mark.parametrize("seed", [5, 6])  # two scenarios; one and two options
def test_a_random_game_is_verified_message_by_message(tmp_path, kit, seed):
    played = signed_play.play_game(kit, tmp_path / "game", seed, most=25)
    assert played.messages == 25 or played.end != "unfinished"
    assert played.results.total() > 3
    assert (played.scenario, played.options) == kit.of_seed(seed)


def test_a_failing_game_would_be_seen(tmp_path, monkeypatch):
    """If two desks differ, the game stops."""
    take = signed_play.Player.take

    def forgetful(player, letter):
        got = take(player, letter)
        letter_again = player.folder / f"report-{got.message.seq:04d}.txt"
        letter_again.write_text("lost\n", encoding="ascii")
        return got

    monkeypatch.setattr(signed_play.Player, "take", forgetful)
    with pytest.raises(AssertionError, match="differs between the two desks"):
        signed_play.play_game(registry.kit(), tmp_path / "game", 6, most=4)


def script():
    """Return the second auditor, independent of the program."""
    return load(SECOND)


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="the script needs ssh-keygen")
@each_kit
def test_a_random_game_with_a_referees_dice_is_verified_by_three_desks_and_by_the_script(tmp_path, capsys, kit):
    """All options, and a declined draw; files and reports are equal at the three desks."""
    for seed in range(7, 267, 20):  # the first game with all options and a declined draw
        place = tmp_path / f"game {seed}"
        played = signed_play.play_refereed_game(kit, place, seed, most=21)
        (folder,) = (place / "referee").glob("game-*")
        written = [folders.read_message(path) for path in folders.message_files(folder)]
        if played.options == dict(kit.options) and any(message.type == "reply" for message in written):
            break
    assert (played.messages, played.options) == (21, dict(kit.options))
    assert played.results.total() > 3
    assert {message.type for message in written} == {"propose", "accept", "turn", "offer", "reply"}
    assert any(message.mapping("dice") for message in written)
    game = export.export(folder, tmp_path / "archive").game
    capsys.readouterr()
    assert script().main(tmp_path / "archive") == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"head {game.chain.head_id}"
    assert len({folder.name for folder in place.glob("*/game-*")}) == 1


_A_GAME = """
import hashlib, sys
from pathlib import Path
from helpers import registry, signed_play
signed_play.play_refereed_game(registry.kit(sys.argv[2]), Path(sys.argv[1]), 6, most=9)
found = hashlib.sha256()
for path in sorted(Path(sys.argv[1]).glob("*/game-*/*.[yt]*")):
    found.update(path.name.encode() + path.read_bytes())
print(found.hexdigest())
"""


@each_kit
def test_make_fuzz_plays_games_with_a_referee_too(tmp_path, kit):
    played = [signed_play.play_game(kit, tmp_path / str(seed), seed, most=2) for seed in (4, 5)]
    assert [each.refereed for each in played] == [True, False]


@each_kit
def test_a_referees_game_has_the_same_bytes_under_two_hash_seeds(tmp_path, kit):
    found = set()
    for seed in ("0", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", _A_GAME, tmp_path / seed, kit.id],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(TESTS)},
        )
        found.add(done.stdout.strip())
    assert len(found) == 1
    assert len(found.pop()) == hashlib.sha256().digest_size * 2
