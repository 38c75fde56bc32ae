"""9.0, 9.3: every way in which a declared battle can end, with its exact chance.

Nothing is reckoned a second time here: each face of the die is put into the real resolution of the battle, on a copy
of the position, and what came of it is read from the events and from the position after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from kursk_pbem.kernel.events import Decided, Fought, Moved
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outlook import BattleChances, Outcome
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, State
from kursk_pbem.kernel.umpire import GameEnded, Umpire
from kursk_pbem.rulesets.battle_for_kursk import combat, standing
from kursk_pbem.rulesets.battle_for_kursk.entry import OVER
from kursk_pbem.rulesets.battle_for_kursk.odds import Battle
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, MAJOR, Setting

FACES = "123456"
NO_PLAN = {"retreat": "lowest retreat hex (K-76)", "losses": "cheapest losses (K-77)", "advance": "no advance (K-78)"}


@dataclass(frozen=True)
class _Face:
    """A die that shows the same face every time."""

    seq: int
    face: str

    def roll(self, _label: str, n: int) -> str:
        """``n`` times the face."""
        return self.face * n


def odds(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[BattleChances, ...]:
    """The chances of every battle that waits in the agenda, each as the position stands now.

    ``sealed``: label -> value of hidden plans that are known at this desk. Where the defender has said nothing his
    default is assumed (K-75), also in a game in which he will be asked.
    """
    usual = replace(setting, ask=False)
    lines = ("where nothing is filed the defender will be asked; assumed is his default (K-75)",) if setting.ask else ()
    return tuple(_chances(usual, state, order, sealed, lines) for order in state.agenda.get("battles", ()))


def arithmetic(setting: Setting, state: State, order: Mapping[str, Any]) -> Fought:
    """Strengths, ratio, shifts and column of a battle that might be declared in this position, without a die.

    ``order`` is an entry of the agenda: id, hex, defender, attackers, and where there is an Offensive lead, support.
    """
    agenda = {"battles": [order], "declared": "0"}
    return _arithmetic(_resolve(setting, state.with_(agenda=agenda), order, {}, FACES[0]))


def rights(pos: Position, battle: Battle) -> list[str]:
    """The keys of an answer that can matter in a battle (K-54, K-55)."""
    found = [standing.STAND_FAST] if pos.setting.cities.get(battle.hex) == MAJOR else []
    return found + ([standing.EXCHANGE_DR, standing.EXCHANGE_DRL] if pos.fortified(battle.defender) else [])


def _resolve(
    setting: Setting, state: State, order: Mapping[str, Any], sealed: Mapping[str, Any], face: str
) -> Umpire[Setting]:
    """Fight one battle alone with one face of the die, by the rules themselves."""
    declared = int(state.agenda["declared"])
    answered = max(declared + 1, int(state.agenda.get("answered", "0")))
    agenda = {**state.agenda, "battles": [order], "answered": str(answered)}
    writer = ENEMY[setting.counters[order["defender"]].side]
    seq = answered + 1
    umpire: Umpire[Setting] = Umpire(setting, state.with_(agenda=agenda), seq, _Face(seq, face))
    label = f"plans/{declared}"
    with suppress(GameEnded):  # a German advance or retreat into Moscow is an outcome like any other
        combat.resolve(umpire, Filing(seq, writer, reveal={label: sealed.get(label, {})}))
    return umpire


def _arithmetic(umpire: Umpire[Setting]) -> Fought:
    found = next(event for event in umpire.events if isinstance(event, Fought))
    return replace(found, die="", result="", chance="")


def _chances(
    setting: Setting, state: State, order: Mapping[str, Any], sealed: Mapping[str, Any], lines: tuple[str, ...]
) -> BattleChances:
    faces = order.get("rolled", FACES)  # a battle that waits for a decision keeps its die (K-75)
    runs = {face: _resolve(setting, state, order, sealed, face) for face in faces}
    fought = _arithmetic(runs[faces[0]])
    assumed = (*lines, *_answer_lines(setting, state, order), *_plan_lines(state, order, sealed))
    if not fought.column:
        nothing = Outcome(Fraction(1), "", "", ("no attack takes place, no die falls",), _figures(state, state, order))
        return _summed(fought, assumed, (nothing,))
    found: dict[tuple[str, tuple[str, ...]], Outcome] = {}
    for face, umpire in runs.items():
        one = replace(_outcome(setting, state, order, umpire), chance=Fraction(1, len(faces)), faces=face)
        same = found.get((one.result, one.text))
        if same is not None:
            one = replace(one, chance=same.chance + one.chance, faces=same.faces + face)
        found[one.result, one.text] = one
    return _summed(fought, assumed, tuple(found.values()))


def _outcome(setting: Setting, before: State, order: Mapping[str, Any], umpire: Umpire[Setting]) -> Outcome:
    """What the die that was thrown led to."""
    events, after = umpire.events, umpire.state
    result = next(event.result for event in events if isinstance(event, Fought))
    figures = _figures(before, after, order)
    text: list[str] = []
    for event in events:
        if isinstance(event, Decided):
            figures["conversion"], figures["conversion-source"] = event.chosen, event.source
            text.append(f"the defender's choice: {event.chosen}")
    text.append(_fate(order["defender"], figures))
    attackers = (*order["attackers"], *order.get("support", ()))
    lost = {uid: before.units[uid].steps - after.units[uid].steps for uid in attackers}
    if any(lost.values()):
        worth = setting.strength
        points = sum(worth(uid, before.units[uid].steps) - worth(uid, after.units[uid].steps) for uid in lost)
        each = ", ".join(_loss(uid, after) for uid, steps in lost.items() if steps)
        figures["attacker-points"] = str(points)
        text.append(f"the attacker loses {_count(sum(lost.values()), 'step')}, {points} SP: {each}")
    for event in events:
        if isinstance(event, Moved) and event.how == "advance":
            figures["advance"] = event.unit
            text.append(f"{event.unit} advances")
    if figures["vacated"] == "yes" and "advance" not in figures:
        text.append("nobody advances")
    if after.stage == OVER:
        text.append("the game ends: Moscow")
    return Outcome(Fraction(0), "", result, tuple(text), figures)


def _figures(before: State, after: State, order: Mapping[str, Any]) -> dict[str, str]:
    """An outcome in words for programs."""
    was, now = before.units[order["defender"]], after.units[order["defender"]]
    attackers = (*order["attackers"], *order.get("support", ()))
    lost = was.steps - now.steps
    if now.place == ELIMINATED:
        fate = "eliminated"
    elif now.place == OFF_MAP:
        fate = "off the map"
    elif now.place == was.place:
        fate = "loses a step and stays" if lost else "stays"
    else:
        fate = "retreats with loss" if lost else "retreats"
    return {
        "defender": fate,
        "defender-place": now.place,
        "vacated": "no" if now.place == was.place else "yes",
        "defender-steps": str(lost),
        "attacker-steps": str(sum(before.units[uid].steps - after.units[uid].steps for uid in attackers)),
        "attacker-points": "0",
    }


def _fate(uid: str, figures: Mapping[str, str]) -> str:
    lost = int(figures["defender-steps"])
    step = f" and loses {_count(lost, 'step')}" if lost else ""
    match figures["defender"]:
        case "eliminated":
            return f"{uid} is eliminated"
        case "off the map":
            return f"{uid} leaves the map{step}"
        case "stays" | "loses a step and stays":
            return f"{uid} stays{step}"
        case _:
            return f"{uid} retreats to {figures['defender-place']}{step}"


def _loss(uid: str, after: State) -> str:
    return f"{uid} {'eliminated' if after.units[uid].place == ELIMINATED else 'reduced'}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _summed(fought: Fought, assumed: tuple[str, ...], outcomes: tuple[Outcome, ...]) -> BattleChances:
    def chance(key: str, value: str) -> Fraction:
        return sum((each.chance for each in outcomes if each.figures[key] == value), Fraction(0))

    def mean(key: str) -> Fraction:
        return sum((each.chance * int(each.figures[key]) for each in outcomes), Fraction(0))

    return BattleChances(
        fought,
        assumed,
        outcomes,
        (
            ("the hex is vacated", chance("vacated", "yes")),
            ("the defender is eliminated", chance("defender", "eliminated")),
        ),
        (
            ("steps lost by the defender", mean("defender-steps")),
            ("steps lost by the attacker", mean("attacker-steps")),
            ("strength points lost by the attacker", mean("attacker-points")),
        ),
    )  # fmt: skip


def _answer_lines(setting: Setting, state: State, order: Mapping[str, Any]) -> tuple[str, ...]:
    """By which answer of the defender a DR or DRL was read; nothing where he has no choice."""
    (battle,) = combat.declared(setting, {"battles": [order]})
    policy = standing.filed(state.agenda, setting.counters[battle.defender].side)
    filed: list[str] = []
    usual: list[str] = []
    for key in rights(position(setting, state), battle):
        when, own = standing.lookup(policy, key, battle, order["hex"])
        (filed if own else usual).append(f"{key} {when}")
    lines = []
    if filed:
        lines.append(f"the defender's answer, as filed: {', '.join(filed)}")
    if usual:
        answered = setting.refereed or "answered" in state.agenda
        why = "nothing else was filed" if answered else "he has not answered yet, this is assumed"
        lines.append(f"the defender's default (K-75), for {why}: {', '.join(usual)}")
    return tuple(lines)


def _plan_lines(state: State, order: Mapping[str, Any], sealed: Mapping[str, Any]) -> tuple[str, ...]:
    """By which plan of the attacker retreat, losses and advance were found."""
    label = f"plans/{state.agenda['declared']}"
    if "rolled" in order:
        sealed = {}  # its plan was shown with its die
    elif f"sealed/{label}" in state.agenda and label not in sealed:
        return (f"the attacker's plan is sealed and not known here; assumed is none: {', '.join(NO_PLAN.values())}",)
    hidden = sealed.get(label, {}).get(order["id"], {})
    plan = standing.plan_of(hidden or order.get("plan", {}))
    missing = [words for key, words in NO_PLAN.items() if not getattr(plan, key)]
    said = plan.text() or "none written"
    return (f"the attacker's plan: {said}" + (f"; else {', '.join(missing)}" if missing else ""),)
