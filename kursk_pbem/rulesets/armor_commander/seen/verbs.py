"""The words of ``kursk order`` (2.2, 4.3, 5.2): move, advance, face, fire, rest, deploy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import names, plane
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.kernel.verbs import Edit, OrderContext, Verb
from kursk_pbem.rulesets.armor_commander import movement
from kursk_pbem.rulesets.armor_commander.ahead import divide
from kursk_pbem.rulesets.armor_commander.orders import GREEN, RED
from kursk_pbem.rulesets.armor_commander.position import make_field
from kursk_pbem.rulesets.armor_commander.seen import choices, commands, naming
from kursk_pbem.rulesets.armor_commander.setting import AP, GUN, HE, Setting, parse_inches

MOVE = "move g-pz-1 12.50 30.00 14.00 31.50 face 1:30"
ADVANCE = "advance g-panzer 12:30 5.50"
FACE = "face g-pz-1 9"
FIRE = "fire g-panzer at s-tanks then s-zis-1"
REST = "rest g-panzer"
DEPLOY = "deploy g-pz-1 31.00 9.50 face 12"

Entry = dict[str, Any]

_TIME = re.compile(r"([0-9]{1,2})(?:[:.h](00|30))?h?")
"""Spellings of a half hour: '6', '06:00', '1.30', '1h30'."""


def _put_entry(ask: OrderContext, entry: Entry, said: str, *, deploying: bool = False) -> tuple[Edit, ...]:
    """Replace the entry with the same id, or append an entry; name a replaced order with another chip."""
    path, entries = choices.find_entries(ask, deploying=deploying)
    for at, had in enumerate(entries):
        if had.get("id") == entry["id"]:
            if had.get("chip") != entry.get("chip"):
                said += f", instead of: {commands.write_order({}, path, had)}"
            return (Edit((*path, at), entry, said=said),)
    return (Edit(path, entry, add=True, said=said),)


def _parse_hour(said: Sequence[str], example: str, what: str = "a facing") -> str:
    """Return a half hour: '6:00', '06:00' and '6h' are 6; 1 is not 10. Raises UsageError for other words."""
    time = _TIME.fullmatch(" ".join(said).lower())
    face = f"{int(time[1])}{':30' if time[2] == '30' else ''}" if time else ""
    if face not in CLOCK:
        wrong = f"{' '.join(said)!a} does not fit: " if said else ""
        raise UsageError(f"{wrong}type {what} like a clock time (12, 1:30 or 9), as in '{example}'")
    return face


def _drop_oclock(words: Sequence[str]) -> list[str]:
    """Return the words without "o'clock"."""
    return [word for word in words if word.lower() not in ("o'clock", "oclock", "o\u2019clock")]


def move(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """4.1, 4.3: write the order 'move', which moves a model along places. The draft's earlier facing stays."""
    if words[-1].lower() in names.NOTHING and "face" not in words:
        return _remove_part(ask, words[:-1], "moves")
    said = names.split_clauses(_drop_oclock(words), ("face",))
    mid, path = naming.split_places(ask, said[""], MOVE)
    if not path:
        raise UsageError(f"name the place, as in '{MOVE}'")
    facing = {"face": _parse_hour(said["face"], FACE)} if said.get("face") else {}
    kept = ("face",) if "face" not in said else ()  # 'face none' removes the facing
    had = {key: value for key, value in choices.find_move(ask, mid).items() if key in kept}
    turns = f" and faces {facing['face']}" if facing else _name_kept(had)
    return _add_moves(ask, [{"id": mid, "path": path, **had, **facing}], f"{mid} goes to {'; '.join(path)}{turns}")


def _name_kept(had: Entry) -> str:
    """Return words for a facing kept from an earlier order."""
    return f", facing {had['face']} as ordered before" if "face" in had else ""


def _remove_part(ask: OrderContext, words: Sequence[str], key: str) -> tuple[Edit, ...]:
    """3.2: remove one model's order; without other orders its unit gets no chip."""
    mid = naming.find_own(ask, " ".join(words), naming.list_models(ask.setting, ask.state.side), "model")
    path, entries = choices.find_entries(ask)
    uid = ask.setting.models[mid].unit
    for at, entry in ((at, entry) for at, entry in enumerate(entries) if entry.get("id") == uid):
        gone = [part for part in entry.get(key, ()) if part.get("id") == mid]
        rest_ = {**entry, key: [part for part in entry.get(key, ()) if part not in gone]}
        said = f"taken out: {commands.write_order({}, path, {'chip': '', key: gone})}"
        if gone and (rest_[key] or entry.get("at")):
            left = rest_ if rest_[key] else {word: value for word, value in rest_.items() if word != key}
            return (Edit((*path, at), left, said=said),)
        if gone:
            return (Edit((*path, at), said=f"{said}; {uid} gets no chip"),)
    raise UsageError(f"{mid} has no {'move' if key == 'moves' else 'targets'} in the draft")


def advance(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """4.1, 4.3: write the order 'advance'. A model, or all mobile models of a unit, move straight in a direction."""
    if words[-1].lower() in names.NOTHING and "face" not in words:
        unit = names.match(" ".join(words[:-1]), naming.list_units(ask.setting, ask.state.side))
        green = len(unit) == 1 and choices.find_order(ask, unit[0]).get("chip") == GREEN
        return rest(ask, words[:-1]) if green else _remove_part(ask, words[:-1], "moves")
    said = names.split_clauses(_drop_oclock(words), ("face",))
    try:
        first, *name, hour, far = said[""]  # of 'advance g-panzer 12' the 12 is the hour
        long = parse_inches(naming.format_inches(far))
    except ValueError:
        raise UsageError(f"type a unit or model, a direction (a clock time), and inches, as in '{ADVANCE}'") from None
    across, up = CLOCK[hour := _parse_hour([hour], ADVANCE, "a direction")]
    who = _unit_or_model(ask, (first, *name))
    table = make_field(ask.setting, ask.state)
    facing = {"face": _parse_hour(said["face"], FACE)} if said.get("face") else {}
    moves: list[Entry] = []
    able = [mid for mid in table.find_models(who) if table.is_mobile(mid)]
    for mid in (mid for mid in able if mid == who or not movement.explain_stuck(table, mid)):
        x, y = table.at[mid]
        end = x + divide(across * long), y + divide(up * long)
        if min(end) < 0:
            raise UsageError(f"{mid} would leave the table")
        had = {key: value for key, value in choices.find_move(ask, mid).items() if key == "face" and key not in said}
        moves.append({"id": mid, "path": [plane.text(end)], **had, **facing})
    if not moves:
        raise UsageError(f"{who} has no mobile model")
    ends = "; ".join(f"{mover['id']} to {mover['path'][0]}{'' if facing else _name_kept(mover)}" for mover in moves)
    ends += f", facing {facing['face']}" if facing else ""
    return _add_moves(ask, moves, f"towards {hour}, {plane.inches(long)} inches: {ends}")


def face(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """4.3, 6.6: write the order 'face', which turns a tank. The tank's ordered path stays."""
    known, words = naming.list_models(ask.setting, ask.state.side), _drop_oclock(words)
    if len(names.match(" ".join(words), known)) == 1:
        raise UsageError(f"type the new facing like a clock time, as in '{FACE}'")
    mid = naming.find_own(ask, " ".join(words[:-1]), known, "model")
    if words[-1].lower() in names.NOTHING:
        if path := choices.find_move(ask, mid).get("path"):
            return _add_moves(ask, [{"id": mid, "path": path}], f"{mid} keeps the facing")
        return _remove_part(ask, words[:-1], "moves")
    facing = _parse_hour(words[-1:], FACE)
    return _add_moves(ask, [{**choices.find_move(ask, mid), "face": facing}], f"{mid} faces {facing}")


def _add_moves(ask: OrderContext, moves: Sequence[Entry], said: str) -> tuple[Edit, ...]:
    """4.1: add moves to the order of their unit, which gets a green chip."""
    uid = ask.setting.models[moves[0]["id"]].unit
    entry = {"id": uid, "chip": GREEN, "moves": _merge_parts(choices.find_order(ask, uid).get("moves", ()), moves)}
    return _put_entry(ask, entry, f"{said} (green chip for {uid})")


def _merge_parts(old: Sequence[Entry], new: Sequence[Entry]) -> list[Entry]:
    """Merge the parts of an order by model; every part keeps its position, so a repeated order changes nothing."""
    return list({part.get("id"): part for part in (*old, *new)}.values())


def fire(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """5.1, 5.2: write the order 'fire', for a unit, or for one model with its own targets."""
    if words[-1].lower() in names.NOTHING and "at" not in words and "with" not in words:
        return _remove_part(ask, words[:-1], "shots")
    bare = words[-1].lower() in (AP, HE) and "with" not in words  # 'fire pz 1 at t 1 he'
    said = names.split_clauses([*words[:-1], "with", words[-1]] if bare else words, ("at", "with"))
    if "at" in said and not said["at"]:
        return _remove_part(ask, said[""], "shots")
    if "at" not in said and said.get("with") == []:
        return _any_rounds(ask, _unit_or_model(ask, said[""]))
    if not said.get("at"):
        raise UsageError(f"name the targets, as in '{FIRE}'")
    name = _unit_or_model(ask, said[""])
    targets = naming.find_targets(ask, said["at"])
    rounds = {"rounds": names.choose_one(" ".join(said["with"]), (AP, HE), "rounds")} if said.get("with") else {}
    text = f"{name} fires {commands.write_aim({'at': targets, **rounds})}"
    if name in ask.setting.units:
        shots = {"shots": old} if (old := choices.find_order(ask, name).get("shots")) else {}
        text += "".join(f", {shot['id']} still {commands.write_aim(shot)}" for shot in old or ())
        return _put_entry(ask, {"id": name, "chip": RED, "at": targets, **rounds, **shots}, f"{text} (red chip)")
    uid = ask.setting.models[name].unit
    old = {key: value for key, value in choices.find_order(ask, uid).items() if key in ("at", "rounds", "shots")}
    old["shots"] = _merge_parts(old.get("shots", ()), [{"id": name, "at": targets, **rounds}])
    return _put_entry(ask, {"id": uid, "chip": RED, **old}, f"{text} (red chip for {uid})")


def _any_rounds(ask: OrderContext, name: str) -> tuple[Edit, ...]:
    """5.7: remove the named rounds of an order; its targets stay."""
    uid = name if name in ask.setting.units else ask.setting.models[name].unit
    path, entries = choices.find_entries(ask)
    for at, entry in enumerate(entries):
        aims = [((), entry)] if name == uid else [(("shots", n), shot) for n, shot in enumerate(entry.get("shots", ()))]
        for below, aim in aims:
            if aim.get("id") == name and "rounds" in aim:
                return (Edit((*path, at, *below, "rounds"), said=f"{name} fires the usual rounds for the target"),)
    raise UsageError(f"the draft chooses no rounds for {name}")


def _unit_or_model(ask: OrderContext, words: Sequence[str]) -> str:
    """Return the id of an own unit or model."""
    side = ask.state.side
    known, first = naming.list_all(ask.setting, side), naming.list_units(ask.setting, side)
    return naming.find_own(ask, " ".join(words), known, "unit or model", first)


def rest(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """3.2: write the order 'rest', which removes a unit's order from the draft."""
    uid = naming.find_own(ask, " ".join(words), naming.list_units(ask.setting, ask.state.side), "unit")
    path, entries = choices.find_entries(ask)
    places = [at for at, entry in enumerate(entries) if entry.get("id") == uid]
    if not places:
        raise UsageError(f"{uid} has no chip in the draft")
    return tuple(Edit((*path, at), said=f"{uid} gets no chip") for at in reversed(places))


def deploy(ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
    """2.2: write the order 'deploy', which places a model. If the order has only a facing, the earlier place stays."""
    said = names.split_clauses(_drop_oclock(words), ("face",))
    mid, places = naming.split_places(ask, naming.turn_words(said[""]), DEPLOY)
    if len(places) > 1 or not (places or "face" in said):
        raise UsageError(f"type a place or a facing, as in '{DEPLOY}'")
    at = {"at": places[0]} if places else {}
    facing = (
        {
            "face": _parse_hour(
                said["face"] or [ask.setting.models[mid].face],  # 'face none'
                DEPLOY if ask.setting.models[mid].kind == GUN else f"deploy {mid} face 12",
            )
        }
        if "face" in said
        else {}
    )
    told = [*(f"at {place}" for place in places), *(f"facing {hour}" for hour in facing.values())]
    old: Entry = next((entry for entry in choices.find_entries(ask, deploying=True)[1] if entry.get("id") == mid), {})
    return _put_entry(ask, {"id": mid, **old, **at, **facing}, f"{mid} stands {' '.join(told)}", deploying=True)


def list_verbs(_setting: Setting) -> tuple[Verb, ...]:
    """Return the command words of ``kursk order``."""
    orders, path, straight = (
        ("orders/units", "plot"),
        "MODEL X Y [X Y ...] [face CLOCK]",
        "UNIT CLOCK INCHES [face CLOCK]",
    )
    aims, places = "UNIT at ENEMY [then ENEMY ...] [with ap|he]", ("orders/deployment", "deploy")
    return (
        Verb("move", path, "a model goes by places in inches", MOVE, move, orders, choices.move),
        Verb(
            "advance",
            straight,
            "the models of a unit go straight in a direction",
            ADVANCE,
            advance,
            orders,
            choices.advance,
        ),
        Verb(
            "face", "MODEL CLOCK", "a tank turns on the spot or at the end of a move", FACE, face, orders, choices.face
        ),
        Verb("fire", aims, "a unit or a model fires", FIRE, fire, orders, choices.fire),
        Verb("rest", "UNIT", "a unit gets no chip", REST, rest, orders, choices.rest),
        Verb("deploy", "MODEL [X Y] [face CLOCK]", "a model is deployed", DEPLOY, deploy, places, choices.deploy),
    )
