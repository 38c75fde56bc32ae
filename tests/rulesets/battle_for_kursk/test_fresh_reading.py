"""A second reading of the rules, paragraph by paragraph: details that the first reading had missed."""

from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.events import Decided
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.report.lines import list_entries
from kursk_pbem.rulesets.battle_for_kursk import RULESET, posture
from rulesets.battle_for_kursk.board import Dice, attack, battles, kursk, message, moves, place, play


def game(**options):
    """The campaign with options agreed on."""
    return RULESET.data.load(scenario.load(scenario.find("battle-for-kursk/campaign")), options)


def hint(state, *path, game=None):
    """Return the hint and the proposed value of a draft's key."""
    (found,) = [each for each in RULESET.seen.hints(game or kursk(), state, 10) if each.path == path]
    return " ".join(found.lines), found.value


def test_5_0_moscow_costs_only_the_points_spent_on_the_way_there():
    """A German path beyond Moscow ends in Moscow, and the reported cost is the cost to Moscow (K-69)."""
    state = place("2503: g-48-pz | 3007: r-5")
    played = play(state, moves("g-48-pz 2402 2302 2201"))
    assert (played.at("g-48-pz"), played.path("g-48-pz"), played.mp("g-48-pz")) == ("2402", ("2402",), "1")
    assert played.after.stage == "over"
    assert play(state, moves("g-48-pz to 2402")).mp("g-48-pz") == "1"


def test_10_6_a_draft_counts_on_units_that_come_back_to_the_map():
    """Two armor steps are due; one panzer is on the map, another panzer returns in this phase, before the give-ups
    (K-13). The draft proposes a step of each, and is legal unchanged (K-22)."""
    state = place("0606: g-48-pz reduced | off-map: g-3-pz reduced | 3007: r-5; turn 2")
    lines, proposed = hint(state, "orders", "give-ups")
    assert sorted(proposed) == ["g-3-pz", "g-48-pz"], lines
    assert message(state, {"orders": {"give-ups": proposed}}).legal
    returning = place("0606: g-48-pz | off-map: g-3-pz reduced | 3007: r-5; turn 1")
    assert "g-3-pz" in hint(returning, "orders", "replacements")[0]
    assert play(returning, "orders: {replacements: [{unit: g-3-pz, gain: flip}]}").steps("g-3-pz") == 2


def test_9_3_fortifications_a_draft_speaks_of_defaults_only_where_there_are_any():
    """Missing answers of the defender get the default, or with ``uncovered: ask`` stop the dice (K-75, K-83); the
    draft of the answer states the rule that applies."""
    state = place("1301: r-43 reduced | 1200: r-3-sh | 1401: g-39-pz")
    declared = play(state, battles(attack("1301", "g-39-pz"))).after
    usual = hint(declared, "policy")[0]
    asked = hint(declared, "policy", game=game(uncovered="ask"))[0]
    assert "every DRL is exchanged" in usual
    assert "the dice stop" not in usual
    assert "every DRL is exchanged" not in asked
    assert "the dice stop" in asked


def test_11_3_the_weather_is_not_told_before_its_die():
    """A turn with a weather die begins without weather: the report announces the die, and does not announce dry
    weather (K-64). In a turn without a weather die the report announces dry weather at once."""
    kursk_ = game(weather="die")
    told = {}
    for turn in ("5", "6"):
        umpire = Umpire(kursk_, place(f"turn {turn}; mud"), 10, None)
        posture.begin_turn(umpire, Filing(9, "russian"))
        told[turn] = [line for event in umpire.events for line in list_entries(event, RULESET.seen.words(kursk_))]
        assert umpire.state.tracks["mud"] == 0
    assert "Weather: dry" in told["5"]
    assert not [line for line in told["6"] if line.startswith("Weather:")]
    assert "The weather die is thrown before the postures are chosen" in told["6"]


def test_9_3_fortifications_a_decision_is_told_under_the_paragraph_that_gives_it():
    """With ``uncovered: ask`` a field fortification gives the decision, not the Major City of Stand Fast (K-55)."""
    asked = game(uncovered="ask")
    state = play(place("1301: r-43 | 1401: g-39-pz | 1302: g-6"), battles(attack("1301", "g-39-pz g-6"))).after
    answered = adjudicate(RULESET, asked, state, Filing(11, "russian"), None).after
    stopped = adjudicate(RULESET, asked, answered, Filing(12, "german"), Dice({"b1": 5}, 12)).after
    decided = adjudicate(RULESET, asked, stopped, Filing(13, "russian", decisions={"b1": "exchange"}), None)
    assert decided.legal
    assert [(e.rule, e.chosen) for e in decided.events if isinstance(e, Decided)] == [
        ("9.3-fortifications", "exchange")
    ]


def test_9_3_dr_off_the_map_is_not_counted_on_it():
    """A unit off the map is neither on the map nor eliminated before its return (K-20): the table under a report
    does not count its steps and strength points."""
    table = RULESET.seen.standing(kursk(), place("0606: g-48-pz reduced | off-map: g-3-pz | 3007: r-5 reduced"))
    rows = {row[0]: row[1] for row in table}
    assert (rows["units on the map"], rows["steps on the map"], rows["strength points"]) == ("1", "1", "5")
    assert rows["units eliminated"] == "31"
