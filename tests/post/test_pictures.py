"""Letters with a picture of the turn: only on request, small, described, and never in a proposal."""

import email
import email.policy
import io
import sys

import pytest
from helpers.mailbags import sends
from PIL import Image

from kursk_pbem.post.round import pictures, writing


def read_parts(raw):
    """Return the pictures and the names of the other files of a mail."""
    parts = [*email.message_from_bytes(raw, policy=email.policy.default).iter_attachments()]
    drawn = [part for part in parts if part.get_content_maintype() == "image"]
    return drawn, [part.get_filename() for part in parts if part not in drawn]


@pytest.fixture
def signed(posted):
    """Return (anna, boris, game, imap, smtp): Anna has mailed the proposal, and has signed message 2."""
    anna, boris, game, imap, smtp = posted
    anna.kursk("post", "setup", "--pictures", "yes")
    anna.kursk("post", "--unsent")
    ((_sender, _reader, raw),) = smtp.post.mails
    assert read_parts(raw)[0] == []
    smtp.post.mails.clear()
    sends(boris, game, imap)
    anna.kursk("post", "-q")
    anna.sign(game)
    return posted


def test_a_letter_shows_the_turn_and_its_reader_takes_it(signed, tmp_path):
    anna, boris, game, _imap, smtp = signed
    anna.kursk("post", "-q")
    ((_sender, _reader, raw),) = smtp.post.mails
    (drawn,), files = read_parts(raw)
    assert (drawn.get_filename(), drawn.get_content_disposition()) == (f"kursk-{game[:8]}-0002.png", "inline")
    with Image.open(io.BytesIO(drawn.get_content())) as image:
        assert (image.format, image.width) == ("PNG", 800)
    assert "message 2 of " in drawn["Content-Description"]
    assert f"kursk-{game[:8]}-0002.yaml" in files
    mail = tmp_path / "letter.eml"
    mail.write_bytes(raw)
    boris.kursk("inbox", mail, "-q")
    assert boris.desk(game).last.seq == 2


@pytest.mark.parametrize(("where", "limit"), [(pictures, "MOST"), (writing, "MAX_UNKNOWN")])
def test_a_large_picture_stays_out_of_the_letter(signed, monkeypatch, where, limit):
    """A stranger's mail of 1 MiB is not fetched."""
    monkeypatch.setattr(where, limit, 5_000)
    monkeypatch.setattr(pictures.pixels, "draw_film", lambda _stage, _kind: bytes(6_000))
    signed[0].kursk("post", "-q")
    ((_sender, _reader, raw),) = signed[-1].post.mails
    drawn, files = read_parts(raw)
    assert (drawn, bool(files)) == ([], True)


def test_without_the_extra_a_letter_goes_without_picture(signed, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    signed[0].kursk("post", "setup", "--pictures", "yes", status=2)
    assert "pip install resvg-py pillow" in capsys.readouterr().err
    signed[0].kursk("post", "-q")
    ((_sender, _reader, raw),) = signed[-1].post.mails
    assert read_parts(raw)[0] == []
