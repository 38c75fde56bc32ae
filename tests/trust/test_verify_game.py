"""docs/verify_game.py is short, runs since Python 3.9, refuses weak keys, and never stops with a traceback.

test_lies.py tests the lies found by the script.
"""

import ast
import base64
import itertools
import json
import shutil
import subprocess
import sys

import pytest
from helpers import sweeps
from helpers.signing_desk import VECTORS

from kursk_pbem.game import folders
from kursk_pbem.trust import sshsig
from trust.auditors import SHORT, load

pytestmark = pytest.mark.slow

MOST = 182  # lines; over a cup of coffee
MORE = 1  # odd values for each field of a message; raise the number for a longer test
ODD = ["", "x", "\x1b[2J", "\ud7ff\u202e", "0" * 64, "turn turn", "offer", "referee", [], ["turn"], [[]], {}, {"": ""}]
ODD += [
    {"\x1b": "1"},
    {"plans/1": ["x"]},
    {"plans/1": {}},
    {"a b": "6"},
    {"german": {}},
    {"dice": 1},
    1,
    None,
    True,
    1.5,
]


@pytest.fixture
def unsigned(monkeypatch):
    """The script without its slow part, the signatures."""
    script = load(SHORT)
    monkeypatch.setattr(script, "check_signature", lambda *_args: None)
    return script


def test_3_8_it_can_be_read_over_a_cup_of_coffee_and_runs_with_old_pythons():
    lines = SHORT.read_text("ascii").splitlines()
    assert len(lines) <= MOST
    assert max(map(len, lines)) <= 100
    ast.parse(SHORT.read_text("ascii"), feature_version=(3, 9))


@pytest.mark.parametrize("options", [[], ["-I"]])
def test_3_8_it_imports_nothing_that_lies_beside_it(tmp_path, options):
    """The script in a stranger's folder would run the stranger's json.py."""
    shutil.copytree(VECTORS / "sample-players", tmp_path, dirs_exist_ok=True)
    shutil.copy(SHORT, tmp_path)
    for name in ("json", "pathlib", "base64", "sys"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('planted')\n", "ascii")
    command = [sys.executable, *options, "verify_game.py", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_3_4_exactly_the_weak_keys_are_refused():
    script = load(SHORT)
    prefix = base64.b64decode("AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43)[:19]
    good = json.loads((VECTORS / "sample-players" / "0000.json").read_bytes())

    def accepts(raw):
        key = "ssh-ed25519 " + base64.b64encode(prefix + raw).decode()
        script.check_keys({**good, "keys": {**good["keys"], "german": key}})
        return True

    for raw in sshsig.WEAK_KEYS:
        with pytest.raises(ValueError, match="weak key of german"):
            accepts(raw)
    near = {bytes([key[0] ^ 2, *key[1:]]) for key in sshsig.WEAK_KEYS} - sshsig.WEAK_KEYS
    assert len(near) >= 10
    assert all(map(accepts, near))


@pytest.mark.parametrize("sample", sweeps.some(["sample-players", "sample-referee"], 2))
def test_4_whatever_stands_in_a_field_it_says_what_does_not_hold(sample, unsigned, tmp_path, capsys):
    """Every field of every message is missing once, and becomes odd values in turn; signatures hold."""
    odd = itertools.cycle(ODD)
    fields = ("next", "reveal", "dice", "secret", "reply", "offer", "keys", "open", "mix", "orders")
    for k in range(10):
        path = folders.archive_path(tmp_path, k)
        data = folders.archive_path(VECTORS / sample, k).read_bytes()
        said = json.loads(data)
        for name in sorted({*said, *fields}):
            for value in (KeyError, *itertools.islice(odd, MORE)):
                changed = {**said, name: value}
                if value is KeyError:
                    changed.pop(name)
                path.write_bytes(unsigned.canonical(changed))
                capsys.readouterr()
                status = unsigned.main(tmp_path)
                out = capsys.readouterr().out
                assert status in (0, 1), (path.name, name, value)
                assert ("FAULT" in out) == (status == 1)
                assert out.isascii()
                assert out.replace("\n", "").isprintable(), (path.name, name, value)
        path.write_bytes(data)
    assert unsigned.main(tmp_path) == 0


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b'""', b"{}", b"\xff", b"NaN", b"[" * 100_000, b'{"a":' * 3000, b"9" * 5000, b'"\\ud800"'],
    ids=lambda data: ascii(data[:9]),
)
def test_4_files_that_are_no_messages(data, unsigned, tmp_path, capsys):
    (tmp_path / "0000.json").write_bytes(data)
    assert unsigned.main(tmp_path) == 1
    assert capsys.readouterr().out.startswith("0000.json: FAULT: ")
