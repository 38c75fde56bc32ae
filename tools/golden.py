"""Rewrite the expected files of tests/golden: ``make golden``. What changed is then shown by git, to be read."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from golden.golden_case import Case, folders_of_cases


def main() -> None:
    """Rewrite every case; name those whose position changed although the ruleset kept its version."""
    cases = [Case(folder) for folder in folders_of_cases()]
    unannounced = [case.folder.name for case in cases if case.rewrite()]
    print(f"{len(cases)} golden cases written")
    if unannounced:
        print(
            f"adjudication changed in {', '.join(unannounced)}, and the ruleset kept its version: raise it, unless "
            "the case itself was changed",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
