"""Every number of the rulebook's text and table."""

import pytest

from kursk_pbem.rulesets.armor_commander.fire import measure_shot
from kursk_pbem.rulesets.armor_commander.position import make_field
from kursk_pbem.rulesets.armor_commander.saves import Effect
from rulesets.armor_commander.table import begin, world


def effect(kind="tank", *, blast=False, obscured=False, flank=False, off=False):
    return Effect("x", kind, blast, obscured, flank, off)


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


def test_6_7_fire_from_off_the_table_helps_tanks_and_hurts_crews():
    """A-25: no model of the printed game fires so; the numbers are right, and a gun's own die is unchanged."""
    assert effect(off=True).modifier == 1
    assert effect("gun", blast=True, off=True).modifier == -1
    assert effect("gun", off=True).modifier == 0
