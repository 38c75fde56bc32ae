"""Make cases of the conformance suite out of the cards that people wrote, ``conformance/SYSTEM/hand.cards``.

python tools/conformance_hand.py [RULESET ...]

A person writes a card with the expected answer from the text of the rulebook (``conformance/cards.md``). The tool fills
in what the card leaves out, asks our engine, and prints every difference; then the exit status is 1.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import suite_files  # noqa: E402
from helpers import paragraphs, registry  # noqa: E402

from kursk_pbem.audit import conformance, suite  # noqa: E402
from kursk_pbem.audit.cards import reading  # noqa: E402
from kursk_pbem.errors import KurskError  # noqa: E402


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


def print_gaps(system: str, cases: Sequence[dict[str, Any]]) -> None:
    """Print the number of cards, and the paragraphs without a card."""
    met = {rule for case in cases for rule in case["rules"]}
    coded = paragraphs.list_coded(registry.kits(system)[0])
    lacking = [rule for rule in coded if rule not in met]
    print(f"{system}: {len(cases)} cards; {len(coded) - len(lacking)} of {len(coded)} paragraphs have a card")
    if lacking:
        print(f"  without: {' '.join(lacking)}")


def main(arguments: list[str]) -> int:
    """Write the files; print differences and gaps."""
    status = 0
    for system in arguments or sorted(registry.KITS):
        cases = reading.read_cards(system, suite.read_cards(suite_files.SUITE, system))
        differences = [line for case in cases for line in list_differences(case)]
        print("\n".join(differences), end="\n" if differences else "")
        suite_files.save_cases(f"{system}/hand", cases, check=False)
        status |= bool(differences)
        print_gaps(system, cases)
    return int(status)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KurskError as error:
        sys.exit(f"conformance_hand: {error}")
