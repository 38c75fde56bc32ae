"""Rulesets of packages: the pin in message 0 decides whose code judges (docs/formats.md 5.6)."""

import shutil

import pytest
from helpers import finished_games, foreign, registry
from helpers.foreign import RID, Desk

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import packages
from kursk_pbem.game import folders, inbox, pins
from kursk_pbem.trust import keys, messages, sshsig

pytestmark = pytest.mark.slow
GIVEN = "    strength=strength,\n"
RESULTS = ("__init__.py", GIVEN, f"{GIVEN}    ended=lambda _umpire, _side: 'towns',\n")
ORDERS = ("__init__.py", GIVEN, f"{GIVEN}    allowance=lambda pos, uid: pos.setting.counters[uid].move - 1,\n")
OTHER = "not decided: other rules' code"
MARK = "import pathlib; pathlib.Path(__file__).with_name('imported').touch()\n"


@pytest.fixture
def played(tmp_path):
    """Return two desks with the same package, and a game after Anna's proposal and Boris's first move."""
    site = tmp_path / "site"
    foreign.install(site)
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
    assert pin["sha256"] == packages.hash_code(((anna.site / foreign.MODULE, ""),))
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
    one, two = (packages.hash_code(((desk.site / foreign.MODULE, ""),))[:16] for desk in (anna, boris))
    assert f"pins far-ridge-game 1.4 ({one}), but far-ridge-game 1.4 ({two}) is installed" in said


def test_a_missing_package_is_named_with_the_command_to_install(played, tmp_path):
    stranger = Desk(tmp_path, "carla", None)
    stranger.type("keygen", "carla")
    said = stranger.type("accept", played[0].game / "0000.yaml", status=2)
    assert "type pip install 'far-ridge-game==1.4'" in said


def test_words_and_displays_of_a_package_change_without_a_new_pin(tmp_path):
    folder = foreign.install(tmp_path)
    before = packages.hash_code(((folder, ""),))
    (folder / "seen").mkdir()
    (folder / "seen" / "telling.py").write_text("", "ascii")
    (folder / "page.md").write_text("", "ascii")
    packages.hash_code.cache_clear()
    assert packages.hash_code(((folder, ""),)) == before
    (folder / "more.py").write_text("", "ascii")
    packages.hash_code.cache_clear()
    assert packages.hash_code(((folder, ""),)) != before


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
    "no pin": (lambda rules: {key: rules[key] for key in ("id", "version")}, "does not pin the package of far-ridge"),
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
        done = boris.python("-m", "kursk_pbem", command, str(tmp_path / "0000.yaml"))
        said = " ".join((done.stdout + done.stderr).split())
        assert done.returncode in (1, 2), said
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
        desk.python("-m", "kursk_pbem", *words)
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


@pytest.mark.parametrize("fault", ["import nothing_here\n", "x = = 1\n", "del RULESET\n"])
def test_a_package_that_cannot_be_loaded_is_named(tmp_path, fault):
    folder = foreign.install(tmp_path / "site")
    with (folder / "__init__.py").open("a") as file:
        file.write(fault)
    said = Desk(tmp_path, "anna", tmp_path / "site").type("scenario", RID, status=2)
    assert f"the package far-ridge-game 1.4 cannot be used for {RID}" in said
    assert "author" in said


def test_our_rulesets_refuse_a_pin():
    path = finished_games.folder_of(registry.kit(), "moscow") / "0000.yaml"
    pin = f"ruleset:\n  package: {{name: kursk-donets, release: '1.4', sha256: '{'0' * 64}'}}\n"
    raw = path.read_text("ascii").replace("ruleset:\n", pin).encode("ascii")
    message = inbox.read(raw, "a.yaml")
    with pytest.raises(UsageError, match="battle-for-kursk is a ruleset of this program"):
        pins.check_code(message.mapping("ruleset"))
