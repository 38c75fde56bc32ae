"""Where was it lost: kursk report --analysis, and the page of a replay."""

import json
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import pytest
from helpers.commands import well
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import fought

from kursk_pbem.game import entropy, histories
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import filing
from kursk_pbem.practice.analysis import OPINION
from kursk_pbem.practice.systems import find_ideas
from kursk_pbem.rulesets import ruleset


@pytest.fixture
def short(tmp_path, monkeypatch):
    """Return a game with one battle, up to its first dice."""
    monkeypatch.setitem(find_ideas(ruleset("battle-for-kursk")).efforts, 2, 60)  # sooner
    with entropy.fix_random_bytes("analysis"):
        player = fought(Table(tmp_path / "short").begin()).german
    monkeypatch.setenv("KURSK_HOME", str(player.home))
    return player.folder


def test_the_swing_of_the_dice_is_their_worth_minus_the_mean_of_all_throws(capsys, short):
    """All throws of message 4 by the whole rules give the same mean and variance."""
    records = [json.loads(line) for line in well(capsys, "report", short, "--analysis", "--json").splitlines()]
    assert [record["seq"] for record in records] == list(range(5))
    step = histories.load(short).steps[4]
    whole, orders = step.before, filing(step.message.content)
    ideas = find_ideas(whole.ruleset)

    def worth(digits):
        dice = SimpleNamespace(seq=4, roll=lambda label, _n: digits[label])
        result = adjudicate(whole.ruleset, whole.setting, step.result.before, orders, dice)
        return Fraction(ideas.evaluate(whole.setting, result.middle, "german"), 100)

    labels = sorted(step.result.dice)
    worths = [worth(dict(zip(labels, faces, strict=True))) for faces in product("123456", repeat=len(labels))]
    mean = sum(worths) / len(worths)
    found = records[4]["analysis"]
    assert Fraction(found["dice"]) == worth(step.result.dice) - mean
    assert Fraction(found["variance"]) == sum((each - mean) ** 2 for each in worths) / len(worths)
    assert all(Fraction(record["analysis"]["given"]) >= 0 for record in records)


def test_the_table_has_sums_and_says_what_is_an_opinion(capsys, short, tmp_path):
    text = well(capsys, "report", short, "--analysis")
    assert text.startswith("Where was it lost: ")
    assert "standard deviations from the expected 0" in " ".join(text.split())
    assert OPINION in " ".join(text.split())
    path = tmp_path / "lost.html"
    well(capsys, "replay", short, "--analysis", "-o", path)
    page = path.read_text(encoding="utf-8")
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert len(data["lost"]["curve"]) == len(data["messages"]) == len(data["lost"]["rows"]) - 1
    assert data["lost"]["sums"][-1] == OPINION
