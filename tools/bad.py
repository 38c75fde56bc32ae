"""Make the bad files of tests/bad and the complaints in their indexes anew: ``make bad``.

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
    """Rewrite every file and every index; name what is answered otherwise than before."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch).resolve()
        changed = bad_index.rewrite(Base(play_demo(place / "demo"), place))
    print(f"{len(bad_index.recipes())} bad files; {len(changed)} complaints changed")


if __name__ == "__main__":
    main()
