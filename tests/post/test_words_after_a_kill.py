"""Letters in words of a round that was killed: each says what was so when it was written down, and goes once."""

from contextlib import contextmanager

import pytest
from helpers.refereed_mail import comes

from kursk_pbem.post import place
from kursk_pbem.post.referee import notes
from kursk_pbem.post.referee.notes import Note

MARK, SENDER, DAY = "a" * 32, "ref@example.test", "2026-09-08"


class KilledError(BaseException):
    """The program ends here."""


@contextmanager
def killed_before(monkeypatch, pattern):
    """In here the program is killed before it writes a file of the post of this kind."""
    real = place.once

    def once(path, data):
        if path.match(pattern):
            raise KilledError
        return real(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(place, "once", once)
        with pytest.raises(KilledError):
            yield


def test_T48_a_reminder_says_what_is_so_when_it_is_described(tmp_path, monkeypatch):
    """Its bytes were those of the killed round: to the address of then, with the term of then."""
    old, new = (
        Note(MARK, address, "a reminder", f"Your message 3 is due {day}.\n")
        for address, day in (("boris@old.test", DAY), ("boris@new.test", "2026-09-12"))
    )
    with killed_before(monkeypatch, "words/*.json"):
        notes.write(tmp_path, old, SENDER, DAY, "due 3")
    assert notes.write(tmp_path, new, SENDER, DAY, "due 3")
    (letter,) = tmp_path.glob("post/out/words/*.eml")
    assert place.load(letter.with_suffix(".json"))["to"] == "boris@new.test"
    raw = letter.read_bytes()
    assert b"\r\nTo: boris@new.test\r\n" in raw
    assert b"due 2026-09-12." in raw
    assert not notes.write(tmp_path, old, SENDER, DAY, "due 3")
    assert letter.read_bytes() == raw


def test_T48_a_question_is_answered_once_although_the_round_was_killed(world, monkeypatch):
    """By the next round the game had gone on: it was answered anew in other words, and both letters went out."""
    with killed_before(monkeypatch, "in/done/*/*"):
        world.asks("STATUS")
    world.director.sits()
    comes(world, world.boris, 1)
    (answer,) = (raw for reader, raw in world.words() if reader == world.anna.address)
    assert "message 1 of the Violet side is awaited, due" in answer
    world.asks("STATUS", X=2)
    assert len(world.words()) == 2, "what another mail asks is answered"
