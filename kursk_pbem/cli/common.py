"""What the commands share: where things live, what is read, what is printed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.errors import EXIT_INTERRUPTED, KurskError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kursk_pbem.desk.desk import Desk

PATH = click.Path(path_type=Path)

key_option = click.option("--key", envvar="KURSK_KEY", type=PATH, help="Your SSH key file (KURSK_KEY).")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
seq_option = click.option("--seq", type=click.IntRange(0, 9999), help="Which message, if a mail holds several.")
bare_option = click.option("--bare", is_flag=True, help="Write the draft without comments.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print only what went wrong.")


def home() -> Path:
    """The private data folder: KURSK_HOME, or the usual place for programs' data."""
    named = os.environ.get("KURSK_HOME")
    return Path(named) if named else Path(click.get_app_dir("kursk-pbem"))


def home_in_words() -> str:
    """What may be wrong with the private folder, for somebody whose games are not found in it."""
    named, place = os.environ.get("KURSK_HOME"), home()
    whose = f"KURSK_HOME names {place}" if named else f"your private folder is {place} (KURSK_HOME is not set)"
    if not place.is_dir():
        return f"{whose}, and there is no such folder"
    return f"{whose}, and it holds {'other games' if any(place.glob('games/*/game.json')) else 'no game'}"


_ODD = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """Text for a terminal: control characters, which a file's name may hold, are written out."""
    return _ODD.sub(lambda found: ascii(found.group())[1:-1], text)


def say(text: str, *, quiet: bool = False, styled: bool = False) -> None:
    """Print a result; ``styled`` text is our own and holds escapes on purpose."""
    if not quiet:
        click.echo(text if styled else plain(text))


def complain(text: str) -> None:
    """Print what is wrong, on standard error."""
    click.echo(plain(f"kursk: {text}"), err=True)


def advise(error: KurskError) -> None:
    """Where one's own file is damaged, say how it is made whole."""
    from kursk_pbem.desk import games

    with contextlib.suppress(KurskError, OSError):
        if error.where is not None and (advice := games.damaged(error.where.file, home())):
            complain(advice)


def say_json(data: Any) -> None:
    """Print one machine-readable line."""
    click.echo(json.dumps(data, sort_keys=True, ensure_ascii=True))


def read_input(path: Path, *, mail: bool = False) -> tuple[bytes, str, Path | None]:
    """Bytes, name and folder of a file; ``-`` is standard input, which lies nowhere. ``mail``: it may be a mail."""
    from kursk_pbem.game import folder, inbox

    source = inbox if mail else folder

    if str(path) == "-":
        if sys.stdin is None:  # the caller has closed it
            raise UsageError("there is no standard input; name the file")
        return source.read_stream(sys.stdin.buffer), "standard input", None
    return source.read_bytes(path), str(path), path.parent


def ask(question: str, *, yes: bool) -> None:
    """Ask once; no question without a terminal: then ``--yes`` must stand there. On no the command ends."""
    if yes:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(f"{question} There is no terminal to answer on: give --yes")
    if not click.confirm(question):
        complain("you answered no: nothing was done")
        raise click.exceptions.Exit(EXIT_INTERRUPTED)


def pairs(options: Iterable[str]) -> dict[str, str]:
    """Options given as KEY=VALUE."""
    split = [option.partition("=") for option in options]
    for key, equals, value in split:
        if not equals:
            raise click.BadParameter(f"{key + value!r} is not KEY=VALUE")
    return {key: value for key, _equals, value in split}


def desk_at(path: Path) -> Desk:
    """The desk of a game folder, or of the folder a file of it lies in."""
    from kursk_pbem.desk import desk

    if not path.exists():
        raise UsageError(f"{path}: there is no such file or folder")
    return desk.sit(path if path.is_dir() else path.parent, home())


def say_again(desk: Desk, *, quiet: bool) -> None:
    """Say that the last message was signed before, and what is to be mailed."""
    again = f"message {desk.last.seq} was signed before, so its draft no longer counts; {desk.newest} is written again"
    say(f"{again}: {desk.to_mail}", quiet=quiet)


def need_key(key: Path | None) -> Path:
    """The key named by option or environment. UsageError if none is."""
    if key is None:
        raise UsageError("name your key with --key FILE (or KURSK_KEY); 'kursk keygen FILE' makes one")
    return key
