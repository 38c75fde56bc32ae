"""Hints for drafts: possibilities and examples as comments. Seals and data come from the kernel and the desk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.juggernauts import air, arrivals, battles, marks, movement, readiness, sequence, setup
from kursk_pbem.rulesets.juggernauts.odds import name_column
from kursk_pbem.rulesets.juggernauts.position import Position, position
from kursk_pbem.rulesets.juggernauts.seen import possible
from kursk_pbem.rulesets.juggernauts.setting import GERMAN, Setting

MOST_ENDS = 150
"""Maximum number of hexes listed for a unit; 'kursk moves' lists more."""
PLAN_LINES = (
    "pressed: 'yes' reads three faces of the die higher, three lower (7.0). Optional:",
    "push: [0] hexes of retreat after a D1 or D2; losses: [preferred losses]; exchange: [no]; forced: [D1, X],",
    "  results with an exchange against No Retreat! orders; advance: [ID] into the hex, ['ID HEX']",
    "  through it, ['ID only HEX'] past it.",
)
GERMAN_LINES = (
    "cancel: ['unless b1'], if b1 did not empty its hex, or ['below 2:1']; breakthrough: [HEX] or ['join b2'],",
    "  second attack of a Panzerkeil after a DE and its advance; exploit: [ID], later advances.",
)


def make_hints(setting: Setting, state: State, seq: int) -> tuple[Hint, ...]:
    """Return the hints (comments) in the draft of the next message. ``state``: the position after its duties."""
    return tuple(_hints(position(setting, state), seq))


def _hints(pos: Position, seq: int) -> Iterator[Hint]:
    """Yield a hint for every phase of the stage, in the order of the message."""
    setting, state, side = pos.setting, pos.state, pos.state.side
    keys = {phase.key for phase in sequence.list_stages(setting)[state.stage].phases}
    standing = (
        "Standing answers (6.0), in the open, until replaced; by hex or for the whole side, e.g.",
        "policy: {withdraw: '1', hexes: {J8: {no-retreat: 'yes'}}}",
    )

    def sealed(label: str) -> Hint:
        return Hint(("seal", label), (*_places(pos, side), f"Sealed as {label}."), {})

    made: dict[str, Callable[[], Iterable[Hint]]] = {
        "half-sealed": lambda: [sealed(setup.HALF)],
        "rest-sealed": lambda: [sealed(setup.REST)],
        "placement": lambda: [Hint(("orders", "placement"), tuple(_places(pos, side)), {})],
        "wedges": lambda: [_formations(pos)],
        "guns": lambda: _guns(pos, side),
        "movement": lambda: [Hint(("orders", "movement"), tuple(_moves(pos, side)), [])],
        "strikes": lambda: [Hint(("orders", "aircraft"), _air(pos, side), [])] if setting.air else [],
        "allocation": lambda: [Hint(("orders", BATTLES), tuple(_attacks(pos, side, seq)), [])],
        "replacements": lambda: [_replacements(pos)],
        "answer": lambda: [_answers(pos, side)],
        "policy": lambda: [Hint(("policy",), standing, {})],
    }
    for key in (key for key in made if key in keys):
        yield from made[key]()


def _places(pos: Position, side: str) -> Iterator[str]:
    """17.2: return the armour to place."""
    setting, units = pos.setting, pos.state.units
    free = setup.list_free_units(setting, side)
    left = [uid for uid in free if not pos.is_marked(marks.PLACED, uid)]
    if len(left) == len(free):
        yield f"Armour (17.2): place exactly {setup.count_half(setting, side)} units, only in hexes of your side."
    else:
        yield (
            "Armour (17.2): place the units in hexes of your side. A unit without an order stays, or goes to the "
            "nearest hex with room."
        )
    yield from (f"{uid} in {units[uid].place} {setting.counters[uid].sector}".strip() for uid in left)


def _formations(pos: Position) -> Hint:
    """14.1: return the possible Panzerkeile."""
    able = [uid for uid in sorted(pos.where) if readiness.can_form(pos, uid)]
    lines = ["Panzerkeil (14.1): made and turned now, before any movement; +1 column into the hex in front."]
    faces = {uid: f"faces {way}" for uid, way in pos.state.marks.get(marks.KEIL, {}).items()}
    lines += [f"{uid} in {pos.state.units[uid].place}: {faces.get(uid, 'not yet')}" for uid in able]
    lines += [f"panzerkeil: [{{unit: {able[0]}, facing: E}}]"] if able else ["No unit can form a Panzerkeil now."]
    return Hint(("orders", "panzerkeil"), tuple(lines), [])


def _guns(pos: Position, side: str) -> Iterator[Hint]:
    """14.2: yield the artillery korps, emplaced or on the road."""
    for key, emplaced, what in (
        ("emplace", False, "ArtKor to emplace (14.2): attack now, do not move, and are lost to a D1."),
        ("road", True, "ArtKor to put on the road (14.2): may move, do not attack, and are lost to a D2."),
    ):
        able = (f"{uid} in {pos.state.units[uid].place}" for uid in possible.guns(pos, side, emplaced=emplaced))
        yield Hint(("orders", key), (what, ", ".join(able) or "No ArtKor."), [])


def _moves(pos: Position, side: str) -> Iterator[str]:
    """13.0: yield the movable units, and their possible hexes."""
    second, labels = movement.second_step(pos.state), pos.setting.board.labels
    if second:
        yield "Blitzkrieg or Proriv (13.3): units that did not move or attack may move, with 1 MP less."
    yield from (
        "Movement (13.0), one unit after the other; after 'zone' hexes in an enemy zone of control,",
        "after 'bonus' hexes within the bonus only, for moves without an attack.",
    )
    zone, example = pos.ezoc(side), ""
    for uid in sorted(pos.where):
        if pos.side(uid) != side or movement.check_unit(pos, side, uid):
            continue
        ways = movement.find_ends(pos, uid, second=second)
        factors = movement.allowance(pos, uid, second=second)
        kinds: dict[str, list[str]] = {"": [], "zone": [], "bonus": []}
        for there, way in ways.items():
            kinds["bonus" if way.mp > factors else "zone" if zone >> there & 1 else ""].append(labels[there])
        if ways and not example:
            example = f"- {{unit: {uid}, to: {labels[min(ways)]}}}"
            yield from ("movement:", example)
        parts = [f"{kind} {' '.join(ends)}".strip() for kind, ends in kinds.items() if ends]
        if len(ways) > MOST_ENDS:
            parts = [f"{len(ways)} hexes; 'kursk moves' lists them"]
        yield f"{uid} in {pos.state.units[uid].place}: {'; '.join(parts) or 'nowhere'}"


def _air(pos: Position, side: str) -> tuple[str, str]:
    """20.1: return the air units that may strike."""
    ready = possible.planes(pos.setting, pos.state, side, "strike")
    example = f"aircraft: [{{id: s1, hex: HEX, planes: [{ready[0]}]}}]" if ready else "None."
    return f"Air strikes (20.1), before ground combat: {', '.join(ready) or 'no air unit is ready'}.", example


def _attacks(pos: Position, side: str, seq: int) -> Iterator[str]:
    """3.0: yield the possible attacks from present hexes."""
    chances = [chance for chance in possible.attacks(pos, side) if chance.odds.allowed]
    labels = pos.setting.board.labels
    yield "Attacks (3.0), in the written order. Russian attacks cannot be called off. 'kursk odds FILE' shows chances."
    yield (
        "Your opponent reads the plans, because the dice follow at once."
        if pos.setting.refereed
        else f"Plans are sealed as {plans_label(seq)} until the dice have fallen; 'pressed' is open."
    )
    yield from (*PLAN_LINES, *(GERMAN_LINES if side == GERMAN else ()))
    for battle in [chance.battle for chance in chances if not battles.find_required(pos, chance.battle)][:1]:
        first = f"- {{id: b1, hex: {labels[battle.hex]}, attackers: [{', '.join(battle.attackers)}],"
        yield from (f"{BATTLES}:", first, f"   advance: [{battle.attackers[0]}]}}")
    yield "Attacks from the present hexes, each with all adjacent units:"
    for chance in chances:
        who = ", ".join(pos.at.get(chance.battle.hex, ())) or "empty line"
        column = name_column(pos.setting, chance.odds.reached)
        yield f"{labels[chance.battle.hex]} {who}: {', '.join(chance.battle.attackers)}: {column}"


def _replacements(pos: Position) -> Hint:
    """11.2: return the units that may return if this message ends the turn."""
    setting, saved = pos.setting, pos.state.tracks[arrivals.FACTORS] + pos.setting.factors
    lost = [f"{uid} for {pos.counter(uid).attack}" for uid in arrivals.list_lost_tanks(pos)]
    have, places = plural(saved, "tank factor"), " or ".join(setting.arrivals["replacements"])
    text = (
        "Replacements (11.2): not in the last turn."
        if pos.state.turn == setting.turns[-1]
        else f"Replacements (11.2), if this message ends the turn: {have} then; in {places}, if Russian and in supply."
    )
    return Hint(("orders", "replacements"), (text, f"Lost: {', '.join(lost) or 'no tank unit'}."), [])


def _answers(pos: Position, side: str) -> Hint:
    """6.0, 2.0-d, 8.0: return the attacks to answer."""
    attacks = pos.state.agenda.get(BATTLES, ())
    lines = [
        "Answers to the attacks, by attack, by hex, or for the whole side:" if attacks else "Nothing is attacked.",
        *(
            f"{at['id']}: {at['hex']} by {', '.join(at['attackers'])}{', pressed' if 'pressed' in at else ''}"
            for at in attacks
        ),
        "no-retreat: 'yes' (6.0): D1 is a D, D2 a DE, no unit withdraws; the attacker may force an exchange.",
        "withdraw: '2' hexes after a D; after a D1 up to one more than driven, after a D2 none (2.0-dn).",
        "retreat: ways, e.g. ['away I9']; crowd: 'lose' or 'on' if a retreat overfills a hex (12.0).",
        *(f"policy: {{withdraw: '1', battles: {{{at['id']}: {{no-retreat: 'yes'}}}}}}" for at in attacks[:1]),
    ]
    stacked = [
        (uids[0], attack["hex"])
        for attack in attacks
        if len(uids := pos.here(pos.setting.board.index[attack["hex"]], side)) > 1
    ]
    for uid, label in stacked[:1]:
        lines += [
            "Answers by unit (2.0-d, 6.0): a unit may withdraw while another unit of the hex stays, e.g.",
            f"policy: {{units: {{{uid}: {{withdraw: '2', retreat: ['away {label}']}}}}}}",
        ]
    if pos.setting.air:
        against = [
            f"{order['id']}: {order['hex']} by {', '.join(order['planes'])}"
            for order in pos.state.agenda.get(air.STRIKES, ())
        ]
        mine = possible.planes(pos.setting, pos.state, side, "meet") if against else []
        lines += [f"Air strikes: {'; '.join(against) or 'none'}."]
        lines += [f"intercept: [{', '.join(mine)}], your air units against bombers (20.2)."] if mine else []
    return Hint(("policy",), tuple(lines), {})
