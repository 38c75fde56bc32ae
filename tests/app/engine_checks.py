"""What the engine of the page checks under Node; each function returns JSON."""

import json
import tempfile
from hashlib import sha256
from pathlib import Path

from bad import bad_index
from bad.bad_desk import Base
from helpers import registry
from helpers.demo_game import play_demo

from kursk_pbem.audit import verify
from kursk_pbem.report.pictures import svg
from kursk_pbem.trust import ed25519

ROOT = Path(__file__).resolve().parents[1]


def check_signatures():
    """Return the cases of tests/vectors that the signatures of the page judge in another way."""
    cases = json.loads((ROOT / "vectors" / "signatures.json").read_text("ascii"))
    found = []
    for case in cases:
        key, signature, message = (bytes.fromhex(case[name]) for name in ("key", "signature", "message"))
        if ed25519.verify(key, signature, message) != (case["valid"] == "yes"):
            found.append(case["case"])
    return json.dumps([len(cases), found])


def check_games():
    """Return the finished games that do not verify with the head of their game.txt."""
    found = {}
    files = sorted(ROOT.glob("games/*/*/game.txt"))
    for file in files:
        head = dict(line.split(": ", 1) for line in file.read_text("ascii").splitlines())["head"]
        told = verify.verify_game(file.parent, head)
        if (told.status, told.head) != (0, head):
            found[str(file.parent)] = told.text
    return json.dumps([len(files), found])


def check_bad_files():
    """Return the bad files with another exit status, and those with another complaint."""
    files, expected = bad_index.list_recipes(), bad_index.read_expected()
    other, worded = {}, []
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "scratch").mkdir()
        base = Base(play_demo(Path(place) / "played"), Path(place) / "scratch")
        for name, recipe in files.items():
            told = bad_index.answer(base, name, recipe)
            if told["status"] != expected[name]["status"]:
                other[name] = told
            elif told != expected[name]:
                worded.append(name)
    return json.dumps([len(files), other, worded])


def hash_maps():
    """Return the hash of the file of each scenario's first position."""
    found = {}
    for kit in registry.kits():
        for scenario in kit.scenarios:
            setting = kit.setting(scenario)
            drawn = svg.render(kit.ruleset.seen.picture(setting, kit.ruleset.data.setup(setting)), kit.ruleset.sides)
            found[f"{kit.id}/{scenario}"] = sha256(drawn.encode()).hexdigest()
    return json.dumps(found)
