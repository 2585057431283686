"""The digits that are shipped with the program, without a need for NumPy. See digits/SOURCE.txt."""

# ruff: noqa: B905 - zip has no `strict` in Python 3.9

import gzip
from pathlib import Path

SIDE = 8  # points, both ways
DARKEST = 16
_RECORD = SIDE * SIDE + 1
_HELD_BACK = 5  # every fifth digit is for the test
_ZOOM, _FRAME = 2, 2
_RIGHT, _WRONG = (60, 150, 90), (214, 72, 60)


def read():
    """((training points, training digits), (test points, test digits)): bytes of 64 points a digit, and of one."""
    data = gzip.decompress((Path(__file__).resolve().parent / "digits" / "digits.gz").read_bytes())
    records = [data[start : start + _RECORD] for start in range(0, len(data), _RECORD)]
    test = records[::_HELD_BACK]
    train = [record for number, record in enumerate(records) if number % _HELD_BACK]
    return _split(train), _split(test)


class Grid:
    """A picture of test digits, framed green where the guess is right and red where it is wrong."""

    def __init__(self, points, digits, columns=8, rows=5):
        self.columns = columns
        self.count = columns * rows
        self.cell = SIDE * _ZOOM + 2 * _FRAME
        self.width, self.height = columns * self.cell, rows * self.cell
        self._truth = digits[: self.count]
        cells = [points[n * SIDE * SIDE : (n + 1) * SIDE * SIDE] for n in range(self.count)]
        self._cells = [{right: _cell(cell, right) for right in (True, False)} for cell in cells]

    def draw(self, guesses):
        """(RGB bytes, labels) for the guessed digits."""
        right = [guess == truth for guess, truth in zip(guesses, self._truth)]
        labels = [str(guess) if guess == truth else f"{guess}!={truth}" for guess, truth in zip(guesses, self._truth)]
        rgb = bytearray()
        for first in range(0, self.count, self.columns):
            cells = [self._cells[n][right[n]] for n in range(first, first + self.columns)]
            for line in range(self.cell):
                for cell in cells:
                    rgb += cell[line]
        return bytes(rgb), labels


def _split(records):
    return b"".join(record[:-1] for record in records), bytes(record[-1] for record in records)


def _cell(points, right):
    """The lines of one framed digit, black on white."""
    frame = bytes(_RIGHT if right else _WRONG)
    side = SIDE * _ZOOM + 2 * _FRAME
    lines = [frame * side] * _FRAME
    for row in range(SIDE):
        line = bytearray(frame * _FRAME)
        for point in points[row * SIDE : (row + 1) * SIDE]:
            line += bytes([255 - 255 * point // DARKEST] * 3 * _ZOOM)
        lines += [bytes(line + frame * _FRAME)] * _ZOOM
    return lines + [frame * side] * _FRAME
