"""A second reading of the rules, paragraph by paragraph: what the first one had left in a corner."""

from board import moves, place, play


def test_5_0_moscow_costs_only_the_points_spent_on_the_way_there():
    """A German path that would lead on beyond Moscow ends there, and so do the points it is said to have cost
    (K-69)."""
    state = place("2503: g-48-pz | 3007: r-5")
    played = play(state, moves("g-48-pz 2402 2302 2201"))
    assert (played.at("g-48-pz"), played.path("g-48-pz"), played.mp("g-48-pz")) == ("2402", ("2402",), "1")
    assert played.after.stage == "over"
    assert play(state, moves("g-48-pz to 2402")).mp("g-48-pz") == "1"
