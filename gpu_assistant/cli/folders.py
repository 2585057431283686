"""`gpu-assistant folders`: what the program keeps on this computer, how big it is, and its removal.

`--json` prints {name: {places, bytes}}; `--ini FILE` writes the same numbers for the uninstaller, in MiB.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.message import message
from gpu_assistant.base.model import to_json
from gpu_assistant.base.paths import RootLayout, app_paths
from gpu_assistant.base.texts import format_bytes, say
from gpu_assistant.cli.train import root_folder
from gpu_assistant.install.environments import UndoJob, folder_bytes, list_environments, remove_folder

KINDS = ("environments", "cache", "settings", "reports")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")
    parser.add_argument("--ini", type=Path, metavar="FILE", help="write the sizes into FILE, for the uninstaller")
    parser.add_argument(
        "--remove", type=_kinds, metavar="KIND,...", default=(), help=f"delete these: {', '.join(KINDS)}"
    )


def _kinds(text: str) -> tuple[str, ...]:
    chosen = tuple(word for word in text.split(",") if word)
    unknown = [word for word in chosen if word not in KINDS]
    if unknown:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: only {', '.join(KINDS)}")
    return chosen


def run(args: argparse.Namespace) -> int:
    """Tells or removes; 1 where something could not be removed."""
    layout = RootLayout(Path(root_folder(args)))
    if args.remove:
        return _remove(args, layout)
    places = _places(layout)
    sizes = {kind: sum(map(_size, places[kind])) for kind in KINDS}
    if args.json:
        told = {kind: {"places": [str(place) for place in places[kind]], "bytes": sizes[kind]} for kind in KINDS}
        print(to_json(told, indent=2).decode())
    elif args.ini is not None:
        lines = ["[sizes]", *(f"{kind}={round(sizes[kind] / 2**20)}" for kind in KINDS)]
        args.ini.write_text("\r\n".join(lines) + "\r\n", "utf-16")  # what NSIS reads
    else:
        for kind in KINDS:
            name = say(message(f"folders-{kind}"), args.lang)
            print(f"{name:40}{format_bytes(sizes[kind], args.lang):>10}  {', '.join(map(str, places[kind]))}")
    return 0


def _places(layout: RootLayout) -> dict[str, tuple[Path, ...]]:
    """Files and folders by kind. On Windows the settings lie in one folder with the reports."""
    paths = app_paths()
    settings = tuple(sorted(paths.config.glob("settings.toml*")))
    inside = sorted(paths.data.iterdir()) if paths.data.is_dir() else []
    reports = [place for place in (*inside, paths.logs) if place not in settings and place != paths.config]
    return {
        "environments": (layout.environments,),
        "cache": (layout.cache, layout.pythons),
        "settings": settings,
        "reports": tuple(dict.fromkeys(reports)),
    }


def _size(place: Path) -> int:
    return place.stat().st_size if place.is_file() else folder_bytes(place)


def _remove(args: argparse.Namespace, layout: RootLayout) -> int:
    stuck = list(_remove_big(set(args.remove), layout))
    for kind in ("settings", "reports"):
        for place in _places(layout)[kind] if kind in args.remove else ():
            try:
                _delete(place)
            except OSError:
                stuck.append(str(place))
    _remove_if_empty(app_paths().data, app_paths().config)
    for name in stuck:
        print(say(message("folders-stuck", folder=name), args.lang), file=sys.stderr)
    return 1 if stuck else 0


def _remove_big(kinds: set[str], layout: RootLayout) -> tuple[str, ...]:
    """What lies under the root folder; returns what could not be removed."""
    if not kinds & {"environments", "cache"}:
        return ()
    environments, cache = "environments" in kinds, "cache" in kinds
    known = tuple(one.folder for one in list_environments(layout)) if environments else ()
    stuck = UndoJob(layout, environments=known, leftovers=environments, cache=cache, pythons=cache).run(JobContext())
    _remove_if_empty(layout.journal, layout.environments, layout.root)
    return stuck


def _delete(place: Path) -> None:
    if place.is_dir():
        remove_folder(place)
    else:
        place.unlink(missing_ok=True)


def _remove_if_empty(*folders: Path) -> None:
    for folder in folders:
        with contextlib.suppress(OSError):
            folder.rmdir()
