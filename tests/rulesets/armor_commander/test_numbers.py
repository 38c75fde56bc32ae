"""Every number of the rulebook's text and table."""

from fractions import Fraction
from itertools import product

import pytest
from helpers import registry

from kursk_pbem.rulesets.armor_commander import morale, saves, setting
from kursk_pbem.rulesets.armor_commander.fire import measure_shot
from kursk_pbem.rulesets.armor_commander.position import make_field
from kursk_pbem.rulesets.armor_commander.saves import Effect
from rulesets.armor_commander.table import begin, world

KIT = registry.kit("armor-commander")


def effect(kind="tank", *, blast=False, obscured=False, flank=False, off=False):
    return Effect("x", kind, blast, obscured, flank, off)


def count_saves(one):
    """Return how many results of the dice save."""
    dice = 2 if one.kind == "tank" else 1
    return sum(one.is_saved("".join(faces)) for faces in product("123456", repeat=dice)), 6**dice


@pytest.mark.parametrize("scenario", KIT.scenarios)
def test_8_1_armor_penetrating_rounds_of_a_tank(scenario):
    """A-4: close 12, effective 24, long 36; one shot; against tanks; the tank moves 6."""
    played = KIT.setting(scenario)
    assert played.find_weapon("tank", "tank").bands == (("close", 1200), ("effective", 2400), ("long", 3600))
    assert played.find_weapon("tank", "tank").blast == 0
    assert played.moves["tank"] == 600


@pytest.mark.parametrize("scenario", KIT.scenarios)
def test_8_2_high_explosive_rounds_of_a_tank(scenario):
    """A-9, A-10: no close range, effective 12, long 24; a blast 2 inches across."""
    played = KIT.setting(scenario)
    assert played.find_weapon("tank", "gun").bands == (("effective", 1200), ("long", 2400))
    assert played.find_weapon("tank", "gun").blast == 100


@pytest.mark.parametrize("scenario", KIT.scenarios)
def test_8_3_antitank_gun(scenario):
    """A-26: close 12, effective 36, long 48; moves 6; against tanks only."""
    played = KIT.setting(scenario)
    assert played.find_weapon("gun", "tank").bands == (("close", 1200), ("effective", 3600), ("long", 4800))
    assert played.find_weapon("gun", "gun") is None
    assert played.moves["gun"] == 600


@pytest.mark.parametrize(
    ("shooter", "target", "far", "band", "needs"),
    [
        ("g-pz-1", "s-t-1", "12.00", "close", 3),
        ("g-pz-1", "s-t-1", "12.01", "effective", 4),
        ("g-pz-1", "s-t-1", "24.00", "effective", 4),
        ("g-pz-1", "s-t-1", "24.01", "long", 5),
        ("g-pz-1", "s-t-1", "36.00", "long", 5),
        ("g-pz-1", "s-t-1", "36.01", "", 0),
        ("g-pz-1", "s-gun-1", "12.00", "effective", 4),
        ("g-pz-1", "s-gun-1", "12.01", "long", 5),
        ("g-pz-1", "s-gun-1", "24.00", "long", 5),
        ("g-pz-1", "s-gun-1", "24.01", "", 0),
        ("g-gun-1", "s-t-1", "12.00", "close", 3),
        ("g-gun-1", "s-t-1", "12.01", "effective", 4),
        ("g-gun-1", "s-t-1", "36.00", "effective", 4),
        ("g-gun-1", "s-t-1", "36.01", "long", 5),
        ("g-gun-1", "s-t-1", "48.00", "long", 5),
        ("g-gun-1", "s-t-1", "48.01", "", 0),
    ],
)
def test_5_3_bands_end_exactly_on_their_limits(shooter, target, far, band, needs):
    """A-7: exactly on a limit is inside; 5.5: 3, 4 and 5 or more."""
    played = world(
        {
            shooter: ("0.00, 5.00", "3")[: 1 if "gun" in shooter else 2],
            target: (f"{far}, 5.00", "9")[: 1 if "gun" in target else 2],
        }
    )
    found = measure_shot(make_field(played, begin(played)), shooter, target)
    assert (found.band, found.needs) == (band, needs)


@pytest.mark.parametrize(("needs", "chance"), [(3, Fraction(4, 6)), (4, Fraction(3, 6)), (5, Fraction(2, 6))])
def test_5_5_chances_to_hit(needs, chance):
    played = world({"g-gun-1": ("0.00, 5.00",), "s-t-1": (f"{ {3: 12, 4: 36, 5: 48}[needs] }.00, 5.00", "9")})
    assert measure_shot(make_field(played, begin(played)), "g-gun-1", "s-t-1").hit_chance == chance


@pytest.mark.parametrize(
    ("one", "of_36"),
    [
        (effect(), 20),
        (effect(obscured=True), 27),
        (effect(flank=True), 11),
        (effect(obscured=True, flank=True), 20),
        (effect(off=True), 27),
        (effect(off=True, obscured=True), 32),
        (effect(off=True, flank=True), 20),
    ],
)
def test_6_1_a_tank_saves_with_the_better_of_two_dice(one, of_36):
    """A-13: 20/36, with +1 27/36, with -1 11/36; no die saves or fails automatically."""
    assert count_saves(one) == (of_36, 36)
    assert one.chance == Fraction(of_36, 36)


@pytest.mark.parametrize(("obscured", "of_6"), [(False, 2), (True, 3)])
def test_6_2_a_gun_saves_with_one_die_and_half_obscured_adds_1(obscured, of_6):
    """A-33: 5 or more, or 4 or more; only tanks have side and rear armor."""
    for flank in (False, True):
        assert count_saves(effect("gun", obscured=obscured, flank=flank)) == (of_6, 6)
        assert effect("gun", obscured=obscured, flank=flank).chance == Fraction(of_6, 6)


@pytest.mark.parametrize(
    ("one", "of_6"),
    [
        (effect("gun", blast=True), 2),
        (effect("gun", blast=True, obscured=True), 3),
        (effect("gun", blast=True, off=True), 1),
        (effect("gun", blast=True, off=True, obscured=True), 2),
    ],
)
def test_6_8_each_of_a_crew_saves_at_5_and_in_cover_at_4(one, of_6):
    assert count_saves(one) == (of_6, 6)
    assert one.chance == Fraction(of_6, 6)


def test_6_7_fire_from_off_the_table_helps_tanks_and_hurts_crews():
    """A-25: no model of the printed game fires so; the numbers are right, and a gun's own die is unchanged."""
    assert effect(off=True).modifier == 1
    assert effect("gun", blast=True, off=True).modifier == -1
    assert effect("gun", off=True).modifier == 0


def test_7_2_morale_passes_at_7_with_two_dice():
    """A-20: 21 of 36."""
    passes = sum(a + b >= morale.MORALE for a, b in product(range(1, 7), repeat=2))
    assert (passes, Fraction(passes, 36)) == (21, morale.PASSES)


def test_4_4_4_5_9_2_six_one_and_six_inches():
    assert (setting.COHESION, setting.EXCLUSION, setting.HOLDS, saves.SAVE) == (600, 100, 600, 5)
    assert (setting.RADIUS, setting.CREW) == (50, 4)
