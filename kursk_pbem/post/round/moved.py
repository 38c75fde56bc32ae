"""Letters that a rule of the mail account has moved: after days of waiting all folders are searched once, read-only.

The search uses subject and ``References``, and reads only mails that match. A junk folder is a folder, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.formats import times
from kursk_pbem.formats.text import show
from kursk_pbem.kernel.words import plural
from kursk_pbem.post.mailbox import events, spool, store
from kursk_pbem.post.round import fetch
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.wire import fetching
from kursk_pbem.post.wire.account import Account
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.post.wire.smtp import UnreachableError

_PATIENCE = 5 * times.DAY


def search_folders(home: Path, account: Account, mailbox: Mailbox, seats: Iterable[GameMail]) -> Iterator[str]:
    """Search other folders for mails of games that wait long; yield the folders found. Raises UnreachableError."""
    if not (due := list(_list_waiting(home, seats))):
        return
    for folder in (name for name in mailbox.list_folders() if name not in (*account.folders, mailbox.find_sent())):
        found = 0
        with suppress(UnreachableError):  # a folder that cannot be opened
            validity, _next = mailbox.select(folder)
            scope = fetch.uid_scope(account, validity, folder)
            for game, _state in due:
                for entry in fetching.find_entries(mailbox, game):
                    if not spool.is_known(home, entry.head, entry.size, entry.uid, scope):
                        mail = fetching.fetch_mail(mailbox, entry)
                        said = fetch.describe_mail(mail, account, folder, validity)
                        found += not mail.why and spool.add_mail(home, mail.raw, **said)
        if found:
            always = f"add the folder to 'folder' in account.toml, as in folder = [\"INBOX\", {show(folder)}]"
            yield f"{plural(found, 'mail')} of your games came from the folder {show(folder)}; {always}"
    for game, state in due:
        store.save_setting(home, f"waits {game}", state)


def _list_waiting(home: Path, seats: Iterable[GameMail]) -> Iterator[tuple[str, str]]:
    """Yield the games and tournaments due for a search after days without news, each with its state."""
    there = [(seat.game, seat.known.newest) for seat in seats if seat.known.writer not in ("", seat.side)]
    played = (event for event in events.list_tournaments(home) if not event.directed)
    there += [(event.game, event.book.head.seq) for event in played if not event.book.ended]
    for game, newest in there:
        state, _blank, since = store.load_setting(home, f"waits {game}").partition(" ")
        if state != str(newest):
            store.save_setting(home, f"waits {game}", f"{newest} {clock.now()}")
        elif since and times.seconds_between(since, clock.now()) >= _PATIENCE:
            yield game, state
