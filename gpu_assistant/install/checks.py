"""What is looked at before anything is installed: path, room, permission to write, the way to the hosts."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import psutil

from gpu_assistant.base.child import ChildError, run_child
from gpu_assistant.base.job import JobContext
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import from_json
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.base.self_command import self_command
from gpu_assistant.install.events import Note
from gpu_assistant.install.marker import read_marker
from gpu_assistant.install.reach import TIMEOUT, HostAnswer
from gpu_assistant.select.plan import InstallPlan

_ROOM_TO_SPARE = 200 << 20  # bytes: logs, journals and what else writes meanwhile


def check_target(target: Path, *, creates: bool) -> Message | None:
    """Why an environment may not be made there; None if it may. `creates`: a new one, not a repair."""
    if not target.is_absolute():
        return message("install-check-relative", folder=str(target))
    if target.is_file():
        return message("install-check-is-file", folder=str(target))
    if creates and target.is_dir() and any(target.iterdir()) and read_marker(target) is None:
        kind = "install-check-foreign" if (target / "pyvenv.cfg").exists() else "install-check-not-empty"
        return message(kind, folder=str(target))
    if not creates and not target.is_dir():
        return message("install-check-gone", folder=str(target))
    return None


def check_write(folder: Path) -> Message | None:
    """Really writes a file there, making the folder if needed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder, prefix=".gpu-assistant-") as file:
            file.write(b"may I write here?")
    except OSError as error:
        return message("install-check-no-write", folder=str(folder), detail=str(error))
    return None


def cache_folder(plan: InstallPlan, layout: RootLayout) -> Path:
    """Where the plan's steps keep their cache: on the drive of the environment."""
    named = (step.environment.get("UV_CACHE_DIR") for step in plan.steps)
    return Path(next(filter(None, named), layout.cache))


def check_room(plan: InstallPlan, cache: Path) -> tuple[Message, ...]:
    """A message for each drive without enough free space.

    The cache holds the fetched wheels and their unpacked files; on one drive the environment shares the latter.
    """
    target = Path(plan.target).parent
    disk, download = plan.disk_bytes or 0, plan.download_bytes or 0
    needs = {target: disk + download} if _one_drive(target, cache) else {target: disk, cache: disk + download}
    short = []
    for folder, need in needs.items():
        free = free_bytes(folder)
        if need and free is not None and free < need + _ROOM_TO_SPARE:
            short.append(message("install-check-no-room", folder=str(folder), free=free, need=need + _ROOM_TO_SPARE))
    return tuple(short)


def free_bytes(folder: Path) -> int | None:
    """Free space on the drive that holds, or will hold, the folder."""
    with contextlib.suppress(OSError):
        return int(psutil.disk_usage(str(_existing(folder))).free)
    return None


def _existing(folder: Path) -> Path:
    return next((place for place in (folder, *folder.parents) if place.exists()), folder)


def _one_drive(one: Path, other: Path) -> bool:
    try:
        return _existing(one).stat().st_dev == _existing(other).stat().st_dev
    except OSError:
        return False


def host_url(host: str, plan: InstallPlan) -> str:
    """The address to ask for a host: the plan's own one if it names it (a mirror may speak plain http)."""
    words = [plan.index_url or "", *(word.partition("=")[2] or word for step in plan.steps for word in step.argv)]
    for word in words:
        parts = urlsplit(word) if "://" in word else None
        if parts is not None and host in (parts.netloc, parts.hostname):
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/"
    return f"https://{host}/"


def check_hosts(plan: InstallPlan, ctx: JobContext, environment: Mapping[str, str]) -> tuple[Note, ...]:
    """A warning for each host that cannot be reached: uv may know a way that we do not. Raises `Cancelled`."""
    urls = {host_url(host, plan): host for host in plan.hosts}
    if not urls:
        return ()
    try:
        finished = run_child(
            self_command("gpu_assistant.install.reach", *urls),
            ctx,
            environment=environment,
            timeout=TIMEOUT + 5,
        )
    except (ChildError, TimeoutError):
        return tuple(_unreachable(host, "timeout", "") for host in urls.values())
    answers = [answer for line in finished.out if (answer := _answer(line)) is not None]
    return tuple(
        _unreachable(urls[answer.url], answer.outcome, answer.detail) for answer in answers if answer.outcome != "ok"
    )


def _answer(line: str) -> HostAnswer | None:
    try:
        return from_json(line, HostAnswer)
    except msgspec.DecodeError:
        return None


def _unreachable(host: str, outcome: str, detail: str) -> Note:
    return Note(message=message(f"install-check-host-{outcome}", host=host, detail=detail), severity="warning")
