"""A poll of a page while a film plays: no result is on the page before its dice have come to rest.

Any driver of a browser can give the looks: it runs ``LOOK`` in the page and makes a ``Look`` of the answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

LOOK = """() => {
  const shown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const words = [];
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
  for (let each = walker.nextNode(); each; each = walker.nextNode()) {
    if (["SCRIPT", "STYLE"].includes(each.tagName) || !shown(each)) continue;
    for (const name of ["aria-label", "alt", "title"]) words.push(each.getAttribute(name) || "");
    for (const text of each.childNodes) if (text.nodeType === Node.TEXT_NODE) words.push(text.data);
    const unit = each.dataset.watched || each.dataset.unit;
    if (unit) words.push(`${unit} at ${each.getAttribute("transform")}`);
  }
  const dice = [...document.querySelectorAll("#watching .die")];
  return {
    text: words.join(" ").replace(/\\s+/g, " "),
    title: document.title,
    rests: dice.length > 0 && dice.every((die) => die.getAttribute("aria-busy") === "false"),
  };
}"""
"""Returns all visible words of a page with labels and places of counters, its title, and whether the dice rest."""


class Look(NamedTuple):
    """A look at a page: the words that a person sees or hears, the title, and whether the dice of the film rest."""

    text: str
    title: str
    rests: bool = False


def find_results(film: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the results of each step with dice, by the heading of the step: words, and ends of moving counters."""
    where = "Your dice" if film["own"] else f"Message {film['seq']} of {film['last']}"
    many = len(film["frames"])
    return {
        f"{where}, step {number} of {many}:": [
            " ".join(frame["told"].split()),
            *(text for text in (frame["card"]["meaning"],) if text),
            *(f"{unit} at translate({way[-1][0]},{way[-1][1]})" for unit, way in frame["moves"].items()),
        ]
        for number, frame in enumerate(film["frames"], 1)
        if frame["card"]["dice"]
    }


def list_told(look: Look, results: Iterable[str]) -> list[str]:
    """Return the results that are on the page or in its title."""
    return [result for result in results if result in look.text or result in look.title]


def poll_film(look: Callable[[], Look], results: Mapping[str, list[str]], patience: float = 90) -> list[str]:
    """Look until the dice of every step have come to rest; return the results told before, and steps not shown."""
    waiting, told, known = dict(results), set[str](), set[str]()
    end = time.monotonic() + patience
    while waiting and time.monotonic() < end:
        now = look()
        if now.rests:
            for heading in [heading for heading in waiting if heading in now.text]:
                known |= {*waiting.pop(heading)}  # a later step may have an equal result
        for heading, later in waiting.items():
            hidden = [each for each in later if heading in now.text or each not in known]
            told |= {f"{heading} {each}" for each in list_told(now, hidden)}
    return sorted(told) + [f"{heading} not shown" for heading in waiting]
