"""A player's standing policy: kept at home, written into answers (K-73, T38)."""

from __future__ import annotations

import pytest
from helpers.signed_play import Player
from rulesets.battle_for_kursk.first_turn import OPEN_ORDERS, ORDERS

from kursk_pbem.game import folders

POLICY = b"exchange-dr: full\nunits:\n  r-70: {exchange-drl: never}\n"


@pytest.fixture
def policy(begun, kursk, tmp_path):
    """Return a function that gives a policy to the Russian player: by default a good one; return the output."""

    def give(text=POLICY, *words, ends=0, told=""):
        file = tmp_path / "p.yaml"
        file.write_bytes(text)
        return kursk(begun.russian, "policy", begun.russian.folder, file, *words, ends=ends, told=told)[1]

    return give


def answer(table, orders):
    """Return the Russian draft of the answer to German orders."""
    table.turn(orders)
    return folders.draft_path(table.russian.folder, 3).read_text(encoding="ascii")


def test_K73_a_standing_policy_is_written_into_the_answer(begun, policy, kursk):
    policy()
    draft = answer(begun, ORDERS)
    assert "exchange-dr: full" in draft
    assert "r-70: {exchange-drl: never}" in draft
    checked = begun.russian.check()
    assert not checked.result.violations
    assert checked.content["policy"]["units"] == {"r-70": {"exchange-drl": "never"}}
    kursk(begun.russian, "policy", begun.russian.folder, ends=0, told="exchange-dr: full")


def test_T38_a_policy_that_cannot_matter_stays_at_home(begun, policy):
    policy(POLICY, "-q")
    draft = answer(begun, OPEN_ORDERS)
    assert "r-70" not in draft
    assert "exchange-dr: full" not in draft
    assert not any("r-70: {" in path.read_text(encoding="utf-8") for path in begun.russian.folder.glob("*.draft.yaml"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"exchange-dr: sometimes\n", "p.yaml:1: exchange-dr: found 'sometimes', expected never, doomed"),
        (b"stand-fast: full\nbattles: {b1: {stand-fast: full}}\n", "p.yaml:2: a standing policy names units"),
        (b"{}\n", "holds no policy"),
    ],
)
def test_a_policy_that_does_not_hold_is_refused_with_its_line(begun, policy, kursk, text, words):
    policy(text, ends=2, told=words)
    kursk(begun.russian, "policy", begun.russian.folder, ends=0, told="no standing policy")


def test_an_auditor_has_no_policy(begun, kursk, tmp_path):
    kursk(Player("russian", tmp_path / "nobody"), "policy", begun.russian.folder, ends=2, told="auditor")


def test_a_policy_is_checked_when_it_is_given_every_wrong_name_at_once(begun, policy):
    units = b"units:\n  r-71: {stand-fast: always}\n  g-3-pz: {stand-fast: never}\n"
    told = policy(units + b"hexes:\n  '9999': {stand-fast: full}\n", ends=2)
    assert [line.partition("p.yaml:")[2] for line in told.splitlines()] == [
        "2: 'r-71' is no unit of yours",
        "3: 'g-3-pz' is no unit of yours",
        "5: '9999' is not a hex of this map",
    ]
    policy(b"units: {r-71: {stand-fast: always}}\n", ends=2, told="p.yaml:1: 'r-71' is no unit of yours")
    assert not (begun.russian.home / "games" / begun.russian.folder.name[5:] / "policy.yaml").exists()


def test_a_draft_that_lies_open_is_not_touched_and_that_is_said(begun, policy, kursk):
    before = answer(begun, ORDERS)
    begun.russian.sit()
    draft = folders.draft_path(begun.russian.folder, 3)
    policy(told=f"{draft} is older than the policy, but stays; 'kursk setup draft --force'")
    assert draft.read_text(encoding="ascii") == before
    kursk(begun.russian, "setup", "draft", begun.russian.folder, "--force", "-q", ends=0)
    assert "exchange-dr: full" in draft.read_text(encoding="ascii")


def test_where_no_answer_is_due_no_draft_is_spoken_of(policy):
    assert "older than the policy" not in policy()
