"""Output into a closed pipe, a missing home, names with a line break: commands still do their work."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import sweeps
from helpers.commands import refused, tree, well

from kursk_pbem.cli import common, run
from kursk_pbem.errors import UsageError

KURSK = [sys.executable, "-c", "from kursk_pbem.cli import main; main()"]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes of another kind")


def into_a_closed_pipe(*words):
    """Run a command with a closed output pipe; return the status and the errors."""
    ours, theirs = os.pipe()
    os.close(ours)
    try:
        done = subprocess.run([*KURSK, *map(str, words)], stdout=theirs, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(theirs)
    return done.returncode, done.stderr.decode()


def test_sign_into_a_closed_pipe_signs_and_is_no_success(capsys, game, draft):
    """Bug: ``kursk sign --yes DRAFT | true`` ended with status 0 and had signed nothing."""
    assert into_a_closed_pipe("sign", "--yes", draft) == (141, "")
    assert (game / "0008.yaml").is_file()
    assert not draft.exists()
    well(capsys, "verify", game)


@pytest.mark.long
@pytest.mark.parametrize("words", [("offer", "GAME", "draw", "--yes"), ("resign", "GAME", "--yes")])
def test_what_cannot_be_taken_back_is_done_before_anything_is_printed(game, words):
    assert into_a_closed_pipe(*(game if word == "GAME" else word for word in words)) == (141, "")
    assert (game / "0008.yaml").is_file()


@pytest.mark.some(9)
@pytest.mark.parametrize(
    "words",
    [
        "status GAME",
        "--help",
        "rule battle-for-kursk 9.3-stand-fast",
        *map(sweeps.long, ["status GAME --json", "verify GAME", "report GAME", "map GAME", "moves GAME"]),
        *map(sweeps.long, ["--version"]),
    ],
)
def test_a_closed_pipe_is_never_a_success(game, words):
    assert into_a_closed_pipe(*(game if word == "GAME" else word for word in words.split())) == (141, "")


def test_a_refusal_keeps_its_status_where_nobody_reads(game):
    (game / "0003.yaml").write_bytes(b"")
    status, said = into_a_closed_pipe("report", game)
    assert status == 2
    assert "0003.yaml" in said


def test_a_disk_that_is_full_for_the_output_is_told_after_the_work_is_done(game, draft):
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*KURSK, "sign", "--yes", str(draft)], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert os.strerror(errno.ENOSPC) in done.stderr.decode()
    assert (game / "0008.yaml").is_file()


def test_without_home_and_passwd_entry_records_do_not_land_where_one_stands(demo, tmp_path, monkeypatch, capsys):
    """Bug: records were saved in ``./~``, a new place for each current folder; a lost record permits a second
    signature."""
    shutil.copytree(demo / "russian", tmp_path / "there")
    monkeypatch.chdir(tmp_path / "there")
    for name in ("HOME", "KURSK_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as on a system without a known home
    before = tree(tmp_path)
    with pytest.raises(UsageError, match="KURSK_HOME"):
        common.home()
    (game,) = (tmp_path / "there").glob("game-*")
    said = refused(capsys, 2, "accept", game / "0000.yaml", "--key", "me", "--dir", "new")
    assert "KURSK_HOME" in said
    assert "HOME is not set" in said
    assert tree(tmp_path) == before
    monkeypatch.setenv("XDG_STATE_HOME", "somewhere")
    assert "XDG_STATE_HOME" in refused(capsys, 2, "status", game)


FORGED = "x\ngames/anna: verified, 99 messages, german wins, head " + "0" * 32


@pytest.mark.parametrize("more", [(), ("--jobs", "2")])
def test_T29_a_line_break_in_a_folders_name_forges_no_line_of_verify(game, tmp_path, capsys, more):
    place = tmp_path / "games"
    shutil.copytree(game, place / FORGED)
    shutil.copytree(game, place / "sub" / "y\nz")
    shutil.copytree(game, place / "well")
    assert run(["verify", str(place), *more]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 1
    assert len(said.err.splitlines()) == 2
    assert not any(line.startswith("games/anna") for line in (said.out + said.err).splitlines())
    assert "line break" in said.err
    refused(capsys, 2, "verify", place / FORGED)


def test_T29_a_line_break_in_a_files_name_forges_no_line_of_restore_and_prove(demo, tmp_path, monkeypatch, capsys):
    mails = tmp_path / "mails"
    mails.mkdir()
    (mails / "x\nFORGED: all is well.yaml").write_bytes(b"nothing")
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "private"))
    (game,) = (demo / "russian").glob("game-*")
    for path in game.glob("*.yaml"):
        shutil.copy(path, mails)
    for words in (("restore", tmp_path / "new", mails, "--key", demo / "russian" / "me"), ("prove", mails)):
        run([str(word) for word in words])
        said = capsys.readouterr()
        assert not any(line.startswith("FORGED") for line in (said.out + said.err).splitlines())
        assert "FORGED" in said.out + said.err


def test_a_private_key_that_others_can_read_is_warned_of_and_used(german, game, draft, capsys):
    """Like ssh, but signing continues."""
    (german / "me").chmod(0o640)
    assert run(["check", str(draft)]) == 0
    assert capsys.readouterr().err == ""
    assert run(["sign", "--yes", str(draft)]) == 0
    said = capsys.readouterr()
    assert said.err == (
        f"kursk: warning: other users of this machine can read the private key {german / 'me'} and play as "
        f"you: 'chmod 600 {german / 'me'}'\n"
    )
    assert (game / "0008.yaml").is_file()
    assert run(["offer", str(game), "draw", "--key", str(german / "me.pub")]) == 2  # a public key cannot sign
    assert "warning" not in capsys.readouterr().err
    refused(capsys, 2, "accept", game / "0000.yaml", "--key", german / "me", "--dir", german / "new")


def test_a_key_for_its_owner_alone_is_not_warned_of(german, draft, capsys):
    (german / "me").chmod(0o400)
    assert run(["sign", "--yes", str(draft)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.long("test-all")
def test_T29_a_line_break_in_a_folders_name_forges_no_line_of_status(game, tmp_path, monkeypatch, capsys):
    place = tmp_path / "at hand"
    shutil.copytree(game, place / FORGED.replace("/", "_"))
    shutil.copytree(game, place / "well")
    monkeypatch.chdir(place)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nobody"))
    run(["status"])
    said = capsys.readouterr()
    assert "anna" not in said.out + said.err
    assert "line break" in refused(capsys, 2, "status", FORGED.replace("/", "_"))


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these systems have a place of their own")
def test_records_lie_where_the_system_wants_state(capsys, german, game, monkeypatch, tmp_path):
    """XDG_STATE_HOME applies."""
    monkeypatch.delenv("KURSK_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(german)
    assert common.home() == tmp_path / ".local" / "state" / "kursk-pbem"
    shutil.copytree(german / "private", tmp_path / "kursk-pbem")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert common.home() == tmp_path / "kursk-pbem"
    assert run(["status"]) == 0
    assert capsys.readouterr().err == ""
