"""Rules coverage (``make rules``): paragraph -> title -> functions -> tests. Exits 1 where something is missing."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from rulesets.battle_for_kursk import paragraphs  # noqa: E402


def main() -> int:
    """Print the table, then what is missing."""
    cited, tested = paragraphs.citations(), paragraphs.tests()
    for rule, paragraph in paragraphs.book().paragraphs.items():
        if paragraph.status != "coded":
            why = paragraph.why or paragraphs.ALLOWED_OPEN.get(rule, "")
            print(f"{rule}  {paragraph.title}\n    {paragraph.status}: {why}")
            continue
        print(f"{rule}  {paragraph.title}")
        print(f"    code:  {', '.join(cited.get(rule, ['NONE']))}")
        print(f"    tests: {', '.join(tested.get(rule, ['NONE']))}")
    faults = paragraphs.faults()
    number = sum(len(names) for names in tested.values())
    print(f"\n{len(paragraphs.coded())} paragraphs coded, {number} tests named after them, {len(faults)} faults")
    for fault in faults:
        print(f"  {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
