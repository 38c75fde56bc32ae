"""Questions about the rules in published terms (``conformance/runner.md``): possibilities, legality, effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.adjudicate import Adjudication, adjudicate
from kursk_pbem.kernel.orders import filing
from kursk_pbem.kernel.outlook import Chances, Outlook
from kursk_pbem.kernel.state import OVER, from_plain
from kursk_pbem.rulesets import ruleset as find_ruleset

COUNT, JUDGE, PLAY = LEVELS = ("count", "judge", "play")
PARAGRAPHS = "paragraphs"  # the question for the broken paragraphs alone (``kursk conformance questions``)
TABLES = ("units", "marks", "tracks", "agenda")
MISFITS = (LookupError, TypeError, ValueError, AttributeError, AssertionError, RecursionError)
"""Exceptions that rules code can raise for an impossible position, because it expects verified positions."""


@frozen
class CaseDice:
    """The dice given in a question: label -> digits."""

    digits: Mapping[str, str]
    seq: int

    def roll(self, label: str, n: int) -> str:
        """Return the dice of a roll as digits. Raises UsageError if the question does not give exactly ``n`` digits."""
        if len(digits := str(self.digits.get(label, ""))) != n:
            raise UsageError(
                f"the roll {label} needs {n} dice, but the case has other dice; check its position and its message"
            )
        return digits


def decide(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the rules say about a question. Raises KurskError, for example for an impossible position."""
    try:
        if question["level"] == COUNT:
            return count_possibilities(question)
        result = adjudicate_case(question)
        if question.get("ask") == PARAGRAPHS:
            return {PARAGRAPHS: sorted({fault.rule for fault in result.violations})}
        return describe_faults(result) if question["level"] == JUDGE else describe_result(question, result)
    except MISFITS as error:
        raise UsageError(f"the question does not fit the rules: {type(error).__name__}") from error


def adjudicate_case(question: Mapping[str, Any]) -> Adjudication:
    """Adjudicate the message of a question. Raises KurskError, or an error of ``MISFITS``."""
    ruleset, setting = find_ruleset(question["system"]), load_setting(question)
    before, message = from_plain(question["position"]), question["message"]
    orders = replace(filing(message), reveal=question["reveal"])
    if before.stage == OVER or orders.writer != ruleset.writer(setting, before):
        raise UsageError("the writer of the message must be the side whose turn it is in the position")
    return adjudicate(ruleset, setting, before, orders, CaseDice(question["dice"], orders.seq))


def load_setting(question: Mapping[str, Any]) -> Any:
    """Return the setting of a question's scenario. Raises KurskError for an unknown scenario or different data."""
    named = question["scenario"]
    scenario = scenarios.load(named["id"], named["sha256"], "The suite")
    if scenario.ruleset != question["system"]:
        raise UsageError("the scenario belongs to another system than the question; choose another scenario")
    ruleset = find_ruleset(question["system"])
    return scenarios.make_setting(ruleset, scenario, question["options"], question["dice-from"])


def count_possibilities(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a ``count`` question: set-up, hexes in reach, targets, areas, odds of declared battles."""
    setting, state, ask = load_setting(question), from_plain(question["position"]), question["ask"]
    ruleset, (what,) = find_ruleset(question["system"]), ask.keys() - {"phase"}
    seen, of = ruleset.seen, ask[what]
    if what == "set-up":
        first = scenarios.make_first_position(ruleset, setting).to_plain()
        return {what: {**first, **first["units"]}[of]}
    if what == "odds":
        odds: dict[str, list[dict[str, str]]] = {}
        for chances in seen.odds(setting, state, {}):
            odds.setdefault(chances.subject, []).append(_add_chances(chances))
        return {what: odds}
    if what in ("zone", "supply"):
        picture = seen.picture(setting, state)
        found = [area.at for area in (picture.zones if what == "zone" else picture.reached) if area.side == of]
        return {what: sorted(found[0])}
    shown = seen.outlook(setting, state, of)
    if what == "targets":
        goals = [it for it in shown.targets if not it.fought or of in {row.unit for row in it.fought.attack.rows}]
        return {what: {goal.place: _to_text(dict(goal.results)) for goal in goals}}
    return {"reach": _find_reach(shown, of, ask["phase"])}


def _find_reach(shown: Outlook, unit: str, key: str) -> dict[str, str]:
    """Return place -> cost, or direction -> place on a table top. Raises LookupError without the phase."""
    (phase,) = [phase for phase in shown.phases if phase.key == key]
    (mover,) = [mover for mover in phase.movers if mover.unit == unit]
    return dict(mover.straight) or {end.place: end.cost for end in mover.ends}


def _add_chances(chances: Chances) -> dict[str, str]:
    """Return the chance of each result of the table; without a table, of each combination of figures."""
    found: dict[str, Fraction] = {}
    for one in chances.outcomes:
        key = one.result if chances.fought else ", ".join(f"{what} {value}" for what, value in one.figures.items())
        found[key] = found.get(key, Fraction(0)) + one.chance
    return _to_text(found)


def _to_text(chances: Mapping[str, Fraction]) -> dict[str, str]:
    return {what: str(chance) for what, chance in chances.items()}


def describe_faults(result: Adjudication) -> dict[str, Any]:
    """Return the answer to a ``judge`` question: each illegal order with place and paragraph, in a fixed order."""
    faults = {("/".join(map(str, fault.path)), fault.rule) for fault in result.violations}
    listed = [{"place": place, "paragraph": rule} for place, rule in sorted(faults)]
    return {"legal": not listed, "faults": listed}


def describe_result(question: Mapping[str, Any], result: Adjudication) -> dict[str, Any]:
    """Return the answer to a ``play`` question: changes before and by the choices, dice labels, end of the game."""
    if result.violations:
        raise UsageError(f"the message breaks the rules: {describe_faults(result)['faults'][0]['paragraph']}")
    over = result.after.stage == OVER
    play = find_ruleset(question["system"]).play
    verdict = play.verdict(load_setting(question), result.after) if over else None
    before, middle, after = (state.to_plain() for state in (result.before, result.middle, result.after))
    return {
        "duties": dict(_list_changes(before, middle)),
        "choices": dict(_list_changes(middle, after)),
        "rolled": sorted(result.dice),
        "over": over,
        "winner": verdict.winner if verdict else "",
    }


def _list_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the changed parts of a position, in the form of a mail; None for an entry that was removed."""
    for key, value in new.items():
        if key in TABLES and value != old[key]:
            changed = {name: entry for name, entry in value.items() if old[key].get(name) != entry}
            yield key, changed | dict.fromkeys(name for name in old[key] if name not in value)
        elif value != old[key]:
            yield key, value
