"""Damaged files of a tournament at the desk of its director: named in each round, whoever mails or not."""

import pytest
from helpers.cup_by_mail import announced

from kursk_pbem.post.mailbox import events


def words(cup, capsys):
    """What is said without any mail: after a round, in the list of what waits, by 'kursk status' and 'referee'."""
    cup.ref.sits()
    cup.ref.post()
    errand = cup.ref.errand
    capsys.readouterr()
    cup.ref.friend.kursk("status", status=2)
    return "\n".join(map(str, errand.faults)), "\n".join(errand.chair.pending()), capsys.readouterr().err


@pytest.fixture
def cup(time, tmp_path):
    return announced(tmp_path, time)


def damages(path, how):
    path.unlink()
    if how == "folder":
        path.mkdir()
    elif how != "gone":
        path.write_bytes(how)
    events._book.cache_clear()


def named(cup, capsys):
    """The one line about the tournament, as it is told everywhere."""
    lines = (line.removeprefix("kursk: ") for told in words(cup, capsys) for line in told.splitlines())
    (line,) = {line for line in lines if "nothing is done in its tournament" in line}
    return line


@pytest.mark.parametrize("how", ["gone", "folder", b"", b"[]", b"{}", b"- 1\n"])
def test_a_tournament_whose_paper_0_cannot_be_read_is_named_in_each_round(cup, capsys, how):
    """It was named once a mail for it came."""
    damages(cup.folder / "log" / "0000.yaml", how)
    assert str(cup.folder) in named(cup, capsys)


@pytest.mark.parametrize("how", ["folder", b"", b"[]", b"{}"])
def test_a_tournament_whose_record_cannot_be_read_is_named_in_each_round(cup, capsys, how):
    """It hid all others, and nothing was said."""
    (path,) = cup.ref.friend.home.glob("tournaments/*/tournament.json")
    damages(path, how)
    assert str(path.parent) in named(cup, capsys)


def test_a_tournament_whose_record_cannot_be_read_hides_no_other(cup):
    other = cup.ref.friend.home / "tournaments" / ("0" * 16)
    other.mkdir()
    (other / "tournament.json").write_bytes(b"x")
    assert [event.folder for event in events.every(cup.ref.friend.home)] == [cup.folder]
