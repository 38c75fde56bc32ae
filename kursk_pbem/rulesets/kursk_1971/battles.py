"""7.0, 9.0-d4 Combat before the dice: attacks declared and answered, plans sealed.

All attacks of a combat phase are declared in one message, answered in the next and rolled for in the third. An attack
is judged again when its turn comes (S-12).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.events import Scheduled
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.plans import of_battle
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import ANSWERED, DECLARED, STANDING
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import air
from kursk_pbem.rulesets.kursk_1971.odds import assess
from kursk_pbem.rulesets.kursk_1971.orders import PLAN_KEYS, Battle, Plan, Raid, plan_slips, retreat_slip
from kursk_pbem.rulesets.kursk_1971.position import PATROL, Position, view
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, LIMITED, Setting

BATTLES, RAIDS, POLICY = "battles", "superiority", "policy"
WAITING = (RAIDS, BATTLES, DECLARED, ANSWERED, POLICY)
"""What of the agenda is dealt with when all attacks have been fought."""
ANSWERS = ("retreat", "advance")


def any_ordered(umpire: Umpire[Setting], filing: Filing) -> bool:
    """7.0: whether ground attacks are ordered; plans without any are refused."""
    label = plans_label(filing.seq)
    if not filing.order(BATTLES) and (label in filing.secret or label in filing.sealed):
        umpire.refuse("7.0", "plans are sealed, but no attack is declared", label, ("secret", label))
    return bool(filing.order(BATTLES))


def raids_ordered(_umpire: Umpire[Setting], filing: Filing) -> bool:
    """9.0-d4: whether attacks from the air are ordered."""
    return bool(filing.order(RAIDS))


# Air superiority


def declare_raids(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.0-d4, S-25, S-52: each attack on one ground element; the aircraft take off."""
    targets: set[str] = set()
    found = []
    for order, path in umpire.each(filing, RAIDS, "9.0-d4", "two attacks have this id"):
        raid, before = Raid.from_plain(order), len(umpire.violations)
        _target(umpire, filing.writer, raid, targets, path)
        if len(umpire.violations) > before:
            continue
        hex_ = view(umpire).where[raid.base]
        if not raid.aircraft:
            umpire.refuse("9.0-d4", "an attack needs an aircraft", raid.id, (*path, "aircraft"))
        for number, uid in enumerate(raid.aircraft):
            if why := air.slip(view(umpire), filing.writer, uid, hex_):
                umpire.refuse("9.0-d4", f"{uid} {why}", raid.id, (*path, "aircraft", number))
            else:
                air.take_off(umpire, uid, air.SUPERIORITY)
        found.append(raid.to_plain())
    if found:
        umpire.declare("9.0-d4", RAIDS, found)


def _target(umpire: Umpire[Setting], side: str, raid: Raid, targets: set[str], path: Path) -> None:
    counter, at = umpire.setting.counters.get(raid.base), (*path, "base")
    if counter is None or counter.side != ENEMY[side] or not counter.air or raid.base not in view(umpire).where:
        umpire.refuse("9.0-d4", f"{raid.base} is no enemy air unit on the map", raid.id, at)
    elif raid.base in targets:
        umpire.refuse("9.0-d4", f"{raid.base} is attacked already", raid.id, at)
    targets.add(raid.base)


# Ground attacks


def declare(umpire: Umpire[Setting], filing: Filing) -> None:
    """7.0-a, 7.0-b, 7.0-h, 7.0-i, 7.0-j, S-11: attacks on one hex each, by any units beside it."""
    engaged: dict[str, str] = {}
    found: list[Battle] = []
    board = umpire.setting.board
    sealed = filing.sealed.get(plans_label(filing.seq), {})
    for order, path in umpire.each(filing, BATTLES, "7.0", "two attacks have this id"):
        battle, before = Battle.from_plain(order, board.index, path), len(umpire.violations)
        _check(umpire, filing.writer, order["hex"], battle, engaged)
        if len(umpire.violations) > before:
            continue
        hidden = of_battle(sealed, battle.id)
        plan = Plan.from_plain(hidden) if hidden else battle.plan
        for key, slip in plan_slips(battle, plan, umpire.setting.counters, board):
            umpire.refuse("7.0", slip, battle.id, (*path, key))
        if battle.support:
            air.take_off(umpire, battle.support, air.SUPPORT)
        found.append(battle)
    if found:
        umpire.declare("7.0", BATTLES, [battle.to_plain(board.labels[battle.hex]) for battle in found])


def _check(umpire: Umpire[Setting], side: str, label: str, battle: Battle, engaged: dict[str, str]) -> None:
    """One attack against the position as it stands after the movement."""
    pos, path = view(umpire), battle.at
    if battle.hex < 0 or not pos.enemies(side) >> battle.hex & 1:
        why = "is not a hex of this map" if battle.hex < 0 else "holds no enemy unit"
        umpire.refuse("7.0-a", f"{label} {why}", battle.id, (*path, "hex"))
        return
    if label in engaged:
        umpire.refuse("7.0-c", f"{label} is attacked by {engaged[label]} already", battle.id, (*path, "hex"))
    engaged.setdefault(label, battle.id)
    before = len(umpire.violations)
    if not battle.attackers:
        umpire.refuse("7.0-a", "an attack needs at least one unit", battle.id, (*path, "attackers"))
    for number, uid in enumerate(battle.attackers):
        at = (*path, "attackers", number)
        if uid in engaged:
            umpire.refuse("7.0-c", f"{uid} attacks in {engaged[uid]} already", battle.id, at)
        elif slip := attacker_slip(pos, side, uid, battle.hex):
            umpire.refuse(*slip, battle.id, at)
        engaged.setdefault(uid, battle.id)
    if len(umpire.violations) > before:
        return
    if slip := partner_slip(pos, battle.attackers):
        umpire.refuse(*slip, battle.id, (*path, "attackers"))
    elif not sum(assess(pos, battle).attack.values()):
        umpire.refuse("7.0-procedure", "these units attack with no strength at all", battle.id, (*path, "attackers"))
    if battle.support and (why := air.slip(pos, side, battle.support, battle.hex)):
        umpire.refuse("9.0-d1", f"{battle.support} {why}", battle.id, (*path, "support"))


def attacker_slip(pos: Position, side: str, uid: str, hex_: int) -> tuple[str, str] | None:
    """7.0-a, 7.0-d, S-26: the paragraph and the reason why a unit cannot attack a hex, None if it can."""
    counter, board = pos.setting.counters.get(uid), pos.setting.board
    if counter is None or counter.side != side:
        return "7.0-a", f"{uid} is no unit of yours"
    if uid not in pos.where:
        return "7.0-a", f"{uid} is not on the map ({pos.state.units[uid].place})"
    if not board.near[hex_] >> pos.where[uid] & 1:
        return "7.0-a", f"{uid} in {board.labels[pos.where[uid]]} is not adjacent to {board.labels[hex_]}"
    if counter.air:
        return "9.0", f"{uid} is a ground element and does not attack; its aircraft may support"
    if not counter.attack:
        return "7.0-d", f"{uid} may only be used to defend"
    return None


def partner_slip(pos: Position, attackers: Sequence[str]) -> tuple[str, str] | None:
    """7.0-e, 7.0-f, 7.0-g, S-18, S-35: a limited unit needs a regular one from its hex in the same attack."""
    counters = pos.setting.counters
    for hex_ in sorted({pos.where[uid] for uid in attackers}):
        here = [uid for uid in attackers if pos.where[uid] == hex_]
        regular = sum(counters[uid].regular for uid in here)
        for kind in LIMITED:
            few = [uid for uid in here if counters[uid].limited == kind]
            if len(few) > regular:
                rule = "7.0-f" if counters[few[0]].limited == "bracketed" else "7.0-e"
                text = f"{', '.join(few)} in {pos.setting.board.labels[hex_]}: each needs a regular unit of its own"
                return rule, f"{text} from that hex in this attack"
    return None


def seal(orders: Mapping[str, Any], seq: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Take the plans out of declared attacks: (orders to show, {label: value to hide})."""
    return plans.seal(orders, seq, PLAN_KEYS)


def seals(umpire: Umpire[Setting], filing: Filing) -> None:
    """7.0, S-59: only plans are sealed, in the message that declares the attacks they belong to."""
    declares = bool(filing.order(BATTLES)) and not umpire.setting.refereed
    for label in filing.secret:
        if not (declares and label == plans_label(filing.seq)) and not umpire.violations:
            where = "seal" if label in filing.sealed else "secret"
            umpire.refuse("7.0", "nothing of this name is to be sealed now", label, (where, label))


# Answers


def answer(umpire: Umpire[Setting], filing: Filing) -> None:
    """7.0, S-58: the answers to the attacks declared; none is an answer too."""
    known = {each["id"] for each in umpire.state.agenda.get(BATTLES, ())}
    _check_policy(umpire, filing, known, "no attack of that name is declared")
    if filing.policy:
        umpire.emit(Scheduled("8.0", POLICY, filing.policy))
    umpire.answer("8.0")


def files_policy(_umpire: Umpire[Setting], filing: Filing) -> bool:
    """S-58: whether a message files answers for the attacks to come."""
    return bool(filing.policy)


def standing(umpire: Umpire[Setting], filing: Filing) -> None:
    """S-58: the answers of a side to all attacks to come, in the open; they hold until others are filed."""
    _check_policy(umpire, filing, frozenset(), "name hexes or the whole side: it holds for all attacks")
    held = {"seq": str(filing.seq), "policy": dict(filing.policy)}
    umpire.emit(Scheduled("8.0", STANDING + filing.writer, held))


def policy_slip(policy: Mapping[str, Any]) -> tuple[Path, str] | None:
    """S-58: where and why a policy cannot be kept for all answers to come; None if it can."""
    if BATTLES in policy:
        why = "a standing policy names hexes or the whole side; attacks are named in the answer to them"
        return (BATTLES,), why
    return None if policy else ((), "it holds no policy; e.g. 'retreat: [away 1717]'")


def _check_policy(umpire: Umpire[Setting], filing: Filing, known: Collection[str], no_battle: str) -> None:
    """S-52, S-58: what a policy names must be there, and nothing is named twice."""
    policy = filing.policy
    _check_answers(umpire, filing.writer, policy, ("policy",))
    for table in (BATTLES, "hexes"):
        for name, each in policy.get(table, {}).items():
            if table == BATTLES and name not in known:
                umpire.refuse("8.0", no_battle, name, ("policy", table, name))
            _check_answers(umpire, filing.writer, each, ("policy", table, name))
    for path, why in misnamed(umpire.setting, filing.writer, policy):
        umpire.refuse("9.0-d4" if path[0] == PATROL else "8.0", why, str(path[-1]), ("policy", *path))
    seen: set[str] = set()
    for base, aircraft in policy.get(PATROL, {}).items():
        for uid in aircraft:
            if uid in seen:
                umpire.refuse("9.0-d4", "is named twice", uid, ("policy", PATROL, base))
            seen.add(uid)


def misnamed(setting: Setting, side: str, policy: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """S-58: the hexes and air units of a policy that are not there, each with its place and the reason."""
    yield from (
        (("hexes", hex_), "is not a hex of this map")
        for hex_ in policy.get("hexes", {})
        if hex_ not in setting.board.index
    )
    own = {uid for uid, counter in setting.counters.items() if counter.side == side and counter.air}
    for base, aircraft in policy.get(PATROL, {}).items():
        if base not in own:
            yield (PATROL, base), "is no air unit of yours"
        yield from (
            ((PATROL, base, number), "is no air unit of yours") for number, uid in enumerate(aircraft) if uid not in own
        )


def _check_answers(umpire: Umpire[Setting], side: str, policy: Mapping[str, Any], path: Path) -> None:
    """8.0, S-52: wishes for retreats and advances that can apply."""
    counters, board = umpire.setting.counters, umpire.setting.board
    for wish in policy.get("retreat", ()):
        if slip := retreat_slip(wish, counters, board):
            umpire.refuse("8.0-ar", slip, wish, (*path, "retreat"))
    seen: set[str] = set()
    for wish in policy.get("advance", ()):
        uid, _space, label = wish.partition(" ")
        if uid not in counters or counters[uid].side != side or (label and label not in board.index):
            umpire.refuse("8.0-advance", "is not 'UNIT' or 'UNIT HEX' with a unit of yours", wish, (*path, "advance"))
        elif uid in seen:
            umpire.refuse("8.0-advance", f"{uid} is named twice", wish, (*path, "advance"))
        seen.add(uid)


def filed(agenda: Mapping[str, Any], owner: str) -> Mapping[str, Any]:
    """S-58: what a side has said: its answer, otherwise its standing answers."""
    found: Mapping[str, Any] = agenda.get(POLICY) or agenda.get(STANDING + owner, {}).get("policy", {})
    return found


def said(agenda: Mapping[str, Any], owner: str, battle: str, label: str, key: str) -> tuple[str, ...]:
    """S-58: wishes of the defender for one attack: by its name, by its hex, or for all; the first that are there."""
    policy = filed(agenda, owner)
    for place in (policy.get(BATTLES, {}).get(battle, {}), policy.get("hexes", {}).get(label, {}), policy):
        if key in place:
            return tuple(place[key])
    return ()


def shares(pos: Position, raids: Sequence[Raid], policy: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """9.0-d4, S-25, S-43, S-52, S-57: base -> patrols that defend it, settled before the first die.

    In each hex as the owner filed, if all of that is possible there; otherwise equally, the remainder to the lowest id.
    """
    found: dict[str, tuple[str, ...]] = {}
    bases = [raid.base for raid in raids if raid.base in pos.where]
    for hex_ in sorted({pos.where[base] for base in bases}):
        here = sorted(base for base in bases if pos.where[base] == hex_)
        patrols = pos.over(PATROL, pos.side(here[0]), hex_)
        wanted = {base: tuple(each) for base, each in policy.get(PATROL, {}).items() if base in here}
        named = [uid for each in wanted.values() for uid in each]
        if wanted and len(set(named)) == len(named) and set(named) <= set(patrols):
            found |= {base: wanted.get(base, ()) for base in here}
            continue
        each, rest = divmod(len(patrols), len(here))
        for number, base in enumerate(here):
            first = number * each + (rest if number else 0)
            found[base] = tuple(patrols[first : first + each + (0 if number else rest)])
    return found


def battles_of(setting: Setting, agenda: Mapping[str, Any]) -> tuple[Battle, ...]:
    """The ground attacks that wait, in the order in which they will be fought."""
    return tuple(Battle.from_plain(each, setting.board.index) for each in agenda.get(BATTLES, ()))


def raids_of(agenda: Mapping[str, Any]) -> tuple[Raid, ...]:
    """The air superiority attacks that wait, in order."""
    return tuple(Raid.from_plain(each) for each in agenda.get(RAIDS, ()))
