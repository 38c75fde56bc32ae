"""3.0: the content of every message, for either sealing side, with the players' dice or a referee's."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.refereed import split_stages
from kursk_pbem.kernel.ruleset import DICE, PLAYERS, REFEREE, SEAL, Phase, Split, Stage, is_waiting
from kursk_pbem.kernel.state import DECLARED, OVER, State
from kursk_pbem.kernel.umpire import Umpire, other
from kursk_pbem.rulesets.armor_commander import action, plotting, position, setup
from kursk_pbem.rulesets.armor_commander.setting import SIDES, Setting

DEPLOY = Phase("deploy", "2.2", setup.seal_deployment, announced=False)
PLACE = Phase("place", "2.2", setup.give_open_deployment, ("orders/deployment",))
UNVEIL = Phase("unveil", "2.2", setup.reveal_deployment, when=setup.is_revealed)
INITIATIVE = Phase("initiative", "3.1", action.roll_initiative, rolls=True, when=action.is_initiative_open, sided=False)
PLOT = Phase("plot", "3.2", plotting.seal_orders, when=plotting.is_turn_open, announced=False)
ORDERS = Phase("orders", "3.2", plotting.give_open_orders, ("orders/units",))
SHOW = Phase("show", "3.2", plotting.reveal_orders, when=plotting.is_revealed)
ACTION = Phase("action", "3.3", action.carry_out_chips, rolls=True, when=is_waiting(position.PLOT), sided=False)
END = Phase("end", "3.4", action.end_turn, when=is_waiting(position.PLOT), announced=False)

Tables = tuple[Mapping[str, Stage], Mapping[str, Stage]]


@cache
def _make_stages(sealer: str) -> Tables:
    """3.0: return the stages with the players' dice, and with a referee's dice, for a sealing side."""
    x, y = sealer, other(SIDES, sealer)
    players = partial(Stage, kind=DICE, mode=PLAYERS)
    refereed = partial(Stage, kind=DICE, mode=REFEREE, side=x)
    ready = ("deployment shown, initiative", "sealed orders")
    acted = ("orders shown, dice and results; if a turn follows, its initiative", "sealed orders")
    results = "dice and results; if a turn follows, its initiative"
    begins, acts, fights = (UNVEIL, INITIATIVE), (SHOW, ACTION, END, INITIATIVE), (ACTION, END, INITIATIVE)
    return split_stages(
        [
            Stage("deploy", "2.2", x, (), (DEPLOY,), "sealed deployment", ("place",), kind=SEAL),
            Stage("place", "2.2", y, (), (PLACE,), "deployment in the clear", ("ready", "unveil")),
            players("ready", "3.0", x, begins, (PLOT,), ", ".join(ready), ("orders",), split=Split(*ready)),
            Stage("unveil", "2.2", x, (UNVEIL,), (), "the sealed deployment is shown", ("initiative",), mode=REFEREE),
            refereed("initiative", "3.1", REFEREE, (INITIATIVE,), (), "initiative", ("plot",)),
            Stage("plot", "3.2", x, (), (PLOT,), "sealed orders", ("orders",), kind=SEAL),
            Stage("orders", "3.2", y, (), (ORDERS,), "orders in the clear", ("action", "show")),
            players("action", "3.0", x, acts, (PLOT,), " and ".join(acted), ends=("orders",), split=Split(*acted)),
            Stage("show", "3.2", x, (SHOW,), (), "the sealed orders are shown", ("dice",), mode=REFEREE),
            refereed("dice", "3.3", REFEREE, fights, (), results, ends=("plot",)),
            Stage(OVER, "9.0", "", (), (), "nothing: the game is over"),
        ]
    )


def list_stages(setting: Setting) -> Mapping[str, Stage]:
    """Return the stages of a game by key."""
    return _make_stages(setting.sealer)[setting.refereed]


def find_next_stage(_umpire: Umpire[Setting], _filing: Filing, _stage: str) -> str:
    """3.0: return '', because every stage of the game has only one possible next stage."""
    return ""


def is_quiet(setting: Setting, state: State) -> bool:
    """Return whether a message contains no choices. With a referee, some messages only reveal a sealed value."""
    return not list_stages(setting)[state.stage].phases


def check_seals(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.2: refuse every sealed value except the deployment or the orders that are now due."""
    agenda = umpire.state.agenda
    due = {position.DEPLOYMENT} & agenda.keys()
    due |= {plotting.name_seal(umpire.state.turn)} if position.PLOT in agenda else set()
    umpire.seals(filing, "3.2", due if agenda.get(DECLARED) == str(filing.seq) else ())
