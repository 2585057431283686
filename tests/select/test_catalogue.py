"""The catalogue is read strictly, and its facts agree with one another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from gpu_assistant.base.resources import BadData, resource_root
from gpu_assistant.base.texts import texts
from gpu_assistant.select.catalogue import frameworks, load_frameworks
from gpu_assistant.select.situation import resolve
from gpu_assistant.select.versions import PythonRange, at_least, branch, numbers

SOURCE = resource_root() / "frameworks" / "pytorch" / "framework.toml"


def damaged(tmp_path: Path, old: str, new: str) -> str:
    folder = tmp_path / "pytorch"
    folder.mkdir()
    text = SOURCE.read_text(encoding="utf-8")
    assert old in text
    (folder / "framework.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadData) as bad:
        load_frameworks(tmp_path)
    return str(bad.value)


def test_complaints_name_file_entry_and_key(tmp_path: Path) -> None:
    complaint = damaged(tmp_path, 'tag = "cu130"', 'tagg = "cu130"')
    assert "pytorch/framework.toml" in complaint
    assert 'did you mean "tag"' in complaint


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id = "pytorch"', 'id = "torch"', "folder's name"),
        ('"torch>=2.14.1,<2.16"', '"torch>=>2"', "packages"),
        ('driver = { windows = "580.00", linux = "580.65.06" }', 'driver = { windows = "580.00" }', "linux"),
        ('version = "2.14.1"  # seen', 'version = "9.9.9"  # seen', "no [[code]] row for 9.9.9"),
        ('id = "cu132"', 'id = "cu130"', "there twice"),
        ('index = "https://download.pytorch.org/whl"\n', "", "names no index"),
        ('python = "3.11-3.14"', 'python = "new"', "no version number"),
    ],
)
def test_what_types_cannot_see_is_checked(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert said in damaged(tmp_path, old, new)


def test_pins_agree_with_the_releases() -> None:
    row = frameworks()["pytorch"]
    for build in row.build:
        torch, vision = (Requirement(text) for text in build.packages)
        fitting = [release for release in row.release if Version(release.version) in torch.specifier]
        assert fitting, build.id
        for release in fitting:
            assert any(Version(text) in vision.specifier for text in release.companions["torchvision"]), build.id
        for python in (row.preferred_python, *str(build.pythons).split("-")):
            assert python in build.pythons
            assert any(python in PythonRange(release.python) for release in fitting), build.id


def test_every_text_that_a_row_names_exists() -> None:
    for row in frameworks().values():
        for build in resolve(row).build:
            for id_ in build.elsewhere.values():
                assert id_ in texts()


def test_every_text_of_selection_that_the_code_names_exists() -> None:
    package = Path(__file__).parents[2] / "gpu_assistant"
    for path in [*package.glob("select/*.py"), package / "cli" / "plan.py"]:
        for id_ in re.findall(r'"(select-[a-z0-9-]+)"', path.read_text(encoding="utf-8")):
            assert id_ in texts(), f"{path.name}: {id_}"


def test_versions_are_numbers() -> None:
    assert at_least("580.88", "580.65.06")
    assert at_least("580", "580.00")
    assert not at_least("99.1", "100.0")
    assert not at_least(None, "1")
    assert not at_least("newest", "1")
    assert branch("582.28") == 582
    assert branch("?") is None
    with pytest.raises(ValueError, match="no version number"):
        numbers("none")


def test_python_ranges() -> None:
    fits = PythonRange("3.9-3.13")
    assert "3.13.1" in fits
    assert "3.14" not in fits
    assert "3.8.20" not in fits
    assert fits.choose("3.12") == "3.12"
    assert fits.choose("3.14") == "3.13"
    assert fits.choose("3.8") == "3.9"
    assert str(fits) == "3.9-3.13"
