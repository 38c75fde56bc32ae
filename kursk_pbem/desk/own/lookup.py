"""Selection of a game by nothing, part of an id, the opponent's name, a folder, a message file or a draft file.

``boris/3`` is message 3 of the game with Boris, in any folder, ``boris/last`` the newest. This module only selects;
commands verify the selected game.

A word without a slash or a suffix may be a name. A game folder comes before a name, and a name before other files:
``./boris`` is the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk.own import missing
from kursk_pbem.desk.own.register import (
    Known,
    fold_name,
    is_game_file,
    is_unreadable,
    list_games,
    list_nearby,
    locate_game,
    read_fields,
    shorten_path,
)
from kursk_pbem.errors import KurskError, LostError, UsageError, shell_word
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import folders, journal

LEAST = 4
"""Minimum number of id digits without the prefix ``game-``."""
NO_GAME = (
    "there is no game here: 'kursk demo' plays one to look at, 'kursk accept FILE' takes a proposal, and "
    "'kursk scenario' lists what to propose"
)
LAST = "last"
"""Name of a game's newest message, as in ``boris/last``."""
_PATH = re.compile(r"[\\/]|\.(ya?ml|json|eml|mbox|txt|zip|tar|t?gz|xz|bz2)\Z")


class NoGameError(UsageError):
    """The typed text names no game. Perhaps the private folder is wrong."""


class SeveralGamesError(UsageError):
    """The typed text matches several games (``found``). ``say``: a function for the words that select a game."""

    def __init__(self, games: Sequence[Known], why: str, say: Callable[[str], str] = str) -> None:
        listed = "".join(f"\n  {known.short}  {known}, {_describe_due(known)}" for known in games)
        super().__init__(f"{why}; name a game by the first digits of the id, such as {say(games[0].short)!r}:{listed}")
        self.found = tuple(games)
        self.why = why


def _describe_due(known: Known) -> str:
    if known.own is not None and (lost := missing.list_missing(known.folder, known.own, known.newest + 1)):
        return f"message {lost[0].seq} is missing from the folder"
    if known.waits:
        return f"message {known.newest + 1} is yours"
    return f"message {known.newest + 1} is for {known.writer} to write" if known.writer else "over"


def find_game(typed: str, home: Path, here: Path) -> Path:
    """Return the path meant by a typed text: a game folder, or a message or draft file.

    '' means the current game folder, or else the only game that waits for the player. Raises NoGameError,
    SeveralGamesError, or UsageError if the folder is missing.
    """
    current = not typed and folders.is_game_folder(here)
    path = _find_current(home, here) if current else _resolve_path(typed, home, here) if typed else None
    if path is not None:
        return path
    games = list_games(home, here)
    matches = _match_games(typed, games) if typed else list(games)
    if typed and not matches:
        matches = _match_games(typed, list_nearby(here))
    if not matches:
        raise _make_missing_error(typed, games)
    return require_folder(choose_game(matches, typed))


def list_systems(home: Path, here: Path) -> tuple[str, ...]:
    """Return the rulesets of the games that a command could mean when the user names no game."""
    try:
        heads = [read_fields(folders.proposal_path(find_game("", home, here)))]
    except SeveralGamesError as error:
        heads = [known.head for known in error.found]
    except KurskError:
        return ()
    return tuple(str(head["ruleset"]["id"]) for head in heads if isinstance(head.get("ruleset"), dict))


def _find_current(home: Path, here: Path) -> Path | None:
    """Return the current game folder, or None for a folder of saved mails. Raises UsageError."""
    if any(here.glob("report-*.txt")):  # accepting or signing a message writes a report
        return Path()
    own = None
    with suppress(KurskError):
        game = folders.read_message(folders.proposal_path(here)).id
        own = journal.find(home, game)
        place = here / folders.folder_name(game)  # the folder of a relaying referee
        if own is None and folders.is_game_folder(place):
            return shorten_path(place)
    if own is None:  # a stranger's game, or a proposal saved beside the player's games
        begun = folders.message_path(here, 1).is_file()
        return Path() if begun or all(known.own is None for known in list_games(home, here)) else None
    return Path() if _is_same_path(require_folder(locate_game(own, here)), here) else None


def _make_missing_error(typed: str, games: Sequence[Known]) -> UsageError:
    if not typed:
        return NoGameError(NO_GAME)
    why = f"{typed}: no file, folder or game has this name"
    if re.fullmatch(f"[0-9]{{1,{LEAST}}}", typed):
        why += f" (message {int(typed)} of a game is 'NAME/{int(typed)}')"
    elif re.fullmatch(f"[0-9a-f]{{1,{LEAST - 1}}}", typed.casefold()):
        why += f" (of an id give {LEAST} digits or more)"
    return UsageError(f"{why}; 'kursk status' lists your games") if games else NoGameError(why)


def find_draft_folder(raw: bytes, name: str, home: Path, here: Path) -> Path:
    """Return the folder of the game named in a draft. Raises FileError or NoGameError."""
    game = strictyaml.read_edited(raw, name).data.get("game")
    games = [known for known in list_games(home, here) if known.game == game]
    if not games:
        raise NoGameError(f"{name}: the draft belongs to a game of other players")
    return require_folder(games[0])


def find_last_folder(typed: str, home: Path, here: Path) -> Path:
    """Return the folder that a game's record names, even if missing. Return a text that names no game as a path."""
    named = not typed.startswith("game-") and not folders.is_game_folder(Path(typed))
    matches = _match_word(typed, home, here) if named else []
    return choose_game(matches, typed).folder if matches else Path(typed)


def require_folder(known: Known) -> Path:
    """Return the folder of a game. Raises UsageError if the folder is missing."""
    if known.here:
        return known.folder
    whose = None if is_unreadable(known.folder) else known.own
    if whose is not None and known.folder.is_dir() and (lost := missing.list_missing(known.folder, whose)):
        raise LostError(missing.describe_missing(known.folder, whose, lost))
    raise UsageError(
        f"{known}: the folder {known.folder} is missing. If you have moved the folder, give the command again in the "
        f"new place; if the folder is lost, type 'kursk restore {shell_word(known.folder)} MAILS'"
        f". 'kursk status --forget {known.short}' removes the game from your list"
    )


def find_missing(typed: str, home: Path, here: Path) -> Known:
    """Return the game that the user means, whose folder must be missing. Raises UsageError if the folder exists."""
    matches = _require_matches(typed, home, here)
    lost = [known for known in matches if not known.here]
    if not lost:
        raise UsageError(f"the folder of {matches[0]} exists; delete the folder to remove the game from the list")
    return choose_game(lost, typed)


def find_proposed(typed: str, home: Path, here: Path) -> Known:
    """Return the player's unanswered proposal that the user means. Raises UsageError for any other game."""
    matches = _require_matches(typed, home, here)
    proposed = [known for known in matches if known.proposed]
    if not proposed:
        raise UsageError(
            f"{matches[0]} is no open proposal of yours. 'kursk resign {matches[0].short}' ends a game that has "
            "begun. To decline another player's proposal, simply do not accept it"
        )
    return choose_game(proposed, typed)


def _require_matches(typed: str, home: Path, here: Path) -> list[Known]:
    games = list_games(home, here)
    if matches := _match_games(Path(typed).name, games):
        return matches
    raise _make_missing_error(typed, games)


def _resolve_path(typed: str, home: Path, here: Path) -> Path | None:
    """Return the typed text as a path, or None if the text is a game's name."""
    path = Path(typed)
    try:
        if folders.is_game_folder(path):
            return path
        if path.exists() and not _match_word(typed, home, here):
            return path if path.is_dir() or folders.is_draft(path) else _find_own_copy(path, home, here)
    except (OSError, ValueError):  # for example a name too long, or a NUL character
        return path
    if not _PATH.search(typed):
        return None
    within, name = os.path.split(typed)
    if not within or path.parent.is_dir():  # a key may have the same name as a game
        return path
    games = list_games(home, here)
    matches = [known for known in games if path.parent.name == folders.folder_name(known.game)] or _match_games(
        within, games
    )
    if not matches:
        return path
    if name == LAST:
        known = choose_game(matches, within)
        return folders.message_path(require_folder(known), known.newest)
    name = f"{int(name):04d}.yaml" if re.fullmatch("[0-9]{1,4}", name) else name
    having = [known for known in matches if (known.folder / name).is_file()]
    return require_folder(choose_game(having or matches, within)) / name


def _find_own_copy(path: Path, home: Path, here: Path) -> Path:
    """Return the game's own file with the same message as a saved copy; otherwise the copy."""
    with suppress(KurskError):
        message = folders.read_message(path)
        for known in list_games(home, here):
            if known.own is None and folders.is_game_folder(path.parent):
                continue
            mine = folders.message_path(known.folder, message.seq)
            if known.game == message.game and mine.is_file() and folders.read_message(mine).id == message.id:
                return mine
    return path


def _match_games(typed: str, games: Sequence[Known]) -> list[Known]:
    """Return the games whose id or name begins with a word; a complete name has priority."""
    word = fold_name(typed)
    digits = word.removeprefix("game-")
    is_id = bool(re.fullmatch("[0-9a-f]{1,64}", digits)) and (digits != word or len(digits) >= LEAST)
    exact = [known for known in games if word in {fold_name(name) for name in known.names}]
    if exact or not word:
        return exact
    return [known for known in games if (is_id and known.game.startswith(digits)) or _is_called(word, known.names)]


def _is_called(word: str, names: Sequence[str]) -> bool:
    return len(word) > 1 and any(re.search(rf"(?:\A|\W){re.escape(word)}", fold_name(name)) for name in names)


def _is_unused_successor(known: Known, games: Iterable[Known]) -> bool:
    """Return whether a game is a proposed successor of one of these games, and not yet accepted."""
    said = known.head.get("continues")
    elder = said.get("game") if isinstance(said, dict) else ""
    return known.newest == 0 and elder in {other.game for other in games}


def choose_game(games: Sequence[Known], typed: str = "") -> Known:
    """Return the only game that waits for the player, otherwise the only running game.

    If ``typed`` is '', practice games count only without other games. Raises SeveralGamesError if several games remain.
    """
    games = games if typed else [known for known in games if not known.practice] or games
    if len(games) == 1:
        return games[0]
    waiting = [known for known in games if known.waits]
    running = [known for known in games if known.writer]
    going = (
        waiting or [known for known in running if not _is_unused_successor(known, running)] or running or list(games)
    )
    if len(going) == 1:
        return going[0]
    what = f"{len(going)} games are called {typed!r}" if typed else f"{len(going)} games"
    if waiting:
        how = " and wait for you" if typed else " wait for you"
    elif running:
        how = ", but no game waits for you" if typed else " are running, but no game waits for you"
    else:
        how = ""
    raise SeveralGamesError(going, what + how)


def _match_word(word: str, home: Path, here: Path) -> list[Known]:
    """Return the games named by a word; [] for a word written like a path."""
    return [] if _PATH.search(word) else _match_games(word, list_games(home, here))


def is_game_name(word: str, home: Path, here: Path) -> bool:
    """Return whether a word names a game, a game folder or a game file."""
    path = Path(word)
    return folders.is_game_folder(path) or is_game_file(path) or bool(_match_games(word, list_games(home, here)))


def abbreviate(game: str, among: Sequence[Known]) -> str:
    """Return the shortest text that selects a game in a command: '', or the first digits of the game's id.

    ``among``: all games of the player.
    """
    with suppress(UsageError):
        if among and choose_game(among).game == game:
            return ""
    return f" {game[:8]}"


def is_path(word: str) -> bool:
    """Return whether a typed word must be a path, because it cannot be a name."""
    return _PATH.search(word) is not None or is_game_file(Path(word)) or folders.is_game_folder(Path(word))


def find_due_draft(path: Path) -> Path:
    """Return the path of the next draft in a folder, or ``path`` itself for a file. Raises UsageError or TrustError.

    In a folder without a game, such as a folder written by ``adjudicate -o``, the result is the only draft.
    """
    drafts = [*path.glob("*.draft.yaml")] if path.is_dir() and not folders.read_game_id(path, "damaged") else []
    if len(drafts) == 1:
        return drafts[0]
    return folders.draft_path(path, len(folders.message_files(path))) if path.is_dir() else path


def find_own_draft(path: Path, home: Path) -> Path:
    """Return the path of the player's draft if ``path`` is a game folder; otherwise return ``path``."""
    if not path.is_dir():
        return path
    known = next((known for known in list_games(home, path) if _is_same_path(known.folder, path)), None)
    if known is None or known.own is None or not known.waits:
        return path
    due = folders.draft_path(path, known.newest + 1)
    return due if due.is_file() else path


def _is_same_path(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.resolve() == other.resolve()
    return False
