"""Scenarios as files: find by id, read, merge and hash.

A scenario is a folder with four files, ``scenario.yaml``, ``map.yaml``, ``units.yaml`` and ``tables.yaml``. A folder
may omit the last three and name, as ``based-on``, a neighbouring folder with them. The merged data never change during
a game, because message 0 pins the hash (protocol 2.2). The four files of an older version are therefore kept in
``old/SHA256/`` in the scenario's folder (decision 75).

Keys that cannot alter an adjudication (`canonical.NOT_ADJUDICATED`) are not part of the hash. This module refuses ids
below such keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from kursk_pbem.errors import FileError, UsageError, Where
from kursk_pbem.formats import canonical, data, files, strictyaml, yamledit
from kursk_pbem.formats.text import show, to_utf8
from kursk_pbem.kernel.scenario import STATUSES, Provenance, Scenario

PARTS = ("scenario", "map", "units", "tables")
OLD = "old"
"""Name of the folder, inside a scenario's folder, with older versions of the scenario."""

_NAME = "[a-z0-9][a-z0-9-]{0,31}"
_NAME_RE = re.compile(_NAME)
_ID_RE = re.compile(f"{_NAME}/{_NAME}")
_SHA256_RE = re.compile("[0-9a-f]{64}")
_KEY_RE = re.compile("[A-Za-z0-9][A-Za-z0-9./-]{0,63}")
_ONE_LINE = frozenset(("title", "name", "short", "label"))
"""Texts printed inside our lines: a second line could imitate the program (T29)."""

_OWN_ID = re.compile(rb"(?m)^id: .*$")
_BORROWS = re.compile(rb"(?m)(?:^#.*\n)*^based-on: .*\n")  # with the comment above it

_ABOUT = """# {new}

A copy of {old}. Change the title in `scenario.yaml`.

`provenance` describes the parts of the original. Write `invented` for every part changed by you.
`kursk scenario check` reads the four files and lists the faults. Both players need the same files.
"""
"""The page of a copied scenario: the original's page describes the original's files."""

Contents = tuple[tuple[str, bytes], ...]
"""The files of a scenario in the order of `PARTS`: name and bytes."""


def load(folder: Path) -> Scenario:
    """Read the scenario in ``folder``; return the same object while the files have the same bytes.

    Raises FileError with the file and, if possible, the line of a fault. The ruleset later checks the values.
    """
    return load_contents(read_contents(folder))


@lru_cache(maxsize=16)
def load_contents(raw_files: Contents) -> Scenario:
    """Return the scenario made of four files; for equal bytes, the same object. Raises FileError."""
    return assemble(parse(raw_files))


def read_contents(folder: Path) -> Contents:
    """Return the four files of the scenario in ``folder``, some perhaps from its ``based-on`` folder.

    The folder of an older version contains all four. Raises FileError.
    """
    head = _read(folder / "scenario.yaml")
    older = folder.parent.name == OLD and _SHA256_RE.fullmatch(folder.name)
    base = None if older else _find_base(folder, *head)
    paths = [folder / f"{part}.yaml" for part in PARTS[1:]]
    return (head, *(_read(base / path.name if base and not path.exists() else path) for path in paths))


def find_versions(scenario_id: str, sha256: str, roots: Iterable[Path]) -> Iterator[Path]:
    """Yield folders that may contain a scenario's data with this hash. Current data come first, then older versions."""
    # Check the patterns first, so that only ids and hashes become parts of a path.
    if not _ID_RE.fullmatch(scenario_id):
        return
    for root in roots:
        folder = root.joinpath(*scenario_id.split("/"))
        if (folder / "scenario.yaml").exists():  # a pipe is named when it is read
            yield folder
        if _SHA256_RE.fullmatch(sha256) and (folder / OLD / sha256).is_dir():
            yield folder / OLD / sha256


def parse(raw_files: Contents) -> dict[str, strictyaml.Document]:
    """Parse a scenario's files: return part -> data. Titles and names must be in one line. Raises FileError."""
    parts = {part: _read_document(name, raw) for part, (name, raw) in zip(PARTS, raw_files, strict=True)}
    for document in parts.values():
        _check(document, document.data, ())
        _check_decor(document, drawn=document is parts["map"])
        _join(document.data)
    return parts


def assemble(parts: Mapping[str, strictyaml.Document]) -> Scenario:
    """Return the scenario made of four parsed files. Raises FileError."""
    head = parts["scenario"]
    merged = {part: document.data for part, document in parts.items()}
    return Scenario(
        id=_read_text(head, "id", _ID_RE, "an id such as my-rules/my-game: ruleset, slash, name, in small letters"),
        title=_read_text(head, "title"),
        ruleset=_read_text(head, "ruleset", _NAME_RE, "the id of a ruleset, as 'kursk scenario' shows it"),
        data=merged,
        sha256=canonical.scenario_hash(merged),
        provenance=tuple(_list_provenance(merged, ())),
    )


def find(scenario_id: str) -> Path:
    """Return the folder of a scenario. Raises UsageError if the id is unknown.

    A scenario of the program takes precedence over a player's scenario of the same id.
    """
    for folder in find_versions(scenario_id, "", data.scenario_roots()):
        return folder
    raise UsageError(
        f"there is no scenario {show(scenario_id)} here: put the scenario, as RULESET/NAME, into a "
        f"folder named in {data.SEARCH_PATH}; known scenarios: {', '.join(list_ids())}"
    )


def resolve_id(said: str) -> str:
    """Return a scenario's id from its id, its name, or a ruleset with only one scenario. Raises UsageError."""
    from difflib import get_close_matches  # noqa: PLC0415  only needed after a mistake

    known = list_ids()
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
    there = f"known scenarios: {', '.join(known)}; put your own into a folder named in {data.SEARCH_PATH}"
    more = f"; did you mean {names[near[0]]}?" if near else f"; {there}"
    raise UsageError(f"there is no scenario {show(said)}{more}")


def list_ids() -> list[str]:
    """Return the sorted ids of all scenarios."""
    heads = ((root, file) for root in data.scenario_roots() for file in root.glob("*/*/scenario.yaml"))
    ids = {file.parent.relative_to(root).as_posix() for root, file in heads}
    return sorted(scenario_id for scenario_id in ids if _ID_RE.fullmatch(scenario_id))


def copy(scenario_id: str, name: str, place: Path, places: Mapping[tuple[str, ...], str] | None = None) -> Path:
    """Copy a scenario's four files to ``RULESET/NAME`` below ``place``; this is the new id. Raises UsageError.

    Files from a ``based-on`` folder are copied too. The new title ends with ``name``, and README.md names the original.
    ``places``: the values to change, by the part and the keys in its file.
    """
    source = find(scenario_id)
    ruleset = scenario_id.partition("/")[0]
    new = f"{ruleset}/{name}"
    if not _NAME_RE.fullmatch(name):
        raise UsageError(f"{show(name)} is no name of a scenario: type at most 32 small letters, digits and '-'")
    if new in list_ids():
        raise UsageError(f"scenario {new} exists already; choose another name")
    written = {part: raw for part, (_name, raw) in zip(PARTS, read_contents(source), strict=True)}
    written["scenario"] = _BORROWS.sub(b"", _OWN_ID.sub(f"id: {new}".encode(), written["scenario"]))
    values = dict(places or {})
    values["scenario", "title"] = f"{load(source).title} ({name})"
    for (part, *keys), value in values.items():
        written[part] = yamledit.put_value(to_utf8(written[part]).decode(), tuple(keys), value).encode()
    folder = place / ruleset / name
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise UsageError(f"{folder} exists already; choose another name, or another --dir") from None
    for part, raw in written.items():
        (folder / f"{part}.yaml").write_bytes(raw)
    (folder / "README.md").write_bytes(_ABOUT.format(new=new, old=scenario_id).encode("ascii"))
    return folder


def _read(path: Path) -> tuple[str, bytes]:
    try:
        return str(path), files.read(path, canonical.MAX_BYTES)
    except FileNotFoundError:
        raise FileError(
            "this file of the scenario is missing; write the file, or name a neighboring folder that has the file as "
            "'based-on' in scenario.yaml",
            Where(str(path)),
        ) from None
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", Where(str(path))) from None


def _read_document(name: str, raw: bytes) -> strictyaml.Document:
    return strictyaml.read_edited(raw, name, "scenario")


_head = lru_cache(maxsize=16)(_read_document)


def _find_base(folder: Path, name: str, raw: bytes) -> Path | None:
    head = _head(name, raw)
    if "based-on" not in head.data:
        return None
    # A path instead of a plain name could reach files elsewhere that the owner does not see.
    return folder.parent / _read_text(head, "based-on", _NAME_RE, "the plain name of a neighboring folder")


def _read_text(
    document: strictyaml.Document, key: str, pattern: re.Pattern[str] | None = None, what: str = "text"
) -> str:
    value = document.data.get(key)
    if isinstance(value, str) and value and (pattern is None or pattern.fullmatch(value)):
        return value
    if value is None:
        raise FileError(f"'{key}' is missing and should be {what}", document.where(()))
    raise FileError(f"'{key}' should be {what}", document.where((key,)))


def _check(document: strictyaml.Document, value: Any, path: tuple[str | int, ...]) -> None:
    """Refuse invalid keys, ids that differ only in case, and data below a key for people's texts."""
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
            if here != (canonical.DECOR,):
                msg = f"'{key}' holds text for people only and cannot be an id; rename it"
                raise FileError(msg, document.where(here))
            _check(document, item, here)
        else:
            _check(document, item, here)


def _check_decor(document: strictyaml.Document, *, drawn: bool) -> None:
    """Refuse drawing data outside of the top of a map, where a rule could read it, and drawing data without a status.

    ``drawn``: the file is a map.
    """

    def visit(value: Any, path: tuple[str | int, ...]) -> None:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            here = (*path, key)
            if key == canonical.DECOR and not (drawn and here == (canonical.DECOR,) and isinstance(item, dict)):
                msg = f"'{key}' is the name of a map's drawing data, so no rule may use this word; rename it"
                raise FileError(msg, document.where(here))
            if not isinstance(item, str):
                visit(item, here)

    visit(document.data, ())
    decor = document.data.get(canonical.DECOR)
    if isinstance(decor, dict) and "provenance" not in decor:
        where = document.where((canonical.DECOR,))
        raise FileError(f"'{canonical.DECOR}' needs a provenance: {', '.join(STATUSES)}", where)


def _join(value: Any) -> None:
    """Join each title and name to one line. A refusal would stop old games."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if not isinstance(item, str):
            _join(item)
        elif key in _ONE_LINE and "\n" in item:
            value[key] = item.replace("\n", " ")


def _refuse_key(document: strictyaml.Document, value: Mapping[str, Any], path: tuple[str | int, ...]) -> NoReturn:
    """Raise FileError for the first key of a mapping that is invalid or differs from another only in capitals."""
    lower: dict[str, str] = {}
    for key in value:
        where = document.where((*path, key))
        if not _KEY_RE.fullmatch(key):
            what = f"{show(key)} cannot be a key; use letters, digits, '.', '/' and '-', at most 64 characters"
            raise FileError(what, where)
        if (twin := lower.setdefault(key.lower(), key)) != key:
            raise FileError(f"'{key}' and '{twin}' differ only in capitals; rename one of the keys", where)
    raise AssertionError("every key is good")


def _check_provenance(document: strictyaml.Document, value: Any, path: tuple[str | int, ...]) -> None:
    known = {"status", "note", "attested", "sections"}
    ok = isinstance(value, Mapping) and value.keys() <= known and value.get("status") in STATUSES
    if not ok or not isinstance(value.get("note", ""), str) or not isinstance(value.get("sections", {}), Mapping):
        raise FileError(
            f"provenance needs 'status' ({', '.join(STATUSES)}). Possible are also 'note', 'attested' (a list) and "
            "'sections' (a mapping to provenances)",
            document.where(path),
        )
    for name, section in value.get("sections", {}).items():
        _check_provenance(document, section, (*path, "sections", name))


def _list_provenance(value: Any, path: tuple[str, ...]) -> Iterator[Provenance]:
    """Yield the provenance of all parts in the order of the files, wholes before parts."""
    if not isinstance(value, dict):
        return
    if "provenance" in value:
        yield from _list_sections(value["provenance"], path)
    for key, item in value.items():
        if key not in canonical.NOT_ADJUDICATED or key == canonical.DECOR:
            yield from _list_provenance(item, (*path, key))


def _list_sections(value: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Provenance]:
    yield Provenance("/".join(path), value["status"], value.get("note", ""))
    for name, section in value.get("sections", {}).items():
        yield from _list_sections(section, (*path, name))
