"""What follows from a position, led on by its events: always the same as looked at anew."""

import pytest

from kursk_pbem.kernel.events import apply
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk.position import VIEW, position, view
from kursk_pbem.rulesets.battle_for_kursk.setting import SIDES
from rulesets.battle_for_kursk.board import kursk
from rulesets.battle_for_kursk.random_play import play


@pytest.mark.parametrize(("scene", "seed"), [("campaign", 40), ("citadel", 41)])
def test_a_view_led_on_by_events_is_the_view_of_the_position(scene, seed):
    """After every event of a whole game: who stands where, zones, cities and what is In Communication."""
    game, kinds = kursk(scene), set()
    for _before, _filing, result in play(game, seed):
        state = result.before
        pos = position(game, state)
        for event in result.events:
            reached = {side: pos.communication(side) for side in SIDES}  # so that there is something to be kept wrongly
            assert reached
            state = apply(state, event)
            pos = VIEW.after(game, pos, state, event)
            anew = position(game, state)
            assert pos == anew, f"{scene}, seed {seed}: {event}"
            assert pos.state is state
            assert {s: pos.communication(s) for s in SIDES} == {s: anew.communication(s) for s in SIDES}, event
            kinds.add(type(event).__name__)
    assert {"Moved", "Placed", "Removed", "StepsLost", "Marked", "Unmarked", "Tracked", "Scheduled"} <= kinds


def test_the_umpire_shows_the_position_as_it_is_now():
    """Also where nobody has looked at it for some events."""
    game = kursk("citadel")
    _before, filing, result = next(each for each in play(game, 3) if len(each[2].events) > 20)
    for stride in (1, 3, 50):
        umpire = Umpire(game, result.before, filing.seq, None)
        for number, event in enumerate(result.events):
            umpire.emit(event)
            if number % stride == 0:
                assert view(umpire) == position(game, umpire.state)
                assert view(umpire) is view(umpire)
