"""``kursk picture``: files for chats and mails, with nothing that an opponent has not got."""

import io
import sys
from importlib.resources import files

import pytest
from helpers import finished_games, sweeps
from helpers.commands import refused, well
from PIL import Image, ImageFont

from film.noted import begin_pair
from kursk_pbem.cli import run
from kursk_pbem.film import pixels
from kursk_pbem.game import disk
from kursk_pbem.report import captions

GAME = finished_games.ROOT / "battle-for-kursk" / "german-operational"
TURN = GAME / "0010.yaml"


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Return two games: one with a hidden plan and notes, one without."""
    return begin_pair(tmp_path_factory.mktemp("pictures"))


@pytest.fixture
def draw(capsys, monkeypatch, tmp_path):
    """Return a function that draws for a player; the picture's bytes and the words of the command."""

    def drawn(player, *options, ending="png"):
        monkeypatch.setenv("KURSK_HOME", str(player.home))
        path = tmp_path / f"drawn.{ending}"
        said = well(capsys, "picture", player.folder, "-o", path, "--force", *options)
        return path.read_bytes(), said

    return drawn


def test_T57_hidden_plan_note_draft_and_unmailed_message_are_in_no_pixel(tables, draw, monkeypatch):
    """Both seats of both games get equal drawings, which have equal pixels, before and after the reader has signed."""
    noted, bare = tables
    monkeypatch.setattr(pixels, "draw_film", draw_lines)
    plain, said = draw(noted.russian)
    assert said.endswith("kB\n")
    assert draw(bare.russian)[0] == plain
    assert draw(bare.german, "--own")[0] == plain
    assert draw(noted.german, "--own")[0] == plain
    noted.russian.fill({"note": "a draft"})
    assert draw(noted.russian)[0] == plain
    noted.russian.sign()
    drawn, said = draw(noted.russian)
    assert drawn == plain
    assert said.startswith("left out: your message 3 is not answered")
    assert draw(noted.russian, "--own")[0] != plain


def draw_lines(stage, _kind, _track):
    """Return a picture before it has pixels."""
    return (stage.draw_ground() + stage.draw_still(stage.film.stills[-1])).encode()


@pytest.mark.parametrize(("turn", "stills"), [(GAME / "0011.yaml", 2), sweeps.long((GAME / "0024.yaml", 8))])
def test_a_film_moves_repeats_and_holds_every_still(capsys, tmp_path, turn, stills):
    path = tmp_path / "turn.gif"
    assert f" {stills} stills, " in well(capsys, "picture", turn, "-o", path)
    with Image.open(path) as film:
        assert (film.format, film.n_frames, film.size[0], film.info["loop"]) == ("GIF", stills, 800, 0)
    assert path.stat().st_size < 393_000


def test_a_draft_a_wrong_ending_and_a_missing_extra_are_refused_with_a_remedy(capsys, monkeypatch, tmp_path):
    draft = tmp_path / "0008.draft.yaml"
    draft.write_text("orders: {}\n", encoding="ascii")
    assert "is a draft" in refused(capsys, 2, "picture", draft)
    assert run(["picture", str(TURN), "-o", str(tmp_path / "turn.webp")]) == 2
    assert ".png or .gif" in capsys.readouterr().err
    assert "the last is message 10" in refused(capsys, 2, "picture", TURN, "--from", 99, "-o", tmp_path / "turn.png")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    said = refused(capsys, 2, "picture", TURN, "-o", tmp_path / "turn.png")
    assert "pip install resvg-py pillow" in said
    assert not [*tmp_path.glob("turn.*")]


def test_a_stopped_command_leaves_no_file(capsys, monkeypatch, tmp_path):
    """Ctrl-C at the last step, when the bytes are written."""

    def stop(*_words):
        raise KeyboardInterrupt

    monkeypatch.setattr(pixels, "draw_film", draw_lines)
    monkeypatch.setattr(disk, "write_all", stop)
    assert run(["picture", str(TURN), "-o", str(tmp_path / "turn.png")]) == 130
    assert "interrupted" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == []


def test_letters_outside_the_fonts_are_escaped_and_all_others_are_drawn():
    """resvg draws nothing for a letter that the fonts lack."""
    folder = files("kursk_pbem.film") / "fonts"
    for weight in ("Regular", "Bold"):
        font = ImageFont.truetype(io.BytesIO((folder / f"KurskSans-{weight}.ttf").read_bytes()), 20)
        lacking = bytes(font.getmask("\uffff"))
        kept = [chr(code) for code in range(0x21, 0x2FFF) if captions.escape_letters(chr(code)) == chr(code)]
        blank = [letter for letter in kept if bytes(font.getmask(letter)) == lacking]
        assert (len(kept) > 400, blank) == (True, []), weight
    assert captions.escape_letters("\u05d0\u202e\u4e00\x07") == "\\u05d0\\u202e\\u4e00\\x07"


def test_a_hostile_name_fits_its_line(monkeypatch):
    """10,000 letters, right-to-left, controls and markup: a caption has two lines, all within the film."""
    for name in (
        "W" * 10_000,
        "i" * 10_000,
        "\u202e\u05d0" * 5_000,
        "<b>&" * 2_500,
        "a\x1b[2J\n" * 2_000,
        "W w " * 2_500,
    ):
        lines = captions.fit_sentences([f"The {name} attacked.", "The attack failed."], 19, 776, 2)
        assert 0 < len(lines) <= 2
        assert all(captions.measure(line, 19) <= 776 for line in lines)
        assert lines[-1].endswith("\u2026")
