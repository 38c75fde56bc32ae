"""Rewrite the files of tests/golden, the counts of tests/reach and docs/counts.md: ``make golden``. Git shows changes.

python tools/golden.py [RULESET]    only the cases of RULESET
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from golden.golden_case import Case, folders_of_cases
from helpers import registry
from reach import reach_counts

from kursk_pbem.errors import UsageError


def main() -> int:
    """Rewrite every case; name each case with a changed position under an unchanged version of the ruleset."""
    try:
        kits = registry.kits(*sys.argv[1:2])
    except UsageError as error:
        print(f"golden: {error}", file=sys.stderr)
        return 2
    cases = [Case(folder) for kit in kits for folder in folders_of_cases(kit.id)]
    unannounced = [case.folder.name for case in cases if case.rewrite()]
    counted = sum(map(reach_counts.rewrite, kits))
    for kit in kits:
        reach_counts.rewrite_page(kit)
    print(f"{len(cases)} golden cases and the counts of {counted} positions written")
    if unannounced:
        print(
            f"adjudication changed in {', '.join(unannounced)}, and the ruleset kept its version: raise it, unless "
            "the case itself was changed",
            file=sys.stderr,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
