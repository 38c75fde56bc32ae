"""The words of ``kursk order``."""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names
from kursk_pbem.kernel.hexes import phrases, ways
from kursk_pbem.kernel.verbs import Edit, OrderContext, Verb, edit_draft
from rulesets.hex_toy import assaults
from rulesets.hex_toy.assaults import ASSAULTS, BOLD, EARLY, LATE, STEADY
from rulesets.hex_toy.setting import Setting


def _units(ask: OrderContext) -> names.Known:
    own = ask.setting.counters.items()
    return {uid: (counter.name,) for uid, counter in own if counter.side == ask.state.side}


def _places(ask: OrderContext) -> names.Known:
    return {label: (ask.setting.fords.get(label, ""),) for label in ask.setting.board.index}


def march(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """3.0: write the cheapest march, from the position after the draft's earlier marches."""
    if len(words) < 2:
        raise UsageError("say who marches where, as in 'march a-1 C4'")
    uid = names.find(" ".join(words[:-1]), _units(ask), "unit of yours")
    to = names.find(words[-1].upper(), _places(ask), "hex")
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
    if len(words) < 2:
        raise UsageError("say who pursues where, as in 'pursue a-1 C4'")
    uid = names.find(" ".join(words[:-1]), _units(ask), "unit of yours")
    to = names.find(words[-1].upper(), _places(ask), "hex")
    return (Edit(("orders", "pursuit"), {"unit": uid, "to": to}, add=True, said=f"{uid} into {to}"),)


def volley(_ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """4.5: write the time of the defenders' volley."""
    when = names.choose_one(" ".join(words), (EARLY, LATE), "a volley")
    return (Edit(("policy", "volley"), when, said=f"{when} volleys"),)


def verbs(_setting: Setting) -> tuple[Verb, ...]:
    """Return a word for each field."""
    return (
        Verb("march", "UNIT HEX", "a unit marches", "march a-1 C4", march, ("orders/march",)),
        Verb(
            "assault",
            "HEX with UNITS [stance S]",
            "units assault",
            "assault C4 with a-1",
            assault,
            ("orders/assaults",),
        ),
        Verb("pursue", "UNIT HEX", "a unit pursues", "pursue a-1 C4", pursue, ("orders/pursuit",)),
        Verb("volley", "early|late", "when defenders fire", "volley early", volley, ("policy",)),
    )
