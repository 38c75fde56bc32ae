"""The first evening of two strangers, each in a browser, and links that nobody should take."""

import pytest
from board import letters

from app import evening
from app.evening import Person, Reader
from app.inside import Mirror
from app.pages import Page, hosted_after

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
    """By 8 clicks and 3 addresses to the board, by 19 and 6 to the first dice; no result is told before its dice.

    Without a fingerprint, and without a word of mails: an address is answered by an address.
    """
    states = list(evening.meet(*strangers))
    assert states[-1] == "met"
    assert evening.add_counts(*strangers) == {"clicks": 8, "addresses": 3, "fingerprints": 0}
    fight = evening.fight(*strangers)
    assert next(fight) == []
    counts = evening.add_counts(*strangers)
    assert (counts["clicks"], counts["addresses"]) == (19, 6)
    assert list(fight) == [[]]
    for person in strangers:
        assert person.driver.page.wrong == []


def test_bad_links_say_their_case_store_nothing_and_make_no_key(profiles, origin, tmp_path):
    world = letters.build(tmp_path / "world")
    for person in (world.anna, world.boris, world.carla):
        page = Page(profiles(), origin).open()
        mirror = Mirror(page.window, person.seat.place)
        mirror.put()
        page.open()
        mirror.get()
        before = person.files()
        for reader, address, said in world.links.values():
            if reader is person:
                page.window.evaluate("(link) => void (location.hash = link)", address.partition("#")[2])
                page.board.get_by_text(said).first.wait_for(timeout=evening.WAIT)
        mirror.get()
        assert person.files() == before


@pytest.mark.parametrize("refuses", NO_STORAGE)
def test_a_browser_that_stores_nothing_says_so_before_the_button(context, tmp_path, refuses):
    asked = letters.sit(tmp_path / "anna", 0).invite("Anna").partition("#")[2]
    with hosted_after(refuses, tmp_path / "app") as address:
        page = Page(context, address).open(f"#{asked}", state="failed")
        assert "does not let the page store anything" in page.said()


@pytest.mark.parametrize(
    ("agent", "persists", "forgets"), [("", "true", False), ("", "false", True), (IN_AN_APP, "true", True)]
)
def test_a_window_that_may_forget_a_key_says_so_before_the_button(context, tmp_path, agent, persists, forgets):
    asked = letters.sit(tmp_path / "anna", 0).invite("Anna").partition("#")[2]
    told = {"storage": f"{{ persist: async () => {persists} }}", **({"userAgent": repr(agent)} if agent else {})}
    lines = [f"Object.defineProperty(Navigator.prototype, '{name}', {{ value: {told[name]} }});" for name in told]
    with hosted_after("\n".join(lines), tmp_path / "app") as address:
        page = Page(context, address).open(f"#{asked}")
        page.board.get_by_role("button", name="Make my key and answer").wait_for()
        warning = page.board.locator("[data-unlasting]:not(:empty)")
        warning.wait_for(state="attached")
        assert warning.is_visible() == forgets
        assert FORGETS in warning.text_content()
        page.window.reload()
        page.wait("ready")
        page.board.get_by_role("button", name="Make my key and answer").wait_for()
