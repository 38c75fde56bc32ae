"""Search again for a proposal that was reported but not saved, in the mailbox or the last folder of mails.

The search also finds the other mails of the game, which are accepted after the proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk.deals import begin
from kursk_pbem.errors import UsageError
from kursk_pbem.post import inbox_round, mail_session
from kursk_pbem.post.mailbox import boxes, post_folder
from kursk_pbem.post.mailbox.boxes import Source
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.mailbox.post_folder import BusyError
from kursk_pbem.post.round import proposals, reading
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire import fetching
from kursk_pbem.trust.messages import Message


def find_proposal(home: Path, file: Path, seq: int | None, ask: Callable[[str], str]) -> tuple[Message, list[Mail]]:
    """Return a proposal and the mails found with it. ``file``: its path, or the first digits of the game's id."""
    typed = "" if str(file) == "." else str(file)
    if typed and file.exists():
        mail = boxes.read_mail(file) if file.is_file() else None
        return begin.read_proposal(file, seq), [mail] if isinstance(mail, Mail) and mail.sender else []
    if (waits := proposals.find_waiting(home, typed)) is not None:
        return begin.read_proposal(waits, seq), []
    if not typed:
        raise UsageError("type the proposal's file, or the first digits of the game that 'kursk inbox FILE' shows")
    if not (digits := proposals.parse_digits(typed)):
        return begin.read_proposal(file, seq), []
    return search_proposal(home, digits, ask)


def search_proposal(home: Path, game: str, ask: Callable[[str], str]) -> tuple[Message, list[Mail]]:
    """Return a game's proposal and the mails found with it. ``game``: first digits of its id. Raises UsageError."""
    where, mails = _search_mails(home, game, ask)
    there, found = dict[str, Message](), list[Mail]()
    for mail in mails:
        turns = [piece.turn for piece in reading.list_turns([mail], game)]
        found += [mail] if turns else []
        there |= {turn.id: turn for turn in turns if isinstance(turn, Message) and turn.type == "propose"}
    if len(there) > 1:
        raise UsageError(f"{game} fits {' and '.join(id_[:16] for id_ in there)}: type more digits")
    if not there:
        raise UsageError(f"no proposal of game {game} is found {where}: save the mail, then type 'kursk accept FILE'")
    return next(iter(there.values())), found


def _search_mails(home: Path, game: str, ask: Callable[[str], str]) -> tuple[str, Iterable[Mail]]:
    """Return the searched place in words, and possible mails of a game."""
    account = accounts.load_account(home)
    if account is not None and account.imap is not None:
        with mail_session.open_session(home, ask).mailbox() as mailbox:
            raws = list(fetching.find_game(mailbox, game))
        folder = account.folders[0]
        return f"in {folder} of {account.address}", [Mail(raw, folder) for raw in raws]
    places = [place for place in boxes.last_places(home) if place.exists()]
    if not places:
        return "here", ()
    found = (mail for place in places for mail in Source(place, home, anew=True).mails())
    return f"in {' and '.join(map(str, places))}", (mail for mail in found if isinstance(mail, Mail))


def search_messages(home: Path, game: str, ask: Callable[[str], str]) -> list[Message]:
    """Return the messages of a game in the received and sent mails of the account. Raises KurskError."""
    pieces = reading.list_turns(_search_mails(home, game, ask)[1], game)
    return [piece.turn for piece in pieces if isinstance(piece.turn, Message)]


def accept_found(home: Path, key: Path | None, found: list[Mail]) -> list[str]:
    """Accept mails that were found with a proposal, unless another round of the post is running. Raises KurskError."""
    if found or post_folder.locate(home).is_dir():
        with suppress(BusyError), post_folder.lock_post(home):
            return inbox_round.run_round(mail_session.open_files(home, key)[0], [], found=found).lines
    return []
