"""2.0 Combat results: their effects on defenders and attackers; No Retreat and Forced Exchange (6.0)."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import filterfalse

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import Decided, Noted
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import entry, losses, marks, retreat
from kursk_pbem.rulesets.juggernauts.advance import Aftermath
from kursk_pbem.rulesets.juggernauts.answers import Answer, find_answer
from kursk_pbem.rulesets.juggernauts.odds import Odds
from kursk_pbem.rulesets.juggernauts.orders import FORCED, Battle
from kursk_pbem.rulesets.juggernauts.position import view
from kursk_pbem.rulesets.juggernauts.readiness import is_ordinary, recover_units
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, ENEMY, GERMAN, PANTHER, RUSSIAN, Setting

NOTHING = "-"
FIRM = {"D1": "D", "D2": "DE"}  # 6.0: the result for units that do not or cannot retreat
COST = {"D1": (1, 1), "D": (3, 2), "X": (2, 1)}  # 6.0-forced: cost of a Forced Exchange, as a fraction


@frozen
class Fight:
    """An attack after its die roll, with the odds and the hexes of the attackers."""

    umpire: Umpire[Setting]
    battle: Battle
    odds: Odds
    attack: retreat.Attack

    @property
    def defenders(self) -> tuple[str, ...]:
        """The defenders that are still in the attacked hex."""
        return view(self.umpire).here(self.battle.hex, ENEMY[self.odds.side])

    @property
    def payers(self) -> dict[str, int]:
        """14.2: factors of the attackers that can be lost: all attackers left, except artillery. Keys are unit ids."""
        alive = [uid for uid in self.battle.attackers if uid in view(self.umpire).where]
        counters = self.umpire.setting.counters
        return {uid: counters[uid].attack for uid in alive if counters[uid].kind != ARTILLERY}

    @cached_property
    def answer(self) -> Answer:
        """6.0: the defender's answer for this attack. It was written before the dice."""
        label = self.umpire.setting.board.labels[self.battle.hex]
        return find_answer(self.umpire.state.agenda, ENEMY[self.odds.side], self.battle.id, label)

    @cached_property
    def held(self) -> bool:
        """6.0, 14.2: whether a defender has No Retreat! orders at the time of the result."""
        return any(map(self.is_firm, self.defenders))

    def is_firm(self, uid: str) -> bool:
        """6.0, J-53: return whether a defender has No Retreat! orders."""
        return self.answer.for_unit(uid).no_retreat

    def note(self, rule: str, text: str) -> None:
        """Report a sentence about this attack."""
        self.umpire.emit(Noted(rule, text, self.battle.id))


def apply_result(fight: Fight, raw: str) -> Aftermath:
    """2.0, 6.0, 14.2: apply a result as the die gave it. Return what happened in the attack."""
    after = Aftermath(fight.battle, raw, fight.odds.defence.total)
    if fight.held:
        fight.note("6.0", "the defenders have No Retreat! orders")
    if not fight.payers:
        return _apply_bombardment(fight, after)
    if fight.held and _forces_exchange(fight, raw):
        if raw == "AD":
            fight.umpire.emit(Decided("6.0-forced", "forced-exchange", fight.odds.side, fight.battle.id, "AE", "filed"))
            return _lose_attackers(fight, replace(after, result="AE"))
        if exchange := _try_exchange(fight, after, COST[raw], "6.0-forced"):
            return exchange
        if raw == "X":
            return _end_exchange(fight, after, "the attacker cannot pay for a Forced Exchange")
    return _carry_out_result(fight, _convert_result(fight, after))


def _carry_out_result(fight: Fight, after: Aftermath) -> Aftermath:
    """2.0: carry out a result after all conversions."""
    match after.result:
        case "DE":
            for uid in fight.defenders:
                entry.eliminate_unit(fight.umpire, "2.0-de", uid, "defenders eliminated")
            return after
        case "D2" | "D1":
            return _drive_back(fight, after)
        case "D":
            return _disrupt_defenders(fight, after)
        case "X":
            return _exchange_if_wanted(fight, after)
        case "AD":
            for uid in fight.payers:
                _apply_shock(fight, uid, "2.0-ad", "AD")
            return after
        case "D/AE":
            _lose_attackers(fight, after)  # J-8: attackers first
            return _disrupt_defenders(fight, after)
        case _:
            return _lose_attackers(fight, after)


def _convert_result(fight: Fight, after: Aftermath) -> Aftermath:
    """6.0, J-16: change D1 to D and D2 to DE if the defenders will not or cannot retreat."""
    pos, free, result = (view(fight.umpire), [*filterfalse(fight.is_firm, fight.defenders)], FIRM.get(after.result, ""))
    if not (result and fight.defenders) or (free and not retreat.is_trapped(pos, free, fight.attack)):
        return after
    fight.note("6.0", f"{after.result} becomes {result}: {'surrounded' if free else 'No Retreat!'}")
    return replace(after, result=result)


def _apply_bombardment(fight: Fight, after: Aftermath) -> Aftermath:
    """14.2, J-20: apply at most a D for ArtKor that attack alone; they suffer nothing."""
    if after.result not in ("D", "D1", "D2", "DE", "D/AE"):
        fight.note("14.2", f"{after.result} has no effect: artillery attacks alone")
        return replace(after, result=NOTHING)
    if after.result != "D":
        fight.note("14.2", f"{after.result} counts as D: artillery attacks alone")
    return _disrupt_defenders(fight, replace(after, result="D"))


def _forces_exchange(fight: Fight, raw: str) -> bool:
    """6.0-forced, J-17: return whether the attacker forces an exchange; a Russian plan must say so for all results."""
    listed = fight.battle.plan.forced
    if raw not in FORCED or not fight.defenders:
        return False
    return bool(listed) if fight.odds.side == RUSSIAN else raw in listed or "yes" in listed


def _apply_shock(fight: Fight, uid: str, rule: str, result: str) -> None:
    """2.0-d, 2.0-dn, 2.0-ad, 14.2 to 14.4, J-19: apply a Disrupting result to a unit; it eliminates some kinds."""
    umpire, kind = fight.umpire, fight.umpire.setting.counters[uid].kind
    emplaced = umpire.state.mark(marks.EMPLACED, uid)
    if kind == PANTHER and result in ("D2", "AD"):
        entry.eliminate_unit(umpire, "14.4", uid, f"Panthers are destroyed by {result}")
    elif kind == ARTILLERY and not (emplaced and fight.held) and (result == "D2" or (result == "D1" and emplaced)):
        entry.eliminate_unit(umpire, "14.2", uid, f"artillery is eliminated by {result}")
    else:
        entry.disrupt_in_place(umpire, rule, uid, f"{result} in {fight.battle.id}")


def _drive_back(fight: Fight, after: Aftermath) -> Aftermath:
    """2.0-dn, 6.0, J-7, J-53: drive defenders 0 to n hexes, as the attacker chooses; firm units suffer D or DE."""
    number, firm = int(after.result[1]), [*filter(fight.is_firm, fight.defenders)]
    if firm:  # only some units: a result for all is a D or a DE by now
        fight.note("6.0", f"{after.result} becomes {FIRM[after.result]} for {', '.join(firm)}: No Retreat!")
    for uid in firm if number == 2 else ():
        entry.eliminate_unit(fight.umpire, "2.0-de", uid, "defenders eliminated")
    wishes = [int(wish) for wish in fight.battle.plan.push if wish in ("0", "1", "2")]
    return _disrupt_defenders(fight, after, "2.0-dn", min([number, *wishes[:1]]), 2 - number)


def _disrupt_defenders(fight: Fight, after: Aftermath, rule: str = "2.0-d", push: int = 0, more: int = 2) -> Aftermath:
    """2.0-d, 8.0, J-7, J-53, J-70: Disrupt all defenders and move each: first as driven, then by its answer.

    ``push``: hexes driven; ``more``: maximum of further hexes.
    """
    for uid in fight.defenders:
        _apply_shock(fight, uid, rule, FIRM["D1"] if after.result == "D1" and fight.is_firm(uid) else after.result)
    defenders, alone, ways = fight.defenders, dict[str, retreat.Way](), dict[str, retreat.Way]()
    for uid in defenders:
        going = fight.answer.for_unit(uid)
        if length := 0 if going.no_retreat else max(push, min(going.withdraw, push + more)):
            moved = retreat.retreat_unit(fight.umpire, uid, fight.attack, length, fight.answer, driven=push)
            alone |= moved[:1]
            for one, way in moved:
                ways[one] = (*ways.get(one, ()), *way)
    followed = after.follow(ways[uid] for uid in defenders if uid in ways)
    return replace(followed, earlier=after.follow(alone.values()))


def _exchange_if_wanted(fight: Fight, after: Aftermath) -> Aftermath:
    """2.0-x: exchange unless the plan declines or the attacker cannot pay; then nothing happens."""
    if "no" in fight.battle.plan.exchange:
        return _end_exchange(fight, after, "the attacker does not want the exchange")
    return _try_exchange(fight, after, (1, 1), "2.0-x") or _end_exchange(
        fight, after, "the attacker cannot pay for an exchange"
    )


def _end_exchange(fight: Fight, after: Aftermath, why: str) -> Aftermath:
    """2.0-x, J-10, J-46: end an exchange without effect."""
    fight.note("2.0-x", f"X counts as '-': {why}")
    return replace(after, result=NOTHING)


def _try_exchange(fight: Fight, after: Aftermath, cost: tuple[int, int], rule: str) -> Aftermath | None:
    """2.0-x, 6.0-forced, J-10, J-46: exchange what the attacker can pay, the line first; None if that is nothing."""
    umpire, against, (times, by) = fight.umpire, fight.odds.defence, cost
    budget = sum(fight.payers.values()) * by // times - against.line
    worth = {uid: against.units[uid] for uid in fight.defenders}
    taken = losses.choose_largest(worth, budget) if worth and budget > 0 else ()
    if budget < 0 or (worth and not taken) or not (worth or against.line):
        return None
    traded = against.line + sum(worth[uid] for uid in taken)
    due = -(-traded * times // by)
    source = "filed" if rule == "6.0-forced" or fight.battle.plan.exchange else "default"
    umpire.emit(Decided(rule, "exchange", fight.odds.side, fight.battle.id, f"{traded} for {due}", source))
    for uid in losses.choose_payment(fight.payers, due, fight.battle.plan.losses):
        entry.eliminate_unit(umpire, rule, uid, f"exchange: {due} factors to pay")
    for uid in taken:
        entry.eliminate_unit(umpire, rule, uid, "exchanged")
    label, line = umpire.setting.board.labels[fight.battle.hex], view(umpire).line(fight.battle.hex)
    if len(taken) == len(worth) and line is not None and line.owner == ENEMY[fight.odds.side]:
        entry.mark_line_lost(umpire, label)  # J-49, J-74: the line's factors are paid, and no unit survives in the hex
    return _disrupt_defenders(fight, replace(after, result="X"), rule)


def _lose_attackers(fight: Fight, after: Aftermath) -> Aftermath:
    """2.0-ae, J-9, J-56: eliminate attackers worth the modified defence; the others are unchanged."""
    due = fight.odds.defence.total
    for uid in losses.choose_victims(fight.payers, due, fight.battle.plan.losses):
        entry.eliminate_unit(fight.umpire, "2.0-ae", uid, f"{after.result}: {due} factors to lose")
    return after


def recover_attacked(umpire: Umpire[Setting], result: str, defenders: tuple[str, ...]) -> None:
    """5.0, 19.2-4, 19.2-5, J-13: recover Russians (not Guards) after the results '-', AD or AE in German step 4."""
    pos, stage = view(umpire), umpire.state.stage
    if result in (NOTHING, "AD", "AE") and stage.startswith(GERMAN) and "second" not in stage:
        recover_units(umpire, "5.0", [uid for uid in defenders if is_ordinary(pos, uid)])
