"""Every door names a thing from before release 1.0, judges nothing by it, and deletes nothing (docs/formats.md 5.6)."""

from functools import cache, partial

import pytest
from helpers import early
from helpers.commands import refused, tree

from kursk_pbem.cli import run

OF_GAME = ("adjudicate GAME", "verify GAME", "prove GAME", "status GAME", "report GAME", "export GAME -o OUT")
OF_MESSAGE = ("adjudicate GAME/0000.yaml", "adjudicate GAME/0001.yaml", "inbox --report GAME/0000.yaml")
DOORS = {
    "tournament": (
        "verify",
        "adjudicate",
        "tournament verify",
        "tournament status",
        "tournament enter --yes",
        "rating",
    ),
    "paper": ("adjudicate", "inbox", "inbox --report", "verify", "prove", "accept", "tournament enter --yes"),
    "proof": ("adjudicate", "inbox", "inbox --report", "verify", "prove", "accept", "tournament enter --yes"),
    "saved": ("open", "open --yes"),
}
NOUNS = {"paper": "tournament", "saved": "saved folder"}


@pytest.fixture
def outside(tmp_path, monkeypatch):
    """Return a folder for things, away from the current folder and the private folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KURSK_KEY", raising=False)
    run(["keygen", str(tmp_path / "me"), "-q"])
    return tmp_path / "things"


@pytest.mark.parametrize(("thing", "words"), [(thing, words) for thing, doors in DOORS.items() for words in doors])
def test_1_a_thing_from_before_release_1_is_named(outside, capsys, monkeypatch, thing, words):
    monkeypatch.setenv("KURSK_KEY", str(outside.parent / "me"))
    path = early.write_things(outside)[thing]
    before = tree(outside.parent)
    assert run([*words.split(), str(path)]) == 2
    said = capsys.readouterr()
    told = " ".join((said.out + said.err).split())
    assert f"{NOUNS.get(thing, thing)} {early.EARLY}" in told
    assert not early.BLAME.search(told)
    assert tree(outside.parent) == before


@pytest.fixture(scope="module")
def play_once(tmp_path_factory):
    """Return a function that returns the folder of a game of a system."""
    return cache(partial(early.play_game, tmp_path_factory.mktemp("early")))


@pytest.mark.some(3)
@pytest.mark.parametrize("words", [*OF_GAME, *OF_MESSAGE])
@pytest.mark.parametrize("rid", early.SYSTEMS)
def test_1_a_game_from_before_release_1_is_named(outside, play_once, capsys, rid, words):
    folder = play_once(rid)
    before = tree(folder)
    said = refused(capsys, 2, *words.replace("GAME", str(folder)).replace("OUT", str(outside / "out")).split())
    assert f"of {rid} {early.EARLY}" in " ".join(said.split())
    assert not early.BLAME.search(said)
    assert tree(folder) == before
