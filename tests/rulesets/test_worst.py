"""Limits bound what a stranger's scenario costs: the dearest one is accepted, one step above each limit is refused."""

import copy

import pytest
from helpers import registry
from helpers.worst import write

from kursk_pbem.game import scenarios
from kursk_pbem.kernel.review import ERROR

DEAREST = {kit.id: kit.worst() for kit in registry.kits() if kit.worst is not None}
STEPS = [(rid, name) for rid, worst in DEAREST.items() for name in worst.beyond]


def errors(data, root):
    """What keeps a scenario from being played."""
    return [str(each) for each in scenarios.check(write(data, root))[1] if each.severity == ERROR]


@pytest.mark.parametrize("rid", DEAREST)
def test_T27_the_dearest_scenario_is_accepted(rid, tmp_path):
    assert errors(DEAREST[rid].data, tmp_path) == []


@pytest.mark.parametrize(("rid", "name"), STEPS)
def test_T27_one_step_above_a_limit_is_refused_and_the_limit_is_named(rid, name, tmp_path):
    change, words = DEAREST[rid].beyond[name]
    data = copy.deepcopy(DEAREST[rid].data)
    change(data)
    found = errors(data, tmp_path)
    assert any(words in each for each in found), found
