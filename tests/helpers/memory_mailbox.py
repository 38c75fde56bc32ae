"""A mailbox without a server, with the calls of ``post.wire.imap.Mailbox``: an inbox, and a folder of sent mails.

The folder of sent mails is on the disk, so it survives a killed program.
"""

from __future__ import annotations

import email
import re
from datetime import UTC, datetime
from types import SimpleNamespace

from helpers.mail_servers import decode_texts

SENT = "Sent"


class MemoryMailbox:
    """The mailbox of an account; ``inbox``: {uid: (bytes, time of arrival)}; ``sent``: a folder of files, or None."""

    server = SimpleNamespace(host="imap.example.test")

    def __init__(self, account, inbox, sent, now):
        self.account, self.inbox, self.sent, self.now = account, inbox, sent, now
        self.shown = inbox

    def _list_sent(self):
        there = sorted(self.sent.glob("*.eml")) if self.sent is not None else ()
        return {int(path.name.partition("-")[0]): path for path in there}

    def find_sent(self):
        return SENT if self.sent is not None else ""

    def list_folders(self):
        return ["INBOX", *([SENT] if self.sent is not None else [])]

    def select(self, folder="", *, readonly=True):
        assert isinstance(readonly, bool)
        self.shown = self._list_sent() if folder == SENT else self.inbox
        return 1, max(self.shown, default=0) + 1

    def _read(self, uid):
        there = self.shown[uid]
        if isinstance(there, tuple):
            return there
        return there.read_bytes(), datetime.strptime(there.stem.partition("-")[2], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)

    def search(self, *criteria):
        words = [word.decode("latin-1") for word in criteria]
        uids = sorted(self.shown)
        if words[0] == "SINCE":
            since = datetime.strptime(words[1], "%d-%b-%Y").replace(tzinfo=UTC)
            return [uid for uid in uids if self._read(uid)[1] >= since]
        if words[0] == "UID":
            first, last = words[1].split(":")
            uids = [uid for uid in uids if int(first) <= uid and (last == "*" or uid <= int(last))]
            words = words[2:]
        if not words:
            return uids
        if words[0] == "BODY":
            return [uid for uid in uids if words[1].encode() in decode_texts(self._read(uid)[0])]
        if words[0] == "HEADER":
            return [uid for uid in uids if words[2].strip('"') in str(self._head(uid)["Message-ID"])]
        assert words[:2] == ["OR", "SUBJECT"], words
        subject, thread = words[2].strip('"'), words[5]
        heads = {uid: self._head(uid) for uid in uids}
        return [
            uid
            for uid, head in heads.items()
            if subject in re.sub(r"\s+", " ", str(head["Subject"])) or thread in str(head["References"])
        ]

    def _head(self, uid):
        return email.message_from_bytes(self._read(uid)[0].partition(b"\r\n\r\n")[0] + b"\r\n\r\n")

    def fetch(self, uids, *items):
        found = {}
        for uid in uids:
            if uid in self.shown:
                raw, when = self._read(uid)
                head = raw[: raw.find(b"\r\n\r\n") + 4] if b"\r\n\r\n" in raw else raw[: raw.find(b"\n\n") + 2]
                whole = {b"BODY[]": raw, b"INTERNALDATE": when}
                found[uid] = whole if b"BODY.PEEK[]" in items else {b"RFC822.SIZE": len(raw), b"BODY[HEADER]<0>": head}
        return found

    def append(self, folder, raw):
        assert folder == SENT
        self.sent.mkdir(parents=True, exist_ok=True)
        number = max(self._list_sent(), default=0) + 1
        name = f"{number:05d}-{self.now():%Y%m%dT%H%M%S}"
        (self.sent / name).write_bytes(raw)
        (self.sent / name).rename(self.sent / f"{name}.eml")
        return ""

    def remove(self, folder, uids):
        there = self._list_sent()
        for uid in uids:
            there[uid].unlink()

    def mark(self, uids, validity, folder=""):
        pass
