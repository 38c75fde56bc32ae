"""restore: a lost game folder or private record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, home, key_option, note, said_options, say, warn
from kursk_pbem.cli.games import completion_of
from kursk_pbem.desk.own import lookup, mailed
from kursk_pbem.desk.rescue import restore as restoring
from kursk_pbem.errors import KurskError, UsageError, shell_word

if TYPE_CHECKING:
    from kursk_pbem.desk.rescue.restore import Restored
    from kursk_pbem.game.copies import Letters


@cli.command()
@click.argument("game", metavar="[GAME | DIR]", default="", shell_complete=completion_of("games"))
@click.argument("mail", metavar="[MAIL]...", nargs=-1, type=PATH)
@key_option
@said_options
def restore_command(game: str, mail: tuple[Path, ...], key: Path | None, quiet: bool) -> int:
    """Restore a lost game folder or private record from copies in mails (MAIL) and your key.

    If your private record still knows the game, type GAME. Otherwise type DIR: where the game folder is to be. MAIL is
    a file, mailbox or folder; without MAIL the command searches your mail account.
    """
    if not game:
        raise click.UsageError("type two things: first the GAME, or a new folder for it; then the files with the mails")
    folder = lookup.find_last_folder(game, home(), Path())
    if folder.is_file():
        raise UsageError(f"{folder} is a file: name the game or a new folder first, then the files of the mails")
    letters = _search_mailbox(folder) if not mail and mailed.has_account(home()) else mail
    got = restoring.restore_game(folder, letters, key, home())
    chain = got.desk.game.chain
    whole = {"game": chain.game, "folder": got.desk.folder, "head": chain.head_id, "messages": chain.next_seq}
    note(
        wrote=got.written, **whole, left_out=got.left_out, lost=got.lost, no_policy=got.no_policy, locked=got.desk.lock
    )
    for path in got.written:
        say(f"wrote {path}", quiet=quiet)
    if got.left_out:
        say(f"{len(got.left_out)} files or copies were not used; the first of these is {got.left_out[0]}", quiet=quiet)
    messages = f"{chain.next_seq} message{'s' if chain.next_seq > 1 else ''}"
    say(f"{got.desk.folder}: {messages}, all verified; head {chain.head_id[:32]}", quiet=quiet)
    _say_missing(got, quiet=quiet)
    say(got.desk.lost or got.desk.lock or "Complete: you can continue to play.", quiet=quiet)
    if got.advice:
        say(got.advice, quiet=quiet)
    return 1 if got.desk.lost else 0


def _search_mailbox(folder: Path) -> Letters:
    """Return the messages of a game in the mailbox. If the mailbox cannot be read, print the reason."""
    from kursk_pbem.cli.mail.posting import ask_password
    from kursk_pbem.post import proposal_search

    try:
        return proposal_search.search_messages(home(), folder.resolve().name.removeprefix("game-"), ask_password)
    except KurskError as error:
        warn(f"the mailbox was not searched: {error}")
        return ()


def _say_missing(got: Restored, *, quiet: bool) -> None:
    """Print what no mail and no key can restore."""
    if got.lost:
        say(
            f"LOST: your sealed {', '.join(got.lost)}. An older program sealed this text, and only its private folder "
            "contains the text. Without the text you cannot write your next message, not even a resignation",
            quiet=quiet,
        )
    if got.no_policy:
        say(
            "A standing policy cannot be restored: no mail contains a policy before its first answer. If you had a "
            f"policy, type 'kursk policy {shell_word(got.desk.folder)} FILE'",
            quiet=quiet,
        )
