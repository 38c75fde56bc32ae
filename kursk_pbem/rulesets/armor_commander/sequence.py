"""3.0: which message holds what; for either side as the one that seals, and for both ways of rolling dice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.refereed import split_stages
from kursk_pbem.kernel.ruleset import DICE, PLAYERS, REFEREE, SEAL, Phase, Split, Stage
from kursk_pbem.kernel.state import DECLARED, OVER, State
from kursk_pbem.kernel.umpire import Umpire, other
from kursk_pbem.rulesets.armor_commander import action, plotting, position, setup
from kursk_pbem.rulesets.armor_commander.setting import SIDES, Setting

DEPLOY = Phase("deploy", "2.2", setup.deploy, announced=False)
PLACE = Phase("place", "2.2", setup.place, ("orders/deployment",))
UNVEIL = Phase("unveil", "2.2", setup.unveil, when=setup.is_shown)
INITIATIVE = Phase("initiative", "3.1", action.initiative, rolls=True, when=action.is_next, sided=False)
PLOT = Phase("plot", "3.2", plotting.plot, when=plotting.is_plotted, announced=False)
ORDERS = Phase("orders", "3.2", plotting.order, ("orders/units",))
SHOW = Phase("show", "3.2", plotting.show, when=plotting.is_shown)
ACTION = Phase("action", "3.3", action.action, rolls=True, when=action.waits, sided=False)
END = Phase("end", "3.4", action.end, when=action.waits, announced=False)

Tables = tuple[Mapping[str, Stage], Mapping[str, Stage]]


@cache
def _tables(sealer: str) -> Tables:
    """3.0: the stages with the players' dice, and with a referee's, where this side seals."""
    x, y = sealer, other(SIDES, sealer)
    return split_stages(
        [
            Stage("deploy", "2.2", x, (), (DEPLOY,), "sealed deployment", ("place",), kind=SEAL),
            Stage("place", "2.2", y, (), (PLACE,), "deployment in the clear", ("ready", "unveil")),
            Stage(
                "ready",
                "3.0",
                x,
                (UNVEIL, INITIATIVE),
                (PLOT,),
                "deployment shown, initiative, sealed orders",
                ("orders",),
                kind=DICE,
                mode=PLAYERS,
                split=Split("deployment shown, initiative", "sealed orders"),
            ),
            Stage("unveil", "2.2", x, (UNVEIL,), (), "the sealed deployment is shown", ("initiative",), mode=REFEREE),
            Stage(
                "initiative",
                "3.1",
                REFEREE,
                (INITIATIVE,),
                (),
                "initiative",
                ("plot",),
                kind=DICE,
                mode=REFEREE,
                side=x,
            ),
            Stage("plot", "3.2", x, (), (PLOT,), "sealed orders", ("orders",), kind=SEAL),
            Stage("orders", "3.2", y, (), (ORDERS,), "orders in the clear", ("action", "show")),
            Stage(
                "action",
                "3.0",
                x,
                (SHOW, ACTION, END, INITIATIVE),
                (PLOT,),
                "orders shown, dice and results; if a turn follows, its initiative and sealed orders",
                ends=("orders",),
                kind=DICE,
                mode=PLAYERS,
                split=Split("orders shown, dice and results; if a turn follows, its initiative", "sealed orders"),
            ),
            Stage("show", "3.2", x, (SHOW,), (), "the sealed orders are shown", ("dice",), mode=REFEREE),
            Stage(
                "dice",
                "3.3",
                REFEREE,
                (ACTION, END, INITIATIVE),
                (),
                "dice and results; if a turn follows, its initiative",
                ends=("plot",),
                kind=DICE,
                mode=REFEREE,
                side=x,
            ),
            Stage(OVER, "9.0", "", (), (), "nothing: the game is over"),
        ]
    )


def stages(setting: Setting) -> Mapping[str, Stage]:
    """The table of a setting."""
    return _tables(setting.sealer)[setting.refereed]


def follow(_umpire: Umpire[Setting], _filing: Filing, _stage: str) -> str:
    """3.0: one stage comes after the other."""
    return ""


def quiet(setting: Setting, state: State) -> bool:
    """A message with nothing to choose: a referee's game has some that only show."""
    return not stages(setting)[state.stage].phases


def seals(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.2: nothing is sealed but a deployment and the orders of a turn, each in its message."""
    agenda = umpire.state.agenda
    due = {position.DEPLOYMENT} & agenda.keys()
    due |= {plotting.label(umpire.state.turn)} if position.PLOT in agenda else set()
    umpire.seals(filing, "3.2", due if agenda.get(DECLARED) == str(filing.seq) else ())
