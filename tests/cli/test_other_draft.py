"""``kursk sign OTHERDRAFT``: the game's own draft, if it differs, is named before the question and kept."""

import pytest

from kursk_pbem.cli import run


@pytest.fixture
def other(draft):
    """Return a copy of the draft next to the draft; then add a note to the draft."""
    path = draft.with_name("alt.yaml")
    path.write_bytes(draft.read_bytes())
    draft.write_text(draft.read_text("ascii") + "note: 'I worked on this one.'\n", "ascii")
    return path


def test_signing_another_draft_keeps_the_games_own_that_differs(draft, other, capsys):
    mine = draft.read_bytes()
    assert run(["sign", str(other), "--yes"]) == 0
    assert "0008.draft.yaml differs from the file that you sign" in capsys.readouterr().out
    assert draft.with_name("0008.draft.yaml.unsigned").read_bytes() == mine
    assert not draft.exists()


def test_an_earlier_kept_draft_is_never_overwritten(draft, other):
    earlier = draft.with_name("0008.draft.yaml.unsigned")
    earlier.write_text("earlier", "ascii")
    mine = draft.read_bytes()
    assert run(["sign", str(other), "--yes"]) == 0
    assert earlier.read_text("ascii") == "earlier"
    assert draft.with_name("0008.draft.yaml.unsigned-2").read_bytes() == mine


def test_the_other_draft_is_named_before_the_question(draft, other, capsys):
    assert run(["sign", str(other)]) == 2  # no terminal for the answer
    assert "differs from the file that you sign" in capsys.readouterr().out
    assert draft.exists()
    assert not draft.with_name("0008.draft.yaml.unsigned").exists()


def test_checking_another_draft_names_the_games_own_and_how_to_sign_this_one(draft, other, capsys):
    assert run(["check", str(other)]) == 0
    said = capsys.readouterr().out
    assert "0008.draft.yaml differs from the file that you check" in said
    assert f"'kursk sign {other}'" in said


def test_a_draft_that_nobody_has_edited_needs_no_copy(draft, capsys):
    other = draft.with_name("alt.yaml")
    other.write_text(draft.read_text("ascii") + "note: 'Only here.'\n", "ascii")
    assert run(["sign", str(other), "--yes"]) == 0
    assert "differs" not in capsys.readouterr().out
    assert not draft.with_name("0008.draft.yaml.unsigned").exists()
