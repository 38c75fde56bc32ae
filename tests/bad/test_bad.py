"""Every bad file and its exact complaint, and the form of complaints."""

import re
from collections import Counter

import pytest
import yaml
from helpers import sweeps

from bad import bad_index
from bad.bad_desk import Base
from kursk_pbem.trust import messages

FILES = bad_index.list_recipes()
EXPECTED = bad_index.read_expected()

PYTHON = re.compile(
    r"\b(None|True|False|dict|str|int|tuple|unicode|Traceback|Exception|codec|scalar|token|KeyError|ValueError|TypeError)\b"
    r"|\bobject at|\bindex out of|\bnode\b"
)
"""Words known only to programmers."""

SAYS_NONE = {"trust/prev-missing.yaml"}
"""Files with a Python word in the complaint: the chain shows a missing predecessor as None."""


@pytest.fixture(scope="module")
def base(demo, tmp_path_factory):
    return Base(demo, tmp_path_factory.mktemp("bad"))


@pytest.mark.parametrize("file", sweeps.some(FILES, 60))
def test_a_bad_file_gets_its_complaint(base, file):
    """After a wanted change: ``make bad``, and read the difference."""
    assert bad_index.answer(base, file, FILES[file]) == EXPECTED[file]


def test_the_indexes_hold_what_the_recipes_make():
    assert list(EXPECTED) == list(FILES)
    assert len(FILES) > 500
    assert len({entry["hash"] for entry in EXPECTED.values()}) > len(FILES) * 9 // 10  # some files are tested twice


def find_complaints(file):
    """Return the lines with complaints, without the lines with totals."""
    entry = EXPECTED[file]
    said = f"{entry.get('prints', '')}{entry.get('says', '')}"
    lines = [line.removeprefix("kursk: ") for line in said.splitlines()]
    return [line for line in lines if not re.search(r"orders break the rules in|errors?, [0-9]+ warning", line)]


@pytest.mark.parametrize("group", bad_index.list_groups())
def test_complaints_are_fit_to_be_read(group):
    """Each line is printable ASCII, names the file, and is free of jargon."""
    for file in (each for each in EXPECTED if each.startswith(f"{group}/")):
        complaints = find_complaints(file)
        assert complaints, file
        warned = all(": warning: " in line for line in complaints)
        assert EXPECTED[file]["status"] in ("0" if warned else "1", "2", "3"), file
        for line in complaints:
            assert line.isascii(), file
            assert line.isprintable(), file
            assert bool(PYTHON.search(line)) == (file in SAYS_NONE), f"{file}: {line}"
            assert len(line) < 420, file


NAMES_NO_FILE = {
    "keys/own.pub",
    "keys/of-the-other-side.key",  # a good key, but not the expected key
    "trust/key-of-another-player.yaml",
}


def test_complaints_name_the_file():
    """The complaint names the line, too, if lines help."""
    without_line = Counter()
    for file, bad in FILES.items():
        if file in NAMES_NO_FILE:
            continue
        group, _slash, own = file.rpartition("/")
        name = bad.name or own
        for line in find_complaints(file):
            if line.startswith("KURSK_HOME names "):  # a possible cause of the complaint before
                continue
            found = re.match(r"(?P<file>[A-Za-z0-9.-]+)(?: \(turn [a-z 0-9]+\))?(?P<line>:[1-9][0-9]*)?[: ]", line)
            assert found, f"{file}: {line}"
            assert found["file"] in (name, f"{name}.sig", "0001.yaml"), f"{file}: {line}"
            without_line[group.rpartition("/")[2]] += found["line"] is None
    # Keys, JSON and mails without a turn have no lines; other complaints may concern the whole file.
    assert without_line["rules"] == 0
    assert without_line["orders"] == 0
    assert without_line["reading"] + without_line["form"] + without_line["trust"] + without_line["scenario"] < 24


def test_every_field_of_every_type_is_wrong_somewhere():
    """Fields of no message type are exempt."""
    for kind, (required, optional) in messages.FIELDS.items():
        for field in required | optional:
            file = f"form/{kind}-{field}.yaml"
            assert file in FILES
            assert field in EXPECTED[file]["says"], file


def test_every_command_that_reads_files_of_others_is_tried():
    tried = Counter(bad.command.split()[0] for bad in FILES.values())
    assert tried.keys() == {"accept", "inbox", "check", "propose", "scenario", "sign", "verify"}


def test_an_index_is_plain_yaml():
    for group in bad_index.list_groups().values():
        for entry in yaml.safe_load(group.index.read_text("ascii")).values():
            assert set(entry) <= {"command", "at", "status", "prints", "says", "hash"}
            assert all(isinstance(value, str) for value in entry.values())
