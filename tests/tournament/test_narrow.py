"""A director's and an entrant's commands on a narrow terminal."""

import pytest
from helpers import sweeps
from helpers.commands import show_on_terminal, too_wide

OF_DIRECTOR = (
    "tournament",
    "status",
    "standings",
    "standings --round 1",
    "times",
    "letters",
    "pair",
    "inbox",
    "verify",
)
OF_ENTRANT = ("tournament", "plays", "bid", "agree", "claim x", "absent", "propose")
LINES = [("director", line) for line in OF_DIRECTOR] + [("entrant", line) for line in OF_ENTRANT]


@pytest.mark.parametrize("width", sweeps.some((40, 60, 80), 3))
def test_no_line_of_a_tournament_is_wider_than_the_terminal(four, monkeypatch, width):
    """A director at a small window reads tables, steps and refusals."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    people = {"director": four.director, "entrant": next(iter(four.entrants.values()))}
    for who, line in LINES:
        monkeypatch.chdir(people[who].place)
        words = line.split() if line == "tournament" else ["tournament", *line.split()]
        with people[who].sitting():
            said = show_on_terminal(monkeypatch, "--no-pager", *words)
        assert said, line
        assert "Please report" not in said
        assert too_wide(said, width) == [], line
