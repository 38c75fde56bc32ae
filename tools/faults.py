"""Make mutants of the rules and print which case of the conformance suite finds each: ``make faults SEED=N``.

python tools/faults.py SEED [--number 60] [SYSTEM ...]    drawn mutants, the suite alone
python tools/faults.py SEED [SYSTEM ...] --every          all mutants; the tests of the system run for those left

Cases by hand are asked first. A mutant that cannot be imported does not count. With ``--every`` each mutant that
nothing finds needs a reading in tests/audit/survivors/SYSTEM.txt: it is equal code, changes words alone, or shows that
a case is missing. A survivor without a reading is an error, and a reading without a survivor.
"""

from __future__ import annotations

import argparse
import sys
from math import sqrt
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from helpers import killers, mutants, survivors  # noqa: E402

from kursk_pbem.audit import suite  # noqa: E402

SURE = 1.96
"""Standard deviations of an interval of 95 %."""


def describe_share(found: int, every: int) -> str:
    """Return a share with its interval of 95 % (Wilson)."""
    share, spread = found / every, SURE**2 / every
    middle = (share + spread / 2) / (1 + spread)
    wide = SURE * sqrt(share * (1 - share) / every + spread / every / 4) / (1 + spread)
    return f"{found} of {every}, {100 * share:.0f} % ({100 * (middle - wide):.0f} to {100 * (middle + wide):.0f} %)"


def ask_suite(system: str, seed: str, number: int | None) -> tuple[list[mutants.Mutant], int]:
    """Print the case that finds each mutant; return the mutants that none finds, and the number of all."""
    cases = sorted(suite.read_suite(ROOT / "conformance", system).cases, key=lambda case: "/" in case["id"])
    mutants.load_rules(system)
    lines, left, every = mutants.list_lines(system, cases), [], 0
    for mutant in mutants.number_mutants(mutants.draw_mutants(system, seed, number)):
        mine = [case for case in cases if mutant.is_met(lines[case["id"]])]
        case = mutants.find_case(mutant, mine, ours=number is None)
        print(f"{mutant}: {case or 'NOT FOUND'}", flush=True)
        every += not case.startswith(mutants.DEAD)
        left += [] if case else [mutant]
    return left, every


def ask_tests(system: str, left: list[mutants.Mutant]) -> int:
    """Run the tests for the mutants that no case finds; print and count the faults of the readings."""
    nowhere: list[str] = []

    def note(mutant: mutants.Mutant, test: str) -> None:
        print(f"{mutant}: {test or 'SURVIVES'}", flush=True)
        nowhere.extend([] if test else [mutant.name])

    killers.run_tests(system, left, note)
    path = survivors.FOLDER / f"{system}.txt"
    readings = survivors.read_readings(path) if path.exists() else {}
    faults = [*survivors.compare_readings(nowhere, readings)]
    for fault in faults:
        print(f"{system}: {fault}")
    return len(faults)


def main() -> int:
    """Print a line for each mutant, and the share of each system; return 1 at a fault of the readings."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed")
    parser.add_argument("systems", nargs="*", default=mutants.SYSTEMS)
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--every", action="store_true")
    said = parser.parse_args()
    whole, faults = [0, 0], 0
    for system in said.systems:
        left, every = ask_suite(system, said.seed, None if said.every else said.number)
        print(f"{system}: {describe_share(every - len(left), every)}", flush=True)
        whole = [whole[0] + every - len(left), whole[1] + every]
        faults += ask_tests(system, left) if said.every else 0
    print(f"all: {describe_share(*whole)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
