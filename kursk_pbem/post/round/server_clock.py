"""The clock of this machine, compared with the mail server's before a desk signs a time.

A new mail shows the server's time. If the newest mail is older than a day, the reason may be a quiet week or a
wrong clock. Then the program files a short mail without a date in the folder of sent mails, reads the date that the
server gives, and deletes the mail.
"""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.wire import fetching
from kursk_pbem.post.wire.fetching import Entry
from kursk_pbem.post.wire.imap import Mailbox

FAULT, _CHECKED = "clock fault", "clock checked"


def find_fault(home: Path, mailbox: Mailbox, newest: str, *, signs: bool) -> str:
    """Return a sentence if the machine's clock is a day off the mail server's, or ''. Save the sentence for commands.

    ``newest``: the server's time of the newest mail of the round, or ''. ``signs``: True if the round may sign a time.
    Raises UnreachableError and DiskError.
    """
    now, before = clock.now(), store.load_setting(home, FAULT)
    checked = store.load_setting(home, _CHECKED)
    trusted = bool(checked) and 0 <= times.seconds_between(checked, now) < times.DAY
    server = newest if newest and times.seconds_between(newest, now) < times.DAY else ""
    if not server and (before or (signs and not trusted)):
        server = _ask_server(mailbox)
    if not server:
        return before
    apart, fault = times.seconds_between(server, now), ""
    if abs(apart) > times.DAY:
        what = f"{times.in_words(abs(apart))} {'ahead of' if apart > 0 else 'behind'} your mail server's"
        fault = f"the clock of this machine is {what}: correct it and type 'kursk post'; until then no time is signed"
    store.save_setting(home, FAULT, fault)
    store.save_setting(home, _CHECKED, "" if fault else now)
    return fault


def _ask_server(mailbox: Mailbox) -> str:
    """Return the server's time by a short mail in the folder of sent mails, or '' without such a folder."""
    if not (folder := mailbox.find_sent()):
        return ""
    mail = EmailMessage(policy=SMTP)
    mail["Subject"] = "kursk: the time of the server"
    mail["Message-ID"] = message_id = f"<clock.{sha256_hex(clock.now().encode('ascii'))[:16]}@kursk.invalid>"
    mail.set_content("This mail may be deleted.\n")
    if mailbox.append(folder, mail.as_bytes()):
        return ""
    mailbox.select(folder)
    found = mailbox.search(b"HEADER", b"Message-ID", f'"{message_id}"'.encode("ascii"))
    if not found:
        return ""
    told = fetching.fetch_mail(mailbox, Entry(found[-1], 0, b"")).internal
    mailbox.remove(folder, found[-1:])
    return told
