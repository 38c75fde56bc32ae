"""Attacks on a hex by adjacent units, with one die and a table of odds: declaration, dice, orders, chances.

An attack is ``{id, hex, units}`` in the agenda under ``battles``. Results belong to the system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import names
from kursk_pbem.kernel.account.battles import find_fates
from kursk_pbem.kernel.branches import run_branches
from kursk_pbem.kernel.events import Force, Fought, Noted, Row, Shift
from kursk_pbem.kernel.hexes import fights, phrases
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.hexes.stands import explain_own
from kursk_pbem.kernel.hexes.usual.position import Position, position, view_now
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.outcomes import chance, mean, merge_outcomes
from kursk_pbem.kernel.outlook import UNFOLLOWED, Chances, Outcome, Target
from kursk_pbem.kernel.ruleset import Hint, Phase, has_orders, is_waiting
from kursk_pbem.kernel.state import ANSWERED, DECLARED, State
from kursk_pbem.kernel.umpire import Dice, GameEnded, Umpire, first_ripe, other
from kursk_pbem.kernel.verbs import PLACE, UNITS, Clause, Edit, OrderContext, Verb, list_entries

Order = Mapping[str, Any]


@frozen
class Attacks:
    """Declared attacks and their resolution. A setting has ``columns`` of odds and ``table``: column -> six results."""

    rule: str  # the paragraph
    strength: Callable[[Position, str, int], int | Row]  # a unit's strength against a hex; a `Row` has reasons
    shifts: Callable[[Position, int], tuple[Shift, ...]]  # the column shifts of an attack on a hex
    meaning: Mapping[str, str]  # result -> effect in words
    carry_out: Callable[[Umpire[Any], Order, str], None]  # apply a result, after the report of arithmetic and die
    after: str = "movement"  # the preceding phase with orders

    @property
    def declared(self) -> Phase:
        """The phase in which a side declares attacks."""
        return Phase("attacks", self.rule, self._declare_attacks, (f"orders/{BATTLES}",), when=has_orders(BATTLES))

    @property
    def fought(self) -> Phase:
        """The phase in which the dice decide the attacks."""
        return Phase("fights", self.rule, self._fight_attacks, rolls=True, when=is_waiting(BATTLES))

    def _declare_attacks(self, umpire: Umpire[Any], filing: Filing) -> None:
        engaged, declared = set[str](), []
        for order, path in umpire.each(filing, BATTLES, self.rule, "two attacks have this id"):
            slips = list(self._find_slips(view_now(umpire), filing.writer, order, engaged))
            for at, why in slips:
                umpire.refuse(self.rule, why, order["id"], (*path, *at))
            declared += [] if slips else [dict(order)]
            engaged |= {order["hex"], *order["units"]}
        if declared:
            umpire.declare(self.rule, BATTLES, declared)

    def _find_slips(self, pos: Position, side: str, order: Order, engaged: set[str]) -> Iterator[tuple[Path, str]]:
        board, label = pos.setting.board, order["hex"]
        if label not in board.index or not pos.enemies(side) >> board.index[label] & 1:
            yield ("hex",), f"{label} contains no enemy"
            return
        if label in engaged:
            yield ("hex",), f"{label} is attacked already"
        beside = pos.beside(side, board.index[label])
        for number, uid in enumerate(order["units"]):
            if why := explain_own(pos.setting, pos.state, side, uid):
                yield ("units", number), f"{uid} {why}"
            elif uid not in beside:
                yield ("units", number), f"{uid} in {pos.state.units[uid].place} is not adjacent to {label}"
            elif uid in engaged:
                yield ("units", number), f"{uid} attacks already"

    def _fight_attacks(self, umpire: Umpire[Any], _filing: Filing) -> None:
        for order in umpire.state.agenda[BATTLES]:
            pos, label = view_now(umpire), order["hex"]
            side = pos.side(order["units"][0])
            beside = pos.beside(side, pos.setting.board.index[label])
            left = [uid for uid in order["units"] if uid in beside]
            if not left or not pos.enemies(side) >> pos.setting.board.index[label] & 1:
                umpire.emit(Noted(self.rule, f"{order['id']}: no units are left to fight in {label}", order["id"]))
                continue
            told = self.assess(pos, {**order, "units": left})
            name = f"{order['id']}/fight"
            die = umpire.roll(name, self.rule, of=BATTLES, whose=side)
            result = pos.setting.table[told.column][int(die) - 1]
            sixths = f"{pos.setting.table[told.column].count(result)}/6"
            meaning = self.meaning[result]
            umpire.emit(replace(told, label=name, dice=die, result=result, meaning=meaning, chance=sixths))
            self.carry_out(umpire, {**order, "units": left}, result)
        umpire.settle(self.rule, (BATTLES, POLICY, DECLARED, ANSWERED))

    def assess(self, pos: Position, order: Order) -> Fought:
        """Return the arithmetic of an attack before the die is rolled."""
        columns, hex_ = pos.setting.columns, pos.setting.board.index[order["hex"]]
        own, foes = list(order["units"]), list(pos.stack(hex_))
        rows = [tuple(self._count_strength(pos, uid, hex_) for uid in who) for who in (own, foes)]
        attack, defence = (sum(int(row.counts) for row in side) for side in rows)
        first, shifts = fights.column_of(attack, defence, columns), self.shifts(pos, hex_)
        last = fights.clamp_value(first + sum(shift.by for shift in shifts), 0, len(columns) - 1)
        ratio = columns[max(first, 0)]
        sides = Force(pos.side(own[0]), rows[0], str(attack)), Force(pos.side(foes[0]), rows[1], str(defence))
        return Fought(self.rule, order["id"], order["hex"], *sides, ratio, shifts, columns[last], columns[last])

    def _count_strength(self, pos: Position, uid: str, hex_: int) -> Row:
        counts = self.strength(pos, uid, hex_)
        return counts if isinstance(counts, Row) else make_row(pos, uid, counts, counts)

    def targets(self, pos: Position, side: str, unit: str = "") -> Iterator[Target]:
        """Yield every hex that a side can attack, with the units adjacent to the hex."""
        for hex_ in bits(pos.enemies(side)):
            who, label = pos.beside(side, hex_), pos.setting.board.labels[hex_]
            if who and unit in ("", *who):
                told = self.assess(pos, {"id": f"b-{label.lower()}", "hex": label, "units": who})
                row = pos.setting.table[told.column]
                chances = tuple((result, Fraction(row.count(result), 6)) for result in self.meaning if result in row)
                yield Target(pos.stack(hex_), label, told, chances, verb="attack")

    def chances(self, setting: Any, state: State, _sealed: Mapping[str, Any]) -> tuple[Chances, ...]:
        """Return the chances of every waiting attack, as if it were the only attack in the present position."""
        return tuple(self._find_chances(setting, state, order) for order in state.agenda.get(BATTLES, ()))

    def _find_chances(self, setting: Any, state: State, order: Order) -> Chances:
        alone = state.with_(agenda={**state.agenda, BATTLES: [order]})
        start: Umpire[Any] = Umpire(setting, alone, first_ripe(state.agenda))
        told = self.assess(view_now(start), order)

        def run(dice: Dice) -> Outcome:
            umpire = start.goes_on(dice)
            with suppress(GameEnded):
                self._fight_attacks(umpire, Filing(dice.seq, told.attack.side))
            return _describe_outcome(umpire, state, told)

        ways = run_branches(start.seq, run)
        assumed = "each attack alone, in the present position"
        if ways is None:
            return Chances(order["id"], told, "", (assumed, UNFOLLOWED), (), (), ())
        outcomes = merge_outcomes(ways)
        sums = (("the hex is left", chance(outcomes, "left")),)
        means = tuple((f"steps lost by the {who}", mean(outcomes, f"{who}-steps")) for who in ("attacker", "defender"))
        return Chances(order["id"], told, "", (assumed,), outcomes, sums, means)

    def hint(self, pos: Position, *lines: str) -> Hint:
        """Return the comment for a draft of attacks: given lines, an example, the possible targets with odds."""
        targets = list(self.targets(pos, pos.state.side))
        told = [*lines, *([] if targets else ["No unit is adjacent to an enemy."])]
        for target in targets:
            who = ", ".join(target.fought.attack.units) if target.fought else ""
            if target is targets[0] and target.fought:
                told += [f"{BATTLES}:", f"- {{id: {target.fought.battle}, hex: '{target.place}', units: [{who}]}}"]
            told.append(f"{target.place}: {', '.join(target.units)} by {who}: {target.fought and target.fought.column}")
        return Hint(("orders", BATTLES), tuple(told), [])

    def word(self) -> Verb:
        """Return the order word 'attack' of ``kursk order``."""
        usage, text = "HEX [with] UNITS|all [as NAME]", "declares an attack, and replaces an earlier attack on the hex"
        fields = (f"orders/{BATTLES}",)
        return Verb("attack", usage, text, "attack HEX all", self._write, fields, self._list_clauses)

    def _position_at(self, ask: OrderContext) -> Position:
        return position(ask.setting, ask.at(ask.draft, self.after))

    def _able_units(self, ask: OrderContext, pos: Position, label: str) -> list[str]:
        busy = {uid for order in list_entries(ask, BATTLES) if order["hex"] != label for uid in order["units"]}
        return [uid for uid in pos.beside(ask.state.side, pos.setting.board.index[label]) if uid not in busy]

    def _write(self, ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
        said = names.split_clauses(words, ("with", "as"))
        places = phrases.name_hexes(ask.setting.board, ask.setting.towns)
        pos, own = self._position_at(ask), phrases.list_own(ask)
        said[""] = phrases.by_id(ask, BATTLES, said[""], places)
        if "with" not in said:
            size = phrases.count_target(said[""], places)
            said |= {"": said[""][:size], "with": said[""][size:]}
        if not said[""] or not said["with"]:
            raise UsageError("type a hex and units, as in 'attack HEX with UNIT UNIT' or 'attack HEX all'")
        foe = other(ask.setting.sides, ask.state.side)
        foes = phrases.on_map(ask.setting.board, ask.state, phrases.side_units(ask, foe))
        label = phrases.find_hex(pos.state, said[""], places, foes)
        who = phrases.find_units(said["with"], own, {uid: own[uid] for uid in self._able_units(ask, pos, label)})
        at, known = phrases.find_entry(ask, BATTLES, "hex", label)
        town = (*places[label], "")[0]
        bid = (
            "-".join(said.get("as", ())).lower()
            or known.get("id")
            or phrases.battle_id(ask, BATTLES, town, f"b-{label.lower()}")
        )
        return (
            phrases.put_entry(BATTLES, at, {"id": bid, "hex": label, "units": who}, f"{label} by {', '.join(who)}"),
        )

    def _list_clauses(self, ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
        pos = self._position_at(ask)
        targets = {target.place: target for target in self.targets(pos, ask.state.side)}
        if not words or words[0] not in targets:
            among = (
                (label, f"{', '.join(one.units)}, {one.fought and one.fought.column}") for label, one in targets.items()
            )
            return (Clause("", "hex that is attacked", PLACE, tuple(among)),)
        able = self._able_units(ask, pos, words[0])
        _at, known = phrases.find_entry(ask, BATTLES, "hex", words[0])
        who = tuple((uid, ask.setting.counters[uid].name) for uid in able)
        return (Clause("with", "units", UNITS, who, tuple(known.get("units", able)), needed="with"),)


def make_row(pos: Position, uid: str, printed: int, counts: int, *changes: str) -> Row:
    """Return a unit's row for the arithmetic of an attack. ``changes``: reasons, such as 'half: out of supply'."""
    return Row(uid, pos.state.units[uid].place, str(printed), changes, str(counts))


def _describe_outcome(umpire: Umpire[Any], before: State, told: Fought) -> Outcome:
    """Return the outcome of the rolled die."""
    label, after = told.place, umpire.state
    at = [index for index, event in enumerate(umpire.events) if isinstance(event, Fought)]
    ended = umpire.events[at[0]] if at else told
    text = []
    for fate in find_fates(umpire.events):
        lost = f" and loses {fate.lost}" if fate.lost else ""
        text.append(
            f"{fate.unit} is {fate.gone}" if fate.gone else f"{fate.unit} {fate.how or 'stays'} {fate.to}{lost}"
        )
    steps = {
        who: sum(before.units[uid].steps - after.units[uid].steps for uid in force.units)
        for who, force in (("attacker", told.attack), ("defender", told.defence))
    }
    stays = any(after.units[uid].place == label for uid in told.defence.units)
    figures = {f"{who}-steps": str(lost) for who, lost in steps.items()} | {"left": "no" if stays else "yes"}
    result = ended.result if isinstance(ended, Fought) else ""
    return Outcome(Fraction(0), (), result, tuple(text) or ("nothing happens",), figures)
