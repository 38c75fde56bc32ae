"""The page in a browser, used like a player."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kursk_pbem.board import hosting

STATE = "html[data-state={}]"
BOOT = 120_000
"""Milliseconds until the page has begun: WebKit on a busy machine needs a minute."""
FIELD = """() => {
  const field = Object.assign(document.createElement("textarea"), { id: "read-here", placeholder: "paste" });
  (document.querySelector("dialog[open]") || document.body).append(field);
  field.focus();
}"""


def paste(window: Any) -> str:
    """Return the text on the clipboard, pasted by keys into a field of the window."""
    window.evaluate(FIELD)
    window.keyboard.press("Control+v")
    window.locator("#read-here:not(:placeholder-shown)").wait_for()
    text = window.locator("#read-here").input_value()
    window.locator("#read-here").evaluate("(field) => field.remove()")
    return str(text)


@contextmanager
def hosted(folder: Path, port: int = 0) -> Iterator[str]:
    """Serve the page's folder; yield its address."""
    with hosting.host_page(folder, port) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@contextmanager
def hosted_after(script: str, folder: Path) -> Iterator[str]:
    """Serve the page in a new folder, with a script that runs before its own; yield its address."""
    shutil.copytree(hosting.BUILT, folder)
    index = (folder / "index.html").read_text("utf-8")
    (folder / "index.html").write_text(index.replace("<script", "<script src='first.js'></script><script", 1), "utf-8")
    (folder / "first.js").write_text(script, "utf-8")
    with hosted(folder) as address:
        yield address


class Page:
    """A window of the page. ``board``: the frame with the board; ``wrong``: console errors and foreign requests."""

    def __init__(self, context: Any, address: str) -> None:
        self.window, self.address = context.new_page(), address
        self.board = self.window.frame_locator("iframe")
        self.wrong: list[str] = []
        self.window.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.window.on("pageerror", lambda error: self.wrong.append(str(error)))
        context.on("request", self._stays_here)

    def _stays_here(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.wrong.append(f"asks for {request.url}")

    def open(self, more: str = "", state: str = "ready") -> Page:
        """Load the page; wait until it is ready, or in another state."""
        self.window.goto("about:blank")
        self.window.goto(self.address + more)
        self.wait(state)
        return self

    def wait(self, state: str) -> None:
        self.window.locator(STATE.format(state)).wait_for(state="attached", timeout=BOOT)

    def said(self) -> str:
        """Return the text of the page when no board is shown."""
        return " ".join(self.window.locator("#say").inner_text().split())

    def home(self) -> None:
        """Show the home page of the board."""
        frame = self.window.frame(name="board")
        frame.goto(re.findall(r".*/b-\w+/", frame.url)[0])

    def begin(self) -> None:
        """Begin a game of both sides."""
        self.board.get_by_role("button", name=re.compile("^Play both sides")).first.click()
        self.board.locator("body[data-asked='0']").wait_for(state="attached")

    def sign(self) -> None:
        """Sign the message as it is."""
        self.board.get_by_role("button", name="Sign …").click()
        self.board.get_by_role("button", name="Sign it").click()

    def bar(self) -> str:
        """Return the line of the game's state."""
        return " ".join(self.board.locator("#bar").inner_text().split())
