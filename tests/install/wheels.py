"""Tiny wheels and a package index on 127.0.0.1 that can misbehave."""

from __future__ import annotations

import base64
import hashlib
import http.server
import re
import threading
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path


def write_wheel(
    folder: Path,
    name: str,
    version: str,
    *,
    code: str | None = None,
    requires: tuple[str, ...] = (),
    padding: int = 0,
    metadata_version: str | None = None,
) -> Path:
    """A pure wheel with one module of the same name; `padding` random-looking bytes make it as big as wanted."""
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    metadata = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {metadata_version or version}"]
    metadata += [f"Requires-Dist: {requirement}" for requirement in requires]
    files = {
        f"{module}/__init__.py": (code if code is not None else f"__version__ = {version!r}\n").encode(),
        f"{info}/METADATA": ("\n".join(metadata) + "\n").encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    if padding:
        seed = hashlib.sha256(f"{name}{version}".encode()).digest()
        blocks = (hashlib.sha512(seed + number.to_bytes(8, "big")).digest() for number in range(padding // 64 + 1))
        files[f"{module}/padding.bin"] = b"".join(blocks)[:padding]
    record = "".join(f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{module}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, data in files.items():
            archive.writestr(file, data)
    return path


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


@dataclass
class Manners:
    """How the index behaves."""

    break_after: list[int] = field(default_factory=list)  # bytes of an answer after which the line breaks, in turn
    rate: float | None = None  # bytes per second
    status: dict[str, int] = field(default_factory=dict)  # file name -> answer code
    ranges: bool = True
    sizes: bool = True  # Content-Length
    hashes: bool = True
    spoil: set[str] = field(default_factory=set)  # file names whose bytes are wrong


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed in the middle is no news."""


class Index:
    """A simple index that counts what it serves."""

    def __init__(self, folder: Path, manners: Manners | None = None) -> None:
        self.folder = folder
        self.manners = manners or Manners()
        self.served: dict[str, int] = {}
        self.requests: list[str] = []
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self.stopped = threading.Event()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/simple"

    def __enter__(self) -> Index:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(index: Index) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            index.requests.append(f"{self.command} {self.path} {self.headers.get('Range', '')}".strip())

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            parts = [part for part in self.path.split("?")[0].split("/") if part]
            if len(parts) == 2 and parts[0] == "simple":
                self._page(parts[1])
            elif len(parts) == 2 and parts[0] == "files" and (index.folder / parts[1].replace("%2B", "+")).is_file():
                self._file(parts[1].replace("%2B", "+"))
            else:
                self.send_error(404)

        def _page(self, project: str) -> None:
            links = []
            for path in sorted(index.folder.glob("*.whl")):
                if re.sub(r"[-_.]+", "-", path.name.split("-")[0]).lower() == project:
                    digest = hashlib.sha256(path.read_bytes()).hexdigest()
                    mark = f"#sha256={digest}" if index.manners.hashes else ""
                    links.append(f'<a href="/files/{path.name.replace("+", "%2B")}{mark}">{path.name}</a>')
            if not links:
                self.send_error(404)
                return
            body = f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _file(self, name: str) -> None:
            manners = index.manners
            if code := manners.status.get(name):
                self.send_error(code)
                return
            data = (index.folder / name).read_bytes()
            if name in manners.spoil:
                data = data[:5000] + bytes(100) + data[5100:]
            start, end = 0, len(data)
            wanted = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
            if wanted and manners.ranges:
                first, last = wanted.groups()
                start = int(first) if first else len(data) - int(last)
                end = int(last) + 1 if first and last else len(data)
            partial = bool(wanted and manners.ranges)
            self.send_response(206 if partial else 200)
            if manners.ranges:
                self.send_header("Accept-Ranges", "bytes")
            if partial:
                self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(data)}")
            self.send_header("Content-Type", "application/octet-stream")
            if manners.sizes:
                self.send_header("Content-Length", str(end - start))
            self.end_headers()
            if self.command != "HEAD":
                self._send(name, data[start:end])

        def _send(self, name: str, data: bytes) -> None:
            manners = index.manners
            limit = manners.break_after.pop(0) if manners.break_after and len(data) > manners.break_after[0] else None
            for position in range(0, len(data), 1 << 15):
                if limit is not None and position >= limit:
                    self.close_connection = True
                    return
                chunk = data[position : position + (1 << 15)]
                try:
                    self.wfile.write(chunk)
                except OSError:
                    return
                index.served[name] = index.served.get(name, 0) + len(chunk)
                if manners.rate and index.stopped.wait(len(chunk) / manners.rate):
                    return

    return Handler


@contextmanager
def serving(folder: Path, manners: Manners | None = None) -> Iterator[Index]:
    with Index(folder, manners) as index:
        yield index


def wait_for(condition, seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def versions_of(files: Mapping[str, int]) -> set[str]:
    return {name.split("-")[1] for name in files}
