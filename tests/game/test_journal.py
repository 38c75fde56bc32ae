"""The journal: one message for each slot, and no loss of entries (protocol 2.6)."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.two_processes import SLOTS, fill_slots, fresh_record, run_together, sign_the_draft, take_the_letter
from rulesets.battle_for_kursk.first_turn import ENGAGE, OPENING, ORDERS

from kursk_pbem.desk.draft import drafts, policies
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import disk, folders, journal
from kursk_pbem.game.journal import RECEIVED, Slot

pytestmark = pytest.mark.slow


def test_two_processes_never_hold_two_ids_for_one_slot(tmp_path):
    own = fresh_record(tmp_path)
    found = run_together(fill_slots, tmp_path)
    assert found["a"] == found["b"]
    assert [own.read_slot(seq).id for seq in range(SLOTS)] == found["a"]
    for seq in range(SLOTS):  # the entry is whole, from a single process
        slot = own.read_slot(seq)
        assert slot.text == f"text of {slot.id[0]}\n" * 400
    left = [path.name for path in (own.path / "journal").iterdir()]
    assert sorted(left) == [f"{seq:04d}.json" for seq in range(SLOTS)]


def test_two_processes_that_sign_release_one_message(table):
    russian = table.russian
    path = russian.fill(OPENING)
    for who in "ab":  # every process has a different message, because message 1 opens a fresh nonce
        text = path.read_text(encoding="ascii") + f"note: from {who}\n"
        (russian.folder / f"{who}.yaml").write_text(text, encoding="ascii")
    found = run_together(sign_the_draft, russian.folder, russian.home)
    won = [who for who, said in found.items() if not said.startswith("refused")]
    assert len(won) == 1
    released = folders.read_message(folders.message_path(russian.folder, 1))
    assert released.id == found[won[0]] == journal.find(russian.home, released.content["game"]).read_slot(1).id
    assert released.content["note"] == f"from {won[0]}"


def test_two_processes_that_take_one_letter_write_the_same(table):
    russian, german = table.russian, table.german
    table.turn(OPENING)
    german.fill({"choice": {"posture/turn-1": ENGAGE}})
    letter = table.mail(german.sign(), "russian")
    assert run_together(take_the_letter, letter, russian.home) == {"a": 0, "b": 0}
    assert folders.message_path(russian.folder, 2).read_bytes() == letter.read_bytes()
    desk = russian.sit()
    assert replace(desk.own.read_slot(2), at="") == Slot(2, RECEIVED, desk.game.chain.ids[2])
    names = {path.name for path in russian.folder.iterdir()}
    assert names >= {"0002.yaml", "0003.draft.yaml", "report-0002.txt"}
    assert not [name for name in names if name.startswith(".")]


def test_a_received_slot_is_not_taken_by_another_message(table):
    russian = table.russian
    with pytest.raises(TrustError, match="accepted another message 0"):
        desks.record_slot(russian.desk, Slot(0, RECEIVED, "c" * 64))


def test_a_journal_entry_that_cannot_be_read_is_said_so(table):
    russian = table.russian
    entry = russian.desk.own.path / "journal" / "0000.json"
    for damage in (b"", b"{", b"[]", b"{}", b"\xff\xfe", b'{"kind": "signed", "id": 5}'):
        entry.write_bytes(damage)
        with pytest.raises(UsageError, match=r"journal|0000\.json"):
            russian.sit()


def test_a_private_record_that_cannot_be_read_is_said_so(table):
    russian = table.russian
    entry = russian.desk.own.path / "game.json"
    whole = entry.read_text(encoding="utf-8")
    for damage in ("", "{", "[]", "{}", whole.replace('"secret": "', '"secret": "zz')):
        entry.write_text(damage, encoding="utf-8")
        with pytest.raises(UsageError, match="cannot be read"):
            russian.sit()


def test_private_folders_are_for_their_owner_alone(table):
    home = table.russian.home
    for folder in (home, home / "games", table.russian.desk.own.path):
        assert folder.stat().st_mode & 0o077 == 0
    policies.store_policy(table.russian.desk.own, table.russian.desk.game, b"stand-fast: never\n", "policy")
    files = [path for path in table.russian.desk.own.path.rglob("*") if path.is_file()]
    assert {"game.json", "0000.json", "policy.yaml"} <= {path.name for path in files}
    for path in files:
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_a_home_that_has_other_uses_keeps_its_mode(tmp_path, umask):
    """KURSK_HOME may be a home directory: private files are in a folder below."""
    home = tmp_path / "home"
    (home / "games").mkdir(parents=True)
    for folder in (home, home / "games"):
        folder.chmod(0o755)
    before = os.umask(umask)
    try:
        own = fresh_record(home)
        new = fresh_record(tmp_path / "not" / "there")
    finally:
        os.umask(before)
    assert [stat.S_IMODE(each.stat().st_mode) for each in (home, home / "games")] == [0o755, 0o755]
    assert [stat.S_IMODE(each.stat().st_mode) for each in (own.path, own.path / "journal")] == [0o700, 0o700]
    made = (new.home, new.home / "games", new.path, new.path / "journal")
    assert [stat.S_IMODE(each.stat().st_mode) for each in made] == [0o700] * 4


def test_T23_drafts_are_for_their_owner_alone_from_the_first_byte(table, monkeypatch):
    """A draft holds the posture and the plans in the clear, and a report before the dice are sent holds the dice."""
    modes = {}

    def watched(put):
        def seen(temporary, path):
            modes.setdefault(Path(path).name, set()).add(stat.S_IMODE(Path(temporary).stat().st_mode))
            put(temporary, path)

        return seen

    for name in ("replace", "link"):
        monkeypatch.setattr(disk.os, name, watched(getattr(os, name)))
    table.turn(OPENING)
    table.turn(ORDERS)
    table.turn({})
    draft, told = table.german.draft(), folders.report_path(table.german.folder, 4, draft=True)
    assert {each.name for each in (draft, told)} == {"0004.draft.yaml", "report-0004.draft.txt"}
    for path in (draft, told):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o644)  # its owner's editor may
        path.write_text("# edited\n", encoding="ascii")
    drafts.write_draft(table.german.desk, force=True)
    play.take_message(table.german.desk, folders.read_message(table.german.folder / "0003.yaml"))
    for path in (draft, told):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert all(found == {0o600} for name, found in modes.items() if ".draft." in name)
    assert modes["0003.yaml"] == {0o644}
