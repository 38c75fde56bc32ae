"""The README typed from top to bottom in one shell in a fresh clone, then the pages for auditors, agents and changes.

The network is left out: ``pip install`` takes the required packages from the environment of the tests.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig

import pytest
from helpers.screen import Shell
from helpers.typed_pages import ROOT, Page, list_blocks

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")]
OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # pip reads 0 as: build without isolation
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONPATH": sysconfig.get_path("purelib"),
    "PATH": f"{sys.base_prefix}/bin:{os.environ['PATH']}",  # python3 is the Python of these packages
}
NUMBERED = re.compile(r"\d+>")
"""The prompt of 'kursk play'."""


class Reader:
    """Anna in a fresh clone with the installed program, and Boris at his machine with an empty folder."""

    def __init__(self, root):
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, root / "clone"], check=True)
        (root / "desk").mkdir()
        self.places = {"anna": root / "clone", "boris": root / "desk"}
        self.anna = Shell(root / "clone", root / "homes" / "anna", **OFFLINE)
        self.shells = {"anna": self.anna}

    def boris(self, root):
        """Start the shell of Boris, who has installed the program too."""
        path = {"PATH": f"{self.places['anna'] / '.venv' / 'bin'}:{OFFLINE['PATH']}"}
        self.shells["boris"] = Shell(root / "desk", root / "homes" / "boris", **OFFLINE | path)
        self.shells["boris"].run("kursk keygen me")
        shutil.copy(self.places["boris"] / "me.pub", self.places["anna"] / "boris.pub")

    def mail(self, sender, reader, number):
        """Save a turn file of the sender at the reader, under the name of the text."""
        (signed,) = self.places[sender].glob(f"game-*/{number:04d}.yaml")
        shutil.copy(signed, self.places[reader])

    def play(self, page, count):
        """Type a block of 'kursk play', and end the program."""
        self.anna.type(*page.take())
        for words in page.take(count):
            self.anna.wait(NUMBERED)
            self.anna.type(words)
            if words == "sign":
                self.anna.wait("[y/N]")
                self.anna.type("y")
        self.anna.wait("Your dice: ")
        self.anna.wait(NUMBERED)
        self.anna.run("quit")

    def close(self):
        for shell in self.shells.values():
            shell.close()


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    made = Reader(tmp_path_factory.mktemp("reader"))
    yield made
    made.close()


def test_the_readme_is_typed_in_one_shell(reader):
    page, anna = Page("README.md"), reader.anna
    demonstration, install, lines = page.take(2), page.take(2), len(list_blocks("README.md")[3])
    for line in (*install, *demonstration):  # the page says '(install below)'
        anna.run(line)
    reader.play(page, lines - 1)
    reader.boris(reader.places["boris"].parent)
    for line in page.take(2):
        anna.run(line)
    for number, (writer, other, count) in enumerate(
        (("boris", "anna", 4), ("anna", "boris", 5), ("boris", "anna", 4)), start=1
    ):
        reader.mail(other, writer, number - 1)
        for line in page.take(count):
            reader.shells[writer].run(line)
    reader.mail("boris", "anna", 3)
    assert "the dice show " in anna.run("kursk inbox 0003.yaml")
    page.close()


def test_a_runner_of_the_conformance_suite_is_asked(reader):
    """The program itself is the runner, with an option that it ignores."""
    runner = reader.places["anna"] / "my-runner"
    runner.write_text("#!/bin/sh\nexec kursk conformance answer\n", encoding="ascii")
    runner.chmod(0o755)
    typed = Page("conformance/runner.md")
    reader.anna.run(*typed.take())
    typed.close()


def test_the_page_of_auditors_is_typed(reader):
    """The game of the README is the game of the text."""
    export, check = (typed := Page("docs/auditors.md")).take(2)
    (game,) = reader.places["anna"].glob("game-*")
    reader.anna.run(export.replace("game-1a2b3c4d5e6f7081", game.name))
    assert "head " in reader.anna.run(check)
    typed.close()


@pytest.mark.long("test-all")
def test_the_page_of_agents_is_typed(reader):
    for line in (typed := Page("docs/agents.md")).lines:
        reader.anna.run(line)
    typed.close()


@pytest.mark.long("test-all")
def test_the_pages_about_changes_are_typed(reader):
    """The program is installed as 'make quick' installs it."""
    reader.anna.run("python3 -m venv --clear .venv")
    reader.anna.run("pip install --quiet --no-deps -e .")
    for page in ("CONTRIBUTING.md", "tests/README.md"):
        for line in (typed := Page(page)).lines:
            reader.anna.run(line)
        typed.close()


@pytest.mark.long("test-all")
def test_a_system_of_ones_own_is_written_tested_and_proposed(reader):
    """The fourth line needs a file of the opponent in the new folder."""
    typed = Page("docs/recipes.md")
    for line in typed.take(4):
        said = reader.anna.run(line)
    assert "28 passed" in said
    shutil.copy(reader.places["anna"] / "boris.pub", reader.places["anna"] / "donets-gap")
    reader.anna.run(*typed.take())
    typed.close()
    reader.anna.run("cd ..")
