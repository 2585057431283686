"""Keeps the window's translations: collects the literals (lupdate), builds the .qm files (lrelease), checks both.

python packaging/translations.py            collect and build
python packaging/translations.py --check    change nothing; exit code 1 and a list if anything is missing or stale
"""

from __future__ import annotations

import argparse
import shutil
import string
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "i18n"
SOURCES = ROOT / "gpu_assistant" / "gui"
# English needs only its plural forms: every other literal is English already.
FILES = {"gpu_assistant_ru.ts": (), "gpu_assistant_en.ts": ("-pluralonly",)}
LANGUAGES = {"gpu_assistant_ru.ts": "ru_RU", "gpu_assistant_en.ts": "en_US"}


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        collect(FOLDER)
        build(FOLDER)
        complaints = incomplete(FOLDER)
    else:
        complaints = check()
    print("\n".join(complaints) or "translations are complete")
    return 1 if complaints else 0


def tool(name: str) -> str:
    """The Qt tool that travels with PySide6."""
    beside = Path(sys.executable).with_name(name)
    found = shutil.which(str(beside)) or shutil.which(name)
    if found is None:
        sys.exit(f"{name} was not found; it is part of PySide6-Essentials")
    return found


def collect(folder: Path) -> None:
    """Brings the .ts files up to date with the sources; entries that nobody uses any more go."""
    # without -extensions lupdate finds nothing in a folder of Python files
    sources = sorted(str(path) for path in SOURCES.rglob("*.py"))
    for name, more in FILES.items():
        options = [
            "-no-obsolete",
            "-locations",
            "none",
            "-source-language",
            "en_US",
            "-target-language",
            LANGUAGES[name],
        ]
        command = [tool("pyside6-lupdate"), *options, *more, *sources, "-ts", str(folder / name)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def build(folder: Path) -> None:
    """Compiles the .ts files."""
    for name in FILES:
        target = folder / Path(name).with_suffix(".qm").name
        command = [tool("pyside6-lrelease"), str(folder / name), "-qm", str(target)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def check() -> list[str]:
    """What is incomplete, or differs from what a fresh run would make."""
    complaints = incomplete(FOLDER)
    with tempfile.TemporaryDirectory() as name:
        fresh = Path(name)
        for file in FILES:
            shutil.copy(FOLDER / file, fresh / file)
        collect(fresh)
        complaints += incomplete(fresh)
        for file in FILES:
            if messages(fresh / file) != messages(FOLDER / file):
                complaints.append(f"{file} is behind the sources: run python packaging/translations.py")
    for file in FILES:
        complaints += stale(FOLDER / file)
    return list(dict.fromkeys(complaints))


def stale(path: Path) -> list[str]:
    """Whether the .qm beside a .ts file says what the .ts says. Its bytes may differ from one Qt to the next."""
    from PySide6.QtCore import QTranslator

    built = path.with_suffix(".qm")
    translator = QTranslator()
    if not translator.load(str(built)):
        return [f"{built.name} is missing: run python packaging/translations.py"]
    for context, source, text in messages(path):
        counts = (1, 2, 5) if "%n" in source else (-1,)
        for form, count in zip(text.split("|"), counts, strict=False):
            if translator.translate(context, source, "", count) != form:
                return [f"{built.name} is behind {path.name}: run python packaging/translations.py"]
    return []


def messages(path: Path) -> list[tuple[str, str, str]]:
    """Context, source and translation of every entry."""
    found = []
    for context in ET.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            forms = [] if translation is None else [form.text or "" for form in translation.iter("numerusform")]
            text = "|".join(forms) or (translation.text or "" if translation is not None else "")
            found.append((context.findtext("name", ""), message.findtext("source", ""), text))
    return found


def incomplete(folder: Path) -> list[str]:
    """Entries without a translation, or with other holes than their source."""
    complaints = []
    for name in FILES:
        for context in ET.parse(folder / name).getroot().iter("context"):
            for message in context.iter("message"):
                complaints += [
                    f"{name}: {context.findtext('name')}: {problem}: {message.findtext('source')!r}"
                    for problem in _problems(message)
                ]
    return complaints


def _problems(message: ET.Element) -> list[str]:
    source = message.findtext("source", "")
    translation = message.find("translation")
    if translation is None or translation.get("type") is not None:
        return ["not translated"]
    forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
    problems = ["empty"] if not all(forms) else []
    if any(_holes(form) != _holes(source) for form in forms):
        problems.append("other holes than the source")
    if any(("&" in form) != ("&" in source) for form in forms):
        problems.append("the access key (&) stands in one language only")
    return problems


def _holes(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


if __name__ == "__main__":
    sys.exit(main())
