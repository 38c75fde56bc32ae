"""12.0 Set-up: the first position of a scenario, and free deployment."""

from __future__ import annotations

from kursk_pbem.kernel.events import Placed
from kursk_pbem.kernel.hexes.board import Mask
from kursk_pbem.kernel.hexes.stands import explain_foreign
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import OFF_MAP, State, Unit
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971.position import POINTS, Position, position, view
from kursk_pbem.rulesets.kursk_1971.setting import SIDES, Setting

SET_UP = "{}-set-up"
ORDERS = "{}-orders"


def make_first_state(setting: Setting) -> State:
    """12.0, 12.0-historical, S-54: return the first position. With free deployment, the first stage is a set-up."""
    start = setting.start
    units = {uid: Unit(start.get(uid, OFF_MAP), 1) for uid in setting.counters}
    side = (*setting.deployment, setting.first)[0]
    stage = (SET_UP if setting.deployment else ORDERS).format(side)
    return State(setting.turns[0], side, stage, units, tracks={POINTS.format(side): 0 for side in SIDES})


def find_gaps(pos: Position, side: str) -> Mask:
    """12.0-line, S-30, S-48: return the hexes of a side's line that the side neither occupies nor controls."""
    return pos.setting.man[side] & ~pos.occupied[side] & ~pos.find_zone(side)


def deploy(umpire: Umpire[Setting], filing: Filing) -> None:
    """12.0, S-54: place units by order, on their side of the front. Units without an order stay in their hexes."""
    setting, side = umpire.setting, filing.writer
    named: dict[str, str] = {}
    for number, order in enumerate(filing.order("deployment")):
        for place, uid in enumerate(order["units"]):
            path: Path = ("orders", "deployment", number, "units", place)
            if why := _find_fault(setting, side, uid, order["hex"], named):
                umpire.refuse("12.0", why, uid, path)
            named.setdefault(uid, order["hex"])
    if umpire.violations:
        return
    for uid, label in sorted(named.items()):
        umpire.emit(Placed("12.0", uid, label, 1, "deployed"))
    _check_set_up(umpire, side)


def _find_fault(setting: Setting, side: str, uid: str, label: str, named: dict[str, str]) -> str:
    """Return why a unit cannot be set up in a hex, '' if allowed."""
    if why := explain_foreign(setting, side, uid):
        return why
    if uid not in setting.start:
        return "is not set up: the unit arrives later, or replaces another"
    if uid in named:
        return "is set up twice"
    if label not in setting.board.index:
        return f"{label} is not a hex of this map"
    if not setting.own_side[side] >> setting.board.index[label] & 1:
        return f"{label} lies beyond your line"
    return ""


def _check_set_up(umpire: Umpire[Setting], side: str) -> None:
    """12.0-line, 5.0-a: check stacking and the whole line after a set-up."""
    pos = view(umpire)
    labels = umpire.setting.board.labels
    for hex_, stack in sorted(pos.at.items()):
        if pos.side(stack[0]) == side and not pos.can_stack(stack):
            umpire.refuse("5.0-a", f"too many units: {', '.join(stack)}", labels[hex_], ("orders", "deployment"))
    if gaps := find_gaps(pos, side):
        text = f"your line has open hexes, neither held nor controlled: {', '.join(pos.setting.board.names(gaps))}"
        umpire.refuse("12.0-line", text, "deployment", ("orders", "deployment"))


def list_gaps(setting: Setting, state: State, side: str) -> list[str]:
    """Return the labels of the hexes in a side's line that the side neither occupies nor controls."""
    return setting.board.names(find_gaps(position(setting, state), side))
