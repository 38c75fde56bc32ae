"""2.0, 6.0, 7.0, 14.4: all ends of a declared attack, with exact chances.

Every throw goes through the real resolution, on a copy of the position. The work is bounded (decision 46): equal faces
form groups, and too expensive attacks lose dice, with a notice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.branches import EACH, Groups, run_branches
from kursk_pbem.kernel.events import Decided, Fought, Moved, Removed
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.earlier import Earlier
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY, filed_policy
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outcomes import chance, mean, merge_outcomes
from kursk_pbem.kernel.outlook import UNFOLLOWED, Chances, Outcome
from kursk_pbem.kernel.state import ANSWERED, DECLARED, ELIMINATED, STANDING, State
from kursk_pbem.kernel.umpire import Dice, GameEnded, Umpire, first_ripe
from kursk_pbem.rulesets.juggernauts import air, combat, marks, movement
from kursk_pbem.rulesets.juggernauts.answers import NO_RETREAT, Answer, find_answer
from kursk_pbem.rulesets.juggernauts.odds import MEANING, find_odds, list_results
from kursk_pbem.rulesets.juggernauts.orders import Battle, read_battles
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.seen import bombing, possible
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, PANTHER, Setting

WITHDRAWN, UNHURT = ("nowhere", "one hex", "two hexes"), "no unit is lost, goes back or is newly Disrupted"
BUDGET = 20_000
"""Maximum cost of all attacks of a position: ways of dice times units moved."""
IDLE = 10  # basic cost of a way, in units
UNKNOWN = (
    "the attacker's plan is sealed and not known here; the odds assume no plan: greatest retreat, cheapest losses, "
    "exchange, no advance"
)
ADVANCE, MOVE, BREAKTHROUGH, STRIKE = "advance", "move", "breakthrough", "strike"
LEFT_OUT = {
    ADVANCE: "whether {} break down in the advance: they are taken to run on",
    MOVE: "whether {} arrive: they are taken to arrive",
    STRIKE: "the air strike {}: nobody is taken to be hit",
    BREAKTHROUGH: "the breakthrough",
}


@frozen
class Extra:
    """A die besides the attack's die: a Panther's ADVANCE or MOVE, a STRIKE, or the BREAKTHROUGH."""

    what: str
    unit: str
    ways: int


@frozen
class Case:
    """An attack by itself, with the assumptions. ``state``: the position, with the defender's answer.

    ``extras``: further dice that the odds can leave out, least important first. ``left``: the number of extras to leave
    out; one more than all leaves out even the attack's die.
    """

    battle: Battle
    state: State
    text: str
    plan: str
    defenders: tuple[str, ...]
    extras: tuple[Extra, ...]
    bombed: Callable[[str], Groups]

    def ways(self, left: int) -> int:
        """Return how many combinations of the counted dice exist at most, or 0 if no dice are counted."""
        return prod([len(EACH), *(extra.ways for extra in self.extras[left:])]) if left <= len(self.extras) else 0

    def cost(self, left: int) -> int:
        """Return the cost of computing the odds: combinations of dice times units."""
        return self.ways(left) * (IDLE + len(self.battle.attackers) + len(self.defenders))

    def named(self, what: str, left: int, *, followed: bool) -> list[str]:
        """Return the units that have dice of a kind: counted dice (``followed``), or dice that are left out."""
        extras = self.extras[left:] if followed else self.extras[:left]
        return [extra.unit for extra in extras if extra.what == what]

    def left_out(self, left: int) -> list[str]:
        """Return in words the dice that the odds leave out."""
        out = {what: self.named(what, left, followed=False) for what in LEFT_OUT}
        return [text.format(", ".join(out[what])) for what, text in LEFT_OUT.items() if out[what]]

    def order(self, left: int) -> str:
        """Return in words the order of the dice in one throw, or '' if the attack's die is the only die."""
        strikes, advances = (self.named(what, left, followed=True) for what in (STRIKE, ADVANCE))
        paths, unfollowed = self.state.agenda.get(movement.PATHS, {}), self.named(MOVE, left, followed=False)
        dice = [
            *(f"the move of {uid}" for uid in sorted({*paths} & {*self.battle.attackers} - {*unfollowed})),
            *(f"the air strike {name}" for name in strikes),
            "the attack",
            *(f"the advance of {uid}" for uid in advances),
            *["the breakthrough"] * bool(self.named(BREAKTHROUGH, left, followed=True)),
        ]
        return f"the dice of a throw, if rolled: {', '.join(dice)}" if len(dice) > 1 else ""

    def groups(self, left: int) -> Callable[[str], Groups]:
        """14.4: return a function that groups a die's faces by effect. A die left out shows its best face."""
        moving, advancing, striking = (self.named(what, left, followed=True) for what in (MOVE, ADVANCE, STRIKE))

        def grouped(label: str) -> Groups:
            uid, _slash, what = label.rpartition("/")
            if what == "combat":
                return EACH
            if what == "move":
                return ("12", "34", "56") if uid in moving else ("612345",)
            if uid in striking and (what[:1].isdigit() or what.startswith("met-")):
                return self.bombed(label)
            return ("123", "456") if what.rpartition("-")[0] in advancing else ("123456",)

        return grouped


def list_chances(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Chances, ...]:
    """Return the odds of each declared attack, strike and Panther move, as if each were the only one."""
    pos, battles = movement.place_panthers(setting, state), read_battles(setting, state.agenda)
    cases = [case for battle in battles for case in _cases(pos, state, battle, sealed)]
    order = Earlier([battle.id for battle in battles], [possible.column(pos, battle) for battle in battles])
    numbers = {battle.id: number for number, battle in enumerate(battles)}

    def chances(case: Case, left: int) -> Chances:
        known: set[Any] = set()
        number, moving = numbers[case.battle.id], state.agenda.get(movement.PATHS, {})
        paths = {uid: path for uid, path in moving.items() if uid not in case.battle.attackers}

        def watch(umpire: Umpire[Setting]) -> None:
            """Record the effect of one end of an attack on later attacks."""
            units, disrupted = umpire.state.units, umpire.state.marks.get(marks.DISRUPTED, {})
            ending = (*(unit.place for unit in units.values()), *disrupted)
            if ending not in known:  # many throws end alike
                known.add(ending)
                there = umpire.state.with_(agenda={movement.PATHS: paths})  # assume that Panthers arrive, as above
                after = movement.place_panthers(setting, there) if paths else view(umpire)
                later = enumerate(battles[number + 1 :], number + 1)
                order.note(number, ((at, possible.column(after, other)) for at, other in later))

        return replace(_chances(pos, case, left, watch), caveat=order.caveat(number))

    return (
        *(_panther(setting, state, uid) for uid in sorted(state.agenda.get(movement.PATHS, {}))),
        *bombing.odds(setting, state),
        *(chances(case, left) for case, left in zip(cases, spent(cases), strict=True)),
    )


def list_declared(setting: Setting, state: State, _sealed: Mapping[str, Any]) -> tuple[Fought, ...]:
    """1.0: return the calculation of the odds of every declared attack, before its die is rolled."""
    pos = movement.place_panthers(setting, state)
    return tuple(
        combat.make_fought(setting, battle, find_odds(pos, battle)) for battle in read_battles(setting, state.agenda)
    )


def spent(cases: list[Case]) -> list[int]:
    """Return how many extra dice each case leaves out: none if the computing cost allows, otherwise by cost."""
    left = [0] * len(cases)
    costs = [case.cost(0) for case in cases]
    total = sum(costs)
    while total > BUDGET:
        most = max(costs)
        at = len(costs) - 1 - costs[::-1].index(most)  # on a tie the last declared attack
        left[at] += 1
        costs[at] = cases[at].cost(left[at])
        total += costs[at] - most
    return left


def _panther(setting: Setting, state: State, uid: str) -> Chances:
    """14.4, J-25: return the odds that a Panther arrives; attacks assume its arrival."""
    path, umpire = state.agenda[movement.PATHS][uid], Umpire(setting, state, 0)
    outcomes: dict[int, Outcome] = {}
    for die in range(1, 7):
        far = movement.measure_way(umpire, uid, path[1:], die)[0]
        text = f"reaches {path[far]}" if far == len(path) - 1 else f"breaks down in {path[far]}, Disrupted"
        had = outcomes.get(far, Outcome(Fraction(0), (), "", (text,), {"place": path[far]}))
        outcomes[far] = replace(had, chance=had.chance + Fraction(1, 6), faces=(*had.faces, str(die)))
    title = f"Movement of {setting.counters[uid].name} ({uid}) to {path[-1]} [14.4]"
    return Chances(uid, None, title, (), tuple(outcomes.values()), (), ())


def _cases(pos: Position, state: State, battle: Battle, sealed: Mapping[str, Any]) -> Iterator[Case]:
    """6.0: yield the cases of an attack: the answer if there is one, otherwise with and without No Retreat! orders."""
    setting, label = pos.setting, plans.label(state.agenda[DECLARED])
    owner, place = ENEMY[setting.counters[battle.attackers[0]].side], setting.board.labels[battle.hex]
    plan = battle.plan.unless(sealed.get(label), battle.id)
    known = not (f"sealed/{label}" in state.agenda and label not in sealed)
    said = plan.text() or "none written: greatest retreat, cheapest losses, exchange, no advance"
    said = f"the attacker's plan: {said}" if known else UNKNOWN
    said += "; taken as fought, not called off" * (known and bool(plan.cancel))
    others = {
        name
        for other in read_battles(setting, state.agenda)
        if other.id != battle.id
        for name in (other.id, setting.board.labels[other.hex])
    }
    if others & {wish.removeprefix("join ") for wish in plan.breakthrough}:
        plan = replace(plan, breakthrough=())  # J-66: alone, the attack cannot join another
        said += "; a breakthrough decided by another attack is not followed"
    alone = replace(battle, plan=replace(plan, cancel=()), binds=())
    defenders, extras = pos.here(battle.hex, owner), [*_extras(pos, state, alone)]

    def case(text: str, state: State) -> Case:
        bombed = partial(bombing.groups, setting, ENEMY[owner])
        return Case(alone, state, text, said, defenders, tuple(extras), bombed)

    if not defenders:
        yield case("case: no unit is left to answer", state)
    elif ANSWERED in state.agenda or STANDING + owner in state.agenda:
        given = find_answer(state.agenda, owner, battle.id, place)
        by_whom = "the defenders' answer" if filed_policy(state.agenda, owner) else "nothing was answered"
        yield case(f"{by_whom}: {_answered(given, defenders)}", state)
    else:
        for word in ("no", "yes"):
            text = "with No Retreat! orders" if word == "yes" else "without No Retreat! orders and withdrawals"
            yield case(f"case: {text}", state.with_(agenda={**state.agenda, POLICY: {NO_RETREAT: word}}))


def _extras(pos: Position, state: State, battle: Battle) -> Iterator[Extra]:
    """14.4, 20.1: yield the dice besides those of the attack: Panthers, strikes, a breakthrough."""
    setting, wishes = pos.setting, [wish.split(" ") for wish in battle.plan.advance]
    for uid in battle.attackers:
        hexes = [1 + (len(wish) == 2) for wish in wishes if wish[0] == uid]
        if hexes and setting.counters[uid].kind == PANTHER:
            yield Extra(ADVANCE, uid, 1 + max(hexes))
    for strike in bombing.over(state, setting.board.labels[battle.hex]):
        yield Extra(STRIKE, strike["id"], bombing.ways(setting, state, strike))
    for uid, path in sorted(state.agenda.get(movement.PATHS, {}).items()):
        if uid in battle.attackers and movement.list_costs(pos, uid, path)[-1] > 1:
            yield Extra(MOVE, uid, 3)
    if battle.plan.breakthrough:
        yield Extra(BREAKTHROUGH, "", 6)


def _answered(given: Answer, defenders: tuple[str, ...]) -> str:
    """6.0, J-70: describe the answer, by unit if the units differ."""
    goings = {uid: given.for_unit(uid) for uid in defenders}
    firm = {uid: going.no_retreat for uid, going in goings.items()}
    if all(firm.values()):
        return "they have No Retreat! orders"
    far = {uid: WITHDRAWN[going.withdraw] for uid, going in goings.items()}
    if len({*far.values()}) == 1 and not any(firm.values()):
        return f"they withdraw {far[defenders[0]]}"
    said = (f"{uid} has No Retreat! orders" if firm[uid] else f"{uid} withdraws {far[uid]}" for uid in defenders)
    return ", ".join(said)


def _chances(
    pos: Position, case: Case, left: int, watch: Callable[[Umpire[Setting]], None] = lambda _umpire: None
) -> Chances:
    """Return all ends of one attack alone, after the dice of its Panthers; call ``watch`` for every end."""
    setting, state, battle = pos.setting, case.state, case.battle
    told, assumed = combat.make_fought(setting, battle, find_odds(pos, battle)), [case.text, case.plan]
    if left_out := case.left_out(left):
        assumed.append(f"not followed, for too many dice would fall: {'; '.join(left_out)}")
    if order := case.order(left):
        assumed.append(order)
    start: Umpire[Setting] = Umpire(setting, _start(pos, case, left), first_ripe(state.agenda))
    view(start)  # compute the view once for all ways

    def run(dice: Dice) -> Outcome:
        watch(umpire := _resolve(start.goes_on(dice), battle))
        return _outcome(state, battle, umpire)

    groups, most = case.groups(left), case.ways(left)
    ways = run_branches(start.seq, run, groups=groups, most=most) if most else None
    if ways is None:
        return Chances(battle.id, told, "", (*assumed, UNFOLLOWED), _by_table(pos, battle), (), ())
    outcomes = merge_outcomes(ways)
    if left_out:
        outcomes = tuple(replace(outcome, faces=()) for outcome in outcomes)
    sums = [("the defenders leave the hex", chance(outcomes, "emptied"))] if case.defenders else []
    if case.plan != UNKNOWN:
        none = "" if battle.plan.advance else " (no advance is planned)"
        sums.append((f"the attackers enter the hex{none}", chance(outcomes, "entered")))
    means = tuple((f"{what} factors lost", mean(outcomes, f"{what}-factors")) for what in ("defence", "attack"))
    return Chances(battle.id, told, "", tuple(assumed), outcomes, tuple(sums), means)


def _start(pos: Position, case: Case, left: int) -> State:
    """Return the position with this attack alone."""
    label, flown = pos.setting.board.labels[case.battle.hex], case.named(STRIKE, left, followed=True)
    strikes = [strike for strike in bombing.over(case.state, label) if strike["id"] in flown]
    state = bombing.alone(pos.setting, case.state, strikes)
    battle, agenda = case.battle, state.agenda
    if case.named(BREAKTHROUGH, left, followed=False):
        battle = replace(battle, plan=replace(battle.plan, breakthrough=()))
    paths = {uid: path for uid, path in agenda.get(movement.PATHS, {}).items() if uid in battle.attackers}
    kept = {key: value for key, value in agenda.items() if key != movement.PATHS} | (
        {movement.PATHS: paths} if paths else {}
    )
    return state.with_(agenda=kept | {BATTLES: [battle.to_plain(label)]})


def _by_table(pos: Position, battle: Battle) -> tuple[Outcome, ...]:
    """1.0: return the results without their effects."""
    return tuple(
        Outcome(Fraction(len(faces), 6), faces if len(faces) < 6 else (), result, (MEANING[result],), {})
        for result, faces in list_results(pos.setting, find_odds(pos, battle)).items()
    )


def _resolve(umpire: Umpire[Setting], battle: Battle) -> Umpire[Setting]:
    """19.2-4: resolve Panthers, strikes and the attack."""
    filing = Filing(umpire.seq, umpire.setting.counters[battle.attackers[0]].side)
    with suppress(GameEnded):
        if movement.PATHS in umpire.state.agenda:
            movement.roll_panthers(umpire, filing)
        if air.STRIKES in umpire.state.agenda:
            air.resolve_strikes(umpire, filing)
        combat.resolve_attacks(umpire, filing)
    return umpire


def _outcome(before: State, battle: Battle, umpire: Umpire[Setting]) -> Outcome:
    """Return the outcome of a throw."""
    setting, after, events = umpire.setting, umpire.state, umpire.events
    pos = Position(setting, after, {}, {}, {})
    told = [event.result or "DE" for event in events if isinstance(event, Fought) and event.column]
    label, side = setting.board.labels[battle.hex], setting.counters[battle.attackers[0]].side
    lost = {
        who: [event.unit for event in events if isinstance(event, Removed) and pos.side(event.unit) == who]
        for who in (side, ENEMY[side])
    }
    holders = {pos.side(uid) for uid, unit in after.units.items() if unit.place == label}
    forced = any(isinstance(event, Decided) and event.rule == "6.0-forced" for event in events)
    text = ["a Forced Exchange"] if forced else []
    text += [f"lost: {', '.join(lost[who])} ({who.capitalize()})" for who in lost if lost[who]]
    text += [*_retreats(pos, before, ENEMY[side]), *bombing.disrupted(before, after)]
    went = [event for event in events if isinstance(event, Moved) and event.how == "advance"]
    text += [f"advances: {', '.join(f'{event.unit} to {event.path[-1]}' for event in went)}"] if went else []
    into = [event.unit for event in went if label in event.path]
    entered = bool(into) or side in holders  # 9.0: through the hex
    fell = after.mark(marks.BREACHED, label) and not before.mark(marks.BREACHED, label) and not entered
    text += [f"the line in {label} is lost"] if fell else []
    figures = {
        "emptied": "no" if ENEMY[side] in holders else "yes",
        "entered": "yes" if entered else "no",
        **({"advance": ",".join(into)} if into else {}),
        "attack-factors": str(sum(setting.counters[uid].attack for uid in lost[side])),
        "defence-factors": str(sum(setting.counters[uid].defence for uid in lost[ENEMY[side]])),
    }
    return Outcome(Fraction(0), (), told[0] if told else "", tuple(text) or (UNHURT,), figures)


def _retreats(pos: Position, before: State, side: str) -> Iterator[str]:
    """8.0: yield where units of a side have gone back to."""
    for uid, unit in before.units.items():
        if pos.side(uid) == side and pos.state.units[uid].place not in (unit.place, ELIMINATED):
            yield f"{uid} goes back to {pos.state.units[uid].place}"
