"""Draw mutants of the rules and print which case of the conformance suite finds each: ``make faults SEED=N``.

python tools/faults.py SEED [--number 60] [--every] [SYSTEM ...]

``--every`` takes all mutants. Cases by hand are asked first. A mutant that no case finds is read once: it may be equal
code, change words alone, or show that a case is missing. A mutant that cannot be imported does not count.
"""

from __future__ import annotations

import argparse
import sys
from math import sqrt
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from helpers import mutants  # noqa: E402

from kursk_pbem.audit import suite  # noqa: E402

SURE = 1.96
"""Standard deviations of an interval of 95 %."""


def describe_share(found: int, every: int) -> str:
    """Return a share with its interval of 95 % (Wilson)."""
    share, spread = found / every, SURE**2 / every
    middle = (share + spread / 2) / (1 + spread)
    wide = SURE * sqrt(share * (1 - share) / every + spread / every / 4) / (1 + spread)
    return f"{found} of {every}, {100 * share:.0f} % ({100 * (middle - wide):.0f} to {100 * (middle + wide):.0f} %)"


def main() -> None:
    """Print a line for each mutant, and the share of each system."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed")
    parser.add_argument("systems", nargs="*", default=mutants.SYSTEMS)
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--every", action="store_true")
    said = parser.parse_args()
    whole = 0, 0
    for system in said.systems:
        cases = sorted(suite.read_suite(ROOT / "conformance", system).cases, key=lambda case: "/" in case["id"])
        found = every = 0
        for mutant in mutants.draw_mutants(system, said.seed, None if said.every else said.number):
            case = mutants.find_case(mutant, cases)
            print(f"{mutant}: {case or 'NOT FOUND'}", flush=True)
            if not case.startswith(mutants.DEAD):
                found, every = found + bool(case), every + 1
        print(f"{system}: {describe_share(found, every)}", flush=True)
        whole = whole[0] + found, whole[1] + every
    print(f"all: {describe_share(*whole)}")


if __name__ == "__main__":
    main()
