"""Branches of dice: every branch, groups of equal branches, and a limit."""

from fractions import Fraction

from kursk_pbem.kernel.branches import EACH, run_branches


def thrown(*labels):
    """Return a run with these dice, and a second die after a six."""

    def run(dice):
        found = dice.roll(labels[0], 1)
        return found + "".join(dice.roll(label, 1) for label in labels[1:] if found == "6")

    return run


def test_every_way_with_its_chance():
    found = run_branches(3, thrown("a", "b"))
    assert [(chance, outcome) for chance, _way, outcome in found][:2] == [(Fraction(1, 6), "1"), (Fraction(1, 6), "2")]
    assert len(found) == 5 + 6
    assert sum(chance for chance, _way, _outcome in found) == 1
    assert all("".join(way) == outcome for _chance, way, outcome in found)
    assert run_branches(3, lambda _dice: "none") == [(Fraction(1), (), "none")]
    assert len(run_branches(3, lambda dice: dice.roll("pair", 2))) == 36


def test_faces_that_do_the_same_are_one_way():
    """The first branch of a group represents the group. A die with a single group has no branches."""
    groups = {"a": ("123", "456"), "b": EACH, "c": ("612345",)}
    found = run_branches(3, lambda dice: "".join(dice.roll(label, 1) for label in "abc"), groups=groups.__getitem__)
    assert len(found) == 12
    assert {chance for chance, _way, _outcome in found} == {Fraction(1, 12)}
    assert found[0] == (Fraction(1, 12), ("123", "1", "612345"), "116")


def test_more_ways_than_are_asked_for_are_none():
    assert run_branches(3, thrown("a"), most=5) is None
    assert len(run_branches(3, thrown("a"), most=6)) == 6
    seen = []
    assert run_branches(3, lambda dice: seen.append(dice.roll("a", 9)), most=100) is None
    assert len(seen) == 100
