"""Registers an environment as a Jupyter kernel, by consent: the step that adds `ipykernel` can be shown before."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from gpu_assistant.base.child import ChildError, run_child
from gpu_assistant.base.files import write_atomic
from gpu_assistant.base.job import JobContext
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import to_json
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.base.settings import Settings
from gpu_assistant.install.marker import environment_python
from gpu_assistant.install.steps import meaning
from gpu_assistant.install.uv_tool import find_uv, step_environment
from gpu_assistant.select.plan import Step
from gpu_assistant.select.shell import shell_text
from gpu_assistant.select.tool_commands import Stage, uv_environment, uv_install


def jupyter_folder() -> Path:
    """Where Jupyter and VS Code look for this user's kernels."""
    if folder := os.environ.get("JUPYTER_DATA_DIR"):
        return Path(folder) / "kernels"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "jupyter" / "kernels"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Jupyter" / "kernels"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "jupyter" / "kernels"


def kernel_name(environment: Path) -> str:
    """The kernel's name in Jupyter's sense: letters, digits, dots, hyphens."""
    return "gpu-assistant-" + re.sub(r"[^a-z0-9.-]+", "-", environment.name.lower())


def kernel_step(environment: Path, layout: RootLayout, settings: Settings) -> Step:
    """The command that adds `ipykernel`, to be shown and agreed to."""
    stage = Stage(id="kernel", packages=("ipykernel",))
    argv = uv_install(environment_python(environment), stage, settings, wheels_only=True)
    return Step(
        id="kernel",
        purpose=message("install-step-kernel"),
        argv=argv,
        environment=uv_environment(layout.root, settings, copy=False),
        shell=shell_text(argv),
    )


class RegisterKernelJob:
    """Adds `ipykernel` where it is missing and tells Jupyter of the environment."""

    def __init__(self, environment: Path, step: Step, layout: RootLayout, title: str) -> None:
        """`title` is what Jupyter's list shows."""
        self._environment = environment
        self._step = step
        self._layout = layout
        self._title = title

    def run(self, ctx: JobContext) -> Message:
        """Says under which name the kernel is found. Raises `KernelFailed`, `Cancelled`."""
        python = environment_python(self._environment)
        variables = step_environment(self._step.environment, self._layout)
        try:
            if run_child([str(python), "-I", "-c", "import ipykernel"], ctx, environment=variables).exit_code != 0:
                self._add(ctx, variables)
            write_atomic(kernel_file(self._environment), to_json(self._spec(python), indent=1))
        except (ChildError, OSError) as error:
            raise KernelFailed(message("install-kernel-failed", detail=str(error))) from error
        return message("finish-kernel-added", name=self._title)

    def _add(self, ctx: JobContext, variables: dict[str, str]) -> None:
        finished = run_child([find_uv(), *self._step.argv[1:]], ctx, environment=variables)
        if finished.exit_code != 0:
            raise KernelFailed(meaning(finished.err + finished.out, finished.exit_code, self._step.purpose))

    def _spec(self, python: Path) -> dict[str, object]:
        return {
            "argv": [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            "display_name": self._title,
            "language": "python",
            "metadata": {"debugger": True},
        }


class KernelFailed(Exception):
    """The kernel could not be registered; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


def kernel_file(environment: Path) -> Path:
    """The kernel's description (it need not exist)."""
    return jupyter_folder() / kernel_name(environment) / "kernel.json"


def unregister_kernel(environment: Path) -> None:
    """Takes the kernel away again, if it is ours. Raises `OSError`."""
    file = kernel_file(environment)
    if file.is_file() and str(environment_python(environment)) in file.read_text(encoding="utf-8"):
        file.unlink()
        file.parent.rmdir()
