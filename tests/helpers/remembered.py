"""Caches for many desks in a process that read the same papers.

Equal bytes are read only once, equal signatures checked once, equal messages in equal positions adjudicated once. For
equal positions and drafts, plans of the practice opponent, their worths, ideas, examples and views are found once.
Only for test folders with many desks (``MANY_DESKS`` in tests/conftest.py); other folders test reader, signatures and
rules without a cache. Refused files are not cached.
"""

from __future__ import annotations

import copy
import json
import marshal
from functools import lru_cache
from importlib import import_module
from typing import Any

from kursk_pbem.desk.draft import prospects
from kursk_pbem.desk.draft.examples import Examples
from kursk_pbem.errors import FileError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.game import games
from kursk_pbem.kernel import late
from kursk_pbem.kernel.ideas import be_calm
from kursk_pbem.kernel.state import State
from kursk_pbem.practice import levels
from kursk_pbem.practice.hints import _Adviser
from kursk_pbem.practice.levels import Thoughts
from kursk_pbem.trust import ed25519

_build, _verify, _adjudicate = strictyaml._Builder.build, ed25519.verify, games.adjudicate
_show_example = Examples.of
_find_ideas, _propose, _look_ahead = _Adviser.find_ideas, Thoughts.propose, Thoughts.look_ahead
_MOST = 256


@lru_cache(maxsize=4096)
def _read_plain(raw: bytes, anywhere: bool, free: frozenset[str]) -> tuple[bytes, int, int]:
    builder = strictyaml._Builder("", "message")
    builder.anywhere, builder.free_keys = anywhere, free
    document = _build(builder, raw)
    return marshal.dumps(document.data), document.values, document.holders


def _build_document(builder: Any, raw: bytes) -> Document:
    """Return the document of some bytes, with a fresh copy of its data."""
    try:
        data, values, holders = _read_plain(raw, builder.anywhere, builder.free_keys)
    except FileError:
        return _build(builder, raw)
    said = marshal.loads(data)  # noqa: S302  our own bytes
    return Document(said, builder.name, raw, values=values, holders=holders)


_adjudicated: dict[Any, Any] = {}


def _by_the_rules(ruleset: Any, setting: Any, before: Any, filing: Any, dice: Any) -> Any:
    """Adjudicate a message, with a cache except for invented dice."""
    if not isinstance(dice, games.SeedDice | None):
        return _adjudicate(ruleset, setting, before, filing, dice)
    key, asked = (before.sha256(), filing.seq, filing.writer), (before, filing, dice)
    known = _adjudicated.get(key)
    if known is None or known[0] is not ruleset or known[1] is not setting or known[2] != asked:
        if len(_adjudicated) >= _MOST:
            _adjudicated.clear()
        known = _adjudicated[key] = ruleset, setting, asked, _adjudicate(ruleset, setting, before, filing, dice)
    return known[3]


def _write_key(value: Any) -> str:
    return value.sha256() if isinstance(value, State) else json.dumps(value, sort_keys=True, default=repr)


_thoughts: dict[Any, Any] = {}


def _think_once(think: Any) -> Any:
    """Return a method of thoughts about a message with a cache for calm plans. Settings and ideas are kept, too."""

    def thought(mind: Any, *known: Any) -> Any:
        if any(callable(each) and each is not be_calm for each in known):
            return think(mind, *known)
        key = think.__name__, levels.EXACT, mind.seed, id(mind.setting), id(mind.ideas), *map(_write_key, known)
        if key not in _thoughts:
            if len(_thoughts) >= _MOST:
                _thoughts.clear()
            _thoughts[key] = mind, think(mind, *known)
        return copy.deepcopy(_thoughts[key][1])

    return thought


_advised: dict[Any, Any] = {}


def _advise_once(adviser: Any) -> Any:
    """Return the ideas for a draft, with a cache for equal drafts in equal positions of a game."""
    sheet = adviser.sheet
    own = prospects.list_sealed(sheet.desk.game, sheet.state, sheet.desk.own)
    key = sheet.desk.game.chain.game, sheet.text, levels.EXACT, *map(_write_key, (sheet.state, own))
    if key not in _advised:
        if len(_advised) >= _MOST:
            _advised.clear()
        _advised[key] = _find_ideas(adviser)
    return copy.deepcopy(_advised[key])


_examples: dict[Any, Any] = {}


def _show_once(shown: Any, verb: Any) -> str:
    """Return the example of a verb, with a cache for equal drafts in equal positions of a game."""
    sheet = shown._sheet
    key = sheet.desk.game.chain.game, verb.name, sheet.text, sheet.state.sha256()
    if key not in _examples:
        if len(_examples) >= 4 * _MOST:
            _examples.clear()
        _examples[key] = _show_example(shown, verb), shown.why.get(verb.name)
    example, why = _examples[key]
    if why is not None:
        shown.why.setdefault(verb.name, why)
    return str(example)


_VIEWS = {"make_hints", "find_unused", "make_outlook", "list_chances", "list_declared", "draw_picture"}
_seen: dict[Any, Any] = {}


class _Views:
    """A module of views, with a cache for its dear functions. Views are frozen, so nothing is copied."""

    def __init__(self, name: str) -> None:
        self.module = import_module(name)

    def __getattr__(self, name: str) -> Any:
        view = getattr(self.module, name)
        if name not in _VIEWS:
            return view

        def look(setting: Any, *known: Any) -> Any:
            key = view, id(setting), *map(_write_key, known)
            if key not in _seen:
                if len(_seen) >= 4 * _MOST:
                    _seen.clear()
                _seen[key] = setting, view(setting, *known)
            return _seen[key][1]

        return look


def watch_views(patch: Any) -> None:
    """Cache ideas, examples and views from now on."""
    patch.setattr(_Adviser, "find_ideas", _advise_once)
    patch.setattr(Examples, "of", _show_once)
    patch.setattr(late, "import_module", _Views)


def watch(patch: Any) -> None:
    """Cache reading, signatures, adjudication and calm plans from now on."""
    patch.setattr(Thoughts, "propose", _think_once(_propose))
    patch.setattr(Thoughts, "look_ahead", _think_once(_look_ahead))
    patch.setattr(strictyaml._Builder, "build", _build_document)
    patch.setattr(games, "adjudicate", _by_the_rules)
    patch.setattr(ed25519, "verify", lru_cache(maxsize=4096)(_verify))
