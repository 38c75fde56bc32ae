"""prepare: orders for the next message, with conditions on the opponent's message."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import ask, desk_at, home, note, said_options, say, yes_option
from kursk_pbem.cli.games import completion_of, pick_path
from kursk_pbem.desk.deals import passing
from kursk_pbem.desk.turn import prepared
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from kursk_pbem.desk.own.desks import Desk

_TEXT = re.compile(r"(if|otherwise)\b|none\Z", re.IGNORECASE)
"""The beginning of a text; every other first word names a game."""


@cli.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="[GAME] [TEXT]", shell_complete=completion_of("games"))
@click.option("--sign", is_flag=True, help="Let 'kursk post' sign these very orders, without another question.")
@yes_option
@said_options
def prepare_command(words: tuple[str, ...], sign: bool, yes: bool, quiet: bool) -> None:
    """Prepare orders for your next message, while you wait for your opponent.

    When the message comes, the program takes the first branch whose conditions are true, writes the orders of this
    branch into your draft, and shows the checked draft. Type TEXT in quotation marks, because it has semicolons:

    \b
    kursk prepare "if posture pause and 42 in 2217: attack 2217 all;
                   otherwise: answer all full always"

    TEXT has branches 'if CONDITION [and CONDITION]: ORDER, ...', and last 'otherwise: ORDER, ...'. A CONDITION is
    'ORDERWORD VALUE' (an order in the opponent's message), 'enemy in HEX', 'no enemy in HEX', 'UNIT in HEX', 'UNIT not
    in HEX' or 'UNIT gone'. Without TEXT the command shows the prepared orders; 'none' deletes them.

    With --sign, 'kursk post' also signs and sends the message, but only on this machine, and only after you have typed
    'kursk setup pass yes'. It never signs a branch 'otherwise', orders with a mistake, or a message after dice.
    """
    game, text = ("", words) if words and _TEXT.match(words[0]) else (words[:1], words[1:])
    desk = desk_at(pick_path("".join(game)))
    if not text:
        _show(desk, quiet=quiet)
    elif text == ("none",):
        there = desk.own is not None and prepared.forget_prepared(desk.own)
        say("the prepared orders are deleted" if there else "no orders were prepared", quiet=quiet)
        _note(desk)
    else:
        _prepare(desk, " ".join(text), sign=sign, yes=yes, quiet=quiet)


def _prepare(desk: Desk, text: str, *, sign: bool, yes: bool, quiet: bool) -> None:
    if sign:
        if not passing.is_passing_allowed(home()):
            raise UsageError("the program may not sign without a question yet: type 'kursk setup pass yes' first")
        for branch in prepared.read_branches(desk, text):
            say(branch.words, quiet=quiet)
        say("A choice for which you give no order stays as the draft proposes it.", quiet=quiet)
        ask("Sign and send exactly these orders, without another question, if a condition holds?", yes=yes)
    former = prepared.load_prepared(desk.own) if desk.own is not None else None
    for branch in prepared.prepare(desk, text, sign=sign):
        say(f"prepared: {branch.words}", quiet=quiet)
    say(f"replaced orders: {former.text}" if former else "", quiet=quiet or former is None)
    _note(desk)


def _show(desk: Desk, *, quiet: bool) -> None:
    held = prepared.load_prepared(desk.own) if desk.own is not None else None
    how = ", and 'kursk post' signs them" if held and held.sign else ""
    say(f"prepared after message {held.seq}{how}: {held.text}" if held else "no orders are prepared", quiet=quiet)
    _note(desk)


def _note(desk: Desk) -> None:
    """Save the prepared orders as facts for --json."""
    held = prepared.load_prepared(desk.own) if desk.own is not None else None
    facts = {"seq": held.seq, "text": held.text, "sign": held.sign} if held else None
    note(game=desk.game.chain.game, prepared=facts)
