"""The promise of the journal: a crash between any two touches of the disk leaves the old state or the new one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gpu_assistant.base.paths import RootLayout
from gpu_assistant.base.texts import LANGUAGES, say
from gpu_assistant.install import place as place_module
from gpu_assistant.install.environments import list_environments, list_leftovers
from gpu_assistant.install.journal import Journal, Owner, is_alive, this_process
from gpu_assistant.install.marker import Marker, environment_python, read_marker, write_marker
from gpu_assistant.install.place import Place, recover


class PowerCut(BaseException):
    """Nothing runs after it: no handler, no clean-up."""


def marker_of(plan_id: str) -> Marker:
    return Marker(
        plan_id=plan_id,
        framework="pytorch",
        option="cpu",
        build="cpu",
        packages=(),
        versions={},
        python="3.11.7",
        finished=time.time(),
    )


def fake_environment(folder: Path, plan_id: str) -> None:
    python = environment_python(folder)
    python.parent.mkdir(parents=True)
    python.write_text("")
    (folder / "plan").write_text(plan_id)


class Cutter:
    """Cuts the power before or after the n-th touch of the disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
        self.at = at
        self.touches = 0
        for owner, name in (
            (place_module, "rename"),
            (place_module, "write_marker"),
            (place_module, "remove_marker"),
            (Journal, "write"),
            (Journal, "forget"),
        ):
            monkeypatch.setattr(owner, name, self._wrap(getattr(owner, name)))

    def _wrap(self, function):
        def touch(*args):
            self._tick()
            result = function(*args)
            self._tick()
            return result

        return touch

    def _tick(self) -> None:
        self.touches += 1
        if self.touches == self.at:
            raise PowerCut


def run_install(layout, target: Path, manner: str, *, succeed: bool) -> None:
    place = Place(layout, plan_id="new", framework="pytorch", target=target, manner=manner)
    if manner == "repair":
        (place.build / "plan").write_text("new")
    else:
        fake_environment(place.build, "new")
    if succeed:
        place.finish(marker_of("new"))
    else:
        place.give_up()


@pytest.mark.parametrize("manner", ["beside", "straight", "repair"])
@pytest.mark.parametrize("had_one", [True, False], ids=["replacing", "fresh"])
@pytest.mark.parametrize("succeed", [True, False], ids=["succeeds", "fails"])
def test_a_crash_at_any_moment(tmp_path, monkeypatch, manner, had_one, succeed):
    if manner == "repair" and not had_one:
        pytest.skip("there is nothing to repair")
    cuts = 0
    for at in range(1, 60):
        layout = RootLayout(tmp_path / str(at))
        target = layout.environments / "env"
        if had_one:
            fake_environment(target, "old")
            write_marker(target, marker_of("old"))
        with monkeypatch.context() as patch:
            Cutter(patch, at)
            try:
                run_install(layout, target, manner, succeed=succeed)
            except PowerCut:
                cuts += 1
                cut = True
            else:
                cut = False
        with monkeypatch.context() as patch:
            patch.setattr(place_module, "is_alive", lambda owner: False)
            said = recover(layout)
            again = recover(layout)
        check_promise(layout, target, had_one=had_one, manner=manner, said=said)
        assert again == ()
        if not cut:
            break
    assert cuts >= 4
    assert not cut


def check_promise(layout, target: Path, *, had_one: bool, manner: str, said) -> None:
    for message in said:
        assert all(say(message, language) for language in LANGUAGES)
    marker = read_marker(target)
    if marker is not None:
        assert (target / "plan").read_text() == marker.plan_id
    elif manner != "repair":
        assert not target.exists()
        assert not had_one, "the former environment is gone"
    usable = [Path(environment.folder) for environment in list_environments(layout)]
    assert usable == ([target] if marker is not None else [])
    for leftover in list_leftovers(layout):
        if leftover.kind != "old":
            assert read_marker(Path(leftover.folder)) is None
    assert all(record.phase == "done" for record in Journal(layout).records())
    assert not [path for path in layout.journal.glob("*") if path.is_dir()]


def test_what_a_living_program_builds_is_left_alone(layout):
    place = Place(layout, plan_id="p", framework="pytorch", target=layout.environments / "env", manner="beside")
    fake_environment(place.build, "p")
    assert recover(layout) == ()
    assert place.build.exists()
    assert list_leftovers(layout) == ()
    assert Journal(layout).busy_with(layout.environments / "env")
    assert not Journal(layout).busy_with(layout.environments / "other")
    place.give_up()
    assert not Journal(layout).busy_with(layout.environments / "env")


def test_an_owner_is_a_process_and_not_a_number():
    mine = this_process()
    assert is_alive(mine)
    assert not is_alive(Owner(pid=mine.pid, created=mine.created - 100))
    assert not is_alive(None)


def test_an_old_environment_in_use_waits_for_the_next_start(layout, monkeypatch):
    target = layout.environments / "env"
    fake_environment(target, "old")
    write_marker(target, marker_of("old"))
    place = Place(layout, plan_id="new", framework="pytorch", target=target, manner="beside")
    fake_environment(place.build, "new")
    with monkeypatch.context() as patch:

        def in_use(source, target):
            raise PermissionError(13, "in use", str(source))

        patch.setattr(place_module, "rename", in_use)
        with pytest.raises(PermissionError):
            place.finish(marker_of("new"))
        assert place.give_up() is None
    assert read_marker(target).plan_id == "old"
    assert [message.id for message in recover(layout)] == ["install-recovered-finished"]
    assert read_marker(target).plan_id == "new"


def test_only_the_newest_broken_environment_is_kept(layout):
    for _ in range(3):
        place = Place(layout, plan_id="p", framework="pytorch", target=layout.environments / "env", manner="beside")
        fake_environment(place.build, "p")
        place.give_up()
    assert len(list_leftovers(layout)) == 1
