from __future__ import annotations

import sys

import pytest

from gpu_assistant.base.system_pages import open_system_page, system_pages
from gpu_assistant.base.texts import LANGUAGES, say


def test_every_page_has_a_name_in_both_languages():
    assert {"task-manager", "device-manager", "graphics-settings", "page-file"} <= system_pages().keys()
    for page in system_pages().values():
        assert all(page.say(language).strip() for language in LANGUAGES)
    names = [page.ru for page in system_pages().values()]
    assert len(set(names)) == len(names)


@pytest.mark.skipif(sys.platform == "win32", reason="there it would open")
def test_elsewhere_it_says_that_there_is_no_such_page():
    said = open_system_page("device-manager")
    assert said is not None
    assert "devmgmt.msc" in say(said, "ru")


@pytest.mark.skipif(sys.platform != "win32", reason="Windows opens its pages")
def test_windows_is_asked_to_open_the_page(monkeypatch):
    opened: list[str] = []
    monkeypatch.setattr("os.startfile", opened.append)
    assert open_system_page("graphics-settings") is None
    assert opened == ["ms-settings:display-advancedgraphics"]


@pytest.mark.skipif(sys.platform != "win32", reason="Windows refuses in its own words")
def test_a_refusal_is_told(monkeypatch):
    def refuse(page: str) -> None:
        raise OSError(13, "switched off by the administrator", page)

    monkeypatch.setattr("os.startfile", refuse)
    said = open_system_page("device-manager")
    assert said is not None
    assert "switched off" in say(said, "en")
