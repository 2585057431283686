from __future__ import annotations

from pathlib import Path

import pytest

from gpu_assistant.base.settings import Settings, save_settings
from gpu_assistant.cli import COMMANDS, main

RECORDING = str(Path(__file__).parents[1] / "recordings" / "no-gpu")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main([command, "--help"])
    assert raised.value.code == 0
    assert COMMANDS[command] in capsys.readouterr().out


def test_an_unknown_command_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["fly"])
    assert raised.value.code == 2
    assert "fly" in capsys.readouterr().err


def test_the_language_of_the_settings_is_spoken_and_the_option_wins(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_settings(own_home / "config" / "settings.toml", Settings(language="ru"))
    assert main(["report", "--replay", RECORDING]) == 0
    assert "Компьютер" in capsys.readouterr().out
    assert main(["report", "--replay", RECORDING, "--lang", "en"]) == 0
    assert "Компьютер" not in capsys.readouterr().out


def test_a_broken_settings_file_is_put_aside_and_told(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_home / "config" / "settings.toml"
    path.parent.mkdir(parents=True)
    path.write_text("language = klingon", "utf-8")
    assert main(["report", "--replay", RECORDING, "--lang", "en"]) == 0
    assert "kept as" in capsys.readouterr().err
    assert not path.exists()


def test_a_folder_that_is_no_recording_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--replay", str(tmp_path), "--lang", "en"]) == 2
    assert str(tmp_path) in capsys.readouterr().err
