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


def test_comments_for_docstrings_templates_and_guides_are_read(root):
    """Texts that nobody measured were the worst: comments above functions, pages of the board, guides."""
    code = "class A:\n    # Whoever asks.\n    @cache\n    def _look_up(self):\n        return 1  # no docstring\n"
    page = '<p>Show the <b>key</b> to nobody.</p>{# A note to nobody at all. #}<i title="{{ "Keep it from {x}" }}">'
    (root / "kursk_pbem" / "mails.py").write_text(code, "utf-8")
    (root / "kursk_pbem" / "page.html").write_text(page, "utf-8")
    (root / "kursk_pbem" / "guide.yaml").write_text('orders:\n- text: "You go on\n    as before."\n', "utf-8")
    (root / "kursk_pbem" / "data.yaml").write_text("- This is data and no message to a person.\n", "utf-8")
    room = plain.measure(root)["kursk_pbem"]
    assert [text.text for text in room.sentences if text.kind == "doc"] == ["Whoever asks."]
    assert [text.text for text in room.bad_openers] == ["_look_up: Whoever asks."]
    messages = {" ".join(text.text.split()) for text in room.sentences if text.kind == "message"}
    assert messages == {"Show the key to nobody.", "Keep it from {x}", "You go on as before."}
