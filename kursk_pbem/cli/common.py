"""Shared parts of the commands: folders, input and output."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli import jsonlines
from kursk_pbem.errors import EXIT_INTERRUPTED, KurskError, NoRecordError, UsageError, Where
from kursk_pbem.report import layout
from kursk_pbem.report.layout import isolated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kursk_pbem.desk.own.desks import Desk


_USUAL_COLUMNS, _NARROW, _SENTENCES = 80, 40, 78


class _Path(click.Path):
    """A path without line breaks: a folder name from a stranger's archive must not print as our line (T29)."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if "\n" in (name := os.fsdecode(value)):
            self.fail(f"{name!a} contains a line break; rename the file", param, ctx)
        return super().convert(spell_path(name), param, ctx)


def spell_path(name: str) -> str:
    """Return a typed path as this disk spells it. Raises UsageError for the address of a file on another machine.

    File managers give paths as addresses, and some systems store a letter and its accent as two characters.
    """
    if os.path.exists(name):  # noqa: PTH110
        return name
    if name.startswith("file:"):
        from urllib.parse import urlsplit
        from urllib.request import url2pathname

        name = url2pathname(urlsplit(name).path)
    elif re.match("https?://", name) and "k1." not in name:
        raise UsageError(f"{name} is a web address, but kursk downloads nothing: save the file, and type its name")
    spelt = (unicodedata.normalize(form, name) for form in ("NFC", "NFD"))
    return name if name.isascii() else next(filter(os.path.exists, spelt), name)


PATH = _Path(path_type=Path)
LEVELS = ("recruit", "1", "2", "3")
"""The names of `practice.levels.LEVELS`; the module is not imported for help."""


def read_time(value: str) -> str:
    """Return the time in a person's text or in a mail's Date. Options and arguments use this function as their type."""
    if not value:
        return ""
    from kursk_pbem.desk.ground import clock

    return clock.normalize_time(value)


key_option = click.option("--key", envvar="KURSK_KEY", type=PATH, help="Your SSH key file (KURSK_KEY).")
json_option = click.option(
    jsonlines.FLAG,
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=jsonlines.save_command,
    help="Print JSON; 'kursk setup schema --command NAME' prints the schema.",
)
seq_option = click.option("--seq", type=click.IntRange(0, 9999), help="Message to take, if a mail holds several.")
bare_option = click.option("--bare", is_flag=True, help="Write the draft without comments.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
every_option = click.option(
    "--every", type=click.IntRange(1, 1440), default=15, show_default=True, help="Minutes between two looks for mail."
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print only errors.")


def said_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --json and --quiet."""
    return json_option(quiet_option(command))


def keyed_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --key, --json and --quiet."""
    return key_option(said_options(command))


def sign_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --key, --yes, --json and --quiet."""
    return key_option(yes_option(said_options(command)))


def home() -> Path:
    """Return the private folder: KURSK_HOME, or the usual place for program data. Raises UsageError without a place."""
    if named := os.environ.get("KURSK_HOME"):
        return Path(named)
    usual = _state_folder()
    if not usual.is_absolute():  # without HOME, '~' stays: the records would land in the current folder
        raise UsageError(
            "the program finds no folder for your private records: HOME is not set, or XDG_STATE_HOME is no absolute "
            f"path ({usual}). Set KURSK_HOME to a folder of yours, and always to the same folder"
        )
    return usual


@contextlib.contextmanager
def use_home(folder: Path) -> Iterator[None]:
    """Use another private folder and its keys inside the context: KURSK_HOME is set, KURSK_KEY is unset."""
    before = {name: os.environ.pop(name, None) for name in ("KURSK_HOME", "KURSK_KEY")}
    os.environ["KURSK_HOME"] = str(folder)
    try:
        yield
    finally:
        del os.environ["KURSK_HOME"]
        os.environ.update({name: value for name, value in before.items() if value is not None})


def _state_folder() -> Path:
    """Return the system's folder for program data: XDG_STATE_HOME on systems with this variable."""
    if sys.platform in ("win32", "darwin"):
        return Path(click.get_app_dir("kursk-pbem"))
    named = os.environ.get("XDG_STATE_HOME")
    return Path(named or os.path.expanduser("~/.local/state")) / "kursk-pbem"  # noqa: PTH111  it leaves '~', and never raises


def home_in_words() -> str:
    """Return a sentence for a player whose games are missing: what can be wrong with the private folder."""
    named, place = os.environ.get("KURSK_HOME"), home()
    whose = f"KURSK_HOME names {place}" if named else f"your private folder is {place} (KURSK_HOME is not set)"
    if not place.is_dir():
        return f"{whose}, and this folder does not exist"
    return f"{whose}, with {'other games' if any(place.glob('games/*/game.json')) else 'no game'}"


_TURN = "\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
_ODD = re.compile(f"(\u2068[^\n{_TURN}]*\u2069)|[{_TURN}]")


def plain(text: str) -> str:
    """Return text for a terminal: escape control characters and undecodable bytes, for example from file names.

    Isolate right-to-left letters, so that the letters do not reorder the rest of the line (T29).
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return isolated(_ODD.sub(lambda match: match[1] or ascii(match[0])[1:-1], text))


laid_names: dict[str, str] = {}
"""Temporary paths of the current command, and the names that the user knows: a game inside a mailbox or an archive is
laid out as a folder.
"""


def rename(text: str) -> str:
    """Return a text with the user's names for temporary paths."""
    for path in sorted(laid_names, key=len, reverse=True):
        text = text.replace(path, laid_names[path])
    return text


def rename_error(error: KurskError) -> KurskError:
    """Return an error with the user's names for temporary paths."""
    error.message = rename(error.message)
    error.where = error.where and Where(rename(error.where.file), error.where.line)
    return error


_held: list[str] = []
"""Text to print. Commands finish their work before printing, because the output can fail."""


_pager = [False]
"""Whether the output of the current command can go through the pager."""


_colour = ["auto"]
"""Whether the current command prints colors."""


def begin(*, paged: bool) -> None:
    """Begin a command. ``paged``: long output goes through the pager at the end."""
    _unheard.clear()
    _pager[0], _colour[0] = paged, "auto"
    jsonlines.switch_log(on=False)


def in_json() -> bool:
    """Return whether the user wants JSON: then the command prints only JSON and asks no question."""
    return jsonlines.current_results().on


def may_ask() -> bool:
    """Return whether a person can answer questions."""
    return not in_json() and sys.stdin is not None and sys.stdin.isatty()


_unheard: list[OSError] = []  # the error of the failed print


def release(*, last: bool = False) -> None:
    """Print the text collected so far: before a question, before an error, at the end. Raises OSError on failure.

    ``last``: the command ends, and long output can go through the pager.
    """
    _print_held(last=last)
    if _unheard:
        raise _unheard[0]


def _print_held(*, last: bool) -> None:
    text = "\n".join(_held)
    if _held:
        _held.clear()
        try:
            if last and _pager[0] and on_terminal() and text.count("\n") >= shutil.get_terminal_size().lines - 1:
                if in_colour():  # without -R, 'less' prints color codes as text
                    os.environ["LESS"] = (
                        f"-R {os.environ.get('LESS', '-PsSpace shows more, q leaves$').removeprefix('-R ')}"
                    )
                click.echo_via_pager(f"{text}\n", color=in_colour())
            else:
                click.echo(text, color=in_colour())
        except OSError as error:
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - open until the process ends
            _unheard.append(error)
            raise


def on_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def is_dumb() -> bool:
    """Return whether the terminal takes plain text only: TERM=dumb, as for screen readers and editors."""
    return os.environ.get("TERM") == "dumb"


def page_columns() -> int:
    """Return the width of the page in columns: of the terminal, otherwise COLUMNS, otherwise 80."""
    if on_terminal():
        return max(_NARROW, shutil.get_terminal_size().columns)
    named = os.environ.get("COLUMNS", "")
    return max(_NARROW, int(named)) if re.fullmatch("[1-9][0-9]{1,3}", named) else _USUAL_COLUMNS


def map_columns() -> int:
    """Return the width of a map in columns: as wide as the terminal; 0 in a file, which gets the whole map."""
    return page_columns() if on_terminal() else 0


def page_width() -> int:
    """Return the width of sentences in columns: as wide as in reports, or less on a narrow terminal."""
    return min(page_columns() - 2, _SENTENCES)


def colour(wanted: str) -> None:
    """Set when this command prints colors: always, never, auto."""
    _colour[0] = wanted


def in_colour() -> bool:
    """Return whether to print colors: as set; otherwise on a terminal or with FORCE_COLOR, but not with NO_COLOR."""
    if _colour[0] != "auto":
        return _colour[0] == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (on_terminal() and not is_dumb())


def note(**facts: Any) -> None:
    """Save facts for ``--json``. A list extends the saved list; another value replaces the saved value."""
    told = jsonlines.current_results().facts
    for name, value in facts.items():
        key, fact = name.replace("_", "-"), jsonlines.make_plain(value)
        told[key] = [*told.get(key, []), *fact] if isinstance(fact, list) else fact


def say(text: str, /, *, quiet: bool = False, styled: bool = False, whole: bool = False, **facts: Any) -> None:
    """Print a result, and save its ``facts`` for ``--json``.

    ``styled``: our own text with escape codes. ``whole``: text for copying, such as YAML, so its lines are not wrapped.
    """
    note(**facts)
    if quiet:
        return
    if in_json():
        jsonlines.current_results().words.append(text)
    else:
        text = jsonlines.log_line("info", text, text)
        text = text if styled else plain(text)
        _held.append(text if whole or not on_terminal() else fit_lines(text, page_columns()))


def say_wrapped(text: str, first: str = "", rest: str = "  ", *, quiet: bool = False) -> None:
    """Print a sentence in lines that fit the page. ``first``: text before line 1; ``rest``: before later lines."""
    say("\n".join(wrap_words(text, first, rest)), quiet=quiet)


def wrap_words(text: str, first: str = "", rest: str | None = None) -> list[str]:
    """Wrap a sentence to the page. No word is cut; on a terminal, short quotations and commands are not cut either."""
    text = _join_commands(text) if on_terminal() else text
    return layout.wrap(text, first, rest, page_width(), cut_words=False)


_COPIED = re.compile(r"(?<!\w)'(?:kursk [^'\n]*|[^'\n]{1,30})'(?!\w)")
"""A command or other short words in quotation marks, which a reader copies whole."""
_TYPED = re.compile(r"\s*(?:\$ )?(?:[A-Z_]+=\S+ |\w+: )?(?:kursk (?!.*\S {2,}\S)|ssh-)")
"""The beginning of a line that is a command or a key."""


def _join_commands(text: str) -> str:
    return _COPIED.sub(lambda found: found[0].replace(" ", "\u00a0"), text)


def fit_lines(text: str, width: int) -> str:
    """Return the text with long lines wrapped and indented. Words and commands are never cut. Width 0: no wrapping."""
    lines = text.split("\n")
    if not width or max(map(layout.count_columns, lines)) <= width:
        return text
    return "\n".join(part for line in lines for part in _fold_line(line, width))


def _fold_line(line: str, width: int) -> list[str]:
    bare = click.unstyle(line)
    if layout.count_columns(bare) <= width or _TYPED.match(bare):
        return [line]
    words = line.lstrip(" ")
    indent = " " * min(len(line) - len(words), width // 3)
    return layout.wrap(_join_commands(words), indent, f"{indent}  ", width, cut_words=False)


def complain(what: str | KurskError, *, named: bool = True, problems: list[dict[str, str | int]] | None = None) -> None:
    """Print an error on standard error. ``named``: with the program's name before the text.

    The command then ends with a nonzero status. ``problems``: the error as plain data for ``--json``; without this
    argument the whole text is one problem.
    """
    with contextlib.suppress(OSError):
        release()
    _print_error_line(jsonlines.log_line("error", str(what), f"kursk: {what}" if named else str(what)))
    if problems is None:
        problems = jsonlines.problems_of_error(what) if isinstance(what, KurskError) else [jsonlines.make_problem(what)]
    jsonlines.current_results().problems += problems


def warn(text: str) -> None:
    """Print a warning on standard error; the command continues."""
    _print_error_line(jsonlines.log_line("warning", text, f"kursk: warning: {text}"))


def _print_error_line(text: str) -> None:
    with contextlib.suppress(OSError):  # standard error is closed
        width = shutil.get_terminal_size().columns if sys.stderr is not None and sys.stderr.isatty() else 0
        click.echo(fit_lines(plain(text), width), err=True)


def print_advice(error: KurskError) -> None:
    """Print more advice for a player whose private folder is wrong."""
    if isinstance(error, NoRecordError):
        complain(home_in_words(), problems=[])
        jsonlines.current_results().problems[-1]["remedy"] = home_in_words()


def say_json(kind: str, data: Mapping[str, Any]) -> None:
    """Print one JSON record."""
    _hold_record({jsonlines.FORMAT: jsonlines.record_format(kind), **data})


def _hold_record(record: Mapping[str, Any]) -> None:
    _held.append(json.dumps(record, sort_keys=True, ensure_ascii=True))


def end(status: int) -> None:
    """End a command, or a round of a command: print the saved facts and problems as JSON."""
    for record in jsonlines.take_records(status):
        if in_json():
            _hold_record(record)


def read_input(path: Path, *, mail: bool = False) -> tuple[bytes, str, Path | None]:
    """Return a file's bytes, name and folder; ``-`` means standard input, without a folder.

    ``mail``: a mail or a link is allowed.
    """
    from kursk_pbem.game import inbox

    if str(path) == "-":
        if sys.stdin is None:  # the caller has closed standard input
            raise UsageError("there is no standard input to read: type the name of a file instead of '-'")
        return sys.stdin.buffer.read(inbox.MAX_THING + 1), "standard input", None
    if mail and inbox.is_link(str(path)):
        return str(path).encode(), "the link", None
    return inbox.read_bytes(path), str(path), path.parent


def ask(question: str, *, yes: bool, instead: str = "--yes") -> None:
    """Ask a question; the answer no ends the command. Without a terminal, raises UsageError that names ``instead``."""
    if yes:
        return
    if not may_ask():
        why = "With --json the command cannot ask" if in_json() else "No terminal to answer on"
        raise UsageError(f"{question} {why}: give {instead}")
    release()
    if not click.confirm(fit_question(question)):
        complain("you answered no: the command changed no file")
        raise click.exceptions.Exit(EXIT_INTERRUPTED)


def fit_question(question: str) -> str:
    """Return a question for a prompt, in lines that leave room for its ' [y/N]: '."""
    return fit_lines(plain(question), page_columns() - 9 if on_terminal() else 0)


def pairs(options: Iterable[str]) -> dict[str, str]:
    """Return options of the form KEY=VALUE as a mapping."""
    split = [option.partition("=") for option in options]
    for key, equals, value in split:
        if not equals:
            raise click.BadParameter(f"{key + value!r} is not KEY=VALUE")
    return {key: value for key, _equals, value in split}


def desk_at(path: Path) -> Desk:
    """Return the desk of a game, named by its folder or by one of its files."""
    from kursk_pbem.desk.own import opening

    return opening.open_desk_at(path, home())


def need_key(key: Path | None) -> Path:
    """Return the signing key from the option or the environment. Raises UsageError if neither gives a key."""
    if key is None:
        raise UsageError("give your key with --key FILE (or KURSK_KEY); 'kursk keygen FILE' makes a key")
    return key
