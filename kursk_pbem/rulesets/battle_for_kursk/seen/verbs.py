"""The words of ``kursk order``: posture, replacements, moves, answers. ``verbs_battle`` has the battle words.

A word writes the player's order, legal or not; the rules check the draft afterwards. Ambiguous words raise an error
with a question. Shown paths and odds come from the rules' own search and arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names
from kursk_pbem.kernel.hexes import phrases, ways
from kursk_pbem.kernel.hexes.phrases import UNIT, list_own
from kursk_pbem.kernel.hexes.ways import March, Way
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, PENDING, State
from kursk_pbem.kernel.verbs import ALL, Edit, OrderContext, Verb, describe_removal, edit_draft, list_entries
from kursk_pbem.rulesets.battle_for_kursk import movement, posture, replacements, sequence
from kursk_pbem.rulesets.battle_for_kursk.answers import EXCHANGE_DR, EXCHANGE_DRL, STAND_FAST, WHEN
from kursk_pbem.rulesets.battle_for_kursk.position import Position, is_mud, position
from kursk_pbem.rulesets.battle_for_kursk.seen import attack_hints, choices, outlook, verbs_battle, wording
from kursk_pbem.rulesets.battle_for_kursk.seen.attack_hints import place
from kursk_pbem.rulesets.battle_for_kursk.seen.outlook import MOVE_PHASE, RAIL_PHASE
from kursk_pbem.rulesets.battle_for_kursk.seen.verbs_battle import name_places
from kursk_pbem.rulesets.battle_for_kursk.seen.wording import SAID
from kursk_pbem.rulesets.battle_for_kursk.setting import POSTURES, Setting

RIGHTS = {
    "stand-fast": STAND_FAST,
    "stand": STAND_FAST,
    "exchange-dr": EXCHANGE_DR,
    "dr": EXCHANGE_DR,
    "exchange-drl": EXCHANGE_DRL,
    "drl": EXCHANGE_DRL,
}


_ANSWERS = f"when defenders stand fast, or exchange a DR or DRL: {', '.join(WHEN)}"
_GAINS = "a step for each unit: full strength again, or rebuilt in a hex"
_GOING = "a unit goes to a hex, or by way of several: before combat if possible, otherwise after combat"
_PAID = "the units that lose steps for negative replacement points, instead of the proposed units"
_PLAN = "BATTLE [losses UNITS] [advance UNITS] [retreat ...]"
_OWED = "Your replacement points are negative, and the rules take these steps [10.6]. Name the units to pay."
_WAY = "UNIT [HEX...] HEX"
_TEXTS = {
    "posture": ("POSTURE [reaction]", f"your posture: {', '.join(POSTURES)}", "posture engage"),
    "waive": ("", "give orders at once, without seeing the Russian posture", "waive"),
    "wait": ("", "see the Russian posture first: removes 'waive' and the orders", "wait"),
    "distribute": ("UNITS | UNIT for UNIT", "the units to begin at full strength", "distribute r-40 for r-37"),
    "objective": ("CITY", "the place of the Strategic Objective", "objective orel"),
    "return": ("UNIT HEX", "the hex for the return of a unit to the map", "return r-6-g 2113"),
    "replace": ("UNITS | UNIT HEX", _GAINS, "replace r-46"),
    "rebuild": ("UNIT HEX", "an eliminated unit comes back reduced, for a step", "rebuild r-38 2418"),
    "give-up": ("UNITS | nobody", _PAID, "give-up g-40-pz"),
    "move": (_WAY, _GOING, "move 24 pz 2219"),
    "rail": (_WAY, "a unit goes before combat: armor, or infantry by rail", "rail g-35 2110"),
    "march": (_WAY, "a unit goes after combat", "march 2 ss 2016"),
    "attack": (verbs_battle.USAGE, "a new battle, or a change of a declared battle", verbs_battle.EXAMPLE),
    "plan": (_PLAN, "the hidden plan of a battle", "plan oboyan losses g-52 advance 48 pz if-free"),
    "answer": ("[all|BATTLE|UNIT|HEX] stand|dr|drl WHEN ...", _ANSWERS, "answer oboyan dr full drl always"),
    "decide": ("OPTION", "your decision after the dice have stopped", "decide stand-fast"),
}
"""Word -> usage, text, example; in the sequence of play."""
_LABELS = {"waive": "order at once", "wait": "wait for the posture", "give-up": "give up steps"}


def list_verbs(_setting: Setting) -> tuple[Verb, ...]:
    """Return all command words of ``kursk order``, in the sequence of play."""
    before, after = "orders/armor-and-rail", "orders/movement"
    written: Mapping[str, Sequence[Any]] = {
        "posture": (_order_posture, ("choice", "seal"), choices.offer_postures, "", _posture_text),
        "waive": (_waive, ("waive",)),
        "wait": (_wait, ("waive",)),
        "distribute": (_distribute, ("orders/distribution",), choices.offer_distribution),
        "objective": (_order_objective, ("orders/objective",), choices.offer_objective),
        "return": (_return, ("orders/returns",), choices.back_from(OFF_MAP)),
        "replace": (_replace, ("orders/replacements",), choices.offer_gains),
        "rebuild": (_replace, ("orders/replacements",), choices.back_from(ELIMINATED)),
        "give-up": (_give_up, ("orders/give-ups",), choices.offer_give_ups, _OWED),
        **{
            name: (partial(_go, name=name, keys=keys), fields, partial(choices.offer_moves, keys=keys))
            for name, keys, fields in (
                ("move", (RAIL_PHASE, MOVE_PHASE), (before, after)),
                ("rail", (RAIL_PHASE,), (before,)),
                ("march", (MOVE_PHASE,), (after,)),
            )
        },
        "attack": (verbs_battle.order_attack, ("orders/battles",), choices.offer_battle),
        "plan": (verbs_battle.order_plan, ("orders/battles", "plans"), choices.offer_plan),
        "answer": (_answer, ("policy",), choices.offer_answers),
        "decide": (_decide, ("decisions",), choices.offer_decision),
    }
    verbs = (Verb(name, *texts, *written[name]) for name, texts in _TEXTS.items())
    return tuple(replace(verb, label=_LABELS.get(verb.name, "")) for verb in verbs)


# Posture and objective


def _order_posture(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """12.0: write an open or sealed posture, by stage; proposed give-ups change with the posture (10.6)."""
    name, *more = words or ("",)
    chosen = names.choose_one(name, POSTURES, "a posture")
    word, *whether = more or ("reaction", "no")
    names.choose_one(word, ("reaction",), "the word after a posture")
    value = {"posture": chosen, "reaction": names.choose_one(" ".join(whether) or "yes", ("yes", "no"), "a reaction")}
    phases = sequence.list_stages(ask.setting)[ask.state.stage].phases
    then = ask.at({**ask.draft, "orders": {}}, "turn")  # the markers of the posture's turn
    cost = wording.describe_cost(then, ask.state.side, chosen) if posture.posture_due(then) else ""
    paid = f"; {cost}" if cost else ""
    paid += ", with a marker for a reaction" if value["reaction"] == "yes" else ""
    if sequence.SEALED not in phases:
        said = f"posture of turn {ask.state.turn}: {chosen}{paid}"
        return (Edit(("choice", posture.label(ask.state.turn)), value, said=said), *_give_ups_for(ask, chosen))
    turn = _sealed_turn(ask)
    return (Edit(("seal", posture.label(turn)), value, said=f"posture of turn {turn}, sealed: {chosen}{paid}"),)


def _posture_text(ask: OrderContext) -> str:
    """12.0-2: describe the turn of the posture, and whether the opponent sees the posture at once."""
    if sequence.SEALED in sequence.list_stages(ask.setting)[ask.state.stage].phases:
        return f"your posture for turn {_sealed_turn(ask)}, hidden until your next message"
    return f"your posture for turn {ask.state.turn}"


def _sealed_turn(ask: OrderContext) -> str:
    """12.0-2: return the turn of the sealed posture: the next turn if the message ends the turn."""
    turns: Sequence[str] = ask.setting.turns
    ends = bool(sequence.list_stages(ask.setting)[ask.state.stage].ends)
    return turns[min(turns.index(ask.state.turn) + ends, len(turns) - 1)]


def _give_ups_for(ask: OrderContext, chosen: str) -> tuple[Edit, ...]:
    """10.6: replace proposed give-ups by those for a new posture; a player's own give-ups stay."""
    orders, side = ask.draft.get("orders", {}), ask.state.side
    written = sorted(orders.get("give-ups", ()))
    state = replacements.after_returns(ask.setting, ask.state, side)
    due = {name: sorted(_list_due(ask.setting, state, name)) for name in POSTURES}
    if "waive" not in ask.draft or (written and written not in due.values()) or written == due[chosen]:
        return ()
    said = f"given up: {', '.join(due[chosen])}" if due[chosen] else "no step is given up"
    return (Edit(("orders", "give-ups"), due[chosen], said=said),)


def _list_due(setting: Setting, state: State, chosen: str) -> list[str]:
    side = state.side
    then = state.with_(marks={**state.marks, side: {**state.marks.get(side, {}), "posture": chosen}})
    net = replacements.count_points(setting, then, side)
    return replacements.proposed_give_ups(position(setting, then), side, net)


def _waive(_ask: OrderContext, _words: Sequence[str]) -> tuple[Edit, ...]:
    """12.0-2, K-81: write the waiver."""
    return (Edit(("waive",), "posture", said="the orders below are given without seeing the Russian posture"),)


def _wait(ask: OrderContext, _words: Sequence[str]) -> tuple[Edit, ...]:
    """12.0-2, K-81: remove the waiver."""
    filled = {key: value for key, value in ask.draft.get("orders", {}).items() if value}
    said = "the Russian posture is shown first; orders come with your next message"
    gone = "; ".join(f"{key} {_list_names(value)}" for key, value in filled.items())
    empty = (Edit(("orders", key), "" if key == "objective" else []) for key in filled)
    return (Edit(("waive",), said=f"{said}. Removed: {gone}" if gone else said), *empty)


def _list_names(value: Any) -> str:
    """Return the names in orders of one kind: 'b2015, b2218', 'g-40-pz'."""
    entries = [value] if isinstance(value, str) else value
    return ", ".join(str(one.get("id") or one.get("unit")) if isinstance(one, Mapping) else str(one) for one in entries)


def _order_objective(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """12.1: write the place of the marker."""
    spot = names.find(" ".join(words), name_places(ask), "city")
    return (Edit(("orders", "objective"), spot, said=f"the Strategic Objective goes to {place(ask.setting, spot)}"),)


# Steps


def _distribute(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """6.0-short-scenario: write all units, or replace one unit."""
    said = names.split_clauses(words, ("for",))
    known, now = list_own(ask), list(list_entries(ask, "distribution"))
    chosen = names.find_several(said[""], known, UNIT)
    gone = names.find_several(said.get("for", ()), known, UNIT, {uid: known[uid] for uid in now if uid in known})
    for uid in gone:
        if uid not in now:
            raise UsageError(f"{uid} is not in the list of units at full strength: {', '.join(now)}")
        now.remove(uid)
    after = list(dict.fromkeys([*now, *chosen] if gone else chosen))
    instead = f", instead of {phrases.name_units(ask, gone)}" if gone else ""
    return (
        Edit(("orders", "distribution"), after, said=f"at full strength: {phrases.name_units(ask, chosen)}{instead}"),
    )


def _return(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """9.3-dr-off-the-map: write the return of a unit."""
    waiting = {uid: others for uid, others in list_own(ask).items() if ask.state.units[uid].place == OFF_MAP}
    who, spots = phrases.split_places(words, list_own(ask), name_places(ask), "return r-6-g 2113")
    uid, hex_ = names.find(who, list_own(ask), UNIT, waiting), names.find(" ".join(spots), name_places(ask), "hex")
    said = f"{phrases.name_units(ask, [uid])} returns in {hex_}"
    return phrases.replace_order(ask, "returns", {"unit": uid, "hex": hex_}, said)


def _replace(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """10.0: write flips on the map or one placement, and remove the units' earlier orders."""
    if not words:
        raise UsageError("type the units that gain a step, as in 'replace r-46' or 'replace r-38 2418'")
    said = names.find_last(words[1:], name_places(ask))[-1:]
    spot = names.find(said[0], name_places(ask), "hex") if said else ""
    counters, state = ask.setting.counters, ask.state
    able = {
        uid: others for uid, others in list_own(ask).items() if state.units[uid].steps < len(counters[uid].strength) - 1
    }
    return tuple(
        edit
        for uid in names.find_several(words[: len(words) - names.count_words(said)], list_own(ask), UNIT, able)
        for edit in (*phrases.remove_orders(ask, "replacements", uid), _order_gain(ask, uid, spot))
    )


def _order_gain(ask: OrderContext, uid: str, spot: str) -> Edit:
    path, who = ("orders", "replacements"), phrases.name_units(ask, [uid])
    if ask.state.units[uid].place != ELIMINATED:
        order = {"unit": uid, "gain": "flip", **({"hex": spot} if spot else {})}
        return Edit(path, order, add=True, said=f"{who} comes to full strength")
    # the draft may place the unit already
    without = edit_draft(ask.draft, phrases.remove_orders(ask, "replacements", uid))
    pos = position(ask.setting, ask.at(without, "replacement"))
    allowed = [ask.setting.board.labels[hex_] for hex_ in replacements.find_placements(pos, uid)]
    if not spot and len(allowed) != 1:
        where = attack_hints.list_places(pos, allowed) or "no hex now"
        raise UsageError(
            f"name the hex for {uid}: {where}; as in 'replace {uid} {allowed[0]}'"
            if allowed
            else f"{uid} can be rebuilt in {where}"
        )
    spot = spot or allowed[0]
    order = {"unit": uid, "gain": "place", "hex": spot}
    return Edit(path, order, add=True, said=f"{who} is rebuilt, reduced, in {place(ask.setting, spot)}")


def _give_up(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """10.6: write give-ups; a unit may give up both steps."""
    if not words:
        raise UsageError("type the units that give up a step, as in 'give-up g-40-pz', or 'give-up nobody'")
    given = [] if list(words) in (["nobody"], ["none"]) else list(names.find_several(words, list_own(ask), UNIT))
    said = f"a step is given up by {phrases.name_units(ask, given)}" if given else "no unit gives up a step"
    gone = phrases.name_units(
        ask, [uid for uid in list_entries(ask, "give-ups") if uid not in given and uid in list_own(ask)]
    )
    return (Edit(("orders", "give-ups"), given, said=f"{said}, instead of {gone}" if gone else said),)


# Moves


def _go(ask: OrderContext, words: Sequence[str], *, name: str, keys: Sequence[str]) -> tuple[Edit, ...]:
    """8.0, 8.1: write a move in the first phase that reaches the hex, otherwise in the first with movement."""
    who, spots = phrases.split_places(words, list_own(ask), name_places(ask), _TEXTS[name][2])
    uid = names.find(who, list_own(ask), UNIT, phrases.on_map(ask.setting.board, ask.state, list_own(ask)))
    tried: list[tuple[bool, bool, str, Position, Way | None]] = []
    for key in choices.list_open_phases(ask, keys) or keys[-1:]:
        pos = choices.find_position_before(ask, uid, key)
        how, ends = outlook.find_ends(pos, uid, key) if uid in pos.where else (movement.MOVE, {})
        way = _find_way(pos, movement.make_march(pos, uid, how), spots) if ends else None
        tried.append((way is not None, bool(ends), key, pos, way))
    _leads_there, _moves, key, pos, way = max(tried, key=lambda trial: trial[:2])
    order = phrases.make_move(uid, spots if len(spots) == 1 else _list_labels(pos, way, spots))
    return phrases.replace_order(ask, key, order, _describe_move(ask, pos, uid, key, way, spots))


def _find_way(pos: Position, march: March, spots: Sequence[str]) -> Way | None:
    """Return the cheapest way over some hexes to the last, None without a way."""
    path: tuple[int, ...] = ()
    for number, label in enumerate(spots, 1):
        start = path[-1] if path else march.start
        part = replace(march, start=start, full=march.full if number == len(spots) else 0)
        way = ways.way_to(part, pos.setting.board.index[label])
        if way is None:
            return None
        path += way.path
    whole = ways.check_path(pos.setting.board, march, path)
    return whole if isinstance(whole, Way) else None


def _list_labels(pos: Position, way: Way | None, spots: Sequence[str]) -> list[str]:
    return [pos.setting.board.labels[hex_] for hex_ in way.path] if way else list(spots)


def _describe_move(ask: OrderContext, pos: Position, uid: str, key: str, way: Way | None, spots: Sequence[str]) -> str:
    """Return '24 Pz (g-24-pz) from 2118 to 2219 before combat: 2218 2219, 2 of 6 MP'."""
    start, end = (place(ask.setting, label) for label in (pos.state.units[uid].place, spots[-1]))
    text = f"{phrases.name_units(ask, [uid])} from {start} to {end}{'' if key == MOVE_PHASE else ' before combat'}"
    if way is None:
        return text
    counter = pos.setting.counters[uid]
    cost = (
        "one hex in mud"
        if is_mud(pos.state) and (key == MOVE_PHASE or not counter.infantry)
        else f"{way.mp} of {counter.move} MP"
    )
    return f"{text}: {' '.join(_list_labels(pos, way, spots))}, {cost}"


# Answers


def _answer(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """K-73: write an answer for a battle, a unit, a hex or the whole side."""
    first = next((number for number, word in enumerate(words) if word.lower() in RIGHTS), len(words))
    whom, said = " ".join(words[:first]), list(words[first:])
    if not said or len(said) % 2:
        raise UsageError(
            "type a right and its condition, as in 'answer oboyan dr full drl always' or 'answer stand doomed'"
        )
    path, about = _find_subject(ask, whom)
    edits = []
    for word, when in zip(said[::2], said[1::2], strict=True):
        right = RIGHTS[names.choose_one(word, tuple(RIGHTS), "a right")]
        off = when.lower() in names.NOTHING
        value = None if off else names.choose_one(when, WHEN, f"when {right}")
        text = SAID[right, value] if value else f"{right} {describe_removal(ask, (*path, right))}"
        edits.append(Edit((*path, right), value, said=text + about))
    return tuple(edits)


def _find_subject(ask: OrderContext, whom: str) -> tuple[Path, str]:
    """Return the path of an answer in the draft, and its subject in words."""
    if whom.lower() in ("", ALL):
        return ("policy",), " for all your units"
    tables = {battle["id"]: "battles" for battle in ask.state.agenda.get("battles", ())}
    if whom.lower() in tables:
        return ("policy", "battles", whom.lower()), f" in {whom.lower()}"
    known = {**dict.fromkeys(tables, ()), **list_own(ask), **name_places(ask)}
    key = names.find(whom, known, "battle, unit of yours or hex")
    table = tables.get(key) or ("units" if key in ask.setting.counters else "hexes")
    return ("policy", table, key), f" for {key}"


def _decide(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """K-75: write the decision."""
    pending = ask.state.agenda.get(PENDING)
    if pending is None:
        raise UsageError("no decision is due: no dice wait for a decision")
    chosen = names.choose_one(" ".join(words), tuple(pending["options"]), "the decision")
    return (Edit(("decisions", pending["battle"]), chosen, said=f"{pending['battle']}: {chosen}"),)
