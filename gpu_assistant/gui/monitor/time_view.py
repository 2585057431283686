"""The stretch of time that all charts show together, and the one time cursor over them."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

SHORTEST, LONGEST = 10.0, 7 * 86400.0  # seconds


class Span(NamedTuple):
    """A stretch of the time axis that is pointed out, with the series that it is about."""

    start: float
    end: float
    series: tuple[tuple[str, str], ...] = ()  # (owner, metric id)


class TimeView(QObject):
    """Follows the newest moment until somebody pauses or moves away from it. Times are Unix seconds."""

    changed = Signal()  # another stretch of time, or another span pointed out
    cursor_moved = Signal()
    following_changed = Signal(bool)

    def __init__(self, span: float = 300.0) -> None:
        super().__init__()
        self.relative = False  # the axis counts from 0: recordings side by side
        self.cursor: float | None = None
        self.pointed: Span | None = None
        self._span = span
        self._newest = 0.0
        self._end: float | None = None  # None: follow the newest moment

    @property
    def span(self) -> float:
        """How many seconds are visible."""
        return self._span

    @property
    def end(self) -> float:
        """The right edge."""
        return self._newest if self._end is None else self._end

    @property
    def start(self) -> float:
        """The left edge."""
        return self.end - self._span

    @property
    def following(self) -> bool:
        """Whether the right edge is the newest moment."""
        return self._end is None

    def advance(self, newest: float) -> None:
        """The newest moment is now this one."""
        self._newest = newest
        if self.following:
            self.changed.emit()

    def set_span(self, seconds: float) -> None:
        """Shows this many seconds, with the same right edge."""
        self._span = min(max(seconds, SHORTEST), LONGEST)
        self.changed.emit()

    def show_range(self, start: float, end: float) -> None:
        """Shows exactly this stretch, as long as it is not too short."""
        self._span = min(max(end - start, SHORTEST), LONGEST)
        self._stop_at((start + end) / 2 + self._span / 2)

    def zoom(self, factor: float, around: float) -> None:
        """A factor below 1 shows less time. The moment `around` keeps its place."""
        span = min(max(self._span * factor, SHORTEST), LONGEST)
        share = (self.end - around) / self._span
        if self.following and share < 0.1:
            self.set_span(span)
            return
        self._span = span
        self._stop_at(around + share * span)

    def pan(self, seconds: float) -> None:
        """Moves towards the past (negative) or the present; at the present it follows again."""
        self._stop_at(self.end + seconds)

    def pause(self) -> None:
        """Keeps what is visible."""
        if self.following:
            self._stop_at(self._newest, may_follow=False)

    def follow(self) -> None:
        """Back to the newest moment."""
        if not self.following:
            self._end = None
            self.following_changed.emit(True)
            self.changed.emit()

    def set_cursor(self, time: float | None) -> None:
        """Puts the time cursor somewhere, or takes it away."""
        if time != self.cursor:
            self.cursor = time
            self.cursor_moved.emit()

    def point_out(self, span: Span | None) -> None:
        """Marks a stretch on the charts it is about and moves there if it is out of sight."""
        self.pointed = span
        if span is not None and not (self.start <= span.start and span.end <= self.end):
            if span.end >= self.start and self.following and span.end > self._newest - 2 * self._span:
                self.set_span(1.15 * (self._newest - span.start))
                return
            margin = max(0.15 * (span.end - span.start), 5.0)
            self.show_range(span.start - margin, span.end + margin)
            return
        self.changed.emit()

    def _stop_at(self, end: float, *, may_follow: bool = True) -> None:
        was_following = self.following
        self._end = None if may_follow and end >= self._newest else end
        if self.following != was_following:
            self.following_changed.emit(self.following)
        self.changed.emit()
