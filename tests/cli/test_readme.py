"""Quick checks of the README: its first screen, and a game by mail. test_typed_clone.py types all lines."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import sweeps, typed_pages

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import wheel as wheels

from kursk_pbem.cli import run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FRONT = README.partition("\n## ")[0]
BY_MAIL = README.partition("\n## A game by mail\n")[2].partition("\n## ")[0]


def list_blocks(section):
    """(text before, lines) of every console block."""
    parts = re.split(r"^```console\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)
    return list(zip(parts[::2], (block.splitlines() for block in parts[1::2]), strict=False))


def check_quoted(text, real):
    """Assert that each line is real, in this order; a line of dots means left-out lines."""
    rest = iter(real.splitlines())
    assert [line for line in text.splitlines() if line != "..." and line not in rest] == []


def find_blocks(page, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)


def test_every_page_with_console_blocks_has_a_test_that_types_it():
    """Each test fails at a line that it neither types nor finds in the list of lines that cannot be typed."""
    assert {*typed_pages.list_pages()} == typed_pages.TYPED_BY.keys()
    for page, test in typed_pages.TYPED_BY.items():
        assert page in (ROOT / test).read_text(encoding="utf-8").replace('" / "', "/"), page
    for page, lines in typed_pages.NOT_TYPED.items():
        left = [line for block in typed_pages.list_blocks(page, whole=True) for line in block]
        assert lines.keys() <= {*left}, page


@pytest.fixture(params=sweeps.some(["checkout", "wheel"], 2))
def python(request):
    """Return the Python of this checkout, or of a fresh environment with the wheel and without extras."""
    return sys.executable if request.param == "checkout" else request.getfixturevalue("installed")


def test_the_first_screen_shows_a_real_turn_and_its_report(python, tmp_path, demo_folder):
    """A reader who knows nothing sees the act of the program, and can repeat the act. The checkout has played it."""
    env = wheels.make_environment() | {"KURSK_HOME": str(tmp_path / "none")}
    said = {}
    (_before, typed), _make = list_blocks(FRONT)
    proof = typed[-1].replace("-o next", "--proof")
    lines = [*typed, proof, "$ kursk verify kursk-demo/german"]
    if python == sys.executable:
        lines.remove("$ kursk demo")
        shutil.copytree(demo_folder, tmp_path / "kursk-demo")
    for line in lines:
        command = [python, "-m", "kursk_pbem", *line.removeprefix("$ kursk ").split()]
        ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, f"{line}\n{ran.stdout}{ran.stderr}"
        assert line == proof or line.removeprefix("$ ") in FRONT.replace("\n", " ")
        said[line] = ran.stdout
    assert not (tmp_path / "none").exists()
    assert "How to check the dice" in said[proof]
    here = (tmp_path / typed[-1].split()[3]).parent
    (turn,), (report,) = find_blocks(FRONT, "yaml"), find_blocks(FRONT, "text")
    assert 10 <= len(turn.splitlines()) <= 20
    assert re.search(r"^ +Die ", report, re.MULTILINE)
    for page in (FRONT, (ROOT / "docs" / "index.md").read_text(encoding="utf-8")):
        for text in find_blocks(page, "yaml"):
            check_quoted(text, (here / "0002.yaml").read_text(encoding="ascii"))
        for text in find_blocks(page, "text"):
            check_quoted(text, said[typed[-1]])
        (draft,) = re.findall(r"`([0-9]+\.draft\.yaml)`", page)
        assert (tmp_path / "next" / draft).is_file()


def test_the_landing_check_begins_with_the_two_commands_for_a_fresh_machine():
    _demo, (_before, typed) = list_blocks(FRONT)
    check = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    at = check.index(typed[0].removeprefix("$ "))
    assert check[at : at + len(typed)] == [line.removeprefix("$ ") for line in typed]


def test_a_game_by_mail_reaches_its_first_dice(tmp_path, monkeypatch, capsys):
    people = {name: tmp_path / name for name in ("Anna", "Boris")}

    def kursk(who, words, status=0):
        place = people[who]
        monkeypatch.chdir(place)
        monkeypatch.setenv("KURSK_HOME", str(place / "private"))
        assert run(words.split()) == status, f"{who}: kursk {words}\n{capsys.readouterr()}"
        (reader,) = (people[name] for name in people if name != who)
        for number in range(who == "Boris", 4, 2):  # the reader saves the mails under the names of the text
            for signed in place.glob(f"game-*/{number:04d}.yaml"):
                shutil.copy(signed, reader)
        return "".join(capsys.readouterr())

    monkeypatch.delenv("KURSK_KEY", raising=False)
    for name, place in people.items():
        place.mkdir()
        if name == "Boris":
            kursk(name, "keygen me")
    shutil.copy(people["Boris"] / "me.pub", people["Anna"] / "boris.pub")
    for before, lines in list_blocks(BY_MAIL):
        who = re.findall("Anna|Boris", re.sub("the file of Boris", "", before))[0 if "answers" in before else -1]
        for line in lines:
            words = line.removeprefix("$ kursk ")
            kursk(who, f"{words} --yes" if words == "sign" else words)
    said = kursk("Anna", "inbox 0003.yaml")
    assert "the dice show " in said
    (head,) = set(re.findall("head ([0-9a-f]{32})", said := kursk("Anna", "verify .")))
    assert "verified, 4 messages" in said
    said = kursk("Boris", "verify .")
    assert f"head {head}" in said
    assert "passed over: .: copies of 2 messages" in said
    assert "message 3 of the game" in kursk("Anna", "adjudicate 0003.yaml -o next")
    kursk("Anna", "check next")
    kursk("Boris", "adjudicate . -o next")
    (turn,) = people["Boris"].glob("game-*/0003.yaml")
    turn.write_text(turn.read_text("ascii").replace("exchange-drl: always", "exchange-drl: never"), "ascii")
    assert "verified" not in kursk("Boris", "verify .", 3)
    kursk("Boris", "adjudicate .", 2)


def test_a_newcomer_reads_at_most_400_words_before_the_first_turn():
    text = re.sub(r"^```.*?^```$", "", README.partition("\n## A game by mail\n")[0], flags=re.MULTILINE | re.DOTALL)
    assert len(re.sub(r"!\[[^]]*\]\([^)]*\)", "", text).split()) <= 400
