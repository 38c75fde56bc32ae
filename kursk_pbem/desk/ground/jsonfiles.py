"""Small JSON files of a private folder. Each file contains one object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.errors import DiskError
from kursk_pbem.game import disk


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file; {} without a file. Raises DiskError if the file is damaged."""
    try:
        data = json.loads(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise DiskError(f"{path} cannot be read ({type(error).__name__}): move it away") from None
    return data if isinstance(data, dict) else {}


def write_object(path: Path, data: Mapping[str, Any]) -> None:
    """Write an object as a JSON file that only the player can read. Raises DiskError."""
    write_private(path, (json.dumps(data, sort_keys=True, indent=1) + "\n").encode("ascii"))


def write_private(path: Path, data: bytes) -> None:
    """Write any file of a private folder, so that only the player can read the file. Raises DiskError."""
    disk.replace(path, data, mode=0o600)
