"""Faults of drafts are listed with lines, and nothing is written."""

import re

import pytest
from helpers.commands import tree
from rulesets.battle_for_kursk.first_turn import ENGAGE

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import prospects
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import RulesError, Violation
from kursk_pbem.game import folders

TEN = """\
choice:
  posture/turn-1: {posture: engage, reaction: no}
waive: posture
policy: {stand-fast: always}
orders:
  distribution: [r-3]
  objective: 0113
  replacements:
  - {unit: r-46, gain: flip}
  armor-and-rail:
  - {unit: g-24-pz, to: 0899}
  - {unit: g-2-ss, path: [2113]}
  battles:
  - id: good
    hex: 2011
    attackers: [g-41-pz, g-46-pz, g-47-pz]
  - id: twice
    hex: 2010
    attackers: [g-41-pz]
  - id: empty
    hex: 2113
    attackers: [g-48-pz]
  - id: nowhere
    hex: 0101
    attackers: [g-1]
  - id: far
    hex: 2218
    attackers: [g-42, g-55]
  - id: led
    hex: 2015
    attackers: [g-48-pz, g-52]
    offensive: {lead: g-52, support: [g-11]}
  movement:
  - {unit: g-27, to: 1505}
"""

TEN_FOUND = [  # (words of the line, paragraph, reason)
    ("policy:", "4.0", "has no place in this message"),
    ("distribution:", "4.0", "has no place in this message"),
    ("objective:", "12.1", "the marker cannot be moved now"),
    ("unit: r-46", "10.0", "belongs to the russian side"),
    ("to: 0899", "8.0", "0899 is not a hex of this map"),
    ("path: [2113]", "8", "2113"),
    ("hex: 2010", "9.0", "no enemy unit is in 2010"),
    ("hex: 2113", "9.0", "no enemy unit is in 2113"),
    ("hex: 0101", "9.0", "0101 is not a hex of this map"),
    ("g-42, g-55", "9.0", "g-55 in 1908 is not adjacent to 2218"),
    ("lead: g-52", "9.2.1", "must be armor or shock"),
    ("lead: g-52", "9.2.1", "g-11 is not adjacent to the lead unit"),
    ("unit: g-27", "9.0", "movement follows the dice"),
]


def test_every_offence_of_a_draft_is_told_at_once_and_nothing_is_written_or_opened(begun, monkeypatch, capsys):
    german = begun.german
    path = german.fill(TEN)
    lines = path.read_text(encoding="ascii").splitlines()
    before = tree(german.place)
    found = german.check().result.violations
    assert [str(each.where.file) for each in found] == [str(path)] * len(found)
    for words, rule, reason in TEN_FOUND:
        fitting = [each for each in found if words in lines[each.where.line - 1] and reason in each.message]
        assert fitting, f"{words}: {reason} is not among\n" + "\n".join(map(str, found))
        assert all(each.rule.startswith(rule) for each in fitting)
    assert len(found) == len(TEN_FOUND)
    assert [each.where.line for each in found] == sorted(each.where.line for each in found)

    monkeypatch.setenv("KURSK_HOME", str(german.home))
    for command in (["check", str(path)], ["sign", str(path), "--yes"]):
        assert run(command) == 1
        said = capsys.readouterr()
        assert said.out == ""
        told = said.err.splitlines()
        for each in found:
            assert re.search(rf"{re.escape(str(path))}:{each.where.line}: \[{re.escape(each.rule)}\]", said.err)
        assert told[len(found) :] == ["kursk: the german side's orders break the rules in 13 places; nothing was done"]
        assert tree(german.place) == before
        opening = desks.compute_opening(german.desk, german.desk.own)
        for secret in (opening.hex(), german.desk.own.secret.hex()):
            assert secret not in said.err
    with pytest.raises(RulesError):
        play.sign_message(german.desk, german.check(), None)
    assert tree(german.place) == before


@pytest.mark.parametrize("word", ["0113", "0899", "2113", "NO", "12:30", "1e3", "~", "null", "0x1F", "1943-07-05"])
def test_every_plain_word_is_text(begun, word):
    german = begun.german
    german.fill(f"choice:\n  posture/turn-1: {{posture: engage, reaction: no}}\nnote: {word}\n")
    checked = german.check()
    assert checked.result.legal
    assert checked.content["choice"] == {"posture/turn-1": ENGAGE}  # no is not False
    assert checked.content["note"] == word
    letter = begun.mail(german.sign(checked), "russian")
    assert folders.read_message(letter).content["note"] == word
    begun.russian.take(letter)
    assert begun.russian.folder.joinpath("report-0002.txt").read_text(encoding="utf-8").count(word) >= 1


def test_what_waits_for_another_order_is_not_said_to_be_left_out():
    waits, wrong = Violation("3.0-must", "needs I8 too", "b-i9", waits=True), Violation("3.0", "is not there", "b2")
    assert prospects.summarize_violations([waits]).startswith("Not allowed yet: [3.0-must] b-i9: needs I8 too; ")
    both = prospects.summarize_violations([waits, wrong])
    assert both.startswith("Left out, because it is not allowed: [3.0] b2: is not there; and 1 more; ")
