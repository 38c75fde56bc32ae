"""What can be chosen for the parts of an order, for whoever composes it by mouse (``verbs`` writes it in words)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.plans import WAYS
from kursk_pbem.kernel.verbs import CHOICE, ORDER, PLACE, UNITS, WISHES, Asking, Clause
from kursk_pbem.rulesets.juggernauts import movement, outlook
from kursk_pbem.rulesets.juggernauts.answers import NO_RETREAT, RETREAT, WITHDRAW
from kursk_pbem.rulesets.juggernauts.odds import column_text
from kursk_pbem.rulesets.juggernauts.orders import BATTLES, GERMAN_ONLY
from kursk_pbem.rulesets.juggernauts.setting import GERMAN

ALL, STEPS = "all", (("0", ""), ("1", ""), ("2", ""))


def _words(words: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((word, "") for word in words)


def attack(ask: Asking, words: Sequence[str]) -> tuple[Clause, ...]:
    """3.0, J-64: what is attacked; then by whom, whether it is pressed, and the plan."""
    pos, labels = movement.planned(ask.setting, ask.at(ask.draft, "movement")), ask.setting.board.labels
    found = {labels[each.battle.hex]: each for each in outlook.attacks(pos, ask.state.side)}
    if not words or words[0] not in found:
        among = tuple((label, column_text(ask.setting, each.odds.reached)) for label, each in found.items())
        return (Clause("", "hex that is attacked", PLACE, among),)
    listed, battle = ask.draft.get("orders", {}).get(BATTLES) or (), found[words[0]].battle
    known: Any = next((each for each in listed if each["hex"] == words[0]), {})
    busy = {uid for each in listed if each is not known for uid in each["attackers"]}
    free = tuple((uid, f"{pos.counter(uid).short}, {pos.state.units[uid].place}") for uid in battle.attackers
                 if uid not in busy)  # fmt: skip
    past = [labels[hex_] for hex_ in bits(ask.setting.board.near[battle.hex])]
    ways = (*past, *(f"only {label}" for label in past))
    stops = (f"unless {each['id']}" for each in listed if each is not known)
    chosen = {key: (value,) if isinstance(value, str) else tuple(value) for key, value in known.items()}
    chosen.setdefault("attackers", tuple(uid for uid, _text in free))
    parts: Any = (
        ("with", "attackers", UNITS, free, ()),
        ("pressed", "Pressed Attack", CHOICE, (("yes", "dice 1 to 3 a column higher, 4 to 6 lower"), ("no", "")), ()),
        ("push", "hexes that a D1 or D2 drives them", CHOICE, STEPS, ()),
        ("losses", "is lost, in this order", ORDER, free, ()),
        ("advance", "advances: into the hex, through it, only past it", ORDER, free, ways),
        ("exchange", "exchange on an X", CHOICE, _words(("no", "yes")), ()),
        ("forced", "exchanges if they have No Retreat! orders", UNITS, _words(("D1", "D", "X")), ()),
        ("cancel", "called off", CHOICE, _words(stops), ()),
        ("breakthrough", "attacked by a Panzerkeil after a DE", WISHES, _words(past), ("join",)),
        ("exploit", "advances after that", ORDER, free, ways),
    )  # fmt: skip
    return tuple(Clause(word, text, kind, among, chosen.get("attackers" if word == "with" else word, ()), more)
                 for word, text, kind, among, more in parts if ask.state.side == GERMAN or word not in GERMAN_ONLY)


def answer(ask: Asking, words: Sequence[str]) -> tuple[Clause, ...]:
    """6.0, 2.0-d, 8.0: for which attack; then what its defenders do."""
    policy, declared = ask.draft.get("policy", {}), ask.state.agenda.get(BATTLES, ())
    among = ((ALL, "whatever is attacked"), *((each["id"], each["hex"]) for each in declared))
    if not words or words[0] not in dict(among):
        return (Clause("", "attack", CHOICE, among),)
    said = policy if words[0] == ALL else policy.get(BATTLES, {}).get(words[0], {})
    steady, most = (tuple(said.get(key, "").split()) for key in (NO_RETREAT, WITHDRAW))
    return (
        Clause(NO_RETREAT, "No Retreat! orders", CHOICE, _words(("yes", "no")), steady),
        Clause(WITHDRAW, "hexes of withdrawal", CHOICE, STEPS, most),
        Clause(RETREAT, "the way", WISHES, _words(ask.setting.board.labels), tuple(said.get(RETREAT, ())), WAYS),
    )
