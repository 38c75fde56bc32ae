"""tools/rulings.py and the gate of the paragraphs, on small pages made for them."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import rulings as tool
from helpers import paragraphs

from kursk_pbem.rulebook import rulings
from kursk_pbem.rulebook.books import Paragraph
from kursk_pbem.rulebook.rulings import Ground

HEAD = "# Rulings: Toy\n\nWords: of the page, no field.\n\n## 1. First\n\n### T-1: Rivers (1.0)\n\nThey are wet.\n\n"
BOOK = "Rivers are \u201cwet\u201d,\nsay the **rules**.  A unit\n stops there. " + "So it is. " * 60 + "It's over."


@pytest.fixture
def page(tmp_path):
    """Write a page with a ruling that contains the text below its first sentence."""

    def write(text):
        (tmp_path / "toy.md").write_text(f"{HEAD}{text}\n\n## 2. Second\n\nNothing.\n", encoding="utf-8")
        return tmp_path / "toy.md"

    return write


@pytest.mark.parametrize(
    ("field", "ground"),
    [
        ('Words: "A unit\nstops there".', Ground("words", ("A unit stops there",), "")),
        ('Words: "A unit stops"; "It\'s over".', Ground("words", ("A unit stops", "It's over"), "")),
        ("Silent: somebody must\nchoose.", Ground("silent", (), "somebody must choose.")),
        ('Departs: "A unit stops" nobody does by mail.', Ground("departs", ("A unit stops",), "nobody does by mail.")),
    ],
)
def test_a_ruling_ends_with_its_ground(page, field, ground):
    """The last paragraph of a ruling is read into a field; the text still shows it."""
    ruling = rulings.read(page(field))["T-1"]
    assert ruling.ground == ground
    assert ruling.text == f"They are wet.\n\n{field}"
    assert list(tool.find_faults(page(field), [BOOK])) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Ground: **the text**.", "the last paragraph should begin with Words, Silent or Departs"),
        ("Silent: we chose.\n\nMore.", "the last paragraph should begin with Words, Silent or Departs"),
        ('Words: "A unit stops there".\n\nSilent: we chose.', "the ruling has 2 fields instead of one"),
        ('Words: "A unit stops there".\nSilent: we chose.', "the ruling has 2 fields instead of one"),
        ('Words: "A unit stops there"', "Words should be quotations"),
        ('Words: "A unit stops there". So there.', "Words should be quotations"),
        ("Words: A unit stops there.", "Words should be quotations"),
        ('Words: "A unit", "stops there".', "Words should be quotations"),
        ("Silent: we chose", "Silent should be a sentence"),
        ('Silent: "A unit stops there".', "Silent should be a sentence"),
        ("Departs: nobody does by mail.", "Departs should be quotations"),
        ('Departs: "A unit stops there".', "Departs should be quotations"),
        (f'Words: "{"wet " * 15}wet".', "16 words are quoted in one piece, at most 15"),
        (f'Departs: "wet"; "{"wet " * 8}... {"wet " * 8}" by mail.', "16 words are quoted in one piece, at most 15"),
    ],
)
def test_a_ground_that_is_missing_double_or_malformed_is_a_fault(page, text, fault):
    """The fault names file and line of the ruling; for players, the reader ignores the field."""
    told = list(tool.find_faults(page(text), []))
    assert [re.sub(r"^.*/", "", line).split(": ")[:2] for line in told] == [["toy.md:7", "T-1"]]
    assert fault in told[0]
    assert "**" not in text or rulings.read(page(text))["T-1"].ground is None


@pytest.mark.parametrize(
    "words", ["are 'wet', say", "Rivers are \u2018wet\u2019", "unit stops ... So it is", "It\u2019s over"]
)
def test_quoted_words_are_found_across_lines_and_quotation_marks(page, words):
    """White space and the form of quotation marks do not count; an ellipsis joins passages near each other."""
    assert list(tool.find_faults(page(f'Words: "{words}".'), ["Another book.", BOOK])) == []


@pytest.mark.parametrize("words", ["rivers are", "say the rules", "So it is ... unit stops", "A unit ... over"])
def test_quoted_words_that_no_rulebook_holds_are_a_fault(page, words):
    """Letters, other marks and the order count; without rulebooks nothing is compared."""
    assert list(tool.find_faults(page(f'Words: "{words}".'), [])) == []
    (told,) = tool.find_faults(page(f'Departs: "stops there"; "{words}" by mail.'), [BOOK, "Another book."])
    assert told.endswith(f'toy.md:7: T-1: no rulebook holds "{words}"')


def test_every_ruling_of_the_program_has_its_ground(capsys):
    assert tool.main([]) == 0, capsys.readouterr().out


def test_systems_and_rulebooks_are_told_apart_by_name(tmp_path, capsys):
    """A file belongs to the system whose id begins its name; another name is an error, not a silent success."""
    book = tmp_path / "battle-for-kursk-second-printing.txt"
    book.write_text("nothing", encoding="utf-8")
    assert tool.main(["battle-for-kursk", str(book)]) == 1
    assert "docs/rulings/battle-for-kursk.md:" in capsys.readouterr().out
    (tmp_path / "chess.txt").write_text("nothing", encoding="utf-8")
    assert tool.main([str(tmp_path / "chess.txt")]) == 2
    assert tool.main(["chess"]) == 2
    assert "chess" in capsys.readouterr().err


def ruled(title, kind="departs"):
    return rulings.Ruling("T-1", title, "", Ground(kind, (), ""))


def at(rule, *departs):
    return Paragraph(rule, "", "", "coded", "", ("T-1", "T-2"), departs)


@pytest.mark.parametrize(
    ("ruling", "listed", "faults"),
    [
        (ruled("Rivers (1.0, 2.0)"), (at("1.0", "T-1"), at("2.0", "T-1")), []),
        (ruled("Rivers (1.0, 2.0)"), (at("1.0", "T-1"), at("2.0-wet", "T-1"), at("2.0")), []),
        (ruled("Rivers (1.0, 2.0)"), (at("1.0", "T-1"), at("2.0")), ["T-1 departs; 2.0 should list it in departs"]),
        (ruled("Rivers"), (at("1.0"), at("2.0", "T-1")), []),
        (ruled("Rivers"), (at("1.0"), at("2.0")), ["T-1 departs; a paragraph should list it in departs"]),
        (ruled("Rivers (1.0)", "words"), (at("1.0"),), []),
        (
            ruled("Rivers (1.0)", "words"),
            (at("1.0", "T-1", "T-2"),),
            ["1.0 departs by T-1, a ruling that does not", "1.0 departs by T-2, a ruling that does not"],
        ),
    ],
)
def test_a_departing_ruling_and_its_paragraphs_name_each_other(ruling, listed, faults):
    """``make rules`` fails if only one side says that the program departs from the text."""
    book = {paragraph.id: paragraph for paragraph in listed}
    assert paragraphs.find_disagreements(book, {"T-1": ruling}) == faults
