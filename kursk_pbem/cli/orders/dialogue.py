"""The dialogue of ``kursk shell``: lines of orders and commands, completed and checked while you type.

Orders go through ``kursk order``, with the completion of a system's shell. The private folder keeps earlier lines,
beside earlier drafts, but no key, passphrase or secret.
"""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import click
from click.shell_completion import ShellComplete
from prompt_toolkit import PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.output import ColorDepth

from kursk_pbem.cli import COMMANDS, cli, order_words, run
from kursk_pbem.cli.common import complain, desk_at, in_colour, is_dumb, page_columns, plain, release, say
from kursk_pbem.cli.completing import ASKED
from kursk_pbem.desk.draft import completion, ordering, orderlines, preview
from kursk_pbem.desk.draft.completion import Word
from kursk_pbem.desk.draft.wording import DraftFile
from kursk_pbem.desk.own import lookup
from kursk_pbem.errors import KurskError
from kursk_pbem.game import disk, folders

ENDS = ("quit", "exit")
OF_GAME = ("check", "hint", "map", "moves", "odds", "order", "report", "sign", "status", "tables")
"""Commands that use this game by default."""
NOT_HERE = ("shell", "demo", "board", "play", "practice")
NAME, MOST = "typed.txt", 500
"""File of the earlier lines in the private folder of a game, and the number of lines."""
HELP = ("help", "?")
HELLO = "Type orders ('order' lists them), or 'map', 'check', 'sign'; 'quit' ends."


_MESSAGE = re.compile(rf"[^-].*/([0-9]+|{lookup.LAST})")
"""A message of a named game: 'boris/3', 'boris/last'."""
_NUMBER = re.compile(r"([0-9]{1,4})(?:[.]yaml)?")
"""A message of this game, by number or by file name as in reports: '3', '0003.yaml'."""


def strip_kursk(line: str) -> str:
    """Return a typed line without a leading 'kursk', because messages name commands as 'kursk check'."""
    first, _blank, rest = line.lstrip().partition(" ")
    return rest.lstrip() if first == "kursk" and rest.strip() else line


class Dialogue:
    """The state of the dialogue: the game folder, the current draft, and the completion."""

    def __init__(self, folder: Path, sign: Sequence[str] = ()) -> None:
        self.folder, self.sign = folder, sign  # ``sign``: options of 'sign' here
        self.own = desk_at(folder).record_of_writer().path / NAME
        self.sheet: DraftFile | None = None
        self.why = ""
        self.seq = -1
        self._completion: completion.Completion | None = None
        self.refresh()

    def refresh(self) -> None:
        """Read the draft again: a command, an editor or the board can change the draft."""
        try:
            desk = desk_at(self.folder)
            self.seq = desk.seq
            sheet = ordering.open_draft(desk)
            self.why = ""
        except (KurskError, OSError) as error:
            self.sheet, self._completion, self.why = None, None, str(error).partition("\n")[0]
            return
        if self.sheet is None or self.sheet.text != sheet.text or self.sheet.desk.seq != sheet.desk.seq:
            self.sheet, self._completion = sheet, completion.Completion(sheet)

    def went_on(self) -> str:
        """Return a message if the game went on in another window while the player typed, or ''."""
        with suppress(KurskError, OSError):
            if (seq := desk_at(self.folder).seq) != self.seq:
                again = "the program did not execute this line; type the line again if you still want to"
                return f"the game went on meanwhile, and message {seq} is next: {again}"
        return ""

    def is_order(self, line: str) -> bool:
        """Return whether a line has orders. Every line that does not begin with a command has orders."""
        first = line.split(None, 1)[0].lower() if line.strip() else ""
        return first not in COMMANDS or first in order_words()

    def arguments(self, line: str) -> list[str]:
        """Return the arguments of a line. Raises ValueError if a quotation is not closed."""
        if self.is_order(line):
            return ["order", str(self.folder), *line.split()]
        typed, *rest = shlex.split(line)
        first, words = typed.lower(), rest
        if (first, *words[:1]) == ("setup", "draft"):
            return [first, "draft", *self._about("draft", words[1:])]
        words = [*self.sign, *words] if first == "sign" else words
        return [first, *(self._about(first, words) if first in OF_GAME else words)]

    def _about(self, command: str, words: list[str]) -> list[str]:
        """Return the arguments of a command about this game: the folder first, or the named message."""
        if words and _MESSAGE.fullmatch(words[0]):
            return words
        if command == "report" and words and words[0] == lookup.LAST:
            return [str(self.folder), *words[1:]]
        if command == "report" and words and (number := _NUMBER.fullmatch(words[0])):
            return [str(folders.message_path(self.folder, int(number[1]))), *words[1:]]
        return [str(self.folder), *words]

    def words(self, line: str) -> list[Word]:
        """Complete the last word of a line: an order by the position, a command as in a system's shell."""
        line = strip_kursk(line)
        first, blank, rest = line.lstrip().partition(" ")
        if self.is_order(line) or not blank:
            choices = self._completion.of(line) if self._completion else []
            begun = first.lower() if not blank else ""
            return [*choices, *(Word(name, COMMANDS[name][1]) for name in _list_commands(begun) if not blank)]
        *words, begun = [*rest.split(" ")]
        told = ShellComplete(cli, {}, "kursk", ASKED)
        found_items = told.get_completions([*self.arguments(first), *filter(None, words)], begun)
        return [Word(item.value, item.help or "") for item in found_items if item.type == "plain"]

    def looks(self, line: str) -> str:
        """Return a line about the effect of the typed line; if nothing is typed, about the draft."""
        line = strip_kursk(line)
        if self.sheet is None:
            return self.why
        if line.strip().lower() in ENDS:
            return "ends the session"
        if line.strip():
            return preview.preview_line(self.sheet, line) if self.is_order(line) else ""
        number = len(orderlines.list_lines(self.sheet.choices))
        game = self.sheet.desk.game
        return f"message {self.sheet.desk.seq}, turn {game.state.turn}: {number} order{'' if number == 1 else 's'}"


def _list_commands(begun: str) -> list[str]:
    return [name for name in COMMANDS if name.startswith(begun) and name not in NOT_HERE]


class _LineCompleter(Completer):
    """The completions while the player types."""

    def __init__(self, talk: Dialogue) -> None:
        self._talk = talk

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield the words for the place of the cursor."""
        line = document.text_before_cursor
        begun = line.rpartition(",")[2].rpartition(" ")[2] if self._talk.is_order(line) else line.rpartition(" ")[2]
        for word in self._talk.words(line):
            yield Completion(f"{word.text} ", -len(begun), display=word.text, display_meta=plain(word.about))


class _BottomLine:
    """The bottom line, computed in the background for the newest text."""

    def __init__(self, talk: Dialogue) -> None:
        self._talk, self._text, self.line = talk, "", ""

    def begin(self) -> None:
        """Begin a new line."""
        self._text, self.line = "", self._talk.looks("")

    def changed(self, buffer: Buffer, session: PromptSession[str]) -> None:
        """Update the line after a change."""
        self._text = buffer.text
        session.app.create_background_task(self._look(buffer.text, session))

    async def _look(self, text: str, session: PromptSession[str]) -> None:
        await asyncio.sleep(0.05)  # wait, because half a word needs no answer
        if text == self._text:
            line = await asyncio.get_running_loop().run_in_executor(None, self._talk.looks, text)
            if text == self._text:
                self.line = line
                session.app.invalidate()


def run_dialogue(folder: Path, *, once: bool = False) -> bool:
    """Run the dialogue; return whether the message was signed. ``once``: whether to end after the signature.

    Raises KurskError if the player can order nothing at this desk.
    """
    known = Dialogue(folder, ("--short",) if once else ())
    read_line = input if is_dumb() else _prepare_prompt(known)
    say(HELLO)
    release()
    begun = known.seq
    while not once or known.seq == begun:
        seq = known.sheet.desk.seq if known.sheet else "-"
        try:
            line = strip_kursk(read_line(f"{seq}> ")).strip()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return False
        if line.lower() in ENDS:
            return False
        if line and (news := known.went_on()):
            complain(news)
        elif line:
            _run_line(known, line)
        known.refresh()
    return True


def _prepare_prompt(known: Dialogue) -> Callable[[str], str]:
    """Return a function that asks for a line with completion, history and the bottom line."""
    bottom = _BottomLine(known)
    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(_read_history(known.own)),
        completer=_LineCompleter(known),
        complete_in_thread=True,
        bottom_toolbar=lambda: plain(bottom.line)[: page_columns() - 1],
        color_depth=None if in_colour() else ColorDepth.DEPTH_1_BIT,
    )
    session.default_buffer.on_text_changed += lambda buffer: bottom.changed(buffer, session)

    def read_line(prompt: str) -> str:
        bottom.begin()
        return session.prompt(prompt)

    return read_line


def _run_line(known: Dialogue, line: str) -> None:
    """Run one line; the dialogue continues after an error."""
    if line.lower() in HELP:
        say(HELLO)
        line = "order"
    try:
        arguments = known.arguments(line)
    except ValueError as error:
        complain(str(error))
        return
    if arguments[0] in NOT_HERE:
        complain(f"type 'quit', then 'kursk {arguments[0]}'")
        return
    shell = click.get_current_context(silent=True)  # the options of the shell apply to its lines
    unpaged = ["--no-pager"] if shell is not None and shell.find_root().params.get("no_pager") else []
    run([*unpaged, *arguments])
    if arguments[0] in OF_GAME:
        _save_line(known.own, line)


def _read_history(path: Path) -> list[str]:
    """Return the lines of earlier evenings, the oldest first."""
    with suppress(OSError, KurskError):
        return folders.read_bytes(path).decode("utf-8", "replace").splitlines()[-MOST:] if path.exists() else []
    return []


def _save_line(path: Path, line: str) -> None:
    """Save a line for the next evening; a full disk does not matter."""
    with suppress(OSError, KurskError):
        lines = [*_read_history(path), line][-MOST:]
        disk.replace(path, "".join(f"{former}\n" for former in lines).encode("utf-8", "replace"), mode=0o600)
