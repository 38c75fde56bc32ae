"""Hints in a draft: for every list of the message its legal choices, with an example.

Hexes of a column are joined: ``1517-19`` is 1517, 1518, 1519. Every example is legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kursk_pbem.kernel.hexes import lists
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.earlier import ABOVE
from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.kernel.hexes.lists import spans
from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import STANDING, State
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.kursk_1971 import air, battles, combat, movement, raids, sequence, setup
from kursk_pbem.rulesets.kursk_1971.odds import HALVED, Odds, count_results
from kursk_pbem.rulesets.kursk_1971.orders import SKIP, Battle
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, Position, position
from kursk_pbem.rulesets.kursk_1971.seen import outlook, useless_answers
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, Setting

_CODES = (
    "AX attackers destroyed, AR attackers retreat, BR both retreat, DR defenders retreat, EX exchange, "
    "HX half exchange, DX defenders destroyed"
)


def make_hints(setting: Setting, state: State, seq: int) -> tuple[Hint, ...]:
    """Return the hints of a draft, for each list of the next message. ``state``: the position after its duties."""
    return tuple(_make_all(position(setting, state), seq))


def _make_all(pos: Position, seq: int) -> Iterator[Hint]:
    side, phases = pos.state.side, sequence.list_stages(pos.setting)[pos.state.stage].phases
    if sequence.DEPLOY in phases:
        yield _explain_deployment(pos, side)
    if sequence.REPLY in phases:
        yield _explain_answer(pos)
    if sequence.MOVE in phases:
        yield from _explain_interception(pos, side)
        yield from _explain_arrivals(pos, side)
        yield _explain_moves(pos, side, movement.INITIAL)
        yield _explain_raids(pos, side)
        yield _explain_battles(pos, side, seq)
    if sequence.MOTOR in phases:
        yield _explain_moves(pos, side, movement.MOTOR, again=sequence.MOVE in phases)
        yield from _explain_missions(pos, side)
    if sequence.STANDING in phases:
        yield _explain_policy(pos, side)


def name_place(pos: Position, hex_: int) -> str:
    """Return the label and the name of a hex, as '1925 Belgorod'. Without a name, return the label."""
    name = pos.setting.cities.get(hex_) or pos.setting.towns.get(hex_)
    return f"{pos.setting.board.labels[hex_]} {name or ''}".rstrip()


def name_unit(pos: Position, uid: str) -> str:
    """Return a unit as text: 'g-gd (GD, 6-8) in 1724'."""
    counter = pos.setting.counters[uid]
    off = "" if pos.is_supplied(uid) else ", out of supply"
    return f"{uid} ({counter.short}, {counter.figures}{off}) in {name_place(pos, pos.where[uid])}"


def _explain_deployment(pos: Position, side: str) -> Hint:
    """12.0: explain changes to the proposed set-up."""
    setting, labels = pos.setting, pos.setting.board.labels
    first = next(uid for uid in pos.units(side) if not pos.setting.counters[uid].air)
    lines = [
        "Set-up (12.0): units without an order stay in the hexes listed below.",
        "On or behind your line; every hex of the line must contain a unit or be in your zone of control.",
        "deployment:",
        f"- {{hex: '{pos.state.units[first].place}', units: [{first}]}}",
    ]
    for hex_, stack in sorted(pos.at.items()):
        if pos.side(stack[0]) == side:
            units = ", ".join(f"{uid} {setting.counters[uid].figures}" for uid in stack)
            lines.append(f"{name_place(pos, hex_)}: {units}")
    lines.append(f"Your line: {spans(labels[hex_] for hex_ in bits(setting.man[side]))}")
    lines += [f"Not held now: {spans(missing)}"] if (missing := setup.list_gaps(setting, pos.state, side)) else []
    return Hint(("orders", "deployment"), tuple(lines), [])


def _explain_interception(pos: Position, side: str) -> Iterator[Hint]:
    """9.0-d5: list enemy aircraft to turn back, and own aircraft in range."""
    foe, index, example, lines = ENEMY[side], pos.setting.board.index, "", list[str]()
    over = {
        label
        for table in (PATROL, INTERDICTION)
        for uid, label in pos.state.marks.get(table, {}).items()
        if pos.side(uid) == foe
    }
    for label in sorted(over):
        hex_ = index[label]
        able = [uid for uid in air.list_ready(pos, side) if air.is_in_range(pos, uid, hex_)]
        prey = air.find_prey(pos, side, hex_)
        if not prey:
            lines.append(
                f"{name_place(pos, hex_)}: {', '.join(pos.list_aircraft(PATROL, foe, hex_))} over their base: safe"
            )
        elif able:
            who = ", ".join(f"{uid} ({'patrol' if table == PATROL else table})" for table, uid in prey)
            lines.append(f"{name_place(pos, hex_)}: {who}; in reach of {', '.join(able)}")
            example = example or f"- {{unit: {able[0]}, hex: '{label}'}}"
    if example:
        head = "Interception (9.0-d5), before movement: each aircraft turns back one enemy and has flown."
        yield Hint(("orders", "interception"), (head, "interception:", example, *lines), [])


def _explain_arrivals(pos: Position, side: str) -> Iterator[Hint]:
    """13.0: list units that may arrive now, with their entry hexes."""
    counters, edge = pos.setting.counters, pos.setting.board.names(pos.setting.entry[side])
    coming: dict[tuple[str, ...], list[str]] = {}
    for uid in movement.list_reinforcements(pos.setting, pos, side):
        spots = tuple(label for label in edge if movement.find_entry_fault(pos, side, uid, label) is None)
        coming.setdefault(spots, []).append(uid)
    if able := [(spots, who) for spots, who in coming.items() if spots]:
        lines = (
            "Reinforcements (13.0) appear on the edge, pay for their hex, and may move on below.",
            "reinforcements:",
            f"- {{unit: {able[0][1][0]}, hex: '{able[0][0][0]}'}}",
            *(
                f"{', '.join(f'{uid} ({counters[uid].short}, {counters[uid].figures})' for uid in who)}: {spans(spots)}"
                for spots, who in able
            ),
        )
        yield Hint(("orders", "reinforcements"), lines, [])


def _explain_moves(pos: Position, side: str, key: str, *, again: bool = False) -> Hint:
    """3.0-movement, 3.0-b: list movable units of a phase with the ends of their moves."""
    board = pos.setting.board
    if key == movement.INITIAL:
        lines = ["Initial movement (3.0), units in the order written; stacking limits apply at every step (5.0)."]
    else:
        lines = ["Motorized movement (3.0-b), a second move of motorized units."]
        lines += ["LEAVE EMPTY IF YOU DECLARE ATTACKS: motorized movement comes after the dice."] if again else []
    able = [(uid, ends) for uid in pos.units(side) if (ends := outlook.find_ends(pos, uid, key))]
    if not able:
        return Hint(("orders", key), (*lines, "No unit can move now."), [])
    lines += lists.example_moves(board, key, able)
    lines.append("1517-19 means 1517, 1518, 1519; hexes after 'enemy' are in an enemy zone of control.")
    if key == movement.MOTOR and again:
        lines.append("The allowance is the same, from the hex after the first move.")
        return Hint(("orders", key), tuple(lines), [])
    lines += (f"{name_unit(pos, uid)}: {lists.list_ends(board, ends, pos.find_controlled(side))}" for uid, ends in able)
    return Hint(("orders", key), tuple(lines), [])


def _explain_raids(pos: Position, side: str) -> Hint:
    """9.0-d4: list enemy bases in range."""
    bases = list(outlook.find_raids(pos, side))
    lines = ["Air superiority (9.0-d4): aircraft against an enemy base, before the attacks on the ground."]
    if bases:
        example = f"- {{id: r1, base: {bases[0].base}, aircraft: [{', '.join(bases[0].aircraft)}]}}"
        lines += ["superiority:", example, "A base defends with 1, plus 1 for each patrol."]
    over = {raid: plural(len(pos.list_aircraft(PATROL, ENEMY[side], pos.where[raid.base])), "patrol") for raid in bases}
    lines += [
        f"{raid.base} in {name_place(pos, pos.where[raid.base])}, {over[raid]}: {', '.join(raid.aircraft)}"
        for raid in bases
    ]
    return Hint(("orders", "superiority"), tuple(lines if bases else [*lines, "No base is in reach."]), [])


def _explain_battles(pos: Position, side: str, seq: int) -> Hint:
    """7.0: list possible attacks from present hexes, with odds."""
    attacks = outlook.find_strong_attacks(pos, side)
    lines = ["Attacks (7.0), in the order written, from the hexes after movement."]
    read, sealed = (
        "Your opponent reads your plans, because the dice follow at once.",
        f"Plans are sealed as {plans_label(seq)} until the dice fall.",
    )
    if attacks:
        lines += _write_example(pos, max(attacks, key=lambda attack: (attack.odds.column, -attack.battle.hex)))
        lines += [
            "retreat: retreats of the defenders, e.g. ['away 1717', 'UNIT toward 1712', '1813'].",
            "losses: units that pay for an exchange, e.g. [UNIT, UNIT]. Every entry is optional.",
            "advance: adjacent units that enter the hex, e.g. [UNIT]; never an enemy fortified line.",
            "unsupported: attack or skip, if an enemy patrol keeps the aircraft away.",
            f"{read if pos.setting.refereed else sealed} 'kursk odds FILE' shows their chances.",
            "With each bracketed (7.0-f) and each artillery unit (7.0-e) a regular unit from its hex must attack.",
            "By every unit that can take part now:",
        ]
        away = " (an enemy patrol keeps close support away)"
        for attack in attacks:
            barred = away if air.is_blocked(pos, side, attack.battle.hex) else ""
            lines.append(f"{_describe_battle(pos, attack.battle)}: {tell_odds(attack.odds)}{barred}")
        lines += [f"Results in sixths ({_CODES}), without modifiers:", *_list_results(pos.setting)]
    return Hint(("orders", "battles"), tuple(lines if attacks else [*lines, "No unit can attack now."]), [])


def _write_example(pos: Position, attack: outlook.Attack) -> Iterator[str]:
    battle = attack.battle
    yield "battles:"
    label, flown = pos.setting.board.labels[battle.hex], f", support: {attack.flyer}, unsupported: attack"
    yield f"- {{id: b1, hex: '{label}', attackers: [{', '.join(battle.attackers)}]{flown if attack.flyer else ''}}}"


def _describe_battle(pos: Position, battle: Battle) -> str:
    stack = ", ".join(f"{uid} {pos.setting.counters[uid].figures}" for uid in pos.stack(battle.hex))
    return f"{name_place(pos, battle.hex)}, {stack}: by {', '.join(battle.attackers)}"


def tell_odds(odds: Odds) -> str:
    """Return the odds of an attack as text, such as '24:8 = 3:1, die -1; out of supply g-gd'."""
    total, against = sum(odds.attack.values()), sum(odds.defence.values())
    if odds.automatic:
        return "no strength defends: destroyed without a die"
    column = f", taken as {odds_text(odds.column)}" if odds.column != odds.level else ""
    column += f", die {odds.modifier:+d}" if odds.modifier else ""
    cut = ", ".join(row.unit for row in odds.rows[0] if HALVED in row.changes)
    return f"{total}:{against} = {odds.ratio}{column}" + (f"; out of supply {cut}" if cut else "")


def _list_results(setting: Setting) -> Iterator[str]:
    for column in range(setting.levels[0], setting.levels[1] + 1):
        plain = Odds({}, {}, ((), ()), column, column, (), automatic=False, fresh=())
        faces = ", ".join(f"{result} {number}" for result, number in count_results(setting, plain).items())
        yield f"  {odds_text(column)} {faces}"


def _explain_missions(pos: Position, side: str) -> Iterator[Hint]:
    """9.0-d2, 9.0-d3: list aircraft for missions after the motorized movement."""
    flies = outlook.AIR in outlook.list_phases(pos.setting, pos.state)
    able = air.list_ready(pos, side) if flies else []
    lines = [
        "Patrols (9.0-d3) take off after the motorized movement and stay up through the enemy's player turn. A patrol",
        "keeps enemy close support and interdiction out of its hex, and defends bases in it.",
    ]
    if able:
        lines += ["patrol:", f"- {{unit: {able[0]}, hex: '{pos.state.units[able[0]].place}'}}"]
        lines += [
            f"{uid} in {name_place(pos, pos.where[uid])}: {pos.setting.counters[uid].reach} hexes" for uid in able
        ]
    else:
        lines.append("No aircraft is free." if flies else "The game ends before any takes off (S-63).")
    yield Hint(("orders", "patrol"), tuple(lines), [])
    if able:
        text = "Interdiction (9.0-d2), by the same aircraft: it controls one hex against movement and supply."
        yield Hint(("orders", "interdiction"), (text,), [])


def _explain_answer(pos: Position) -> Hint:
    """8.0, 9.0-d4: list the attacks against the writer, and possible answers."""
    agenda, setting = pos.state.agenda, pos.setting
    waiting = battles.list_battles(setting, agenda)
    several = len(waiting) + len(raids.list_raids(agenda)) > 1
    lines = [f"The attacks declared against you (7.0), at the odds of this moment{ABOVE if several else ''}:"]
    example, shared = "", raids.share_patrols(pos, raids.list_raids(agenda), {})
    for raid in raids.list_raids(agenda):
        patrols = pos.list_aircraft(PATROL, pos.state.side, pos.where[raid.base])
        number = raids.find_column(setting, raid, shared[raid.base])
        odds = setting.raid_columns[number] if number >= 0 else "below the table"
        over = f"; your patrols there: {', '.join(patrols)}" if patrols else ""
        lines.append(f"{raid.id}: on the base of {raid.base} by {len(raid.aircraft)} aircraft, {odds}{over}")
        example = example or (f"  patrol: {{{raid.base}: [{patrols[0]}]}}" if patrols else "")
    lines += [f"{battle.id}: {_describe_battle(pos, battle)}: {tell_waiting(pos, battle)}" for battle in waiting]
    if not waiting and not example:
        return Hint(("policy",), (*lines, "You have no choice to make; sign this message unchanged."), {})
    lines += [
        "retreat: hexes for your units after BR, attackers after AR or BR, and Kampfgruppen, equally near supply.",
        "advance: your units that enter adjacent hexes left by attackers, 'UNIT' or 'UNIT HEX'.",
        "patrol: bases with their patrols; without a share patrols are shared equally.",
        "Without an answer the lowest of the hexes nearest to supply is taken, and no unit advances.",
        "General answers, and answers to one attack:",
        "policy:",
        "  retreat: [away 1717]",
    ]
    if waiting:
        fight, said = _choose_example(pos, waiting)
        lines.append(f"  battles: {{{fight.id}: {{{said}}}}}")
    return Hint(("policy",), (*lines, *([example] if example else [])), {})


def _choose_example(pos: Position, waiting: Sequence[Battle]) -> tuple[Battle, str]:
    """8.0: return an attack and an answer that some die calls for."""
    differ = useless_answers.ask_rules(pos)
    for fight in waiting:
        if useless_answers.is_asked(pos, fight, useless_answers.name_all(pos, fight, "advance"), differ):
            for uid in useless_answers.list_followers(pos, fight):
                if useless_answers.is_asked(pos, fight, ((), (uid,)), differ):
                    return fight, f"advance: [{uid}]"
    ways = {fight: useless_answers.name_all(pos, fight, "retreat") for fight in waiting}
    called = (fight for fight in waiting if useless_answers.is_asked(pos, fight, ways[fight], differ))
    return next(called, waiting[0]), "retreat: [away 1717]"


def is_skipped(pos: Position, battle: Battle) -> bool:
    """S-51: return whether an attack cannot be fought now, because a patrol prevents its close support."""
    flies = combat.can_support(pos, battle, pos.side(battle.attackers[0]))
    return bool(battle.support) and battle.unsupported == SKIP and not flies


def tell_waiting(pos: Position, battle: Battle, *, sixths: bool = True) -> str:
    """S-51: return a declared attack's odds as '11:3 = 3:1 (in sixths: AR 1, BR 3, DR 1, EX 1)', or why none exist."""
    odds = combat.assess_waiting(pos, battle)
    if is_skipped(pos, battle):
        return "no attack while an enemy patrol keeps its close support away"
    faces = ", ".join(f"{result} {number}" for result, number in count_results(pos.setting, odds).items())
    return tell_odds(odds) + (f" (in sixths: {faces})" if sixths and not odds.automatic else "")


def _explain_policy(pos: Position, side: str) -> Hint:
    """Explain standing answers in games with a referee."""
    ground = next((uid for uid in pos.units(side) if not pos.setting.counters[uid].air), "UNIT")
    lines = (
        "Standing answers of your defenders (8.0), because attacks do not wait. Your opponent reads them.",
        "These answers apply to every attack until you file new answers.",
        f"You have filed {'some' if STANDING + side in pos.state.agenda else 'none'}.",
        "policy:",
        "  retreat: [away 1717]",
        f"  hexes: {{'1717': {{advance: [{ground}]}}}}",
    )
    return Hint(("policy",), lines, {})
