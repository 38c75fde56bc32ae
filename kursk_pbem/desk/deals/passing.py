"""Messages without a choice, signed for a player who has allowed it (decision 89).

The permission is a file of the private folder that ``kursk save`` leaves out. A message without a choice has the same
bytes on each machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from kursk_pbem.desk.draft import drafts, ordering, unsigned
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.own import register
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.turn import play, prepared
from kursk_pbem.errors import KurskError, RulesError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import disk

ALLOWED = "pass"
"""The file in the private folder with the permission to sign messages without a choice."""
NO_CHOICE = "for it had no choice ('kursk setup pass no' stops that)"
PREPARED = "with your prepared orders, as you allowed word for word"
"""Why a message was signed without a question, in words."""


def allow_passing(home: Path) -> None:
    """Allow the program to sign messages that contain no choice, without asking the player. Raises OSError."""
    disk.make_private(home)
    (home / ALLOWED).touch(mode=0o600)


def forbid_passing(home: Path) -> None:
    """Forbid the program to sign messages that contain no choice without asking the player. Raises OSError."""
    (home / ALLOWED).unlink(missing_ok=True)


def is_passing_allowed(home: Path) -> bool:
    """Return whether the program may sign messages that contain no choice, without asking the player."""
    return (home / ALLOWED).is_file()


def _may_sign(desk: Desk) -> bool:
    """Return whether a message is due that needs no person: no accepting or binding message, no reply, no lock."""
    chain = desk.game.chain
    due = desk.mine and desk.own_side != REFEREE and not chain.offer and desk.seq > chain.bound
    return due and not desk.lock and desk.unwritten is None


def check_pass(desk: Desk) -> Checked | None:
    """Check the next draft. If the message leaves the player no choice, return the checked draft, otherwise None.

    A draft edited by the player counts as a choice, even if its orders are the proposed orders. Raises KurskError.
    """
    if unsigned.find_edited(desk) is not None:
        return None
    checked = drafts.check_draft(desk, ordering.open_draft(desk).message)
    if not desk.game.ruleset.quiet(desk.game.setting, checked.result.middle):
        return None
    if checked.result.violations:
        raise RulesError(checked.result.violations, desk.own_side)
    return checked


def sign_passes(
    home: Path, here: Path, open_desk: Callable[[Path], Desk], tell: Callable[[KurskError], None]
) -> Iterator[tuple[Desk, str]]:
    """Sign each due message without a choice, or with prepared orders that may be signed. Yield desk and reason.

    ``tell``: a function to call with the error of a game. The other games continue.
    """
    for known in register.list_games(home, here):
        if not known.here or not known.waits or known.practice or known.unwanted:
            continue
        try:
            desk = open_desk(known.folder)
            if not _may_sign(desk):
                continue
            if (checked := check_pass(desk)) is not None:
                yield play.sign_shown(desk, checked, None), NO_CHOICE
            elif (checked := prepared.find_signable(desk)) is not None:
                yield play.sign_shown(desk, checked, None), PREPARED
        except KurskError as error:
            tell(error)
