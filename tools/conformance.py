"""Make the cases of the conformance suite out of the finished games. ``make conformance`` runs the tool.

A case of level play is a message of a finished game: the position, the message, the reveals and the dice, with the
changes that both players have signed. Messages that the chain alone decides (replies, a referee without dice) are no
cases. Cases of level count ask what is possible in positions of these games; our engine has answered them. A case that
equals another one up to position and wording is left out.

The arguments name systems; without names all are made. ``--check``: write nothing; exit with status 1 if the files
differ from the games.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import suite_files  # noqa: E402

from kursk_pbem.errors import UsageError  # noqa: E402
from kursk_pbem.game import histories, questions  # noqa: E402
from kursk_pbem.game.histories import Step  # noqa: E402
from kursk_pbem.kernel.outlook import Chances  # noqa: E402

ASKED = ("seq", "from", "type", "choice", "waive", "orders", "policy", "decisions", "secret")
"""Fields of a message that the rules read."""
EVERY, UNITS, DECLARED = 9, 2, 30
"""The interval of counted messages in a game, the asked units of a position, the cases of odds of a system."""
AREAS = {
    "battle-for-kursk": {"zone": "7.1", "supply": "10.0"},
    "kursk-1971": {"zone": "4.0", "supply": "6.0"},
    "juggernauts": {"zone": "10.0", "supply": "16.1"},
    "armor-commander": {},
}
"""The paragraphs of areas of a side."""
SET_UPS = {"battle-for-kursk": "6.0", "kursk-1971": "12.0", "juggernauts": "17.1", "armor-commander": "2.1"}
"""The paragraphs of the set-up."""


@cache
def load_steps(folder: Path) -> Sequence[Step]:
    """Return the steps of a finished game."""
    return histories.load(folder).steps


def list_plays(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the cases of level play of a finished game."""
    steps = load_steps(folder)
    head = steps[0].message.content
    for step in steps[1:]:
        if step.message.type != "reply" and not step.before.hands_on:
            yield make_play(f"{folder.parent.name}/{folder.name}/{step.message.seq}", head, step)


def make_play(name: str, head: dict[str, Any], step: Step) -> dict[str, Any]:
    """Return the case of a message. ``head``: message 0."""
    result, content = step.result, step.message.content
    if result is None:
        raise AssertionError(f"{name} has no result")
    question = {
        **make_question(name, "play", head, result.before.to_plain()),
        "message": {key: content[key] for key in ASKED if key in content},
        "reveal": dict(step.after.chain.reveals),
        "dice": dict(result.dice),
        "rules": sorted({event.rule for event in result.events}),
    }
    return {**question, "expect": questions.describe_result(question, result)}


def make_question(name: str, level: str, head: dict[str, Any], position: dict[str, Any]) -> dict[str, Any]:
    """Return the common fields of a case."""
    return {
        "id": name,
        "system": head["ruleset"]["id"],
        "level": level,
        "since": f"adjudication {head['ruleset']['version']}",
        "scenario": head["scenario"],
        "options": head["options"],
        "dice-from": head["dice-from"],
        "position": position,
    }


def list_counts(folders: list[Path]) -> Iterator[dict[str, Any]]:
    """Yield the cases of level count of the finished games of a system."""
    fought, seen = 0, set[str]()
    for folder in folders:
        steps = load_steps(folder)
        head = steps[0].message.content
        if (scenario := steps[0].message.mapping("scenario")["id"]) not in seen:
            seen.add(scenario)
            yield from list_set_ups(head, steps[0].after.state.to_plain())
        for step in steps[:-1]:
            game = step.after
            asked = list(list_asked(game, step.message.seq)) if step.message.seq % EVERY == 0 else []
            if (odds := game.ruleset.seen.odds(game.setting, game.state, {})) and fought < DECLARED:
                fought += 1
                cited = {rule for each in odds for rule in find_rules(each)}
                asked.append(("odds", {"odds": "declared"}, sorted(cited)))
            if game.state.sha256() in seen:
                continue
            seen.add(game.state.sha256())
            name, position = f"{folder.parent.name}/{folder.name}/{step.message.seq}", game.state.to_plain()
            for what, ask, rules in asked:
                case = {**make_question(f"{name}/{what}", "count", head, position), "ask": ask, "rules": rules}
                yield {**case, "expect": questions.decide(case)}


def list_set_ups(head: dict[str, Any], position: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the cases of the set-up of a scenario."""
    for part in ("units", "marks", "tracks"):
        name = f"{head['scenario']['id']}/set-up-{part}"
        case = {**make_question(name, "count", head, position), "ask": {"set-up": part}}
        yield {**case, "rules": [SET_UPS[head["ruleset"]["id"]]], "expect": questions.decide(case)}


def find_rules(chances: Chances) -> list[str]:
    """Return the paragraph of a declared action; without a table the title names the paragraph."""
    return [chances.fought.rule] if chances.fought else re.findall(r"\[([0-9.]+)\]", chances.title)


def list_asked(game: Any, seq: int) -> Iterator[tuple[str, dict[str, str], list[str]]]:
    """Yield questions about a position: a name, the question, its paragraphs. Different units in each position."""
    state, seen, system = game.state, game.ruleset.seen, game.ruleset.id
    there = [uid for uid, unit in sorted(state.units.items()) if unit.place[:1].isalnum()]
    asked = 0
    for uid in [*there[seq * 5 % len(there) :: 7], *there]:
        try:
            shown = seen.outlook(game.setting, state, uid)
        except UsageError:  # the unit is not on the map
            continue
        for phase in shown.phases:
            if any(mover.ends or mover.straight for mover in phase.movers):
                yield f"reach-{uid}-{phase.key}", {"reach": uid, "phase": phase.key}, [phase.rule]
                asked += 1
        if shown.targets and shown.side == state.side and "-air" not in uid:
            rules = {target.fought.rule for target in shown.targets if target.fought} or {"5.2"}
            yield f"targets-{uid}", {"targets": uid}, sorted(rules)
        if asked >= UNITS:
            break
    for what, rule in AREAS[system].items():
        yield f"{what}-{state.side}", {what: state.side}, [rule]


def main(arguments: list[str]) -> int:
    """Write or check the files; print the number of cases and of paragraphs of each system."""
    check, status = "--check" in arguments, 0
    for system in [word for word in arguments if word != "--check"] or sorted(AREAS):
        folders = sorted(path for path in (ROOT / "tests" / "games" / system).iterdir() if path.is_dir())
        plays = (case for folder in folders for case in list_plays(folder))
        by_hand = suite_files.read_cases(f"{system}/hand")
        for name, made in (("games", plays), ("counts", list_counts(folders))):
            cases = [*suite_files.drop_equal(made, by_hand)]
            status |= not suite_files.save_cases(f"{system}/{name}", cases, check=check)
            rules = {rule for case in cases for rule in case["rules"]}
            print(f"{system}: {len(cases)} cases of {name}, {len(rules)} paragraphs")
    return int(status) if check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
