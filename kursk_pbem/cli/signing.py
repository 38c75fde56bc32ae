"""The end of every command that signs a message: the question, the file, and what to mail."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kursk_pbem.cli import jsonlines
from kursk_pbem.cli.common import ask, say
from kursk_pbem.cli.games import name_game

if TYPE_CHECKING:
    from kursk_pbem.desk.draft.drafts import Checked
    from kursk_pbem.desk.own.desks import Desk


def sign_asked(desk: Desk, checked: Checked, key: Path | None, question: str, *, yes: bool, quiet: bool) -> None:
    """Ask once, sign a checked draft, and print the file to mail."""
    from kursk_pbem.desk.turn import play

    ask(f"{name_game(desk.game.chain.game)}{question}", yes=yes)
    say_signed(play.sign_shown(desk, checked, str(key) if key else None), desk.to_mail, quiet=quiet)


def say_signed(desk: Desk, to_mail: str, *, quiet: bool) -> None:
    """Print the file of the signed message, and who gets it."""
    then = to_mail if desk.practice else f"{to_mail}, with a copy to yourself"
    then = "the other side at this machine has it" if desk.hot_seat else then
    say(f"wrote {desk.newest}: {then}", quiet=quiet, **jsonlines.signed_facts(desk))


def say_again(desk: Desk, *, quiet: bool) -> None:
    """Print that the last message was signed before, and what to mail."""
    again = f"message {desk.last.seq} was signed before, so the draft has no effect; wrote {desk.newest} again"
    say(f"{again}: {desk.to_mail}", quiet=quiet, **jsonlines.signed_facts(desk, again=True))
