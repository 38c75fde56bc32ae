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
from helpers.packed import lock_zip, pack_tar, pack_zip

from kursk_pbem import trust
from kursk_pbem.errors import FileError
from kursk_pbem.trust import reader
from kursk_pbem.trust.decoding import Budget
from kursk_pbem.trust.mailtext import open_mail

KEY = b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----\n"
RECORD = b'{\n "folder": "../game-1",\n "game": "1",\n "secret": "0226ae83e3f92bcf674f943feb789431"\n}\n'
_CMS = b"\x06\x09\x2a\x86H\x86\xf7\x0d\x01\x07"
SIGNATURE = b"0\x82\x01\x00" + _CMS + b"\2\xa0\x000\x0b" + _CMS + b"\1\xa0"
"""The beginning of a signature apart from its text (S/MIME)."""


def linked(name, kind=0o120000):
    """Return the entry of a link in a zip, as Unix writes the entry."""
    info = zipfile.ZipInfo(name)
    info.external_attr = (kind | 0o777) << 16
    return info, b"/etc/passwd"


@pytest.mark.parametrize("wrapped", ["attachment", "mail in a tar"])
def test_4_1_unreadable_file_is_named_with_its_place(wrapped):
    """tests/post/test_things.py has the kinds of files that cannot be read, in every wrapping."""
    raw = attached(letter("Hi\n"), SIGNATURE, name="smime.p7s").as_bytes()
    raw = pack_tar(("mail.eml", raw), mode="w:gz") if wrapped == "mail in a tar" else raw
    (found,) = open_mail(raw, "thing").unread
    assert (found.place, found.what[:11]) == ("smime.p7s", "a signature")


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
    for data, what in ((both, "not followed"), (lock_zip(b"x" * 40), "encrypted")):
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
