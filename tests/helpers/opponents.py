"""The practice opponent in the process of the tests. tests/practice starts the opponent as a process of its own."""

from kursk_pbem.desk.own import register
from kursk_pbem.game import disk
from kursk_pbem.practice import opponent


def answer_here(home, level, request):
    """Return the opponent's answer, as ``partner.ask_opponent`` does. Raises KurskError."""
    place = home / register.PRACTICE / f"level-{level}"
    disk.make_private(place)
    return opponent.answer_request(place, request)
