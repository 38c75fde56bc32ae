"""The finished games of tests/games: a game for each way to end, played by the minds of a plot.

A folder ``tests/games/RULESET/NAME`` holds the messages as mailed, without positions, and ``game.txt``. Keys, nonces
and dice depend on the name and the seed of a game.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from unittest.mock import patch

from helpers import registry, signed_play
from helpers.registry import Kit
from kursk_pbem.audit import verify
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import drafts
from kursk_pbem.game import entropy, folders
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.trust import keys, messages
from kursk_pbem.trust.keys import Signer

ROOT = Path(__file__).parents[1] / "games"
MOST = 120  # messages; no game is longer


def folder_of(kit: Kit, name: str) -> Path:
    """Return the folder of a game."""
    return ROOT / kit.id / name


def list_games(asked: str = "all") -> list[tuple[Kit, str]]:
    """Return every game with a plot, of a ruleset or of all rulesets."""
    return [(kit, name) for kit in registry.kits(asked) for name in kit.plots]


def list_folders() -> list[Path]:
    """Return the folders of all saved games."""
    return sorted(path.parent for path in ROOT.glob("*/*/game.txt"))


def read_pinned_version(kit: Kit, name: str) -> str:
    """Return the adjudication that a saved game pins, or the newest for a new game."""
    said = folder_of(kit, name) / "game.txt"
    if not said.exists():
        return str(kit.ruleset.version)
    return dict(line.split(": ", 1) for line in said.read_text("ascii").splitlines())["adjudication"]


def pinned_data(kit: Kit, name: str) -> str:
    """Return the data hash that a saved game pins, or '' for a new game."""
    first = folder_of(kit, name) / "0000.yaml"
    return str(folders.read_message(first).mapping("scenario")["sha256"]) if first.exists() else ""


def play(kit: Kit, name: str, root: Path, version: str = "") -> signed_play.Table:
    """Play a game under ``root``, every message verified by all desks.

    ``version``: the adjudication to pin; '' for the adjudication and data of the saved game (decision 44).
    """
    plot = kit.plots[name]
    ruleset = {"id": kit.id, "version": version or read_pinned_version(kit, name)}
    to_pin = begin.make_pinned_fields
    with (
        entropy.fix_random_bytes(f"finished game {name} {plot.seed}"),
        patch.object(begin, "make_pinned_fields", lambda *known: {**to_pin(*known), "ruleset": ruleset}),
        patch.object(begin, "SEALS", begin.SEALS if version else {}),  # no saved game has kept values
    ):
        kind = signed_play.RefereedTable if plot.refereed else signed_play.Table
        table = kind(root, plot.scenario, plot.options)
        table.sha256 = "" if version else pinned_data(kit, name)
        table.begin()
        minds = plot.minds(table.game.setting)
        offers = dict(plot.offers)
        while not (game := table.game).over:
            writer, seq = table.due, game.chain.next_seq
            assert seq < MOST, f"{name} does not end"
            other = None
            if game.chain.offer:
                other = drafts.make_reply(writer.desk, "decline")
            elif writer.side == plot.resigns and seq >= plot.at:
                other = drafts.make_resignation(writer.desk)
            elif seq >= offers.get(writer.side, MOST):
                other = drafts.make_offer(writer.desk, "draw")
                del offers[writer.side]
            else:
                writer.fill(writer.choose(minds[writer.side]))
            table.send(other)
            first, *others = [player.desk.game for player in table.players.values()]
            assert all((each.chain, each.state) == (first.chain, first.state) for each in others)
    return table


def make_files(kit: Kit, name: str, root: Path, version: str = "") -> dict[str, str]:
    """Return the files of a game, name -> text. ``root``: the folder to play in; ``version``: see :func:`play`."""
    table = play(kit, name, root, version)
    folder = table.players[kit.sides[-1]].folder
    files: dict[str, str] = {}
    for path in folders.message_files(folder):
        message = folders.read_message(path)
        files[path.name] = messages.emit_message(message.content, message.armour)
    found = verify.verify_game(folder)
    assert found.status == 0, found.text
    files["game.txt"] = format_summary(kit.plots[name].title, table.game)
    return files


def format_summary(title: str, game: Game) -> str:
    """Return the text of ``game.txt``."""
    assert game.verdict is not None
    lines = {
        "how": title,
        "verdict": game.verdict.text,
        "head": game.chain.head_id,
        "messages": game.chain.next_seq,
        "adjudication": game.version,
    }
    return "".join(f"{key}: {value}\n" for key, value in lines.items())


def find_differences(kit: Kit, name: str, files: Mapping[str, str]) -> list[str]:
    """Return the names of files that differ from the saved game, or are missing, or are superfluous."""
    there = {path.name: path.read_bytes() for path in folder_of(kit, name).glob("*")}
    made = {file: text.encode("ascii") for file, text in files.items()}
    return sorted(file for file in {*there, *made} if there.get(file) != made.get(file))


def make_signers(kit: Kit, name: str, folder: Path) -> dict[str, Signer]:
    """Return the keys of a game's players, for tests that sign new messages."""
    plot = kit.plots[name]
    who = (*kit.sides, REFEREE) if plot.refereed else kit.sides  # in the order of a table
    with entropy.fix_random_bytes(f"finished game {name} {plot.seed}"):
        for side in who:
            keys.generate_key_pair(folder / side, entropy.random_bytes())
    return {side: keys.load_key(folder / side) for side in who}


def save(kit: Kit, name: str, files: Mapping[str, str]) -> Path:
    """Replace the saved files of a game."""
    folder = folder_of(kit, name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file, text in files.items():
        (folder / file).write_text(text, encoding="ascii", newline="\n")
    return folder
