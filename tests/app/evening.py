"""Two people on their first evening: from "Find an opponent" to the first common board. Any engine can drive them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from app.pages import Page, paste

WAIT = 120_000
"""Milliseconds for a page on a slow machine."""


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
        self.counts["fingerprints"] += len(re.findall(r"SHA256:|\b[0-9a-f]{32,}\b", self.driver.text()))


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
    anna.click("Copy a link", "Copied")
    yield "proposed"
    boris.open(anna.driver.copied(), "Anna proposes Citadel")
    boris.click("Play this game", "not compared yet")
    yield "met"


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
        found = board.get_by_role("button", name=name, exact=True)
        found.or_(board.get_by_role("link", name=name, exact=True)).first.click(timeout=WAIT)

    def type(self, label: str, text: str) -> None:
        self.page.board.get_by_label(label, exact=True).first.fill(text)

    def see(self, text: str) -> None:
        self.page.board.get_by_text(text).first.wait_for(timeout=WAIT)

    def text(self) -> str:
        return str(self.page.board.locator("body").inner_text())

    def copied(self) -> str:
        return paste(self.page.window)
