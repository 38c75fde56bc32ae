"""Play the finished games of tests/games again: ``make games``. ``--check`` only compares the files, byte for byte.

    python tools/games.py [--ruleset R] [NAME ...]    play and write the games; git shows the changes
    python tools/games.py --check [NAME ...]          play, write nothing; status 1 if a file would change

A game keeps the adjudication of its beginning. If a newer adjudication would decide a position differently, the game
ends with an error. Type ``--newest NAME`` to begin the game again under the newest adjudication.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from helpers import finished_games, registry

from kursk_pbem.errors import UsageError


def main() -> int:
    """Play the named games, or every game; return 1 if a check finds a difference."""
    parser = argparse.ArgumentParser(description="Play the finished games of tests/games anew.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--ruleset", default="all", help=f"all, or one of {', '.join(registry.KITS)}")
    parser.add_argument("--check", action="store_true", help="write nothing, compare with what is there")
    parser.add_argument("--newest", action="store_true", help="begin them under the newest adjudication")
    arguments = parser.parse_args()
    try:
        games = finished_games.list_games(arguments.ruleset)
    except UsageError as error:
        parser.error(str(error))
    known = {name for _kit, name in games}
    if unknown := sorted({*arguments.names} - known):
        parser.error(f"there is no game {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    differ = 0
    for kit, name in games:
        if arguments.names and name not in arguments.names:
            continue
        version = str(kit.ruleset.version) if arguments.newest else ""
        with tempfile.TemporaryDirectory() as scratch:
            files = finished_games.make_files(kit, name, Path(scratch) / "game", version)
        if arguments.check:
            wrong = finished_games.find_differences(kit, name, files)
            differ += bool(wrong)
            said = f"differs in {', '.join(wrong)}" if wrong else "comes out the same, byte for byte"
        else:
            finished_games.save(kit, name, files)
            said = f"{len(files) - 1} messages, {sum(map(len, files.values()))} bytes"
        print(f"{kit.id}/{name}: {said}", flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
