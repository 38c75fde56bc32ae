"""After any interruption: one message for a slot, no message outside the journal, and the next command continues
(protocol 2.6). Commands are killed at every system call, or find the disk full from there on.
"""

import os
import shutil

import pytest
from helpers.commands import tree
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import ENGAGE, OPENING

from desk.crashed import check_plain_failure, different, run_all
from kursk_pbem.desk.ground import locks
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import UsageError
from kursk_pbem.game import entropy, folders
from kursk_pbem.game.disk import PREFIX

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Return a table with a filled, unsigned message 1."""
    with entropy.fix_random_bytes("crashes"):
        table = Table(tmp_path_factory.mktemp("crashes") / "table").begin()
        table.russian.fill(OPENING)
        yield table


@pytest.fixture(scope="module")
def answering(tmp_path_factory):
    """Return the place of the Russian before an answer to message 2 without choices."""
    with entropy.fix_random_bytes("answers"):
        table = Table(tmp_path_factory.mktemp("answers") / "table").begin()
        table.turn(OPENING)
        table.german.fill({"choice": {"posture/turn-1": ENGAGE}})
        table.mail(table.german.sign(), "russian")
        yield table.russian


def one_message(each, seq, monkeypatch, capsys, *words, fresh=True):
    """Check for one id in the slot after the second command, and return the id.

    ``fresh``: a second signature would have another id.
    """
    first = each.journalled(seq)
    assert each.released(seq) in ("", first)
    each.whole()
    status, said = each.command(monkeypatch, capsys, *words)
    assert status == 0 or "because its message is signed: mail" in said, said
    assert each.released(seq) == each.journalled(seq) != ""
    assert first in ("", each.released(seq))
    if first and fresh:
        assert status == 2 or "was signed before" in said
    report = folders.report_path(each.folder, seq)
    assert report.read_text(encoding="utf-8").endswith("\n")
    assert not folders.draft_path(each.folder, seq).exists()
    assert not folders.report_path(each.folder, seq, draft=True).exists()
    return each.released(seq)


def draft_in(place):
    (found,) = place.glob("game-*/0001.draft.yaml")
    return found.relative_to(place)


def test_sign_killed_at_every_call_never_gives_away_two_messages(table, tmp_path, monkeypatch, capsys):
    place = table.russian.place
    draft = draft_in(place)
    cut = run_all("kill", place, tmp_path / "cut", "sign", draft, "--yes")
    assert cut[-1].through
    assert len(cut) > 15
    found = [bool(each.journalled(1)) + bool(each.released(1)) for each in cut]
    assert found == sorted(found)
    assert set(found) == {0, 1, 2}
    ids = set()
    for each in different(cut):
        path = each.place / draft
        if path.exists():
            path.write_text(path.read_text(encoding="ascii") + "note: second thoughts\n", encoding="ascii")
        ids.add(one_message(each, 1, monkeypatch, capsys, "sign", draft, "--yes"))
    assert len(ids) > 1  # a second signature would have been another message


def test_without_hard_links_nothing_is_half_there_either(table, tmp_path, monkeypatch, capsys):
    draft = draft_in(table.russian.place)
    cut = run_all("nolinks", table.russian.place, tmp_path / "cut", "sign", draft, "--yes")
    assert cut[-1].through
    assert len(cut) > 15
    for each in different(cut):
        empty = {path.name for path in each.place.rglob("*") if path.is_file() and not path.stat().st_size}
        assert {name for name in empty if not name.startswith(PREFIX)} <= {locks.NAME}
        one_message(each, 1, monkeypatch, capsys, "sign", draft, "--yes")


def test_without_links_or_locks_an_entry_that_was_cut_off_stops_the_slot_and_releases_nothing(
    table, tmp_path, monkeypatch, capsys
):
    draft = draft_in(table.russian.place)
    cut = run_all("bare", table.russian.place, tmp_path / "cut", "sign", draft, "--yes")
    assert cut[-1].through
    torn = 0
    for each in different(cut):
        message = folders.message_path(each.folder, 1)
        if message.exists() and not message.read_bytes():  # only the name exists
            torn += 1
            status, said = each.command(monkeypatch, capsys, "sign", draft, "--yes")
            assert (status, "0001.yaml: this file is empty" in said) == (2, True)
            message.unlink()
        entry = each.place.joinpath("private", "games").glob("*/journal/0001.json")
        try:
            each.journalled(1)
        except UsageError:
            torn += 1
            assert not each.released(1)
            status, said = each.command(monkeypatch, capsys, "sign", draft, "--yes")
            assert (status, "move the file away" in said, each.released(1)) == (2, True, "")
            next(entry).unlink()
        one_message(each, 1, monkeypatch, capsys, "sign", draft, "--yes")
    assert torn == 2  # an entry, and a message


def test_adjudicate_and_sign_killed_at_every_call(answering, tmp_path, monkeypatch, capsys):
    words = ("inbox", "--report", "inbox/0002.yaml", "--sign")
    cut = run_all("kill", answering.place, tmp_path / "cut", *words)
    assert cut[-1].through
    assert len(cut) > 30
    for each in cut:
        assert each.own.read_slot(2) or not each.released(2)
        assert each.journalled(3) or not each.released(3)
    for each in different(cut):
        one_message(each, 3, monkeypatch, capsys, *words, fresh=False)
        assert each.own.read_slot(2).id == each.released(2)


def test_restore_killed_at_every_call_goes_on(answering, tmp_path, monkeypatch, capsys):
    place = tmp_path / "place"
    shutil.copytree(answering.folder, place / "mails", ignore=shutil.ignore_patterns("*.txt"))
    for name in ("me", "me.pub"):
        shutil.copy(answering.place / name, place)
    name = answering.folder.name
    words = ("restore", name, "mails", "--key", "me")
    cut = run_all("kill", place, tmp_path / "cut", *words)
    assert cut[-1].through
    assert len(cut) > 30
    for each in different(cut):
        if each.games:
            desk = desks.open_desk(each.folder, each.place / "private")
            assert desk.own is None or not desk.lock
        status, said = each.command(monkeypatch, capsys, *words)
        assert status == 0, said
        files = {path: data for path, data in each.files().items() if PREFIX not in path.name}
        whole = {path: data for path, data in cut[-1].files().items() if PREFIX not in path.name}
        assert files.keys() == whole.keys()
        assert all(files[path] == whole[path] for path in files if path.suffix != ".json")


def test_a_full_disk_leaves_nothing_half_written_when_signing(table, tmp_path, monkeypatch, capsys):
    draft = draft_in(table.russian.place)
    full = run_all("fill", table.russian.place, tmp_path / "full", "sign", draft, "--yes")
    assert full[-1].through
    assert len(full) > 10
    for each in full[:-1]:
        check_plain_failure(each.said, os.strerror(28))
        assert not each.litter
    told = [each for each in full[:-1] if each.journalled(1) and "in your journal" in each.said["err"]]
    assert told
    for each in different(full[:-1]):
        one_message(each, 1, monkeypatch, capsys, "sign", draft, "--yes")


@pytest.mark.long("test-all")
def test_a_full_disk_leaves_nothing_half_written_when_a_message_comes(answering, tmp_path, monkeypatch, capsys):
    words = ("inbox", "--report", "inbox/0002.yaml", "--sign")
    full = run_all("fill", answering.place, tmp_path / "full", *words)
    assert full[-1].through
    assert len(full) > 20
    for each in full[:-1]:
        check_plain_failure(each.said, os.strerror(28))
        assert not each.litter
    for each in different(full[:-1]):
        one_message(each, 3, monkeypatch, capsys, *words, fresh=False)


@pytest.mark.parametrize(
    "words",
    [
        ("sign", "DRAFT", "--yes"),
        ("inbox", "--report", "inbox/0000.yaml"),
        ("setup", "draft", "GAME"),
        ("accept", "inbox/0000.yaml", "--key", "me", "--dir", "new"),
        ("restore", "GAME", "inbox", "--key", "me"),
        ("keygen", "other"),
    ],
)
def test_where_nothing_can_be_written_nothing_is_changed(table, answering, tmp_path, words):
    player = answering if words[0] == "restore" else table.russian
    place = tmp_path / "place"
    shutil.copytree(player.place, place)
    names = {"DRAFT": f"{player.folder.name}/0001.draft.yaml", "GAME": player.folder.name}
    if words[0] == "setup":
        (place / names["DRAFT"]).unlink()
    if words[0] in ("accept", "restore"):  # a running game accepts no second proposal
        shutil.rmtree(place / "private")
    (spoilt,) = run_all("forbid", place, tmp_path / "out", *(names.get(word, word) for word in words), most=1)
    check_plain_failure(spoilt.said, os.strerror(30))
    assert tree(spoilt.place) == {spoilt.place / path.relative_to(place): data for path, data in tree(place).items()}
