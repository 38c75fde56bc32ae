"""Messages as links (docs/formats.md 5.7)."""

import base64
import hashlib
import re
import zlib
from pathlib import Path

import pytest
from helpers import finished_games, registry
from helpers.mailbags import letter

from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.game import inbox, journal
from kursk_pbem.trust import link, messages

PAGE = "https://kursk.example/"


def pack(text):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packer.compress(text) + packer.flush()).rstrip(b"=").decode()


def linked(body):
    return f"#k1.{body}.{hashlib.sha256(body.encode()).hexdigest()[:8]}"


def test_a_link_carries_the_signed_file_and_no_secret(demo_folder):
    for side in ("german", "russian"):
        (own,), _faults = journal.load_records(demo_folder / side / "private")
        sealed = [own.secret.hex()]
        for path in sorted(Path(own.folder).glob("000?.yaml")):
            sent = messages.read_message(path.read_bytes(), "sent")
            slot = own.read_slot(sent.seq)
            sealed += [seal["salt"] for seal in slot.seals.values()]
            sealed = [salt for salt in sealed if salt not in path.read_text("ascii")]  # revealed by the rules
            made = link.make_link([path.read_bytes()], PAGE)
            assert re.fullmatch(re.escape(PAGE) + r"#k1\.[A-Za-z0-9_-]+\.[0-9a-f]{8}", made)
            (text,) = link.read_links(made.encode(), "a link")
            assert text.decode() == messages.emit_message(sent.content, sent.armour)
            assert not [salt for salt in sealed if salt in text.decode()]
            read = inbox.read(made.encode(), "a link")
            assert (read.id, read.armour, read.state) == (sent.id, sent.armour, None)
        assert sealed


def test_a_link_is_found_in_a_chat_a_wrapped_mail_and_a_page():
    raw = (finished_games.folder_of(registry.kit(), "moscow") / "0001.yaml").read_bytes()
    made = link.make_link([raw], PAGE)
    wrapped = "\n".join(made[at : at + 72] for at in range(0, len(made), 72))
    for text in (f"My move ({made}). Boris", wrapped, f'<p>Hello <a href="{made}">my move</a></p>'):
        assert inbox.read(text.encode(), "a text").seq == 1
        assert inbox.read(letter(text.encode()), "a mail").seq == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (linked(pack(b"hello"))[:-4], "cut off: copy the whole link"),
        ("#k1." + pack(b"hello"), "cut off: copy the whole link"),
        (linked(pack(b"hello")).replace("k1.", "k1.A"), "changed on the way: copy the link again"),
        (linked(pack(b"hello")).replace("k1.", "k2."), "form 2, and this release reads form 1: use a newer release"),
        (linked(pack(bytes(MAX_BYTES + 1))), "more than 262144 bytes: ask for a shorter message"),
        (linked("A" * (2 * MAX_BYTES + 1)), "more than 524288 characters: ask for a shorter message"),
        (linked("A"), "holds no message: ask for another link"),
        (linked(pack(b"hello")[:-2]), "holds no message: ask for another link"),
        (linked(pack(b"hello")), "a link without a turn"),
    ],
)
def test_a_bad_link_is_refused_with_a_remedy(text, why):
    with pytest.raises(FileError, match=why):
        inbox.read(text.encode(), "a link")


def test_an_address_is_a_page():
    assert link.check_address(f"{PAGE}#old") == PAGE
    for address in ("kursk.example", "javascript:alert(1)", "https://a b", "https://a\n"):
        with pytest.raises(UsageError, match="no address of a web page"):
            link.check_address(address)
    assert link.describe_length("x" * 2_001) == link.TOO_LONG
    assert link.describe_length("x" * 2_000) == ""
