"""shell: an evening of orders, without typing 'kursk order'."""

from __future__ import annotations

import sys
from pathlib import Path

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import desk_at, on_terminal
from kursk_pbem.cli.games import game_argument
from kursk_pbem.errors import UsageError, shell_word


@cli.command()
@game_argument()
def shell_command(path: Path) -> None:
    """Type the orders of GAME one after the other, completed from the position.

    Type lines without 'kursk order': 'move 24 pz 2219', 'undo'. While you type, a list offers words (Tab takes a word),
    and the bottom line shows the odds, or the mistake. Other commands work too, without GAME: 'map', 'odds', 'check',
    'sign'. 'quit' or Ctrl-D ends the shell.
    """
    from kursk_pbem.cli.orders import dialogue

    if sys.stdin is None or not sys.stdin.isatty() or not on_terminal():
        how = f"'kursk order {shell_word(path)} -' takes orders from standard input, line by line"
        raise UsageError(f"the shell needs a terminal; {how}")
    desk = desk_at(path)
    desk.record_of_writer()
    dialogue.run_dialogue(desk.folder)
