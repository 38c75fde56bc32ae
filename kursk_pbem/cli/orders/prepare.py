"""prepare: orders for the next message, with conditions on the opponent's message."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import ask, desk_at, home, note, said_options, say, yes_option
from kursk_pbem.cli.games import game_and_more
from kursk_pbem.desk import passing, prepared
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from kursk_pbem.desk.desks import Desk


@cli.command(context_settings={"ignore_unknown_options": True})
@game_and_more("[GAME] [if CONDITION: ORDER, ...; otherwise: ORDER, ...]", fixed=("if", "otherwise:", "none"))
@click.option("--sign", is_flag=True, help="Let 'kursk post' sign these very orders, without another question.")
@yes_option
@said_options
def prepare_command(path: Path, more: tuple[str, ...], sign: bool, yes: bool, quiet: bool) -> None:
    """Prepare orders for your next message, while you wait for your opponent.

    When the opponent's message comes, the program writes the orders of the first branch that holds into your draft,
    and checks and shows the draft. Quote the text, because of its semicolons:

    \b
    kursk prepare "if posture pause and 70 not in 2011: attack 1912 all;
                   otherwise: posture deploy"

    A condition is 'ORDERWORD VALUE' (what the opponent's message says), 'enemy in HEX', 'no enemy in HEX', 'UNIT in
    HEX', 'UNIT not in HEX' or 'UNIT gone'. Without a text the command shows the prepared orders; 'none' deletes them.

    With --sign 'kursk post' also signs and sends the message: only on this machine, after 'kursk setup pass yes', and
    never under 'otherwise', with a fault, or after dice.
    """
    desk = desk_at(path)
    if not more:
        _show(desk, quiet=quiet)
    elif more == ("none",):
        there = desk.own is not None and prepared.forget_prepared(desk.own)
        say("the prepared orders are deleted" if there else "no orders were prepared", quiet=quiet)
        _note(desk)
    else:
        _prepare(desk, " ".join(more), sign=sign, yes=yes, quiet=quiet)


def _prepare(desk: Desk, text: str, *, sign: bool, yes: bool, quiet: bool) -> None:
    if sign:
        if not passing.is_passing_allowed(home()):
            raise UsageError("first allow signing without a question on this machine: 'kursk setup pass yes'")
        for branch in prepared.read_branches(desk, text):
            say(branch.words, quiet=quiet)
        say("All that you do not order stays as the draft proposes it.", quiet=quiet)
        ask("Sign and send exactly these orders, without another question, if a condition holds?", yes=yes)
    for branch in prepared.prepare(desk, text, sign=sign):
        say(f"prepared: {branch.words}", quiet=quiet)
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
