"""The picture that the network learns: a cat on a roof before the moon. Drawn here, so it belongs to nobody else."""

# ruff: noqa: B905, RUF007 - zip has no `strict`, and itertools no `pairwise`, in Python 3.9

import math

SIZE = 96  # points, both ways

_SKY_TOP, _SKY_LOW = (24, 20, 66), (224, 104, 112)
_MOON, _MOON_EDGE = (255, 236, 178), (250, 208, 128)
_CAT, _ROOF, _ROOF_LINE = (20, 16, 36), (96, 44, 62), (130, 62, 76)
_EYE, _PUPIL, _NOSE, _STAR = (126, 230, 120), (12, 20, 12), (232, 128, 140), (255, 250, 224)

_STARS = (
    (0.08, 0.10, 0.8),
    (0.20, 0.26, 0.5),
    (0.13, 0.45, 0.6),
    (0.31, 0.07, 0.6),
    (0.90, 0.14, 0.7),
    (0.93, 0.42, 0.5),
)


def draw(size=SIZE):
    """`size * size * 3` bytes of RGB, row by row. Shapes are distances, so edges are smooth without drawing twice."""
    rgb = bytearray()
    for row in range(size):
        for column in range(size):
            rgb += bytes(_colour((column + 0.5) / size, (row + 0.5) / size, 1.2 / size))
    return bytes(rgb)


def _colour(x, y, soft):
    """The colour of one point of the unit square; `soft` is the width of an edge."""

    def lay(below, colour, distance):
        share = min(1.0, max(0.0, 0.5 - distance / soft))
        return tuple(a + (b - a) * share for a, b in zip(below, colour)) if share else below

    colour = _mix(_SKY_TOP, _SKY_LOW, min(1.0, (y / 0.86) ** 1.5))
    for star_x, star_y, bright in _STARS:
        colour = lay(colour, _mix(colour, _STAR, bright), _circle(x, y, star_x, star_y, 0.011))
    moon = _circle(x, y, 0.60, 0.34, 0.27)
    colour = lay(colour, _mix(_MOON, _MOON_EDGE, min(1.0, max(0.0, 1 + moon / 0.12))), moon)
    for crater_x, crater_y, radius in ((0.71, 0.22, 0.035), (0.79, 0.38, 0.045), (0.66, 0.13, 0.02)):
        colour = lay(colour, _mix(_MOON, _MOON_EDGE, 0.9), _circle(x, y, crater_x, crater_y, radius))

    ridge = 0.83 + 0.02 * math.cos(2 * math.pi * x * 7) * (y > 0.8)
    colour = lay(colour, _ROOF, ridge - y)
    for line in (0.90, 0.965):
        colour = lay(colour, _ROOF_LINE, abs(y - line - 0.012 * math.cos(2 * math.pi * x * 7)) - 0.006)
    return tuple(round(part) for part in _cat(x, y, colour, lay))


def _cat(x, y, colour, lay):
    tail = min(_line(x, y, a, b, c, d, 0.026) for a, b, c, d in _TAIL)
    body = min(_oval(x, y, 0.50, 0.72, 0.125, 0.17), _oval(x, y, 0.49, 0.57, 0.085, 0.14), tail)
    head = _oval(x, y, 0.48, 0.42, 0.118, 0.098)
    ears = min(
        _triangle(x, y, (0.370, 0.415), (0.376, 0.255), (0.470, 0.340)),
        _triangle(x, y, (0.490, 0.340), (0.584, 0.255), (0.590, 0.415)),
    )
    feet = min(_oval(x, y, 0.435, 0.855, 0.055, 0.034), _oval(x, y, 0.555, 0.855, 0.055, 0.034))
    colour = lay(colour, _CAT, min(body, head, ears, feet))
    for eye in (0.432, 0.528):
        colour = lay(colour, _EYE, _oval(x, y, eye, 0.415, 0.030, 0.026))
        colour = lay(colour, _PUPIL, _oval(x, y, eye, 0.415, 0.009, 0.024))
    return lay(colour, _NOSE, _triangle(x, y, (0.466, 0.452), (0.494, 0.452), (0.480, 0.468)))


def _mix(a, b, share):
    return tuple(p + (q - p) * share for p, q in zip(a, b))


def _circle(x, y, centre_x, centre_y, radius):
    return math.hypot(x - centre_x, y - centre_y) - radius


def _oval(x, y, centre_x, centre_y, half_width, half_height):
    return (math.hypot((x - centre_x) / half_width, (y - centre_y) / half_height) - 1) * min(half_width, half_height)


def _line(x, y, from_x, from_y, to_x, to_y, half_width):
    run, rise = to_x - from_x, to_y - from_y
    along = ((x - from_x) * run + (y - from_y) * rise) / (run * run + rise * rise)
    along = min(1.0, max(0.0, along))
    return math.hypot(x - from_x - along * run, y - from_y - along * rise) - half_width


def _triangle(x, y, a, b, c):
    """Corners clockwise as seen; inside is negative."""
    return max(_side(x, y, a, b), _side(x, y, b, c), _side(x, y, c, a))


def _side(x, y, start, end):
    run, rise = end[0] - start[0], end[1] - start[1]
    return ((x - start[0]) * rise - (y - start[1]) * run) / math.hypot(run, rise)


def _curl():
    """The tail as short lines: from the body to the right, up, and curled in at the tip."""
    points = [(0.58, 0.83), (0.68, 0.835), (0.76, 0.80), (0.80, 0.73), (0.785, 0.66), (0.74, 0.63), (0.71, 0.655)]
    return tuple((*a, *b) for a, b in zip(points, points[1:]))


_TAIL = _curl()
