"""The style sheet for files: computed, for readers with less CSS than browsers.

Batik, resvg, cairosvg, Inkscape and LibreOffice support neither ``var()`` nor ``calc()``, ``max()``, ``min()`` or
``clamp()``. A file has one theme and one size, so every value is known in advance.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache
from math import prod

from kursk_pbem.report import svgstyle

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VAR = re.compile(r"var\((--[\w-]+)(?:,([^()]*))?\)")
_CALL = re.compile(r"(calc|max|min|clamp)\(([^()]*)\)")


@cache
def make_style_sheet() -> str:
    """Return the style sheet of maps without features that need a page."""
    values = {f"--{name}": light for name, (light, _dark) in svgstyle.PALETTE.items()} | {"--per": "1"}
    css = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", svgstyle.CSS)
    rules = []
    for selectors, declarations in _RULE.findall(css):
        kept = ",".join(each.strip() for each in selectors.split(",") if "[data-zoom" not in each)
        said = ";".join(_resolve(each.strip(), values) for each in declarations.split(";") if each.strip()[:2] != "--")
        if kept and said:
            rules.append(f"{kept}{{{said}}}\n")
    return "".join(rules)


def _resolve(setting: str, values: dict[str, str]) -> str:
    """Return a CSS property with replaced variables and computed sums."""
    setting = _VAR.sub(lambda found: values.get(found[1]) or found[2], setting)
    while found := _CALL.search(setting):
        setting = f"{setting[: found.start()]}{_compute_function(found[1], found[2])}{setting[found.end() :]}"
    return setting


def _compute_function(name: str, inner: str) -> str:
    """Return the value of one function whose arguments are products of numbers and pixels."""
    unit = "px" if "px" in inner else ""
    values = [prod(map(Decimal, each.replace("px", "").split("*")), start=Decimal(1)) for each in inner.split(",")]
    value = {"calc": values[0], "max": max(values), "min": min(values), "clamp": sorted(values)[len(values) // 2]}[name]
    return f"{value.normalize():f}{unit}"
