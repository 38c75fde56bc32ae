"""The argument GAME, the same in every command: nothing, part of an id, an opponent's name, a folder, a file.

A command without other arguments uses ``game_argument``, others use ``game_and_more``. The command gets a path: the
game's folder, the named message or draft, or the game's own draft (``want``).
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kursk_pbem.cli.common import complain, fit_question, home, home_in_words, may_ask, spell_path, warn
from kursk_pbem.errors import UsageError, shell_word

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from kursk_pbem.desk.own.lookup import SeveralGamesError

GAME, DRAFT, AHEAD, SEEN = "game", "draft", "ahead", "seen"
"""What a command wants: the game's folder (or the named file); the next draft, even if missing; the existing draft,
otherwise the folder; the folder of any game. ``AHEAD`` and ``SEEN`` also find games in mails and archives.
"""

STUDY = ".study"
"""The ending of a study, which a command that shows games takes as it is."""

_MORE = "kursk_pbem.more"
"""The words after the game, for a message that names the command."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


def pick_path(typed: str, want: str = GAME) -> Path:
    """Return a game's path as :func:`find_path` does. Print the name of a what-if game, as a warning to the player."""
    from kursk_pbem.desk.own import register

    path = find_path(typed, want)
    if path.exists() and register.is_inside(home(), path, (register.WHAT_IF,)):
        warn("this is a what-if game: it is yours alone, and changes no other game")
    return path


def find_path(typed: str, want: str = GAME) -> Path:
    """Return the path of a typed word; on a terminal, let the user choose a game. Raises UsageError, TrustError."""
    from kursk_pbem.cli import inside
    from kursk_pbem.desk.own import lookup
    from kursk_pbem.game import folders
    from kursk_pbem.game.inbox import is_link

    if typed == "-" or is_link(typed):
        return inside.find_game(Path(typed)) if want in (AHEAD, SEEN) else Path(typed)
    if want == SEEN and typed.endswith(STUDY):
        return Path(typed)
    if "\n" in typed:  # a name from a stranger's archive must not print as a line of ours (T29)
        raise UsageError(f"{typed!a} contains a line break; rename the file")
    typed = spell_path(typed)
    try:
        path = lookup.find_game(typed, home(), Path())
    except lookup.SeveralGamesError as error:
        path = _ask_game(error)
    except lookup.NoGameError as error:
        raise UsageError(f"{error.message}; {home_in_words()}") from None
    if want == DRAFT:
        return lookup.find_due_draft(path)
    if want in (AHEAD, SEEN) and not folders.is_draft(path):
        path = inside.find_game(path)
    return lookup.find_own_draft(path, home()) if want == AHEAD else path


def _ask_game(several: SeveralGamesError) -> Path:
    """Ask which game to use. Raises the error without a terminal, because the program never guesses."""
    from kursk_pbem.desk.own import lookup

    if not may_ask() or not sys.stderr.isatty():
        raise lookup.SeveralGamesError(several.found, several.why, _say_command)
    complain(f"{several.why}:", problems=[])
    for number, game in enumerate(several.found, 1):
        click.echo(fit_question(f"  {number}  {game}"), err=True)
    chosen = click.prompt("Which one", value_proc=lambda answer: _read_number(answer, len(several.found)), err=True)
    return lookup.require_folder(several.found[chosen - 1])


def _say_command(game: str) -> str:
    """Return the present command with a game, for a message."""
    context = click.get_current_context()
    return " ".join(("kursk", *context.command_path.split()[1:], game, *map(shell_word, context.meta.get(_MORE, ()))))


def _read_number(answer: str, most: int) -> int:
    """Return the typed number. Raises click.UsageError, so that click asks again."""
    if answer.isascii() and answer.isdigit() and 1 <= int(answer[:9]) <= most:
        return int(answer)
    raise click.UsageError(f"type a number from 1 to {most}")


def name_game(game: str) -> str:
    """Return the game's name for use in a question; '' if the player has no other game."""
    from kursk_pbem.desk.own import register

    known = register.list_games(home(), Path())
    return next((f"{entry}: " for entry in known if entry.game == game), "") if len(known) > 1 else ""


def game_argument(name: str = "path", *, want: str = GAME) -> Callable[[_Command], _Command]:
    """Return the argument [GAME] for a command, which gets the game's path under this name."""

    def decorate(command: _Command) -> _Command:
        @functools.wraps(command)
        def told(**given: Any) -> Any:  # after click has checked the whole line
            return command(**{**given, name: pick_path(given[name], want)})

        argument = click.argument(name, metavar="[GAME]", default="", shell_complete=completion_of("games"))
        return argument(told)  # type: ignore[return-value]

    return decorate


def game_and_more(
    metavar: str,
    *,
    name: str = "path",
    want: str = GAME,
    most: int = 99,
    fixed: Collection[str] = (),
    files: bool = False,
    complete: Callable[..., list[CompletionItem]] | None = None,
) -> Callable[[_Command], _Command]:
    """Return the arguments [GAME] MORE... of a command: the game's path under ``name``, the other words as ``more``.

    The first word is the game if it names a game; otherwise the command uses the game that waits. If more than ``most``
    words are typed, the first must be a game. A word of ``fixed`` never names a game, unless another word of ``fixed``
    follows. If the other words cannot be ``files``, a path always names the game.
    """

    def decorate(command: _Command) -> _Command:
        @functools.wraps(command)
        def told(*, more: tuple[str, ...], **given: Any) -> Any:
            game, rest = split_words(more, most, fixed, files=files)
            click.get_current_context().meta[_MORE] = rest
            return command(**given, **{name: pick_path(game, want)}, more=rest)

        argument = click.argument("more", nargs=-1, metavar=metavar, shell_complete=complete or completion_of("games"))
        return argument(told)  # type: ignore[return-value]

    return decorate


def pick_paths(typed: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the paths that several words name: files, folders or games; without words, the game that waits.

    Unknown words stay unchanged, because the command reports them.
    """
    return tuple(map(_pick_or_keep, typed)) if typed else (pick_path(""),)


def _pick_or_keep(typed: str) -> Path:
    path = Path(typed if "\n" in typed else spell_path(typed))
    try:
        return path if path.exists() else pick_path(typed)
    except (UsageError, OSError):
        return path


def split_words(
    words: tuple[str, ...], most: int, fixed: Collection[str], *, files: bool
) -> tuple[str, tuple[str, ...]]:
    """Return the word that names the game ('' if no word does), and the other words."""
    from kursk_pbem.desk.own import lookup

    if not words:
        return "", ()
    first, others = words[0], words[1:]
    if fixed:
        named = first not in fixed or any(other in fixed for other in others[:1])
    else:
        called = lookup.is_game_name(first, home(), Path())
        named = len(words) > most or called or (not files and lookup.is_path(first))
    return (first, others) if named else ("", words)


def only_word(words: tuple[str, ...]) -> str:
    """Return the only word of a command besides the game, or ''."""
    if len(words) > 1:
        raise click.UsageError(f"got an unexpected extra argument ({' '.join(words[1:])})")
    return words[0] if words else ""


def completion_of(what: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Return the shell completion of an argument: ``games``, ``pieces`` (units and places), both, or ``orders``."""

    def found(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from kursk_pbem.cli import completing

        return completing.KINDS[what](ctx, incomplete)

    return found


complete_games = completion_of("games")
