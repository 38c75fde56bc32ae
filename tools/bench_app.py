"""Measure the page in Chromium: a cold start at 20 Mbit/s, warm starts, requests and memory. ``make bench-app``.

Targets on two cores: 11 MB, 8 s cold, 4 s warm, a request in 150 ms (median) and 1 s (worst), 256 MB of wasm memory.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import statistics
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

ROOT = Path(__file__).resolve().parent.parent
BUILT, PIECE, DELAY = ROOT / "build" / "app", 16_384, 0.03
TYPES = {".wasm": "application/wasm", ".html": "text/html", ".css": "text/css", ".json": "application/json"}
MEASURES = """performance.getEntriesByType("measure").map((each) =>
    [each.name.replace(/ .*[/]b-[0-9a-f]+/, " "), each.duration, each.detail])"""


class _Host(BaseHTTPRequestHandler):
    """A packing web host behind one line of limited speed."""

    protocol_version = "HTTP/1.1"
    speed, sent, free, line = 0.0, 0, 0.0, threading.Lock()
    packed: ClassVar[dict[str, tuple[bytes, str]]] = {}

    def log_message(self, format: str, *_given: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        data, kind = self.packed[path.strip("/") or "index.html"]
        self.send_response(200)
        for name, value in (("Type", kind), ("Length", str(len(data))), ("Encoding", "gzip")):
            self.send_header(f"Content-{name}", value)
        self.end_headers()
        time.sleep(DELAY)
        for at in range(0, len(data), PIECE):
            with self.line:
                _Host.free = max(_Host.free, time.monotonic()) + PIECE / self.speed
                _Host.sent += len(data[at : at + PIECE])
                wait = _Host.free - time.monotonic()
            time.sleep(max(wait, 0))
            self.wfile.write(data[at : at + PIECE])


def measure(window: Any, address: str, scenario: str, most: int) -> None:
    """Start the page, sign messages as they are, start the page again; print the figures."""

    def start(what: str) -> None:
        window.goto("about:blank")
        began = time.monotonic()
        window.goto(address)
        window.locator("html[data-state=ready]").wait_for(state="attached")
        print(f"{what} start {time.monotonic() - began:.1f} s, {_Host.sent / 1e6:.1f} MB so far")

    start("cold")
    board = window.frame_locator("iframe")
    board.locator(f"form[action$='/play'] button[value='{scenario}']").first.click()
    messages = 0
    while messages < most:
        board.locator("body[data-asked='0']").wait_for(state="attached")
        if not board.get_by_role("button", name="Sign …").count():
            break
        messages += 1
        board.get_by_role("button", name="Sign …").click()
        with window.expect_event("framenavigated"):
            board.get_by_role("button", name="Sign it").click()
    found = [each for each in window.workers[0].evaluate(MEASURES) if "static" not in each[0]]
    times = [each[1] for each in found]
    worst = max(found, key=lambda each: each[1])
    print(f"{len(times)} requests: median {statistics.median(times):.0f} ms, worst {worst[1]:.0f} ms ({worst[0]})")
    print(f"wasm memory after {messages} messages: {found[-1][2] >> 20} MB")
    for _time in range(5):
        start("warm")


def main() -> None:
    """Measure once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speed", type=float, default=20, help="megabits a second")
    parser.add_argument("--messages", type=int, default=6, help="the messages to sign; a game may end earlier")
    parser.add_argument("--scenario", default="battle-for-kursk/citadel")
    given = parser.parse_args()
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None or not (BUILT / "app.json").is_file():
        sys.exit("the page is measured in Chromium, after make app")
    from playwright.sync_api import sync_playwright

    _Host.speed = given.speed * 125_000
    for file in filter(Path.is_file, BUILT.rglob("*")):
        packed = gzip.compress(file.read_bytes(), 9), TYPES.get(file.suffix, "text/javascript")
        _Host.packed[file.relative_to(BUILT).as_posix()] = packed
    with ThreadingHTTPServer(("127.0.0.1", 0), _Host) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        running = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        window = running.new_context(viewport={"width": 1280, "height": 850}).new_page()
        window.set_default_timeout(120_000)
        measure(window, f"http://127.0.0.1:{server.server_port}/", given.scenario, given.messages)
        running.close()
        server.shutdown()


if __name__ == "__main__":
    main()
