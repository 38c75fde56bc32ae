"""Shell completion of games, units, places and orders.

Only plain words are offered, because a shell inserts its input unchanged and opponents choose names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk.draft import wording
from kursk_pbem.desk.draft.completion import Completion, Word
from kursk_pbem.desk.own import desks, lookup, register
from kursk_pbem.desk.own.register import Known
from kursk_pbem.errors import KurskError
from kursk_pbem.game import folders, scenario_files, verified
from kursk_pbem.game.games import Game

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?")
_SHOWN = 60


def complete_games(home: Path, here: Path) -> list[Word]:
    """Return words that select a game of the player: the opponent's first name, if unique, and the game's id."""
    known = _list_games(home, here)
    words = []
    for game in known:
        about = _shorten_line(
            f"{game.opponent}, message {game.newest + 1} {'is yours' if game.waits else 'is awaited'}"
        )
        name = (game.opponent.casefold().split() or [""])[0]
        alone = sum(1 for other in known if any(one.casefold().startswith(name) for one in other.names)) == 1
        words += [Word(name, about)] if name and alone else []
        words.append(Word(game.short, about))
    return _filter_plain(words)


def complete_pieces(typed: str, home: Path, here: Path, *, places: bool) -> list[Word]:
    """Return the units of the selected game, with ``places`` also the places; [] unless one game is selected."""
    game = _find_game(typed, home, here)
    if game is None:
        return []
    words = game.ruleset.seen.words(game.setting)
    found = [
        Word(uid, _shorten_line(f"{words.unit(uid)}, {unit.place}")) for uid, unit in sorted(game.state.units.items())
    ]
    if places:
        picture = game.ruleset.seen.picture(game.setting, game.state)
        found += [Word(place.name.casefold(), _shorten_line(place.at)) for place in picture.places]
        found += [Word(region.id, _shorten_line(words.place(region.id))) for region in picture.regions]
    return _filter_plain(found)


def complete(typed: str, line: str, home: Path, here: Path) -> list[Word]:
    """Return the words that can complete the last word in a line of orders, as the draft allows.

    Writes no file. Without a draft, return only words that begin an order.
    """
    try:
        path = lookup.find_game(typed, home, here)
        desk = desks.open_desk(path if path.is_dir() else path.parent, home)
        draft = folders.draft_path(desk.folder, desk.seq)
        if not draft.exists():
            verbs = desk.game.ruleset.seen.verbs(desk.game.setting)
            return _filter_plain(Word(verb.name, _shorten_line(verb.text)) for verb in verbs if " " not in line)
        state = desks.preview_duties(desk, desk.unlocked()).middle
        words = Completion(wording.read_draft_file(desk, draft, folders.read_bytes(draft), state)).of(line)
    except (KurskError, OSError):
        return []
    return _filter_plain(Word(word.text, _shorten_line(word.about)) for word in words)


def complete_scenarios() -> list[Word]:
    """Return the words for the playable scenarios: each id, and each name that is unique."""
    known = scenario_files.list_ids()
    names = [scenario.partition("/")[2] for scenario in known]
    alone = [Word(name, scenario) for scenario, name in zip(known, names, strict=True) if names.count(name) == 1]
    return [*_filter_plain(map(Word, known)), *_filter_plain(alone)]


def list_rulesets(home: Path, here: Path) -> set[str]:
    """Return the rulesets of the player's games."""
    heads = [known.head.get("ruleset") for known in _list_games(home, here)]
    return {str(head.get("id")) for head in heads if isinstance(head, Mapping)}


def _list_games(home: Path, here: Path) -> Sequence[Known]:
    """Return the player's games; () if the private folder is unreadable, because other commands report the fault."""
    with suppress(KurskError):
        return register.list_games(home, here)
    return ()


def _find_game(typed: str, home: Path, here: Path) -> Game | None:
    try:
        path = lookup.find_game(typed, home, here)
        return verified.load(path if path.is_dir() else path.parent, home).game
    except (KurskError, OSError):
        return None


def _filter_plain(words: Iterable[Word]) -> list[Word]:
    return [word for word in words if _PLAIN.fullmatch(word.text)]


def _shorten_line(text: str) -> str:
    line = "".join(character for character in " ".join(text.split()) if character.isprintable())
    return line[:_SHOWN]
