"""What a mail or file holds that cannot be read: named with its place, in one budget through all wrappings."""

import base64
import gzip
import io
import lzma
import subprocess
import sys
import tarfile
import time
import zipfile
from contextlib import suppress

import pytest
from helpers.mails import attached, letter
from helpers.packed import pack_tar, pack_zip

from kursk_pbem import trust
from kursk_pbem.errors import FileError
from kursk_pbem.trust import reader
from kursk_pbem.trust.decoding import Budget
from kursk_pbem.trust.mailtext import open_mail

KEY = b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----\n"
RECORD = b'{\n "folder": "../game-1",\n "game": "1",\n "secret": "0226ae83e3f92bcf674f943feb789431"\n}\n'
CMS = b"0\x82\x01\x00\x06\x09\x2a\x86H\x86\xf7\x0d\x01\x07"


def linked(name, kind=0o120000):
    """Return the entry of a link in a zip, as Unix writes the entry."""
    info = zipfile.ZipInfo(name)
    info.external_attr = (kind | 0o777) << 16
    return info, b"/etc/passwd"


def locked(name):
    """Return a zip with an entry that is said to be encrypted."""
    return pack_zip((name, b"x" * 40)).replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0")


UNREADABLE = {
    "a.pdf": (b"%PDF-1.7\n\0", "a PDF"),
    "a.7z": (b"7z\xbc\xaf\x27\x1c\0\4", "a 7-Zip archive"),
    "a.rar": (b"Rar!\x1a\x07\1\0", "a RAR archive"),
    "a.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "a mail of Outlook (.msg, .pst) or a file of Office"),
    "a.docx": (pack_zip(("[Content_Types].xml", b"<x/>"), ("word/document.xml", b"<x/>")), "a file of Office"),
    "a.png": (b"\x89PNG\r\n\x1a\n\0", "a picture"),
    "winmail.dat": (b"\x78\x9f\x3e\x22\0\1", "a winmail.dat of Outlook"),
    "smime.p7m": (CMS + b"\3\0", "an encrypted mail: decrypt it first"),
    "signed.p7m": (CMS + b"\2\xa0\0", "a mail signed in one file (S/MIME): ask for the turn"),
    "smime.p7s": (CMS + b"\2\xa0\x000\x0b" + CMS[4:] + b"\1\xa0", "a signature"),
    "a.asc": (b"-----BEGIN PGP MESSAGE-----\n\nhQ\n", "an encrypted mail: decrypt it first"),
    "a.zip": (pack_zip(("0004.yaml", b"x"))[:-9], "a damaged zip"),
    "a.xz": (lzma.compress(b"x" * 99)[:14] + b"\0" * 40, "a damaged xz"),
    "a.yaml": (b"", "an empty file"),
    "a.bin": (b"\1\0\2\3" * 9, "a file of an unknown kind"),
    "me": (KEY, "a private key"),
    "game.json": (RECORD, "a private key or record"),
    "saved.zip": (pack_zip(("kursk-saved.json", b"{}"), ("game.json", RECORD)), "a saved folder of this program"),
}


@pytest.mark.parametrize("wrapped", ["file", "attachment", "zip", "mail in a tar"])
@pytest.mark.parametrize("name", UNREADABLE)
def test_4_1_unreadable_file_is_named_in_every_wrapping(name, wrapped):
    """A player who waits must learn that something came, and what."""
    data, what = UNREADABLE[name]
    if wrapped == "file":
        raw, name = data, ""
    elif wrapped == "attachment":
        raw = attached(letter("Hi\n"), data, name=name).as_bytes()
    elif wrapped == "zip":
        raw = pack_zip(("notes.txt", b"Hi\n"), (name, data))
    else:
        raw = pack_tar(("mail.eml", attached(letter("Hi\n"), data, name=name).as_bytes()), mode="w:gz")
    (found,) = open_mail(raw, "thing").unread
    assert (found.place, found.what[: len(what)]) == (name, what)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_T27_link_or_device_in_a_tar_is_named_and_not_followed(kind, turn):
    there = io.BytesIO()
    with tarfile.open(fileobj=there, mode="w:xz") as file:
        for name, special in (("0003.yaml", kind), ("game", tarfile.DIRTYPE), ("game/0004.yaml", tarfile.REGTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = special, "/etc/passwd"
            info.size = len(turn) if special == tarfile.REGTYPE else 0
            file.addfile(info, io.BytesIO(turn))
    opened = open_mail(there.getvalue(), "all.tar.xz")
    assert [(one.place, "not followed" in one.what) for one in opened.unread] == [("0003.yaml", True)]
    assert [(part.place, part.text) for part in opened.parts] == [("game/0004.yaml", turn)]


def test_T27_link_and_encrypted_file_in_a_zip_are_named(turn):
    both = pack_zip(linked("0003.yaml"), ("0004.yaml", turn))
    for data, what in ((both, "not followed"), (locked("a"), "encrypted")):
        (found,) = open_mail(data, "all.zip").unread
        assert what in found.what
    (part,) = open_mail(both, "all.zip").parts
    assert part.text == turn


@pytest.mark.parametrize("secret", [KEY, RECORD, KEY.decode().encode("utf-16"), KEY.replace(b"OPENSSH ", b"")])
def test_T27_no_byte_of_a_secret_becomes_text(secret, turn):
    """A key that came by mistake must not reach a report, a folder or an answer."""
    for raw in (secret, pack_zip(("home/me", secret), ("0004.yaml", turn)), attached(letter("x\n"), secret).as_bytes()):
        opened = open_mail(raw, "thing")
        assert any(one.what.startswith("a private key") for one in opened.unread)
        assert not any(b"b3BlbnNza" in part.text or b"0226ae83e3f9" in part.text for part in opened.parts)


def test_T27_turn_next_to_a_key_is_still_read(turn):
    assert [one.seq for one in reader.read_thing(turn + b"\n" + KEY, "both.txt").turns] == [4]


def test_T27_one_budget_holds_through_all_wrappings(turn):
    """Otherwise a zip of zips multiplies the limit. What fits before the end of the budget is still read."""
    large = pack_zip(*((f"{number}.txt", b"x" * 40_000) for number in range(9)))
    raw = pack_zip(("0004.yaml", turn), *((f"{number}.zip", large) for number in range(9)))
    opened = open_mail(raw, "all.zip", Budget(size=200_000))
    assert opened.parts[0].text == turn
    assert 3 <= len(opened.parts) <= 5
    assert len(opened.unread) == 82 - len(opened.parts)
    assert {one.what for one in opened.unread} == {"too large when unpacked: ask for the turn alone"}
    assert len(open_mail(raw, "all.zip", Budget(files=20)).parts) < 20
    assert open_mail(raw, "all.zip", Budget(depth=1)).unread[0].what.startswith("packed too deep")


def test_T27_packed_file_within_itself_ends_at_the_depth():
    """As in a zip that contains itself: each level fits into the budget of bytes."""
    data = b"x"
    for _ in range(40):
        data = gzip.compress(data)
    (found,) = open_mail(data, "quine.gz").unread
    assert found.what.startswith("packed too deep")


@pytest.mark.parametrize(
    "form", ["base64", "base64 of a zip", "UTF-16", "a page", "a mailbox in a zip", "a zip in a mailbox"]
)
def test_4_1_thing_by_itself_is_read_like_an_attachment(form, turn):
    mbox = b"From a Thu Nov 26 10:00:00 2026\nSubject: hi\n\nHi\n\nFrom b Thu Nov 26 11:00:00 2026\n"
    raw = {
        "base64": base64.encodebytes(turn),
        "base64 of a zip": b"Here it is:\n\n" + base64.encodebytes(pack_zip(("0004.yaml", turn))),
        "UTF-16": turn.decode().encode("utf-16"),
        "a page": b"<!DOCTYPE html>\n<html><body><pre>" + turn.replace(b"'", b"&#39;") + b"</pre>\n\nHi</body></html>",
        "a mailbox in a zip": pack_zip(("all.mbox", mbox + b"Subject: x\n\n" + turn)),
        "a zip in a mailbox": mbox + attached(letter("x\n"), pack_zip(("0004.yaml", turn))).as_bytes(),
    }[form]
    assert [one.seq for one in reader.read_thing(raw, "thing").turns] == [4]


def test_4_1_mail_of_a_list_names_the_removed_attachment():
    said = "hi\n-------------- next part --------------\nA non-text attachment was scrubbed...\nName: 0002.yaml\n"
    (found,) = open_mail(letter(said, cte="7bit").as_bytes(), "mail").unread
    assert (found.place, found.what) == ("0002.yaml", "removed by the mailing list: ask for it again")


def test_4_1_form_without_its_library_is_named(monkeypatch):
    """The page has no lzma."""
    monkeypatch.setitem(sys.modules, "lzma", None)
    monkeypatch.delitem(sys.modules, "kursk_pbem.trust.packed", raising=False)
    monkeypatch.delattr(trust, "packed", raising=False)
    (found,) = open_mail(attached(letter("Hi\n"), lzma.compress(b"x"), name="a.xz").as_bytes(), "mail").unread
    assert found.place == "a.xz"
    assert found.what.partition(": ask for ")[2] == "a zip"


def test_4_1_reader_of_mails_loads_no_unpacker():
    """Most mails contain no packed file, and each command pays for its imports."""
    code = "import sys, kursk_pbem.trust.mailtext; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"tarfile", "lzma", "bz2", "zipfile"} & {*done.stdout.split()}


def test_T27_mail_of_too_many_parts_is_one_plain_error():
    raw = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 300
    with pytest.raises(FileError, match="too many parts"):
        open_mail(raw, "mail")


def test_4_1_damaged_file_in_a_zip_does_not_hide_the_turn(turn):
    """A zip is read file by file, because the damage may be in a picture beside the turn."""
    there = io.BytesIO()
    with zipfile.ZipFile(there, "w") as archive:
        archive.writestr("a.txt", b"x" * 99)
        archive.writestr("turn.yaml", turn)
    found = reader.read_thing(there.getvalue().replace(b"x" * 99, b"y" * 99, 1), "all.zip")
    assert [one.seq for one in found.turns] == [4]
    assert [(each.place, each.what) for each in found.unread] == [("a.txt", "damaged in the zip: ask for it again")]


@pytest.mark.parametrize(
    "raw",
    [
        b'{"' + b'\\"' * 500_000 + b"kursk-pbem: 1",
        b"%25" * 300_000 + b"%2523k1." * 10_000,
        b"x\xe2\x80\x93BEGIN SSH" + b"-" * 1_000_000,
        b"*k1." * 200_000,
    ],
    ids=["quotes", "percent signs", "dashes", "stars"],
)
def test_T27_what_gateways_and_chats_write_is_read_in_linear_time(raw):
    began = time.process_time()
    with suppress(FileError):
        assert not reader.read_thing(raw, "a text").anything
    assert time.process_time() - began < 5
