"""Scenarios as files: found by id, read, put together and hashed.

A scenario is a folder of four files, ``scenario.yaml``, ``map.yaml``, ``units.yaml`` and ``tables.yaml``. A folder
may leave out all but the first and name, as ``based-on``, the folder beside it that has the others. The merged data
never change during a game, and their hash is pinned by its first message (protocol 2.2). So older versions stay in
``old/SHA256/`` in the folder of the scenario: the files that differ from those of today. The file ``base`` there is
the hash of the version of the other folder that an older version borrows from (decision 75).

The invariant kept here: keys that cannot alter an adjudication (`canonical.NOT_ADJUDICATED`) are no part of the hash,
so they hold nothing but text for people and provenance, and no id can hide under one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from kursk_pbem.errors import FileError, UsageError, Where
from kursk_pbem.formats import canonical, data, files, strictyaml
from kursk_pbem.formats.text import show
from kursk_pbem.kernel.scenario import STATUSES, Provenance, Scenario

PARTS = ("scenario", "map", "units", "tables")
OLD, BASE = "old", "base"
"""The folder of older versions in the folder of a scenario, and a file in a version."""

_NAME = "[a-z0-9][a-z0-9-]{0,31}"
_NAME_RE = re.compile(_NAME)
_ID_RE = re.compile(f"{_NAME}/{_NAME}")
_SHA256_RE = re.compile("[0-9a-f]{64}")
_KEY_RE = re.compile("[A-Za-z0-9][A-Za-z0-9./-]{0,63}")
_ONE_LINE = frozenset(("title", "name", "short", "label"))
"""What stands in lines of ours: with a line of its own it could say anything in our name (T29)."""

_OWN_ID = re.compile(rb"(?m)^id: .*$")
_BORROWS = re.compile(rb"(?m)(?:^#.*\n)*^based-on: .*\n")  # with what is said above it

_ABOUT = """# {new}

A copy of {old}, to be changed. Its title stands in `scenario.yaml`; give it another one.

What the files say of where each part is from (`provenance`) is said of the original: whatever you change is `invented`.
`kursk scenario check` reads all four files and says what cannot be played. Both players need the same files.
"""
"""The page for people of a copy: that of the original speaks of its own files."""

Contents = tuple[tuple[str, bytes], ...]
"""The files of a scenario in the order of `PARTS`: what each is called, and its bytes."""


def load(folder: Path) -> Scenario:
    """Read the scenario in ``folder``; the same object again as long as its files hold the same bytes.

    FileError says in which file, and where possible in which line, something is missing or is not what it should be.
    What the parts hold beyond this module's own needs is for the ruleset to check.
    """
    return _load(contents(folder))


@lru_cache(maxsize=16)
def _load(raw_files: Contents) -> Scenario:
    return assemble(parse(raw_files))


def contents(folder: Path) -> Contents:
    """The files of the scenario in ``folder``; what ``based-on`` brings comes from the folder beside. FileError.

    ``folder`` may be that of an older version.
    """
    older = folder.parent.name == OLD and _SHA256_RE.fullmatch(folder.name) is not None
    places = [folder, folder.parents[1]] if older else [folder]
    head = _first(places, PARTS[0])
    if (base := _base(places[-1], *head)) is not None:
        lent = _lent(folder) if older else ""
        places = [folder, *([base / OLD / lent] if lent else []), *places[1:], base]
    return (head, *(_first(places, part) for part in PARTS[1:]))


def _first(places: list[Path], part: str) -> tuple[str, bytes]:
    """Read a part of a scenario from the first folder that has it."""
    paths = [place / f"{part}.yaml" for place in places]
    return _read(next((path for path in paths if path.exists()), paths[-1]))


def _lent(folder: Path) -> str:
    """Return the hash in the file ``base`` of an older version; '' if there is none."""
    try:
        text = files.read(folder / BASE, 100).decode("ascii", "replace").strip()
    except OSError:
        return ""
    return text if _SHA256_RE.fullmatch(text) else ""


def versions(scenario_id: str, sha256: str, roots: Iterable[Path]) -> Iterator[Path]:
    """Yield the folders in which a scenario may have the data of this hash; today's data come before older ones."""
    # The patterns come first: what is no id or hash never becomes part of a path.
    if not _ID_RE.fullmatch(scenario_id):
        return
    for root in roots:
        folder = root.joinpath(*scenario_id.split("/"))
        if (folder / "scenario.yaml").is_file():
            yield folder
        if _SHA256_RE.fullmatch(sha256) and (folder / OLD / sha256).is_dir():
            yield folder / OLD / sha256


def parse(raw_files: Contents) -> dict[str, strictyaml.Document]:
    """The files as data, by part, each title and name in one line; this module's own needs are checked. FileError."""
    parts = {part: _document(name, raw) for part, (name, raw) in zip(PARTS, raw_files, strict=True)}
    for document in parts.values():
        _check(document, document.data, ())
        _join(document.data)
    return parts


def assemble(parts: Mapping[str, strictyaml.Document]) -> Scenario:
    """The scenario of four files that have been read. FileError."""
    head = parts["scenario"]
    merged = {part: document.data for part, document in parts.items()}
    return Scenario(
        id=_text(head, "id", _ID_RE, "an id such as my-rules/my-game: ruleset, slash, name, in small letters"),
        title=_text(head, "title"),
        ruleset=_text(head, "ruleset", _NAME_RE, "the id of a ruleset, as 'kursk scenario' shows it"),
        data=merged,
        sha256=canonical.scenario_hash(merged),
        provenance=tuple(_provenance(merged, ())),
    )


def find(scenario_id: str) -> Path:
    """Return the folder of a scenario; UsageError if there is none of that id.

    One that comes with the program is never shadowed by a player's own.
    """
    # The pattern comes first: what is not an id never becomes part of a path.
    if _ID_RE.fullmatch(scenario_id):
        for root in data.scenario_roots():
            folder = root.joinpath(*scenario_id.split("/"))
            if (folder / "scenario.yaml").is_file():
                return folder
    raise UsageError(
        f"there is no scenario {show(scenario_id)} here: put somebody's own, as RULESET/NAME, into a "
        f"folder that {data.SEARCH_PATH} names; there are {', '.join(available())}"
    )


def meant(said: str) -> str:
    """The id of a scenario that is meant: the id, its name, or its ruleset where that has no other. UsageError."""
    from difflib import get_close_matches  # noqa: PLC0415  only where something is wrong

    known = available()
    if said in known:
        return said
    fitting = [id_ for id_ in known if said.lower() in (id_, id_.partition("/")[2])]
    fitting = fitting or [id_ for id_ in known if id_.partition("/")[0] == said.lower()]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise UsageError(f"{show(said)} may be {' or '.join(fitting)}")
    names = {id_.partition("/")[2]: id_ for id_ in known}
    near = get_close_matches(said.lower().rpartition("/")[2], names, 1)
    there = f"there are {', '.join(known)}; one of your own is found in a folder that {data.SEARCH_PATH} names"
    more = f"; did you mean {names[near[0]]}?" if near else f"; {there}"
    raise UsageError(f"there is no scenario {show(said)}{more}")


def available() -> list[str]:
    """Return the ids of all scenarios that can be found, in order."""
    heads = ((root, file) for root in data.scenario_roots() for file in root.glob("*/*/scenario.yaml"))
    ids = {file.parent.relative_to(root).as_posix() for root, file in heads}
    return sorted(scenario_id for scenario_id in ids if _ID_RE.fullmatch(scenario_id))


def copy(scenario_id: str, name: str, place: Path) -> Path:
    """Write a scenario as ``RULESET/NAME`` below ``place``, to be changed: all four files, of its own id. UsageError.

    What the scenario borrows from the folder beside it is written out. Its page for people says what it is a copy of.
    """
    source = find(scenario_id)
    ruleset = scenario_id.partition("/")[0]
    new = f"{ruleset}/{name}"
    if not _NAME_RE.fullmatch(name):
        raise UsageError(f"{show(name)} is no name for a scenario: small letters, digits and '-', at most 32")
    if new in available():
        raise UsageError(f"there is a scenario {new} already; choose another name")
    written = contents(source)
    folder = place / ruleset / name
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise UsageError(f"{folder} is there already; choose another name, or another --dir") from None
    for part, (_name, raw) in zip(PARTS, written, strict=True):
        own = _BORROWS.sub(b"", _OWN_ID.sub(f"id: {new}".encode(), raw)) if part == "scenario" else raw
        (folder / f"{part}.yaml").write_bytes(own)
    (folder / "README.md").write_bytes(_ABOUT.format(new=new, old=scenario_id).encode("ascii"))
    return folder


def _read(path: Path) -> tuple[str, bytes]:
    try:
        return str(path), files.read(path, canonical.MAX_BYTES)
    except FileNotFoundError:
        raise FileError(
            "this file of the scenario is missing; write it, or name the folder beside that has it as 'based-on'"
            " in scenario.yaml",
            Where(str(path)),
        ) from None
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", Where(str(path))) from None


def _document(name: str, raw: bytes) -> strictyaml.Document:
    return strictyaml.read_edited(raw, name, "scenario")


_head = lru_cache(maxsize=16)(_document)


def _base(folder: Path, name: str, raw: bytes) -> Path | None:
    head = _head(name, raw)
    if "based-on" not in head.data:
        return None
    # A plain name: with a path a scenario could reach for files that its owner does not see beside it.
    return folder.parent / _text(head, "based-on", _NAME_RE, "the plain name of a folder beside this one")


def _text(document: strictyaml.Document, key: str, pattern: re.Pattern[str] | None = None, what: str = "text") -> str:
    value = document.data.get(key)
    if isinstance(value, str) and value and (pattern is None or pattern.fullmatch(value)):
        return value
    if value is None:
        raise FileError(f"'{key}' is missing; it should be {what}", document.where(()))
    raise FileError(f"'{key}' should be {what}", document.where((key,)))


def _check(document: strictyaml.Document, value: Any, path: tuple[str | int, ...]) -> None:
    """Refuse keys that are no ids, ids that differ in case only, and data hidden under a dropped key."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            if not isinstance(item, str):
                _check(document, item, (*path, index))
    if not isinstance(value, dict):
        return
    if not all(map(_KEY_RE.fullmatch, value)) or len(set(map(str.lower, value))) < len(value):
        _refuse_key(document, value, path)
    for key, item in value.items():
        if isinstance(item, str) and key != "provenance":
            continue
        here = (*path, key)
        if key == "provenance":
            _check_provenance(document, item, here)
        elif key in canonical.NOT_ADJUDICATED:
            raise FileError(f"'{key}' holds text for people only and cannot be an id; rename it", document.where(here))
        else:
            _check(document, item, here)


def _join(value: Any) -> None:
    """Make one line of each title and name. It is not refused: games may have begun with it, and no rule reads it."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if not isinstance(item, str):
            _join(item)
        elif key in _ONE_LINE and "\n" in item:
            value[key] = item.replace("\n", " ")


def _refuse_key(document: strictyaml.Document, value: Mapping[str, Any], path: tuple[str | int, ...]) -> NoReturn:
    """Say which key of a mapping is none, or differs from another in capitals only: the first."""
    lower: dict[str, str] = {}
    for key in value:
        where = document.where((*path, key))
        if not _KEY_RE.fullmatch(key):
            what = f"{show(key)} cannot be a key; use letters, digits, '.', '/' and '-', at most 64 of them"
            raise FileError(what, where)
        if (twin := lower.setdefault(key.lower(), key)) != key:
            raise FileError(f"'{key}' and '{twin}' differ only in capitals; rename one", where)
    raise AssertionError("every key is good")


def _check_provenance(document: strictyaml.Document, value: Any, path: tuple[str | int, ...]) -> None:
    known = {"status", "note", "attested", "sections"}
    ok = isinstance(value, Mapping) and value.keys() <= known and value.get("status") in STATUSES
    if not ok or not isinstance(value.get("note", ""), str) or not isinstance(value.get("sections", {}), Mapping):
        raise FileError(
            f"provenance should be {{status, note}} with a status of {', '.join(STATUSES)}"
            " (and where needed attested, a list, and sections, a mapping of the same)",
            document.where(path),
        )
    for name, section in value.get("sections", {}).items():
        _check_provenance(document, section, (*path, "sections", name))


def _provenance(value: Any, path: tuple[str, ...]) -> Iterator[Provenance]:
    """Yield what the data say of themselves, in the order of the files, wholes before parts."""
    if not isinstance(value, dict):
        return
    if "provenance" in value:
        yield from _standing(value["provenance"], path)
    for key, item in value.items():
        if key not in canonical.NOT_ADJUDICATED:
            yield from _provenance(item, (*path, key))


def _standing(value: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Provenance]:
    yield Provenance("/".join(path), value["status"], value.get("note", ""))
    for name, section in value.get("sections", {}).items():
        yield from _standing(section, (*path, name))
