"""Sight and cover on random tables, compared with a slow and simple computation of every edge in fractions."""

from __future__ import annotations

import random

from helpers.rationals import rational_holds, rational_meet, ray_touches

from kursk_pbem.kernel.plane import RAYS
from kursk_pbem.rulesets.armor_commander.movement import find_bars
from kursk_pbem.rulesets.armor_commander.position import make_field
from kursk_pbem.rulesets.armor_commander.seen import reach
from rulesets.armor_commander.table import begin, world

KINDS = ("wood", "orchard", "water")
PER_SIDE = 5


def random_table(rng):
    """Make a setting with some ten models and up to five pieces of ground, and its first position."""
    spots = [(x, y) for x in range(5, 95, 4) for y in range(5, 85, 4)]
    rng.shuffle(spots)
    ground = {}
    for number in range(rng.randint(1, 5)):
        x, y = rng.randint(2, 70), rng.randint(2, 60)
        wide, high = rng.randint(2, 20), rng.randint(2, 20)
        corners = [(0, 0), (wide, rng.randint(0, 2)), (wide - 1, high), (rng.randint(0, 1), high - 1)]
        outline = [f"{x + across}.{rng.randint(0, 99):02}, {y + up}.{rng.randint(0, 99):02}" for across, up in corners]
        ground[f"g{number}"] = (rng.choice(KINDS), outline)
    models = {}
    for side, kind in (("g", "pz"), ("s", "t")):
        for number in range(1, PER_SIDE + 1):
            x, y = spots.pop()
            name = f"{side}-gun-{number}" if number == PER_SIDE else f"{side}-{kind}-{number}"
            models[name] = (f"{x}.{rng.randint(0, 99):02}, {y}.{rng.randint(0, 99):02}", str(rng.randint(1, 12)))
    setting = world(models, ground)
    return setting, begin(setting)


def compare(seed: int) -> int:
    """5.2, 6.5, 6.9, 4.5: compare sight, obscured models, cover and the legality of move ends."""
    rng = random.Random(seed)
    setting, state = random_table(rng)
    table, asked = make_field(setting, state), 0
    for one in table.at:
        for other in table.at:
            if one == other:
                continue
            here, there, radius = table.at[one], table.at[other], setting.models[other].radius
            blocked = any(
                rational_holds(ground, here) or any(rational_meet(here, there, *edge) for edge in ground.edges)
                for ground in setting.blocking
            )
            assert table.can_see(one, other) != blocked, (seed, one, other)
            rays = sum(any(ray_touches(here, there, ray * radius, spot) for spot in setting.all_ground) for ray in RAYS)
            assert table.is_obscured(one, other) == (rays >= 3), (seed, one, other)
            cover = any(spot.cover and rational_holds(spot.polygon, there) for spot in setting.ground)
            assert table.is_in_cover(one, other) == (cover or rays >= 3), (seed, one, other)
            asked += 3
    mid = rng.choice([name for name in table.at if table.is_mobile(name)])
    for end in reach.find_outline(table, mid)[: len(table.at)]:
        assert end == table.at[mid] or not [*find_bars(table, setting.models[mid].side, (table.at[mid], end), 600)], (
            seed,
            end,
        )
        asked += 1
    return asked
