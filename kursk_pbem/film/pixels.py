"""The stills of a film as pixels: PNG or GIF. Only this module needs the extra ``pictures``, resvg-py and Pillow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from io import BytesIO
from typing import Any

from kursk_pbem import errors
from kursk_pbem.film.stage import Stage
from kursk_pbem.film.stills import Still
from kursk_pbem.report.pictures.svgstyle import PALETTE

PNG, GIF = "PNG", "GIF"
Track = Callable[[Iterator[Still], int], Iterator[Still]]
_LAST = 5_000  # milliseconds of the last still, before the film repeats
_ACCENTS = ("pill", "fire", "side-0", "side-1", "line-0", "line-1", "front-0", "front-1", "court", "ink", "river")


def draw_film(stage: Stage, kind: str, track: Track = lambda stills, _number: stills) -> bytes:
    """Return a film as a ``GIF`` file, or only the last picture as a ``PNG`` file. Raises MissingError.

    ``track``: a function that shows the progress. It gets the pictures and their number, and yields the pictures.
    """
    image, out = load_library("PIL.Image"), BytesIO()
    stills = stage.film.stills if kind == GIF else stage.film.stills[-1:]
    ground, palette, drawn = _draw_pixels(image, stage.draw_ground()), None, []
    for still in track(iter(stills), len(stills)):
        pixels = image.alpha_composite(ground, _draw_pixels(image, stage.draw_still(still))).convert("RGB")
        palette = palette or _make_palette(image, pixels, dark=stage.dark)
        drawn.append(pixels.quantize(palette=palette, dither=image.Dither.NONE))
    times = [*(still.time for still in stills[:-1]), _LAST]
    moving = {"save_all": len(drawn) > 1, "append_images": drawn[1:], "duration": times, "loop": 0, "disposal": 1}
    drawn[0].save(out, kind, optimize=True, **moving)
    return out.getvalue()


def _make_palette(image: Any, first: Any, *, dark: bool) -> Any:
    """Return the colors of a film: the colors of the first still, and of arrows, results and counters."""
    read = load_library("PIL.ImageColor").getrgb
    accents = [value for name in _ACCENTS for value in read(PALETTE[name][dark])]
    many = 255 - len(_ACCENTS)  # a GIF uses the remaining color for unchanged pixels
    common = first.quantize(many, method=image.Quantize.MEDIANCUT, dither=image.Dither.NONE)
    palette = image.new("P", (1, 1))
    palette.putpalette([*common.getpalette()[: 3 * many], *accents])
    return palette


def _draw_pixels(image: Any, drawn: str) -> Any:
    """Return an SVG as pixels, with the letters of this package on every machine."""
    fonts = [str(files("kursk_pbem.film") / "fonts" / f"KurskSans-{weight}.ttf") for weight in ("Regular", "Bold")]
    family = dict.fromkeys(("font_family", "sans_serif_family", "serif_family"), "Kursk Sans")
    make = load_library("resvg_py").svg_to_bytes
    return image.open(BytesIO(bytes(make(svg_string=drawn, skip_system_fonts=True, font_files=fonts, **family))))


def load_library(module: str, what: str = "a picture") -> Any:
    """Return a module of the extra ``pictures``. ``what``: what needs the module, in words. Raises MissingError."""
    return errors.load_library(module, what, "pictures")
