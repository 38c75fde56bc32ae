"""Things from before release 1.0: a game, a tournament, a proof, a saved folder; and what an answer never says."""

from __future__ import annotations

import random
import re
import zipfile
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

from helpers import registry, signed_play
from kursk_pbem import rulesets
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.rescue import saved
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import entropy

EARLY = "is from before release 1.0; this program does not judge it"
BLAME = re.compile("convict|cheat|fraud|illegal|contradict|differ|wrong signature")
SYSTEMS = [rid for rid in registry.KITS if registry.kit(rid).ruleset.first > 1]
"""The systems with adjudications from before release 1.0."""
_KEPT = Path(__file__).with_name("early.zip")  # paper 0 of a tournament and a proof, as an earlier program wrote them


def play_game(root: Path, rid: str) -> Path:
    """Return the folder of a game under the last adjudication before release 1.0, signed by both players."""
    module, kit, make = import_module(rulesets.MODULES[rid]), registry.kit(rid), begin.make_pinned_fields
    pinned = {"ruleset": {"id": rid, "version": str(kit.ruleset.first - 1)}}
    with (
        entropy.fix_random_bytes(rid),
        patch.object(begin, "make_pinned_fields", lambda *known: make(*known) | pinned),
        patch.object(module, "RULESET", replace(kit.ruleset, first=1)),
    ):
        table = signed_play.Table(root / rid, kit.scenarios[0]).begin()
        for _message in range(2):
            writer = table.due
            table.turn(writer.choose(kit.chooser(table.game.setting, random.Random(2))))
        return writer.desk.folder


def write_things(root: Path) -> dict[str, Path]:
    """Return the folder of a tournament, its paper 0, a proof and a saved folder."""
    with zipfile.ZipFile(_KEPT) as archive:
        archive.extractall(root)
    with zipfile.ZipFile(root / "saved.zip", "w") as archive:
        archive.writestr(saved.MANIFEST, canon({"kursk-saved": "1", "kind": "copy", "time": "x", "games": {}}))
    tournament = root / "spring"
    paper, proof = tournament / "log" / "0000.yaml", root / "proof.yaml"
    return {"tournament": tournament, "paper": paper, "proof": proof, "saved": root / "saved.zip"}
