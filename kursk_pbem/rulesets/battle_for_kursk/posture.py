"""12.0 Posture, 12.1 Strategic Objective, and the start of a turn (4.0, 11.0).

The Russian seals first, the German answers openly and may continue before the reveal (``waive``), the Russian reveals
in the next Russian message (K-79, K-81). In a turn with a weather die (11.3) the German rolls and seals, the Russian
answers openly, and the German reveals with the orders, so the die falls between the last movement and the choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kursk_pbem.kernel.events import Decided, Marked, Noted, Scheduled, Tested, Tracked, Unmarked
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.battle_for_kursk.entry import spend_offensive, win_objective
from kursk_pbem.rulesets.battle_for_kursk.position import view
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, GERMAN, POSTURES, RUSSIAN, SIDES, TURN_ORDER, Setting

MOST_OFFENSIVES = 3  # 4.0
REACTIONS: tuple[dict[str, str], ...] = ({"reaction": "no"}, {"reaction": "yes"}, {})
WEATHER = "weather"  # agenda: the weather die is due (11.3)
ENGAGED = "engaged-{}"  # track: the side has chosen Engage in a turn that counts for 12.1


def label(turn: str) -> str:
    """Return the label of the posture of a turn, as used in messages."""
    return f"posture/turn-{turn.lower()}"


def say_label(key: str) -> str:
    """Return the label of a posture in words: 'posture of turn 2'."""
    return key.replace("posture/turn-", "posture of turn ")


def begin_turn(umpire: Umpire[Setting], _filing: Filing) -> None:
    """4.0-turn-track, 11.0: set mud and add Offensive markers. Both happen before the postures are known (K-1, K-3)."""
    turn = umpire.state.turn
    box = umpire.setting.boxes[turn]
    if umpire.setting.weather_die and box.mud_die:  # remove last turn's mud; dry weather has no message
        umpire.emit(Tracked("4.0-turn-track", "mud", 0), Scheduled("11.3", WEATHER, "due"))
    else:
        umpire.emit(Tracked("11.0", "mud", int(box.mud and not umpire.setting.weather_die)))
    built = new_lines(umpire.setting, turn)
    if built:
        umpire.emit(Noted("4.0-fortifications", f"fortifications active from now on: {built}"))
    for side in SIDES:
        track = f"offensives-{side}"
        had = umpire.state.tracks[track]
        have = min(MOST_OFFENSIVES, had + box.offensives[side])
        umpire.emit(Tracked("4.0-offensives", track, have, have - had))
        now = umpire.state.mark(side, "posture")
        if now:  # last turn's posture becomes the previous one (12.0-1)
            umpire.emit(Marked("12.0-1", side, "previous", now), Unmarked("12.0-1", side, "posture"))


def new_lines(setting: Setting, turn: str) -> str:
    """Return in words the fortified lines that become active in a turn, with their owners, or '' (4.0, K-52)."""
    lines = setting.scenario.data["map"]["fortifications"]
    new = [(lid, line["owner"].capitalize()) for lid, line in sorted(lines.items()) if line["active-from"] == turn]
    return ", ".join(f"{lid} ({owner})" for lid, owner in new)


def roll_weather(umpire: Umpire[Setting], _filing: Filing) -> None:
    """11.3: roll the weather die before both sides choose postures (K-64). No choice affects the die."""
    turn = umpire.state.turn
    name = f"weather/turn-{turn.lower()}"
    die = umpire.roll(name, "11.3", of="")
    most = umpire.setting.boxes[turn].mud_die
    mud = int(die) <= most
    needs, what = f"mud at {'1' if most == 1 else f'1 to {most}'}", f"this is a {'mud' if mud else 'clear'} turn"
    chance = f"{most if mud else 6 - most}/6"
    umpire.emit(
        Tested("11.3", "", "Weather", name, die, needs, mud, what, chance),
        Tracked("11.3", "mud", int(mud)),
        Scheduled("11.3", WEATHER, None),
    )


def weather_due(state: State) -> bool:
    """Return whether the weather die of the turn must still be rolled."""
    return WEATHER in state.agenda


def get_price(state: State, side: str, posture: str) -> int:
    """12.0 (2), K-8: return a posture's price in markers: 0 for the next box to the right, 1 for each further box."""
    return max(0, POSTURES.index(posture) - POSTURES.index(state.mark(side, "previous")) - 1)


def list_affordable(state: State, side: str) -> dict[str, int]:
    """Return the postures that a side can pay, each with its price in Offensive markers."""
    have = state.tracks[f"offensives-{side}"]
    return {posture: get_price(state, side, posture) for posture in POSTURES if get_price(state, side, posture) <= have}


def find_mistake(state: State, side: str, value: Any) -> str:
    """Return the reason why a choice such as ``{posture: engage, reaction: 'no'}`` is wrong, or ''."""
    if not isinstance(value, dict) or not set(value) <= {"posture", "reaction"} or "posture" not in value:
        return f"name a posture, {', '.join(POSTURES)}, as in 'posture engage' or 'posture pause reaction'"
    if value["posture"] not in POSTURES:
        return f"the possible postures are {', '.join(POSTURES)}"
    if value.get("reaction", "no") not in ("yes", "no"):
        return "reaction is yes or no"
    if value["posture"] not in list_affordable(state, side):
        cost, have = get_price(state, side, value["posture"]), state.tracks[f"offensives-{side}"]
        previous = state.mark(side, "previous")
        return f"{value['posture']} after {previous} costs {plural(cost, 'Offensive marker')}; {have} available"
    return ""


def choose(umpire: Umpire[Setting], filing: Filing) -> None:
    """12.0 (2), K-81: record a posture that is not sealed, and whether its player orders before the reveal (waive)."""
    state, side = umpire.state, filing.writer
    key = label(state.turn)
    for other in filing.choice:
        if other != key:
            umpire.refuse("12.0-2", f"only {say_label(key)} can be chosen now", say_label(other), ("choice", other))
    path: Path = ("choice", key)
    value = filing.choice.get(key)
    problem = find_mistake(state, side, value) if value is not None else "a posture must be chosen"
    if filing.waive == "posture":  # first, because waived reveals must not delay orders
        umpire.emit(Scheduled("12.0-2", "waived", "yes"))
    if problem:
        umpire.refuse("12.0-2", problem, say_label(key), path)
        return
    reaction = value.get("reaction", "no")  # type: ignore[union-attr] # checked by slips
    chosen = value["posture"]  # type: ignore[index]
    if filing.waive and filing.waive != "posture":
        umpire.refuse("12.0-2", "only 'posture' can be waived", "waive", ("waive",))
    if filing.waive == "posture" and chosen == "pause" and reaction == "yes":
        why = "with pause and reaction: yes your phases depend on the Russian posture: wait for it"
        umpire.refuse("12.0-3", why, "waive", ("waive",))
    _take(umpire, side, chosen, reaction)


def seal(umpire: Umpire[Setting], filing: Filing) -> None:
    """12.0 (2): record the sealed posture of the side that chooses first (K-79 P). Its own program checks it, too."""
    if not posture_due(umpire.state):
        return
    key = label(umpire.state.turn)
    if key not in filing.secret and key not in filing.sealed:
        umpire.refuse("12.0-2", "the posture must be sealed with this message", say_label(key), ("seal",))
    elif key in filing.sealed:
        problem = find_mistake(umpire.state, filing.writer, filing.sealed[key])
        if problem:
            umpire.refuse("12.0-2", problem, say_label(key), ("seal", key))


def list_guesses(key: str) -> tuple[Any, ...]:
    """12.0 (2): return every value that can be sealed under a posture's label, or () for another label."""
    if not key.startswith(label("")):
        return ()
    return tuple({"posture": posture, **more} for posture in POSTURES for more in REACTIONS)


def posture_due(state: State) -> bool:
    """12.0 (2): return whether a side must now seal its posture: the turn has begun and the weather is known."""
    return not weather_due(state) and not state.mark(RUSSIAN, "posture") and not state.mark(GERMAN, "posture")


def is_shown(umpire: Umpire[Setting], filing: Filing) -> bool:
    """12.0 (2): return whether a message must reveal the posture of the current turn."""
    return label(umpire.state.turn) in filing.reveal


def reveal(umpire: Umpire[Setting], filing: Filing) -> None:
    """12.0 (2), (3): reveal the sealed posture, pay its price, and carry out Emergency Reactions (K-9, K-10, K-82)."""
    value = filing.reveal[label(umpire.state.turn)]
    problem = find_mistake(umpire.state, filing.writer, value)
    chosen, reaction = "pause", "no"
    if not problem:
        chosen, reaction = value["posture"], value.get("reaction", "no")
    else:
        if isinstance(value, dict) and value.get("posture") in POSTURES:
            within = list_affordable(umpire.state, filing.writer)
            chosen = value["posture"] if value["posture"] in within else max(within, key=POSTURES.index)
        umpire.emit(Noted("12.0-2", f"the sealed posture cannot be taken ({problem}); the posture is read as {chosen}"))
    _take(umpire, filing.writer, chosen, reaction)
    _react(umpire)


def _take(umpire: Umpire[Setting], side: str, posture: str, reaction: str) -> None:
    cost = get_price(umpire.state, side, posture)
    umpire.emit(Marked("12.0-2", side, "posture", posture))
    if cost:
        spend_offensive(umpire, "12.0-2", side, cost, f"the posture {posture}")
    if posture == "pause" and reaction == "yes":
        umpire.emit(Scheduled("12.0-3", f"reaction-{side}", "yes"))
    if posture == "engage" and (side == GERMAN or _turn_number(umpire.state.turn) >= _turn_number("1")):
        rule = "12.1" if side == GERMAN else "12.1-russian"
        umpire.emit(Tracked(rule, ENGAGED.format(side), 1))  # locks the marker (K-65, K-67)
    if side == GERMAN:
        _flip_objective(umpire)


def _turn_number(turn: str) -> int:
    return TURN_ORDER.index(turn)


def _flip_objective(umpire: Umpire[Setting]) -> None:
    """12.1: turn the marker to Russian, in Kiev, if Germany chose no Engage until the end of Turn 1 (K-66)."""
    state = umpire.state
    if state.turn != "1" or state.tracks[ENGAGED.format(GERMAN)] or state.mark("objective", "won"):
        return
    umpire.emit(Marked("12.1-flip", "objective", "side", RUSSIAN))
    _lay_objective(umpire, "12.1-flip", RUSSIAN, umpire.setting.kiev)


def _lay_objective(umpire: Umpire[Setting], rule: str, side: str, hex_: int) -> None:
    """12.1: place the marker; a unit of its side in the hex wins the objective at once (K-68)."""
    spot = umpire.setting.board.labels[hex_]
    umpire.emit(Marked(rule, "objective", "hex", spot))
    if view(umpire).occupied[side] >> hex_ & 1:
        win_objective(umpire, side, spot)


def _react(umpire: Umpire[Setting]) -> None:
    """12.0 (3): after Engage against Pause, the pausing side may spend a marker and counts as Reposition."""
    for side in SIDES:
        if f"reaction-{side}" not in umpire.state.agenda:
            continue
        umpire.emit(Scheduled("12.0-3", f"reaction-{side}", None))
        if umpire.state.mark(ENEMY[side], "posture") != "engage" or not umpire.state.tracks[f"offensives-{side}"]:
            continue
        umpire.emit(Decided("12.0-3", "emergency reaction", side, "posture", "reposition", "filed"))
        umpire.emit(Marked("12.0-3", side, "posture", "reposition"))
        spend_offensive(umpire, "12.0-3", side, 1, "Emergency Reaction")


def vain_reactions(after: State, filing: Filing, turns: Iterable[str]) -> Iterator[str]:
    """12.0 (3): yield why a chosen Emergency Reaction is useless. ``after``: the position after the orders."""
    said = {**filing.choice, **filing.sealed}
    for value in (said.get(label(turn), {}) for turn in turns):
        if value.get("reaction") == "yes" and value["posture"] != "pause":
            yield "only a side with the posture pause may react"
        elif value.get("reaction") == "yes" and not after.tracks[f"offensives-{filing.writer}"]:
            yield "no Offensive marker is left to pay for the reaction"


def objective_choices(setting: Setting, state: State, side: str) -> list[str]:
    """12.1: return the hexes to which a side may now move its objective marker, [] for none (K-65, K-67)."""
    if state.mark("objective", "won") or state.mark("objective", "side") != side:
        return []
    if state.mark(side, "posture") != "deploy" or state.tracks[ENGAGED.format(side)]:
        return []
    east = sum(1 << hex_ for hex_, home in setting.city_side.items() if home == RUSSIAN)
    names = setting.board.names(setting.russian_objectives if side == RUSSIAN else east)
    return [label for label in names if label != state.mark("objective", "hex")]  # any other city


def move_objective(umpire: Umpire[Setting], filing: Filing) -> None:
    """12.1: let a side with the posture Deploy move its objective marker, before its Replacement Phase (D-4)."""
    wish = filing.orders.get("objective", "")
    if not wish:
        return
    rule = "12.1" if filing.writer == GERMAN else "12.1-russian"
    allowed = objective_choices(umpire.setting, umpire.state, filing.writer)
    if wish in allowed:
        _lay_objective(umpire, rule, filing.writer, umpire.setting.board.index[wish])
    elif allowed:
        umpire.refuse(
            rule, f"{wish} is not among {', '.join(allowed)}", "the Strategic Objective", ("orders", "objective")
        )
    else:
        engaged = "no Engage before" if filing.writer == GERMAN else "no Engage since turn 1"
        why = f"the marker cannot be moved now: a move requires Deploy, the marker on your side, and {engaged}"
        if umpire.state.mark("objective", "won"):
            why = "the marker cannot be moved now: the objective is won, so the marker has left play"
        umpire.refuse(rule, why, "the Strategic Objective", ("orders", "objective"))
