"""tools/plain.py counts pronouns and banned phrases, and enforces limits."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import plain


@pytest.fixture
def root(tmp_path):
    """Return a project with one module and one page."""
    (tmp_path / "kursk_pbem").mkdir()
    (tmp_path / "kursk_pbem" / "mails.py").write_text(
        '"""Mails."""\n\n\ndef told():\n    """What comes of it is said to whoever asks. ``whoever`` is code."""\n',
        "utf-8",
    )
    (tmp_path / "README.md").write_text("The umpire plays *Kursk* by mail.\n", "utf-8")
    return tmp_path


def test_pronouns_phrases_openers_and_names_are_counted(root):
    """Code between backquotes does not count."""
    rooms = plain.measure(root)
    figures = rooms["kursk_pbem"].compute_figures()
    assert figures["doc_words"] == 12
    assert figures["doc_pronouns"] == pytest.approx(300 / 12)
    assert figures["doc_banned"] == pytest.approx(4000 / 12)
    assert (figures["openers"], figures["name_length"], figures["name_bare"]) == (0, 4, 100)
    assert rooms["README.md"].compute_figures()["page_pronouns"] == 0


def test_a_figure_beyond_its_limit_gives_status_1(root, capsys):
    """The goal applies to a room without its own limits; frozen limits hold the present figures."""
    limits = root / "limits.toml"
    limits.write_text("", "utf-8")
    assert plain.main([str(root), "--limits", str(limits)]) == 1
    assert "kursk_pbem: doc_pronouns is 25.0, the limit is 6.5" in capsys.readouterr().out
    assert plain.main([str(root), "--freeze", str(limits)]) == 0
    assert plain.main([str(root), "--limits", str(limits)]) == 0
