"""The set-up of a scenario from a position saved by VASSAL with the scenario's module. Anything may be in the file."""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kursk_pbem.audit.vassal.encode import MARK
from kursk_pbem.audit.vassal.scenes import load_stage
from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import files, zipped
from kursk_pbem.formats.text import show

MAX_BYTES, MAX_FILES = 4 * 1024 * 1024, 100
Keys = tuple[str, ...]
_TEXT, _DAMAGED = "savedGame", "this is no position saved by VASSAL; save the set-up with 'Save game' of the module"
_COUNTER = re.compile(
    r"/([A-Za-z0-9](?:[A-Za-z0-9.-]|\\{1,4}/){0,63}),[a-z]{1,32}\t-?[0-9]{1,4}\\{0,8}\tMain;(-?[0-9]{1,6});(-?[0-9]{1,6});"
)
"""The state of a counter of our module: id and side, look, map with x and y."""


def read_set_up(path: Path, scenario_id: str) -> dict[Keys, str]:
    """Return the counters moved in a set-up saved by VASSAL: keys in the scenario -> new place. Raises FileError."""
    stage = load_stage(scenario_id)
    spots, opening = dict[str, tuple[int, int]](), stage.place_counters(stage.opening)
    for uid, x, y in _COUNTER.findall(_read_text(path)):
        if spots.setdefault(uid.replace("\\", ""), (int(x), int(y))) != (int(x), int(y)):
            raise FileError(f"two counters of {show(uid)} are on the map; remove one", Where(str(path)))
    if missing := sorted(opening.keys() - spots.keys()):
        what = f"no counter of {missing[0]} in this set-up" if spots else "no counters of a kursk-pbem module"
        raise FileError(f"{what}; 'kursk scenario --vassal {scenario_id}' writes the module", Where(str(path)))
    pattern, places = stage.ruleset.data.places, dict[Keys, str]()
    keys = dict(_list_keys(stage.setting.scenario.data, pattern, ()))
    for uid in sorted(opening):
        if spots[uid] != opening[uid][:2]:
            if not (place := stage.find_place(*spots[uid])):
                raise FileError(f"the counter {uid} is outside the map; move it onto the map", Where(str(path)))
            places[keys.get(uid, (*pattern[:-1], uid))] = place
    return places


def _list_keys(data: Any, pattern: Keys, keys: Keys) -> Iterator[tuple[str, Keys]]:
    """Yield each unit of the data that has a place, and the keys above the place."""
    if len(keys) == len(pattern):
        yield keys[-1 - pattern[::-1].index("*")], keys
        return
    for key in data if pattern[len(keys)] == "*" else {pattern[len(keys)]} & data.keys():
        yield from _list_keys(data[key], pattern, (*keys, key))


def _read_text(path: Path) -> str:
    """Return the commands of a saved position: hidden by VASSAL to 3.7, compressed from 3.8. Raises FileError."""
    try:
        raw = files.read(path, MAX_BYTES)
        found = dict(zipped.read_zip(raw, MAX_BYTES, MAX_FILES, lambda info: info.filename == _TEXT, _DAMAGED))
        text = found.get(_TEXT, b"")
        if text.startswith(b"\xfd7zXZ"):
            text = lzma.LZMADecompressor(memlimit=16 * MAX_BYTES).decompress(text, MAX_BYTES)
        elif text.startswith(MARK.encode()):
            key, *hidden = bytes.fromhex(text[len(MARK) :].decode("ascii"))
            text = bytes(byte ^ key for byte in hidden)
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", Where(str(path))) from None
    except (FileError, ValueError, lzma.LZMAError) as error:
        raise FileError(error.message if isinstance(error, FileError) else _DAMAGED, Where(str(path))) from None
    return text.decode("utf-8", "replace")
