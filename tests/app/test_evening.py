"""The first evening of two strangers, each in a browser, and links that nobody should take."""

from types import SimpleNamespace

import pytest
from board import letters
from board.screens import opened

from app import evening
from app.evening import Person, Reader
from app.pages import Page

pytestmark = pytest.mark.app

NO_STORAGE = (
    "Object.defineProperty(window, 'indexedDB', { value: undefined })",
    "navigator.serviceWorker.register = async () => { throw new DOMException('', 'SecurityError'); }",
)
IN_AN_APP = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36 [FBAN/FB4A]"
)
FORGETS = "This window may forget your key and your games"


@pytest.fixture
def strangers(profiles, origin):
    """Return two people with empty browsers; the first one is at the home page."""
    people = [Person(Reader(profiles(moving=True), origin)) for _each in range(2)]
    people[0].driver.open(origin)
    return people


def test_two_strangers_meet_and_see_their_first_dice(strangers):
    """By 8 clicks, 3 addresses, and no fingerprint; no result is told before its dice have come to rest."""
    states = list(evening.meet(*strangers))
    assert states[-1] == "met"
    assert evening.add_counts(*strangers) == {"clicks": 8, "addresses": 3, "fingerprints": 0}
    assert list(evening.fight(*strangers)) == [[], []]
    for person in strangers:
        assert person.driver.page.wrong == []


def test_bad_links_say_their_case_store_nothing_and_make_no_key(chromium, tmp_path):
    world = letters.build(tmp_path)
    for person in (world.anna, world.boris, world.carla):
        seat = SimpleNamespace(home=person.seat.home, place=person.seat.place, key=person.seat.key, mirror=None)
        with opened(chromium, seat) as screen:
            seat.mirror()
            before = person.files()
            for reader, address, said in world.links.values():
                if reader is person:
                    screen.page.window.evaluate("(link) => (location.hash = link)", address.partition("#")[2])
                    screen.page.get_by_text(said).first.wait_for()
            seat.mirror()
            assert person.files() == before


@pytest.mark.parametrize("refuses", NO_STORAGE)
def test_a_browser_that_stores_nothing_says_so_before_the_button(chromium, origin, tmp_path, refuses):
    asked = letters.sit(tmp_path / "anna", 0).invite("Anna").partition("#")[2]
    context = chromium.new_context()
    context.set_default_timeout(evening.WAIT)
    context.add_init_script(refuses)
    assert "does not let the page store anything" in Page(context, origin).open(f"#{asked}", state="failed").said()
    context.close()


@pytest.mark.parametrize(
    ("agent", "persists", "forgets"), [(None, "true", False), (None, "false", True), (IN_AN_APP, "true", True)]
)
def test_a_window_that_may_forget_a_key_says_so_before_the_button(chromium, origin, tmp_path, agent, persists, forgets):
    asked = letters.sit(tmp_path / "anna", 0).invite("Anna").partition("#")[2]
    context = chromium.new_context(**({"user_agent": agent} if agent else {}))
    context.set_default_timeout(evening.WAIT)
    context.add_init_script(f"StorageManager.prototype.persist = async () => {persists}")
    page = Page(context, origin).open(f"#{asked}")
    page.board.get_by_role("button", name="Make my key and answer").wait_for()
    warning = page.board.locator("[data-unlasting]:not(:empty)")
    warning.wait_for(state="attached")
    assert warning.is_visible() == forgets
    assert FORGETS in warning.text_content()
    page.window.reload()
    page.wait("ready")
    page.board.get_by_role("button", name="Make my key and answer").wait_for()
    context.close()
