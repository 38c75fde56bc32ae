"""Refusals of policies. How policies are taken, kept and looked up is on the cards of the systems."""

import pytest

from kursk_pbem.kernel.hexes.policies import Policies
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire

ANSWER = {"retreat": "answer"}
POLICIES = Policies("8.0", "9.0", "attack", "hexes", "'retreat: yes'", lambda _umpire, _filing: None)


@pytest.mark.parametrize(("run", "why"), [("answer", "no attack of that name is declared"), ("stand", "name hexes or")])
def test_a_battle_that_is_not_declared_is_refused_at_its_place(run, why):
    umpire = Umpire(None, State("1", "red", "x", {}, agenda={"battles": [{"id": "b1"}]}), 4, None)
    getattr(POLICIES, run)(umpire, Filing(4, "red", policy={"battles": {"b2": {}}}))
    (violation,) = umpire.violations
    assert violation.path == ("policy", "battles", "b2")
    assert violation.message.startswith(why)


def test_what_cannot_stand_is_said_before_it_is_kept():
    assert POLICIES.slip(ANSWER) is None
    assert POLICIES.slip({}) == ((), "it holds no policy; e.g. 'retreat: yes'")
    path, why = POLICIES.slip({"battles": {"b1": {}}})
    assert path == ("battles",)
    assert "attacks are named in the answer" in why
