"""Write the indexes of the bad files anew, of tests/bad and of each rule system: ``make bad``.

What the complaints were and are now is then shown by git, to be read as a player would.
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
    """Make every file, ask what is said of it, and name those of which the indexes said something else."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch).resolve()
        changed = bad_index.rewrite(Base(play_demo(place / "demo"), place))
    for file in changed:
        print(f"changed: {file}")
    print(f"{len(bad_index.recipes())} bad files, {len(changed)} changed")


if __name__ == "__main__":
    main()
