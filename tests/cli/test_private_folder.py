"""The private folder: its modes under every umask, and a disk without file locks."""

import errno
import os
import stat
import time

import pytest
from helpers.commands import refused

from kursk_pbem.cli import run
from kursk_pbem.desk.ground import locks
from kursk_pbem.desk.own import mailed


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
@pytest.mark.parametrize(
    "first",
    [
        ["keygen", "me"],
        ["people", "add", "Boris", "boris@example.org", "--key", "me.pub"],
        ["save", "all.zip"],
        ["outbox"],
        ["invite", "battle-for-kursk/citadel", "--name", "Anna", "--key", "me"],
    ],
    ids=lambda first: first[0],
)
def test_the_first_command_makes_a_private_folder_for_its_owner_alone(tmp_path, monkeypatch, first):
    """Bug: under umask 000, `kursk keygen` made a private folder that everybody could change."""
    home = tmp_path / "state" / "kursk"
    monkeypatch.chdir(tmp_path)
    if {"me", "me.pub"}.intersection(first[2:]):
        monkeypatch.setenv("KURSK_HOME", str(tmp_path / "another"))
        run(["keygen", "me"])
    monkeypatch.setenv("KURSK_HOME", str(home))
    before = os.umask(0)
    try:
        assert run(first) == 0
    finally:
        os.umask(before)
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (home.parent, home, *home.rglob("*"))}
    assert modes == {path: 0o700 if path.is_dir() else 0o600 for path in modes}


@pytest.mark.skipif(os.name == "nt", reason="Windows always has locks")
@pytest.mark.parametrize("words", [["inbox", "0001.yaml"], ["people", "add", "Boris", "boris@example.org"], ["outbox"]])
def test_a_disk_without_file_locks_is_named_at_once(capsys, game, monkeypatch, words):
    """Bug: on a network disk without locks each command waited a minute, and named no remedy."""

    def refuse(*_given):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.chdir(game)
    monkeypatch.setattr(locks.fcntl, "lockf", refuse)
    monkeypatch.setattr(locks.fcntl, "flock", refuse)
    mailed._checked.clear()
    began = time.monotonic()
    assert refused(capsys, 2, *words).endswith("put KURSK_HOME on a local disk\n")
    assert time.monotonic() - began < 5
