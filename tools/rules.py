"""Print the rules coverage (``make rules``): paragraph -> title -> functions -> cards -> tests.

Exits 1 if a part is missing.

python tools/rules.py [RULESET]    only the table of RULESET

The toy rulesets of the tests have a table, but no requirements.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from helpers import paragraphs, registry  # noqa: E402
from helpers.registry import Kit  # noqa: E402

from kursk_pbem.errors import UsageError  # noqa: E402


def print_table(kit: Kit) -> int:
    """Print the table and the faults of a ruleset; return the number of required corrections."""
    cited, tested, shown = paragraphs.find_citations(kit), paragraphs.find_tests(kit), paragraphs.find_cards(kit)
    for rule, paragraph in paragraphs.load_book(kit).paragraphs.items():
        print(f"{rule}  {paragraph.title}")
        if paragraph.status != "coded":
            print(f"    {paragraph.status}: {paragraph.why}")
            continue
        print(f"    code:  {', '.join(cited.get(rule, ['NONE']))}")
        print(f"    cards: {', '.join(shown.get(rule, ['NONE']))}")
        print(f"    tests: {', '.join(tested.get(rule, ['NONE']))}")
    faults = paragraphs.find_faults(kit)
    number = sum(len(names) for names in tested.values())
    print(
        f"\n{kit.id}: {len(paragraphs.list_coded(kit))} paragraphs coded, {number} tests named after them, "
        f"{len(faults)} faults"
    )
    for fault in faults:
        print(f"  {fault}")
    return len(faults) if kit.id in registry.KITS else 0


def main() -> int:
    """Print the requested tables; return 1 if a fault is found."""
    try:
        kits = registry.kits(*sys.argv[1:2])
    except UsageError as error:
        print(f"rules: {error}", file=sys.stderr)
        return 2
    return 1 if sum(map(print_table, kits)) else 0


if __name__ == "__main__":
    sys.exit(main())
