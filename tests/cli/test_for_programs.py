"""Data for other programs hold a person's letters as signed: no isolates and marks of direction (R10)."""

from __future__ import annotations

import re
import zipfile

import pytest
from helpers import printed
from helpers.commands import well
from helpers.ledger import Ledger
from helpers.registry import Kit
from helpers.signed_play import Table

NAMES = ("דוד לוי", "محمد العلي")
MARKS = re.compile("[\u200e\u200f\u2066-\u2069]|\\\\u20(?:0[ef]|6[6-9])")
EYES = re.compile(r".*\.(html|txt|css|svg)")
"""Files of folders for people; pictures are tested where one is the output."""
COMMANDS = {
    "map": ("map GAME --svg", "map GAME --svg -o OUT"),
    "setup schema": ("setup schema GAME", "setup schema GAME -o OUT"),
    "export": ("export GAME -o OUT", "export GAME --vassal -o OUT", "export GAME --battles"),
    "scenario list": ("scenario list battle-for-kursk/citadel --vassal -o OUT",),
    "outbox": ("outbox --link",),
    "tournament standings": (
        *("tournament standings CUP --csv", "tournament standings CUP --csv -o OUT"),
        *("tournament standings CUP --trf", "tournament standings CUP --trf -o OUT"),
    ),
    "tournament publish": ("tournament publish CUP -o OUT",),
    "tournament export": ("tournament export CUP -o OUT",),
}
"""Each command with an option for data, as typed."""
PLAIN = (
    *("setup completion bash", "setup completion zsh", "help verify_game.py", "invite battle-for-kursk/citadel"),
    *("status GAME --json", "report GAME --json", "people --json", "outbox --json", "tournament standings CUP --json"),
    *("tournament status CUP --json", "tournament times CUP --json"),
)
"""Other commands that print data."""
NO_NAMES = {
    "adjudicate": "numbers",
    "ruleset new": "a package",
    "replay": "a page",
    "picture": "pixels",
    "study new": "signed messages",
    "lab": "numbers",
    "conformance run": "numbers",
    "tournament prove": "a signed file",
}
"""Commands with an option for a file, and the contents of the file."""


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Return a game and a tournament of people with right-to-left names."""
    root = tmp_path_factory.mktemp("right-to-left")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kit, "names", property(lambda kit: dict(zip(kit.sides, NAMES, strict=True))))
        player = next(iter(Table(root / "game").begin().players.values()))
    ledger = Ledger(rounds_=1).begin([*NAMES, "anna", "boris"])
    ledger.results()
    ledger.announce()
    return player, {"GAME": player.desk.folder, "CUP": ledger.save(root / "cup")}


def contents(path):
    """Yield name and bytes of each file in and below a path, and of each member of archives."""
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file() and zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                yield from ((member, archive.read(member)) for member in archive.namelist())
        elif file.is_file():
            yield file.name, file.read_bytes()


def test_every_option_for_data_is_tested():
    """A new option for a file or for data needs a line in COMMANDS, or a reason in NO_NAMES."""
    wanted = {"-o", "--svg", "--battles", "--csv", "--trf", "--link", "--vassal"}
    commands = printed.list_commands().items()
    found = {name for name, command in commands for each in command.params if wanted.intersection(each.opts)}
    assert found == {*COMMANDS, *NO_NAMES}


@pytest.mark.parametrize("typed", [*(typed for each in COMMANDS.values() for typed in each), *PLAIN])
def test_T29_data_for_programs_contain_no_isolates(places, typed, capsys, monkeypatch, tmp_path):
    """Bug: the isolates of the terminal stood in CSV and TRF; other programs refused the file."""
    player, named = places
    monkeypatch.setenv("KURSK_HOME", str(player.home))
    monkeypatch.setenv("KURSK_KEY", str(player.key))
    words = [named.get(word, tmp_path / "out" if word == "OUT" else word) for word in typed.split()]
    said = well(capsys, *words)
    if typed.startswith(("outbox --link", "invite ")):
        said = "\n".join(line for line in said.splitlines() if "#k1." in line)
    if "OUT" not in typed:
        assert said
        assert not MARKS.search(said)
    for name, raw in contents(tmp_path / "out"):
        if "--svg" in typed or not EYES.fullmatch(name):
            assert not MARKS.search(raw.decode("utf-8", "replace")), name
