"""WebKit and Firefox, started for a test and steered by the commands of W3C WebDriver.

WebKit answers by HTTP (Debian's webkit2gtk-driver), Firefox by a socket of its own; names and data are the same.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, Any

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element in data, by the standard."""
HTTP = {
    "NewSession": ("POST", ""),
    "DeleteSession": ("DELETE", ""),
    "Navigate": ("POST", "/url"),
    "Refresh": ("POST", "/refresh"),
    "GetCurrentURL": ("GET", "/url"),
    "ExecuteAsyncScript": ("POST", "/execute/async"),
    "SwitchToFrame": ("POST", "/frame"),
    "SwitchToWindow": ("POST", "/window"),
    "NewWindow": ("POST", "/window/new"),
    "GetWindowHandle": ("GET", "/window"),
    "SetWindowRect": ("POST", "/window/rect"),
    "ElementClick": ("POST", "/element/{id}/click"),
    "ElementSendKeys": ("POST", "/element/{id}/value"),
    "PerformActions": ("POST", "/actions"),
    "TakeScreenshot": ("GET", "/screenshot"),
}
"""Method and path of each command by HTTP."""
LOCAL = "127.0.0.1"
BOOT = 60
"""Seconds until a browser must listen."""
SIZE = (1280, 850)
SCREEN = ("Xvfb", "-displayfd", "1", "-screen", "0", "2000x1400x24", "-nolisten", "tcp")
MISSING = {
    "webkit": "no WebKit is found: install it ('apt-get install webkit2gtk-driver xvfb')",
    "firefox": "no Firefox is found: install it ('apt-get install firefox-esr')",
}
PREFERENCES = {"marionette.port": 0, "browser.download.folderList": 2, "browser.shell.checkDefaultBrowser": False}


class RemoteError(Exception):
    """An error of WebDriver. ``code``: its name in the standard."""

    def __init__(self, value: Any) -> None:
        self.code = str(value["error"])
        super().__init__(f"{self.code}: {value.get('message')}")


class Driver:
    """A running browser. ``down``: the folder of its downloads."""

    def __init__(self, down: Path) -> None:
        self.down = down

    def call(self, command: str, **given: Any) -> Any:
        """Return the value of a command. Raises RemoteError."""
        raise NotImplementedError


class _WebKit(Driver):
    def __init__(self, port: int, down: Path) -> None:
        super().__init__(down)
        self._port, self._session = port, "/session"

    def call(self, command: str, **given: Any) -> Any:
        method, path = HTTP[command]
        connection = HTTPConnection(LOCAL, self._port, timeout=180)
        body = json.dumps(given) if method == "POST" else None
        connection.request(method, self._session + path.format(**given), body)
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RemoteError(value)
        if command == "NewSession":
            self._session += f"/{value['sessionId']}"
        return value


class _Firefox(Driver):
    def __init__(self, to_it: socket.socket, from_it: IO[bytes], down: Path) -> None:
        super().__init__(down)
        self._socket, self._stream, self._count = to_it, from_it, 0
        self._get()

    def _get(self) -> Any:
        size = b""
        while not size.endswith(b":"):
            size += self._stream.read(1) or b"0:"
        return json.loads(self._stream.read(int(size[:-1])))

    def call(self, command: str, **given: Any) -> Any:
        self._count += 1
        if command == "SwitchToFrame":
            given = {"element": given["id"]} if given["id"] else {}
        if command == "ExecuteAsyncScript":
            given |= {"sandbox": None}  # in the page's own world
        data = json.dumps([0, self._count, f"WebDriver:{command}", given]).encode()
        self._socket.sendall(b"%d:%b" % (len(data), data))
        _kind, _count, error, value = self._get()
        if error:
            raise RemoteError(error)
        return value["value"] if isinstance(value, dict) and value.keys() == {"value"} else value


def is_here(engine: str) -> bool:
    """Return whether an engine and what it needs are installed."""
    if engine == "firefox":
        return bool(_firefox())
    return bool(shutil.which("WebKitWebDriver") and shutil.which("Xvfb") and _mini())


@cache
def _mini() -> Path | None:
    """Return WebKit's browser. All folders of libraries are searched, so only tests that start it ask."""
    return next(Path("/usr").glob("lib*/**/webkit2gtk-4.1/MiniBrowser"), None)


def _firefox() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


@contextmanager
def running(words: list[Any], env: dict[str, str], out: int = subprocess.DEVNULL) -> Iterator[subprocess.Popen[str]]:
    """Run a program, and end it with all that it has started."""
    more = {"stderr": subprocess.DEVNULL, "text": True, "start_new_session": True}
    with subprocess.Popen(words, env=env, stdout=out, **more) as started:
        try:
            yield started
        finally:
            os.killpg(started.pid, signal.SIGKILL)


@contextmanager
def screen() -> Iterator[str]:
    """Start a screen in memory; yield its name."""
    with running([*SCREEN], {**os.environ}, subprocess.PIPE) as server:
        assert server.stdout
        yield f":{int(server.stdout.readline())}"


@contextmanager
def started(engine: str, place: Path, display: str, moving: bool) -> Iterator[Driver]:
    """Start an engine with an empty profile below a folder; without ``moving`` it wants little motion."""
    down = place / "down"
    down.mkdir(parents=True)
    with (_start_firefox if engine == "firefox" else _start_webkit)(place, down, display, moving) as driver:
        driver.call("SetWindowRect", x=0, y=0, width=SIZE[0], height=SIZE[1])
        yield driver


@contextmanager
def _start_webkit(place: Path, down: Path, display: str, moving: bool) -> Iterator[Driver]:
    (place / "gtk-3.0").mkdir()
    (place / "gtk-3.0" / "settings.ini").write_text(f"[Settings]\ngtk-enable-animations={int(moving)}\n")
    (place / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{down}"\n')
    quick = {"JSC_useOMGJIT": "0"}  # its last compiler costs more than it saves here
    folders = {"HOME": str(place), "XDG_CONFIG_HOME": str(place), "XDG_CACHE_HOME": str(place)}
    with socket.socket() as free:
        free.bind((LOCAL, 0))
        port = free.getsockname()[1]
    with running(["WebKitWebDriver", f"--port={port}"], {**os.environ, **quick, **folders, "DISPLAY": display}):
        _wait(lambda: socket.create_connection((LOCAL, port)).close())
        driver = _WebKit(port, down)
        options = {"binary": str(_mini()), "args": ["--automation"]}
        wanted = {"webkitgtk:browserOptions": options, "timeouts": {"script": 120_000}}
        driver.call("NewSession", capabilities={"alwaysMatch": wanted})
        try:
            yield driver
        finally:
            driver.call("DeleteSession")


@contextmanager
def _start_firefox(place: Path, down: Path, _display: str, moving: bool) -> Iterator[Driver]:
    wanted = {**PREFERENCES, "ui.prefersReducedMotion": int(not moving), "browser.download.dir": str(down)}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in wanted.items()]
    (place / "user.js").write_text("\n".join(lines))
    words = [_firefox(), "-headless", "-no-remote", "-marionette", "-profile", place]
    with running(words, {**os.environ}):
        port = _wait(lambda: int((place / "MarionetteActivePort").read_text()))
        with socket.create_connection((LOCAL, port), timeout=180) as to_it, to_it.makefile("rb") as from_it:
            driver = _Firefox(to_it, from_it, down)
            driver.call("NewSession", capabilities={"alwaysMatch": {"timeouts": {"script": 120_000}}})
            yield driver


def _wait(probe: Any) -> Any:
    end = time.monotonic() + BOOT
    while True:
        try:
            return probe()
        except (OSError, ValueError):
            assert time.monotonic() < end, "the browser does not listen"
            time.sleep(0.05)
