"""A report on a page: the same words in the same order, with headings, cards, tables and hashes."""

from __future__ import annotations

import html
import re
from pathlib import Path

import jinja2
import pytest
from helpers import registry

from kursk_pbem.board import account
from kursk_pbem.game import reports

REPORTS = sorted((Path(__file__).parent.parent / "golden").glob("*/*/report.txt"))


def flat(lines):
    for line in lines:
        yield line.words
        yield from (cell for row in line.rows for cell in row)
        yield from flat(line.lines)


def every(lines):
    for line in lines:
        yield line
        yield from every(line.lines)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: f"{path.parts[-3]}-{path.parts[-2]}")
def test_no_word_of_a_report_is_lost_or_moved(path):
    text = path.read_text(encoding="utf-8")
    shown = " ".join(words for part in account.split_parts(text) for words in flat(part))
    assert shown.split() == text.split()


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: f"{path.parts[-3]}-{path.parts[-2]}")
def test_a_page_begins_with_what_happened_and_ends_with_what_identifies_it(path):
    """No word is lost, and a note of the writer is no technical line."""
    text = path.read_text(encoding="utf-8")
    told, checked = account.arrange_report(text, 1)
    first = [word for words in flat(account.split_parts(text)[0]) for word in words.split()]
    shown = [word for part in (*told, checked) for words in flat(part) for word in words.split()]
    assert sorted(first + shown) == sorted(text.split())
    assert [line.words.split()[0] for line in checked[1:3]] == ["Game", "Type"]
    assert checked[-1].words.startswith("Head of the chain: ")
    assert not any(re.match("Game [0-9a-f]{16}|Type |Opened:", line.words) for part in told for line in every(part))


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: f"{path.parts[-3]}-{path.parts[-2]}")
def test_pieces_of_a_line_are_the_line(path):
    for part in account.split_parts(path.read_text(encoding="utf-8")):
        for line in every(part):
            assert "".join(piece for piece, _kind in line.runs) == line.words


def test_a_sentence_that_goes_on_in_the_next_line_is_one_line():
    """Bug: the last words of luck were a separate line."""
    lines = [
        line.words for path in REPORTS for part in account.split_parts(path.read_text("utf-8")) for line in every(part)
    ]
    luck = [words for words in lines if " sum " in words and ", expected " in words]
    assert luck
    assert all(re.search(r"has a chance of [0-9.]+%$", words) for words in luck)


def test_every_system_has_reports_to_look_at():
    assert {path.parts[-3] for path in REPORTS} == {kit.ruleset.id for kit in registry.kits()}


def test_a_battle_is_a_card_with_its_dice_and_hashes_are_told_apart():
    text = (
        "Turn 1: battles fought [9.0]\n"
        "  Battle one: attack on an army [9.0]\n"
        "    Strength:\n"
        "      a corps, whose name is so long that the line\n"
        "          goes on: 9\n"
        "      sum 9\n"
        "    Die (one/combat): 2\n"
        "\n"
        "  \n"
        "How things stand\n"
        "                German  Russian\n"
        "  units             32       66\n"
        "Head of the chain: dfeb680aef6cc27de086f96ff40654b4\n"
    )
    fought, stands = account.split_parts(text)
    (battle,) = fought[0].lines
    assert battle.card
    assert not fought[0].lines[0].lines[0].card
    assert [line.words for line in battle.lines[0].lines] == [
        "a corps, whose name is so long that the line goes on: 9",
        "sum 9",
    ]
    assert battle.lines[1].runs == [("Die (one/combat): ", ""), ("2", "die")]
    assert account.Line("Dice (one/combat): 3 and 6", 0).runs[1::2] == [("3", "die"), ("6", "die")]
    assert battle.runs[-1] == ("[9.0]", "rule")
    assert stands[0].lines[0].rows == [["German", "Russian"], ["units", "32", "66"]]
    assert stands[1].runs[-1] == ("dfeb680aef6cc27de086f96ff40654b4", "hash")


LEFT = "\nLeft over:\n- 47 units beside the enemy take part in no\n  attack [7.0]\n- as the draft stands\n"
SEALED = f"\n{reports.HIDDEN}\n  The posture of turn 2:\n    posture engage,\n        reaction no\n"


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: f"{path.parts[-3]}-{path.parts[-2]}")
def test_what_is_signed_is_shown_word_for_word(path):
    """Hidden choices and unused possibilities have separate boxes."""
    text = path.read_text(encoding="utf-8") + SEALED + LEFT
    templates = jinja2.Environment(loader=jinja2.PackageLoader("kursk_pbem.board"), autoescape=True)
    templates.filters |= {"account": account.arrange_report, "grouped": account.group_equal}
    page = templates.get_template("understood.html").render(text=text, hidden=reports.HIDDEN, changes=[])
    shown = re.sub("<[^>]*>", " ", re.sub("</?(code|span)[^>]*>", "", page))
    assert sorted(html.unescape(shown).split()) == sorted(text.split())
    assert page.count('class="hidden-part"') == page.count('class="left-part"') == 1
    assert "take part in no attack" in page


def test_equal_lines_are_one_line_with_a_count_and_a_list():
    """25 lines of a set-up hide what else happened; every line stays in the list."""
    said = [f"{number}th Army (r-{number}) in 21{number} gains a step, now 2 steps" for number in range(11, 16)]
    lines = [
        account.Line(words, 2)
        for words in ("A general line", *said, "9th Army (r-9) in 2010 gains a step, now 2 steps")
    ]
    lines += [account.Line("16th Army (r-16) in 2016 is eliminated", 2)]
    first, many, last = account.group_equal(lines)
    assert many.words == "Gains a step, now 2 steps: 6 units"
    assert [line.words for line in many.lines] == [*said, lines[6].words]
    assert [first, last] == [lines[0], lines[-1]]
    assert account.group_equal(lines[:4]) == lines[:4]
