"""Hints of a draft about the map: possible moves, attacks with odds, answers.

Hexes of one column share an entry: ``1517-19`` is 1517, 1518, 1519. Every example is a legal order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kursk_pbem.kernel.hexes import lists
from kursk_pbem.kernel.hexes.earlier import ABOVE
from kursk_pbem.kernel.hexes.fights import fraction_text, odds_text
from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.ways import Way
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import PENDING, STANDING, State
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.battle_for_kursk import combat, retreat, sequence
from kursk_pbem.rulesets.battle_for_kursk.combat import list_rights
from kursk_pbem.rulesets.battle_for_kursk.odds import Odds, assess, count_results
from kursk_pbem.rulesets.battle_for_kursk.orders import Battle
from kursk_pbem.rulesets.battle_for_kursk.position import Position, is_mud
from kursk_pbem.rulesets.battle_for_kursk.seen import formations, outlook
from kursk_pbem.rulesets.battle_for_kursk.seen.outlook import Attack
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, Setting

_CODES = (
    "AL attacker loses a step, NE nothing, DR defender retreats, EX exchange, DRL loses a step and retreats, "
    "DE eliminated"
)


def place(setting: Setting, label: str) -> str:
    """Return a hex as text: '2116 Belgorod', or the label of a hex without a name."""
    name = setting.city_names.get(setting.board.index.get(label, -1))
    return f"{label} {name}" if name else label


def list_places(pos: Position, labels: Iterable[str]) -> str:
    """Return hexes as text, with the names of cities."""
    return ", ".join(place(pos.setting, label) for label in labels)


def describe_unit(pos: Position, uid: str) -> str:
    """Return a unit as text: 'g-48-pz (48 Pz, 10-6) in 2016'."""
    counter, unit = pos.setting.counters[uid], pos.state.units[uid]
    side_up = "" if unit.steps == FULL else ", reduced"
    where = f" in {place(pos.setting, unit.place)}" if uid in pos.where else ""
    return f"{uid} ({counter.short}, {pos.setting.strength(uid, unit.steps)}-{counter.move}{side_up}){where}"


def hint_moves(pos: Position, side: str, key: str) -> Hint:
    """8.0, 8.1: return a hint for a draft: the units that can move in a phase, and the hexes that each can reach."""
    together = sequence.PLAYER_TURN[-1] in sequence.list_stages(pos.setting)[pos.state.stage].phases
    after_rail = key == "movement" and together and outlook.may_perform(pos, side, "armor-and-rail")
    able = [
        (uid, ends)
        for uid in sorted(pos.where)
        if pos.side(uid) == side
        and not (after_rail and pos.setting.counters[uid].armor)  # the phase before lists armor
        and (ends := outlook.find_ends(pos, uid, key)[1])
    ]
    return Hint(("orders", key), (*_moves_lines(pos, key, able, after_rail=after_rail, together=together),), [])


def _moves_lines(
    pos: Position, key: str, able: list[tuple[str, dict[int, Way]]], *, after_rail: bool, together: bool
) -> Iterator[str]:
    chosen = pos.state.mark(pos.state.side, "posture")
    if key == "armor-and-rail":
        only = "" if chosen else " Only with deploy or engage."
        yield f"Armor and rail movement (8.1), before combat: armor moves anywhere, infantry along railways.{only}"
    else:
        only = "" if chosen else " Not with pause."
        yield f"Movement (8.0), every unit, after combat.{only}"
        if together and outlook.may_perform(pos, pos.state.side, "combat"):
            yield f"LEAVE THIS EMPTY IF YOU DECLARE BATTLES: you move {tell_when(pos.setting)}, in your next message."
    if not able:
        yield f"No unit {'but armor ' * after_rail}can move now."
        return
    yield from lists.example_moves(pos.setting.board, key, able)
    yield (
        "Units move in the written order. Two units may not end in the same hex. 1517-19 means 1517, 1518 and 1519. "
        "Hexes adjacent to an enemy are listed after 'enemy'."
    )
    if is_mud(pos.state):
        yield "Mud (11.1): each unit moves one hex, except infantry by rail."
    if after_rail:
        yield "Armor moves again from its new hex, as far as in armor-and-rail."
    for uid, ends in able:
        yield f"{describe_unit(pos, uid)}: {lists.list_ends(pos.setting.board, ends, pos.ezoc(pos.side(uid)))}"


def hint_battles(pos: Position, side: str, seq: int) -> Hint:
    """9.0: return a hint for a draft: the possible attacks from the units' hexes, with odds and best Offensive."""
    only = "" if pos.state.mark(side, "posture") else " Only with engage."
    markers = pos.state.tracks[f"offensives-{side}"]
    attacks = list(outlook.find_attacks(pos, side))
    targets = [attack for attack in attacks if attack.best[1].column]
    hopeless = [attack.battle for attack in attacks if not attack.best[1].column]
    lines = [f"Battles (9.0), fought in the order written.{only} You have {plural(markers, 'Offensive marker')}."]
    plans = f"The plans are sealed as {plans_label(seq)} until the dice have fallen."
    if pos.setting.refereed:
        plans = "Your opponent reads the plans, because the dice follow at once."
    labels = pos.setting.board.labels
    if targets:
        label = labels[targets[0].battle.hex]
        lines += _example_lines(pos, next((attack for attack in targets if attack.offensives), targets[0]))
        lines += [
            "losses: units in the order of their losses. advance: the first able unit of the list enters the hex.",
            "  'ID if-free': only outside enemy zones. 'ID if-supplied': only In Communication.",
            f"retreat: the path of the enemy, e.g. ['toward {label}', 'away {label}', '2011-2012'].",
            "Each list may be left out: then the usual retreat (K-76), the cheapest losses (K-77), no advance (K-78).",
            f"{plans} 'kursk odds FILE' shows the chances.",
            "Attacks by all adjacent units, before armor and rail movement:",
        ]
        lines += [_describe_target(pos, attack) for attack in targets]
    if hopeless:
        lines.append(
            f"Below 1:1, no attack: {', '.join(f'{battle.defender} {labels[battle.hex]}' for battle in hopeless)}"
        )
    if targets:
        lines += [f"Results in sixths ({_CODES}):", *_table_lines(pos.setting)]
    if targets and markers:
        lines += formations.of_side(pos, side)
    return Hint(("orders", "battles"), tuple(lines), [])


def _example_lines(pos: Position, attack: Attack) -> Iterator[str]:
    battle = attack.best[0]
    yield "battles:"
    yield f"- {{id: b1, hex: '{pos.setting.board.labels[battle.hex]}', attackers: [{', '.join(battle.attackers)}],"
    if battle.lead:
        yield f"   offensive: {{lead: {battle.lead}, support: [{', '.join(battle.support)}]}},"
    yield f"   losses: [{battle.attackers[-1]}], advance: [{battle.attackers[0]} if-free]}}"


def _describe_target(pos: Position, attack: Attack) -> str:
    battle, (best, final) = attack.battle, attack.best
    text = f"{describe_unit(pos, battle.defender)} by {', '.join(battle.attackers)}: {odds_line(attack.odds)}"
    if best.lead and final.column != attack.odds.column:  # no effect above the last column
        reached = odds_text(final.column) if final.column else "no attack"
        text += f"; Offensive led by {best.lead}, support {', '.join(best.support)}: {reached}"
    return text


def describe_attackers(battle: Battle) -> str:
    """Return attackers and supporting units as text: 'g-41-pz, g-46-pz, led by g-41-pz, in support g-23'."""
    led = f", led by {battle.lead}, in support {', '.join(battle.support)}" if battle.lead else ""
    return f"{', '.join(battle.attackers)}{led}"


def odds_line(odds: Odds) -> str:
    """Return the odds of a battle as text: '24:8 = 3:1, shifts +1 = 4:1'."""
    shift = sum(shift.by for shift in odds.shifts)
    after = odds_text(odds.column) if odds.column else "below 1:1, no attack"
    ratio = f"{fraction_text(odds.attack)}:{odds.defence} = {odds.ratio}"
    return f"{ratio}, shifts {shift:+d} = {after}" if odds.shifts or not odds.column else ratio


def _table_lines(setting: Setting) -> Iterator[str]:
    for column in range(1, 7):
        faces = ", ".join(f"{result} {number}" for result, number in count_results(setting, column).items())
        yield f"  {odds_text(column)} {faces}"


def hint_answers(pos: Position) -> Hint:
    """9.3: return a hint for a draft: the battles against the writer, and the writer's options in each battle."""
    mine = combat.list_declared(pos.setting, pos.state.agenda)
    free = [battle for battle in mine if list_rights(pos, battle)]
    lines = [f"The battles declared against you (9.3), at the present odds{ABOVE if mine[1:] else ''}:"]
    lines += [f"{battle.id}: {_describe_attack(pos, battle)}" for battle in mine]
    if free:
        lines += [
            *_answer_lines(pos.setting),
            "Answer for all your units, or for a battle:",
            "policy:",
            "  exchange-drl: always",
            f"  battles: {{{free[0].id}: {{{(list_usable(pos, free[0]) or list_rights(pos, free[0]))[0]}: always}}}}",
        ]
    else:
        lines.append("You have no choice in these battles; sign the draft unchanged.")
    return Hint(("policy",), tuple(lines), {})


def _answer_lines(setting: Setting) -> tuple[str, ...]:
    """K-73 to K-75: yield the possible answers, and the defaults."""
    return (
        "Stand fast: lose a step instead of a DR. Exchange: turn a DR or DRL into EX.",
        "If a choice comes up and your answers do not cover every option, the dice stop for your decision."
        if setting.ask
        else "By default, both replace a DR only if the unit is doomed, and every DRL is exchanged.",
        "WHEN is never, doomed (the unit would be eliminated), full or reduced (the unit's strength), or always.",
    )


def open_policy(setting: Setting, state: State, side: str) -> Hint:
    """K-87: return a hint for the standing answers that any message may contain in a refereed game."""
    held = state.agenda.get(STANDING + side)
    lines = (
        "Standing answers of your defenders (9.3), because the referee does not wait. Your opponent reads the answers.",
        f"The answers apply to every battle until you file new answers; you have filed {'some' if held else 'none'}.",
        *_answer_lines(setting),
        "policy:",
        "  exchange-drl: always",
        "  units: {UNIT: {stand-fast: always}}",
    )
    return Hint(("policy",), lines, {})


def tell_when(setting: Setting) -> str:
    """Return when the orders that wait for declared battles are due: with the dice, or after the dice."""
    return "after their dice" if setting.refereed else "with their dice"


def hint_decision(pos: Position) -> Hint:
    """K-75: return a hint for the defender's decision for which the dice stopped."""
    pending = pos.state.agenda[PENDING]
    battle = combat.list_declared(pos.setting, pos.state.agenda)[0]
    lines = (
        f"The dice stopped at {battle.id} for your decision (9.3).",
        f"The die is {battle.rolled}, {pos.setting.crt[assess(pos, battle).column, int(battle.rolled)]}.",
        _describe_attack(pos, battle),
        f"One of: {', '.join(pending['options'])}.",
    )
    return Hint(("decisions",), lines, {battle.id: pending["options"][0]})


def plans_again(pos: Position, seq: int) -> Hint:
    """K-75: return a hint for the attacker's new plans, after the dice stopped for the defender's decision."""
    pending = pos.state.agenda[PENDING]
    left = combat.list_declared(pos.setting, pos.state.agenda)[1:]
    lines = [
        f"The dice stop at {pending['battle']}: {pending['owner'].capitalize()} decides first ({pending['kind']})."
    ]
    if left:
        first = left[0].attackers[0]
        lines += [
            "Your sealed plans have been shown. File new plans for the battles still to be fought, if you like, e.g.",
            "seal:",
            f"  {plans_label(seq)}: {{{left[0].id}: {{losses: [{first}], advance: [{first}]}}}}",
            f"Still to be fought: {', '.join(battle.id for battle in left)}.",
        ]
    return Hint(("seal",), tuple(lines), {} if left else None)


def _describe_attack(pos: Position, battle: Battle) -> str:
    odds = assess(pos, battle)
    text = f"{describe_unit(pos, battle.defender)} by {describe_attackers(battle)}: {odds_line(odds)}"
    if not odds.column:
        return text
    faces = ", ".join(f"{result} {number}" for result, number in count_results(pos.setting, odds.column).items())
    steps = pos.state.units[battle.defender].steps
    doom = "; a DR would eliminate the unit" if retreat.permit(pos, battle.defender).kills(steps) else ""
    keys, able = list_usable(pos, battle), bool(list_rights(pos, battle))
    yours = f"your choice: {', '.join(keys)}" if keys else f"no choice{' at these odds' * able}"
    return f"{text} (in sixths: {faces}{doom}){f'; {yours}' * (not battle.rolled)}"


def list_usable(pos: Position, battle: Battle) -> list[str]:
    """9.3, K-54, K-55: return the defender's options that at least one die roll of a battle allows now."""
    return [
        key
        for key in list_rights(pos, battle)
        if ("DRL" if key.endswith("-drl") else "DR") in count_results(pos.setting, assess(pos, battle).column)
    ]
