"""Make cases of the conformance suite out of the cases that people wrote, ``conformance/SYSTEM/hand.yaml``.

python tools/conformance_hand.py [--check] [RULESET ...]

A person writes the position, the message, and the expected answer from the text of the rulebook. The tool fills in what
the person leaves out, asks our engine, and prints every difference. ``--check`` writes nothing; the exit status is 1 if
a file is not up to date or our engine gives a different answer.

The file has ``default``, fields for all cases (also of ``position``), and ``cases``. Every value is text. Besides the
fields of a case:

* ``scenario``: the id. ``options`` and ``dice-from``: as in message 0.
* ``position``: the fields of a mail that matter. ``units``: unit -> place, with the steps of the set-up, or [place,
  steps]. Units that are not named are where ``others`` says ([place, steps]), or stay in the set-up if ``others`` is
  ``set-up``. Tables that are left out are empty; ``set-up`` instead of a table takes the table of the set-up.
* ``message``: ``seq`` is 10, ``type`` is turn, and ``from`` is the side of the position, unless the case says
  otherwise.
* ``ask``: instead of ``message``, ``reveal`` and ``dice`` in a case of level count, such as ``{reach: g-7, phase:
  movement}``; ``conformance/runner.md`` lists the questions.
* ``expect``: what the case leaves out is empty, 0, false or ''. ``gone`` as a value means null.
* ``why``: a note for readers, which the suite does not contain.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import suite_files  # noqa: E402
from helpers import paragraphs, registry  # noqa: E402

from kursk_pbem.audit import conformance, suite  # noqa: E402
from kursk_pbem.game import scenarios  # noqa: E402
from kursk_pbem.rulesets import ruleset as find_ruleset  # noqa: E402

EMPTY: dict[str, dict[str, Any]] = {
    "judge": {"legal": True, "faults": []},
    "play": {"duties": {}, "choices": {}, "rolled": [], "over": False, "winner": ""},
    "count": {},
}
TABLES = ("marks", "tracks", "agenda")


def read_cases(system: str) -> list[dict[str, Any]]:
    """Return the cases of a system, complete."""
    path = suite_files.SUITE / system / "hand.yaml"
    said = yaml.load(path.read_text(encoding="utf-8"), yaml.CBaseLoader) if path.exists() else {"cases": []}  # noqa: S506
    usual = said.get("default", {})
    place = usual.get("position", {})
    return [
        fill_case(system, {**usual, **case, "position": {**place, **case.get("position", {})}})
        for case in said["cases"]
    ]


def fill_case(system: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return a complete case."""
    rules, level = find_ruleset(system), said["level"]
    scenario = scenarios.load(said["scenario"])
    options, dice = said.get("options", {}), said.get("dice-from", "players")
    setting = scenarios.make_setting(rules, scenario, options, dice)
    position = fill_position(said["position"], scenarios.make_first_position(rules, setting).to_plain())
    case = {
        **{key: said[key] for key in ("id", "level", "title", "rules")},
        "system": system,
        "since": said.get("since", f"adjudication {rules.version}"),
        "scenario": {"id": said["scenario"], "sha256": scenario.sha256},
        "options": options,
        "dice-from": dice,
        "position": position,
        "expect": {**EMPTY[level], **_turn_values(said.get("expect", {}))},
    }
    if "alternatives" in said:
        case["alternatives"] = _turn_values(said["alternatives"])
    if level == "count":
        return {**case, "ask": said["ask"]}
    message = {"seq": "10", "from": position["side"], "type": "turn", **said.get("message", {})}
    return {**case, "message": message, "reveal": said.get("reveal", {}), "dice": said.get("dice", {})}


def fill_position(said: Mapping[str, Any], first: Mapping[str, Any]) -> dict[str, Any]:
    """Return a complete position. ``first``: the position of the set-up."""
    others = said["others"]
    units = {
        unit: dict(entry) if others == "set-up" else {"place": others[0], "steps": others[1]}
        for unit, entry in first["units"].items()
    }
    for unit, entry in said.get("units", {}).items():
        place, steps = (entry, first["units"][unit]["steps"]) if isinstance(entry, str) else entry
        units[unit] = {"place": place, "steps": steps}
    tables = {key: first[key] if said.get(key) == "set-up" else said.get(key, {}) for key in TABLES}
    return {"type": "state", **{key: said[key] for key in ("turn", "side", "stage")}, **tables, "units": units}


def _turn_values(value: Any, key: str = "") -> Any:
    """Return a value with null for ``gone``, and with true and false where the format has them."""
    if isinstance(value, dict):
        return {name: _turn_values(entry, name) for name, entry in value.items()}
    if isinstance(value, list):
        return [_turn_values(entry) for entry in value]
    if key in ("legal", "over"):
        return value == "true"
    return None if value == "gone" else value


def list_differences(case: dict[str, Any]) -> list[str]:
    """Return what our engine answers differently, a line for each field."""
    said = conformance.answer_question(json.loads(json.dumps(case)))
    answer = said.get("answer")
    verdict = suite.judge_answer(case, answer)
    if verdict == "pass":
        return []
    if not isinstance(answer, dict):
        return [f"{case['id']}: {said}"]
    return [
        f"{case['id']}: {verdict}",
        *(
            f"   {key}: {word} {json.dumps(said, sort_keys=True)}"
            for key, value in case["expect"].items()
            if answer.get(key) != value
            for word, said in (("expected", value), ("found", answer.get(key)))
        ),
    ]


def print_gaps(system: str, cases: list[dict[str, Any]], recorded: Sequence[dict[str, Any]]) -> None:
    """Print the number of written cases, and the paragraphs that neither they nor the recorded cases have."""
    others = [case for case in recorded if case["system"] == system and "/" in case["id"]]
    met = {rule for case in [*others, *cases] for rule in case["rules"]}
    coded = paragraphs.list_coded(registry.kits(system)[0])
    lacking = [rule for rule in coded if rule not in met]
    print(f"{system}: {len(cases)} cases by hand; {len(coded) - len(lacking)} of {len(coded)} paragraphs have a case")
    if lacking:
        print(f"  without: {' '.join(lacking)}")


def main(arguments: list[str]) -> int:
    """Write or check the files; print differences and gaps."""
    status, recorded = 0, suite.read_suite(suite_files.SUITE).cases
    for system in [word for word in arguments if word != "--check"] or sorted(registry.KITS):
        cases = read_cases(system)
        differences = [line for case in cases for line in list_differences(case)]
        print("\n".join(differences), end="\n" if differences else "")
        check = "--check" in arguments
        same = not cases or suite_files.save_cases(f"{system}/hand", cases, check=check)
        status |= bool(differences) or (check and not same)
        print_gaps(system, cases, recorded)
    return int(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
