"""Hand-made plans for tests: what `select` would plan, for tiny wheels of a local index."""

from __future__ import annotations

import sys
from pathlib import Path

from gpu_assistant.base.message import message
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.install.marker import environment_python
from gpu_assistant.select.plan import InstallPlan, ShellText, Step

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


def shell(*words: str) -> ShellText:
    text = " ".join(words)
    return ShellText(cmd=text, powershell=text, bash=text)


def step(id_: str, *argv: str, environment: dict[str, str] | None = None) -> Step:
    return Step(
        id=id_,
        purpose=message("install-step-place"),
        argv=argv,
        environment=environment or {},
        shell=shell(*argv),
    )


def make_plan(
    layout: RootLayout,
    index_url: str,
    *,
    packages: tuple[str, ...] = ("torch==9.1.0",),
    build: str = "cpu",
    name: str = "pytorch-cpu",
    hosts: tuple[str, ...] = (),
    environment: dict[str, str] | None = None,
    extra: tuple[str, ...] = (),
    **changes: object,
) -> InstallPlan:
    target = Path(str(changes.pop("target", layout.environments / name)))
    python = str(environment_python(target))
    settings = {"UV_HTTP_RETRIES": "3", "UV_PYTHON_DOWNLOADS": "never", **(environment or {})}
    install = ("uv", "pip", "install", "--python", python, "--default-index", index_url, *extra, *packages)
    steps = (
        step(
            "environment", "uv", "venv", "--relocatable", "--python", sys.executable, str(target), environment=settings
        ),
        step("install", *install, environment=settings),
    )
    values: dict[str, object] = {
        "framework": "pytorch",
        "option": build,
        "build": build,
        "packages": packages,
        "index_url": index_url,
        "python": PYTHON,
        "target": str(target),
        "steps": steps,
        "hosts": hosts,
        "verify_imports": ("torch",),
        "build_package": "torch",
    }
    return InstallPlan(**{**values, **changes})
