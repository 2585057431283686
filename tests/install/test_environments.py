from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gpu_assistant.base.files import long_path
from gpu_assistant.base.job import JobContext
from gpu_assistant.base.settings import Settings
from gpu_assistant.install import environments as module
from gpu_assistant.install.environments import (
    UndoJob,
    folder_bytes,
    list_environments,
    list_leftovers,
    remove_environment,
    remove_folder,
    sizes,
)
from gpu_assistant.install.journal import Journal
from gpu_assistant.install.kernel import KernelFailed, RegisterKernelJob, kernel_file, kernel_step
from gpu_assistant.install.marker import environment_python, read_marker
from gpu_assistant.install.place import Place
from tests.install.test_place import fake_environment, marker_of

posix = pytest.mark.skipif(sys.platform == "win32", reason="scripts of sh, inode numbers")


def build(layout, target: Path) -> None:
    place = Place(layout, plan_id="p", framework="pytorch", target=target, manner="beside")
    fake_environment(place.build, "p")
    place.finish(marker_of("p"))


@pytest.fixture(autouse=True)
def jupyter(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    return tmp_path / "jupyter"


def test_environments_are_found_wherever_they_were_put(layout, tmp_path):
    build(layout, layout.environments / "one")
    build(layout, tmp_path / "elsewhere" / "two")
    assert {environment.name for environment in list_environments(layout)} == {"one", "two"}


def test_a_folder_without_its_marker_or_its_python_does_not_count(layout):
    target = layout.environments / "one"
    build(layout, target)
    environment_python(target).unlink()
    assert list_environments(layout) == ()
    fake_environment(layout.environments / "two", "x")
    assert list_environments(layout) == ()


def test_files_beyond_260_letters_are_counted_and_removed(layout):
    folder = layout.environments / "глубокая"
    deep = long_path(folder).joinpath(*["очень длинное имя папки пакета"] * 9)
    deep.mkdir(parents=True)
    (deep / "file.bin").write_bytes(bytes(1000))
    assert len(str(deep)) > 300
    assert folder_bytes(folder) == 1000
    remove_folder(folder)
    assert list(layout.environments.iterdir()) == []


@posix  # Windows' directory listing does not tell which files are the same
def test_a_file_of_two_names_counts_once(tmp_path):
    (tmp_path / "a").write_bytes(bytes(1000))
    os.link(tmp_path / "a", tmp_path / "b")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "c").write_bytes(bytes(10))
    assert folder_bytes(tmp_path) == 1010
    assert folder_bytes(tmp_path / "nothing") == 0


def test_undo_everything(layout, tmp_path):
    one, two = layout.environments / "one", tmp_path / "elsewhere" / "two"
    build(layout, one)
    build(layout, two)
    (tmp_path / "elsewhere" / "results.txt").write_text("mine")
    for folder in (layout.cache, layout.pythons):
        folder.mkdir()
        (folder / "file").write_bytes(bytes(100))
    before = sizes(layout)
    assert set(before.environments) == {str(one), str(two)}
    assert (before.cache, before.pythons) == (100, 100)
    seen: list[object] = []
    job = UndoJob(layout, environments=(str(one), str(two)), cache=True, pythons=True)
    assert job.run(JobContext(seen.append)) == ()
    assert seen == [str(one), str(two), str(layout.cache), str(layout.pythons)]
    assert list_environments(layout) == ()
    assert Journal(layout).records() == ()
    assert not layout.cache.exists()
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["results.txt"]


def test_pythons_stay_while_an_environment_needs_them(layout):
    build(layout, layout.environments / "one")
    build(layout, layout.environments / "two")
    layout.pythons.mkdir()
    UndoJob(layout, environments=(str(layout.environments / "one"),), pythons=True).run(JobContext())
    assert layout.pythons.exists()


def test_what_is_not_ours_is_not_deleted(layout):
    foreign = layout.environments / "mine"
    fake_environment(foreign, "x")
    with pytest.raises(ValueError, match="no environment of ours"):
        remove_environment(layout, foreign)
    assert UndoJob(layout, environments=(str(foreign),)).run(JobContext()) == (str(foreign),)
    assert foreign.exists()


def test_a_deletion_that_was_torn_off_leaves_nothing_usable(layout, monkeypatch):
    target = layout.environments / "one"
    build(layout, target)

    def power_cut(*args, **kwargs):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module.shutil, "rmtree", power_cut)
        with pytest.raises(KeyboardInterrupt):
            remove_environment(layout, target)
    assert list_environments(layout) == ()
    (leftover,) = list_leftovers(layout)
    assert leftover.kind == "deleting"
    assert UndoJob(layout).run(JobContext()) == ()
    assert list_leftovers(layout) == ()


@posix
def test_a_kernel_comes_and_goes_with_the_environment(layout):
    target = layout.environments / "one"
    build(layout, target)
    environment_python(target).write_text("#!/bin/sh\nexit 0\n")
    environment_python(target).chmod(0o755)
    step = kernel_step(target, layout, Settings(package_index="https://mirror.example/simple"))
    assert step.argv[-1] == "ipykernel"
    assert "https://mirror.example/simple" in step.argv
    said = RegisterKernelJob(target, step, layout, "PyTorch (GPU Assistant)").run(JobContext())
    assert said.id == "finish-kernel-added"
    assert str(environment_python(target)) in kernel_file(target).read_text()
    remove_environment(layout, target)
    assert not kernel_file(target).parent.exists()


@posix
def test_a_kernel_that_cannot_be_added_says_why(layout):
    target = layout.environments / "one"
    build(layout, target)
    environment_python(target).write_text("#!/bin/sh\nexit 1\n")
    environment_python(target).chmod(0o755)
    step = kernel_step(target, layout, Settings(offline=True))
    with pytest.raises(KernelFailed):
        RegisterKernelJob(target, step, layout, "PyTorch").run(JobContext())
    assert not kernel_file(target).exists()
    assert read_marker(target) is not None
