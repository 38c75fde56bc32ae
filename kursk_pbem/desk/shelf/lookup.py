"""Which game a player means: nothing typed, part of an id, the opponent's name, a folder, a message or a draft file.

``boris/3`` is message 3 of the game with Boris, wherever its folder lies. What is read here only chooses among games: a
command verifies the one that was chosen, and says which it is.

One rule for every command: a word without a slash or an ending may be a name. If it names a game, a file or folder of
the same name counts only if it can be meant, and then the word is refused, because nobody knows which is meant.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk.shelf.register import Known, at_hand, every, is_game, is_whole, of_game, placed, said, short
from kursk_pbem.errors import KurskError, UsageError, shell_word
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import folders, journal
from kursk_pbem.game.journal import Record, Slot

LEAST = 4
"""Digits of an id that name a game, where ``game-`` does not stand before them."""
_PATH = re.compile(r"[\\/]|\.(ya?ml|json|eml|mbox|txt)\Z")


class NoGameError(UsageError):
    """No game is meant by what was typed; perhaps the private folder is the wrong one."""


class SeveralGamesError(UsageError):
    """Several games may be meant: ``found``. The player is asked, or told what to type."""

    def __init__(self, games: Sequence[Known], why: str) -> None:
        listed = "".join(f"\n  {known.short}  {known}, {_due(known)}" for known in games)
        super().__init__(f"{why}; name one by the first digits of its id, such as {games[0].short!r}:{listed}")
        self.found = tuple(games)
        self.why = why


def _due(known: Known) -> str:
    if known.waits:
        return f"message {known.newest + 1} is yours"
    return f"message {known.newest + 1} is for {known.writer} to write" if known.writer else "over"


def find(typed: str, home: Path, here: Path) -> Path:
    """What was typed, as a path: a game folder, or the message or draft file that was named.

    '' is the game folder that one stands in, otherwise the one game that waits for this player. NoGameError,
    SeveralGamesError; UsageError if its folder is gone.
    """
    path = _path(typed, home, here) if typed else _stood_in(home, here) if is_game(here) else None
    if path is not None:
        return path
    games = every(home, here)
    matches = _matching(typed, games) if typed else list(games)
    if typed and not matches:
        matches = _matching(typed, at_hand(here))
    if not matches:
        raise _none(typed, games)
    return there(narrow(matches, typed))


def systems(home: Path, here: Path) -> tuple[str, ...]:
    """The systems of the games that may be meant where nothing is typed, as message 0 says; none where none is."""
    try:
        heads = [said(folders.proposal_path(find("", home, here)))]
    except SeveralGamesError as error:
        heads = [known.head for known in error.found]
    except KurskError:
        return ()
    return tuple(str(head["ruleset"]["id"]) for head in heads if isinstance(head.get("ruleset"), dict))


def _stood_in(home: Path, here: Path) -> Path | None:
    """The game folder one stands in; None where mails of games were saved and nothing more. UsageError."""
    if any(here.glob("report-*.txt")):  # every message that is taken or signed leaves one
        return Path()
    own = None
    with suppress(KurskError):
        game = folders.read_message(folders.proposal_path(here)).id
        own = journal.find(home, game)
        place = here / folders.folder_name(game)  # a relaying referee's
        if own is None and is_game(place):
            return short(place)
    if own is None:  # of others, or a proposal that was saved beside games of one's own
        begun = folders.message_path(here, 1).is_file()
        return Path() if begun or all(known.own is None for known in every(home, here)) else None
    return Path() if _same(there(placed(own, here)), here) else None


def _none(typed: str, games: Sequence[Known]) -> UsageError:
    """Why nothing was found."""
    if not typed:
        return NoGameError("there is no game here")
    why = f"{typed}: there is no such file or folder, and no game is called so"
    if re.fullmatch(f"[0-9]{{1,{LEAST}}}", typed):
        why += f" (message {int(typed)} of a game is 'NAME/{int(typed)}')"
    elif re.fullmatch(f"[0-9a-f]{{1,{LEAST - 1}}}", typed.casefold()):
        why += f" (of an id give {LEAST} digits or more)"
    return UsageError(f"{why}; 'kursk status' lists your games") if games else NoGameError(why)


def of_draft(raw: bytes, name: str, home: Path, here: Path) -> Path:
    """The folder of the game that a draft from elsewhere names. FileError, NoGameError."""
    game = strictyaml.read_edited(raw, name).data.get("game")
    games = [known for known in every(home, here) if known.game == game]
    if not games:
        raise NoGameError(f"{name}: no game of yours is the one that this draft names")
    return there(games[0])


def last_place(typed: str, home: Path, here: Path) -> Path:
    """Where the folder of a game lay last, whether it is there or not; what names no game is a path, as it stands."""
    path = Path(typed)
    matches = [] if _PATH.search(typed) or typed.startswith("game-") else _matching(typed, every(home, here))
    with suppress(OSError, ValueError):
        if path.is_dir():
            _need_same(typed, path, matches)
            return path
    return narrow(matches, typed).folder if matches else path


def there(known: Known) -> Path:
    """The folder of a game. UsageError if it is gone."""
    if known.here:
        return known.folder
    raise UsageError(
        f"{known}: its folder is not in {known.folder} any more. If you have moved it, go to the folder that it lies "
        f"in now and give the command again; if it is lost, 'kursk restore {shell_word(known.folder)} MAILS' makes it "
        f"anew. 'kursk status --forget {known.short}' leaves the game out of your list"
    )


def gone(typed: str, home: Path, here: Path) -> Known:
    """The game that is meant among those whose folder is gone. UsageError, also where the folder is there."""
    games = every(home, here)
    matches = _matching(Path(typed).name, games)
    if not matches:
        raise _none(typed, games)
    lost = [known for known in matches if not known.here]
    if not lost:
        raise UsageError(f"the folder of {matches[0]} is there: a game leaves the list once its folder is gone")
    return narrow(lost, typed)


def _path(typed: str, home: Path, here: Path) -> Path | None:
    """A path that was typed; None if it is rather the name of a game."""
    path = Path(typed)
    try:
        if path.is_dir():
            matches = _called_too(typed, home, here)
            if is_game(path):
                _need_same(typed, path, matches)
            return path if is_game(path) or not matches else None
        if path.exists():
            return None if _only_named(typed, home, here) else _own_copy(path, home, here)
    except (OSError, ValueError):  # a name too long, a NUL
        return path
    if not _PATH.search(typed):
        return None
    within, name = os.path.split(typed)
    if not within or path.parent.is_dir():  # a key may be called like the game
        return path
    games = every(home, here)
    matches = [known for known in games if path.parent.name == folders.folder_name(known.game)] or _matching(
        within, games
    )
    if not matches:
        return path
    name = f"{int(name):04d}.yaml" if re.fullmatch("[0-9]{1,4}", name) else name
    having = [known for known in matches if (known.folder / name).is_file()]
    return there(narrow(having or matches, within)) / name


def _own_copy(path: Path, home: Path, here: Path) -> Path:
    """The file of a game folder that says the very same as this copy of it from a mail; the copy, if there is none.

    A folder in which mails were saved looks like the game's, too: where a private record knows another, that is meant.
    """
    with suppress(KurskError):
        message = folders.read_message(path)
        game = message.id if message.seq == 0 else str(message.content.get("game", ""))
        for known in every(home, here):
            if known.own is None and is_game(path.parent):
                continue
            mine = folders.message_path(known.folder, message.seq)
            if known.game == game and mine.is_file() and folders.read_message(mine).id == message.id:
                return mine
    return path


def _matching(typed: str, games: Sequence[Known]) -> list[Known]:
    """The games that a word names: by the beginning of the id, or of a word of a name; the whole name comes first."""
    word = typed.casefold().strip()
    digits = word.removeprefix("game-")
    is_id = bool(re.fullmatch("[0-9a-f]{1,64}", digits)) and (digits != word or len(digits) >= LEAST)
    exact = [known for known in games if word in {name.casefold() for name in known.names}]
    if exact or not word:
        return exact
    return [known for known in games if (is_id and known.game.startswith(digits)) or _called(word, known.names)]


def _called(word: str, names: Sequence[str]) -> bool:
    return len(word) > 1 and any(re.search(rf"(?:\A|\W){re.escape(word)}", name.casefold()) for name in names)


def _continues(known: Known, games: Iterable[Known]) -> bool:
    """Whether a game is the mere proposal of a successor of one of these, which goes on without it."""
    said = known.head.get("continues")
    elder = said.get("game") if isinstance(said, dict) else ""
    return known.newest == 0 and elder in {other.game for other in games}


def narrow(games: Sequence[Known], typed: str = "") -> Known:
    """Of several games the one that waits for this player; if none waits the only one that goes on.

    SeveralGamesError if that is not one.
    """
    if len(games) == 1:
        return games[0]
    waiting = [known for known in games if known.waits]
    running = [known for known in games if known.writer]
    going = waiting or [known for known in running if not _continues(known, running)] or running or list(games)
    if len(going) == 1:
        return going[0]
    what = f"{len(going)} games are called {typed!r}" if typed else f"{len(going)} games"
    if waiting:
        how = " and wait for you" if typed else " wait for you"
    elif running:
        how = ", and none of them waits for you" if typed else " go on, and none of them waits for you"
    else:
        how = ""
    raise SeveralGamesError(going, what + how)


def _called_too(word: str, home: Path, here: Path) -> list[Known]:
    """The games that a word names although something else is called so: none for what is written as a path."""
    return [] if _PATH.search(word) else _matching(word, every(home, here))


def _need_same(word: str, folder: Path, games: Sequence[Known]) -> None:
    """UsageError if a word names games, and a folder that holds none of them."""
    if games and folders.game_in(folder) not in {known.game for known in games}:
        raise UsageError(f"{word} is a folder here, and a game is called so: write './{word}' if the folder is meant")


def _only_named(word: str, home: Path, here: Path, *, files: bool = False) -> bool:
    """Whether a word names a game, and the file that is called so cannot be meant. UsageError if it can.

    ``files``: any file may be meant, otherwise one of a game.
    """
    called = bool(_called_too(word, home, here))
    if called and (files or of_game(Path(word))):
        raise UsageError(f"{word} is a file here, and a game is called so: write './{word}' if the file is meant")
    return called


def named(word: str, home: Path, here: Path, *, files: bool = False) -> bool:
    """Whether a word names a game, where it might be something else. UsageError where it names a game and a file.

    ``files``: the command takes other files, too, so that any file may be meant; otherwise only one of a game.
    """
    try:
        path = Path(word)
        if path.is_file():
            return _only_named(word, home, here, files=files) or of_game(path)
        return bool(_matching(word, every(home, here))) or (path.is_dir() and is_game(path))
    except (OSError, ValueError):
        return bool(_matching(word, every(home, here)))


def need_one(word: str, home: Path, here: Path) -> None:
    """UsageError if a word names a file or folder, either of which may be meant, and a game that does not lie there."""
    path = Path(word)
    if path.is_dir():
        _need_same(word, path, _called_too(word, home, here))
    elif path.exists():
        _only_named(word, home, here, files=True)


def typed(game: str, among: Sequence[Known]) -> str:
    """What stands behind a command to mean this game: nothing where that is clear, otherwise the digits of its id.

    ``among``: all games of the player.
    """
    with suppress(UsageError):
        if among and narrow(among).game == game:
            return ""
    return f" {game[:8]}"


def is_path(word: str) -> bool:
    """Whether a word can only be a file or folder of a game: it is written like one, or one is called so."""
    return _PATH.search(word) is not None or of_game(Path(word)) or is_game(Path(word))


def draft(path: Path) -> Path:
    """The draft of the message that is due in a game, there or not; any file stays as it is. UsageError, TrustError."""
    return folders.draft_path(path, len(folders.message_files(path))) if path.is_dir() else path


def ahead(path: Path, home: Path) -> Path:
    """The draft in a game folder, if this player has one there; otherwise the folder. Any file stays as it is."""
    if not path.is_dir():
        return path
    known = next((known for known in every(home, path) if _same(known.folder, path)), None)
    if known is None or known.own is None or not known.waits:
        return path
    due = folders.draft_path(path, known.newest + 1)
    return due if due.is_file() else path


def damaged(file: str, home: Path) -> str:
    """Return what to do about a damaged message file of one's own game; '' if no file is damaged.

    ``file`` is what an error names. The damaged file may be that of an earlier message. A file that holds its message
    as it was signed stays where it is: something else is missing then, such as the data of the scenario.
    """
    path = Path(file)
    if not re.fullmatch(r"[0-9]{4}\.yaml", path.name):
        return ""
    records, _faults = journal.every(home)
    for own in records:
        if _same(Path(own.folder), path.parent):
            for seq in range(int(path.stem) + 1):
                slot, there = own.slot(seq), folders.message_path(path.parent, seq)
                if slot is not None and not is_whole(there, slot.id):
                    return _heal(own, slot, there)
    return ""


def _heal(own: Record, slot: Slot, path: Path) -> str:
    aside = f"move {path} away, and " if path.exists() else ""
    command = f"'kursk restore {shell_word(path.parent)}{'' if slot.text else ' MAILS'}'"
    again = f"{aside}{command}{'' if slot.text else ', with copies of the mails,'} writes it again"
    return f"your journal knows message {own.game[:8]}/{slot.seq}, so it was whole once: {again}"


def _same(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.resolve() == other.resolve()
    return False


__all__ = [
    "Known",
    "NoGameError",
    "SeveralGamesError",
    "ahead",
    "at_hand",
    "damaged",
    "draft",
    "every",
    "find",
    "gone",
    "is_game",
    "is_path",
    "last_place",
    "named",
    "narrow",
    "need_one",
    "of_draft",
    "there",
    "typed",
]
