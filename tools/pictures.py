"""Draw the pictures of the first page, the README and the documentation: ``make pictures``.

Each picture shows the game of a demonstration after a message. A picture of the board is a photo of Chromium. The file
``docs/pictures/made.json`` keeps the hashes of the SVG in each picture, so a test notices an outdated picture. Without
Chromium, ``python tools/pictures.py --only-svg`` writes the two drawings and the film.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from board.conftest import LIGHT, find_chromium  # noqa: E402
from board.screens import Screen, opened  # noqa: E402
from board.seats import Stranger  # noqa: E402

from kursk_pbem.demo import script  # noqa: E402
from kursk_pbem.desk.draft import ordering  # noqa: E402
from kursk_pbem.desk.games import views  # noqa: E402
from kursk_pbem.desk.seat import bothsides, scene  # noqa: E402
from kursk_pbem.film.pixels import GIF  # noqa: E402
from kursk_pbem.film.pixels import draw_film as draw_pixels  # noqa: E402
from kursk_pbem.film.stage import Stage  # noqa: E402
from kursk_pbem.film.stills import make_film  # noqa: E402
from kursk_pbem.formats.canonical import sha256_hex  # noqa: E402
from kursk_pbem.frozen import frozen  # noqa: E402
from kursk_pbem.game import entropy, folders  # noqa: E402
from kursk_pbem.report import trails  # noqa: E402
from kursk_pbem.report.pictures import svg, svgstyle  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
MADE = FOLDER / "made.json"
BATTLE = ROOT / "kursk_pbem" / "board" / "static" / "battle.svg"
FRAME = (21_800, 15_000, 18_000, 14_400)
"""Left, top, width and height of the Kursk bulge, in map units."""
BULGE = ("2113", 6)
"""Middle and radius of the README's map, in hexes."""
UNUSED = re.compile(r"<title>.*?</title>| data-[a-z]+=\"[^\"]*\"|<g class=\"numbers\">.*?</g>", re.DOTALL)
STAMP = re.compile(r' data-stamp="\w+"')
COMPRESS = """async (photo) => {
  const drawn = await createImageBitmap(await (await fetch(`data:image/png;base64,${photo}`)).blob());
  const canvas = Object.assign(document.createElement("canvas"), { width: drawn.width, height: drawn.height });
  canvas.getContext("2d").drawImage(drawn, 0, 0);
  return canvas.toDataURL("image/webp", 0.9);
}"""
SCHEMES = ("light", "dark")
CITADEL, TABLE = "battle-for-kursk", "armor-commander"


@frozen
class Photo:
    """A photo of the board: the system, the last message of its game, and the gestures before the photo."""

    system: str
    last: int
    pose: Callable[[Screen], None]
    dark: bool = False


@contextmanager
def open_game(system: str, last: int) -> Iterator[tuple[Stranger, str]]:
    """Play a demonstration up to a message in a temporary folder; yield a person who plays both sides, and the game."""
    chosen = script.load_script(system)
    with tempfile.TemporaryDirectory() as folder, entropy.fix_random_bytes("pictures"):
        seat = Stranger(chosen.proposer, Path(folder))
        room = seat.room
        game = bothsides.start_practice(room, chosen.scenario)
        script.play_messages(lambda: room.desk(game), chosen, last)
        yield seat, game


def draw_battle() -> str:
    """Return the first battles of the demonstration, for the first page: the attacks of message 2, as ordered."""
    chosen = script.load_script(CITADEL)
    with open_game(CITADEL, 1) as (seat, game):
        room = seat.room
        desk = room.desk(game)
        ordering.open_draft(desk)
        script.fill(chosen, desk)
        shown = scene.open_scene(room, game)
        arrows = [*trails.list_arrows(shown.ground, shown.words, shown.declared)]
        bursts = [*trails.list_bursts(shown.ground, shown.declared)]
        drawn = svg.draw_figure(shown.picture, shown.sides, frame=FRAME, arrows=arrows, bursts=bursts)
    return UNUSED.sub("", drawn)


def draw_bulge() -> str:
    """Return the map of the first turn with arrows, as ``kursk map --svg --moves`` writes it."""
    with open_game(CITADEL, 4) as (seat, game):
        home, folder = seat.room.home, seat.room.desk(game).folder
        path = folders.message_path(folder, 4)
        return views.draw_view(views.view_game(path, home), views.list_events(path, home), "", *BULGE)


@cache
def make_stage() -> Stage:
    """Return the film of the first battle, from ``kursk picture --from 2``: the position before, the odds, the die."""
    with open_game(CITADEL, 4) as (seat, game):
        film = make_film(seat.room.desk(game).history, 2)
    first = next(still.title for still in film.stills if still.waits)
    return Stage(replace(film, stills=(film.stills[0], *(still for still in film.stills if still.title == first))))


def draw_film() -> Iterator[str]:
    """Yield the SVG of the film: the ground and each still."""
    stage = make_stage()
    yield stage.draw_ground()
    yield from map(stage.draw_still, stage.film.stills)


def draw_board(system: str, last: int) -> tuple[str, str]:
    """Return the map and the small map of a board after a message, with their colors."""
    shown, thumbnail = draw_maps(system, last)
    return read_style() + shown, thumbnail


@cache
def draw_maps(system: str, last: int) -> tuple[str, str]:
    """Return the map and the small map of a board after a message, without the colors of the page."""
    with open_game(system, last) as (seat, game):
        shown = scene.open_scene(seat.room, game)
        drawn = STAMP.sub("", scene.draw_page_map(shown))
        return drawn, svg.draw_thumbnail(shown.picture, shown.sides, whole=True)


def read_style() -> str:
    """Return the styles of a map on a page."""
    return svgstyle.CSS + svgstyle.PAGE


def choose_corps(screen: Screen) -> None:
    """Choose a Panzer corps: the map lights the hexes in reach and the attackable enemies."""
    find(screen, "g-41-pz")
    screen.unit("g-41-pz")


def compose_attack(screen: Screen) -> None:
    """Open the form of an attack."""
    find(screen, "g-41-pz")
    screen.press("Escape")
    screen.unit("r-9-tc")


def read_report(screen: Screen) -> None:
    """Show the report of the last message next to the map."""
    find(screen, "g-41-pz")
    screen.press("Escape")
    screen.click("tab", "Report")


def choose_tank(screen: Screen) -> None:
    """Choose a tank: what it sees, how far it shoots and moves."""
    screen.press("0")
    screen.unit("s-t-1")


def find(screen: Screen, name: str) -> None:
    """Bring a unit into the middle of the map."""
    wanted = screen.page.get_by_label("Find")
    wanted.fill(name)
    wanted.press("Enter")
    screen.settled()
    wanted.fill("")


PHOTOS = {
    "board.webp": Photo(CITADEL, 7, choose_corps),
    "composer.webp": Photo(CITADEL, 7, compose_attack),
    "report-dark.webp": Photo(CITADEL, 7, read_report, dark=True),
    "table.webp": Photo(TABLE, 4, choose_tank),
}
DRAWINGS = {BATTLE: draw_battle, FOLDER / "map.svg": draw_bulge}
FILM = FOLDER / "first-battle.gif"


def hash_pictures() -> dict[str, list[str]]:
    """Return the hashes of the SVG in each picture, by its path in the repository."""
    paths = sorted((*DRAWINGS, FILM, *(FOLDER / name for name in PHOTOS)))
    return {path.relative_to(ROOT).as_posix(): hash_picture(path) for path in paths}


def hash_picture(path: Path) -> list[str]:
    """Return the hashes of the SVG in a picture."""
    photo = PHOTOS.get(path.name)
    drawn = [*draw_board(photo.system, photo.last)] if photo else [*draw_film()] if path == FILM else [DRAWINGS[path]()]
    return [sha256_hex(text.encode("utf-8")) for text in drawn]


def take_photos() -> None:
    """Write the photos of the board, by the system's Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", *LIGHT])
        for name, photo in PHOTOS.items():
            looks: dict[str, Any] = {"color_scheme": SCHEMES[photo.dark]}
            with open_game(photo.system, photo.last) as (seat, game), opened(browser, seat, **looks) as screen:
                screen.page.goto(screen.page.url + f"game/{game}/")
                screen.settled()
                photo.pose(screen)
                screen.settled()
                (FOLDER / name).write_bytes(compress(screen.page))
            print(f"docs/pictures/{name}", flush=True)
        browser.close()


def compress(page: Any) -> bytes:
    """Return a photo of a page as WebP, at half the size of PNG. Chromium compresses the photo in an empty page."""
    photo = base64.b64encode(page.screenshot()).decode("ascii")
    page.goto("about:blank")
    return base64.b64decode(page.evaluate(COMPRESS, photo).partition(",")[2])


def main() -> None:
    """Write the drawings, the photos and their hashes."""
    parser = argparse.ArgumentParser(description="Draw the pictures of the first page and the documentation.")
    parser.add_argument("--only-svg", action="store_true", help="no photos of the board, so no Chromium is needed")
    only_svg = parser.parse_args().only_svg
    for path, draw in DRAWINGS.items():
        path.write_text(draw(), encoding="utf-8")
        print(path.relative_to(ROOT), flush=True)
    FILM.write_bytes(draw_pixels(make_stage(), GIF))
    print(FILM.relative_to(ROOT), flush=True)
    if only_svg:
        return
    take_photos()
    MADE.write_text(json.dumps(hash_pictures(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
