"""How a training tells its progress, in any framework. Runs in the user's interpreter: Python 3.9, nothing else."""

import math
import time

from reporter import Throttle

MOST_STEPS = 20000
PATIENCE = 60.0  # seconds more than wished, for a slow device to make the fewest steps that teach anything


class Telling:
    """Tells how a training goes on, and how many steps it shall have.

    `learner` has `fewest_steps`, and `show(reporter, training)` that tells what has been learnt, as often as its
    `throttle` says. `place` has `gpu`, `synchronize()`, `peak()` and `reserved()` (bytes, or None).
    """

    def __init__(self, reporter, args, place, learner):
        self.reporter, self.args, self.place, self.learner = reporter, args, place, learner
        self.step_number = 0
        self.total = args.steps or learner.fewest_steps
        self.output = None
        self.loss = None
        self._metrics = Throttle(0.15)
        self._first = self._began = 0
        self._seen = (0, time.perf_counter())

    def begin(self):
        """The first, slow step is over: from here on the speed counts."""
        self._first, self._began = self.step_number, time.perf_counter()
        self._seen = (self._first, self._began)

    def measured(self):
        """The last report, and what was measured. Call at the end."""
        self.place.synchronize()
        seconds = time.perf_counter() - self._began
        self._report(last=True)
        return {"steps": self.step_number, "steps_per_second": (self.step_number - self._first) / max(seconds, 1e-9)}

    def report_if_due(self):
        """The only moments at which training waits for the card."""
        if self._metrics.due():
            self.place.synchronize()
            self._choose_total(time.perf_counter() - self._began)
            self._report()

    def _choose_total(self, elapsed):
        """As many steps as fit into the wished seconds at the present speed. A busy computer makes us think again."""
        if self.args.steps is not None:
            return
        left = max(0.0, self.args.seconds - elapsed)
        fitting = self.step_number + int((self.step_number - self._first) / elapsed * left)
        patient = elapsed < self.args.seconds + PATIENCE
        self.total = min(MOST_STEPS, max(fitting, self.learner.fewest_steps if patient else self.step_number))

    def _report(self, last=False):
        """Call with an idle device."""
        reporter, step, total = self.reporter, self.step_number, self.total
        with self._metrics:
            then_step, then = self._seen
            now = time.perf_counter()
            self._seen = (step, now)
            reporter.metric("loss", step, total, float(self.loss))
            if step > then_step:
                reporter.metric("steps_per_second", step, total, (step - then_step) / (now - then))
            if self.place.gpu:
                for name, value in (("vram_allocated", self.place.peak()), ("vram_reserved", self.place.reserved())):
                    if value is not None:
                        reporter.metric(name, step, total, value)
        if last or self.learner.throttle.due():
            with self.learner.throttle:
                self.learner.show(reporter, self)


def warm_to_cold(done):
    """The learning rate's part of its peak, by the part of the training that is done: a half cosine."""
    return 0.02 + 0.98 * (0.5 + 0.5 * math.cos(math.pi * min(1.0, done)))


def prove_loss_fell(reporter, first, last):
    """Whether the loss is less than half of what it was, on the same data."""
    fell = math.isfinite(first) and math.isfinite(last) and last < first / 2
    return reporter.proof("loss_fell", fell, first=first, last=last)
