"""What is kept is told with its size, and goes when it shall, each kind by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpu_assistant.base.paths import AppPaths
from gpu_assistant.base.settings import Settings, save_settings
from gpu_assistant.cli import folders, main


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As on Windows: settings and reports in one folder."""
    home = tmp_path / "home"
    paths = AppPaths(config=home, data=home, logs=home / "Logs")
    for module in ("gpu_assistant.cli", "gpu_assistant.cli.folders"):
        monkeypatch.setattr(f"{module}.app_paths", lambda: paths)
    save_settings(home / "settings.toml", Settings(root_folder=str(tmp_path / "root")))
    for path, size in (("home/runs/one/log.txt", 300), ("home/Logs/a.log", 70), ("root/cache/big.whl", 5000)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(bytes(size))
    return tmp_path


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, int]:
    assert main(["folders", "--json"]) == 0
    return {kind: row["bytes"] for kind, row in json.loads(capsys.readouterr().out).items()}


def test_each_kind_has_its_size(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = (kept / "home" / "settings.toml").stat().st_size
    assert told(capsys) == {"environments": 0, "cache": 5000, "settings": settings, "reports": 370}
    assert main(["folders", "--ini", str(kept / "sizes.ini")]) == 0
    assert "cache=0" in (kept / "sizes.ini").read_text("utf-16")


def test_reports_go_and_settings_stay(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["folders", "--remove", "reports"]) == 0
    assert [path.name for path in (kept / "home").iterdir()] == ["settings.toml"]
    assert (kept / "root" / "cache").exists()


def test_everything_goes(kept: Path) -> None:
    assert main(["folders", "--remove", ",".join(folders.KINDS)]) == 0
    assert not (kept / "home").exists()
    assert not (kept / "root").exists()


def test_an_unknown_kind_is_refused(kept: Path) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["folders", "--remove", "everything"])
    assert refused.value.code == 2
    assert (kept / "home" / "runs").exists()
