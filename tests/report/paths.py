"""Drawn maps of all scenarios, and paths of maps as points."""

import re
from functools import cache

from helpers import registry, sweeps

from kursk_pbem.report.pictures import svg

SVG = "{http://www.w3.org/2000/svg}"
_STEPS = 4
"""Points of a curve."""


def _read(path):
    """Yield (letter, numbers) for each command of a path, one for each point or curve."""
    many = {"q": 4, "Q": 4, "H": 1, "V": 1, "h": 1, "v": 1}
    for letter, text in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        numbers = [int(number) for number in re.findall(r"-?\d+", text)]
        size = many.get(letter, 2)
        if letter in "zZ":
            yield letter, []
        for at in range(0, len(numbers), size):
            yield letter, numbers[at : at + size]


def trace(path):
    """Return the lines of a path with straight lines and quadratic curves, each as points."""
    lines, x, y, control = [], 0, 0, None
    for letter, numbers in _read(path):
        if letter == "M":
            x, y = numbers
            lines.append([(x, y)])
        elif letter in "HV":
            x, y = (numbers[0], y) if letter == "H" else (x, numbers[0])
            lines[-1].append((x, y))
        elif letter in "lL":
            x, y = (x + numbers[0], y + numbers[1]) if letter == "l" else numbers
            lines[-1].append((x, y))
        elif letter in "qtQ":
            near = (0, 0) if letter == "Q" else (x, y)
            bow = (
                (near[0] + numbers[0], near[1] + numbers[1])
                if letter != "t"
                else (2 * x - control[0], 2 * y - control[1])
            )
            to = near[0] + numbers[-2], near[1] + numbers[-1]
            for step in range(1, _STEPS + 1):
                part = step / _STEPS
                lines[-1].append(
                    tuple(
                        (1 - part) ** 2 * a + 2 * part * (1 - part) * b + part**2 * c
                        for a, b, c in zip((x, y), bow, to, strict=True)
                    )
                )
            (x, y), control = to, bow
    return lines


def list_bounds(path):
    """Return the box around a path: left, top, right, bottom."""
    points = [point for line in trace(path) for point in line]
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def list_maps(kits):
    """Return scenarios as cases. Those of a system have nearly the same map, so make test draws the first of each."""
    every = [(number, scenario) for kit in kits for number, scenario in enumerate(kit.scenarios)]
    return [sweeps.long(scenario) if number else scenario for number, scenario in every]


@cache
def find_picture(scenario):
    """Return the picture of the first position."""
    kit = registry.of_scenario(scenario)
    setting = kit.setting(scenario, {})
    return kit.ruleset.seen.picture(setting, kit.ruleset.data.setup(setting))


@cache
def draw_map(scenario):
    """Return the map of the first position as a file."""
    return svg.render(find_picture(scenario), registry.of_scenario(scenario).ruleset.sides)
