"""Counts of what can be done in positions of finished games: moves, attacks, retreats. Our perft."""

import pytest
from helpers import registry

from reach import reach_counts


@pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)
def test_as_much_is_in_reach_as_before(kit):
    """If a rule of movement was meant to change: ``make golden``, and read what it shows."""
    expected = reach_counts.path_of(kit).read_text(encoding="ascii").splitlines()
    assert list(reach_counts.counted(kit)) == expected
    assert len(expected) >= len(kit.plots) > 0
