"""The argument GAME, which is the same in every command: nothing, part of an id, an opponent's name, a folder, a file.

``game_argument`` is for a command with no other argument, ``game_and_more`` for one with more. The command gets a
path: of the game's folder, of the message or draft that was named, or of the game's own draft (``want``).
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kursk_pbem.cli.common import complain, home, home_in_words, may_ask, plain, say
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from kursk_pbem.desk.shelf.lookup import SeveralGamesError

GAME, DRAFT, AHEAD = "game", "draft", "ahead"
"""What a command wants of a game: its folder (or the file that was named); the draft that is due, there or not; the
draft if there is one, otherwise the folder."""

_ALONE = "kursk_pbem.alone"
"""Where a command finds the word that was taken for its game and stood alone."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


def pick(typed: str, want: str = GAME) -> Path:
    """The path that is meant by what was typed; asks on a terminal if several games may be. UsageError, TrustError."""
    from kursk_pbem.desk.shelf import lookup

    if typed == "-":
        return Path(typed)
    if "\n" in typed:  # a name from a stranger's archive must not print as a line of ours (T29)
        raise UsageError(f"{typed!a} has a line break in it; give it another name")
    try:
        path = lookup.find(typed, home(), Path())
    except lookup.SeveralGamesError as error:
        path = _asked(error)
    except lookup.NoGameError as error:
        raise UsageError(f"{error.message}; {home_in_words()}") from None
    if want == DRAFT:
        return lookup.draft(path)
    return lookup.ahead(path, home()) if want == AHEAD else path


def _asked(several: SeveralGamesError) -> Path:
    """The game that a person chooses from a list. Without a terminal the list is an error: nothing is guessed."""
    if not may_ask() or not sys.stderr.isatty():
        raise several
    complain(f"{several.why}:", problems=[])
    for number, game in enumerate(several.found, 1):
        click.echo(plain(f"  {number}  {game}"), err=True)
    from kursk_pbem.desk.shelf import lookup

    chosen = click.prompt("Which one", value_proc=lambda answer: _number(answer, len(several.found)), err=True)
    return lookup.there(several.found[chosen - 1])


def _number(answer: str, most: int) -> int:
    """Return the number that was typed. Raises click.UsageError, upon which click asks again."""
    if answer.isascii() and answer.isdigit() and 1 <= int(answer[:9]) <= most:
        return int(answer)
    raise click.UsageError(f"type a number from 1 to {most}")


def which(game: str) -> str:
    """Before a question: which game is meant; '' for a player who has no other."""
    from kursk_pbem.desk.shelf import lookup

    known = lookup.every(home(), Path())
    return next((f"{entry}: " for entry in known if entry.game == game), "") if len(known) > 1 else ""


def game_argument(name: str = "path", *, want: str = GAME) -> Callable[[_Command], _Command]:
    """The argument [GAME] of a command, which gets a path under this name."""

    def decorate(command: _Command) -> _Command:
        @functools.wraps(command)
        def told(**given: Any) -> Any:  # not before the whole line is known to be right
            return command(**{**given, name: pick(given[name], want)})

        argument = click.argument(name, metavar="[GAME]", default="", shell_complete=completes("games"))
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
    """The arguments [GAME] MORE... of a command, which gets a path under ``name`` and the others as a tuple, ``more``.

    The first word is the game if it names one; otherwise it is the first of the others, and the game is the one that
    waits. It is the game too, and must be one, where more than ``most`` words follow otherwise. A word of ``fixed``
    is never the game, unless another of them follows it. A word that can only be a file or folder is the game, unless
    the others may be ``files`` too.
    """

    def decorate(command: _Command) -> _Command:
        @functools.wraps(command)
        def told(*, more: tuple[str, ...], **given: Any) -> Any:
            game, rest = split(more, most, fixed, files=files)
            return command(**given, **{name: pick(game, want)}, more=rest)

        argument = click.argument("more", nargs=-1, metavar=metavar, shell_complete=complete or completes("games"))
        return argument(told)  # type: ignore[return-value]

    return decorate


def lost(typed: str) -> Path:
    """The folder of a game that is to be made anew: a path as it was typed, or the last place of a game by its name."""
    from kursk_pbem.desk.shelf import lookup

    return lookup.last_place(typed, home(), Path())


def each_of(typed: tuple[str, ...]) -> tuple[Path, ...]:
    """What a command is given that takes several files and folders, or names of games.

    Without a word the game that is meant then. What is neither stays, for the command to say so. UsageError for a word
    that is both.
    """
    return tuple(map(_any, typed)) if typed else (pick(""),)


def _any(typed: str) -> Path:
    from kursk_pbem.desk.shelf import lookup

    path = Path(typed)
    try:
        if not path.exists():
            return pick(typed)
    except (UsageError, OSError):
        return path
    lookup.need_one(typed, home(), Path())
    return path


def split(words: tuple[str, ...], most: int, fixed: Collection[str], *, files: bool) -> tuple[str, tuple[str, ...]]:
    """The word that names the game, '' if none does, and the others."""
    from kursk_pbem.desk.shelf import lookup

    if not words:
        return "", ()
    first, others = words[0], words[1:]
    if fixed:
        named = first not in fixed or any(other in fixed for other in others[:1])
    else:
        called = lookup.named(first, home(), Path(), files=files)
        named = len(words) > most or called or (not files and lookup.is_path(first))
        click.get_current_context().meta[_ALONE] = first if called and not others else ""
    return (first, others) if named else ("", words)


def meant_too(known: Mapping[str, Iterable[str]], what: str, before: str = "") -> None:
    """Say it if the one word that was typed is taken for the game, and something of it is called so, too.

    ``known``: id -> names of ``what`` there is; ``before``: what is typed before such an id.
    """
    word = click.get_current_context().meta.get(_ALONE, "")
    fits = [
        id_
        for id_, names in known.items()
        if word and word.casefold() in {part.casefold() for name in (id_, *names) for part in (name, *name.split())}
    ]
    if fits:
        say(f"{word} is taken for the game; for {what} {fits[0]} type '{word} {before}{fits[0]}'")


def only(words: tuple[str, ...]) -> str:
    """The one word that a command takes beside its game, '' if it was not typed."""
    if len(words) > 1:
        raise click.UsageError(f"got an unexpected extra argument ({' '.join(words[1:])})")
    return words[0] if words else ""


def completes(what: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """What a shell is told of an argument: ``games``, ``pieces`` (units and places), both, or ``orders``."""

    def found(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from kursk_pbem.cli import completing

        return completing.KINDS[what](ctx, incomplete)

    return found


complete_games = completes("games")
