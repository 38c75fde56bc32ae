"""docs/directors.md 1: the days of a round follow from the term and from the messages of games between programs."""

import pytest
from helpers.tourney import World

from kursk_pbem.rulebook import balance

LONG, SHORT, UNKNOWN = "battle-for-kursk/citadel", "armor-commander/crossroads", "armor-commander/gun-line"
ROWS = {
    LONG: [
        balance.Row("2", "20", "German 30.0%, Russian 70.0%", (), (40, 30, 50, 20, 60)),
        balance.Row("1", "2,000", "German 20.0%, Russian 80.0%", (("German", "4"),), ()),
    ],
    SHORT: [balance.Row("2", "200", "German 20.0%, Soviet 80.0%", (), (18, 18, 18, 18, 18))],
}


@pytest.fixture
def director(tmp_path, monkeypatch):
    monkeypatch.setattr(balance, "list_rows", lambda scenario: tuple(ROWS.get(scenario, ())))
    return World(tmp_path).director


def begin(director, *systems, more=()):
    """Write the form of a Swiss; return the days of a round, and the output."""
    words = [word for system in systems for word in ("--system", system)]
    said = director.kursk("tournament", "new", director.place / "cup", "--swiss", 2, "--days", 2, *words, *more)
    form = (director.place / "cup" / "rules.yaml").read_text(encoding="ascii")
    return form.partition("  round: '")[2].partition("'")[0], " ".join(said.split())


@pytest.mark.parametrize(("systems", "days"), [((LONG,), 114), ((SHORT,), 50), ((SHORT, LONG), 114), ((UNKNOWN,), 90)])
def test_nine_games_in_ten_of_the_longest_system_end_within_the_proposed_days(systems, days, director):
    found, said = begin(director, *systems)
    assert int(found) == days
    assert "boards will be" not in said
    assert ("is unknown" in said) is (systems == (UNKNOWN,))


def test_fewer_days_name_the_boards_that_will_not_end(director):
    found, said = begin(director, LONG, SHORT, more=("--round", "94"))
    assert found == "94"
    assert (
        f"{LONG}: nine games in ten end in 114 days (14 to begin, 50 messages, 2 each), by programs of level 2" in said
    )
    assert "about 50 of 100 boards will be judged by points" in said
    form = director.place / "cup" / "rules.yaml"
    form.write_text(form.read_text("ascii").replace("round: '94'", "round: '40'"), encoding="ascii")
    said = " ".join(director.kursk("tournament", "new", director.place / "cup", "--yes").split())
    assert "with round: '40' about 100 of 100 boards will be judged by points" in said
    assert "about 100 of 100 boards will be decided by your word" in said


def test_a_one_sided_system_offers_mirrored_games_or_points(director):
    said = begin(director, LONG, SHORT)[1]
    assert f"{LONG} favors one side (German 30.0%, Russian 70.0%" in said
    assert "write mirror: 'yes' (--mirror), or options: {given: german-4} (by programs of level 1, 2,000 games" in said
    assert said.count("--mirror") == 2
    form = director.place / "cup" / "rules.yaml"
    form.write_text(form.read_text("ascii").replace("options: {}", "options: {given: german-4}", 1), encoding="ascii")
    said = director.kursk("tournament", "new", director.place / "cup", "--yes")
    assert f"{LONG} favors one side" not in said
    assert f"{SHORT} favors one side" in said


def test_mirrored_games_need_no_advice(director):
    assert "favors one side" not in begin(director, LONG, more=("--mirror",))[1]
