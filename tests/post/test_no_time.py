"""Notes of a referee's mailbox that say no time where one belongs: damaged, or edited by hand."""

import json

import pytest
from helpers.refereed_mail import comes, damages, ends_by_itself, hours

from kursk_pbem.errors import DiskError
from kursk_pbem.formats import times
from kursk_pbem.post import people, place
from kursk_pbem.post.referee import deadlines, notes

NONE = ("2026-09-0xT00:00:00Z", "2026-09-04", "", 5, None)
EARLY = (*NONE, "2026")
"""And what seems to come before all times of this world."""


def says(world, name, **said):
    """A note says something else now."""
    path = place.root(world.ref.home) / name
    return damages(path, json.dumps({**place.load(path), **said}).encode())


@pytest.mark.parametrize("text", NONE)
@pytest.mark.parametrize("key", ["latest", "back"])
def test_T52_a_note_of_the_clock_that_says_no_time_is_a_clock_in_doubt(owed, key, text):
    """Taken for a clock that was never looked at it hid each later jump; a day alone ended every round."""
    path = says(owed, "clock.json", **{key: text})
    owed.director.sits()
    comes(owed, owed.boris, 3)
    assert owed.ref.desk(owed.game).seq == 4
    assert "receipt-0003.yaml" not in owed.papers()
    chair = owed.director.errand.chair
    assert str(path) in chair.pending(chair.watch.doubt())[0]
    path.unlink()
    owed.director.post()
    assert "receipt-0003.yaml" in owed.papers()


@pytest.mark.parametrize("text", NONE)
def test_2_12_a_pause_that_says_no_time_is_no_pause_that_is_over(owed, text):
    hours(owed, 6 * 24, step=12)
    path = says(owed, "referee/pause.json", until=text)
    assert not ends_by_itself(owed)
    assert any(str(path) in line for line in owed.director.post().done)
    path.unlink()
    assert not ends_by_itself(owed)  # nobody knows any more what it was


@pytest.mark.parametrize("text", NONE)
def test_2_12_a_damaged_mail_counts_where_its_note_says_no_time(owed, text):
    path = says(owed, f"referee/damaged/{owed.game[:16]}.json", at=text, last="0")
    assert not ends_by_itself(owed)
    deadlines.note_damage(owed.ref.home, owed.game, 0)
    assert times.is_time(place.load(path)["at"])


@pytest.mark.parametrize("text", EARLY)
def test_2_12_what_somebody_wrote_counts_where_its_note_says_no_time(owed, text):
    """Compared as a text it came before all that the late side had to answer."""
    owed.asks("I am ill, please wait.", who="boris")
    for path in (place.root(owed.ref.home) / "referee" / "wrote").iterdir():
        says(owed, f"referee/wrote/{path.name}", at=text)
    assert not ends_by_itself(owed)


@pytest.mark.parametrize("text", NONE)
def test_2_12_a_report_counts_where_its_note_says_no_time(owed, text):
    """Compared as a text it came before the term, and the director who ends the game by hand was not told of it."""
    hours(owed, 6 * 24, step=12)
    mark, words = people.mark(owed.boris.public), place.root(owed.ref.home) / "out" / "words"
    name = min(path.stem for path in words.glob(f"*-{mark[:16]}-*.over"))
    says(owed, f"out/words/{name}.{notes.BOUNCED}", at=text)
    with pytest.raises(DiskError, match="is no time"):
        notes.troubled(owed.ref.home, mark, "2026-09-01T00:00:00Z")
