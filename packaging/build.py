"""Builds the program that people download: a folder, a zip file, on Windows an installer, and the sums of all of it.

    python packaging/build.py [--output FOLDER]

It needs `pip install -c packaging/constraints.txt pyinstaller .` in the Python that runs it, and for the installer
`makensis` (NSIS 3). A certificate comes by the environment: SIGN_COMMAND is run with a file's path added, for the
programs before they are packed, and for the installer. Sizes are printed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from gpu_assistant.base.licences import FILE, licences

PROJECT = Path(__file__).parents[1]
NAME = "gpu-assistant"
ICON_SIZES = (16, 20, 24, 32, 40, 48, 64, 128, 256)

# per-monitor scaling, UTF-8 as the code page, no administrator, long paths
MANIFEST = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
  <trustInfo xmlns="urn:schemas-microsoft-com:asm.v3"><security><requestedPrivileges>
    <requestedExecutionLevel level="asInvoker" uiAccess="false"/>
  </requestedPrivileges></security></trustInfo>
  <compatibility xmlns="urn:schemas-microsoft-com:compatibility.v1"><application>
    <supportedOS Id="{8e0f7a12-bfb3-4fe8-b9a5-48fd50a15a9a}"/>
  </application></compatibility>
  <application xmlns="urn:schemas-microsoft-com:asm.v3"><windowsSettings>
    <dpiAwareness xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">PerMonitorV2</dpiAwareness>
    <activeCodePage xmlns="http://schemas.microsoft.com/SMI/2019/WindowsSettings">UTF-8</activeCodePage>
    <longPathAware xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">true</longPathAware>
  </windowsSettings></application>
</assembly>
"""

VERSION = """VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3f, flags=0x0, OS=0x40004, fileType=0x1),
  kids=[
    StringFileInfo([StringTable('040904B0', [
      StringStruct('FileDescription', 'GPU Assistant'), StringStruct('ProductName', 'GPU Assistant'),
      StringStruct('FileVersion', '{text}'), StringStruct('ProductVersion', '{text}'),
      StringStruct('LegalCopyright', 'MIT licence'), StringStruct('OriginalFilename', 'gpu-assistant-gui.exe')])]),
    VarFileInfo([VarStruct('Translation', [1033, 1200])])])
"""


def main() -> int:
    """Builds everything that can be built here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=PROJECT / "build" / "release")
    parser.add_argument("--program", type=Path, help="pack this built program, perhaps of another system")
    args = parser.parse_args()
    output: Path = args.output.absolute()
    made = PROJECT / "build" / "made"
    for folder in (output, made):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    version = metadata.version(NAME)
    write_parts(made, version)
    program: Path = args.program or freeze(made)
    sign(*program.glob("gpu-assistant*.exe"))
    if not (program / f"{NAME}.exe").exists():
        add_desktop_files(program)
    results = [pack(program, output, version)]
    if installer := make_installer(program, output, version, made):
        sign(installer)
        results.append(installer)
    write_sums(output, results)
    print(f"{'program':14}{size_of(program) / 1e6:8.1f} MB")
    for path in results:
        print(f"{path.name:40}{path.stat().st_size / 1e6:8.1f} MB")
    return 0


def write_parts(made: Path, version: str) -> None:
    """The icon, the version resource, the manifest and the licences of all parts."""
    numbers = (*map(int, version.split(".")[:3]), 0)
    (made / "version.txt").write_text(VERSION.format(numbers=numbers, text=version), "utf-8")
    (made / "program.manifest").write_text(MANIFEST, "utf-8")
    (made / FILE).write_text(licences(), "utf-8")
    write_icon(PROJECT / "resources" / "icons" / "app.svg", made / "program.ico")


def write_icon(source: Path, target: Path) -> None:
    """An .ico of PNG pictures, in every size that Windows asks for."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice
    from PySide6.QtGui import QGuiApplication, QIcon

    app = QGuiApplication.instance() or QGuiApplication([])
    pictures = []
    for size in ICON_SIZES:
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        QIcon(str(source)).pixmap(size, size).save(buffer, "PNG")
        pictures.append((size, bytes(data.data())))
    del app
    head = b"\x00\x00\x01\x00" + len(pictures).to_bytes(2, "little")
    place = len(head) + 16 * len(pictures)
    rows = b""
    for size, data in pictures:
        side = size % 256  # 0 stands for 256
        rows += bytes((side, side, 0, 0, 1, 0, 32, 0)) + len(data).to_bytes(4, "little") + place.to_bytes(4, "little")
        place += len(data)
    target.write_bytes(head + rows + b"".join(data for _, data in pictures))


def freeze(made: Path) -> Path:
    """Runs PyInstaller; the folder with both programs."""
    build = PROJECT / "build"
    words = ["--noconfirm", "--clean", "--distpath", str(build / "dist"), "--workpath", str(build / "work")]
    spec = str(PROJECT / "packaging" / "program.spec")
    environment = {**os.environ, "GPU_ASSISTANT_MADE": str(made)}
    subprocess.run([sys.executable, "-m", "PyInstaller", *words, spec], check=True, env=environment, cwd=PROJECT)
    return build / "dist" / NAME


def add_desktop_files(program: Path) -> None:
    """What a Linux desktop wants beside the program."""
    for path in (*(PROJECT / "packaging" / "linux").iterdir(), PROJECT / "resources" / "icons" / "app.svg"):
        shutil.copy(path, program / (f"{NAME}.svg" if path.suffix == ".svg" else path.name))


def pack(program: Path, output: Path, version: str) -> Path:
    """The portable archive."""
    kind, system = ("zip", "windows") if (program / f"{NAME}.exe").exists() else ("gztar", "linux")
    stem = output / f"{NAME}-{version}-{system}-portable"
    return Path(shutil.make_archive(str(stem), kind, program.parent, program.name))


def make_installer(program: Path, output: Path, version: str, made: Path) -> Path | None:
    """The installer of a Windows program, with NSIS, which runs on Linux as well; None where there is nothing to do."""
    makensis = shutil.which("makensis")
    if makensis is None or not (program / f"{NAME}.exe").exists():
        return None
    target = output / f"{NAME}-{version}-setup.exe"
    given = {"VERSION": version, "PROGRAM": program, "OUTPUT": target, "ICON": made / "program.ico"}
    words = [f"-D{name}={value}" for name, value in given.items()]
    subprocess.run([makensis, "-V2", *words, str(PROJECT / "packaging" / "installer.nsi")], check=True)
    return target


def sign(*files: Path) -> None:
    """Signs with whatever SIGN_COMMAND names; without it nothing happens."""
    command = os.environ.get("SIGN_COMMAND")
    for file in files if command else ():
        subprocess.run([*shlex.split(command or "", posix=sys.platform != "win32"), str(file)], check=True)


def write_sums(output: Path, files: list[Path]) -> None:
    """SHA256SUMS, as `sha256sum --check` reads it."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (output / "SHA256SUMS").write_text("".join(lines), "utf-8")


def size_of(folder: Path) -> int:
    """Bytes of all files in it."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    raise SystemExit(main())
