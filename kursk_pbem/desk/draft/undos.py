"""Former texts of a draft in the private folder: what was before and after each command, to take back and do again.

They are files beside the journal: ``SEQ-NUMBER.json`` for what was done, ``.undone`` for what was taken back.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.game import disk

MOST_KEPT = 50
"""Former texts of a draft that are kept."""
DONE, UNDONE = ".json", ".undone"


@dataclass(frozen=True)
class Former:
    """The former texts of the draft of message ``seq``, in the folder ``place``."""

    place: Path
    seq: int

    def steps(self, kind: str = DONE) -> list[Path]:
        """The commands, the oldest first; of ``UNDONE`` those that were taken back, the last one first.

        What was taken back before something else was ordered goes when that is written.
        """
        return sorted(self.place.glob(f"{self.seq:04d}-[0-9][0-9][0-9][0-9]{kind}"))

    def keep(self, before: str, after: str) -> Path:
        """Put a command down: where it lies. Those of other messages, and very old ones, go. UsageError."""
        steps = self.steps()
        number = int(steps[-1].stem[-4:]) + 1 if steps else 1
        try:
            self.place.mkdir(mode=0o700, exist_ok=True)
            step = json.dumps({"before": before, "after": after}, indent=1)
            others = [each for each in self.place.glob(f"*{DONE}") if each not in steps]
            gone = [*others, *steps[:-MOST_KEPT], *self.place.glob(f"*{UNDONE}")]
            path = self.place / f"{self.seq:04d}-{number:04d}{DONE}"
            disk.replace(path, step.encode("ascii"), mode=0o600)
            for old in gone:
                old.unlink(missing_ok=True)
        except OSError as error:
            why = f"the former text cannot be kept in {self.place}: {error.strerror}; nothing was written"
            raise UsageError(why) from None
        return path


def texts(step: Path) -> tuple[str, str]:
    """The texts before and after a command. UsageError if they cannot be read."""
    try:
        data = json.loads(step.read_text(encoding="ascii"))
        return str(data["before"]), str(data["after"])
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise UsageError(f"{step} cannot be read ({type(error).__name__}); delete it, no draft needs it") from None
