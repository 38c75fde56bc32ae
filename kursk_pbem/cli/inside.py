"""Games inside mails, mailboxes, archives and pasted texts, for commands that need no seat."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli.common import home, laid_names, read_input, rename, warn
from kursk_pbem.errors import FileError, KurskError, UsageError, Where
from kursk_pbem.game import copies, folders, things
from kursk_pbem.game.inbox import is_link

if TYPE_CHECKING:
    from kursk_pbem.audit.laid import Laid

_INSIDE = re.compile(r"((?=.{5}|.*[a-f])[0-9a-f]{4,64})?(?:(?:^|/)([0-9]{1,4}|last))?")
_TOLD = 12
"""Number of copies that do not count, each with its reason."""


def save_pasted(path: Path) -> Path:
    """Save standard input or a link in a temporary file and return its path; return other paths unchanged."""
    if not _is_pasted(path):
        return path
    raw, name, _folder = read_input(path, mail=True)
    file = _make_place() / "text"
    file.write_bytes(raw)
    laid_names[str(file)] = name
    return file


def find_home() -> Path | None:
    """Return the private folder, whose games supply earlier messages; None if no place for this folder is known."""
    with suppress(UsageError):
        return home()
    return None


def _is_pasted(path: Path) -> bool:
    return str(path) == "-" or is_link(str(path))


def _make_place() -> Path:
    return Path(click.get_current_context().with_resource(TemporaryDirectory(prefix="kursk-")))


def lay_out(path: Path, least: int = 2) -> Laid:
    """Write the games of a path into game folders, as `laid.lay_out` does. Print which copies do not count."""
    from kursk_pbem.audit import laid  # reads mails and archives, which most commands do not need

    found = laid.lay_out(path, _make_place, least, find_home())
    laid_names.update(found.names)
    for reason in found.left_out[:_TOLD]:
        warn(rename(f"not counted: {reason}"))
    for text in found.helped:
        warn(rename(f"taken: {text}"))
    if more := found.left_out[_TOLD:]:
        warn(f"not counted: {len(more)} more")
    return found


def list_places(path: Path, *, single: bool, passed: list[str] | None = None) -> list[Path | KurskError]:
    """Return the game folders and the faults inside a path; the path itself if it contains no game to unpack.

    ``single``: only one turn of a file is wanted. ``passed``: the list to fill with lines about surplus copies.
    """
    try:
        if not path.is_dir() and (single or not path.is_file()):
            return [path]
        found = lay_out(path)
    except OSError as error:  # such as a subfolder of another user
        return [path, FileError(f"cannot be read: {error.strerror}", Where(str(error.filename)))]
    except KurskError as error:
        return [error]
    if passed is not None:
        passed += map(rename, found.passed)
    return [*found.games, *found.faults] or [path]


def find_game(path: Path) -> Path:
    """Return the path of a game or message inside a file, such as ``all.zip/226f1234/3``; other paths unchanged."""
    thing, within = save_pasted(path), list[str]()
    with suppress(OSError):
        while not thing.exists() and thing.name:
            within.insert(0, thing.name)
            thing = thing.parent
    wanted = _INSIDE.fullmatch("/".join(within))
    own = copies.find_desk(home(), folders.read_game_id(thing))
    if wanted is None or (own is not None and own.resolve() == thing.resolve()):
        return path
    try:
        found = lay_out(thing, 2 if folders.read_game_id(thing.parent) else 1)
    except FileError:
        if within and not things.is_packed(thing):  # such as 'anna/3', and a file 'anna' that is no turn
            return path
        raise
    games = {folders.read_game_id(folder): folder for folder in found.games}
    fitting = {game: folder for game, folder in games.items() if game.startswith(wanted[1] or "")}
    if len(fitting) > 1:
        place, how = ("FILE", "save the text in a FILE, and name") if _is_pasted(path) else (path, "name")
        listed = "".join(f"\n  {place}/{game[:8]}" for game in fitting)
        raise UsageError(f"{len(fitting)} games are in {path}; {how} one of these games:{listed}")
    if not fitting and found.faults:
        raise found.faults[0]
    for folder in fitting.values():
        if not wanted[2]:
            return folder
        return folder / f"{wanted[2]:0>4}.yaml" if wanted[2].isdigit() else folders.message_files(folder)[-1]
    if not found.games and (things.is_packed(thing) or (thing.is_file() and things.is_mbox(thing))):
        raise UsageError(f"{path} contains no turn of a game{found.hint}")
    return thing if _is_pasted(path) else path


def is_temporary(path: Path) -> bool:
    """Return whether a game folder or message is deleted after the command, so that no file belongs next to it."""
    return any(str(path).startswith(place) for place in laid_names)
