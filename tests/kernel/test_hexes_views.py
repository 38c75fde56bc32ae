"""Views of the umpire: built once, led on by the facts since the last question, and kept by the position."""

import copy

from kursk_pbem.kernel.events import Noted, Tracked
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire, View


def counting():
    """A view that records the input and the events."""
    calls = []

    def build(_setting, state):
        calls.append("build")
        return (f"built {dict(state.tracks)}",)

    def after(_setting, value, state, *events):
        calls.append("after")
        return (*value, f"{len(events)} {dict(state.tracks)}")

    return View(build, after), calls


def test_a_view_is_built_once_and_led_on_by_the_facts_since_the_last_question():
    view, calls = counting()
    umpire = Umpire(None, State("1", "red", "x", {}), 1, None)
    umpire.emit(Tracked("1", "a", 1))
    assert umpire.derived(view) == ("built {'a': 1}",)
    umpire.emit(Tracked("1", "a", 2), Noted("1", "so"))
    umpire.emit(Tracked("1", "b", 3))
    assert calls == ["build"]
    expected = ("built {'a': 1}", "2 {'a': 2, 'b': 3}")
    assert umpire.derived(view) == expected
    assert umpire.derived(view) == expected
    assert calls == ["build", "after"]


def test_two_views_go_their_own_ways():
    (one, first), (other, second) = counting(), counting()
    umpire = Umpire(None, State("1", "red", "x", {}), 1, None)
    umpire.derived(one)
    umpire.emit(Tracked("1", "a", 1))
    assert umpire.derived(other) == ("built {'a': 1}",)
    assert umpire.derived(one) == ("built {}", "1 {'a': 1}")
    assert (first, second) == (["build", "after"], ["build"])


def test_a_position_keeps_its_views_for_the_next_umpire_of_the_same_setting():
    view, calls = counting()
    umpire = Umpire(None, State("1", "red", "x", {}), 1, None)
    umpire.derived(view)
    umpire.emit(Tracked("1", "a", 1))
    umpire.keep_views()
    assert Umpire(None, umpire.state, 2, None).derived(view) == umpire.derived(view)
    assert calls == ["build", "after"]
    assert "views" not in vars(copy.copy(umpire.state))
    view.of("another", umpire.state)
    assert calls == ["build", "after", "build"]


def test_words_are_made_when_somebody_reads_the_events():
    umpire, made = Umpire(None, State("1", "red", "x", {}), 1, None), []
    umpire.tell(lambda text: made.append(1) or Noted("1", text), "so")
    umpire.emit(Tracked("1", "a", 1))
    assert not made
    assert umpire.events == umpire.events == [Noted("1", "so"), Tracked("1", "a", 1)]
    assert made == [1]
