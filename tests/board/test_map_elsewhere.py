"""``kursk map --svg`` outside browsers: resvg and Chromium draw the same picture.

A named font makes the programs equal. A copy without letters is compared too, so that letters hide no wrong shape.
"""

from __future__ import annotations

import base64
import importlib
import re
import subprocess

import pytest
from helpers import finished_games, registry
from helpers.commands import well

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
    text, width, height = on_whole_pixels(text)
    return bytes(importlib.import_module("resvg_py").svg_to_bytes(svg_string=text, width=width, height=height))


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


@pytest.mark.some(2)
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
