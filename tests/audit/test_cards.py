"""Cards: the writer's text reads back equal for every kind of case, and a mistake on a card is named."""

import json
import shutil
from functools import cache

import pytest
from helpers import sweeps
from helpers.suites import SUITE, list_cases

from kursk_pbem.audit import suite
from kursk_pbem.audit.cards import reading, words, writing
from kursk_pbem.cli import run
from kursk_pbem.errors import FileError, UsageError

SYSTEMS = ("armor-commander", "battle-for-kursk", "juggernauts", "kursk-1971")
MOVE = "K71-3.0-a-03 A fifth forest hex is too much. [3.0-a S-17]\n  g-gd 0912\n  > move g-gd 0911 0910"


@cache
def load_words(system):
    return words.read_words(system, reading.split_cards(suite.read_cards(SUITE, system))[0])


@pytest.mark.parametrize("every", [160, sweeps.long(1)])
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("worded", [True, False], ids=["words", "no words"])
def test_a_written_card_reads_back_equal(system, worded, every):
    """Cases of finished games have whole positions. A suite without cards has no words, so all is in braces."""
    known = load_words(system) if worded else words.read_words(system, "")
    for case in list_cases(system)[::every]:
        card = writing.write_card(known, case)
        assert reading.read_card(known, card) == {"title": writing.UNTITLED, **case}


def test_a_card_has_the_words_of_players_and_leaves_out_what_is_usual():
    case = reading.read_card(load_words("kursk-1971"), MOVE + "\n  ! 3.0-a orders/movement/0/path")
    assert case["rules"] == ["3.0-a"]
    assert case["position"]["units"]["g-gd"] == {"place": "0912", "steps": "1"}
    assert {entry["place"] for unit, entry in case["position"]["units"].items() if unit != "g-gd"} == {"eliminated"}
    orders = {"movement": [{"unit": "g-gd", "path": ["0911", "0910"]}]}
    assert case["message"] == {"seq": "10", "from": "german", "type": "turn", "orders": orders}
    faults = [{"place": "orders/movement/0/path", "paragraph": "3.0-a"}]
    assert case["expect"] == {"legal": False, "faults": faults}
    assert reading.read_card(load_words("kursk-1971"), MOVE)["expect"] == {"legal": True, "faults": []}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("> march g-gd 0911", "no order begins with 'march'"),
        ("> attack 0911", "'with' is missing"),
        ("> move", "a word is missing after 'move'"),
        ("> intercept 0911 with g-air1 g-air2", "delete 'g-air2': too many words follow 'with'"),
        ("g-none 0911", "the scenario has no unit 'g-none'"),
        ("marks flown", "'flown' in a table has no key"),
        ("marks flown [g-air1", "']' is missing"),
        ("marks flown {g-air1 yes}", "must begin with a key and a colon"),
        ("scenario kursk-1971/none", "kursk-1971/none"),
    ],
)
def test_a_mistake_on_a_card_is_named_with_its_card(line, reason):
    with pytest.raises(UsageError, match=r"^card K71-3\.0-a-03: ") as caught:
        reading.read_card(load_words("kursk-1971"), f"{MOVE}\n  {line}")
    assert reason in str(caught.value)


def test_a_heading_without_a_title_and_an_id_twice_are_refused():
    with pytest.raises(UsageError, match="is not the heading"):
        reading.read_card(load_words("kursk-1971"), "K71-3.0-a-03\n  g-gd 0912")
    with pytest.raises(UsageError, match=r"two cards have the id K71-3\.0-a-03"):
        reading.split_cards(f"\n---\n{MOVE}\n\n# a comment\n\n{MOVE}\n")


@pytest.mark.parametrize("header", ["others: eliminated", "orders: {a: b: c}", "stages: []\norders: []", "%"])
def test_a_spoilt_header_is_refused(header):
    with pytest.raises(FileError):
        words.read_words("kursk-1971", header)


def test_show_prints_the_card_as_written_and_a_card_for_any_other_case(capsys, monkeypatch):
    whole = suite.Suite("2", "", list_cases("kursk-1971"))
    monkeypatch.setattr(suite, "read_suite", lambda _place, _system="": whole)
    assert run(["conformance", "show", "K71-3.0-movement-03"]) == 0
    assert "  (2822 and 2823 are beside" in (shown := capsys.readouterr().out)
    assert "  > move g-gd to 2823\n" in shown
    assert run(["conformance", "show", "kursk-1971/draw/1"]) == 0
    assert capsys.readouterr().out.startswith("kursk-1971/draw/1 ")
    assert run(["conformance", "show", "K71-none"]) == 2
    assert "the suite has no case 'K71-none'" in capsys.readouterr().err


@pytest.mark.parametrize("part", [{"position": {}}, {"expect": {}}, {"rules": 3}, {"level": "play"}, {"dice-from": []}])
def test_show_of_a_spoilt_case_is_refused(tmp_path, capsys, part):
    count = next(case for case in list_cases("kursk-1971") if case["level"] == "count")
    case = {**count, "id": "x", **part}
    (tmp_path / "VERSION").write_text("2", "ascii")
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a.jsonl").write_text(json.dumps(case), "ascii")
    assert run(["conformance", "show", "--suite", str(tmp_path), "x"]) == 2
    assert "the case 'x' does not fit the rules" in capsys.readouterr().err


def test_show_of_an_archive_finds_its_words(tmp_path, capsys):
    (tmp_path / "suite" / "kursk-1971").mkdir(parents=True)
    for name in ("VERSION", "kursk-1971/hand.jsonl.gz", "kursk-1971/hand.cards"):
        shutil.copy(SUITE / name, tmp_path / "suite" / name)
    archive = shutil.make_archive(str(tmp_path / "suite"), "zip", tmp_path, "suite")
    assert run(["conformance", "show", "--suite", archive, "K71-3.0-movement-03"]) == 0
    assert "  > move g-gd to 2823\n" in capsys.readouterr().out
