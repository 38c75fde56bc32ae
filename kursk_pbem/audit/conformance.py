"""Answers to the cases of the conformance suite (``conformance/runner.md``): one question in, one answer out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kursk_pbem import __version__
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.adjudicate import Adjudication, adjudicate
from kursk_pbem.kernel.orders import filing
from kursk_pbem.kernel.state import OVER, State, from_plain
from kursk_pbem.rulesets import MODULES
from kursk_pbem.rulesets import ruleset as find_ruleset

PROTOCOL = 1
"""Version of the questions and answers."""
LEVELS = ("judge", "play")
TABLES = ("units", "marks", "tracks", "agenda")
MISFITS = (LookupError, TypeError, ValueError, AttributeError, AssertionError, RecursionError)
"""Errors of the rules on a position that no game reaches. The rules expect positions of verified messages."""


@dataclass(frozen=True)
class CaseDice:
    """The dice that a case gives, label -> digits."""

    digits: Mapping[str, str]
    seq: int

    def roll(self, label: str, n: int) -> str:
        """Return the digits of a label. Raises UsageError if the case gives no dice or a wrong number."""
        if len(digits := str(self.digits.get(label, ""))) != n:
            raise UsageError(f"the case gives no {n} dice for {label}; check the position and the message of the case")
        return digits


def greet() -> dict[str, Any]:
    """Return the first line of our runner."""
    about = {"name": "kursk-pbem", "version": __version__}
    return {"conformance": PROTOCOL, **about, "systems": sorted(MODULES), "levels": list(LEVELS)}


def answer_question(question: Any) -> dict[str, Any]:
    """Return the answer to one question: ``answer``, ``unsupported`` or ``error``. Never raises for a bad question."""
    if not isinstance(question, dict):
        return {"error": "the question is no JSON object"}
    if str(question.get("system")) not in MODULES or question.get("level") not in LEVELS:
        return {"unsupported": "unknown system or level"}
    try:
        result = adjudicate_case(question)
        if question["level"] == "judge":
            return {"answer": describe_faults(result)}
        return {"answer": describe_result(question, result)}
    except KurskError as error:
        return {"error": error.message}
    except MISFITS as error:
        return {"error": f"the question does not fit the rules: {type(error).__name__}"}


def adjudicate_case(question: Mapping[str, Any]) -> Adjudication:
    """Adjudicate the message of a question. Raises KurskError, or an error of ``MISFITS``."""
    ruleset, setting = find_ruleset(question["system"]), load_setting(question)
    before, message = from_plain(question["position"]), question["message"]
    orders = replace(filing(message), reveal=question["reveal"])
    if before.stage == OVER or orders.writer != ruleset.writer(setting, before):
        raise UsageError("the writer of the message must be the side that is due in the position")
    return adjudicate(ruleset, setting, before, orders, CaseDice(question["dice"], orders.seq))


def load_setting(question: Mapping[str, Any]) -> Any:
    """Return the setting of a question. Raises KurskError if the scenario is unknown or has other data."""
    named = question["scenario"]
    scenario = scenarios.load(named["id"], named["sha256"], "The suite")
    if scenario.ruleset != question["system"]:
        raise UsageError("the scenario belongs to a different system; name a scenario of the system")
    ruleset = find_ruleset(question["system"])
    return scenarios.make_setting(ruleset, scenario, question["options"], question["dice-from"])


def describe_faults(result: Adjudication) -> dict[str, Any]:
    """Return the answer of level judge: every fault with its place and its paragraph, in a fixed order."""
    faults = {("/".join(map(str, fault.path)), fault.rule) for fault in result.violations}
    listed = [{"place": place, "paragraph": rule} for place, rule in sorted(faults)]
    return {"legal": not listed, "faults": listed}


def describe_result(question: Mapping[str, Any], result: Adjudication) -> dict[str, Any]:
    """Return the answer of level play: changes by the duties, changes by the choices, labels of dice, the end."""
    if result.violations:
        raise UsageError(f"the message breaks the rules: {describe_faults(result)['faults'][0]['paragraph']}")
    over = result.after.stage == OVER
    play = find_ruleset(question["system"]).play
    verdict = play.verdict(load_setting(question), result.after) if over else None
    return {
        "duties": find_changes(result.before, result.middle),
        "choices": find_changes(result.middle, result.after),
        "rolled": sorted(result.dice),
        "over": over,
        "winner": verdict.winner if verdict else "",
    }


def find_changes(before: State, after: State) -> dict[str, Any]:
    """Return the changed parts of a position as in a mail; null: the entry is gone."""
    return dict(_list_changes(before.to_plain(), after.to_plain()))


def _list_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in new.items():
        if key in TABLES and value != old[key]:
            changed = {name: entry for name, entry in value.items() if old[key].get(name) != entry}
            yield key, changed | dict.fromkeys(name for name in old[key] if name not in value)
        elif value != old[key]:
            yield key, value
