"""Print which case of the conformance suite finds each planted fault: ``make faults``.

python tools/faults.py [SYSTEM ...]

The exit status is 1 if a fault passes all cases.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from helpers import planted  # noqa: E402


def main(systems: list[str]) -> int:
    """Print a line for each fault."""
    missed = 0
    for system in systems or planted.list_systems():
        with tempfile.TemporaryDirectory() as folder:
            for fault, verdict in planted.find_faults(system, planted.read_faults(system), Path(folder)):
                print(f"{system} {fault.rule} {fault.file}: {verdict or 'NOT FOUND'}", flush=True)
                missed += not verdict
    print(f"{missed} faults are not found")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
