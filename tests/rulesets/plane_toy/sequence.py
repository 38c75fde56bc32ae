"""1.2: the contents of messages."""

from __future__ import annotations

from collections.abc import Mapping

from kursk_pbem.kernel.refereed import split_stages
from kursk_pbem.kernel.ruleset import DICE, PLAYERS, REFEREE, SEAL, Phase, Stage
from kursk_pbem.kernel.state import OVER, State
from rulesets.plane_toy import orders
from rulesets.plane_toy.setting import NORTH, SOUTH, Setting, invariants

PLOT = Phase("plot", "2.0", orders.plot, when=orders.is_plotted, announced=False)
ORDERS = Phase("orders", "2.0", orders.order, ("orders/models",))
SHOW = Phase("show", "2.0", orders.show, when=orders.is_shown)
MOVE = Phase("move", "2.2", orders.move, when=orders.waits, sided=False)
FIRE = Phase("fire", "3.0", orders.fire, rolls=True, when=orders.waits, sided=False)

_PLAYERS, _REFEREED = split_stages(
    [
        Stage("plot", "1.2", NORTH, (), (PLOT,), "sealed orders", ("orders",), kind=SEAL),
        Stage("orders", "1.2", SOUTH, (), (ORDERS,), "open orders", ("show",)),
        Stage(
            "show",
            "1.2",
            NORTH,
            (SHOW, MOVE, FIRE),
            (PLOT,),
            "moves, dice, results, sealed orders of the next turn",
            ends=("orders",),
            kind=DICE,
            mode=PLAYERS,
        ),
        Stage("show", "1.2", NORTH, (SHOW,), (), "the sealed orders are shown", ("fire",), mode=REFEREE),
        Stage(
            "fire",
            "1.2",
            REFEREE,
            (MOVE, FIRE),
            (),
            "moves, dice and results",
            ends=("plot",),
            kind=DICE,
            mode=REFEREE,
            side=NORTH,
        ),
        Stage(OVER, "4.0", "", (), (), "nothing: the game is over"),
    ]
)


def stages(setting: Setting) -> Mapping[str, Stage]:
    """Return the table for the dice mode of a game."""
    return _REFEREED if setting.refereed else _PLAYERS


def resume(setting: Setting, state: State) -> State | str:
    """1.3: return the first position of a successor: before north's sealed orders."""
    if state.stage != "plot" or state.side != NORTH or state.agenda or state.marks or state.tracks:
        return "something ordered or hidden waits there"
    if state.turn not in setting.turns or set(state.units) != set(setting.models):
        return "it is no position of this scenario"
    return "".join(invariants(setting, state)[:1]) or state
