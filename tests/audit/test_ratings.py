"""Ratings over several events: the published example, the order of events, players by keys, the same bytes anywhere."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from decimal import Decimal, localcontext
from pathlib import Path

import pytest
from glicko2 import MatchResult, RatingEngine, RatingPeriod
from helpers import sweeps

from kursk_pbem.audit import ratings
from kursk_pbem.audit.ratings import Event, format_player, parse_player, rate

PYTHONS = [sys.executable, *sorted(map(str, Path(sys.base_prefix).parent.glob("3.1[0-9].*/bin/python3")))]
"""Run the test also on neighboring archives."""
PROGRAM = """
import importlib, importlib.util, sys
if sys.argv[2] == "pure":
    sys.modules["decimal"] = importlib.import_module("_pydecimal")
spec = importlib.util.spec_from_file_location("ratings", sys.argv[1])
module = sys.modules["ratings"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
def game(event, at):
    first = 7 * event + 3 * at
    time = f"20{event // 4:02}-{1 + 3 * event % 12:02}-28T00:00:00Z"
    return "abcde"[first % 5], "abcde"[(first + 1 + at * event % 4) % 5], (event * at + at // 2) % 3, time
events = []
for event in range(12):
    games = tuple(game(event, at) for at in range(1 + event % 8))
    events.append(module.Event("", "", f"{event:02}", games, (), dict.fromkeys("abcde", "")))
for glicko in (False, True):
    for row in module.rate(events, glicko=glicko):
        print(row.key, row.games, row.rating, row.deviation, row.volatility)
"""
"""Rate many events by the module alone: Python has decimals in C and, slower, in Python."""
SHA256 = "f6f5dbb66e4603644fb400cc31f172c9e883664a2891af46bf7fdba5fbccfbcf"


def event(end, *results, changed=(), names=None):
    """Return an event in the quarter with the number ``end``, from the year 2000."""
    named = names or {who: who.title() for result in results for who in result[:2]}
    time = f"{2000 + int(end) // 4}-{1 + 3 * (int(end) % 4):02}-28T00:00:00Z"
    return Event(end, end, end, tuple((*result, time) for result in results), tuple(changed), named)


def test_glickmans_published_example():
    """Glickman prints 1464.06 = 1500 - 173.7178 * 0.2069, because his mu is rounded to four places."""
    foes = [("1400", "30", 2), ("1550", "100", 0), ("1700", "300", 0)]
    new = ratings.rate_period(
        parse_player("1500", "200", "0.06"), [(parse_player(r, rd, "0.06"), score) for r, rd, score in foes]
    )
    assert f"{new.mu:.4f}" == "-0.2069"
    assert f"{new.variance.sqrt():.4f}" == "0.8722"
    assert f"{1500 - Decimal('173.7178') * Decimal('0.2069'):.2f}" == "1464.06"
    assert format_player(new) == ("1464.05", "151.52", "0.059996")
    assert int(100_000 * new.sigma) == 5999


def test_who_plays_nothing_keeps_rating_and_volatility_and_becomes_less_certain():
    old = parse_player("1700", "50", "0.06")
    rested = format_player(ratings.rate_period(old, []))
    assert rested == ("1700.00", "51.07", "0.060000")


def test_great_surprises_make_a_rating_volatile():
    low, high = parse_player("1000", "50", "0.06"), parse_player("2200", "50", "0.06")
    assert ratings.rate_period(low, [(high, 2)] * 5).sigma > low.sigma


def independent(events, owner):
    """Return person -> (rating, deviation, volatility) by glicko2-py; its periods are our quarters."""
    engine, results = RatingEngine(), [result for each in events for result in each.results]
    months = [12 * int(time[:4]) + int(time[5:7]) - 1 for _one, _other, _score, time in results]
    for quarter in range(min(months) // 3, max(months) // 3 + 1):
        period = RatingPeriod(id=str(quarter))
        for (one, other, score, _time), month in zip(results, months, strict=True):
            if month // 3 == quarter:
                period.add_match(MatchResult(owner[one], owner[other], score / 2))
        engine.process_period(period)
    return {at.id: (1500 + 173.7178 * at.mu, 173.7178 * at.phi, at.sigma) for at in engine.pool.all()}


def test_ratings_by_quarter_equal_an_independent_library():
    """Four events in six quarters, two of the events in one quarter, with a quarter without games and a new key."""
    events = [
        event("0", ("anna", "boris", 2), ("carla", "dmitri", 1), ("anna", "carla", 2), ("boris", "dmitri", 0)),
        event("2", ("emil", "anna", 2), ("boris", "carla", 2)),
        event("2", ("anna", "boris", 0), ("emil", "carla", 1), names={who: who for who in ("anna", "boris", "emil")}),
        event("5", ("nina", "boris", 2), ("emil", "dmitri", 2), changed=[("anna", "nina")]),
    ]
    owner, newest = ratings.find_people(events)
    right = independent(events, owner)
    found = {row.key: row for row in rate(events, glicko=True)}
    assert {newest[person][0] for person in right} == set(found)
    for person, (rating, deviation, sigma) in right.items():
        row = found[newest[person][0]]
        assert abs(float(row.rating) - rating) < 0.006
        assert abs(float(row.deviation) - deviation) < 0.006
        assert abs(float(row.volatility) - sigma) < 2e-6


def test_F2_events_of_other_people_age_nobody():
    """A quarter ages an absent player once. The number of events in the quarter and their order have no influence."""
    own = [event("0", ("anna", "boris", 2)), event("4", ("anna", "boris", 1))]
    foes = [event("1", (f"one-{at}", f"other-{at}", 2)) for at in range(20)]
    alone = {row.key: row for row in rate(own, glicko=True)}
    crowded = {row.key: row for row in rate([*foes, *own], glicko=True)}
    assert alone["anna"] == crowded["anna"]
    together = event("1", *(result[:3] for foe in foes for result in foe.results))
    assert crowded == {row.key: row for row in rate([*own, together], glicko=True)}


@pytest.mark.parametrize(
    ("time", "quarter"), [("2027-03-31T23:59:59Z", "2027-Q1"), ("2027-04-01T00:00:00Z", "2027-Q2")]
)
def test_a_result_belongs_to_the_quarter_of_its_paper(time, quarter):
    """The end of the event does not matter."""
    late = Event("", "", "2029-01-01T00:00:00Z", (("anna", "boris", 2, time),), (), {"anna": "", "boris": ""})
    assert [at for at, _rated in ratings.rate_quarters([late])] == [quarter]


@pytest.mark.parametrize("glicko", [False, True])
def test_a_gap_of_any_size_is_rated(glicko):
    found = rate([event(str(at), *[("anna", f"foe-{at}", 2)] * 400) for at in range(5)], glicko=glicko)
    assert found[0].key == "anna"
    assert found[0].games == 2000


def test_elo_moves_by_an_event_and_rounds_once():
    """Three games against equals with K 20: 10 for each win, whatever was won before in the same event."""
    one = event("1", ("anna", "boris", 2), ("anna", "carla", 2), ("anna", "dmitri", 1))
    assert [(row.key, row.rating) for row in rate([one], glicko=False)] == [
        ("anna", "1520"),
        ("dmitri", "1500"),
        ("boris", "1490"),
        ("carla", "1490"),
    ]
    two = rate([event("2", ("boris", "anna", 2)), one], glicko=False)  # counted in the order of their ends
    assert {row.key: row.rating for row in two} == {"anna": "1509", "dmitri": "1500", "boris": "1501", "carla": "1490"}


def test_a_changed_key_is_the_same_player():
    """A paper signed by two keys joins the games of the keys. The newest name is shown."""
    first = event("1", ("anna", "boris", 2))
    names = {"anna": "Anna", "boris": "Boris"}
    second = event("2", ("new", "boris", 2), changed=[("anna", "new")], names=names)
    found = rate([first, second], glicko=False)
    assert [(row.key, row.name, row.games) for row in found] == [("new", "Anna", 2), ("boris", "Boris", 2)]
    third = event("3", ("new", "boris", 2), names={"new": "Nina", "boris": ""})
    found = rate([first, second, third], glicko=False)
    assert [(row.key, row.name, row.games) for row in found] == [("new", "Nina", 3), ("boris", "", 3)]


def test_two_known_keys_are_joined():
    late = event("2", ("carla", "boris", 2), changed=[("anna", "carla")], names={"boris": "", "carla": ""})
    joined = rate([event("1", ("anna", "boris", 2), ("carla", "boris", 2)), late], glicko=True)
    assert [(row.key, row.games) for row in joined] == [("carla", 3), ("boris", 3)]


@pytest.mark.parametrize("python", [PYTHONS[0], *map(sweeps.long, PYTHONS[1:])])
@pytest.mark.parametrize("decimals", ["usual", "pure"])
def test_every_python_prints_the_same_bytes(decimals, python):
    words = [python, "-I", "-c", PROGRAM, ratings.__file__, decimals]
    said = subprocess.run(words, capture_output=True, check=True).stdout
    assert hashlib.sha256(said).hexdigest() == SHA256, said.decode()


def test_the_decimals_of_a_caller_do_not_matter():
    events = [event("1", ("anna", "boris", 2)), event("2", ("anna", "boris", 0))]
    with localcontext() as context:
        context.prec = 5
        found = rate(events, glicko=True)
    assert found == rate(events, glicko=True)
