"""Games that a restored private folder lacks, restored from the player's own messages in the mailbox.

If the player accepted such a game again, the player could sign two messages with one number.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.rescue import restore
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, journal, keyring
from kursk_pbem.post.mailbox import task_guard
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.round import early_turns, reading
from kursk_pbem.post.round.digest import Digest
from kursk_pbem.post.wire import fetching
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.tournament import private
from kursk_pbem.trust.messages import Message


def restore_games(mailbox: Mailbox, home: Path, here: Path) -> Iterator[Digest]:
    """Restore each game whose proposal still waits, although the mailbox has a later message by the player."""
    if not (waiting := list(early_turns.list_proposals(home))):
        return
    digest, own = Digest(), _list_keys(home)
    for proposal in waiting:
        pinned = {side: str(key) for side, key in proposal.mapping("keys").items()}
        side = next((side for side, key in pinned.items() if key in own and side != REFEREE), "")
        if not side or journal.find(home, proposal.id) is not None:
            continue
        mails = [Mail(raw, "the mailbox") for raw in fetching.find_game(mailbox, proposal.id)]
        signed = (piece.turn for piece in reading.list_turns(mails, proposal.id) if piece.is_signed(pinned))
        found = [turn for turn in signed if isinstance(turn, Message)]
        if any(message.sender == side for message in found):
            with task_guard.guard_task(home, f"game {proposal.id[:8]}", b"", digest.add_fault):
                folder = here / folders.folder_name(proposal.id)
                got = restore.restore_game(folder, [proposal, *found], own[pinned[side]], home)
                digest.add_line(f"you have played game {proposal.id[:8]} before: {got.desk.folder} is restored")
    if not digest.nothing:
        yield digest


def _list_keys(home: Path) -> dict[str, Path]:
    """Return the files of the player's keys by public key: from games and tournaments, and the remembered key."""
    records = [record.key for record in journal.load_records(home)[0]]
    records += [record.key for record in private.survey_records(home)[0]]
    last = remembered.recall(home).usable_key
    there = dict[str, Path]()
    for path in dict.fromkeys([*map(Path, records), *([last] if last is not None else [])]):
        with suppress(UsageError):  # the key file of an old game may be missing
            there.setdefault(keyring.find_public_key(path), path)
    return there
