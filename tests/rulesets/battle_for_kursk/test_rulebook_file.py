"""The rulebook of Battle for Kursk as a list: ids, standing, reasons, and the rulings it points to."""

import re
from pathlib import Path

import pytest

import kursk_pbem
from kursk_pbem.errors import FileError
from kursk_pbem.rulebook import books

PACKAGE = Path(kursk_pbem.__file__).parent
BOOK = books.load(PACKAGE / "rulesets" / "battle_for_kursk" / "rulebook.yaml")
RULINGS = PACKAGE.parent / "docs" / "rulings" / "battle-for-kursk.md"

CASES = (0, 0, 0, 4, 0, 0, 0, 3, 3, 3, 7, 3, 1, 0)  # how many numbered cases each rule has, from 0.0 to 13.0
SUBCASES = ["8.2.1", "8.2.2", "9.2.1"]
NUMBERED = [f"{rule}.{case}" for rule, cases in enumerate(CASES) for case in range(cases + 1)] + SUBCASES
STEPS = [
    *(f"4.0-phase-{n}" for n in range(1, 11)),
    *(f"6.0-{n}" for n in range(1, 5)),
    *(f"9.0-{n}" for n in range(1, 8)),
    *(f"12.0-{n}" for n in range(1, 5)),
    "10.0-1",
    "10.0-2",
]
RESULTS = [
    "ne",
    "dr",
    "dr-two-hexes",
    "dr-avoid-ezocs",
    "dr-unavoidable-ezocs",
    "dr-retreat-restrictions",
    "dr-or-else",
    "dr-off-the-map",
    "stand-fast",
    "drl",
    "fortifications",
    "de",
    "ex",
    "al",
]


def test_every_numbered_paragraph_step_and_result_is_there():
    for rule in [*NUMBERED, *STEPS, *(f"9.3-{result}" for result in RESULTS)]:
        assert rule in BOOK.paragraphs, rule


def test_paragraphs_stand_in_the_order_of_the_rules():
    numbers = [tuple(map(int, rule.split("-")[0].split("."))) for rule in BOOK.paragraphs]
    assert numbers == sorted(numbers)


def test_every_word_under_a_number_has_that_number():
    assert all(rule.split("-")[0] in BOOK.paragraphs for rule in BOOK.paragraphs)


def test_texts_are_one_to_three_short_sentences():
    for rule, paragraph in BOOK.paragraphs.items():
        assert len(paragraph.title) <= 60, rule
        assert 1 <= len(re.findall(r"[.](?: |$)", paragraph.text)) <= 3, rule
        assert len(paragraph.text) <= 300, rule


def test_what_is_not_coded_says_why():
    for rule, paragraph in BOOK.paragraphs.items():
        assert paragraph.status in books.STATUSES
        assert bool(paragraph.why) == (paragraph.status in {"players", "out"}), rule


@pytest.mark.skipif(not RULINGS.exists(), reason="the rulings are part of a checkout only")
def test_rulings_are_numbered_without_a_gap_and_each_is_cited_by_a_paragraph():
    there = re.findall(r"^### (K-[0-9]+): ", RULINGS.read_text(encoding="utf-8"), re.MULTILINE)
    assert there == [f"K-{n}" for n in range(1, len(there) + 1)]
    assert {ruling for paragraph in BOOK.paragraphs.values() for ruling in paragraph.rulings} == set(there)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("'9.0': {title: a, text: b, status: done}", "the status should be one of"),
        ("'9.0': {title: a, text: b, status: out}", "it should say 'why'"),
        ("'9.0': {title: a, status: coded}", "title and text are needed"),
        ("'9.0': {title: a, text: [b], status: coded}", "should be plain text"),
        ("combat: {title: a, text: b, status: coded}", "the id should be a number"),
        ("'9': {title: a, text: b, status: coded}", "the id should be a number"),
        ("'9.0-Stand_Fast': {title: a, text: b, status: coded}", "the id should be a number"),
        ("'9.0': {title: a, text: b, status: coded, ruling: K-1}", "should contain only"),
        ("'9.0': {title: a, text: b, status: coded, rulings: K-1}", "rulings should be a list"),
        ("'9.0': {title: a, text: b, status: coded, rulings: [K1]}", "rulings should be a list"),
        ("'9.0': {title: a, text: b, status: coded, rulings: [K-1], departs: K-1}", "departs should be a list"),
        ("'9.0': {title: a, text: b, status: coded, rulings: [K-1], departs: [K-2]}", "some of its rulings"),
        ("'9.0': coded", "should contain only"),
    ],
)
def test_refused_with_paragraph_and_line(tmp_path, entry, message):
    file = tmp_path / "rulebook.yaml"
    file.write_text(f"title: Test\nparagraphs:\n  {entry}\n", encoding="ascii")
    with pytest.raises(FileError, match=message) as error:
        books.load(file)
    assert error.value.where.line == 3


def test_a_file_that_is_no_rulebook(tmp_path):
    (tmp_path / "x.yaml").write_text("title: Test\n", encoding="ascii")
    with pytest.raises(FileError, match="must contain exactly"):
        books.load(tmp_path / "x.yaml")
    with pytest.raises(FileError, match="cannot be read"):
        books.load(tmp_path / "y.yaml")
