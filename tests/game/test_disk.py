"""Data is on the disk before use: the order of system calls (protocol 2.6).

A power failure loses unsynced data. A test cannot cut the power. The tests check the order of calls:
bytes before the name, the name before the caller continues.
"""

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest

from kursk_pbem.errors import DiskError
from kursk_pbem.game import disk

pytestmark = pytest.mark.skipif(os.name == "nt", reason="folders are synced, and names linked, elsewhere only")


@pytest.fixture
def calls(monkeypatch):
    """(call, target): ``data`` or ``folder`` for written or synced targets, otherwise the names."""
    found = []

    def record(name, what):
        real = getattr(os, name)

        def call(*arguments, **more):
            result = real(*arguments, **more)
            found.append((name, what(*arguments)))
            return result

        monkeypatch.setattr(os, name, call)

    def kind(handle, *_more):
        return "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "data"

    record("write", kind)
    record("fsync", kind)
    for name in ("link", "replace"):
        record(name, lambda _old, new: os.path.basename(new))  # noqa: PTH119
    return found


def test_a_file_is_synced_before_it_gets_its_name_and_its_name_before_anybody_is_told(tmp_path, calls):
    assert disk.create(tmp_path / "0001.json", b"a message")
    assert calls == [("write", "data"), ("fsync", "data"), ("link", "0001.json"), ("fsync", "folder")]
    assert (tmp_path / "0001.json").read_bytes() == b"a message"


def test_a_file_is_synced_before_it_takes_the_place_of_another(tmp_path, calls):
    disk.replace(tmp_path / "game.json", b"one")
    disk.replace(tmp_path / "game.json", b"other")
    assert calls == [("write", "data"), ("fsync", "data"), ("replace", "game.json")] * 2


@pytest.mark.parametrize("missing", ["link", "links of the file system", "links and locks"])
def test_without_hard_links_it_is_synced_as_well(tmp_path, calls, monkeypatch, missing):
    def unknown(*_arguments):
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    if missing == "link":  # as in a web page
        monkeypatch.delattr(os, "link")
    else:
        monkeypatch.setattr(os, "link", unknown)
    if missing == "links and locks":
        monkeypatch.setattr(import_module("fcntl"), "flock", unknown)
    assert disk.create(tmp_path / "0001.json", b"a message")
    assert calls == [("write", "data"), ("fsync", "data"), ("replace", "0001.json"), ("fsync", "folder")]
    assert not disk.create(tmp_path / "0001.json", b"another")
    assert (tmp_path / "0001.json").read_bytes() == b"a message"


def test_without_hard_links_of_many_that_want_a_name_one_gets_it(tmp_path, monkeypatch):
    def no_link(*_arguments):
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", no_link)
    with ThreadPoolExecutor(8) as several:
        for n in range(40):
            path = tmp_path / f"{n:04d}.json"
            won = list(several.map(lambda each, path=path: disk.create(path, b"%d" % each), range(8)))
            assert [b"%d" % each for each, made in enumerate(won) if made] == [path.read_bytes()]


@pytest.mark.parametrize("broken", ["flock", "lstat", "replace", "replace bare"])
def test_without_hard_links_what_breaks_leaves_nothing_and_takes_nothing_away(tmp_path, monkeypatch, broken):
    def breaks(number):
        def call(*_arguments):
            raise OSError(number, os.strerror(number))

        return call

    monkeypatch.setattr(os, "link", breaks(errno.EPERM))
    module = import_module("fcntl") if broken == "flock" else os
    (tmp_path / "there").write_bytes(b"first")
    if broken == "replace bare":
        monkeypatch.setattr(import_module("fcntl"), "flock", breaks(errno.ENOTSUP))
    monkeypatch.setattr(module, broken.split()[0], breaks(errno.EIO))
    for name in ("there", "new")[broken.startswith("replace") :]:
        with pytest.raises(DiskError, match=os.strerror(errno.EIO)):
            disk.create(tmp_path / name, b"second")
    monkeypatch.undo()
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("there", b"first")]


def test_what_is_written_in_pieces_is_written_whole(tmp_path, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data)[:3]))
    assert disk.create(tmp_path / "0001.json", b"a long message")
    assert (tmp_path / "0001.json").read_bytes() == b"a long message"


def test_a_name_is_taken_once(tmp_path):
    assert disk.create(tmp_path / "0001.json", b"first")
    assert not disk.create(tmp_path / "0001.json", b"second")
    assert (tmp_path / "0001.json").read_bytes() == b"first"
    assert [path.name for path in tmp_path.iterdir()] == ["0001.json"]
