"""A player's standing policy: kept at home, written into answers (K-73, T38)."""

from __future__ import annotations

import pytest
from rulesets.battle_for_kursk.first_turn import ORDERS

from kursk_pbem.cli import run
from kursk_pbem.game import folders

POLICY = b"exchange-dr: full\nunits:\n  r-70: {exchange-drl: never}\n"


@pytest.fixture
def russian_home(begun, monkeypatch, tmp_path):
    """Return the Russian home with a policy file, after a German attack."""
    monkeypatch.setenv("KURSK_HOME", str(begun.russian.home))
    file = tmp_path / "policy.yaml"
    file.write_bytes(POLICY)
    return begun, file


def answer(table, orders):
    """Return the Russian draft of the answer to German orders."""
    table.german.fill(orders)
    table.russian.take(table.mail(table.german.sign(), "russian"))
    return folders.draft_path(table.russian.folder, 3).read_text(encoding="ascii")


def test_K73_a_standing_policy_is_written_into_the_answer(russian_home, capsys):
    table, file = russian_home
    assert run(["policy", str(table.russian.folder), str(file)]) == 0
    draft = answer(table, ORDERS)
    assert "exchange-dr: full" in draft
    assert "r-70: {exchange-drl: never}" in draft
    checked = table.russian.check()
    assert not checked.result.violations
    assert checked.content["policy"]["units"] == {"r-70": {"exchange-drl": "never"}}
    capsys.readouterr()
    assert run(["policy", str(table.russian.folder)]) == 0
    assert "exchange-dr: full" in capsys.readouterr().out


def test_T38_a_policy_that_cannot_matter_stays_at_home(russian_home):
    table, file = russian_home
    assert run(["policy", str(table.russian.folder), str(file), "-q"]) == 0
    open_ground = {"id": "izyum", "hex": "2218", "attackers": ["g-42", "g-57-pz"]}
    draft = answer(table, {**ORDERS, "orders": {"battles": [open_ground]}})
    assert "r-70" not in draft
    assert "exchange-dr: full" not in draft
    assert not any("r-70: {" in path.read_text(encoding="utf-8") for path in table.russian.folder.glob("*.draft.yaml"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"exchange-dr: sometimes\n", "p.yaml:1: exchange-dr: found 'sometimes', expected never, doomed"),
        (b"stand-fast: full\nbattles: {b1: {stand-fast: full}}\n", "p.yaml:2: a standing policy names units"),
        (b"{}\n", "holds no policy"),
    ],
)
def test_a_policy_that_does_not_hold_is_refused_with_its_line(russian_home, tmp_path, capsys, text, words):
    table, _file = russian_home
    bad = tmp_path / "p.yaml"
    bad.write_bytes(text)
    assert run(["policy", str(table.russian.folder), str(bad)]) == 2
    assert words in capsys.readouterr().err
    assert run(["policy", str(table.russian.folder)]) == 0
    assert "no standing policy" in capsys.readouterr().out


def test_an_auditor_has_no_policy(russian_home, monkeypatch, tmp_path, capsys):
    table, _file = russian_home
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nobody"))
    assert run(["policy", str(table.russian.folder)]) == 2
    assert "auditor" in capsys.readouterr().err


def test_a_policy_is_checked_when_it_is_given_every_wrong_name_at_once(russian_home, tmp_path, capsys):
    table, _file = russian_home
    bad = tmp_path / "p.yaml"
    units = b"units:\n  r-71: {stand-fast: always}\n  g-3-pz: {stand-fast: never}\n"
    bad.write_bytes(units + b"hexes:\n  '9999': {stand-fast: full}\n")
    assert run(["policy", str(table.russian.folder), str(bad)]) == 2
    assert [line.partition("p.yaml:")[2] for line in capsys.readouterr().err.splitlines()] == [
        "2: 'r-71' is no unit of yours",
        "3: 'g-3-pz' is no unit of yours",
        "5: '9999' is not a hex of this map",
    ]
    bad.write_bytes(b"units: {r-71: {stand-fast: always}}\n")
    assert run(["policy", str(table.russian.folder), str(bad)]) == 2
    assert "p.yaml:1: 'r-71' is no unit of yours" in capsys.readouterr().err
    assert not (table.russian.home / "games" / table.russian.folder.name[5:] / "policy.yaml").exists()


def test_a_draft_that_lies_open_is_not_touched_and_that_is_said(russian_home, capsys):
    table, file = russian_home
    before = answer(table, ORDERS)
    table.russian.sit()
    assert run(["policy", str(table.russian.folder), str(file)]) == 0
    draft = folders.draft_path(table.russian.folder, 3)
    told = f"{draft} is older than the policy, but stays; 'kursk setup draft --force'"
    assert told in capsys.readouterr().out
    assert draft.read_text(encoding="ascii") == before
    assert run(["setup", "draft", str(table.russian.folder), "--force", "-q"]) == 0
    assert "exchange-dr: full" in draft.read_text(encoding="ascii")


def test_where_no_answer_is_due_no_draft_is_spoken_of(russian_home, capsys):
    table, file = russian_home
    assert run(["policy", str(table.russian.folder), str(file)]) == 0
    assert "older than the policy" not in capsys.readouterr().out
