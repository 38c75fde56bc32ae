"""What a shell can complete in a command: the games of a player, and the units, places and order words of one.

A shell puts what it gets into the command line as it is, and names come from opponents: so only plain words go out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk import desks
from kursk_pbem.desk.draft import wording
from kursk_pbem.desk.draft.completion import Completion, Word
from kursk_pbem.desk.shelf import lookup
from kursk_pbem.desk.shelf.register import Known
from kursk_pbem.errors import KurskError
from kursk_pbem.game import folders, scenario_files, verified
from kursk_pbem.game.games import Game

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?")
_SHOWN = 60


def of_games(home: Path, here: Path) -> list[Word]:
    """The games of a player: the first word of the opponent's name where only one is called so, and the id."""
    known = _known(home, here)
    words = []
    for game in known:
        about = _line(f"{game.opponent}, message {game.newest + 1} {'is yours' if game.waits else 'is awaited'}")
        name = (game.opponent.casefold().split() or [""])[0]
        alone = sum(1 for other in known if any(one.casefold().startswith(name) for one in other.names)) == 1
        words += [Word(name, about)] if name and alone else []
        words.append(Word(game.short, about))
    return _plain(words)


def units(typed: str, home: Path, here: Path) -> list[Word]:
    """The units of the game that is meant, by id; nothing if that is not clear."""
    game = _game(typed, home, here)
    if game is None:
        return []
    words = game.ruleset.seen.words(game.setting)
    every = sorted(game.state.units.items())
    return _plain(Word(uid, _line(f"{words.unit(uid)}, {unit.place}")) for uid, unit in every)


def pieces(typed: str, home: Path, here: Path) -> list[Word]:
    """The units and places of the game that is meant; nothing if that is not clear."""
    game = _game(typed, home, here)
    if game is None:
        return []
    words = game.ruleset.seen.words(game.setting)
    picture = game.ruleset.seen.picture(game.setting, game.state)
    named = [Word(place.name.casefold(), _line(place.at)) for place in picture.places]
    regions = [Word(region.id, _line(words.place(region.id))) for region in picture.regions]
    return [*units(typed, home, here), *_plain([*named, *regions])]


def orders(typed: str, line: str, home: Path, here: Path) -> list[Word]:
    """What the last word of a line of orders can be, as the draft of the game that is meant lies there.

    Nothing is written: without a draft it is only the first words of orders, and nothing if no game is clear.
    """
    try:
        path = lookup.find(typed, home, here)
        desk = desks.sit(path if path.is_dir() else path.parent, home)
        draft = folders.draft_path(desk.folder, desk.seq)
        if not draft.exists():
            verbs = desk.game.ruleset.seen.verbs(desk.game.setting)
            return _plain(Word(verb.name, _line(verb.text)) for verb in verbs if " " not in line)
        state = desks.duties(desk, desk.unlocked()).middle
        words = Completion(wording.sheet_of(desk, draft, folders.read_bytes(draft), state)).of(line)
    except (KurskError, OSError):
        return []
    return _plain(Word(word.text, _line(word.about)) for word in words)


def scenarios() -> list[Word]:
    """The scenarios that can be played, by id, and by the name that no other has."""
    known = scenario_files.available()
    names = [scenario.partition("/")[2] for scenario in known]
    alone = [Word(name, scenario) for scenario, name in zip(known, names, strict=True) if names.count(name) == 1]
    return [*_plain(map(Word, known)), *_plain(alone)]


def played(home: Path, here: Path) -> set[str]:
    """The rulesets of the games that this player knows."""
    heads = [known.head.get("ruleset") for known in _known(home, here)]
    return {str(head.get("id")) for head in heads if isinstance(head, Mapping)}


def _known(home: Path, here: Path) -> Sequence[Known]:
    """The games of a player; none where nobody may look for them, which is said elsewhere."""
    with suppress(KurskError):
        return lookup.every(home, here)
    return ()


def _game(typed: str, home: Path, here: Path) -> Game | None:
    """The game that is meant; None if that is not clear, or it cannot be read."""
    try:
        path = lookup.find(typed, home, here)
        return verified.load(path if path.is_dir() else path.parent, home).game
    except (KurskError, OSError):
        return None


def _plain(words: Iterable[Word]) -> list[Word]:
    return [word for word in words if _PLAIN.fullmatch(word.text)]


def _line(text: str) -> str:
    """A short line for a list beside the words."""
    line = "".join(character for character in " ".join(text.split()) if character.isprintable())
    return line[:_SHOWN]
