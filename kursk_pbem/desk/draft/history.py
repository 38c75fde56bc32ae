"""Earlier texts of a draft in the private folder, for 'undo' and 'redo'.

File ``SEQ-NUMBER.json`` contains the texts before and after a command. Suffix ``.undone`` marks commands taken back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk

MOST_KEPT = 50
"""Maximum number of saved steps, the commands that 'undo' can take back."""
DONE, UNDONE = ".json", ".undone"


@frozen
class DraftHistory:
    """The earlier versions of a draft, one for each command ('step'). ``seq``: the message. ``place``: the folder."""

    place: Path
    seq: int

    def steps(self, kind: str = DONE) -> list[Path]:
        """Return the saved steps of a draft, oldest first. With ``UNDONE``, return the steps taken back, newest first.

        Saving a new step deletes the steps taken back.
        """
        return sorted(self.place.glob(f"{self.seq:04d}-[0-9][0-9][0-9][0-9]{kind}"))

    def keep(self, before: str, after: str, changes: Sequence[Any] = ()) -> Path:
        """Save one command as a step: the draft's text before and after, and what its orders changed. Return the file.

        Deletes steps of other messages and very old steps. Raises UsageError.
        """
        steps = self.steps()
        number = int(steps[-1].stem[-4:]) + 1 if steps else 1
        try:
            self.place.mkdir(mode=0o700, exist_ok=True)
            step = json.dumps({"before": before, "after": after, "changes": list(changes)}, indent=1)
            others = [path for path in self.place.glob(f"*{DONE}") if path not in steps]
            gone = [*others, *steps[:-MOST_KEPT], *self.place.glob(f"*{UNDONE}")]
            path = self.place / f"{self.seq:04d}-{number:04d}{DONE}"
            disk.replace(path, step.encode("ascii"), mode=0o600)
            for old in gone:
                old.unlink(missing_ok=True)
        except OSError as error:
            why = f"the former text cannot be kept in {self.place}: {error.strerror}; nothing was written"
            raise UsageError(why) from None
        return path

    def changes(self) -> Iterator[Any]:
        """Yield what the orders of the saved steps changed, the newest first. Skip unreadable steps."""
        for step in reversed(self.steps()):
            with suppress(OSError, ValueError, TypeError, AttributeError):
                yield from reversed(json.loads(step.read_text(encoding="ascii")).get("changes", []))


def read_texts(step: Path) -> tuple[str, str]:
    """Return the draft's texts before and after a saved step. Raises UsageError if the file is unreadable."""
    try:
        data = json.loads(step.read_text(encoding="ascii"))
        return str(data["before"]), str(data["after"])
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise UsageError(f"{step} cannot be read ({type(error).__name__}); delete this unused file") from None
