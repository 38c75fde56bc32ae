"""Things that a person may hold: turns as programs pack and damage them, and what is no turn; and their wrappings.

``TAKEN``: the turn in the thing is taken, byte for byte. Other things are named: ``words`` is a pattern of the answer.
"""

import base64
import bz2
import codecs
import gzip
import html
import json
import lzma
import re
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass

from helpers import packed
from helpers.mails import attached, change_lines, letter, quote
from kursk_pbem.desk.trial import studies
from kursk_pbem.formats.canonical import canon
from kursk_pbem.formats.yamlout import yaml_lines
from kursk_pbem.trust import link, messages, sshsig

TAKEN, TALK = "taken", "Hello,\n\nsee below.\n"
WRAPPINGS = ("file", "text", "attachment", "zip", "mbox")
_NBSP = "\u00a0"


@dataclass(frozen=True)
class Thing:
    """A thing. ``make``: its bytes at a desk; ``words``: TAKEN, or a pattern of the answer; ``status``: of the command.

    ``lacks``: the wrappings that cannot hold the thing.
    """

    what: str
    name: str
    make: Callable
    words: str = TAKEN
    status: int = 2
    lacks: tuple[str, ...] = ()

    @property
    def whole(self):
        """True if the thing is a whole mail."""
        return self.name.endswith(".eml")

    @property
    def wrappings(self):
        return [each for each in WRAPPINGS if each not in self.lacks and not (self.whole and each == "text")]


def unprintable(*said):
    """Return a thing that the text of a mail cannot hold."""
    return Thing(*said, lacks=("text",))


def wrap(thing, data, wrapping):
    """Return the name and the bytes of a file with the thing in a wrapping."""
    if wrapping == "file":
        return thing.name, data
    if wrapping == "text":
        return "mail.eml", letter(f"{TALK}\n{data.decode()}\n").as_bytes()
    if wrapping == "zip":
        return "all.zip", packed.pack_zip(("notes.txt", b"see below\n"), (thing.name, data))
    made = attached(letter(TALK), data, name=thing.name).as_bytes()
    if wrapping == "attachment":
        return "mail.eml", made
    mails = [letter("Thanks, got it!\n").as_bytes(), data if thing.whole else made]
    return "box", packed.pack_mbox(*mails)


def mail(body, *fields):
    """Return a mail with these fields and this body, byte for byte."""
    head = ["From: boris@example.org", "To: anna@example.org", "Subject: our game", "MIME-Version: 1.0", *fields]
    return "\n".join(head).encode() + b"\n\n" + body


def with_file(data, name, kind="application/octet-stream"):
    return attached(letter(TALK), data, kind, name=name).as_bytes()


def signed_anew(desk, old, new):
    """Return the turn with other signed text, signed by its writer: as a later program writes it."""
    content = messages.read_message(desk.turn, "turn").content
    text = re.sub(old, new, "\n".join(yaml_lines(content)), count=1) + "\n"
    said = packed.read_plain(text)
    return (text + "\n".join(messages.emit_signature(desk.signer.sign(sshsig.NAMESPACE, canon(said)))) + "\n").encode()


def in_page(raw):
    said = raw.decode().replace("'", "&#39;").replace("\n", "<br>\n")
    return f"<html><body><p>Hi</p>{said}</body></html>\n".encode()


def with_hard_blanks(raw, charset="utf-8"):
    """Return the turn with no-break spaces as indentation, as programs paste it."""
    return re.sub(r"(?m)^ +", lambda found: _NBSP * len(found[0]), raw.decode()).encode(charset)


def clearsigned(raw):
    body = re.sub(r"(?m)^-", "- -", raw.decode())
    armour = "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"
    return f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{body}{armour}".encode()


def flowed(raw):
    lines = raw.decode().splitlines()
    said = "\n".join(" " + line if line.startswith((" ", ">", "From ")) else line for line in lines)
    return mail(said.encode() + b"\n", "Content-Type: text/plain; charset=utf-8; format=flowed")


def forwarded(raw, levels):
    made = attached(letter(TALK), raw)
    for _level in range(levels):
        outer = letter("See below.\n")
        outer.add_attachment(made)
        made = outer
    return made.as_bytes()


def uuencoded(raw, name="0001.yaml"):
    return codecs.encode(raw, "uu").replace(b"<data>", name.encode())


def as_archive(raw):
    """Return the message in archive form, as 'kursk export' writes it."""
    return canon(messages.read_message(raw, "turn").content) + b"\n"


def give_link(at):
    return link.make_link([at.turn], "https://kursk.example/app/")


def escaped(text, times=1):
    """Return an address as a redirect carries it: percent signs, perhaps twice."""
    for _time in range(times):
        text = urllib.parse.quote(text, safe="")
    return text


def dashed(text):
    """Return an address as a gateway spells it that escapes by dashes."""
    plain = text.replace("-", "%2D").replace("_", "%5F").replace("#", "%23").replace(":", "%3A")
    return plain.replace("%", "-").replace("/", "_")


def corrected(raw):
    """Return the turn as an editor of documents saves it: a byte order mark, curly quotes, long dashes, CRLF."""
    said = re.sub("'([^'\n]*)'", "\u2018\\1\u2019", raw.decode()).replace("-----", "\u2014\u2013")
    return b"\xef\xbb\xbf" + said.replace("\n", "\r\n").encode()


def in_chat(at):
    messages_ = [{"id": "1", "content": "hi"}, {"id": "2", "content": at.turn.decode()}]
    return json.dumps({"guild": {"name": "Kursk"}, "messages": messages_}, indent=1).encode()


def in_forum(at):
    said = html.escape(at.turn.decode())
    return (
        f"<!DOCTYPE html>\n<html><head><title>Forum</title></head><body><pre><code>{said}</code></pre></body>".encode()
    )


def in_two_names(at):
    return packed.pack_zip(("Zug_00.yaml", at.turn)).replace(b"Zug_00.yaml", b"Z\x81g_00.yaml", 1)


def left_out(field):
    part = f"--B\nContent-Type: text/plain; name=0001.yaml\n{field}\n\n\n--B--\n".encode()
    return mail(part, 'Content-Type: multipart/mixed; boundary="B"')


def number(raw):
    return "".join(f"{at:6}\t{line}\n" for at, line in enumerate(raw.decode().splitlines(), 1)).encode()


def cut(raw, mark, more=0):
    return raw[: raw.index(mark) + more]


_CHANGED = "changed on the way|a receiver cannot repair"
_BEGIN = sshsig.BEGIN.encode()
_RECORD = "text/plain; charset=windows-1252"

INTACT = [
    Thing("turn", "0001.yaml", lambda at: at.turn),
    Thing("turn with CRLF", "turn.txt", lambda at: at.turn.replace(b"\n", b"\r\n")),
    unprintable("turn with CR", "turn.txt", lambda at: at.turn.replace(b"\n", b"\r")),
    unprintable("turn with a byte order mark", "turn.txt", lambda at: b"\xef\xbb\xbf" + at.turn),
    unprintable("turn in UTF-16", "turn.txt", lambda at: at.turn.decode().encode("utf-16")),
    Thing("turn below words", "turn.txt", lambda at: b"Hi Anna,\nmy turn:\n\n" + at.turn + b"-- \nBoris\n"),
    Thing("turn quoted once", "turn.txt", lambda at: quote(at.turn)),
    Thing("turn with trailing blanks", "turn.txt", lambda at: at.turn.replace(b"\n", b"  \n")),
    Thing("turn with hard blanks", "turn.txt", lambda at: with_hard_blanks(at.turn)),
    Thing(
        "mail with hard blanks in cp1252",
        "mail.eml",
        lambda at: mail(
            with_hard_blanks(at.turn, "cp1252"), f"Content-Type: {_RECORD}", "Content-Transfer-Encoding: 8bit"
        ),
    ),
    Thing("turn with a cut position", "0001.yaml", lambda at: at.turn[:-30], "position below the signature", 3),
    unprintable("gzip", "0001.yaml.gz", lambda at: gzip.compress(at.turn)),
    unprintable("bzip2", "0001.yaml.bz2", lambda at: bz2.compress(at.turn)),
    unprintable("xz", "0001.yaml.xz", lambda at: lzma.compress(at.turn)),
    unprintable("tar", "all.tar", lambda at: packed.pack_tar(("game/0001.yaml", at.turn))),
    unprintable("tar in gzip", "all.tgz", lambda at: gzip.compress(packed.pack_tar(("0001.yaml", at.turn)))),
    unprintable("tar in xz", "a.tar.xz", lambda at: lzma.compress(packed.pack_tar(("0001.yaml", at.turn)))),
    unprintable("zip", "a.zip", lambda at: packed.pack_zip(("0001.yaml", at.turn))),
    unprintable(
        "zip of a zip of a mail",
        "a.zip",
        lambda at: packed.pack_zip(("b.zip", packed.pack_zip(("mail.eml", with_file(at.turn, "0001.yaml"))))),
    ),
    unprintable("zip of the folder of the game", "game.zip", lambda at: packed.pack_zip(*at.folder)),
    Thing("uuencode", "0001.uue", lambda at: uuencoded(at.turn)),
    Thing(
        "mail with an uuencoded part",
        "mail.eml",
        lambda at: mail(
            b"--B\nContent-Type: text/plain\n\nhi\n--B\nContent-Type: application/octet-stream; name=0001.yaml\n"
            b"Content-Transfer-Encoding: x-uuencode\n\n" + uuencoded(at.turn) + b"--B--\n",
            'Content-Type: multipart/mixed; boundary="B"',
        ),
    ),
    unprintable("web page with the turn", "turn.html", lambda at: in_page(at.turn)),
    Thing("link", "link.txt", lambda at: f"{link.make_link([at.turn], 'https://kursk.example/')}\n".encode()),
    Thing("mail forwarded three times", "mail.eml", lambda at: forwarded(at.turn, 3)),
    Thing("mail in flowed text", "mail.eml", lambda at: flowed(at.turn)),
    Thing("text signed by PGP", "turn.asc", lambda at: clearsigned(at.turn)),
    unprintable("mbox", "box.mbox", lambda at: packed.pack_mbox(at.mailed)),
    Thing(
        "mail with an mbox", "mail.eml", lambda at: with_file(packed.pack_mbox(at.mailed), "box", "application/mbox")
    ),
]

RESPELT = [
    Thing("turn with curly quotes", "turn.txt", lambda at: at.turn.replace(b"'", "\u2019".encode())),
    unprintable("turn from an editor of documents", "turn.txt", lambda at: corrected(at.turn)),
    Thing(
        "link by a gateway", "link.txt", lambda at: f"https://safe.example/?url={escaped(give_link(at))}&d=1".encode()
    ),
    Thing("link by two", "link.txt", lambda at: f"https://l.example/?u={escaped(give_link(at), 2)}&h=A".encode()),
    Thing("link with a star", "a.txt", lambda at: f"v3/__{give_link(at).replace('#', '*')}__;Iw!!".encode()),
    Thing("link with dashes", "a.txt", lambda at: f"https://u.example/v2/url?u={dashed(give_link(at))}&d=D".encode()),
    Thing("shortcut", "turn.url", lambda at: f"[InternetShortcut]\r\nURL={give_link(at)}\r\n".encode()),
    unprintable("export of a chat in JSON", "chat.json", in_chat),
    Thing("export of a chat", "chat.txt", lambda at: b"29/11/2026, 17:22 - Boris: " + at.turn + b"17:23 - Anna: ok\n"),
    unprintable("page of a forum", "forum.html", in_forum),
    unprintable("zip with two names of a file", "turn.zip", in_two_names),
    unprintable(
        "mail of Outlook with a turn", "turn.msg", lambda at: bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 92 + at.turn
    ),
    Thing(
        "mail with a wrong boundary",
        "mail.eml",
        lambda at: with_file(at.turn, "0001.yaml").replace(b'boundary="', b'boundary="x'),
    ),
]

DAMAGED = [
    Thing(
        "turn with one long dash", "turn.txt", lambda at: at.turn.replace(b"seq: '", "seq: \u2014'".encode()), _CHANGED
    ),
    Thing("turn with numbered lines", "turn.txt", lambda at: number(at.turn), _CHANGED),
    Thing("turn without its first line", "turn.txt", lambda at: at.turn.partition(b"\n")[2], "first lines"),
    Thing("second half of a turn", "turn.txt", lambda at: at.turn[at.turn.index(b"\nstate-out:") + 1 :], "first line"),
    Thing("turn quoted twice", "turn.txt", lambda at: quote(at.turn, b">> ")),
    Thing("turn with indents", "turn.txt", lambda at: change_lines(lambda line: b"    " + line, at.turn)),
    Thing("turn with lost indents", "turn.txt", lambda at: change_lines(bytes.lstrip, at.turn), _CHANGED),
    Thing("turn with TABs", "turn.txt", lambda at: at.turn.replace(b"  ", b"\t"), _CHANGED),
    Thing("turn wrapped at 40", "turn.txt", lambda at: re.sub(rb"(.{40})(?=.)", rb"\1\n", at.turn), _CHANGED),
    Thing("turn cut in its text", "turn.txt", lambda at: cut(at.turn, b"state-out:"), "cut off"),
    Thing("turn cut in its signature", "turn.txt", lambda at: cut(at.turn, _BEGIN, 100), "cut off"),
    Thing(
        "turn with a changed word", "0001.yaml", lambda at: at.turn.replace(b"seq: '1'", b"seq: '3'"), "changed|differs"
    ),
    Thing("turn with a key twice", "0001.yaml", lambda at: at.turn.replace(b"seq: '1'\n", 2 * b"seq: '1'\n"), _CHANGED),
    Thing("turn of a later protocol", "0001.yaml", lambda at: signed_anew(at, "pbem: '1'", "pbem: '2'"), "newer"),
    Thing("turn of an unknown type", "0001.yaml", lambda at: signed_anew(at, "type: .*", "type: truce"), "newer"),
    Thing(
        "turn with an unknown field", "0001.yaml", lambda at: signed_anew(at, "prev:", "mood: 'good'\nprev:"), "newer"
    ),
    Thing("own unsigned draft", "0001.draft.yaml", lambda at: at.draft, "(not |un)signed.*'kursk (check|sign)"),
    unprintable("gzip cut off", "0001.yaml.gz", lambda at: gzip.compress(at.turn)[:-300], "0001.yaml|cut off"),
    unprintable("zip cut off", "t.zip", lambda at: packed.pack_zip(("1.yaml", at.turn))[:-90], "t.zip"),
    unprintable("xz cut off", "0001.yaml.xz", lambda at: lzma.compress(at.turn)[:-300], "0001.yaml|cut off"),
    Thing("link cut off", "link.txt", lambda at: link.make_link([at.turn]).encode()[:-90], "link"),
    Thing(
        "link with a lost letter", "link.txt", lambda at: link.make_link([at.turn]).replace("A", "", 1).encode(), "link"
    ),
]

PACKED = [
    unprintable("7-Zip archive", "0001.7z", lambda _: b"7z\xbc\xaf\x27\x1c\0\4" + b"\x11" * 90, "7-Zip"),
    unprintable("RAR archive", "0001.rar", lambda _: b"Rar!\x1a\7\1\0" + b"\x11" * 90, "RAR"),
    unprintable("Zstandard", "1.zst", lambda _: b"\x28\xb5\x2f\xfd\x24" + bytes(range(99)), "Zstandard"),
    unprintable("mailbox of Outlook", "mails.pst", lambda _: b"!BDN" + bytes(90), "save the attachment by itself"),
    Thing("mail of Apple without its file", "1.eml", lambda _: left_out("X-Apple-Content-Length: 9"), "by itself"),
    Thing("mail of Thunderbird without its file", "1.eml", lambda _: left_out("X-Mozilla-Altered: A"), "by itself"),
    unprintable("zip with a password", "t.zip", lambda at: packed.lock_zip(at.turn), "encrypted|password"),
    Thing("encrypted by PGP", "turn.asc", lambda _: packed.PGP, "encrypted"),
    Thing(
        "mail encrypted by PGP",
        "mail.eml",
        lambda _: mail(
            b"--B\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--B\n"
            b"Content-Type: application/octet-stream\n\n" + packed.PGP + b"--B--\n",
            'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary="B"',
        ),
        "encrypted",
    ),
    unprintable("signed S/MIME in a file", "smime.p7m", lambda at: packed.sign_smime(at.mailed), "signed in one"),
    unprintable("signed S/MIME in pieces", "smime.p7m", lambda at: packed.stream_smime(at.mailed), "signed in one"),
    Thing(
        "mail signed by S/MIME",
        "mail.eml",
        lambda at: mail(
            base64.encodebytes(packed.sign_smime(at.mailed)),
            'Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"',
            "Content-Transfer-Encoding: base64",
        ),
        "signed in one",
    ),
    unprintable("encrypted S/MIME", "smime.p7m", lambda at: packed.encrypt_smime(at.mailed), "encrypted"),
    Thing(
        "mail encrypted by S/MIME",
        "mail.eml",
        lambda at: mail(
            base64.encodebytes(packed.encrypt_smime(at.mailed)),
            "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
            "Content-Transfer-Encoding: base64",
        ),
        "encrypted",
    ),
    unprintable("winmail.dat", "winmail.dat", lambda _: packed.TNEF + b"\x11" * 90, "winmail.dat"),
    unprintable("winmail.dat with a turn as it is", "winmail.dat", lambda at: packed.TNEF + at.turn),
    unprintable("mail of Outlook", "turn.msg", lambda _: bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 90, "turn.msg"),
    Thing(
        "mail whose file a list removed",
        "mail.eml",
        lambda _: mail(
            b"hi\n-------------- next part --------------\nA non-text attachment was scrubbed...\nName: 0001.yaml\n"
            b"Type: application/octet-stream\nSize: 6242 bytes\nDesc: not available\n"
            b"URL: <http://lists.example/attachments/0001.obj>\n",
            "Content-Type: text/plain; charset=us-ascii",
        ),
        "0001.yaml",
    ),
    Thing(
        "mail whose file a filter removed",
        "mail.eml",
        lambda _: letter(f"{TALK}The file kursk-12345678-0001.yaml was removed.\n").as_bytes(),
        "without a turn",
    ),
]

OTHERWISE = [
    Thing("own key", "me", lambda at: at.private, "private key|secret key"),
    Thing("public key", "boris.pub", lambda at: at.public, "public key.*--opponent"),
    Thing("report", "report-0000.txt", lambda at: at.report, "report of this program"),
    Thing("study", "game.study", lambda at: studies.Study([at.turn.decode()]).to_bytes(), "a study.*kursk replay"),
    Thing("archive form", "0001.json", lambda at: as_archive(at.turn), "archive|JSON"),
    Thing("signature without a text", "turn.sig", lambda at: at.armour, "signature|first line"),
    Thing("message of another game", "0001.yaml", lambda at: at.foreign, "game .[0-9a-f]{8,16}.*unknown here"),
    Thing("message that comes later", "0003.yaml", lambda at: at.later, "waits|comes later|message 1", 0),
    Thing("message that is here", "0000.yaml", lambda at: at.first, "here already", 0),
    Thing(
        "paper of a game that is not here",
        "receipt.yaml",
        lambda at: at.receipt,
        "receipt.*game .[0-9a-f]{8,16}.*unknown here",
    ),
    Thing("paper of a tournament that is not here", "entry.yaml", lambda at: at.entry, "tournament", 0),
    Thing("address card", "card.yaml", lambda at: at.card, "address", 0),
    Thing("invitation", "invitation.yaml", lambda at: at.invitation, "open invitation to", 0),
    Thing("answer to no invitation", "answer.yaml", lambda at: at.answer, "invitation that is not here", 0),
    Thing("saved private folder", "kursk.zip", lambda at: at.saved, "saved|private", lacks=("text", "zip")),
    unprintable("private record of a game", "game.json", lambda at: at.record, "private"),
    unprintable("PDF", "turn.pdf", lambda _: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + b"\x11" * 90, "a PDF"),
    unprintable("picture", "map.png", lambda _: b"\x89PNG\r\n\x1a\n" + b"\0" * 90, "picture|map.png"),
    unprintable("document of Word", "turn.docx", lambda _: packed.DOCX, "turn.docx|Word"),
    Thing("web page without a turn", "page.html", lambda _: b"<html><body><p>See you</p></body></html>\n", "turn"),
    Thing("calendar", "game.ics", lambda _: b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n", "calendar|turn"),
    Thing("list of shopping", "list.txt", lambda _: b"bread\nmilk\n", "turn"),
    unprintable("empty file", "0001.yaml", lambda _: b"", "empty"),
    unprintable("unknown bytes", "turn.bin", lambda _: bytes(range(256)) * 3, "turn.bin|unknown kind"),
    Thing("mail without a turn", "mail.eml", lambda _: letter("Thanks, got it!\n").as_bytes(), "without a turn"),
]

THINGS = [*INTACT, *RESPELT, *DAMAGED, *PACKED, *OTHERWISE]
