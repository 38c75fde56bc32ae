"""The table top in exact rationals, tested with every edge: slow and simple, for comparison."""

from __future__ import annotations

from fractions import Fraction

from kursk_pbem.kernel import plane


def rational_meet(a, b, c, d):
    """Return whether two segments meet, computed in fractions."""

    def cut(a, b, c, d):
        r, s = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
        area = r[0] * s[1] - r[1] * s[0]
        way = c[0] - a[0], c[1] - a[1]
        if area:
            t = Fraction(way[0] * s[1] - way[1] * s[0], area)
            u = Fraction(way[0] * r[1] - way[1] * r[0], area)
            return 0 <= t <= 1 and 0 <= u <= 1
        return any(is_on_segment(*one, end) for one, end in (((a, b), c), ((a, b), d), ((c, d), a), ((c, d), b)))

    return cut(a, b, c, d)


def rational_distance(a, b, p):
    """Return the square of the distance from a point to a segment."""
    whole = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    t = Fraction((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1]), whole) if whole else Fraction(0)
    t = min(max(t, Fraction(0)), Fraction(1))
    return (a[0] + t * (b[0] - a[0]) - p[0]) ** 2 + (a[1] + t * (b[1] - a[1]) - p[1]) ** 2


def is_on_segment(a, b, p):
    """Return whether a point is on a segment."""
    area = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    return area == 0 and all(min(one, two) <= spot <= max(one, two) for one, two, spot in zip(a, b, p, strict=True))


def rational_holds(ground, p):
    """Return whether the ground contains a point: the winding number in fractions; the outline counts as inside."""
    if any(is_on_segment(a, b, p) for a, b in ground.edges):
        return True
    crossings = 0
    for (ax, ay), (bx, by) in ground.edges:
        if (ay > p[1]) != (by > p[1]):
            crossings += ax + Fraction((p[1] - ay) * (bx - ax), by - ay) > p[0]
    return crossings % 2 == 1


def ray_touches(eye, target, half, ground):
    """Return whether a ray touches ground, tested with every edge."""
    return rational_holds(ground, eye) or any(plane.ray_meets(eye, target, half, edge) for edge in ground.edges)
