"""Facts derived from a position by its events equal facts computed again."""

from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk.position import position, view
from rulesets.battle_for_kursk.board import kursk
from rulesets.battle_for_kursk.random_play import play


def test_the_umpire_shows_the_position_as_it_is_now():
    """Also if several events pass without a look at the position."""
    game = kursk("citadel")
    _before, filing, result = next(each for each in play(game, 3) if len(each[2].events) > 20)
    for stride in (1, 3, 50):
        umpire = Umpire(game, result.before, filing.seq, None)
        for number, event in enumerate(result.events):
            umpire.emit(event)
            if number % stride == 0:
                assert view(umpire) == position(game, umpire.state)
                assert view(umpire) is view(umpire)
