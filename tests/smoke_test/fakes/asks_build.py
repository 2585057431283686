"""Asks the environment's torch for its build, as the real test does first, and trains nothing.

For environments whose torch is a stand-in of a few lines. It uses the real reporter.
"""

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "resources" / "smoke_test"))

from reporter import Reporter, arguments

reporter = Reporter()
args = arguments(seconds=1)
reporter.begin("torch", 60)

version = importlib.import_module("torch").__version__
build = version.partition("+")[2]
reporter.hello("torch", version, build)
reporter.proof("card_seen", build.startswith("cu"), name="Stand-in GeForce", reason="cpu_build", build=build)
reporter.result()
