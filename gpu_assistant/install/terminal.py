"""Opens a terminal in which the environment is active, and folders in the file manager."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from gpu_assistant.base.child import ChildError, child_environment, launch
from gpu_assistant.base.files import write_atomic
from gpu_assistant.base.message import Message, message

_RC_FILE = "gpu-assistant.bashrc"
# How each terminal of the Linux desktops takes a command, the desktop's own choice first.
_LINUX_TERMINALS = (
    ("x-terminal-emulator", "-e"),
    ("gnome-terminal", "--"),
    ("konsole", "-e"),
    ("xfce4-terminal", "-x"),
    ("ptyxis", "--"),
    ("kitty", ""),
    ("alacritty", "-e"),
    ("foot", ""),
    ("xterm", "-e"),
)


def open_terminal(environment: Path, folder: Path | None = None) -> Message | None:
    """Opens a terminal in the folder, with the environment active. None, or what to type where none could be opened."""
    place = folder or Path.home()
    try:
        if sys.platform == "win32":
            launch(["cmd.exe", "/k"], environment=windows_variables(environment), folder=place)
            return None
        argv = terminal_argv(_bash(environment, place), shutil.which)
        if argv is not None:
            launch(argv, environment=child_environment(), folder=place)
            return None
    except (ChildError, OSError):
        pass
    return message("finish-no-terminal", command=activation(environment))


def open_folder(folder: Path) -> Message | None:
    """Shows a folder in the file manager; None, or a sentence where that is not possible."""
    program = {"win32": "explorer.exe", "darwin": "open"}.get(sys.platform, "xdg-open")
    try:
        launch([program, str(folder)])
    except ChildError:
        return message("finish-no-folder", folder=str(folder))
    return None


def activation(environment: Path) -> str:
    """The command that switches the environment on in the system's usual shell."""
    if sys.platform == "win32":
        return f'"{environment / "Scripts" / "activate.bat"}"'
    return f"source {shlex.quote(str(environment / 'bin' / 'activate'))}"


def windows_variables(environment: Path) -> dict[str, str]:
    """What `activate.bat` would set. Variables need no quoting, whatever letters the path has."""
    variables = child_environment()
    variables["VIRTUAL_ENV"] = str(environment)
    variables["PATH"] = os.pathsep.join((str(environment / "Scripts"), variables.get("PATH", "")))
    variables["PROMPT"] = f"({environment.name.replace('$', '$$')}) $P$G"
    return variables


def terminal_argv(command: Path, which: Callable[[str], str | None]) -> list[str] | None:
    """The first terminal that is installed, running a script; None where there is none."""
    if sys.platform == "darwin":
        return ["open", "-a", "Terminal", str(command)]
    for name, option in _LINUX_TERMINALS:
        if program := which(name):
            return [program, *([option] if option else []), str(command)]
    return None


def _bash(environment: Path, folder: Path) -> Path:
    """A script that starts the user's own bash and then switches the environment on. Raises `OSError`."""
    rc_file = environment / "bin" / _RC_FILE
    lines = ("[ -f ~/.bashrc ] && . ~/.bashrc", activation(environment), f"cd {shlex.quote(str(folder))}")
    write_atomic(rc_file, ("\n".join(lines) + "\n").encode())
    script = environment / "bin" / "gpu-assistant-terminal.command"
    write_atomic(script, f"#!/bin/sh\nexec bash --rcfile {shlex.quote(str(rc_file))} -i\n".encode())
    script.chmod(0o755)
    return script
