"""Print the dearest test functions of the last ``make test``; exit with status 1 if one is too dear.

The measure is a share of one run, because a slow machine must fail no test.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

FILE = Path("build") / "costs.json"
SHOWN = 60
SHARE = 0.4
"""The maximum share of a function in the CPU of the run, in percent."""


def main() -> int:
    """Read build/costs.json and print the table; return the status of the command."""
    if not FILE.exists():
        print(f"{FILE} is missing: run make test first", file=sys.stderr)
        return 2
    costs = json.loads(FILE.read_text(encoding="utf-8"))
    total = costs["total"]
    print(f"CPU of the run: {total:.0f} s, collection {costs['collection']:.0f} s of them")
    ranked = sorted(costs["functions"].items(), key=lambda pair: -pair[1])
    for name, spent in ranked[:SHOWN]:
        print(f"{spent:7.1f} s {100 * spent / total:5.2f} %  {name}")
    dear = [name for name, spent in ranked if 100 * spent > SHARE * total and not name.startswith("fixture ")]
    for name in dear:
        print(f"{name} takes more than {SHARE} % of the CPU of the run: shrink the test", file=sys.stderr)
    return 1 if dear else 0


if __name__ == "__main__":
    sys.exit(main())
