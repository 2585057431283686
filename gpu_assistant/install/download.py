"""The download: a lock says which files, with sizes and hashes; the fetching child brings them into one folder."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from gpu_assistant.base.child import Child, ChildError
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import from_json, to_json
from gpu_assistant.base.self_command import self_command
from gpu_assistant.install.events import FileKnown, FilesKnown, Log, Note, Progress
from gpu_assistant.install.fetch import (
    Broke,
    Fetched,
    FetchEvent,
    FetchJob,
    GaveUp,
    LeftToUv,
    Moved,
    Size,
    bytes_here,
)
from gpu_assistant.install.lock import Artifact
from gpu_assistant.install.reporter import Reporter, StepFailed


def fetch(
    artifacts: Iterable[Artifact], folder: Path, work: Path, environment: Mapping[str, str], reporter: Reporter
) -> None:
    """Brings the remote files into the folder and reports every byte. Raises `StepFailed`, `Cancelled`."""
    remote = tuple(artifact for artifact in artifacts if artifact.remote)
    if not remote:
        return
    reporter.tell(FilesKnown(files=tuple(_known(artifact, folder) for artifact in remote)))
    job = FetchJob(
        artifacts=remote,
        folder=str(folder),
        retries=int(environment.get("UV_HTTP_RETRIES", "10")),
        timeout=min(float(environment.get("UV_HTTP_TIMEOUT", "60")), 60.0),
    )
    job_file = work / "fetch.json"
    job_file.write_bytes(to_json(job))
    gave_up: list[GaveUp] = []
    hosts = {artifact.filename: urllib.parse.urlsplit(artifact.url).hostname or "" for artifact in remote}
    argv = self_command("gpu_assistant.install.fetch", str(job_file))
    try:
        with Child(argv, environment=environment) as child:
            for line in reporter.lines(child, message("install-awaited-download")):
                event = _event(line.text) if line.stream == "out" else None
                if event is None:
                    reporter.log(line)
                elif isinstance(event, GaveUp):
                    gave_up.append(event)
                else:
                    _report(event, hosts, reporter)
            code = child.wait(reporter.ctx)
    except ChildError as error:
        raise StepFailed(message("install-failed-start", program="fetch", detail=str(error))) from error
    if gave_up:
        worst = max(gave_up, key=lambda event: event.done)
        raise StepFailed(_why(worst, hosts, folder), code)
    if code != 0:
        raise StepFailed(message("install-failed-killed"), code)


def _known(artifact: Artifact, folder: Path) -> FileKnown:
    return FileKnown(name=artifact.filename, size=artifact.size, have=bytes_here(folder, artifact))


def _event(text: str) -> FetchEvent | None:
    try:
        return from_json(text, FetchEvent)  # type: ignore[arg-type]
    except msgspec.DecodeError:
        return None


def _report(event: FetchEvent, hosts: Mapping[str, str], reporter: Reporter) -> None:
    if isinstance(event, Size):
        reporter.tell(Progress(file=event.file, done=event.have, total=event.total))
    elif isinstance(event, Moved):
        reporter.tell(Progress(file=event.file, done=event.done, total=event.total))
    elif isinstance(event, Fetched):
        reporter.tell(Progress(file=event.file, done=event.size, total=event.size))
        reporter.tell(Log(text=f"fetched {event.file} ({event.size} bytes)", stream="out"))
    elif isinstance(event, Broke):
        reporter.tell(Log(text=f"{event.file}: {event.detail}; goes on at byte {event.done} in {event.pause:g} s"))
    elif isinstance(event, LeftToUv):
        reporter.tell(Log(text=f"{event.file}: {event.detail}"))
        reporter.tell(Note(message=message("install-left-to-uv", file=event.file, host=hosts.get(event.file, ""))))


def _why(event: GaveUp, hosts: Mapping[str, str], folder: Path) -> Message:
    if event.disk:
        return message("install-failed-disk", folder=str(folder), detail=event.detail)
    return message(
        "install-failed-connection",
        file=event.file,
        host=hosts.get(event.file, ""),
        done=event.done,
        detail=event.detail,
    )
