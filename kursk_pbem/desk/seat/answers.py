"""The choices of a defender's answer, each with its outcomes by the real rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from kursk_pbem.desk.draft import ordering, prospects
from kursk_pbem.desk.seat import battles
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.outlook import DECISION
from kursk_pbem.kernel.ruleset import ANSWER
from kursk_pbem.kernel.verbs import CHOICE, ORDER, WISHES, Clause
from kursk_pbem.kernel.words import Words
from kursk_pbem.report.luck import show_per_cent

MOST_WEIGHED = 32
"""Maximum number of choices in a form that show outcomes, because the rules run once for each choice."""
SAME = "All choices have the same result here."
Effects = list[dict[str, str]]
Results = Mapping[tuple[str, tuple[str, ...]], Fraction]
"""The chance of each result with its text."""


def list_effects(
    scene: Scene, verb: str, said: Sequence[str], clauses: Sequence[Clause]
) -> dict[str, dict[str, Effects]]:
    """Return the outcomes of an answer to one battle: part of the answer -> choice -> outcomes; {} for other orders.

    The choice '' is the draft unchanged. Only outcomes that depend on the choice are listed, without places and units
    that make no difference.
    """
    if scene.desk.game.stage.kind != ANSWER or len(said) != 1 or scene.sheet is None:
        return {}
    present = _find_results(scene, said[0], [])
    left, found = MOST_WEIGHED, {}
    for clause in clauses if present else ():
        if clause.kind not in (CHOICE, WISHES, ORDER) or not clause.word or clause.rare:
            continue
        options = [word for word, _meaning in clause.among][: max(0, left)]
        left -= len(options)
        results = {word: _find_results(scene, said[0], [verb, *said, clause.word, word]) for word in options}
        if clause.kind != CHOICE:
            results = {word: each for word, each in results.items() if each != present}
        results = {"": present, **{word: each for word, each in results.items() if each}}
        if options:
            found[clause.word] = _compare_results(scene.words, results)
    return found


def group_alike(clause: Clause, effects: Mapping[str, Effects]) -> list[list[str]]:
    """Return the choices for one part of an order, grouped by equal effects; [] if the effects are unknown."""
    groups: list[list[str]] = []
    if clause.kind != CHOICE or not any(effects.values()):
        return groups
    for word in [*([] if any(clause.chosen) else [""]), *(word for word, _meaning in clause.among)]:
        same = next((group for group in groups if effects.get(group[0]) == effects.get(word)), None)
        if same is None:
            groups.append(same := [])
        same.append(word)
    return groups


def _find_results(scene: Scene, subject: str, words: list[str]) -> Results:
    """Return the results of a battle after one more order; {} for an order that is not possible."""
    checked = scene.checked
    if words:
        try:
            checked = ordering.try_orders(scene.writable, [words]).checked
        except UsageError:
            return {}
    if checked is None or checked.result.violations:
        return {}
    seen = prospects.Prospect(scene.desk.game, checked.result.after, checked.hidden, "")
    chances = next((one for one in prospects.compute_odds(seen) if one.subject == subject), None)
    return {(one.result, one.text): one.chance for one in chances.outcomes} if chances else {}


def _compare_results(words: Words, results: Mapping[str, Results]) -> dict[str, Effects]:
    """Return the results that the choices do not share, in words, without the facts in all of them."""
    shared = set.intersection(*(set(each.items()) for each in results.values()))
    apart = {word: {key: each[key] for key in each if (key, each[key]) not in shared} for word, each in results.items()}
    texts = [
        {line for line in text if not line.startswith(DECISION)} for each in apart.values() for _result, text in each
    ]
    always = set.intersection(*texts) if texts else set()
    always = always if all(text - always for text in texts) else set()  # every outcome keeps a line

    def show(each: Results) -> Effects:
        merged: dict[str, tuple[list[str], Fraction]] = {}
        for (result, text), chance in each.items():
            told = "; ".join(line for line in text if line not in always and not line.startswith(DECISION))
            names, known = merged.get(told, ([], Fraction(0)))
            merged[told] = ([*names, result], known + chance)
        return [
            {
                "percent": show_per_cent(chance),
                "results": ", ".join(filter(None, dict.fromkeys(names))),
                "text": battles.name_units(words, told),
            }
            for told, (names, chance) in merged.items()
        ]

    return {word: show(each) for word, each in apart.items()}
