"""2.0, 6.0, 7.0, 14.4: every way in which a declared attack can end, with its exact chance.

Nothing is reckoned a second time here: each throw is put into the real resolution, on a copy of the position. Where the
defender has not answered yet, the attack is shown twice, with No Retreat! orders and without.

What is worked out is bounded (decision 46): dice that do the same are one way, and where all attacks together are too
much the costliest lose dice that are followed, in the order of NOT_FOLLOWED; what is left out is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any

from kursk_pbem.kernel.branches import EACH, Groups, branches, throws
from kursk_pbem.kernel.events import Fought, Moved, Removed
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outlook import UNFOLLOWED, Chances, Outcome
from kursk_pbem.kernel.state import ANSWERED, DECLARED, ELIMINATED, STANDING, State
from kursk_pbem.kernel.umpire import Dice, GameEnded, Umpire, ripe
from kursk_pbem.rulesets.juggernauts import combat, marks, movement
from kursk_pbem.rulesets.juggernauts.answers import NO_RETREAT, Answer, answer_of
from kursk_pbem.rulesets.juggernauts.movement import PATHS
from kursk_pbem.rulesets.juggernauts.odds import MEANING, assess, fought, results
from kursk_pbem.rulesets.juggernauts.orders import BATTLES, POLICY, Battle, Plan, declared
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, PANTHER, Setting

WITHDRAWN = ("nowhere", "one hex", "two hexes")
BUDGET = 20_000
"""What all attacks of a position may cost together, in ways in which dice fall times units that they move."""
IDLE = 10  # what a way costs besides the units in it, in units
EVERYTHING, NO_ADVANCES, NO_MOVES, NO_BREAKTHROUGH, TABLE = range(5)
"""What is followed: each leaves out more than the one before; with TABLE no die is followed at all."""


@dataclass(frozen=True)
class Case:
    """One attack, fought alone, and what is taken for granted; ``state`` holds the defenders' answer.

    ``moving``: Panthers of which a die says whether they arrive; ``advancing``: Panthers that mean to advance, with the
    ends that this can have.
    """

    battle: Battle
    state: State
    text: str
    plan: str
    defenders: tuple[str, ...]
    moving: tuple[str, ...]
    advancing: Mapping[str, int]

    def ways(self, level: int) -> int:
        """The most ways in which the dice can fall that are followed."""
        moves = [3] * len(self.moving) if level < NO_MOVES else []
        advances = self.advancing.values() if level < NO_ADVANCES else ()
        throws_ = 2 if self.battle.plan.breakthrough and level < NO_BREAKTHROUGH else 1
        return prod([*moves, *advances, *[len(EACH)] * throws_])

    def cost(self, level: int) -> int:
        """The same in ways times units."""
        return self.ways(level) * (IDLE + len(self.battle.attackers) + len(self.defenders)) if level < TABLE else 0

    def left_out(self, level: int) -> list[str]:
        """What is not followed."""
        found = []
        if level >= NO_ADVANCES and self.advancing:
            found.append(f"whether {', '.join(self.advancing)} break down in the advance: they are taken to run on")
        if level >= NO_MOVES and self.moving:
            found.append(f"whether {', '.join(self.moving)} arrive: they are taken to arrive")
        if level >= NO_BREAKTHROUGH and self.battle.plan.breakthrough:
            found.append("the breakthrough")
        return found

    def groups(self, level: int) -> Callable[[str], Groups]:
        """14.4: the faces of each die that do the same; all of a die that is not followed, the luckiest first."""
        moving = self.moving if level < NO_MOVES else ()

        def found(label: str) -> Groups:
            uid, _slash, what = label.rpartition("/")
            if what == "combat":
                return EACH
            if what == "move":
                return ("12", "34", "56") if uid in moving else ("612345",)
            return ("123", "456") if level < NO_ADVANCES else ("123456",)

        return found


def odds(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Chances, ...]:
    """The chances of every attack that waits, and of every Panther on the move, each by itself."""
    panthers = [_panther(setting, state, uid) for uid in sorted(state.agenda.get(PATHS, {}))]
    pos = movement.planned(setting, state)
    cases = [case for battle in declared(setting, state.agenda) for case in _cases(pos, state, battle, sealed)]
    return (*panthers, *(_chances(pos, case, level) for case, level in zip(cases, levels(cases), strict=True)))


def arithmetic(setting: Setting, state: State, _sealed: Mapping[str, Any]) -> tuple[Fought, ...]:
    """1.0: the arithmetic of every attack that waits."""
    pos = movement.planned(setting, state)
    return tuple(fought(setting, battle, assess(pos, battle)) for battle in declared(setting, state.agenda))


def levels(cases: list[Case]) -> list[int]:
    """What is followed of each attack: everything, unless all together cost too much; then the costliest lose first."""
    found = [EVERYTHING] * len(cases)
    costs = [case.cost(EVERYTHING) for case in cases]
    total = sum(costs)
    while total > BUDGET:
        most = max(costs)
        at = len(costs) - 1 - costs[::-1].index(most)  # of equals the last one declared
        found[at] += 1
        costs[at] = cases[at].cost(found[at])
        total += costs[at] - most
    return found


def _panther(setting: Setting, state: State, uid: str) -> Chances:
    """14.4: how far a Panther comes."""
    path, umpire = state.agenda[PATHS][uid], Umpire(setting, state, 0)
    found: dict[int, Outcome] = {}
    for die in range(1, 7):
        far = movement.as_far(umpire, uid, path[1:], die)[0]
        text = f"reaches {path[far]}" if far == len(path) - 1 else f"breaks down in {path[far]}, Disrupted"
        had = found.get(far, Outcome(Fraction(0), (), "", (text,), {"place": path[far]}))
        found[far] = replace(had, chance=had.chance + Fraction(1, 6), faces=(*had.faces, str(die)))
    name = setting.counters[uid].name
    return Chances(uid, None, f"Movement of {name} ({uid}) to {path[-1]} [14.4]", (), tuple(found.values()), (), ())


def _cases(pos: Position, state: State, battle: Battle, sealed: Mapping[str, Any]) -> Iterator[Case]:
    """6.0: an attack as it was answered, or as it may be answered."""
    setting, label = pos.setting, plans.label(state.agenda[DECLARED])
    owner, place = ENEMY[setting.counters[battle.attackers[0]].side], setting.board.labels[battle.hex]
    hidden = plans.of_battle(sealed.get(label), battle.id)
    plan = Plan.from_plain(hidden) if hidden else battle.plan
    known = not (f"sealed/{label}" in state.agenda and label not in sealed)
    said = plan.text() or "none written: greatest retreat, cheapest losses, exchange, no advance"
    said = f"the attacker's plan: {said}" if known else "the attacker's plan is sealed and not known here"
    alone = replace(battle, plan=replace(plan, cancel=()), binds=())
    paths = {uid: path for uid, path in state.agenda.get(PATHS, {}).items() if uid in battle.attackers}
    far = [uid for uid, path in paths.items() if movement.path_costs(pos, uid, path)[-1] > 1]
    defenders = pos.here(battle.hex, owner)

    def case(text: str, state: State) -> Case:
        return Case(alone, state, text, said, defenders, tuple(sorted(far)), _advancing(setting, alone))

    if not defenders:
        yield case("case: nobody is there to answer", state)
    elif ANSWERED in state.agenda or STANDING + owner in state.agenda:
        given = answer_of(state.agenda, owner, battle.id, place)
        yield case(f"the defenders' answer: {_answered(given, defenders)}", state)
    else:
        for word in ("no", "yes"):
            text = "with No Retreat! orders" if word == "yes" else "without No Retreat! orders, and nobody withdraws"
            yield case(f"case: {text}", state.with_(agenda={**state.agenda, POLICY: {NO_RETREAT: word}}))


def _advancing(setting: Setting, battle: Battle) -> dict[str, int]:
    """14.4: the Panthers that mean to advance, and how many ends that has: a breakdown in each hex, or none."""
    wishes = [wish.split(" ") for wish in battle.plan.advance]
    return {uid: max(2 + (len(words) == 2) for first, *words in ((wish[0], *wish) for wish in wishes) if first == uid)
            for uid in battle.attackers if setting.counters[uid].kind == PANTHER
            and any(wish[0] == uid for wish in wishes)}  # fmt: skip


def _answered(given: Answer, defenders: tuple[str, ...]) -> str:
    """6.0, J-70: 'they withdraw one hex'; where they do not all do the same, who does what."""
    if given.no_retreat:
        return "they have No Retreat! orders"
    far = {uid: WITHDRAWN[given.of(uid).withdraw] for uid in defenders}
    if len({*far.values()}) == 1:
        return f"they withdraw {far[defenders[0]]}"
    return ", ".join(f"{uid} withdraws {where}" for uid, where in far.items())


def _chances(pos: Position, case: Case, level: int) -> Chances:
    """Every way in which one attack can end, fought alone, after the die of a Panther that takes part."""
    setting, state, battle = pos.setting, case.state, case.battle
    told, assumed, left_out = fought(setting, battle, assess(pos, battle)), [case.text, case.plan], case.left_out(level)
    if left_out:
        assumed.append(f"not followed, for too many dice would fall: {'; '.join(left_out)}")
    start: Umpire[Setting] = Umpire(setting, _start(pos, case, level), ripe(state.agenda))
    view(start)  # what follows from the position is the same in all ways

    def run(dice: Dice) -> Outcome:
        return _outcome(state, battle, _resolve(start.goes_on(dice), battle))

    groups, most = case.groups(level), case.ways(level)
    ways = branches(start.seq, run, groups=groups, most=most) if level < TABLE else None
    if ways is None:
        return Chances(battle.id, told, "", (*assumed, UNFOLLOWED), _by_table(pos, battle), (), ())
    found: dict[tuple[str, tuple[str, ...]], list[tuple[Fraction, Groups, Outcome]]] = {}
    for way in ways:
        found.setdefault((way[2].result, way[2].text), []).append(way)
    outcomes = tuple(
        replace(same[0][2], chance=sum((chance for chance, _way, _one in same), Fraction(0)),
                faces=() if left_out else throws([way for _chance, way, _one in same]))
        for same in found.values())  # fmt: skip
    return _summed(battle, told, tuple(assumed), outcomes, defended=bool(case.defenders))


def _start(pos: Position, case: Case, level: int) -> State:
    """The position with this attack alone."""
    battle, agenda = case.battle, case.state.agenda
    if level >= NO_BREAKTHROUGH:
        battle = replace(battle, plan=replace(battle.plan, breakthrough=()))
    paths = {uid: path for uid, path in agenda.get(PATHS, {}).items() if uid in battle.attackers}
    kept = {key: value for key, value in agenda.items() if key != PATHS} | ({PATHS: paths} if paths else {})
    return case.state.with_(agenda=kept | {BATTLES: [battle.to_plain(pos.setting.board.labels[battle.hex])]})


def _by_table(pos: Position, battle: Battle) -> tuple[Outcome, ...]:
    """1.0: the results alone."""
    found = results(pos.setting, assess(pos, battle))
    return tuple(Outcome(Fraction(len(faces), 6), faces if len(found) > 1 else (), result, (MEANING[result],), {})
                 for result, faces in found.items())  # fmt: skip


def _resolve(umpire: Umpire[Setting], battle: Battle) -> Umpire[Setting]:
    """19.2-4: the Panthers come or do not, and the attack is fought."""
    filing = Filing(umpire.seq, umpire.setting.counters[battle.attackers[0]].side)
    with suppress(GameEnded):
        if PATHS in umpire.state.agenda:
            movement.panthers(umpire, filing)
        combat.resolve(umpire, filing)
    return umpire


def _outcome(before: State, battle: Battle, umpire: Umpire[Setting]) -> Outcome:
    """What the throw led to."""
    setting, after, events = umpire.setting, umpire.state, umpire.events
    pos = Position(setting, after, {}, {}, {})
    told = [event.result or "DE" for event in events if isinstance(event, Fought) and event.column]
    label, side = setting.board.labels[battle.hex], setting.counters[battle.attackers[0]].side
    lost = {who: [event.unit for event in events if isinstance(event, Removed) and pos.side(event.unit) == who]
            for who in (side, ENEMY[side])}  # fmt: skip
    stays = [uid for uid, unit in after.units.items() if unit.place == label and pos.side(uid) == ENEMY[side]]
    text = [f"lost: {', '.join(lost[who])} ({who})" for who in lost if lost[who]]
    text += [f"{uid} goes back to {after.units[uid].place}" for uid, unit in before.units.items()
             if unit.place == label and after.units[uid].place not in (label, ELIMINATED)]  # fmt: skip
    shaken = sorted(uid for uid in after.marks.get(marks.DISRUPTED, {}) if not before.mark(marks.DISRUPTED, uid))
    text += [f"Disrupted: {', '.join(shaken)}"] if shaken else []
    gone = [f"{event.unit} to {event.path[-1]}" for event in events
            if isinstance(event, Moved) and event.how == "advance"]  # fmt: skip
    text += [f"advances: {', '.join(gone)}"] if gone else []
    attack, defence = (sum(setting.counters[uid].attack for uid in lost[side]),
                       sum(setting.counters[uid].defence for uid in lost[ENEMY[side]]))  # fmt: skip
    entered = any(unit.place == label and pos.side(uid) == side for uid, unit in after.units.items())
    figures = {"emptied": "no" if stays else "yes", "entered": "yes" if entered else "no",
               "attack-factors": str(attack), "defence-factors": str(defence)}  # fmt: skip
    return Outcome(Fraction(0), (), told[0] if told else "", tuple(text) or ("nothing changes",), figures)


def _summed(
    battle: Battle, told: Fought, assumed: tuple[str, ...], outcomes: tuple[Outcome, ...], *, defended: bool
) -> Chances:
    def mean(key: str) -> Fraction:
        return sum((each.chance * int(each.figures[key]) for each in outcomes), Fraction(0))

    def chance(key: str) -> Fraction:
        return sum((each.chance for each in outcomes if each.figures[key] == "yes"), Fraction(0))

    sums: tuple[tuple[str, Fraction], ...] = (("the attackers enter the hex", chance("entered")),)
    if defended:
        sums = (("the defenders leave the hex", chance("emptied")), *sums)
    means = (("defence factors lost", mean("defence-factors")), ("attack factors lost", mean("attack-factors")))
    return Chances(battle.id, told, "", assumed, outcomes, sums, means)
