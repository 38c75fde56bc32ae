"""Play the finished games of tests/games anew: ``make games``. With ``--check`` only compare, byte for byte.

    python tools/games.py [NAME ...]            play and write them; git shows what changed
    python tools/games.py --check [NAME ...]    play, write nothing; status 1 if a file would come out otherwise
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from helpers import finished_games


def main() -> int:
    """Play the games named, or all."""
    parser = argparse.ArgumentParser(description="Play the finished games of tests/games anew.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(finished_games.PLOTS))
    parser.add_argument("--check", action="store_true", help="write nothing, compare with what is there")
    arguments = parser.parse_args()
    unknown = sorted({*arguments.names} - {*finished_games.PLOTS})
    if unknown:
        parser.error(f"there is no game {', '.join(unknown)}; there are {', '.join(finished_games.PLOTS)}")
    differ = 0
    for name in arguments.names or finished_games.PLOTS:
        with tempfile.TemporaryDirectory() as scratch:
            files = finished_games.written(name, Path(scratch) / "game")
        if arguments.check:
            wrong = finished_games.differences(name, files)
            differ += bool(wrong)
            said = f"differs in {', '.join(wrong)}" if wrong else "comes out the same, byte for byte"
        else:
            finished_games.save(name, files)
            said = f"{len(files) - 1} messages, {sum(map(len, files.values()))} bytes"
        print(f"{name}: {said}", flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
