"""Shell completion: commands, options, games, units and hexes, without text that a shell could run."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from helpers.commands import refused, well

from kursk_pbem.cli import cli


def completed(capsys, monkeypatch, line):
    """Return the completions of the last word of a line."""
    words = line.split(" ")
    monkeypatch.setenv("_KURSK_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    with pytest.raises(SystemExit) as ended:
        cli.main(args=[], prog_name="kursk")
    assert ended.value.code == 0
    return [each.partition(",")[2] for each in capsys.readouterr().out.split()]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("kursk inb", ["inbox"]),
        ("kursk moves --js", ["--json"]),
        ("kursk check bo", ["boris"]),
        ("kursk moves g-24", ["g-24-pz"]),
        ("kursk moves boris g-24", ["g-24-pz"]),
        ("kursk moves --to 2113", ["2113"]),
        ("kursk map --around bel", ["belgorod"]),
        ("kursk order mov", ["move"]),
        ("kursk order boris mov", ["move"]),
        ("kursk order move g-24", ["g-24-pz"]),
        ("kursk order boris move g-24-pz 222", [f"222{digit}" for digit in range(5)]),
        ("kursk posture re", ["reposition"]),
        ("kursk order attack 1912 all le", ["lead"]),
        ("kursk att", ["attack"]),
        ("kursk propose jugg", ["juggernauts/july-1943"]),
        ("kursk propose cit", ["citadel"]),
        ("kursk rule battle", ["battle-for-kursk"]),
        ("kursk rule battle-for-kursk 9.3-sta", ["9.3-stand-fast"]),
        ("kursk rule K-5", ["K-5", *(f"K-5{digit}" for digit in range(10))]),
        ("kursk offer dr", ["draw"]),
        ("kursk reply boris dec", ["decline"]),
        ("kursk moves nosuch", []),
    ],
)
def test_commands_games_units_and_hexes_are_completed(capsys, monkeypatch, elsewhere, line, found):
    assert completed(capsys, monkeypatch, line) == found


def test_a_game_is_completed_by_its_id_and_files_where_none_is_called_so(capsys, monkeypatch, elsewhere, game):
    assert completed(capsys, monkeypatch, "kursk status ") == ["boris", game.name[5:13]]
    assert completed(capsys, monkeypatch, "kursk status ./x") == ["./x"]


@pytest.mark.parametrize("name", ["$(touch pwned)", "`id`", "a;b", "-rf", "x\ny", "\u202eab"])
def test_a_name_from_a_mail_puts_nothing_into_the_command_line(capsys, monkeypatch, elsewhere, german, game, name):
    path = german / "private" / "games" / game.name[5:] / "game.json"
    record = json.loads(path.read_text(encoding="ascii")) | {"opponent": name}
    path.write_text(json.dumps(record), encoding="ascii")
    found = completed(capsys, monkeypatch, "kursk status ")
    assert all(each.replace("-", "").isalnum() and each.isascii() for each in found)
    assert not any(each.startswith("-") for each in found)


def test_a_damaged_game_or_none_completes_to_nothing(capsys, monkeypatch, elsewhere, game, tmp_path):
    (game / "0003.yaml").write_bytes(b"no: [turn\n")
    assert completed(capsys, monkeypatch, "kursk moves g-24") == []
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nosuch"))
    assert completed(capsys, monkeypatch, "kursk moves g-24") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_each_shell_has_its_script(capsys, shell):
    said = well(capsys, "setup", "completion", shell)
    assert "_KURSK_COMPLETE" in said
    assert "'sh' is not one of" in refused(capsys, 2, "setup", "completion", "sh")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_with_the_script(capsys, elsewhere, german):
    script = well(capsys, "setup", "completion", "bash")
    asked = "COMP_WORDS=(kursk moves g-24); COMP_CWORD=2; _kursk_completion kursk g-24 moves"
    show = 'printf "%s\\n" "${COMPREPLY[@]}"'
    folder = os.path.dirname(sys.executable)  # noqa: PTH120
    done = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\n{asked}\n{show}"],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": f"{folder}:{os.environ['PATH']}", "KURSK_HOME": str(german / "private")},
    )
    assert done.stdout.split() == ["g-24-pz"], done.stderr
