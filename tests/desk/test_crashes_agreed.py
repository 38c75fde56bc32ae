"""Resignations, offers and replies cut off at every system call, or with a full disk: the same command again
makes the same file and report, and no second message (protocol 2.6).
"""

import os
import shutil

import pytest
from helpers import sweeps
from helpers.agreements import send
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import ENGAGE, OPENING

from desk.crashed import check_plain_failure, different, run_all
from kursk_pbem.desk.draft import drafts
from kursk_pbem.game import entropy, folders

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

RESIGN = ("resign", "GAME", "--yes")
DRAW = ("offer", "GAME", "draw", "--yes")
SUCCESSOR = ("offer", "GAME", "successor", "--at", "1", "--yes")
DECLINE = ("reply", "GAME", "decline", "--yes")
ACCEPT = ("reply", "GAME", "accept", "--yes")


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Return three places: before message 3, before the reply to a draw offer, and before an answer."""
    found = {}
    for name in ("asked", "answered"):
        with entropy.fix_random_bytes("cut off"):
            table = Table(tmp_path_factory.mktemp(name) / "table").begin()
            table.turn(OPENING)
            table.turn({"choice": {"posture/turn-1": ENGAGE}})
            found["due"] = shutil.copytree(table.russian.place, table.root / "due")
            send(table, drafts.make_offer(table.due.desk, "draw") if name == "asked" else None)
        found[name] = table.german.place
    return {name: (place, table.german.folder.name) for name, place in found.items()}


KINDS = [("due", RESIGN), ("due", DRAW), ("answered", SUCCESSOR), ("asked", DECLINE), ("asked", ACCEPT)]
SEQS = {"due": 3, "asked": 4, "answered": 4}
MOST = 99  # system calls of the commands


def commands():
    return pytest.mark.parametrize(("where", "words"), sweeps.some(KINDS, 2))


def at(places, where, words):
    place, name = places[where]
    return place, tuple(word.replace("GAME", name) for word in words)


def entry(each, name, seq):
    return each.place / "private" / "games" / name.removeprefix("game-") / "journal" / f"{seq:04d}.json"


def again(each, name, seq, monkeypatch, capsys, words):
    """Repeat the command twice: the first run restores file and report, the second run changes nothing."""
    journalled = entry(each, name, seq)
    first = journalled.read_bytes() if journalled.exists() else b""
    status, said = each.command(monkeypatch, capsys, *words)
    assert status == 0, said
    assert not first or "was signed before" in said
    assert first in (b"", journalled.read_bytes())
    assert folders.message_path(each.place / name, seq).exists()
    assert folders.report_path(each.place / name, seq).read_text(encoding="utf-8").endswith("\n")
    assert not folders.report_path(each.place / name, seq, draft=True).exists()
    before = each.files()
    status, said = each.command(monkeypatch, capsys, *words)
    assert (status, "was signed before" in said) == (0, True), said
    assert each.files() == before


@pytest.mark.some(3)
@commands()
def test_cut_off_at_every_call_they_can_be_given_again(places, tmp_path, monkeypatch, capsys, where, words):
    place, given = at(places, where, words)
    cut = run_all("kill", place, tmp_path / "cut", *given, most=MOST)
    assert cut[-1].through
    assert len(cut) > 8
    for each in different(cut):
        again(each, given[1], SEQS[where], monkeypatch, capsys, given)


def test_a_successor_that_was_cut_off_is_proposed_once(places, tmp_path, monkeypatch, capsys):
    place, given = at(places, "answered", SUCCESSOR)
    cut = run_all("kill", place, tmp_path / "cut", *given, most=MOST)
    some = 0
    for each in different(cut):
        there = {path for path in each.place.glob("game-*/0000.yaml") if path.parent.name != given[1]}
        some += bool(there)
        again(each, given[1], 4, monkeypatch, capsys, given)
        assert len({path for path in each.place.glob("game-*/0000.yaml") if path.parent.name != given[1]}) == 1
        assert all(path.exists() for path in there)
    assert some > 2


@pytest.mark.some(3)
@commands()
def test_on_a_full_disk_they_say_what_to_do_and_can_be_given_again(places, tmp_path, monkeypatch, capsys, where, words):
    place, given = at(places, where, words)
    full = run_all("fill", place, tmp_path / "full", *given, most=MOST)
    for each in full[:-1]:
        check_plain_failure(each.said, os.strerror(28))
    for each in different(full[:-1]):
        again(each, given[1], SEQS[where], monkeypatch, capsys, given)
