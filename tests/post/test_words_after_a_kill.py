"""Letters in words of a round that was killed: each says what was so when it was written down, and goes once."""

from contextlib import contextmanager

import pytest

from kursk_pbem.post import place
from kursk_pbem.post.referee import notes
from kursk_pbem.post.referee.notes import Note

MARK, SENDER, DAY = "a" * 32, "ref@example.test", "2026-09-08"


class KilledError(BaseException):
    """The program ends here."""


@contextmanager
def killed_before(monkeypatch, ending):
    """In here the program is killed before it writes a file of a letter in words with this ending."""
    real = place.once

    def once(path, data):
        if path.parent.name == "words" and path.name.endswith(ending):
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
    with killed_before(monkeypatch, ".json"):
        notes.write(tmp_path, old, SENDER, DAY, "due 3")
    assert notes.write(tmp_path, new, SENDER, DAY, "due 3")
    (letter,) = tmp_path.glob("post/out/words/*.eml")
    assert place.load(letter.with_suffix(".json"))["to"] == "boris@new.test"
    raw = letter.read_bytes()
    assert b"\r\nTo: boris@new.test\r\n" in raw
    assert b"due 2026-09-12." in raw
    assert not notes.write(tmp_path, old, SENDER, DAY, "due 3")
    assert letter.read_bytes() == raw
