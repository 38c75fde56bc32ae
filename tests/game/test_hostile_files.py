"""Bad files, and bad input of the player: refused with a message, never with a traceback."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kursk_pbem.audit import proof_file
from kursk_pbem.cli import run
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import data, files

pytestmark = pytest.mark.slow

# Special files: pipes, devices, loops of links.


@pytest.fixture
def pipe(tmp_path):
    path = tmp_path / "pipe"
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    os.mkfifo(path)
    return path


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
def test_T27_devices_are_not_read():
    with pytest.raises(OSError, match=files.NOT_ORDINARY):
        files.read(Path("/dev/zero"), 10)


def test_T27_a_pipe_in_the_place_of_a_file_is_refused_at_once(pipe, table, monkeypatch, capsys):
    monkeypatch.setenv("KURSK_HOME", str(table.russian.home))
    proposal = table.german.folder / "0000.yaml"
    for command in (
        ["inbox", "--report", pipe],
        ["verify", pipe],
        ["check", pipe],
        ["report", pipe],
        ["moves", pipe],
        ["accept", pipe, "--key", table.russian.key],
        ["accept", proposal, "--key", pipe],
        ["verify", proposal, "--key", pipe],
    ):
        assert run([str(word) for word in command]) == 2
        assert "ordinary file" in capsys.readouterr().err
    proposal.unlink()
    os.mkfifo(proposal)
    for command in ("verify", "report", "status", "map", "moves", "odds", "setup draft"):
        assert run([*command.split(), str(table.german.folder)]) == 2


def test_T30_a_name_that_no_disk_takes_and_a_loop_are_no_fault_of_ours(tmp_path, capsys):
    (tmp_path / "loop").symlink_to("loop")
    for name in ("x" * 300, "x/" * 3000, str(tmp_path / "loop")):
        for command in (
            "inbox --report",
            "verify",
            "report",
            "status",
            "map",
            "moves",
            "setup draft",
            "resign",
            "keygen",
        ):
            assert run([*command.split(), name]) == 2, (command, name)
            assert "fault" not in capsys.readouterr().err


@pytest.mark.parametrize("line", [b"\r\n", b"\r", b"\n", b" \r\n", b"#\r\n", b"\n\r"])
def test_T27_a_thousand_empty_lines_are_soon_no_proof(line):
    began = time.monotonic()
    assert not proof_file.is_proof(line * 1000 + b"x")
    assert time.monotonic() - began < 1
    assert proof_file.is_proof(line * 1000 + b"kursk-pbem-proof: '1'")


@pytest.mark.some(2)
@pytest.mark.skipif(os.name == "nt", reason="paths there are not so long")
@pytest.mark.parametrize("command", ["verify", "prove"])
def test_T30_a_thousand_folders_in_one_another(tmp_path, capsys, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    top = os.open(".", os.O_RDONLY)
    try:
        for _ in range(1200):
            os.mkdir("d")  # noqa: PTH102  there is no path to it
            os.chdir("d")
        os.fchdir(top)
        assert run([command, "."]) == 2
        assert "fault" not in capsys.readouterr().err
    finally:
        os.fchdir(top)
        os.close(top)
        subprocess.run(["rm", "-rf", "d"], check=True)  # the library's own way down ends before


SLIPS = {
    "objective: {hex: '2113', side: german}": "objective: yes",
    "offensives: {german: 0, russian: 0}": "offensives: ''",
    "previous: {german: engage, russian: reposition}": "previous: '2113'",
    "turn: A": "turn: '0101'",
}


def proposal(table, scenario, place):
    """Return the command of a German who proposes a game into a folder."""
    parties = ("--as", "german", "--key", str(table.german.key), "--opponent", str(table.russian.place / "me.pub"))
    return ["propose", scenario, *parties, "--dir", str(place)]


@pytest.mark.parametrize("slip", SLIPS)
def test_T18_a_scenario_with_a_fault_is_not_played(table, tmp_path, monkeypatch, capsys, slip):
    own = tmp_path / "sc" / "battle-for-kursk" / "mine"
    shutil.copytree(data.find_folder("scenarios") / "battle-for-kursk" / "campaign", own)
    head = own / "scenario.yaml"
    text = head.read_text(encoding="ascii").replace("battle-for-kursk/campaign", "battle-for-kursk/mine")
    monkeypatch.setenv(data.SEARCH_PATH, str(tmp_path / "sc"))
    words = proposal(table, "battle-for-kursk/mine", tmp_path / "new")
    head.write_text(text, encoding="ascii")
    assert run(words) == 0
    (game,) = (tmp_path / "new").iterdir()
    assert slip in text
    head.write_text(text.replace(slip, SLIPS[slip]), encoding="ascii")
    for asked in (words, ["status", str(game)], ["accept", str(game / "0000.yaml"), "--key", str(table.russian.key)]):
        capsys.readouterr()
        assert run(asked) == 2
        assert "scenario check" in capsys.readouterr().err


# Bad input of the player.


def test_a_damaged_private_file_is_not_shown_in_what_is_said_about_it(table):
    """Some errors of Python carry the whole of what could not be read."""
    own = table.russian.desk.own
    for path, ask in (
        (own.path / "game.json", lambda: desks.journal.find(table.russian.home, own.game)),
        (own.path / "journal" / "0000.json", lambda: own.read_slot(0)),
    ):
        path.write_bytes(path.read_bytes() + b"\xff")
        with pytest.raises(UsageError) as caught:
            ask()
        assert own.secret.hex() not in str(caught.value)
        assert len(str(caught.value)) < 300


@pytest.mark.parametrize("name", ["me.pub", ".", "/"])
def test_a_private_key_never_gets_the_name_of_a_public_one(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    assert run(["keygen", name]) == 2
    assert list(tmp_path.iterdir()) == []
    assert "cannot be the name of a private key" in capsys.readouterr().err


ODD = (["--name", "a\udcff"], ["--name", "a\u202eb"], ["--option", "\udcff=x"], ["--option", "a=\x1b"])


@pytest.mark.parametrize("option", ODD)
def test_a_proposal_with_characters_that_cannot_be_sent(table, tmp_path, capsys, option):
    assert run([*proposal(table, "battle-for-kursk/citadel", tmp_path / "new"), *option]) == 2
    assert "cannot be sent" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_without_standard_input(table, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", None)
    monkeypatch.setenv("KURSK_HOME", str(table.russian.home))
    assert run(["inbox", "--report", "-"]) == 2
    assert "no standard input" in capsys.readouterr().err


def test_T29_an_unknown_option_is_not_printed_as_it_is(capsys):
    assert run(["status", "--\u202e\x1b[31m"]) == 2
    said = capsys.readouterr().err
    assert "\u202e" not in said
    assert "\x1b" not in said


def test_a_disk_that_is_full_is_no_fault_of_ours(table, monkeypatch, capsys):
    def full(*_arguments, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)
    monkeypatch.setenv("KURSK_HOME", str(table.russian.home))
    table.russian.draft().unlink()
    assert run(["setup", "draft", str(table.russian.folder)]) == 2
    assert "No space left" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.setattr("tempfile.mkdtemp", full)
    monkeypatch.setattr("kursk_pbem.game.histories.load_until", lambda _folder: 1 // 0)
    assert run(["status", str(table.russian.folder / "0000.yaml")]) == 70
    assert "the typed command" in capsys.readouterr().err


def test_a_reader_who_has_gone_away_is_no_fault_and_no_success(table):
    """Not ``1``, the status of illegal orders."""
    program = "import sys; from kursk_pbem.cli import main; sys.argv = ['kursk', 'report', sys.argv[1]]; main()"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(table.german.folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as shown:
        assert shown.stdout
        assert shown.stderr
        shown.stdout.close()
        assert shown.wait(60) == 141
        assert shown.stderr.read() == b""
