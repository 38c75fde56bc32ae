"""What the commands share: where things live, what is read, what is printed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli import jsonlines, logged
from kursk_pbem.errors import EXIT_INTERRUPTED, KurskError, NoRecordError, UsageError
from kursk_pbem.report.layout import isolated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from kursk_pbem.desk.desks import Desk

_USUAL_COLUMNS, _NARROW, _SENTENCES = 80, 40, 78


class _Path(click.Path):
    """A path in one line: the name of a folder from a stranger's archive must not print as a line of ours (T29)."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if "\n" in os.fsdecode(value):
            self.fail(f"{os.fsdecode(value)!a} has a line break in it; give it another name", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path(path_type=Path)


class _Time(click.types.StringParamType):
    """A time as people write it, or as a mail's Date has it; what is none is said where it is used."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from kursk_pbem.desk import clock

        return clock.meant(str(value)) if value else ""


TIME = _Time()

key_option = click.option("--key", envvar="KURSK_KEY", type=PATH, help="Your SSH key file (KURSK_KEY).")
json_option = click.option(
    jsonlines.FLAG,
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=jsonlines.command,
    help="Print JSON; 'kursk setup schema' says its form.",
)
seq_option = click.option("--seq", type=click.IntRange(0, 9999), help="Which message, if a mail holds several.")
bare_option = click.option("--bare", is_flag=True, help="Write the draft without comments.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print only what went wrong.")


def said_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --json and --quiet."""
    return json_option(quiet_option(command))


def keyed_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --key, --json and --quiet."""
    return key_option(said_options(command))


def sign_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command --key, --yes, --json and --quiet."""
    return key_option(yes_option(said_options(command)))


def home() -> Path:
    """The private folder: KURSK_HOME, or the usual place for what programs keep. UsageError where there is none.

    Where records lie in the old place, among settings, and none in the usual one, it is the old place.
    """
    if named := os.environ.get("KURSK_HOME"):
        return Path(named)
    usual, old = _state(), _settings()
    if not usual.is_dir() and old.is_dir():
        usual = old
    if not usual.is_absolute():  # '~' has come out as it is: the records would lie wherever one stands
        raise UsageError(
            f"this machine names no folder of your own for private records ({usual}): HOME is not set, or "
            "XDG_STATE_HOME is no whole path. Name one with KURSK_HOME, always the same"
        )
    return usual


def _settings() -> Path:
    """Where programs keep their settings; records lay there once, and dotfiles are often published."""
    return Path(click.get_app_dir("kursk-pbem"))


def _state() -> Path:
    """Where the system wants what a program keeps from one run to the next: XDG_STATE_HOME, where it knows that."""
    if sys.platform in ("win32", "darwin"):
        return _settings()
    named = os.environ.get("XDG_STATE_HOME")
    return Path(named or os.path.expanduser("~/.local/state")) / "kursk-pbem"  # noqa: PTH111  it leaves '~', and never raises


def old_home() -> str:
    """What to know of records that lie in the old place; '' where none do.

    Nobody is told to move them: a record names key and folder by the way from where it lies.
    """
    usual, old = _state(), _settings()
    if os.environ.get("KURSK_HOME") or usual == old or not old.is_dir():
        return ""
    if usual.is_dir():
        return f"{usual} is read; older private records lie in {old}, and KURSK_HOME={old} reads those"
    return (
        f"your private records lie among settings, in {old}, and are read there; publish that folder with no settings"
    )


def home_in_words() -> str:
    """What may be wrong with the private folder, for somebody whose games are not found in it."""
    named, place = os.environ.get("KURSK_HOME"), home()
    whose = f"KURSK_HOME names {place}" if named else f"your private folder is {place} (KURSK_HOME is not set)"
    if not place.is_dir():
        return f"{whose}, and there is no such folder"
    return f"{whose}, and it holds {'other games' if any(place.glob('games/*/game.json')) else 'no game'}"


_TURN = "\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
_ODD = re.compile(f"(\u2068[^\n{_TURN}]*\u2069)|[{_TURN}]")


def plain(text: str) -> str:
    """Text for a terminal: control characters and bytes of no letter, which a file's name may hold, are written out.

    Letters that run from right to left are isolated, so that they turn nothing of the line around them (T29).
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return isolated(_ODD.sub(lambda match: match[1] or ascii(match[0])[1:-1], text))


_held: list[str] = []
"""What has been said and not yet printed: the work is done before it is told, because the output may lead nowhere."""


_pager = [False]
"""Whether the command that runs is one whose output may go through the pager."""


_colour = ["auto"]
"""Whether the command that runs prints in colour."""


def begin(*, paged: bool) -> None:
    """Before a command: whether what is longer than the terminal goes through the pager at its end."""
    _unheard.clear()
    _pager[0], _colour[0] = paged, "auto"
    logged.switch(on=False)


def in_json() -> bool:
    """Whether the command is asked for JSON: then nothing else is on standard output, and nothing is asked."""
    return jsonlines.now().on


def may_ask() -> bool:
    """Whether there is somebody to ask."""
    return not in_json() and sys.stdin is not None and sys.stdin.isatty()


_unheard: list[OSError] = []  # why what a command said could not be written


def release(*, last: bool = False) -> None:
    """Print what has been said: before a question, before a complaint, and at the end. Raises OSError from then on.

    ``last``: it is the end; what is longer than the terminal may go through the pager.
    """
    _print(last=last)
    if _unheard:
        raise _unheard[0]


def _print(*, last: bool) -> None:
    text = "\n".join(_held)
    if _held:
        _held.clear()
        try:
            if last and _pager[0] and on_terminal() and text.count("\n") >= shutil.get_terminal_size().lines - 1:
                if in_colour():  # without -R, 'less' shows the codes of colours and not the colours
                    os.environ["LESS"] = f"-R {os.environ.get('LESS', '').removeprefix('-R ')}"
                click.echo_via_pager(f"{text}\n", color=in_colour())
            else:
                click.echo(text, color=in_colour() or None)
        except OSError as error:
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - lives as long as the process
            _unheard.append(error)
            raise


def on_terminal() -> bool:
    """Whether results are printed on a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def columns() -> int:
    """Return the columns of the page: of the terminal, otherwise COLUMNS, otherwise 80."""
    if on_terminal():
        return max(_NARROW, shutil.get_terminal_size().columns)
    named = os.environ.get("COLUMNS", "")
    return max(_NARROW, int(named)) if re.fullmatch("[1-9][0-9]{1,3}", named) else _USUAL_COLUMNS


def page_width() -> int:
    """Columns for sentences: as in reports, fewer on a terminal that has fewer."""
    return min(columns() - 2, _SENTENCES)


def colour(wanted: str) -> None:
    """Say whether colour is wanted in this command: always, never, auto."""
    _colour[0] = wanted


def in_colour() -> bool:
    """Whether colour is wanted: as was said; otherwise on a terminal or with FORCE_COLOR, never with NO_COLOR."""
    if _colour[0] != "auto":
        return _colour[0] == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (on_terminal() and os.environ.get("TERM") != "dumb")


def note(**facts: Any) -> None:
    """Tell the same as plain data, for ``--json`` (``jsonlines``): paths become text, lists go on."""
    jsonlines.note(facts)


def say(text: str, /, *, quiet: bool = False, styled: bool = False, **facts: Any) -> None:
    """Tell a result, and its ``facts`` for ``--json``; ``styled`` text is our own and holds escapes on purpose."""
    note(**facts)
    if quiet:
        return
    if in_json():
        jsonlines.now().words.append(text)
    else:
        text = logged.line("info", text, text)
        _held.append(text if styled else fitted(plain(text), columns() if on_terminal() else 0))


def fitted(text: str, width: int) -> str:
    """Text whose lines go on below, indented, where the terminal is too narrow; a word is never cut. 0: any width."""
    lines = text.split("\n")
    if not width or max(map(len, lines)) <= width:
        return text
    return "\n".join(part for line in lines for part in _folded(line, width))


def _folded(line: str, width: int) -> list[str]:
    import textwrap

    if len(line) <= width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    kept = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(
        line.strip(),
        width,
        initial_indent=kept,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def complain(what: str | KurskError, *, named: bool = True, problems: list[dict[str, str | int]] | None = None) -> None:
    """Print what is wrong, on standard error; ``named``: with the name of the program before it.

    The command then ends with a status that is not 0, whether it has been read or not. ``problems``: the same as plain
    data, for ``--json``; without it the whole is one.
    """
    with contextlib.suppress(OSError):
        release()
    _tell(logged.line("error", str(what), f"kursk: {what}" if named else str(what)))
    if problems is None:
        problems = jsonlines.of_error(what) if isinstance(what, KurskError) else [jsonlines.problem(what)]
    jsonlines.wrong(problems)


def warn(text: str) -> None:
    """Print a warning on standard error; the command goes on."""
    _tell(logged.line("warning", text, f"kursk: warning: {text}"))


def _tell(text: str) -> None:
    with contextlib.suppress(OSError):  # whom could we tell?
        width = shutil.get_terminal_size().columns if sys.stderr is not None and sys.stderr.isatty() else 0
        click.echo(fitted(plain(text), width), err=True)


def advise(error: KurskError) -> None:
    """Say more about what a player can put right here: a file of their own that is damaged, a wrong private folder."""
    from kursk_pbem.desk.shelf import lookup

    if isinstance(error, NoRecordError):
        _complain_more(home_in_words())
    with contextlib.suppress(KurskError, OSError):
        if error.where is not None and (advice := lookup.damaged(error.where.file, home())):
            _complain_more(advice)


def _complain_more(text: str) -> None:
    """Print what can be done about what was complained of last."""
    complain(text, problems=[])
    jsonlines.remedy(text)


def say_json(kind: str, data: Mapping[str, Any]) -> None:
    """Tell one record of a kind, in a line."""
    _hold({jsonlines.FORMAT: jsonlines.named(kind), **data})


def _hold(record: Mapping[str, Any]) -> None:
    _held.append(json.dumps(record, sort_keys=True, ensure_ascii=True))


def end(status: int) -> None:
    """At the end of a command, or of a round of it, that was asked for JSON: its facts, and what went wrong."""
    for record in jsonlines.records(status):
        if in_json():
            _hold(record)


def read_input(path: Path, *, mail: bool = False) -> tuple[bytes, str, Path | None]:
    """Bytes, name and folder of a file; ``-`` is standard input, which lies nowhere. ``mail``: it may be a mail."""
    from kursk_pbem.game import folders, inbox

    source = inbox if mail else folders

    if str(path) == "-":
        if sys.stdin is None:  # the caller has closed it
            raise UsageError("there is no standard input; name the file")
        return source.read_stream(sys.stdin.buffer), "standard input", None
    return source.read_bytes(path), str(path), path.parent


def ask(question: str, *, yes: bool) -> None:
    """Ask once; no question without a terminal: then ``--yes`` must stand there. On no the command ends."""
    if yes:
        return
    if not may_ask():
        why = "With --json nothing is asked" if in_json() else "There is no terminal to answer on"
        raise UsageError(f"{question} {why}: give --yes")
    release()
    if not click.confirm(plain(question)):
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
    from kursk_pbem.desk.shelf import opening

    return opening.desk_at(path, home())


def need_key(key: Path | None) -> Path:
    """The key named by option or environment. UsageError if none is."""
    if key is None:
        raise UsageError("name your key with --key FILE (or KURSK_KEY); 'kursk keygen FILE' makes one")
    return key
