"""Messages of the journal whose files are missing from the game folder, or were changed. Nobody is at fault."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk.ground import machine
from kursk_pbem.errors import AlteredError, DiskError, KurskError, LostError, NoRecordError, OutdatedError, shell_word
from kursk_pbem.game import folders, journal
from kursk_pbem.game.journal import RECEIVED, Record, Slot
from kursk_pbem.trust import earlier

_NUMBERED = re.compile(r"[0-9]{4}\.yaml")


def list_missing(folder: Path, own: Record, first: int = 0) -> list[Slot]:
    """Return the journal's messages, from number ``first`` on, that have no file in the folder. Raises DiskError."""
    lost = [seq for seq in own.seqs if seq >= first and not os.path.lexists(folders.message_path(folder, seq))]
    return [slot for seq in lost if (slot := own.read_slot(seq)) is not None]


def describe_missing(folder: Path, own: Record, lost: Sequence[Slot]) -> str:
    """Return a sentence about missing messages, with the command that writes the files again."""
    more = f", and so are {len(lost) - 1} later messages" if len(lost) > 1 else ""
    return f"{tell_arrival(lost[0])}, and is missing from {folder}{more}: {_tell_remedy(own, lost)}"


def explain_error(error: KurskError, home: Path, folder: Path | None = None, *, plays: bool = False) -> KurskError:
    """Return a LostError in place of an error if a game folder lost files that the journal still has.

    ``folder``: the faulty folder, or None for the folder of the file in the error. ``plays``: whether the command is
    for a player. Without a journal, a player's folder of mails may lack messages.
    """
    named = Path(error.where.file if error.where is not None else "")
    folder = folder or (named.parent if _NUMBERED.fullmatch(named.name) else None)
    with suppress(KurskError, OSError):
        own = find_record(folder, home) if folder is not None else None
        if folder is None or isinstance(error, DiskError | OutdatedError):
            return error
        if own is None:
            gap = plays and bool(_NUMBERED.fullmatch(named.name)) and named.name > "0000.yaml" and not named.exists()
            return make_no_record_error(_find_whole(named), f"{error}; ") if gap else error
        lost = list_missing(folder, own)
        signed = isinstance(error, AlteredError) or getattr(error, "fault", "") == "signature"
        wrong = named if signed else None  # the id may be right
        for slot in [slot for slot in map(own.read_slot, own.seqs) if slot is not None and slot not in lost]:
            path = folders.message_path(folder, slot.seq)
            if path == wrong or not folders.has_message(path, slot.id):
                how = f"move {path} away, and {_tell_remedy(own, [slot])}"
                what = f"{tell_arrival(slot)}, so the file was changed later: {how}"
                return LostError(f"{error.message}; {what}", error.where)
        if lost and (lost[0].seq == 0 or named in [folders.message_path(folder, slot.seq) for slot in lost]):
            return LostError(describe_missing(folder, own, lost))
    return error


def make_no_record_error(seen: Path, why: str = "") -> NoRecordError:
    """Return the error for a command that needs a missing private record. ``seen``: folder or file of the game."""
    here, whole = machine.get_machine().here, seen.is_dir()
    command, mails = "report" if whole else "adjudicate", shell_word(seen if whole else seen.parent)
    return NoRecordError(
        f"{why}{here} has no private record of this game, and only a player's private folder (KURSK_HOME) can write "
        f"its messages. 'kursk {command} {shell_word(seen)}' shows the game; if you play it, 'kursk restore . {mails} "
        "--key FILE' makes the record again"
    )


def _find_whole(gap: Path) -> Path:
    """Return the newest message that a command can judge: with the game so far below it, otherwise before the gap."""
    newest = max(path for path in gap.parent.iterdir() if _NUMBERED.fullmatch(path.name))
    if earlier.open_block(folders.read_message(newest)):
        return newest
    return folders.message_path(gap.parent, int(gap.name[:4]) - 1)


def find_record(folder: Path, home: Path) -> Record | None:
    """Return the private record of the game in a folder. The folder may lack message 0. Raises DiskError."""
    place = os.path.realpath(folder)
    return next((own for own in journal.load_records(home)[0] if os.path.realpath(own.folder) == place), None)


def tell_arrival(slot: Slot) -> str:
    """Return words that say whether a message was signed or received here, with the day if known."""
    day = f" on {slot.at[:10]}" if slot.at else " before"
    return f"message {slot.seq} {'came' if slot.kind == RECEIVED else 'was signed'}{day}"


def _tell_remedy(own: Record, lost: Sequence[Slot]) -> str:
    mails = "" if all(slot.text for slot in lost) else " MAILS"  # the journal has only the player's own messages
    return f"'kursk restore {own.game[:8]}{mails}' writes {'it' if len(lost) == 1 else 'them'} again"
