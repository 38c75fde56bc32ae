"""order: orders in words, written into the draft."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import complain, desk_at, plain, quiet_option, say
from kursk_pbem.cli.games import completes, game_and_more
from kursk_pbem.errors import EXIT_RULES, UsageError

if TYPE_CHECKING:
    from kursk_pbem.desk.draft.ordering import Sheet, Written

UNDO, REDO = "undo", "redo"
MOST = 500
"""Orders of one command."""
MARGIN = 24
"""Columns of examples before their meaning."""


@cli.command(context_settings={"ignore_unknown_options": True})
@game_and_more("[GAME] [ORDER[, ORDER]...]", complete=completes("orders"))
@quiet_option
def order(path: Path, more: tuple[str, ...], quiet: bool) -> int:
    """Write orders in words into your draft; it is checked at once.

    Without an ORDER: the words that this message takes, each with an example, and the orders so far with their numbers.
    Parts of names do for units and places. Orders are parted by commas, and one without its first word repeats that of
    the order before it. A line each from standard input with '-' in their place. 'undo' takes back the last command
    and 'redo' does it again, 'undo N' takes out the order with that number, 'note' puts words to your opponent into the
    message.
    """
    from kursk_pbem.desk.draft import ordering

    sheet = _sheet(path)
    if not more:
        _list(sheet)
        return 0
    if more[0].lower() == UNDO:
        done = _undone(sheet, more[1:])
    elif [each.lower() for each in more] == [REDO]:
        done = ordering.redo(sheet)
    else:
        lines = sys.stdin.read(1 << 20).splitlines() if more == ("-",) and sys.stdin is not None else [" ".join(more)]
        orders = [each for line in lines if not line.lstrip().startswith("#") for each in ordering.split(line)]
        if not orders:
            raise UsageError("there is no order on standard input; 'kursk order' alone lists what can be ordered")
        if len(orders) > MOST:
            raise UsageError(f"these are {len(orders)} orders; one command takes at most {MOST}")
        try:
            done = ordering.write(sheet, orders)
        except UsageError as error:
            if len(orders) > 1:
                raise UsageError(f"{error.message}\nnone of the {len(orders)} orders was written") from None
            raise
    return _tell(done, quiet=quiet)


def _sheet(path: Path) -> Sheet:
    """The draft of a game, or the one that was named."""
    from kursk_pbem.desk.draft import ordering

    return ordering.open_sheet(desk_at(path), None if path.is_dir() else path)


def _undone(sheet: Sheet, words: tuple[str, ...]) -> Written:
    from kursk_pbem.desk.draft import ordering

    if not words:
        return ordering.undo(sheet)
    if len(words) > 1 or not words[0].isdigit():
        raise UsageError("'undo' takes back the last command; 'undo 3' takes out order 3 of the list")
    from kursk_pbem.desk.draft import takeouts

    return takeouts.take_out(sheet, int(words[0][:9]))


def _tell(done: Written, *, quiet: bool) -> int:
    """What was understood, and what is wrong with the draft now."""
    from kursk_pbem.desk.draft import orderlines

    for line in done.said:
        say(line, quiet=quiet)
    violations = done.checked.result.violations
    if not violations:
        number = len(orderlines.listed(done.sheet.choices))
        say(f"{done.sheet.path}: legal; it holds {number} order{'' if number == 1 else 's'}", quiet=quiet)
        return 0
    click.echo(plain("\n".join(map(str, violations))), err=True)
    places = "one place" if len(violations) == 1 else f"{len(violations)} places"
    complain(f"written, but the draft breaks the rules in {places}; order again, or 'kursk order undo' takes it back")
    return EXIT_RULES


def _list(sheet: Sheet) -> None:
    """The words of this message with examples, and its orders with their numbers."""
    from kursk_pbem.desk.draft import ordering, orderlines
    from kursk_pbem.report.layout import wrap

    game = sheet.desk.game
    say(f"Message {sheet.desk.seq} of turn {game.state.turn}: {game.stage.brings}")
    more = (
        ("undo [N]", "take back the last command, or take out order N"),
        ("redo", "do what was taken back again"),
        ("note WORDS", "words to your opponent"),
    )
    able = [verb for verb in sheet.verbs if ordering.possible(sheet, verb)]
    for example, text in (*((verb.example, verb.text) for verb in able), *more):
        long = len(example) > MARGIN - 4
        say("\n".join(wrap(example, "  ", "    ")), quiet=not long)
        say("\n".join(wrap(text, " " * MARGIN if long else f"  {example}".ljust(MARGIN), " " * MARGIN)))
    if listing := next((verb.name for verb in reversed(able) if verb.clauses), ""):
        say(f"A first word alone, such as 'kursk order {listing}', lists what it can name now.")
    orders = orderlines.listed(sheet.choices)
    say("Orders so far:" if orders else "There is no order yet.")
    for number, (_path, words) in enumerate(orders, 1):
        say("\n".join(wrap(words, f"{number:>4}  ", "      ", 79)))
    if left := ordering.edited_since(sheet):
        say(f"{sheet.path} was edited since your last 'kursk order'; what that left is kept in {left}")
