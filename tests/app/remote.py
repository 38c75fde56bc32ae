"""Windows of a browser that speaks WebDriver, behind the part of Playwright's interface that the tests use."""

from __future__ import annotations

import base64
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.drivers import ELEMENT, Driver, RemoteError

FINDING = Path(__file__).with_name("finding.js").read_text("utf-8")
PASSING = {
    "element click intercepted",
    "element not interactable",
    "javascript error",
    "no such element",
    "no such frame",
    "no such window",
    "stale element reference",
}
"""Errors of a page that is just changing: the next look may find the element."""
PAUSE = 0.1
KEYS = {"Control": "\ue009", "Shift": "\ue008", "Escape": "\ue00c", "Enter": "\ue007", "Tab": "\ue004"}
EVALUATE = """const [steps, given, done] = arguments;
(async () => {
  const found = steps ? find(steps) : [], [each] = found;
  const made = (%s);
  return typeof made === "function" ? made(...(steps ? [each, given] : [given])) : made;
})().then((value) => done([value === undefined ? null : value]), (error) => done(String(error)));"""
STILL = """async (each) => {
  const place = () => JSON.stringify(each.getBoundingClientRect());
  const before = place();
  await new Promise((go) => setTimeout(go, 40));
  return before === place();
}"""
"""Whether an element does not move: the click is on the place where it is now."""
FILL = """(each, text) => {
  each.focus();
  each.value = text;
  for (const kind of ["input", "change"]) each.dispatchEvent(new Event(kind, { bubbles: true }));
}"""
Words = str | re.Pattern[str]


def _words(text: Words, exact: bool = False) -> dict[str, Any]:
    if isinstance(text, str):
        return {"words": text, "exact": exact}
    return {"pattern": text.pattern, "flags": "i" if text.flags & re.IGNORECASE else ""}


class _Scope:
    """Something with elements below it."""

    document: Frame
    steps: tuple[dict[str, Any], ...] = ()

    def _more(self, kind: str, **step: Any) -> Locator:
        return Locator(self.document, (*self.steps, {"kind": kind, **step}))

    def locator(self, css: str) -> Locator:
        return self._more("css", css=css)

    def get_by_role(self, role: str, *, name: Words | None = None, exact: bool = False) -> Locator:
        return self._more("role", role=role, name=None if name is None else _words(name, exact))

    def get_by_text(self, text: Words, *, exact: bool = False) -> Locator:
        return self._more("text", text=_words(text, exact))

    def get_by_label(self, text: Words, *, exact: bool = False) -> Locator:
        return self._more("label", label=_words(text, exact))


class Locator(_Scope):
    """The elements of a chain of steps; looked for anew at each use."""

    def __init__(self, document: Frame, steps: tuple[dict[str, Any], ...]) -> None:
        self.document, self.steps = document, steps

    @property
    def first(self) -> Locator:
        return self.nth(0)

    @property
    def last(self) -> Locator:
        return self.nth(-1)

    def nth(self, at: int) -> Locator:
        return self._more("nth", at=at)

    def or_(self, other: Locator) -> Locator:
        return Locator(self.document, ({"kind": "either", "both": [self.steps, other.steps]},))

    def filter(self, *, has_text: Words) -> Locator:
        return self._more("with", text=_words(has_text))

    def count(self) -> int:
        return int(self._ask("found.length"))

    def all(self) -> list[Locator]:
        return [self.nth(at) for at in range(self.count())]

    def _ask(self, text: str, given: Any = None) -> Any:
        return self.document.ask(text, self.steps, given)

    def _one(self, condition: str = "true") -> Any:
        """Wait for the only element, with a condition; return it."""

        def look() -> Any:
            many, element = self._ask(f"[found.length, each && {condition} ? each : null]")
            assert many < 2, f"{many} elements: {self.steps}"
            return element

        return self.document.window.until(look, self.steps)

    def wait_for(self, *, state: str = "visible", timeout: float | None = None) -> None:
        wanted = {"visible": "some(visible)", "attached": "length > 0", "hidden": "every((each) => !visible(each))"}
        self.document.window.until(lambda: self._ask(f"found.{wanted[state]}") or None, (state, self.steps), timeout)

    def is_visible(self) -> bool:
        return bool(self._ask("found.some(visible)"))

    def click(self, *, force: bool = False, timeout: float | None = None) -> None:
        def act() -> bool | None:
            element = self._one("!each.disabled && visible(each)")
            if not self._ask(STILL):
                return None
            self.document.call("ElementClick", id=element[ELEMENT])
            return True

        if force:
            self.evaluate("(each) => each.dispatchEvent(new MouseEvent('click', { bubbles: true }))")
        else:
            self.document.window.until(act, self.steps, timeout)

    tap = click

    def check(self) -> None:
        if not self.evaluate("(each) => each.checked"):
            self.click()

    def fill(self, text: str) -> None:
        self._one("!each.disabled && visible(each)")
        self.evaluate(FILL, text)

    def set_input_files(self, path: Path | str) -> None:
        self._send(self._one(), str(path))

    def _send(self, element: Any, text: str) -> None:
        self.document.call("ElementSendKeys", id=element[ELEMENT], text=text)

    def evaluate(self, text: str, given: Any = None) -> Any:
        self._one()
        return self._ask(text, given)

    def inner_text(self) -> str:
        return str(self.evaluate("(each) => each.innerText"))

    def input_value(self) -> str:
        return str(self.evaluate("(each) => each.value"))

    def text_content(self) -> str:
        return str(self.evaluate("(each) => each.textContent"))

    def get_attribute(self, name: str) -> str | None:
        found: str | None = self.evaluate("(each, name) => each.getAttribute(name)", name)
        return found


class Frame(_Scope):
    """A document: that of the window, or of the frame with a selector."""

    def __init__(self, window: Window, css: str = "") -> None:
        self.document, self.window, self._css = self, window, css

    def call(self, command: str, **given: Any) -> Any:
        """Return the value of a command in this document."""
        self.window.enter(self._css)
        return self.window.driver.call(command, **given)

    def ask(self, text: str, steps: Any = None, given: Any = None) -> Any:
        """Return the value of an expression, or of a function with the first element of the steps, and data."""
        got = self.call("ExecuteAsyncScript", script=FINDING + EVALUATE.replace("%s", text), args=[steps, given])
        if not isinstance(got, list):
            raise RemoteError({"error": "javascript error", "message": got})
        return got[0]

    def evaluate(self, text: str, given: Any = None) -> Any:
        return self.ask(text, None, given)

    def wait_for_function(self, text: str) -> None:
        self.window.until(lambda: self.ask(text) or None, text)

    @property
    def url(self) -> str:
        return str(self.ask("location.href"))

    def title(self) -> str:
        return str(self.ask("document.title"))

    def goto(self, address: str) -> None:
        with self.expect_navigation():
            self.ask("(address) => void (location.href = address)", None, address)

    @contextmanager
    def expect_navigation(self) -> Iterator[None]:
        """Wait for another document."""
        self.ask("void (window.wasHere = true)")
        yield
        self.wait_for_function("!window.wasHere && document.readyState === 'complete'")


class Window(Frame):
    """A tab of its own."""

    def __init__(self, driver: Driver, handle: str, wait: float) -> None:
        self.driver, self.handle, self._wait = driver, handle, wait
        super().__init__(self)
        self.keyboard = self

    def enter(self, css: str) -> None:
        """Direct the commands at this window, or at a frame in it."""
        self.driver.call("SwitchToWindow", handle=self.handle)
        self.driver.call("SwitchToFrame", id=None)
        if css:
            script = "arguments[1](document.querySelector(arguments[0]))"
            self.driver.call("SwitchToFrame", id=self.driver.call("ExecuteAsyncScript", script=script, args=[css]))

    def until(self, probe: Callable[[], Any], what: Any, timeout: float | None = None) -> Any:
        """Return the first value of a probe that is not None."""
        end, last = time.monotonic() + (self._wait if timeout is None else timeout / 1000), ""
        while time.monotonic() < end:
            try:
                got = probe()
            except RemoteError as error:
                if error.code not in PASSING:
                    raise
                got, last = None, str(error)
            if got is not None:
                return got
            time.sleep(PAUSE)
        raise AssertionError(f"this did not happen: {what} {last}")

    def goto(self, address: str, **_when: str) -> None:
        self.call("Navigate", url=address)

    def reload(self) -> None:
        self.call("Refresh")

    def frame_locator(self, css: str) -> Frame:
        return Frame(self, css)

    def frame(self, *, name: str) -> Frame:
        return Frame(self, f"iframe[name={name}]")

    def on(self, *_what: Any) -> None:
        """Only Chromium tells of its console and its requests."""

    def press(self, keys: str) -> None:
        """Press a key, perhaps with others held: Control+v."""
        held = [KEYS.get(key, key) for key in keys.split("+")]
        moves = [{"type": "keyDown", "value": key} for key in held]
        moves += [{"type": "keyUp", "value": key} for key in reversed(held)]
        self.call("PerformActions", actions=[{"type": "key", "id": "keys", "actions": moves}])

    def screenshot(self, *, path: Path | str) -> None:
        Path(path).write_bytes(base64.b64decode(self.call("TakeScreenshot")))

    @contextmanager
    def expect_request(self, pattern: re.Pattern[str]) -> Iterator[None]:
        """Wait until the window leaves for an address. WebKit then says that nothing here opens a mail."""
        yield
        self.until(lambda: pattern.match(self.call("GetCurrentURL")), pattern.pattern)

    @contextmanager
    def expect_download(self) -> Iterator[Download]:
        """Wait for a file in the folder of downloads."""
        before, got = {*self.driver.down.iterdir()}, Download()
        yield got

        def look() -> Path | None:
            new = {*self.driver.down.iterdir()} - before
            return new.pop() if len(new) == 1 and all(each.stat().st_size for each in new) else None

        got.value = got
        got.path = self.until(look, "a download")


class Download:
    """A saved file."""

    value: Download
    path: Path

    @property
    def suggested_filename(self) -> str:
        return self.path.name

    def save_as(self, path: Path | str) -> None:
        shutil.copy(self.path, path)


class Profile:
    """A browser of its own, with nothing in it; its windows are tabs."""

    def __init__(self, driver: Driver) -> None:
        self._driver, self._wait, self._used = driver, 30.0, False

    def set_default_timeout(self, wait: float) -> None:
        self._wait = wait / 1000

    def on(self, *_what: Any) -> None:
        """Only Chromium tells of its requests."""

    def new_page(self) -> Window:
        handle = (
            self._driver.call("NewWindow", type="tab")["handle"] if self._used else self._driver.call("GetWindowHandle")
        )
        self._used = True
        return Window(self._driver, handle, self._wait)
