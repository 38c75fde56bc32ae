"""Print which case of the conformance suite finds each planted fault: ``make faults``.

python tools/faults.py [SYSTEM ...]

A line ends with ``by hand`` if a case by hand finds the fault. The exit status is 1 if the cases of a system find less
than 98 of 100 faults, or the cases by hand less than 90.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from helpers import planted  # noqa: E402


def main(systems: list[str]) -> int:
    """Print a line for each fault, and the power of the cases of each system."""
    status = 0
    for system in systems or planted.list_systems():
        finds = []
        with tempfile.TemporaryDirectory() as folder:
            for find in planted.find_faults(system, planted.read_faults(system), Path(folder)):
                finds.append(find)
                what = f"{find.case}: {find.verdict}" if find.case else "NOT FOUND"
                hand = ", by hand" if find.by_hand else ""
                print(f"{system} {find.fault.rule} {find.fault.file}: {what}{hand}", flush=True)
        every, by_hand = planted.count_percent(finds), planted.count_percent(finds, by_hand=True)
        print(f"{system}: {len(finds)} faults; cases find {every} %, cases by hand {by_hand} %")
        if bare := planted.list_unprotected(finds):
            print(f"  paragraphs with faults that no case by hand finds: {' '.join(bare)}")
        status |= every < planted.FOUND or by_hand < planted.FOUND_BY_HAND
    return int(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
