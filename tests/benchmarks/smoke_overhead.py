"""Prints how fast the smoke test trains, watched by the real job, against the same loop bare. Aim: 98 % or more.

    python tests/benchmarks/smoke_overhead.py [--python EXE] [--test picture|digits] [--rounds N]

One process trains one network; seconds with and without reports alternate, so that other work on the computer slows
both alike. The middle one of all rounds' ratios counts.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTORCH = ROOT / "resources" / "frameworks" / "pytorch"
SEGMENT = 1.0  # seconds


def child(test: str, rounds: int) -> None:
    """Runs in the environment, as the script of a smoke test."""
    sys.path[:0] = [str(PYTORCH), str(PYTORCH.parents[1] / "smoke_test")]
    from reporter import Reporter, arguments

    reporter = Reporter()
    sys.argv[1:] = []
    args = arguments(seconds=2 * rounds * SEGMENT)

    def main() -> None:
        import importlib

        import smoke_torch

        script = importlib.import_module(f"smoke_{test}")
        kind = smoke_torch.build_kind(smoke_torch.build_tag())
        place = smoke_torch.Place("cpu" if smoke_torch.why_no_gpu(smoke_torch.build_tag()) else kind)
        learner = next(getattr(script, name) for name in dir(script) if name.endswith("Learner"))(place, args)
        training = smoke_torch.Training(reporter, args, place, learner)
        training.step()
        training.begin()

        def speed(watched: bool) -> float:
            place.synchronize()
            began, first = time.perf_counter(), training.step_number
            while time.perf_counter() - began < SEGMENT:
                training.step()
                if watched:
                    training.report_if_due()
            place.synchronize()
            return (training.step_number - first) / (time.perf_counter() - began)

        speed(True)
        for number in range(rounds):
            watched_first = number % 2 == 0
            speeds = {watched: speed(watched) for watched in (watched_first, not watched_first)}
            reporter.metric("watched", number, rounds, speeds[True])
            reporter.metric("bare", number, rounds, speeds[False])
        reporter.result(kind=place.kind)

    reporter.run(main)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--python", default=None)
    parser.add_argument("--test", default="picture")
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()

    sys.path.insert(0, str(ROOT))
    from gpu_assistant.base.child import Child, child_environment
    from gpu_assistant.base.job import JobContext
    from gpu_assistant.smoke_test.parse import parse_line
    from gpu_assistant.smoke_test.run import SmokeRun
    from tests.real_torch import real_torch_environment

    python = args.python or str(real_torch_environment())
    words = [python, "-X", "utf8", "-u", __file__, "--child", args.test, str(args.rounds)]
    run = SmokeRun()
    with Child(words, environment=child_environment(), keep_stdin=True) as process:
        for line in process.lines(JobContext()):
            if line is not None:
                run = run.apply(parse_line(line.text, line.stream))
    if run.result is None:
        raise SystemExit(f"the measurement failed: {run.error} {run.lines}")
    watched, bare = ([value for _, value in run.curve(name)] for name in ("watched", "bare"))
    ratio = statistics.median(a / b for a, b in zip(watched, bare, strict=True))
    print(
        f"watched {statistics.median(watched):.1f}, bare {statistics.median(bare):.1f} steps/s on {run.result.summary}"
    )
    print(f"{args.test}: {100 * ratio:.1f} % of the bare loop over {len(bare)} rounds (aim: 98 % or more)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], int(sys.argv[3]))
    else:
        main()
