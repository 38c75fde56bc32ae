"""``kursk map --svg`` outside browsers: resvg and Chromium draw the same picture.

A named font makes the programs equal. A copy without letters is compared too, so that letters hide no wrong shape.
"""

from __future__ import annotations

import base64
import importlib
import re
import subprocess
from pathlib import Path

import pytest
from helpers import finished_games, registry
from helpers.commands import well

from kursk_pbem.kernel.picture import find_middle
from kursk_pbem.report.pictures import svg, svgground, svgtext

UNITS = 20
"""Map units to the pixel: a tile of every pattern is then whole pixels, as resvg draws tiles at any size."""
FAR = 40
"""Largest equal difference of a pixel, in steps of 255: programs smooth edges differently."""
MOST, MOST_LETTERS = 2, 4
"""Percent of pixels that may differ, without letters and with the small letters of the tables."""

COMPARED = """async ([pictures, far]) => {
  const pixels = [];
  for (const picture of pictures) {
    const image = new Image();
    image.src = "data:image/png;base64," + picture;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    pixels.push(canvas.getImageData(0, 0, image.width, image.height).data);
  }
  const [one, other] = pixels;
  if (one.length !== other.length) return 100;
  let many = 0;
  for (let at = 0; at < one.length; at += 4)
    if ([0, 1, 2, 3].some((part) => Math.abs(one[at + part] - other[at + part]) > far)) many += 1;
  return many * 400 / one.length;
}"""
"""Percent of pixels in which two pictures differ by more than ``far``."""


@pytest.fixture
def page(browser):
    """Return an empty page."""
    context = browser.new_context(viewport={"width": 800, "height": 800})
    yield context.new_page()
    context.close()


def on_whole_pixels(text):
    """Return a picture with ``UNITS`` per pixel, with width and height."""
    box = re.search(r'viewBox="(\S+) (\S+) (\d+) (\d+)"', text).groups()
    left, top, *size = map(int, box)
    pixels = [-(-far // UNITS) for far in size]
    whole = (left - left % UNITS, top - top % UNITS, *(far * UNITS for far in pixels))
    return text.replace(" ".join(box), " ".join(map(str, whole)), 1), *pixels


def in_chromium(page, text):
    text, width, height = on_whole_pixels(text)
    page.set_viewport_size({"width": width, "height": height})
    data = base64.b64encode(text.encode("utf-8")).decode("ascii")
    page.set_content(
        f'<body style="margin:0"><img width="{width}" height="{height}" src="data:image/svg+xml;base64,{data}">'
    )
    page.evaluate("document.images[0].decode()")
    return page.screenshot()


def in_resvg(text):
    """Return the picture. The file says its size: of a given size resvg adds a pixel to some heights."""
    text, width, height = on_whole_pixels(text)
    sized = text.replace("<svg ", f'<svg width="{width}" height="{height}" ', 1)
    return bytes(importlib.import_module("resvg_py").svg_to_bytes(svg_string=sized))


def differ(page, one, other):
    """Return the percentage of different pixels."""
    pictures = [base64.b64encode(each).decode("ascii") for each in (one, other)]
    return page.evaluate(COMPARED, [pictures, FAR])


def in_a_font_that_is_here(text):
    """Name Chromium's sans-serif font, because resvg has no fallback."""
    font = subprocess.run(["fc-match", "--format=%{family[0]}", "sans-serif"], capture_output=True, check=True).stdout
    named = re.sub(r"font-family:[^;}]*", f'font-family:"{font.decode()}"', text)
    assert named != text
    return named


def without_letters(text):
    return re.sub(r"<text\b.*?</text>", "", text, flags=re.DOTALL)


@pytest.mark.long("test-board-all")
@pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)
def test_a_map_is_the_same_picture_in_resvg_and_in_chromium(page, capsys, tmp_path, kit):
    """Bug: resvg drew black maps, because resvg ignores ``var()``."""
    messages = sorted(finished_games.folder_of(kit, "referee").glob("[0-9]*.yaml"))
    out = tmp_path / "map.svg"
    zones = () if kit.id == "armor-commander" else ("--zoc", kit.ruleset.sides[0])
    well(capsys, "map", messages[len(messages) // 2], "--svg", "--moves", *zones, "-o", out)
    text = in_a_font_that_is_here(out.read_text(encoding="utf-8"))
    bare = without_letters(text)
    assert differ(page, in_chromium(page, bare), in_resvg(bare)) <= MOST
    assert differ(page, in_chromium(page, text), in_resvg(text)) <= MOST_LETTERS


NAMED = """async ([script, counters]) => {
  const { kurskNames } = await import("data:text/javascript," + encodeURIComponent(script));
  const picture = document.querySelector("svg");
  picture.style.setProperty("--per", "1");
  picture.dataset.zoom = "near";
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = '600 100px "Helvetica Neue", Arial, "Liberation Sans", sans-serif';
  const names = [...picture.querySelectorAll("text.name")];
  const wide = names.map((name) => Math.round(pen.measureText(name.textContent).width * 10));
  kurskNames(picture, picture, () => counters)();
  return names.map((name, at) => [name.textContent, wide[at], name.style.display !== "none"
    && [Number(name.getAttribute("x")), Number(name.getAttribute("y")), parseInt(name.style.fontSize)]]);
}"""


@pytest.mark.parametrize("kit", [kit for kit in registry.kits() if kit.id != "armor-commander"], ids=lambda kit: kit.id)
def test_a_file_places_names_as_a_page_does(page, kit):
    """The page moves the names at every zoom; a file has one zoom, and no script."""
    setting = kit.setting(kit.scenarios[0], {})
    shapes = kit.ruleset.seen.picture(setting, kit.ruleset.data.setup(setting))
    middles = {region.id: find_middle(region.outline) for region in shapes.regions}
    counters = [middles[at] for at in dict.fromkeys(piece.at for piece in shapes.pieces) if at in middles]
    x, y, width, height = svg.find_frame(shapes)
    page.set_content(f'<svg viewBox="{x} {y} {width} {height}">{svgground.draw_places(shapes)}</svg>')
    shown = page.evaluate(
        NAMED, [(Path(svg.__file__).parent.parent / "page" / "names.js").read_text("utf-8"), counters]
    )
    named = [(place.at, place.kind, place.name) for place in shapes.places if place.at in middles]
    named += [(at, "town", name) for at, name in shapes.names]
    assert [name for name, _wide, _spot in shown] == [name for _at, _kind, name in named]
    names = [
        (middles[at], wide, svgtext.RANKS.index(kind))
        for (at, kind, _name), (_shown, wide, _spot) in zip(named, shown, strict=True)
    ]
    inside = x + svg.MARGIN, y + svg.MARGIN, x + width - svg.MARGIN, y + height - svg.MARGIN
    placed = svgtext.place_names(names, counters, inside)
    assert sum(map(bool, placed)) > len(placed) // 2
    for (name, _wide, there), here in zip(shown, placed, strict=True):
        assert bool(there) == bool(here), name
        assert not here or max(abs(a - b) for a, b in zip(there, here, strict=True)) <= 3, (name, there, here)
