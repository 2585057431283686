"""Builds the stand-in NVML library, once per content, into a folder of the system's temporary files."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Literal

Variant = Literal["linux", "linux-old", "windows", "windows-old"]
HERE = Path(__file__).parent
SOURCES = ("nvml.c", "scenario.c", "scenario.h")


def compiler(variant: Variant) -> str | None:
    """The compiler for a variant, or None where it is not installed."""
    return shutil.which("x86_64-w64-mingw32-gcc" if variant.startswith("windows") else "gcc")


def build(variant: Variant = "linux") -> Path:
    """The folder that holds `libnvidia-ml.so.1` or `nvml.dll`. Raises `CalledProcessError`, `FileNotFoundError`."""
    content = b"".join((HERE / name).read_bytes() for name in SOURCES)
    digest = hashlib.sha256(content + variant.encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"standin-nvml-{digest}"
    library = folder / ("nvml.dll" if variant.startswith("windows") else "libnvidia-ml.so.1")
    if library.exists():
        return folder
    tool = compiler(variant)
    if tool is None:
        raise FileNotFoundError(f"no C compiler for {variant}")
    folder.mkdir(exist_ok=True)
    unfinished = folder / f"{library.name}.{os.getpid()}"
    old = ["-DOLD_DRIVER"] if variant.endswith("old") else []
    hidden = ["-static-libgcc"] if variant.startswith("windows") else ["-fPIC", "-fvisibility=hidden", "-D_GNU_SOURCE"]
    sources = [str(HERE / name) for name in SOURCES if name.endswith(".c")]
    strict = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([tool, "-shared", *strict, *old, *hidden, "-o", str(unfinished), *sources, "-lm"], check=True)
    unfinished.replace(library)
    return folder


def build_smi(variant: Variant = "linux") -> Path:
    """The folder that holds `nvidia-smi` or `nvidia-smi.exe`. Raises as `build` does."""
    source = HERE / "nvidia_smi.c"
    digest = hashlib.sha256(source.read_bytes() + variant.encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"standin-smi-{digest}"
    program = folder / ("nvidia-smi.exe" if variant.startswith("windows") else "nvidia-smi")
    if program.exists():
        return folder
    tool = compiler(variant)
    if tool is None:
        raise FileNotFoundError(f"no C compiler for {variant}")
    folder.mkdir(exist_ok=True)
    unfinished = folder / f"{program.name}.{os.getpid()}"
    subprocess.run([tool, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o", str(unfinished), str(source)], check=True)
    unfinished.replace(program)
    return folder


if __name__ == "__main__":
    import sys

    print(build(sys.argv[1] if len(sys.argv) > 1 else "linux"))  # type: ignore[arg-type]
