"""Fetches wheels with exact progress, and goes on where an earlier try stopped, even before a power cut.

Runs as a child (`python -m gpu_assistant.install.fetch JOB.json`), so that a hanging name server or socket can be
ended at once, and prints one JSON event a line. What it may not fetch (a login, an unknown certificate) it leaves to
uv, which knows more ways.
"""

from __future__ import annotations

import concurrent.futures
import hashlib
import http
import http.client
import os
import ssl
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import IO

from gpu_assistant.base.model import Value, from_json, to_json
from gpu_assistant.install.lock import Artifact

_PASSING = (http.HTTPStatus.REQUEST_TIMEOUT, http.HTTPStatus.TOO_EARLY, http.HTTPStatus.TOO_MANY_REQUESTS)
CHUNK = 1 << 18
REPORT_SECONDS = 0.25
LONGEST_PAUSE = 30.0


class FetchJob(Value, frozen=True, kw_only=True):
    """What to fetch. `retries` counts tries in a row that brought no byte; `timeout` is seconds without a byte."""

    artifacts: tuple[Artifact, ...]
    folder: str
    retries: int = 10
    timeout: float = 60.0
    parallel: int = 3


class _FetchEvent(Value, frozen=True, kw_only=True, tag_field="kind"):
    file: str


class Size(_FetchEvent, frozen=True, kw_only=True, tag="size"):
    """What is known before the first byte; `have` bytes lie here already."""

    total: int | None = None
    have: int = 0


class Moved(_FetchEvent, frozen=True, kw_only=True, tag="moved"):
    """So many bytes are here."""

    done: int
    total: int | None = None


class Fetched(_FetchEvent, frozen=True, kw_only=True, tag="fetched"):
    """Complete, and its hash is right."""

    size: int


class Broke(_FetchEvent, frozen=True, kw_only=True, tag="broke"):
    """The connection broke; it goes on at `done` bytes after a pause."""

    done: int
    pause: float
    detail: str


class LeftToUv(_FetchEvent, frozen=True, kw_only=True, tag="left"):
    """The server refuses us; uv shall try."""

    detail: str


class GaveUp(_FetchEvent, frozen=True, kw_only=True, tag="gave_up"):
    """No byte came in many tries, or the disk refused; `disk` tells the two apart."""

    done: int
    detail: str
    disk: bool = False


FetchEvent = Size | Moved | Fetched | Broke | LeftToUv | GaveUp

_print_lock = threading.Lock()


def _tell(event: FetchEvent) -> None:
    with _print_lock:
        sys.stdout.buffer.write(to_json(event) + b"\n")
        sys.stdout.buffer.flush()


class _Refused(Exception):
    """The server's answer is a no that trying again does not change."""


class _GivenUp(Exception):
    """No byte in many tries."""


class _DiskTrouble(Exception):
    """The bytes came and could not be written."""


def part_path(folder: Path, artifact: Artifact) -> Path:
    """Where the bytes gather; named by the hash, so that another file of the same name never continues it."""
    mark = (artifact.sha256 or hashlib.sha256(artifact.url.encode()).hexdigest())[:16]
    return folder / f"{artifact.filename}.{mark}.part"


def bytes_here(folder: Path, artifact: Artifact) -> int:
    """How much of the file lies here already. Without a known hash an old part cannot be trusted: 0."""
    for path in (folder / artifact.filename, part_path(folder, artifact)):
        if path.is_file() and artifact.sha256 is not None:
            size = path.stat().st_size
            return size if artifact.size is None else min(size, artifact.size)
    return 0


def file_hash(path: Path) -> str:
    """The SHA-256 of a file, in hex. Raises `OSError`."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Fetcher:
    """Brings one file here."""

    def __init__(self, job: FetchJob, artifact: Artifact) -> None:
        self._job = job
        self._artifact = artifact
        self._folder = Path(job.folder)
        self._part = part_path(self._folder, artifact)
        self._total = artifact.size
        self._etag: str | None = None
        self._reported = 0.0

    def run(self) -> bool:
        """Whether the file is here, or left to uv; False when given up."""
        name = self._artifact.filename
        try:
            self._fetch()
        except _Refused as error:
            _tell(LeftToUv(file=name, detail=str(error)))
        except _GivenUp as error:
            _tell(GaveUp(file=name, done=self._size(), detail=str(error)))
            return False
        except (_DiskTrouble, OSError) as error:
            _tell(GaveUp(file=name, done=self._size(), detail=str(error), disk=True))
            return False
        return True

    def _fetch(self) -> None:
        target = self._folder / self._artifact.filename
        if self._artifact.sha256 and target.is_file() and file_hash(target) == self._artifact.sha256:
            _tell(Fetched(file=self._artifact.filename, size=target.stat().st_size))
            return
        if self._artifact.sha256 is None:
            self._part.unlink(missing_ok=True)
        self._receive_all()
        if not self._is_right():
            # a power cut may leave holes in a part that looks whole: start over, once
            self._start_over()
            self._receive_all()
            if not self._is_right():
                self._start_over()
                raise _Refused("the hash of what came is not the promised one")
        with self._part.open("rb+") as file:
            os.fsync(file.fileno())
        self._part.replace(target)
        _tell(Fetched(file=self._artifact.filename, size=target.stat().st_size))

    def _is_right(self) -> bool:
        return self._artifact.sha256 in (None, file_hash(self._part))

    def _start_over(self) -> None:
        self._part.unlink()
        _tell(Moved(file=self._artifact.filename, done=0, total=self._total))

    def _receive_all(self) -> None:
        fruitless = 0
        while not self._complete():
            before = self._size()
            try:
                if self._receive():
                    return
                detail = "the connection ended early"
            except (OSError, http.client.HTTPException) as error:
                self._raise_if_final(error)
                detail = str(error) or type(error).__name__
            fruitless = 0 if self._size() > before else fruitless + 1
            if fruitless > self._job.retries:
                raise _GivenUp(detail)
            pause = min(LONGEST_PAUSE, 0.5 * 2**fruitless)
            _tell(Broke(file=self._artifact.filename, done=self._size(), pause=pause, detail=detail))
            time.sleep(pause)

    def _receive(self) -> bool:
        """Reads to the end of one connection; True if that is the end of the file."""
        start = self._size()
        request = urllib.request.Request(self._artifact.url, headers={"User-Agent": "gpu-assistant"})
        if start:
            request.add_header("Range", f"bytes={start}-")
            if self._etag:
                request.add_header("If-Range", self._etag)
        with urllib.request.urlopen(request, timeout=self._job.timeout) as answer:
            resumed = answer.status == http.HTTPStatus.PARTIAL_CONTENT
            self._note_answer(answer, start if resumed else 0)
            self._write(answer, "ab" if resumed else "wb")
        return self._complete() if self._total is not None else True

    def _write(self, answer: http.client.HTTPResponse, mode: str) -> None:
        try:
            file = self._part.open(mode)
        except OSError as error:
            raise _DiskTrouble(str(error)) from error
        try:
            while chunk := answer.read1(CHUNK):
                try:
                    file.write(chunk)
                except OSError as error:
                    raise _DiskTrouble(str(error)) from error
                self._report(file.tell())
        finally:
            _close(file)

    def _note_answer(self, answer: http.client.HTTPResponse, start: int) -> None:
        etag = answer.headers.get("ETag", "")
        self._etag = etag if etag.startswith('"') else None
        length = answer.headers.get("Content-Length", "")
        if length.isdigit():
            self._total = start + int(length)

    def _report(self, done: int) -> None:
        now = time.monotonic()
        if now - self._reported >= REPORT_SECONDS:
            self._reported = now
            _tell(Moved(file=self._artifact.filename, done=done, total=self._total))

    def _raise_if_final(self, error: Exception) -> None:
        """Lets pass what another try may change."""
        if isinstance(error, urllib.error.HTTPError):
            if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                self._part.unlink(missing_ok=True)
            elif error.code not in _PASSING and error.code < 500:
                raise _Refused(str(error)) from error
        elif isinstance(error, urllib.error.URLError) and isinstance(error.reason, (str, ssl.SSLCertVerificationError)):
            raise _Refused(str(error)) from error

    def _size(self) -> int:
        return self._part.stat().st_size if self._part.exists() else 0

    def _complete(self) -> bool:
        return self._total is not None and self._part.exists() and self._size() >= self._total


def _close(file: IO[bytes]) -> None:
    try:
        file.close()
    except OSError as error:
        raise _DiskTrouble(str(error)) from error


def _ask_size(artifact: Artifact, timeout: float) -> int | None:
    """The size that the server tells without sending the file; None where it does not."""
    request = urllib.request.Request(artifact.url, method="HEAD", headers={"User-Agent": "gpu-assistant"})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            length = answer.headers.get("Content-Length", "")
    except (OSError, http.client.HTTPException):
        return None
    return int(length) if length.isdigit() else None


def _tell_size(artifact: Artifact, job: FetchJob) -> None:
    size = artifact.size if artifact.size is not None else _ask_size(artifact, job.timeout)
    _tell(Size(file=artifact.filename, total=size, have=bytes_here(Path(job.folder), artifact)))


def fetch_all(job: FetchJob) -> bool:
    """Fetches every file, biggest first; True unless one was given up."""
    Path(job.folder).mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda artifact: _tell_size(artifact, job), job.artifacts))
    order = sorted(job.artifacts, key=lambda artifact: -(artifact.size or 1 << 40))
    with concurrent.futures.ThreadPoolExecutor(job.parallel) as pool:
        return all(list(pool.map(lambda artifact: _Fetcher(job, artifact).run(), order)))


def main() -> int:
    """Runs the job whose file is the only argument."""
    return 0 if fetch_all(from_json(Path(sys.argv[1]).read_bytes(), FetchJob)) else 1


if __name__ == "__main__":
    sys.exit(main())
