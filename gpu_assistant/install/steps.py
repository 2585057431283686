"""Runs one step of a plan in the folder where the environment is built, and says what a failure means."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from gpu_assistant.base.child import Child, ChildError
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.install.reporter import Reporter, StepFailed
from gpu_assistant.install.uv_tool import find_uv, moved, step_environment
from gpu_assistant.select.plan import InstallPlan, Step

# What an installer's last words mean, first match wins. Finer distinctions are troubleshooting's.
_MEANINGS = (
    (r"os error 28\b|os error 112\b|No space left|not enough space", "install-failed-disk-full"),
    (r"No solution found|not found in the package registry|No matching distribution", "install-failed-solution"),
    (r"hash mismatch|invalid zip|zip archive|Failed to extract|corrupt|bad CRC|invalid wheel", "install-failed-wheel"),
    (r"os error 13\b|os error 5\b|Permission denied|Access is denied", "install-failed-permission"),
    (r"error sending request|dns error|timed out|connection (?:error|reset|refused)", "install-failed-network"),
)


def is_uv_install(step: Step) -> bool:
    """Whether the step is `uv pip install`, whose files can be fetched beforehand."""
    return step.argv[:3] == ("uv", "pip", "install")


def meaning(lines: Iterable[str], exit_code: int, purpose: Message) -> Message:
    """Why a step failed, as far as its last lines tell."""
    text = "\n".join(lines)
    for pattern, id_ in _MEANINGS:
        if re.search(pattern, text, re.IGNORECASE):
            return message(id_)
    if exit_code < 0:
        return message("install-failed-killed")
    return message("install-failed-step", what=purpose, code=exit_code)


class StepRunner:
    """Starts the processes of one plan. The shown argv is what runs, but for the folder's unfinished name."""

    def __init__(self, plan: InstallPlan, layout: RootLayout, build: Path, reporter: Reporter) -> None:
        self._plan = plan
        self._layout = layout
        self._build = build
        self._reporter = reporter

    def argv(self, step: Step) -> tuple[str, ...]:
        """What is started for a step. Raises `StepFailed` when uv is missing."""
        words = [moved(word, self._plan.target, str(self._build)) for word in step.argv]
        if words[0] == "uv":
            try:
                words[0] = find_uv()
            except FileNotFoundError as error:
                raise StepFailed(message("install-failed-start", program="uv", detail=str(error))) from error
        return tuple(words)

    def environment(self, step: Step) -> dict[str, str]:
        """What the step's process finds in its environment."""
        return step_environment(step.environment, self._layout)

    def run(self, id_: str, argv: tuple[str, ...], environment: dict[str, str], purpose: Message) -> None:
        """Runs a process as one step. Raises `StepFailed`, `Cancelled`."""
        with self._reporter.step(id_, argv):
            self.talk_or_fail(argv, environment, purpose)

    def talk_or_fail(
        self, argv: tuple[str, ...], environment: dict[str, str], purpose: Message, *, show_out: bool = True
    ) -> tuple[list[str], list[str]]:
        """Like `talk`, but an exit code other than 0 raises `StepFailed`. Returns stdout and stderr."""
        out, err, code = self.talk(argv, environment, purpose, show_out=show_out)
        if code != 0:
            raise StepFailed(meaning(err[-40:] + out[-40:], code, purpose), code)
        return out, err

    def talk(
        self, argv: tuple[str, ...], environment: dict[str, str], purpose: Message, *, show_out: bool = True
    ) -> tuple[list[str], list[str], int]:
        """Runs a process inside the running step: stdout, stderr, exit code. Raises `StepFailed`, `Cancelled`."""
        out: list[str] = []
        err: list[str] = []
        try:
            with Child(argv, environment=environment) as child:
                for line in self._reporter.lines(child, purpose):
                    (out if line.stream == "out" else err).append(line.text)
                    if show_out or line.stream == "err":
                        self._reporter.log(line)
                code = child.wait(self._reporter.ctx)
        except ChildError as error:
            raise StepFailed(message("install-failed-start", program=argv[0], detail=str(error))) from error
        return out, err, code
