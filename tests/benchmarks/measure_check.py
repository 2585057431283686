"""False alarms on real scripts: `python tests/benchmarks/measure_check.py FOLDER...` lists every finding to be read.

The folders hold unpacked packages (wheels and source archives). Scripts that train are counted; copies are read once.
"""

from __future__ import annotations

import collections
import hashlib
import re
import sys
import time
from pathlib import Path

from gpu_assistant.check.engine import CheckResult, check_file

TRAINS = re.compile(rb"\.backward\(|apply_gradients\(|value_and_grad\(|jax\.grad\(|\.eval\(\)|\.fit\(")
FRAMEWORK = re.compile(rb"import (?:torch|tensorflow|jax|keras)|from (?:torch|tensorflow|jax|keras)")


def scripts(folders: list[Path]) -> dict[Path, bytes]:
    """Every script and notebook with a training or evaluation loop, each content once."""
    seen: set[str] = set()
    found: dict[Path, bytes] = {}
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".ipynb")):
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        if digest not in seen and TRAINS.search(data) and FRAMEWORK.search(data):
            seen.add(digest)
            found[path] = data
    return found


def main(folders: list[Path]) -> None:
    """Prints the findings, then a table of counts."""
    counts: collections.Counter[str] = collections.Counter()
    found = scripts(folders)
    flagged, slowest, start = 0, 0.0, time.perf_counter()
    for path, data in found.items():
        began = time.perf_counter()
        result: CheckResult = check_file(path.name, data)
        slowest = max(slowest, time.perf_counter() - began)
        if result.trouble is not None:
            counts[result.trouble.id] += 1
        flagged += bool(result.findings)
        for finding in result.findings:
            counts[finding.rule] += 1
            print(f"{finding.rule:28} {path}:{finding.line}: {finding.text[:110]}")
    print(
        f"\n{len(found)} scripts, {flagged} with findings, {time.perf_counter() - start:.1f} s, slowest {slowest:.2f} s"
    )
    for rule, count in counts.most_common():
        print(f"{count:6} {rule}")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
