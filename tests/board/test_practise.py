"""Practise against the program at the board: no key, no mail; the page shows the answers."""

import re

import pytest
from helpers import sweeps
from helpers.commands import well

from board.seats import Client, Stranger
from kursk_pbem.practice.systems import find_ideas
from kursk_pbem.rulesets import ruleset

CITADEL = "battle-for-kursk/citadel"


class Pupil(Stranger):
    """A person whose only game is a practice game."""

    @property
    def first(self):
        (found,) = (self.home / "practice").glob("game-*")
        return found


def wait_for(client, seq):
    """Return the page of the game when the program has written the message before ``seq``."""
    for _look in range(30):  # each look waits for the answer
        page = client.get(client.at("?came=1")).text
        if f"message {seq}" in page:
            return page
        assert "Practice, level 1 is thinking" in page
    raise AssertionError("no answer")


def test_a_stranger_practises_from_the_first_page_without_a_mail(tmp_path):
    client = Client(Pupil("", tmp_path)).enter()
    page = client.get("/").text
    assert "unequal chances" in page
    assert 'aria-label="Practise: Citadel' in page
    assert '<option value="0">a recruit</option>' in page
    assert '<option value="1" selected>level 1</option>' in page
    page = client.post("/practise", {"scenario": CITADEL, "side": "german", "level": "1"}).text
    assert "you are </span>German" in page
    wait_for(client, 2)
    said = client.signs().get_json()
    assert said["mail"] == ""
    assert "Practice, level 1 answers" in said["said"][0]
    page = wait_for(client, 4)
    assert "and mail it" not in page
    assert "practice, level 1" in client.get("/").text
    assert client.post("/practise", {"scenario": CITADEL, "side": "soviet", "level": "1"}).status_code == 400
    assert client.post("/practise", {"scenario": CITADEL, "side": "german", "level": "9"}).status_code == 400


@pytest.mark.parametrize("messages", sweeps.sizes(1, 3))
def test_after_a_practice_game_three_moments_have_a_better_plan(tmp_path, monkeypatch, capsys, messages):
    """Citadel with untouched drafts up to a resignation: terminal and board name the same moments, the worst first."""
    pupil = Pupil("", tmp_path)
    monkeypatch.setitem(find_ideas(ruleset("battle-for-kursk")).efforts, 2, 60)  # sooner
    monkeypatch.setenv("KURSK_HOME", str(pupil.home))
    well(capsys, "practice", "citadel", "--as", "german")
    for _message in range(messages):
        well(capsys, "sign", "--yes")
        well(capsys, "practice")
    said = " ".join(well(capsys, "practice", "--stop", "--yes").split())
    moments = re.findall(
        r"Message (\d+), turn \w+: your orders gave away about (\d+[.]\d\d) points. Better: \w.*? "
        r"Forecast for the position after the dice: [-+]?[\d.]+ instead of [-+]?[\d.]+ points.",
        said,
    )
    assert 1 <= len(moments) <= 3
    assert [float(given) for _seq, given in moments] == sorted((float(given) for _seq, given in moments), reverse=True)
    client = Client(pupil).enter()
    assert 'id="moments"' in client.get(client.at("")).text
    html = client.get(client.at("moments")).get_json()["html"]
    assert re.findall(r"message=(\d+)\">Message .*? gave away about ([\d.]+) points", html) == moments
    assert html.count("Forecast for the position") == len(moments)
