"""Rewrite the indexes of the bad files in tests/bad and in the rulesets: ``make bad``.

Git shows the changed complaints. Read the complaints as a player would.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.insert(0, str(TESTS))

from bad import bad_index  # noqa: E402
from bad.bad_desk import Base  # noqa: E402
from helpers.demo_game import play_demo  # noqa: E402


def main() -> None:
    """Make every bad file, read its complaint, and print the changed indexes."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch).resolve()
        changed = bad_index.rewrite(Base(play_demo(place / "demo"), place))
    for file in changed:
        print(f"changed: {file}")
    print(f"{len(bad_index.list_recipes())} bad files, {len(changed)} changed")


if __name__ == "__main__":
    main()
