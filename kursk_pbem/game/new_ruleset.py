"""The package of a new ruleset: the small game in the folder ``_template``, under another name."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders
from kursk_pbem.rulesets import list_ids

_NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")
_TEMPLATE_NAMES = ("ridge-toy", "ridge_toy", "Ridge Toy")


def write_package(name: str, folder: Path) -> list[Path]:
    """Write a package for a new ruleset ``name`` into a new folder; return the files written. Raises UsageError."""
    module, title = name.replace("-", "_"), " ".join(word.capitalize() for word in name.split("-"))
    if not _NAME.fullmatch(name) or len(name) > 32:
        raise UsageError(f"{name!a} is no valid name: type small letters, digits and hyphens, such as donets-gap")
    if name in list_ids() or find_spec(module) is not None:
        raise UsageError(f"{name} is the name of an installed ruleset or module; choose another name")
    if folder.exists():
        raise UsageError(f"{folder} exists already; choose another folder with -o")
    template, written = Path(__file__).parents[1] / "_template", list[Path]()
    for path in sorted(template.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            texts = [path.relative_to(template).as_posix(), path.read_text("utf-8")]
            for old, new in zip(_TEMPLATE_NAMES, (name, module, title), strict=True):
                texts = [text.replace(old, new) for text in texts]
            place = folder / texts[0]
            folders.make(place.parent)
            folders.write(place, texts[1])
            written.append(place)
    return written
