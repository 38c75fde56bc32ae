"""restore: a lost game folder or private record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, ask, desk_at, home, key_option, note, said_options, say, warn, yes_option
from kursk_pbem.cli.games import completion_of, pick_path
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
@click.option("--sealed", type=PATH, help="Your sealed text: labels and values, or the signed draft.")
@click.option("--confirm", type=click.IntRange(0), metavar="SEQ", help="Confirm that message SEQ is your newest, ever.")
@click.option("--never", type=click.IntRange(1), metavar="SEQ", help="Say that you have never signed message SEQ.")
@yes_option
@said_options
def restore_command(
    game: str,
    mail: tuple[Path, ...],
    key: Path | None,
    sealed: Path | None,
    confirm: int | None,
    never: int | None,
    yes: bool,
    quiet: bool,
) -> int:
    """Restore a lost game folder or private record from MAIL copies (files, mailboxes, folders) and your key.

    DIR is the place of the folder; if your private record knows the game, GAME is enough. After that the program signs
    nothing until you confirm with --confirm which message was your last.
    """
    if confirm is not None or never is not None:
        if mail or sealed or (confirm is not None and never is not None):
            raise UsageError("restore first, with the mails; then type --confirm or --never in a second command")
        if never is not None:
            _deny_message(pick_path(game), never, yes=yes, quiet=quiet)
        else:
            _confirm_newest(pick_path(game), confirm or 0, yes=yes, quiet=quiet)
        return 0
    if not game:
        raise click.UsageError("name the game, or a new folder for the game, and then the copies of the mails")
    folder = lookup.find_last_folder(game, home(), Path())
    if folder.is_file():
        raise UsageError(f"{folder} is a file: name the game, or a new folder for the game, then the mails")
    letters = _search_mailbox(folder) if not mail and mailed.has_account(home()) else mail
    got = restoring.restore_game(folder, letters, key, home(), sealed)
    chain = got.desk.game.chain
    whole = {"game": chain.game, "folder": got.desk.folder, "head": chain.head_id, "messages": chain.next_seq}
    note(
        wrote=got.written, **whole, left_out=got.left_out, lost=got.lost, no_policy=got.no_policy, locked=got.desk.lock
    )
    for path in got.written:
        say(f"wrote {path}", quiet=quiet)
    if got.left_out:
        say(f"not counted: {len(got.left_out)} files or copies; the first: {got.left_out[0]}", quiet=quiet)
    messages = f"{chain.next_seq} message{'s' if chain.next_seq > 1 else ''}"
    say(f"{got.desk.folder}: {messages}, all verified; head {chain.head_id[:32]}", quiet=quiet)
    _say_missing(got, quiet=quiet)
    say(got.desk.lost or got.desk.lock or "Complete: you can continue to play.", quiet=quiet)
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
            f"LOST: your sealed {', '.join(got.lost)}. Your key restores the salt, not the text. Without the text "
            "you cannot write your next message, not even a resignation, and your silence counts. Write the text, or "
            f"take your signed draft: 'kursk restore {shell_word(got.desk.folder)} --sealed FILE' compares the text",
            quiet=quiet,
        )
    if got.no_policy:
        say(
            "A standing policy cannot be restored: no mail contains it before an answer. If you had a policy, type "
            f"'kursk policy {shell_word(got.desk.folder)} FILE'",
            quiet=quiet,
        )


def _deny_message(folder: Path, seq: int, *, yes: bool, quiet: bool) -> None:
    desk = desk_at(folder)
    ask(f"Have you never signed a message {seq} in this game, on any machine? Look through your sent mails.", yes=yes)
    restoring.deny_message(desk, seq)
    say(f"{desk.folder}: the word about message {seq} stops nothing here, and is kept as evidence", quiet=quiet)


def _confirm_newest(folder: Path, seq: int, *, yes: bool, quiet: bool) -> None:
    desk = desk_at(folder)
    restoring.check_confirmable(desk, seq)
    say(
        f"You confirm that message {seq} ({desk.game.chain.ids[seq][:32]}) is the newest message you have ever signed "
        "in this game, on any machine. First look through your sent mails. If you have signed a later message, your "
        "next message repeats the number: two messages with the same number prove that you played double.",
        quiet=quiet,
    )
    ask(f"Is message {seq} the newest you ever signed?", yes=yes)
    restoring.confirm_newest(desk, seq)
    note(game=desk.game.chain.game, folder=desk.folder, confirmed=seq)
    say(f"{desk.folder}: confirmed; the next message can be signed here", quiet=quiet)
