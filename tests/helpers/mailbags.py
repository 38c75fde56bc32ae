"""Mails with turns, mailboxes of such mails, and their intake."""

import hashlib
import mailbox
import random
from email.message import EmailMessage

from helpers import postal
from kursk_pbem.game import folders
from kursk_pbem.post import inbox_round
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox import people
from kursk_pbem.post.mailbox.boxes import Source
from kursk_pbem.trust import reader


def letter(raw, sender="boris@example.test", subject="my turn", how="attached"):
    """Return a mail with a turn as a mail program would write the mail."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, "anna@example.test", subject
    made["Message-ID"] = f"<{hashlib.sha256(raw + how.encode()).hexdigest()[:20]}@example.test>"
    text = raw.decode("ascii")
    if how == "attached":
        made.set_content("Hello,\n\nsee below.\n")
        made.add_attachment(raw, maintype="application", subtype="octet-stream", filename="turn.yaml")
    elif how == "quoted":
        made.set_content("Gr\u00fc\u00dfe!\n\nYou wrote:\n" + "".join(f"> {line}\n" for line in text.splitlines()))
    elif how == "html":
        shown = text.replace("&", "&amp;").replace("'", "&#39;").replace("\n", "<br>\n")
        made.set_content(f"<html><body><p>Hi</p>{shown}</body></html>", subtype="html")
    else:
        made.set_content(f"Hello,\n\n{text}-- \nBoris\n", cte=how)
    return made.as_bytes()


def by_desk(raw, *readers):
    """Return a mail as a desk's letter to these readers; its Message-ID names the content."""
    ids = {one.id for one in reader.read_thing(raw, "a mail").turns}
    named = letters.digest_of(ids, [people.mark_of(reader.public) for reader in readers])
    return f"Message-ID: <k1.{named}.0@example.test>\n".encode() + raw


WAYS = ("attached", "quoted", "html", "quoted-printable", "base64", "8bit")


def turn(friend, game, seq):
    return folders.message_path(friend.folder(game), seq).read_bytes()


def sends(writer, game, server, **more):
    """Sign the due message of a game, and put a mail of it into the mailbox of a server."""
    writer.sign(game)
    server.add(letter(turn(writer, game, writer.desk(game).seq - 1), writer.address, **more))


def taken(friend, *paths):
    """Take files or folders into the inbox of a friend's desk; return the result."""
    with friend.sitting():
        return inbox_round.run_round(Intake(friend.home, friend.place), [Source(path, friend.home) for path in paths])


def states(day):
    return [(outcome.piece.turn.seq, outcome.state) for game in day.games for outcome in game.outcomes]


def box(place_, mails):
    """Write an mbox of mails."""
    path = place_ / "box"
    made = mailbox.mbox(path)
    for raw in mails:
        made.add(raw)
    made.close()
    return path


def make_maildir(place_, mails):
    path = place_ / "maildir"
    made = mailbox.Maildir(path)
    for raw in mails:
        made.add(raw)
    return path


def foreign(number):
    made = EmailMessage()
    made["From"], made["Subject"] = "news@shop.example", f"Offer {number}: kursk-pbem for nothing"
    made.set_content("Buy!\n" * 40, cte=random.Random(number).choice(["7bit", "base64", "quoted-printable"]))
    return made.as_bytes()


def long_game(anna, boris, length=7):
    """Return a game of this length at the desks of Boris and Anna, and Anna's desk after message 0."""
    game = postal.began(anna, boris)
    while boris.desk(game).seq < length:
        if boris.desk(game).game.over:
            return long_game(anna, boris, length)  # try another game
        writer, other = (boris, anna) if boris.desk(game).mine else (anna, boris)
        seq = writer.sign(game).seq - 1
        postal.carried(game, seq, writer, other)
    return game


MACHINES = [
    {"Auto_Submitted": "auto-replied"},
    {"Auto_Submitted": "no\r\nAuto-Submitted: auto-replied"},
    {"Precedence": "bulk"},
    {"X_Autoreply": "yes"},
    {"X_Loop": "anna@example.test"},
    {"Return_Path": "<>"},
    {"List_Id": "<a.b>"},
    {"X_Auto_Response_Suppress": "All"},
    {"X_Kursk_Referee": "1"},
    {"Content_Type": "multipart/report"},
]
"""Headers of automatic mails."""
