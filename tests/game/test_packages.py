"""Rulesets of packages: the pin in message 0 decides whose code judges (docs/formats.md 5.6)."""

import py_compile
import shutil

import pytest
from helpers import finished_games, foreign, registry, shared
from helpers.foreign import RID, Desk

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import packages
from kursk_pbem.game import folders, pins
from kursk_pbem.trust import keys, messages, sshsig

pytestmark = pytest.mark.slow
GIVEN = "    strength=strength,\n"
RESULTS = ("__init__.py", GIVEN, f"{GIVEN}    ended=lambda _umpire, _side: 'towns',\n")
ORDERS = ("__init__.py", GIVEN, f"{GIVEN}    allowance=lambda pos, uid: pos.setting.counters[uid].move - 1,\n")
OTHER = "not decided: other rules' code"
MARK = "import pathlib; pathlib.Path(__file__).with_name('imported').touch()\n"


@pytest.fixture(scope="session")
def _played(tmp_path_factory, request):
    """Play the first moves with the package once."""

    def play(folder):
        foreign.install(folder / "site")
        play_first_moves(folder, folder / "site")

    return shared.make_once(tmp_path_factory, request.config, "far-ridge", play)


@pytest.fixture
def played(_played, tmp_path):
    """Return two desks with the same package, and a game after Anna's proposal and Boris's first move."""
    shutil.copytree(_played, tmp_path, dirs_exist_ok=True)
    return [Desk(tmp_path, name, tmp_path / "site") for name in ("anna", "boris")]


def play_first_moves(tmp_path, site):
    anna, boris = (Desk(tmp_path, name, site) for name in ("anna", "boris"))
    for desk in (anna, boris):
        desk.type("keygen", desk.name)
    anna.type("propose", f"{RID}/hill", "--opponent", boris.root / "boris.pub", "--yes")
    boris.type("accept", anna.game / "0000.yaml")
    boris.type("order", "move b-2 0404")
    boris.type("sign", "--yes")
    return anna, boris


def patched_copy(desk, file, old, new):
    """Give a desk a patched copy of its package, with the name and the release of the original."""
    site = desk.root / "site"
    shutil.copytree(desk.site, site)
    foreign.patch(site / foreign.MODULE, file, old, new)
    desk.site = site


def test_a_game_of_a_package_is_played_and_pins_the_code(played):
    anna, boris = played
    pin = folders.read_message(anna.game / "0000.yaml").mapping("ruleset")["package"]
    assert (pin["name"], pin["release"]) == ("far-ridge-game", "1.4")
    assert pin["sha256"] == anna.read_pin()
    assert "moves" in anna.type("inbox", boris.game / "0001.yaml")
    assert "verified, 2 messages" in anna.type("verify", anna.game)
    assert "The ridge" in anna.type("help", RID)


@pytest.mark.parametrize(("file", "old", "new"), [RESULTS, ORDERS], ids=["results", "legality"])
def test_a_patched_copy_of_a_package_convicts_no_honest_player(played, file, old, new):
    """Bug: a patched copy called legal orders void, and wrote a proof against an honest player."""
    anna, boris = played
    patched_copy(anna, file, old, new)
    for words in (("inbox", "--report", boris.game / "0001.yaml"), ("status", anna.game), ("verify", anna.game)):
        said = anna.type(*words, status=2)
        assert OTHER in said
        assert "far-ridge-game 1.4" in said
    said = anna.type("prove", anna.game / "0000.yaml", boris.game / "0001.yaml", status=1)
    assert f"the rest is {OTHER}" in said
    assert "convicted of" not in said


def test_accept_refuses_the_pin_of_other_code_and_names_both(played, tmp_path):
    anna, boris = played
    patched_copy(boris, *RESULTS)
    said = boris.type("accept", anna.game / "0000.yaml", "--dir", tmp_path / "again", status=2)
    one, two = (desk.read_pin()[:16] for desk in (anna, boris))
    assert f"pins far-ridge-game 1.4 ({one}), but far-ridge-game 1.4 ({two}) is installed" in said


def test_a_missing_package_is_named_with_the_command_to_install(played, tmp_path):
    stranger = Desk(tmp_path, "carla", None)
    stranger.type("keygen", "carla")
    said = stranger.type("accept", played[0].game / "0000.yaml", status=2)
    assert "type pip install 'far-ridge-game==1.4'" in said


MORE = "more: dict[str, Any] = {}\n"
LESS = "more: dict[str, Any] = {'ended': lambda _umpire, _side: 'towns'}\n"
TYPED = "from typing import Any\n\n"
READS = (
    "from pathlib import Path\n\n"
    "more: dict[str, Any] = {}\n"
    "if Path(__file__).with_name('more.yaml').read_text() == 'yes':\n"
    "    more['ended'] = lambda _umpire, _side: 'towns'\n"
)
WAYS = {
    "seen": ("from .seen.telling import more\n", "far_ridge/seen/telling.py", TYPED + MORE, TYPED + LESS),
    "another module": ("from far_ridge_base import more\n", "far_ridge_base.py", TYPED + MORE, TYPED + LESS),
    "a table": (READS, "far_ridge/more.yaml", "no", "yes"),
}


def install_with_more(site, code, file, text):
    """Install the package with rules that also use another file of its distribution; return the folder."""
    folder = foreign.install(site)
    foreign.patch(folder, "__init__.py", "from typing import Any\n", f"from typing import Any\n\n{code}")
    foreign.patch(folder, "__init__.py", GIVEN, f"{GIVEN}    **more,\n")
    (folder / "seen").mkdir()
    for name, content in (("far_ridge/seen/__init__.py", ""), (file, text)):
        (site / name).write_text(content, "ascii")
    (info,) = site.glob("*.dist-info")
    foreign.write_record(site, folder, *site.glob("far_ridge_base.py"), info)
    return folder


@pytest.mark.parametrize("way", WAYS)
def test_H3_other_decisions_by_any_file_are_not_decided(tmp_path, way):
    """H3: these files decided, too, but were not in the pin: `inbox` and `prove` convicted an honest player."""
    code, file, honest, other = WAYS[way]
    install_with_more(tmp_path / "site", code, file, honest)
    anna, boris = play_first_moves(tmp_path, tmp_path / "site")
    before = anna.read_pin()
    patched_copy(anna, f"../{file}", honest, other)
    assert anna.read_pin() != before
    assert OTHER in anna.type("inbox", boris.game / "0001.yaml", status=2)
    said = anna.type("prove", anna.game / "0000.yaml", boris.game / "0001.yaml", status=1)
    assert f"the rest is {OTHER}" in said


def plant_cache(site):
    """Let Python's cache have other rules than the source, as after a file copied with an old time; keep the source."""
    source = site / foreign.MODULE / "__init__.py"
    text = source.read_text("utf-8")
    foreign.patch(site / foreign.MODULE, *RESULTS)
    py_compile.compile(str(source), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    source.write_text(text, "utf-8")


@pytest.mark.parametrize("program", ["", f"import {foreign.MODULE}; "], ids=["kursk", "imported before"])
def test_H3_no_rules_are_run_from_the_cache_of_python(played, program):
    """H3: with an equal pin, rules from ``__pycache__`` convicted an honest player."""
    anna, boris = played
    patched_copy(anna, "__init__.py", GIVEN, GIVEN)
    before = anna.read_pin()
    plant_cache(anna.site)
    assert anna.read_pin() == before
    code = f"{program}import sys; from kursk_pbem.cli import run; sys.exit(run(sys.argv[1:]))"
    done = anna.python("-c", code, "inbox", str(boris.game / "0001.yaml"))
    assert done.returncode == 0, done.stderr
    assert "moves" in done.stdout


def test_a_proof_by_rules_that_are_not_here_is_not_decided(played, tmp_path):
    """H3: the proof ended with 3, as if its maker lied."""
    anna, boris = played
    content = folders.read_message(boris.game / "0001.yaml").content
    false = {**content, "state-out": "0" * 64}
    armour = keys.load_key(boris.root / "boris").sign(sshsig.NAMESPACE, messages.signed_bytes(false))
    (boris.root / "false.yaml").write_text(messages.emit_message(false, armour, None), "ascii")
    said = anna.type("prove", anna.game / "0000.yaml", boris.root / "false.yaml")
    assert "convicted of false results" in said
    assert f"by the rules {anna.read_pin()[:16]}" in said
    (proof,) = anna.root.glob("proof-*.yaml")
    assert f"rules: {anna.read_pin()}" in proof.read_text("ascii")
    assert "convicted of false results" in boris.type("prove", proof)
    patched_copy(boris, *RESULTS)
    assert f"the rest is {OTHER}" in boris.type("prove", proof, status=1)
    assert "is not installed here" in Desk(tmp_path, "carla", None).type("prove", proof, status=1)


REFUSED = {
    "far_ridge/fast.so": ("", "'far_ridge/fast.so' is compiled code"),
    "far_ridge/fast.PYD": ("", "'far_ridge/fast.PYD' is compiled code"),
    "far_ridge/old.pyc": ("", "'far_ridge/old.pyc' is compiled code"),
    "far_ridge/a.py": ("\nimport yaml\n", "far_ridge/a.py:2: imports yaml, which no pin covers"),
    "far_ridge/b.py": ("def f():\n    from click import echo\n", "far_ridge/b.py:2: imports click"),
    "far_ridge/c.py": ("from importlib import import_module\n", "far_ridge/c.py:1: imports importlib"),
    "far_ridge/d.py": ("__import__('yaml')\n", "far_ridge/d.py:1: imports __import__"),
    "far_ridge/e.py": ("from far_ridge_base import more\n", "far_ridge/e.py:1: imports far_ridge_base"),
    "far_ridge/f.py": ("x = = 1\n", "its files cannot be read ('invalid syntax (f.py, line 1)')"),
    "far_ridge/\u00e9.txt": ("", "'far_ridge/\\xe9.txt' is no name in ASCII"),
    "far_ridge_game-1.4.dist-info/RECORD": ("", "it has no list of its files"),
}


@pytest.mark.parametrize("file", REFUSED)
def test_H3_a_package_that_no_pin_covers_is_refused(tmp_path, file):
    """The package is named; listing and the other systems go on, and nothing of the package is run."""
    folder = foreign.install(tmp_path / "site")
    foreign.patch(
        folder, "__init__.py", "from __future__ import annotations\n", f"from __future__ import annotations\n{MARK}"
    )
    text, words = REFUSED[file]
    (tmp_path / "site" / file).write_text(text, "utf-8")
    desk = Desk(tmp_path, "anna", tmp_path / "site")
    assert f"the package far-ridge-game 1.4 cannot be used for {RID}: {words}" in desk.type("scenario", RID, status=2)
    said = desk.type("ruleset")
    assert f"refused: the package far-ridge-game 1.4 cannot be used for {RID}: {words}" in said
    assert "battle-for-kursk (this program)" in said
    assert not (folder / "imported").exists()


def test_hashes_of_our_rules_have_every_file(tmp_path):
    """H3: `kursk ruleset` left out ``seen`` and every file without an end of .py or .json, so a change did not show."""
    found = set()
    for name in ("rules.py", "seen/wording.py", "map.yaml", "picture.svg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("", "ascii")
        packages.hash_folders.cache_clear()
        found.add(packages.hash_folders(((tmp_path, ""),)))
    assert len(found) == 4


def hostile_head(desk, change):
    """Return message 0 with another field ``ruleset``, signed by its writer."""
    message = folders.read_message(desk.game / "0000.yaml")
    content = {**message.content, "ruleset": change(dict(message.mapping("ruleset")))}
    armour = keys.load_key(desk.root / desk.name).sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    return messages.emit_message(content, armour, message.state)


def with_package(**fields):
    return lambda rules: {**rules, "package": {**rules["package"], **fields}}


LONG = "a" * 65
HOSTILE = {
    "other hash": (with_package(sha256="0" * 64), OTHER),
    "other name": (with_package(name="evil"), OTHER),
    "other release": (with_package(release="1.5"), OTHER),
    "no pin": (lambda rules: {key: rules[key] for key in ("id", "version")}, "does not name the package of far-ridge"),
    "missing": (lambda rules: {**rules, "id": "farther"}, "rules of farther come from the package far-ridge-game"),
    "id of ours": (lambda rules: {**rules, "id": "kursk-1971"}, "kursk-1971 is a ruleset of this program"),
    "module": (lambda rules: {**rules, "id": "far/ridge"}, "the rules of far/ridge come from"),
    "option of pip": (with_package(name="-r"), "name: found"),
    "shell": (with_package(release="1'; rm -rf ~"), "release: found"),
    "blank": (with_package(release=""), "release: found"),
    "control characters": (with_package(name="a\nb"), "'a\\nb'"),
    "long": (with_package(name=LONG), "name: found"),
    "more": (with_package(url="https://example.org"), "'url' is not known here"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_pin_gets_a_clear_error_and_imports_nothing(played, tmp_path, case):
    anna, boris = played
    change, words = HOSTILE[case]
    (tmp_path / "0000.yaml").write_text(hostile_head(anna, change), "ascii")
    patched_copy(
        boris, "__init__.py", "from __future__ import annotations\n", f"from __future__ import annotations\n{MARK}"
    )
    for command in ("accept", "inbox", "prove"):
        status, said = boris.run(command, tmp_path / "0000.yaml")
        assert status in (1, 2), said
        assert words in said or command != "accept", said
        assert "Traceback" not in said
        assert "fault of the program" not in said
    assert not (boris.site / foreign.MODULE / "imported").exists()


def test_listing_imports_no_package_and_naming_imports_one(tmp_path):
    folder = foreign.install(tmp_path / "site")
    foreign.patch(
        folder, "__init__.py", "from __future__ import annotations\n", f"from __future__ import annotations\n{MARK}"
    )
    desk = Desk(tmp_path, "anna", tmp_path / "site")
    assert f"{RID}: of the package far-ridge-game 1.4" in desk.type("scenario")
    for words in (
        ("help", "commands"),
        ("help", "move"),
        ("help", RID),
        ("help", "supply"),
        ("status",),
        ("rule", "K-1"),
    ):
        desk.run(*words)
    assert not (folder / "imported").exists()
    assert "The ridge" in desk.type("scenario", RID)
    assert (folder / "imported").exists()


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"rid": "battle-for-kursk"}, "battle-for-kursk is an id of this program"),
        ({"rid": "Far Ridge"}, "'Far Ridge' is no id of a ruleset"),
        ({"value": "no_such_module"}, "'no_such_module' names no installed package"),
        ({"value": "../etc"}, "'../etc' names no installed package"),
        ({"release": "1 4"}, "'1 4' has a name or release that message 0 cannot pin"),
    ],
)
def test_a_bad_entry_point_is_refused_and_stops_nothing(tmp_path, entry, words):
    folder = foreign.install(tmp_path / "site", **entry)
    foreign.patch(
        folder, "__init__.py", "from __future__ import annotations\n", f"from __future__ import annotations\n{MARK}"
    )
    desk = Desk(tmp_path, "anna", tmp_path / "site")
    said = desk.type("scenario")
    assert "refused: " in said
    assert words in said
    assert "Citadel" in desk.type("scenario", "battle-for-kursk")
    assert not (folder / "imported").exists()


def test_two_packages_with_one_ruleset_are_both_refused(tmp_path):
    foreign.install(tmp_path / "site")
    foreign.install(tmp_path / "site", name="other-ridge")
    desk = Desk(tmp_path, "anna", tmp_path / "site")
    assert f"far-ridge-game and other-ridge both bring {RID}: uninstall one" in desk.type("scenario")
    assert f"no ruleset '{RID}'" in desk.type("rule", RID, status=2) or "name a ruleset" in desk.type(
        "rule", RID, status=2
    )


FAULTS = ["import nothing_here", "x = = 1", "del RULESET", "raise RuntimeError('a\\nb')", "assert not GAME", "1 // 0"]
FAULTS += [
    "raise SystemExit(0)",
    "import sys; sys.exit()",
    "raise OSError",
    "from kursk_pbem.errors import no_such_name",
]


@pytest.mark.parametrize("fault", FAULTS)
def test_L3_a_package_that_cannot_be_loaded_is_named(tmp_path, fault):
    """L3: some errors ended with "an error of the program", and an exit with status 141 and no word."""
    folder = foreign.install(tmp_path / "site")
    with (folder / "__init__.py").open("a") as file:
        file.write(f"{fault}\n")
    said = Desk(tmp_path, "anna", tmp_path / "site").type("scenario", RID, status=2)
    assert f"the package far-ridge-game 1.4 cannot be used for {RID}" in said
    assert "author" in said


def test_our_rulesets_refuse_a_pin():
    path = finished_games.folder_of(registry.kit(), "moscow") / "0000.yaml"
    pin = f"ruleset:\n  package: {{name: kursk-donets, release: '1.4', sha256: '{'0' * 64}'}}\n"
    raw = path.read_text("ascii").replace("ruleset:\n", pin).encode("ascii")
    message = messages.read_message(raw, "a.yaml")
    with pytest.raises(UsageError, match="battle-for-kursk is a ruleset of this program"):
        pins.check_code(message.mapping("ruleset"))
