"""The plan is read before the download: did the resolver keep the GPU part?"""

from __future__ import annotations

import re
from collections.abc import Iterable

from packaging.utils import canonicalize_name

from gpu_assistant.base.message import Message, message
from gpu_assistant.select.plan import InstallPlan

_PACKAGE = re.compile(r"^\s*[+~]?\s*(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[^\s;\\]+)")
_LOST_EXTRA = re.compile(r"The package `?(?P<package>[^`\s]+?)`? does not have an extra named `?(?P<extra>[\w.-]+)")


def dry_run(plan: InstallPlan) -> tuple[str, ...] | None:
    """The argv that resolves the plan's install step without downloading or changing anything."""
    step = next((step for step in plan.steps if step.id == "install"), None)
    return (*step.argv, "--dry-run") if step else None


def resolved_packages(lines: Iterable[str]) -> dict[str, str]:
    """Package names and versions in the output of `uv pip install --dry-run` or `uv pip compile`."""
    found = (_PACKAGE.match(line) for line in lines)
    return {canonicalize_name(match["name"]): match["version"] for match in found if match}


def read_resolution(plan: InstallPlan, lines: Iterable[str]) -> Message | None:
    """What the resolver did wrong, in a sentence; None where the GPU part is still there.

    The expected tag and companion come from the plan, so that every framework is read in the same way.
    """
    text = list(lines)
    packages = resolved_packages(text)
    for line in text:
        if lost := _LOST_EXTRA.search(line):
            return message("select-resolved-extra", package=lost["package"], extra=lost["extra"])
    if plan.build_package:
        version = packages.get(canonicalize_name(plan.build_package))
        if version is None:
            return message("select-resolved-missing", package=plan.build_package)
        tag = version.partition("+")[2]
        if tag != plan.build and not _is_wheel_of_folder(plan, version):
            return _lost_tag(plan, version, tag)
    if plan.companion and canonicalize_name(plan.companion) not in packages:
        return message("select-resolved-companion", package=plan.companion, build=plan.build)
    return None


def _is_wheel_of_folder(plan: InstallPlan, version: str) -> bool:
    """Whether that is the wheel of the user's folder which the plan names; it may be the build without saying so."""
    return plan.index_url is None and f"{plan.build_package}=={version}" in plan.packages


def _lost_tag(plan: InstallPlan, version: str, tag: str) -> Message:
    args = {"package": plan.build_package, "version": version, "build": plan.build, "index": plan.index_url or ""}
    if tag == "cpu":
        return message("select-resolved-cpu", **args)
    return message("select-resolved-tag" if tag else "select-resolved-untagged", **args)
