"""Views of the umpire: built once, led on by each event in its order, and only when asked for."""

from kursk_pbem.kernel.events import Noted, Tracked
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire, View


def counting():
    """A view that records the input and the events."""
    calls = []

    def build(_setting, state):
        calls.append("build")
        return (f"built {dict(state.tracks)}",)

    def after(_setting, value, state, event):
        calls.append("after")
        return (*value, f"{type(event).__name__} {dict(state.tracks)}")

    return View(build, after), calls


def test_a_view_is_built_once_and_led_on_by_each_event_with_the_position_it_led_to():
    view, calls = counting()
    umpire = Umpire(None, State("1", "red", "x", {}), 1, None)
    umpire.emit(Tracked("1", "a", 1))
    assert umpire.derived(view) == ("built {'a': 1}",)
    umpire.emit(Tracked("1", "a", 2), Noted("1", "so"))
    umpire.emit(Tracked("1", "b", 3))
    assert calls == ["build"]
    expected = ("built {'a': 1}", "Tracked {'a': 2}", "Noted {'a': 2}", "Tracked {'a': 2, 'b': 3}")
    assert umpire.derived(view) == expected
    assert umpire.derived(view) == expected
    assert calls == ["build", "after", "after", "after"]


def test_two_views_go_their_own_ways():
    (one, first), (other, second) = counting(), counting()
    umpire = Umpire(None, State("1", "red", "x", {}), 1, None)
    umpire.derived(one)
    umpire.emit(Tracked("1", "a", 1))
    assert umpire.derived(other) == ("built {'a': 1}",)
    assert umpire.derived(one) == ("built {}", "Tracked {'a': 1}")
    assert (first, second) == (["build", "after"], ["build"])
