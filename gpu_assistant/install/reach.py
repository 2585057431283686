"""Asks hosts whether they can be reached the way uv would: through the proxy settings, with the system's certificates.

Runs as a child (`python -m gpu_assistant.install.reach URL...`): a name server that does not answer cannot hang us.
"""

from __future__ import annotations

import concurrent.futures
import http.client
import socket
import ssl
import sys
import urllib.error
import urllib.request
from typing import Literal

from gpu_assistant.base.model import Value, to_json

Reached = Literal["ok", "name", "refused", "timeout", "certificate", "proxy", "other"]

TIMEOUT = 10.0


class HostAnswer(Value, frozen=True, kw_only=True):
    """How asking one host ended. `detail` is raw English."""

    url: str
    outcome: Reached
    detail: str = ""


def ask(url: str) -> HostAnswer:
    """Any answer, even "not found", proves that the way is open. Never raises."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=TIMEOUT):
            return HostAnswer(url=url, outcome="ok")
    except urllib.error.HTTPError as error:
        if error.code == http.HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
            return HostAnswer(url=url, outcome="proxy", detail=str(error))
        return HostAnswer(url=url, outcome="ok", detail=str(error))
    except (OSError, http.client.HTTPException) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        return HostAnswer(url=url, outcome=_outcome(reason), detail=str(reason))


def _outcome(reason: object) -> Reached:
    if isinstance(reason, socket.gaierror):
        return "name"
    if isinstance(reason, ssl.SSLError):
        return "certificate"
    if isinstance(reason, TimeoutError):
        return "timeout"
    if isinstance(reason, ConnectionError):
        return "refused"
    return "proxy" if "unnel" in str(reason) else "other"  # "Tunnel connection failed: 403 Forbidden"


def main() -> int:
    """Asks all hosts at once; one JSON line each, in the order of asking."""
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        for answer in pool.map(ask, sys.argv[1:]):
            sys.stdout.buffer.write(to_json(answer) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
