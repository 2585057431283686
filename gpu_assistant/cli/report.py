"""`gpu-assistant report`: what this computer is.

`--json` prints one object, a `detect.report.SystemReport`; keys are only ever added while `schema` is 1. Sizes are
bytes, null means unknown, an empty list means none:

    schema, made_at (ISO 8601, UTC), program (version of GPU Assistant)
    system        os: windows | linux | wsl | macos | other; name, version, build (of Windows, in WSL of the host),
                  machine, language, container, remote_session, wsl_version, virtual_machine, laptop, long_paths, home,
                  secure_boot, nouveau_loaded
    cpu           name, cores, threads
    memory        ram_total, ram_available, pagefile_total, pagefile_free
    disks         [{path, total, free, filesystem, kind: fixed | removable | network, read_only}]
    gpus          [{vendor: nvidia | amd | intel | apple | other, name, index, uuid, pci_id, pci_address, architecture,
                  compute_capability ("8.9"), gfx, vram_total, vram_used, integrated, external, asleep, drives_display,
                  power_watts, power_limit_watts, temperature_c, pcie: {generation, generation_max, width, width_max},
                  mig_enabled, mig_instances, ecc_enabled, processes: [{pid, name, vram_bytes, kind}] or null,
                  driver_version (of a card that is not NVIDIA's)}]
    driver        null without an NVIDIA card and driver, or: state: working | missing | not_loaded | mismatch |
                  not_responding | no_devices | inaccessible | unknown; version, cuda_version, kernel_version,
                  library_version, model
    pythons       [{executable, version, kind, bits, prefix, externally_managed, packages: [{name, version, build}],
                  source}]
    tools         [{name, version, path, detail, source}]
    environment   variables that change what an install or a training does
    findings      [{message: {id, args}, severity: info | warning | problem}], the gravest first
    notes         [{source, outcome: ok | absent | refused | timed_out | failed, detail, seconds}]: who was asked

`sources` in system, cpu, memory, driver and each card names the source of each value.
"""

from __future__ import annotations

import argparse
import sys

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.model import to_json
from gpu_assistant.base.texts import say
from gpu_assistant.detect.collect import collect
from gpu_assistant.detect.describe import describe
from gpu_assistant.detect.recording import NotARecording, open_gateways


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument("--json", action="store_true", help="print the whole report as JSON")
    parser.add_argument("--sources", action="store_true", help="say for every fact where it comes from")


def run(args: argparse.Namespace) -> int:
    """Prints the report; 2 where the folder of `--replay` is no recording."""
    try:
        io = open_gateways(args.replay)
    except NotARecording as error:
        print(say(error.message, args.lang), file=sys.stderr)
        return 2
    report = collect(io, JobContext())
    if args.json:
        print(to_json(report, indent=2).decode())
        return 0
    for line in describe(report, sources=args.sources):
        print(line.text(args.lang))
    return 0
