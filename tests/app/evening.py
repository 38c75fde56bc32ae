"""Two people on their first evening: from "Find an opponent" to the dice of both. Any engine can drive them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from helpers import film_poll
from helpers.film_poll import Look

from app.pages import Page, paste

WAIT = 120_000
"""Milliseconds for a page on a slow machine."""
SETTLED = "body:not(:has(#map)), body[data-asked='0']"
"""A page of a game answers clicks from its first answer on."""
LOOK = f"""() => {{
  const look = ((document) => ({film_poll.LOOK})())(frames.board.document);
  return {{ ...look, title: `${{look.title}} ${{document.title}}` }};
}}"""
"""Looks at the board in its frame, and at both titles."""
LEAVE = """async (film) => {
  const until = async (seen) => { while (!seen()) await new Promise((go) => setTimeout(go, 20)); };
  await until(() => frames.board.document.querySelector("#watch-title")?.textContent.startsWith(film));
  const address = frames.board.location.pathname;
  frames.board.location.replace("about:blank");
  await until(() => frames.board.location.href === "about:blank");
  frames.board.location.assign(address.replace(/game.*/, ""));
  return address;
}"""
"""Stops a film that has just begun, and goes home. A link would let it play until the home page has come."""
MAIL = re.compile(r"mail|Copy as text", re.IGNORECASE)
"""Words of another way to send, which no page of this evening shows before "Other ways" is opened."""
FILM = "(address) => fetch(address).then((found) => found.json())"


class Driver(Protocol):
    """A person at the page in one browser. Names and texts are those of the board's page, as a reader sees them."""

    def open(self, address: str) -> None:
        """Open an address in a new window, and wait until the page shows the board."""

    def click(self, name: str) -> None:
        """Wait for the button or link with this name, and click it."""

    def type(self, label: str, text: str) -> None:
        """Fill the field with this label."""

    def see(self, text: str) -> None:
        """Wait until the page shows a text."""

    def text(self) -> str:
        """Return the visible text of the page."""

    def copied(self) -> str:
        """Return the text that the last click has copied."""

    def look(self) -> Look:
        """Return what the page and its titles show."""

    def leave(self, film: str) -> str:
        """Go home as soon as a film has begun; return the address of the game."""

    def film(self, address: str) -> dict[str, Any]:
        """Return the film of a message."""


@dataclass
class Person:
    """A driver with counts: clicks, addresses opened, and fingerprints seen."""

    driver: Driver
    counts: dict[str, int] = field(default_factory=lambda: {"clicks": 0, "addresses": 0, "fingerprints": 0})

    def open(self, address: str, text: str) -> None:
        self.counts["addresses"] += 1
        self.driver.open(address)
        self.see(text)

    def click(self, name: str, text: str) -> None:
        """Click, wait for a text of the next page, and count the fingerprints there."""
        self.counts["clicks"] += 1
        self.driver.click(name)
        self.see(text)

    def see(self, text: str) -> None:
        self.driver.see(text)
        shown = self.driver.text()
        self.counts["fingerprints"] += len(re.findall(r"SHA256:|\b[0-9a-f]{32,}\b", shown))
        assert not MAIL.search(shown), [line for line in shown.splitlines() if MAIL.search(line)]


def meet(anna: Person, boris: Person) -> Iterator[str]:
    """Play from the home page of Anna, and of Boris nothing, to the board of one game at both; yield each state."""
    anna.click("Find an opponent", "Write an invitation")
    anna.driver.type("Your name", "Anna")
    anna.click("Make my key and write the invitation", "Your invitation to Citadel")
    anna.click("Copy the address", "Copied")
    yield "invited"
    boris.open(anna.driver.copied(), "Anna invites you to Citadel")
    boris.driver.type("Your name", "Boris")
    boris.click("Make my key and answer", "Your answer to Anna")
    boris.click("Copy the address", "Copied")
    yield "answered"
    anna.open(boris.driver.copied(), "Boris answers your invitation to Citadel")
    anna.click("Sign the proposal", "not compared yet")
    anna.see("Send this address to Boris")
    anna.click("Copy the address", "Copied")
    yield "proposed"
    boris.open(anna.driver.copied(), "Anna proposes Citadel")
    boris.click("Play this game", "not compared yet")
    yield "met"


def attack(writer: Person) -> None:
    """Order the first attack that the program thinks of, until the draft names its losses."""
    writer.click("Why not attack here?", "Order it")
    writer.click("Order it", "; losses ")


def send(writer: Person, reader: str) -> str:
    """Look at the message that is due, sign it, and return its address."""
    writer.click("Sign …", "You cannot take back a signed message")
    writer.click("Sign it and copy the address", "Its address is copied")
    writer.see(f"Send this address to {reader}")
    return writer.driver.copied()


def take(reader: Person, address: str, news: str) -> None:
    """Open an address, read what happened, and take its message."""
    reader.open(address, news)
    reader.see("You write next")
    reader.counts["clicks"] += 1
    reader.driver.click("Take it and open the game")


def watch(reader: Person, film: str, game: str) -> list[str]:
    """Watch the dice of message 4 fall, with a look at home before their end; return the results told too early."""
    address = reader.driver.leave(film)
    reader.driver.see("Dice have fallen")
    at_home = reader.driver.look()
    results = film_poll.find_results(reader.driver.film(f"{address}watch/4"))
    assert results
    early = film_poll.list_told(at_home, [line for lines in results.values() for line in lines])
    reader.driver.click(game)
    return early + film_poll.poll_film(reader.driver.look, results)


def fight(anna: Person, boris: Person) -> Iterator[list[str]]:
    """Play from the first common board to the dice of a battle; yield the results told too early, to each."""
    take(anna, send(boris, "Anna"), "Boris sends message 1")
    anna.see("1 of ")
    attack(anna)
    take(boris, send(anna, "Boris"), "Anna attacks you in 1 place")
    take(anna, send(boris, "Anna"), "Boris answers your attacks in 1 place")
    yield watch(anna, "Your dice, step", "Boris")
    take(boris, send(anna, "Boris"), "The dice of Anna have fallen")
    yield watch(boris, "Message 4 of 4, step", "Anna")


def add_counts(*people: Person) -> dict[str, int]:
    """Return the counts of all people together."""
    return {name: sum(person.counts[name] for person in people) for name in people[0].counts}


class Reader:
    """A person at a window, in any engine."""

    def __init__(self, context: Any, address: str) -> None:
        self.page = Page(context, address)

    def open(self, address: str) -> None:
        self.page.open(address.removeprefix(self.page.address))

    def click(self, name: str) -> None:
        board = self.page.board
        board.locator(SETTLED).wait_for(state="attached", timeout=WAIT)
        button, *others = (board.get_by_role(role, name=name, exact=True) for role in ("button", "link", "tab"))
        button.or_(others[0]).or_(others[1]).first.click(timeout=WAIT)

    def type(self, label: str, text: str) -> None:
        self.page.board.get_by_label(label, exact=True).first.fill(text)

    def see(self, text: str) -> None:
        self.page.board.get_by_text(text).first.wait_for(timeout=WAIT)

    def text(self) -> str:
        return str(self.page.board.locator("body").inner_text())

    def copied(self) -> str:
        return paste(self.page.window)

    def look(self) -> Look:
        return Look(**self.page.window.evaluate(LOOK))

    def leave(self, film: str) -> str:
        return str(self.page.window.evaluate(LEAVE, film))

    def film(self, address: str) -> dict[str, Any]:
        found: dict[str, Any] = self.page.window.evaluate(FILM, address)
        return found
