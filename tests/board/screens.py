"""A board in a browser, used like a player by mouse and keyboard, with roles and names of the page."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from app import inside
from board.seats import Seat, by_turn
from kursk_pbem.game import folders

WAIT = 30_000
"""Milliseconds until a missing element counts as an error."""
DROP = """([name, data]) => {
  const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], name));
  for (const kind of ["dragover", "drop"])
    document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""

ON_TOP = """(each) => {
  const box = each.getBoundingClientRect();
  return each.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""

SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT = """(inside) => [...document.querySelectorAll(inside)].filter((shown) => shown.checkVisibility()
  && getComputedStyle(shown).clipPath === "none"
  && (shown.scrollWidth > shown.clientWidth + 1 || shown.getBoundingClientRect().right > innerWidth + 1
    || shown.scrollHeight > shown.clientHeight + 1)).map((shown) => shown.outerHTML.slice(0, 90))"""


SEEN = """document.addEventListener("readystatechange", () =>
  document.dispatchEvent(new CustomEvent("seen", { detail: 1e6 })))"""
"""The browser has seen all dice of the games that it opens, so no film plays by itself."""


IN_CLICK = """(() => {
  let within = false;
  addEventListener("click", () => { within = true; setTimeout(() => (within = false)); }, true);
  for (const [owner, name] of [[window.Clipboard, "write"], [window.Clipboard, "writeText"], [Navigator, "share"]]) {
    if (!owner) continue; // an empty page
    const own = owner.prototype[name] || (() => Promise.resolve());
    owner.prototype[name] = function (...given) {
      return within ? own.apply(this, given) : Promise.reject(new DOMException("too late", "NotAllowedError"));
    };
  }
})()"""
"""The browser copies and shares only at once within a click, as WebKit does."""


LOOKED = bool(os.environ.get("KURSK_AXE"))
"""Whether axe-core looks at the last state of every test."""
AXE = """async (part) => {
  const map = part && document.querySelector("#map svg"), place = document.createComment("");
  if (map) map.replaceWith(place); // axe reads each of its thousands of elements
  const { violations } = await axe.run(part || document);
  if (map) place.replaceWith(map);
  return violations.map((each) => [each.id, each.nodes.map((node) => node.html.slice(0, 200))]);
}"""


def violations(page: Any, part: str = "") -> list[Any]:
    """Return faults found by axe-core: rule and elements; of a part of the page without the map."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    found: list[Any] = page.evaluate(AXE, part)
    return found


class Screen:
    """One window. ``clicks`` and ``typed`` count gestures; ``wrong`` lists console errors."""

    def __init__(self, page: Any, seat: Seat) -> None:
        self.page, self.seat = page, seat
        self.clicks, self.typed = 0, 0
        self.wrong: list[str] = []
        page.on("console", lambda said: self.wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", self._stays_here)

    def _stays_here(self, request: Any) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:", "file:")):
            self.wrong.append(f"asks for {request.url}")

    # Gestures

    def click(self, role: str, name: Any, inside: Any = None, **more: Any) -> None:
        (inside or self.page).get_by_role(role, name=name, **more).click()
        self.clicks += 1

    def button(self, name: Any, inside: Any = None) -> None:
        self.click("button", name, inside, exact=isinstance(name, str))

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def settled(self) -> None:
        """Wait for the answers to all requests."""
        self.page.locator("body[data-asked='0']").wait_for(state="attached")

    def looked(self) -> list[Any]:
        """Return the faults of the page as it is now, without the dim colours of a form that waits."""
        if self.page.locator("body[data-asked]").count():
            self.settled()
        return violations(self.page)

    # The home page

    def drop(self, mail: Path) -> None:
        """Drop a mail on the page and return the result."""
        data = base64.b64encode(mail.read_bytes()).decode("ascii")
        with self.page.expect_navigation():
            self.page.evaluate(DROP, [mail.name, data])
        self.clicks += 1

    def take(self, mail: Path) -> None:
        """Drop a mail and open the game."""
        self.drop(mail)
        if not self.page.locator("#map").count():  # on the page of the game, a mail is processed there
            self.click("link", "To the game")
        self.whole()

    def whole(self) -> None:
        """Show the whole map, with every hex in reach."""
        self.page.get_by_role("tab", name="Orders").wait_for()
        self.settled()
        self.press("0")

    def accepts(self, proposal: Path) -> None:
        """Accept a dropped proposal, and open the game."""
        self.drop(proposal)
        self.page.get_by_role("heading", name="A proposal").wait_for()
        self.button("Accept")
        self.click("link", "To the game")
        self.whole()

    # The map

    def counter(self, unit: str) -> Any:
        return self.page.get_by_role("button", name=re.compile(rf"^{re.escape(unit)},")).first

    def unit(self, unit: str) -> None:
        """Click a counter; spread the stack before if needed."""
        if not self.counter(unit).evaluate(ON_TOP):
            self.counter(unit).click(force=True)
            self.clicks += 1
            self.settled()
        self.counter(unit).click()
        self.clicks += 1
        self.settled()

    def lit(self, place: str) -> Any:
        return self.page.get_by_role("button", name=f"hex {place}", exact=True)

    def hex(self, place: str) -> None:
        """Click a hex by position, because a hex without choice has no role."""
        self.page.locator(f"#at-{place}").click(force=True)
        self.clicks += 1
        self.settled()

    # Orders

    def moves(self, order: Mapping[str, Any], phase: str) -> None:
        """Click unit and hex, and the phase for a unit with two moves."""
        self.unit(order["unit"])
        card = self.page.get_by_role("tabpanel", name="Unit")
        shown = card.locator(f".lights[data-phase={phase}]")
        if shown.get_attribute("aria-pressed") != "true":
            shown.click()
            self.clicks += 1
        self.lit(order["to"]).click()
        self.clicks += 1
        self.settled()

    def group(self, name: str) -> Any:
        return self.page.get_by_role("group", name=name, exact=True)

    def unfolds(self) -> None:
        """Open the folded choices of the form."""
        more = self.page.locator("#form :is(.idle, .others):not([open]) > summary:visible")
        while more.count():
            more.first.click()
            self.clicks += 1

    def sets(self, name: str, wanted: list[str], role: str = "checkbox") -> None:
        """Tick the named boxes in the given order, and no other boxes."""
        self.unfolds()
        for box in self.group(name).get_by_role(role).all():
            if box.is_checked() and box.get_attribute("value") not in wanted:
                box.click()
                self.clicks += 1
        for each in wanted:
            box = self.group(name).locator(f"input[type={role}][value='{each}']")
            if not box.is_checked():
                box.click()
                self.clicks += 1

    def submit(self) -> None:
        self.settled()
        self.button("Order", self.page.get_by_role("tabpanel", name="Compose"))
        self.page.get_by_role("tabpanel", name="Orders", exact=True).wait_for()
        self.settled()

    def verb(self, name: str) -> None:
        self.page.get_by_role("tab", name="Orders").click()
        self.page.locator(f"#orders .verbs .verb[data-verb={name}]").click()
        self.clicks += 2
        self.settled()

    def ranks(self, name: str, wanted: list[str]) -> None:
        """Tick the named boxes in the given order; a label may continue after the unit."""
        self.sets(name, [each.split()[0] for each in wanted])
        for each in wanted:
            unit, _blank, more = each.partition(" ")
            if more:
                row = self.group(name).get_by_role("listitem").filter(has=self.page.locator(f"input[value='{unit}']"))
                row.get_by_role("combobox").select_option(more)
                self.clicks += 2

    def wishes(self, name: str, wanted: list[str]) -> None:
        """Click hexes on the map with a choice: 'toward', 'away'."""
        self.unfolds()
        for wish in wanted:
            head, _blank, place = wish.rpartition(" ")
            self.click("radio", head or "into", self.group(name), exact=True)
            self.hex(place)

    def signs(self) -> None:
        self.button("Sign …")
        self.button("Sign it", self.page.get_by_role("dialog", name="Sign this message?"))
        signed = self.page.get_by_role("dialog", name="Signed")
        signed.get_by_text("Wrote").wait_for()
        with self.page.expect_navigation():
            self.button("OK", signed)
        self.page.get_by_role("tab", name="Orders").wait_for()
        self.settled()


@contextmanager
def opened(browser: Any, seat: Seat, *, news: bool = False, **window: Any) -> Iterator[Screen]:
    """Open a player's board without motion, and check the console at the end. ``news``: play the films of new dice."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **window})
    context.set_default_timeout(WAIT)
    if not news:
        context.add_init_script(SEEN)
    page = context.new_page()
    screen = Screen(inside.Inside(page) if inside.WANTED else page, seat)
    with inside.opened(screen) if inside.WANTED else _served(screen):
        screen.page.get_by_role("heading", level=1).wait_for()
        screen.page.wait_for_load_state()
        yield screen
        found = screen.looked() if LOOKED else []
        seat.mirror()
        context.close()
    assert not found, found
    assert not screen.wrong, screen.wrong


@contextmanager
def _served(screen: Screen) -> Iterator[None]:
    """Serve a player's board."""
    with screen.seat.served() as board:
        screen.page.goto(board.access.login_url)  # the link opens the last place of the player
        screen.page.get_by_role("main").wait_for()
        screen.page.goto(f"{board.access.address}{board.access.root}/")
        yield


Composes = Callable[[Screen, Mapping[str, Any]], None]
"""Function that gives the orders of a message by mouse; defaults of the draft need no click."""


def played(
    browser: Any, seats: Mapping[str, Seat], content: Callable[[Any], Mapping[str, Any]], compose: Composes, last: int
) -> dict[int, int]:
    """Play a game on two boards with dropped mails; return the clicks of each message."""
    counts = {}
    with ExitStack() as stack:
        screens = {side: stack.enter_context(opened(browser, seat)) for side, seat in seats.items()}
        first, second = screens.values()
        second.accepts(folders.message_path(first.seat.folder, 0))
        for seq in range(1, last + 1):
            mine, theirs = by_turn(seats)
            screen, other = screens[mine.side], screens[theirs.side]
            before = screen.clicks
            compose(screen, content(mine.sit()))
            screen.signs()
            counts[seq] = screen.clicks - before
            other.take(folders.message_path(mine.folder, seq))
        assert all(screen.typed == 0 for screen in screens.values())
    return counts


def enters(screen: Any) -> None:
    """Open the first game of the home page."""
    screen.page.get_by_role("region", name="Games").get_by_role("link").first.click()
    screen.whole()


def meets(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    """Return whether two boxes share a point."""
    return all(
        one[start] < other[start] + other[size] and other[start] < one[start] + one[size]
        for start, size in (("x", "width"), ("y", "height"))
    )


def list_orders(screen: Any) -> list[str]:
    """Return the words of the orders in the list."""
    words = "(all) => all.map((each) => each.dataset.words)"
    return list(screen.page.locator("#listed .edit").evaluate_all(words))
