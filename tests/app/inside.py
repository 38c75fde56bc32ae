"""The tests of tests/board inside the page: ``KURSK_APP=1 pytest tests/board -m browser``.

A seat's files go into the browser's storage before the page starts, and come back whenever a test looks at the seat.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.pages import BOOT, STATE, hosted
from kursk_pbem.board import hosting
from kursk_pbem.desk.own import remembered

WANTED = bool(os.environ.get("KURSK_APP"))
ROOT = "/home/kursk"
PRIVATE = "kursk"
"""The name of the private folder in the page; the paths in its files are relative to it."""
WINDOW = {"clock", "context", "emulate_media", "expect_download", "expect_request", "keyboard", "mouse", "on",
          "remove_listener", "screenshot", "set_viewport_size", "touchscreen", "viewport_size"}  # fmt: skip
"""What belongs to the window, not to the frame of the board."""
NO_BOARD = "shows a file, not a board"
LATE = "delays answers on the network; the page has no network"
TWICE = "another process or tab changes the files of the open board"
IN_WORDS = "types orders in words, which the page does not offer"
OUTSIDE = {
    "test_map_elsewhere.py": NO_BOARD,
    "test_replay_page.py": NO_BOARD,
    "test_tournament_site.py": NO_BOARD,
    "test_mailing.py": "needs mail servers",
    "test_serve.py": "starts the server again",
    "test_two_windows.py": TWICE,
    "test_a_guide_points_goes_on_and_is_left": TWICE,
    "test_an_editor_and_the_page_work_on_one_draft": TWICE,
    "test_the_header_keeps_its_height": TWICE,
    "test_8_0_what_moves_after_the_dice_is_said_where_somebody_tries": TWICE,
    "test_a_turn_is_ordered_without_a_mouse": IN_WORDS,
    "test_done_ends_the_guide_of_one_message_only": IN_WORDS,
    "test_a_form_or_words_that_are_begun_are_asked_about_before_the_page_is_left": IN_WORDS,
    "test_keys_work_by_letter_and_by_place_in_every_layout": IN_WORDS,
    "test_a_typed_plan_shows_its_chance_and_follows_the_orders": IN_WORDS,
    "test_a_refused_order_stays_in_the_line_and_says_why": IN_WORDS,
    "test_a_card_that_comes_late_does_not_turn_away_from_a_tab": LATE,
    "test_dots_show_that_an_answer_is_on_its_way": LATE,
    "test_odds_are_dim_only_while_they_are_reckoned_anew": LATE,
    "test_two_boards_deploy_and_play_a_turn_on_a_table_top": "compares bytes of fixed nonces and dice",
    "test_a_finished_game_opens_on_its_result_with_the_whole_of_it_to_watch": "opens a folder that a person sees",
    "test_a_table_top_takes_a_click_as_inches": "plugs in a toy system",
}
"""The files and tests of the browser that cannot run in the page, with the reason."""

OPEN = """const done = (request) => new Promise((yes, no) => {
    request.onsuccess = () => yes(request.result);
    request.onerror = () => no(request.error);
  });
  const request = indexedDB.open("kursk", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("files");
  const db = await done(request);
"""
WRITE = f"""async (entries) => {{ {OPEN}
  const change = db.transaction("files", "readwrite");
  for (const [path, mode, time, text] of entries) {{
    const data = text === null ? {{}} : {{ data: Uint8Array.from(atob(text), (each) => each.charCodeAt(0)) }};
    change.objectStore("files").put({{ mode, time, ...data }}, path);
  }}
  await new Promise((yes) => (change.oncomplete = yes));
  db.close();
}}"""
READ = f"""async () => {{ {OPEN}
  const files = db.transaction("files").objectStore("files");
  const [paths, entries] = [await done(files.getAllKeys()), await done(files.getAll())];
  db.close();
  return paths.map((path, at) => [path, entries[at]]).map(([path, entry]) =>
    [path, entry.mode, entry.time, entry.data ? text(entry.data) : null]);
  function text(data) {{
    let made = "";
    for (let at = 0; at < data.length; at += 8192) made += String.fromCharCode(...data.subarray(at, at + 8192));
    return btoa(made);
  }}
}}"""


class Inside:
    """The frame of the board, used like a page of its own."""

    def __init__(self, window: Any) -> None:
        self.window = window

    def __getattr__(self, name: str) -> Any:
        return getattr(self.window if name in WINDOW else self.window.frame(name="board"), name)

    def reload(self) -> None:
        self.goto(self.url)


class Mirror:
    """The files of a seat on the disk, and in the browser."""

    def __init__(self, window: Any, place: Path) -> None:
        self.window, self.place, self.known = window, place, set[Path]()

    def put(self) -> None:
        entries: list[list[Any]] = []
        for path in sorted(self.place.rglob("*")):
            if path.is_symlink():
                continue
            stat, inside = path.stat(), path.relative_to(self.place).as_posix().split("/")
            inside[0] = PRIVATE if inside[0] == "private" else inside[0]
            data = base64.b64encode(path.read_bytes()).decode("ascii") if path.is_file() else None
            entries.append(["/".join([ROOT, *inside]), stat.st_mode & 0o7777, stat.st_mtime_ns // 1_000_000, data])
        self.window.evaluate(WRITE, entries)

    def get(self) -> None:
        found = set[Path]()
        for name, mode, time, text in self.window.evaluate(READ):
            inside = name.removeprefix(f"{ROOT}/").split("/")
            path = self.place.joinpath("private" if inside[0] == PRIVATE else inside[0], *inside[1:])
            found.add(path)
            if text is None:
                path.mkdir(parents=True, exist_ok=True)
                continue
            data = base64.b64decode(text)
            if not path.exists() or path.read_bytes() != data:
                path.write_bytes(data)
            path.chmod(mode)
            os.utime(path, ns=(time * 1_000_000,) * 2)
        for gone in sorted(self.known - found, reverse=True):
            gone.rmdir() if gone.is_dir() else gone.unlink(missing_ok=True)
        self.known = found


@contextmanager
def opened(screen: Any) -> Iterator[None]:
    """Open the page with the files of the screen's seat."""
    seat, window = screen.seat, screen.page.window
    if seat.key.exists():
        remembered.remember(seat.home, seat.key)
    with hosted(hosting.BUILT) as address:
        window.route(
            "**/seat", lambda route: route.fulfill(body="<link rel=icon href=data:,>", content_type="text/html")
        )
        window.goto(f"{address}seat")
        window.unroute("**/seat")
        mirror = Mirror(window, seat.place)
        mirror.put()
        window.goto(address)
        window.locator(STATE.format("ready")).wait_for(state="attached", timeout=BOOT)
        screen.page.goto(screen.page.url.partition("game/")[0])
        seat.mirror = mirror.get
        yield
        seat.mirror = lambda: None
