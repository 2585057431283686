from __future__ import annotations

import msgspec
import pytest

from gpu_assistant.base.files import put_aside, write_atomic
from gpu_assistant.base.settings import Settings, load_settings, save_settings
from gpu_assistant.base.texts import say


def test_what_is_saved_is_read_again(tmp_path):
    chosen = Settings(
        language="ru", root_folder="D:\\ИИ", wheel_folder="E:/колёса", offline=True, monitor_metrics=("power",)
    )
    save_settings(tmp_path / "deep" / "settings.toml", chosen)
    assert load_settings(tmp_path / "deep" / "settings.toml") == (chosen, None)


def test_no_file_means_the_defaults(tmp_path):
    assert load_settings(tmp_path / "none.toml") == (Settings(), None)


@pytest.mark.parametrize("content", [b"language = [", b"languge = 'ru'", b"language = 'klingon'", b"\xff\xfe\x00"])
def test_a_broken_file_is_put_aside_and_said(tmp_path, content):
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    settings, trouble = load_settings(path)
    assert settings == Settings()
    assert trouble is not None
    assert not path.exists()
    kept = tmp_path / str(trouble.args["file"])
    assert kept.read_bytes() == content
    assert str(kept) in say(trouble, "en")
    assert str(kept) in say(trouble, "ru")


def test_only_what_differs_is_written(tmp_path):
    save_settings(tmp_path / "s.toml", Settings(theme="dark"))
    assert msgspec.toml.decode((tmp_path / "s.toml").read_bytes()) == {"theme": "dark"}


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_atomic(path, b"old")

    def no_replace(source, target):
        raise OSError("power cut")

    monkeypatch.setattr("gpu_assistant.base.files._replace", no_replace)
    with pytest.raises(OSError, match="power cut"):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_putting_aside_twice_keeps_both(tmp_path):
    for text in ("one", "two"):
        (tmp_path / "x").write_text(text)
        put_aside(tmp_path / "x")
    assert sorted(path.read_text() for path in tmp_path.iterdir()) == ["one", "two"]
