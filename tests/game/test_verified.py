"""The cache of verified games: bound to every byte of the files, and only a shortcut."""

import hashlib
import json
import re
import shutil

import pytest
from helpers import sweeps
from helpers.commands import refused, well

from kursk_pbem.audit import verify
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import DiskError, KurskError, LostError
from kursk_pbem.game import disk, folders, histories, journal, reports, verified
from kursk_pbem.trust.chains import Chain


@pytest.fixture
def desk(later):
    """The German's place, to be spoilt: desk, with nothing remembered yet."""
    german = later.german
    found = desks.Desk(german.folder, histories.load(german.folder), journal.find(german.home, later.game.chain.game))
    kept(found).unlink(missing_ok=True)
    return found


@pytest.fixture
def checked(monkeypatch):
    """The numbers of the messages added to a chain."""
    seen = []
    extend = Chain.extend

    def noting(chain, message):
        seen.append(message.seq)
        return extend(chain, message)

    monkeypatch.setattr(Chain, "extend", noting)
    return seen


def kept(desk):
    return desk.own.path / verified.NAME


def sit(desk):
    return desks.open_desk(desk.folder, desk.own.home)


def whole(desk):
    """The numbers of the messages checked by a chain."""
    return list(range(1, desk.seq))


def test_the_second_time_the_newest_message_alone_is_verified(desk, checked):
    first = sit(desk)
    assert checked == whole(desk)
    checked.clear()
    second = sit(desk)
    assert checked == [desk.seq - 1]
    assert second.game == first.game == desk.game
    assert second.history.last_step == first.history.last_step
    assert second.game.state.sha256() == desk.game.state.sha256()


def test_a_message_after_it_moves_it_on(desk, checked):
    newest = folders.message_path(desk.folder, desk.seq - 1)
    letter, entry = newest.read_bytes(), desk.own.path / "journal" / f"{desk.seq - 1:04d}.json"
    newest.unlink()
    was = entry.read_bytes()
    entry.unlink()
    sit(desk)
    before = kept(desk).read_bytes()
    newest.write_bytes(letter)
    entry.write_bytes(was)
    checked.clear()
    assert sit(desk).game == desk.game
    assert checked == [desk.seq - 2, desk.seq - 1]
    assert kept(desk).read_bytes() != before
    checked.clear()
    sit(desk)
    assert checked == [desk.seq - 1]


def test_at_every_message_it_gives_what_verifying_gives(later, tmp_path):
    """Compare the slow and the fast way at every length of the game."""
    table, whole = later, histories.load(later.german.folder)
    place = tmp_path / "at" / table.german.folder.name
    place.mkdir(parents=True)
    home = tmp_path / "home"
    own = journal.find(table.german.home, table.game.chain.game)
    shutil.copytree(own.path, home / "games" / own.path.name, ignore=shutil.ignore_patterns(verified.NAME, "journal"))
    for step in whole.steps:
        shutil.copy(folders.message_path(table.german.folder, step.message.seq), place)
        for _again in range(2):
            found = verified.load(place, home)
            assert found.game == step.after
            assert reports.report_step(found.last_step) == reports.report_step(step)
    assert found.past == place
    assert [each.after for each in found.steps] == [each.after for each in whole.steps]


def test_earlier_messages_are_verified_when_somebody_asks_for_them(desk, checked):
    sit(desk)
    found = sit(desk)
    checked.clear()
    assert found.history.step(desk.seq - 1) is found.history.last_step
    assert checked == []
    assert found.history.step(2).message.seq == 2
    assert checked == whole(desk)[:-1]
    assert [step.message.seq for step in found.history.steps] == [0, *whole(desk)]


def test_a_folder_that_is_changed_before_they_are_asked_for_is_said(desk):
    sit(desk)
    found = sit(desk)
    path = folders.message_path(desk.folder, 3)
    path.write_bytes(path.read_bytes().replace(b"seq: '3'", b"seq: '4'"))
    with pytest.raises(KurskError):
        _ = found.history.steps


def body(desk):
    mac, _line, text = kept(desk).read_bytes().partition(b"\n")
    return mac, json.loads(text)


def sealed(desk, told):
    """Return the record with the right MAC, as the program writes records."""
    text = json.dumps(told, sort_keys=True, separators=(",", ":")).encode()
    return verified._make_mac(desk.own, text) + b"\n" + text


def of_another_program(desk):
    told = body(desk)[1]
    told["made"][1] = "0.0.1"
    return sealed(desk, told)


def of_other_modules(desk):
    told = body(desk)[1]
    told["made"][2] = hashlib.sha256(b"").hexdigest()
    return sealed(desk, told)


def of_another_side(desk):
    told = body(desk)[1]
    told["made"][4] = "russian"
    return sealed(desk, told)


def of_another_game(desk):
    told = body(desk)[1]
    told["chain"]["ids"][0] = "0" * 64
    return sealed(desk, told)


def of_another_adjudication(desk):
    told = body(desk)[1]
    told["version"] = "0 of 0"
    return sealed(desk, told)


def with_less_in_it(desk):
    told = body(desk)[1]
    del told["state"]["units"]
    return sealed(desk, told)


def with_fewer_messages_than_files(desk):
    told = body(desk)[1]
    told["chain"]["ids"].pop()
    return sealed(desk, told)


def with_another_form(desk):
    return sealed(desk, [*body(desk)[1]])


def with_another_position(desk):
    text = kept(desk).read_bytes()
    return re.sub(rb'"place":"[0-9]{4}"', b'"place":"1010"', text, count=1)


def with_another_mac(desk):
    return b"0" * 64 + kept(desk).read_bytes()[64:]


def cut_off(desk):
    return kept(desk).read_bytes()[:1000]


def cut_off_in_the_mac(desk):
    return kept(desk).read_bytes()[:20]


def longer(desk):
    return kept(desk).read_bytes() + b" "


def nested(_desk):
    return sealed(_desk, []).partition(b"\n")[0] + b"\n" + b"[" * 100_000


def empty(_desk):
    return b""


def something_else(_desk):
    return bytes(range(256)) * 40


SPOILT = [
    of_another_program,
    of_other_modules,
    of_another_side,
    of_another_game,
    of_another_adjudication,
    with_less_in_it,
    with_fewer_messages_than_files,
    with_another_form,
    with_another_position,
    with_another_mac,
    cut_off,
    cut_off_in_the_mac,
    longer,
    nested,
    empty,
    something_else,
]


@pytest.mark.parametrize("spoil", sweeps.some(SPOILT, 3), ids=lambda each: each.__name__)
def test_a_record_that_is_not_this_desks_own_counts_for_nothing(desk, checked, spoil):
    sit(desk)
    right = kept(desk).read_bytes()
    kept(desk).write_bytes(spoil(desk))
    checked.clear()
    assert sit(desk).game == desk.game
    assert checked == whole(desk)
    assert kept(desk).read_bytes() == right
    checked.clear()
    assert sit(desk).game == desk.game
    assert checked == [desk.seq - 1]


def test_the_record_of_the_opponents_desk_counts_for_nothing(later, desk, checked):
    sit(desk)
    later.russian.sit()
    theirs = (later.russian.desk.own.path / verified.NAME).read_bytes()
    assert theirs != kept(desk).read_bytes()
    kept(desk).write_bytes(theirs)
    checked.clear()
    assert sit(desk).game == desk.game
    assert checked == whole(desk)


def test_a_folder_in_its_place_is_no_harm(desk, checked):
    kept(desk).mkdir()
    for _again in range(2):
        checked.clear()
        assert sit(desk).game == desk.game
        assert checked == whole(desk)


@pytest.mark.parametrize("number", [0, 1, 3, 4])
def test_a_file_that_is_changed_behind_it_is_verified_and_refused_in_the_same_words(desk, checked, number):
    sit(desk)
    path = folders.message_path(desk.folder, number)
    text = path.read_bytes()
    changed = re.sub(rb"(state-out:\W+)([0-9a-f])", lambda said: said[1] + b"%x" % (15 - int(said[2], 16)), text)
    path.write_bytes(changed)
    with pytest.raises(KurskError) as slow:
        histories.load(desk.folder)
    with pytest.raises(KurskError) as fast:
        sit(desk)
    assert str(fast.value).startswith(str(slow.value))  # then the remedy that the journal knows
    path.write_bytes(text)
    checked.clear()
    assert sit(desk).game == desk.game
    assert checked == [desk.seq - 1]


def test_two_files_that_have_changed_places_are_refused(desk):
    sit(desk)
    one, two = (folders.message_path(desk.folder, number) for number in (1, 3))
    first = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(first)
    with pytest.raises(LostError, match="the file holds message 3, but the name says 1"):
        sit(desk)


def test_a_file_that_says_the_same_in_other_bytes_is_verified_again(desk, checked):
    sit(desk)
    path = folders.message_path(desk.folder, 3)
    path.write_bytes(b"# looked at\n" + path.read_bytes())
    checked.clear()
    assert sit(desk).game == desk.game
    assert checked == whole(desk)


def test_messages_that_are_gone_are_missed(desk, checked):
    sit(desk)
    folders.message_path(desk.folder, desk.seq - 1).unlink()
    assert sit(desk).seq == desk.seq - 1
    folders.message_path(desk.folder, desk.seq - 2).unlink()
    checked.clear()
    assert sit(desk).seq == desk.seq - 2
    assert checked == whole(desk)[:-2]
    folders.message_path(desk.folder, 1).unlink()
    with pytest.raises(KurskError, match="message 1 came on"):
        sit(desk)


def test_a_process_that_is_killed_while_it_writes_leaves_the_old_one(desk, checked, monkeypatch):
    sit(desk)
    right = kept(desk).read_bytes()
    kept(desk).unlink()
    for name in ("replace", "fsync"):
        with monkeypatch.context() as patched:
            patched.setattr(disk.os, name, lambda *_words: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                sit(desk)
        assert not kept(desk).exists()
    checked.clear()
    sit(desk)
    assert checked == whole(desk)
    assert kept(desk).read_bytes() == right


def test_where_it_cannot_be_written_everything_is_verified_each_time(desk, checked, monkeypatch):
    def full(*_words, **_more):
        raise DiskError("No space left on device")

    monkeypatch.setattr(disk, "replace", full)
    for _again in range(2):
        checked.clear()
        assert sit(desk).game == desk.game
        assert checked == whole(desk)


def test_who_audits_never_looks_at_it(desk, checked, capsys, monkeypatch):
    monkeypatch.setenv("KURSK_HOME", str(desk.own.home))
    sit(desk)
    checked.clear()
    assert verify.verify_game(desk.folder).status == 0
    assert checked == whole(desk)
    checked.clear()
    well(capsys, "verify", desk.folder)
    assert checked == whole(desk)
    path = folders.message_path(desk.folder, 4)
    path.write_bytes(path.read_bytes().replace(b"seq: '4'", b"seq: '5'"))
    refused(capsys, 3, "verify", desk.folder)


def test_somebody_without_a_record_of_the_game_leaves_none(desk, tmp_path, checked):
    for _again in range(2):
        checked.clear()
        assert verified.load(desk.folder, tmp_path / "nobody").game == desk.game
        assert checked == whole(desk)
    assert not (tmp_path / "nobody").exists()
