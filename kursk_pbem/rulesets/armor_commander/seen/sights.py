"""5.2 to 5.5, 6.5, 6.6: lines of sight of models and fire orders; ranges of weapons; limits of arcs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Place, Sight
from kursk_pbem.kernel.plane import CLOCK, inches
from kursk_pbem.rulesets.armor_commander import fire
from kursk_pbem.rulesets.armor_commander.ahead import divide
from kursk_pbem.rulesets.armor_commander.fire import Shot
from kursk_pbem.rulesets.armor_commander.orders import Order
from kursk_pbem.rulesets.armor_commander.position import FACING, Field
from kursk_pbem.rulesets.armor_commander.setting import AP, GUN, HE, HIT, TANK

ARC = 600
"""The drawn length of an arc's limits, in hundredths of an inch."""
NOT, DIMLY, WELL = "blocked", "obscured", "clear"


def list_sights(table: Field, shooters: Sequence[str]) -> Iterator[Sight]:
    """5.2: yield the lines from some models to every possible target, visible or not."""
    kinds = table.setting.models
    for mid in shooters:
        for foe in table.list_enemies(kinds[mid].side):
            if table.setting.find_weapon(kinds[mid].kind, kinds[foe].kind) is not None:
                yield _make_sight(
                    table, mid, foe, fire.measure_shot(table, mid, foe) if table.can_see(mid, foe) else None
                )


def list_order_sights(table: Field, order: Order) -> Iterator[Sight]:
    """5.2, A-5: yield the lines of sight of an order to fire; without a visible target, the line to the nearest."""
    for shot in fire.list_shots(table, order):
        if shot.target:
            yield _make_sight(table, shot.shooter, shot.target, shot)
        elif meant := _find_meant(table, order, shot):
            yield _make_sight(table, shot.shooter, meant, None)


def _find_meant(table: Field, order: Order, shot: Shot) -> str:
    """Return the nearest model of the first remaining target, or ''."""
    here = table.at[shot.shooter]
    for entry in order.aim_of(shot.shooter):
        standing = table.find_models(entry)
        if standing:
            return min(standing, key=lambda mid: (plane.square(here, table.at[mid]), mid))
    return ""


def _make_sight(table: Field, mid: str, foe: str, shot: Shot | None) -> Sight:
    """Return a line of sight; without a ``shot`` the line is blocked."""
    a, b = table.at[mid], table.at[foe]
    if shot is None:
        between = [ground.name for ground in table.setting.ground if ground.blocks and ground.polygon.touches(a, b)]
        return Sight(a, b, NOT, "", f"{mid} does not see {foe} because of {' and '.join(between)}")
    gun = table.setting.models[foe].kind == GUN
    dim = table.is_in_cover(mid, foe) if gun else table.is_obscured(mid, foe)
    cover = " in cover" if gun else " obscured"
    more = f", {table.find_arc(mid, foe)} armor" if not gun else ""
    told = f"{mid} at {foe}{cover if dim else ''}{more}: {shot.description}"
    return Sight(a, b, DIMLY if dim else WELL, f"{shot.needs}+" if shot.band else "", told)


def list_arcs(table: Field, mid: str) -> Iterator[Sight]:
    """6.6, A-14: yield the lines that divide a tank's front, sides and rear, 45 and 135 degrees from its facing."""
    if table.setting.models[mid].kind != TANK:
        return
    clock, (x, y) = list(CLOCK), table.at[mid]
    at = clock.index(table.state.mark(FACING, mid))
    for half_hours, sign in ((-3, "front"), (3, ""), (-9, ""), (9, "rear")):
        across, up = CLOCK[clock[(at + half_hours) % len(clock)]]
        yield Sight((x, y), (x + divide(across * ARC), y + divide(up * ARC)), "arc", sign)


def list_ranges(table: Field, mid: str) -> Iterator[Place]:
    """5.3, 8.1 to 8.3: yield a circle for each range of a model's weapons."""
    kinds = (GUN,) if table.setting.models[mid].kind == GUN else (AP, HE)
    reach: dict[int, list[str]] = {}
    for kind in kinds:
        weapon = table.setting.weapons[kind]
        for band, limit in weapon.bands:
            reach.setdefault(limit, []).append(f"{weapon.name} {band} {HIT[band]}+")
    for limit, told in sorted(reach.items()):
        words = f'{inches(limit).removesuffix(".00")}": {", ".join(told)}'
        yield Place("", words, "range", spot=table.at[mid], far=limit)
