"""Advances of an attack on hexes: a proposed unit for a new attack, and who advances in the odds of an order.

An attack that wins and names no advance leaves the hex empty. The choice comes before the dice, so a form proposes a
unit that the player sees before signing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kursk_pbem.desk.draft import ordering, preview
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.outlook import Chances
from kursk_pbem.kernel.verbs import UNITS, Clause
from kursk_pbem.kernel.words import some

ADVANCE = "advance"
EMPTIED = ("vacated", "emptied")
"""Ruleset -> the figures of battle results that empty the attacked hex."""


def propose_advance(scene: Scene, verb: str, said: Sequence[str], clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    """Return the parts of a new attack order. If an advance is legal, these parts select one attacker to advance.

    The selected unit has the highest defense strength of the attackers that can enter the hex. Attacks already in the
    draft are not changed.
    """
    parts = {clause.word: clause for clause in clauses}
    advance, attackers = parts.get(ADVANCE), parts.get("with")
    if advance is None or attackers is None or attackers.kind != UNITS or any(advance.chosen):
        return tuple(clauses)
    if any(words.split()[:2] == [verb, *said[:1]] for _path, words in scene.writable.orders):
        return tuple(clauses)
    able = [uid for uid in attackers.chosen if uid in dict(advance.among)]
    unit = find_advancer(scene, verb, said[0], attackers.chosen, able)
    return tuple(replace(clause, chosen=(unit,)) if clause is advance and unit else clause for clause in clauses)


def find_advancer(scene: Scene, verb: str, place: str, attackers: Sequence[str], able: Sequence[str]) -> str:
    """Return the attacker with the highest defense strength that can enter a hex after the battle; '' if no unit can.

    ``able``: the attackers that the rules list for an advance. If the attack is illegal (perhaps it needs another
    attack), its results are unknown; then return the strongest unit of ``able``.
    """
    for uid in sorted(able, key=lambda unit: (-_measure_defense(scene, unit), unit)):
        found = _find_chances(scene, [verb, place, "with", *attackers, ADVANCE, uid])
        if not found or uid in list_advancing(found):
            return uid
        if not can_win(found):
            break
    return ""


def _find_chances(scene: Scene, words: list[str]) -> list[Chances]:
    """Return the chances of an attack after an order, [] for an illegal order."""
    try:
        return preview.list_declared(scene.writable, ordering.try_orders(scene.writable, [words]), words)
    except UsageError:
        return []


def _measure_defense(scene: Scene, unit: str) -> int:
    """Return the defense strength on a counter, otherwise its strength."""
    piece = next((piece for piece in scene.picture.pieces if piece.id == unit), None)
    figures = {meaning: text for text, meaning in scene.name_figures(piece)} if piece else {}
    text = figures.get("defense", figures.get("strength", ""))
    return int(text) if text.isdigit() else 0


def list_advancing(cases: Sequence[Chances]) -> list[str]:
    """Return the units that certainly enter the attacked hex for at least one die roll."""
    named = (one.figures.get(ADVANCE, "") for chances in cases for one in chances.outcomes)
    return [*dict.fromkeys(uid for text in named for uid in text.split(",") if uid)]


def can_win(cases: Sequence[Chances]) -> bool:
    """Return whether at least one die roll certainly empties the attacked hex."""
    outcomes = (one for chances in cases for one in chances.outcomes)
    return any(one.figures.get(key) == "yes" for one in outcomes for key in EMPTIED)


def describe_advance(scene: Scene, words: Sequence[str], cases: Sequence[Chances]) -> tuple[str, bool]:
    """Return words about the units that advance after an attack, and whether no unit advances; otherwise ('', False).

    If no unit enters the hex, the text gives the reason.
    """
    fought = cases[0].fought if cases else None
    if fought is None or not words:
        return "", False
    verb, said = words[0], list(words[1:2])
    _verb, clauses = ordering.list_clauses(scene.writable, verb, said)
    parts = {clause.word: clause for clause in clauses}
    if ADVANCE not in parts or "with" not in parts:
        return "", False
    if units := list_advancing(cases):
        many = "advance, if the rules allow" if len(units) > 1 else "advances"
        return f"{some([*map(scene.words.unit, units)])} {many}", False
    if not can_win(cases):
        return f"nobody advances: {'no die empties the hex' if fought.column else 'no attack takes place'}", True
    return f"nobody advances: {_explain_nobody(scene, verb, said, parts[ADVANCE], fought)}", True


def _explain_nobody(scene: Scene, verb: str, said: Sequence[str], advance: Clause, fought: Fought) -> str:
    """Return why no unit enters the hex of an attack that can win, or how to choose one."""
    if not advance.among and advance.notes:
        return advance.notes[0].partition(": ")[2].rstrip(".") or advance.notes[0]
    attack = [uid for uid in fought.attack.units if uid in scene.state.units]
    if find_advancer(scene, verb, said[0], attack, [uid for uid in attack if uid in dict(advance.among)]):
        return "your units stay in place; tick a unit below"
    return "the rules let no attacker enter the hex with any die"
