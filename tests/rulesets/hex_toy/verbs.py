"""The words of ``kursk order``."""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names
from kursk_pbem.kernel.hexes import phrases, ways
from kursk_pbem.kernel.verbs import CHOICE, PLACE, UNITS, Clause, Edit, OrderContext, Verb, edit_draft, list_entries
from rulesets.hex_toy import assaults
from rulesets.hex_toy.assaults import ASSAULTS, BOLD, BROKEN, EARLY, LATE, STEADY
from rulesets.hex_toy.outlook import reach, units_of
from rulesets.hex_toy.setting import Setting


def _units(ask: OrderContext) -> names.Known:
    own = ask.setting.counters.items()
    return {uid: (counter.name,) for uid, counter in own if counter.side == ask.state.side}


def _places(ask: OrderContext) -> names.Known:
    return {label: (ask.setting.fords.get(label, ""),) for label in ask.setting.board.index}


def _read_move(ask: OrderContext, words: Sequence[str], question: str) -> tuple[str, str]:
    said = [word for word in words if word != "to"]
    if len(said) < 2:
        raise UsageError(question)
    uid = names.find(" ".join(said[:-1]), _units(ask), "unit of yours")
    return uid, names.find(said[-1].upper(), _places(ask), "hex")


def march(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """3.0: write the cheapest march, from the position after the draft's earlier marches."""
    uid, to = _read_move(ask, words, "say who marches where, as in 'march a-1 C4'")
    state, board = ask.at(edit_draft(ask.draft, phrases.remove_orders(ask, "march", uid)), "march"), ask.setting.board
    said = f"{uid} to {to}"
    if state.units[uid].place in board.index:
        way = ways.way_to(assaults.march(ask.setting, state, uid), board.index[to])
        said += f": {' '.join(board.labels[hex_] for hex_ in way.path)}, {way.mp} paces" if way else ""
    return phrases.replace_order(ask, "march", phrases.make_move(uid, [to]), said)


def assault(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """4.0: write an assault on a hex, bold or steady."""
    said = names.split_clauses(words, ("with", "stance"))
    if not said[""] or not said.get("with"):
        raise UsageError("say who assaults what, as in 'assault C4 with a-1 a-2 stance bold'")
    hex_ = names.find(" ".join(said[""]).upper(), _places(ask), "hex")
    order = {
        "id": f"a-{hex_.lower()}",
        "hex": hex_,
        "units": list(names.find_several(said["with"], _units(ask), "unit")),
    }
    if "stance" in said:
        order["stance"] = names.choose_one(" ".join(said["stance"]), (BOLD, STEADY), "a stance")
    return (Edit(("orders", ASSAULTS), order, add=True, said=f"{hex_} by {', '.join(order['units'])}"),)


def pursue(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """5.0: write the pursuit of defeated enemies."""
    uid, to = _read_move(ask, words, "say who pursues where, as in 'pursue a-1 C4'")
    return (Edit(("orders", "pursuit"), {"unit": uid, "to": to}, add=True, said=f"{uid} into {to}"),)


def volley(_ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """4.5: write the time of the defenders' volley."""
    when = names.choose_one(" ".join(words), (EARLY, LATE), "a volley")
    return (Edit(("policy", "volley"), when, said=f"{when} volleys"),)


def offer_march(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """3.0: offer a unit, then the ends of its march."""
    state = ask.at(ask.draft, "march")
    able = tuple((uid, "") for uid in units_of(ask.setting, state, ask.state.side) if reach(ask.setting, state, uid))

    def list_ends(uid: str) -> list[tuple[str, str]]:
        before = ask.at(edit_draft(ask.draft, phrases.remove_orders(ask, "march", uid)), "march")
        return [(end.place, f"{end.cost} paces") for end in reach(ask.setting, before, uid)]

    return phrases.offer_moves(words, able, list_ends, phrases.list_moved(ask, "march"))


def offer_assault(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """4.0: offer a hex of enemies, then adjacent units without another assault, and the stance."""
    setting, state, orders = ask.setting, ask.at(ask.draft, "march"), list_entries(ask, ASSAULTS)
    own, busy = setting.standing(state, state.side), {uid for order in orders for uid in order["units"]}
    able = {
        label: tuple(
            (uid, "")
            for hex_ in setting.board.names(setting.beside(label))
            for uid in own.get(hex_, ())
            if uid not in busy
        )
        for label in setting.standing(state, setting.foe(state.side))
        if label not in [order["hex"] for order in orders]
    }
    if not words or words[0] not in able:
        return (Clause("", "hex", PLACE, tuple((label, "") for label, units in able.items() if units)),)
    stances = ((BOLD, ""), (STEADY, ""))
    return Clause("with", "units", UNITS, able[words[0]], needed="with"), Clause("stance", "stance", CHOICE, stances)


def offer_pursuit(ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
    """5.0: offer a unit beside an emptied hex, then the hex."""
    ends = {uid: each["hex"] for each in ask.state.agenda.get(BROKEN, ()) for uid in each["units"]}
    able = tuple((uid, "") for uid in ends if ask.state.units[uid].steps)
    moved = {order["unit"]: order["to"] for order in list_entries(ask, "pursuit")}
    return phrases.offer_moves(words, able, lambda uid: [(ends[uid], "")], moved)


def offer_volley(_ask: OrderContext, _words: Sequence[str]) -> tuple[Clause, ...]:
    """4.5: offer the times of a volley."""
    return (Clause("", "volley", CHOICE, ((EARLY, ""), (LATE, ""))),)


def verbs(_setting: Setting) -> tuple[Verb, ...]:
    """Return a word for each field."""
    attack = "HEX with UNITS [stance S]"
    return (
        Verb("march", "UNIT HEX", "a unit marches", "march a-1 C4", march, ("orders/march",), offer_march),
        Verb("assault", attack, "units assault", "assault C4 with a-1", assault, ("orders/assaults",), offer_assault),
        Verb("pursue", "UNIT HEX", "a unit pursues", "pursue a-1 C4", pursue, ("orders/pursuit",), offer_pursuit),
        Verb("volley", "early|late", "when defenders fire", "volley early", volley, ("policy",), offer_volley),
    )
