"""The whole engine with the real uv, against tiny wheels of a local index."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.texts import LANGUAGES, say
from gpu_assistant.install.engine import InstallJob, PlanNotAccepted
from gpu_assistant.install.environments import list_environments, list_leftovers
from gpu_assistant.install.events import Note, Progress, StepStarted, Verified, Waiting
from gpu_assistant.install.marker import environment_python, read_marker
from gpu_assistant.install.run import InstallRun, fold, load_run, read_log
from tests.install.plans import make_plan, step
from tests.install.wheels import Manners, serving, write_wheel

posix = pytest.mark.skipif(sys.platform == "win32", reason="scripts of sh, signals")

TORCH = "torch-9.1.0+cpu-py3-none-any.whl"


def install(plan, layout, *, log=None, on_event=None, silence=300.0) -> tuple[InstallRun, list]:
    events: list = []

    def listen(event):
        events.append(event)
        if on_event is not None:
            on_event(ctx, event)

    ctx = JobContext(listen)
    run = InstallJob(plan, accepted=plan.id, layout=layout, log=log, silence=silence).run(ctx)
    for message in [note.message for note in run.notes] + ([run.failure.reason] if run.failure else []):
        assert all(say(message, language) for language in LANGUAGES)
    return run, events


def processes_about(folder: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if str(folder) in " ".join(process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def assert_nothing_usable(layout, plan):
    target = Path(plan.target)
    assert read_marker(target) is None
    assert not target.exists()
    assert list_environments(layout) == ()
    assert not processes_about(layout.root)


def test_an_accepted_plan_becomes_a_proven_environment(layout, wheels, tmp_path):
    log = tmp_path / "run.jsonl"
    with serving(wheels) as index:
        plan = make_plan(layout, index.url, hosts=(index.host,))
        run, events = install(plan, layout, log=log)
    assert run.ending == "succeeded", (run.failure, run.notes)
    assert [step.state for step in run.steps] == ["done"] * 7
    assert run.verified is not None
    assert run.verified.build == "cpu"
    assert run.done_bytes == run.total_bytes == sum(path.stat().st_size for path in (wheels / TORCH, *_dep(wheels)))
    assert run.notes == ()
    marker = read_marker(Path(plan.target))
    assert marker is not None
    assert (marker.plan_id, marker.versions) == (plan.id, {"torch": "9.1.0+cpu"})
    assert run == fold(events) == load_run(log)
    assert tuple(events) == read_log(log)
    said = subprocess.run(
        [run.python, "-c", "import torch; print(torch.__file__)"], capture_output=True, text=True, check=True
    )
    assert said.stdout.startswith(plan.target + os.sep)
    assert not list_leftovers(layout)
    assert [environment.folder for environment in list_environments(layout)] == [plan.target]


def _dep(wheels: Path) -> tuple[Path, ...]:
    return tuple(wheels.glob("tinydep-*.whl"))


def test_only_the_accepted_plan_runs(layout):
    plan = make_plan(layout, "http://127.0.0.1:9/simple")
    other = make_plan(layout, "http://127.0.0.1:9/simple", packages=("torch==9.2.0",))
    with pytest.raises(PlanNotAccepted):
        InstallJob(plan, accepted=other.id, layout=layout)


def test_the_shown_command_is_what_runs(layout, wheels):
    with serving(wheels) as index:
        plan = make_plan(layout, index.url)
        _, events = install(plan, layout)
    begun = {event.id: event.argv for event in events if isinstance(event, StepStarted)}
    for planned in plan.steps:
        ran = begun[planned.id]
        assert Path(ran[0]).name.startswith("uv")
        for shown, real in zip(planned.argv[1:], ran[1:], strict=False):
            assert shown == real or (plan.target in shown and ".partial-" in real)


def test_a_broken_connection_goes_on_where_it_stopped(layout, wheels):
    with serving(wheels, Manners(break_after=[700_000, 600_000])) as index:
        run, _ = install(make_plan(layout, index.url), layout)
        size = (wheels / TORCH).stat().st_size
        assert run.ending == "succeeded"
        assert size <= index.served[TORCH] < 1.5 * size
        assert sum("bytes=" in line and line.endswith("-") for line in index.requests) == 2


def test_a_cancelled_download_goes_on_at_the_next_try(layout, wheels):
    def cancel_in_the_middle(ctx, event):
        if isinstance(event, Progress) and event.file == TORCH and 0 < event.done < 1_900_000:
            ctx.cancel()

    with serving(wheels, Manners(rate=2_500_000)) as index:
        plan = make_plan(layout, index.url)
        first, _ = install(plan, layout, on_event=cancel_in_the_middle)
        assert first.ending == "cancelled"
        index.manners.rate = None
        second, _ = install(plan, layout)
        assert second.ending == "succeeded"
        assert index.served[TORCH] < 1.5 * (wheels / TORCH).stat().st_size
    kept = {file.name: file.kept for file in second.files}
    assert kept[TORCH] > 0


@pytest.mark.parametrize(
    "manners",
    [
        Manners(ranges=False, break_after=[700_000]),
        Manners(hashes=False, break_after=[700_000]),
        Manners(sizes=False),
    ],
    ids=["no ranges", "no hashes", "no sizes"],
)
def test_poor_servers_serve_too(layout, wheels, manners):
    with serving(wheels, manners) as index:
        run, _ = install(make_plan(layout, index.url), layout)
    assert run.ending == "succeeded", run.failure


def test_a_second_environment_needs_no_second_download(layout, wheels):
    with serving(wheels) as index:
        install(make_plan(layout, index.url), layout)
        before = index.served[TORCH]
        run, _ = install(make_plan(layout, index.url, name="another"), layout)
        assert run.ending == "succeeded"
        assert index.served[TORCH] - before < 50_000  # metadata only
    assert len(list_environments(layout)) == 2


@pytest.mark.parametrize("at", ["check", "environment", "resolve", "download", "install", "prove"])
def test_cancel_at_every_step_leaves_nothing_usable(layout, wheels, at):
    def cancel(ctx, event):
        if isinstance(event, StepStarted) and event.id == at:
            ctx.cancel()

    with serving(wheels) as index:
        plan = make_plan(layout, index.url, hosts=(index.host,))
        run, _ = install(plan, layout, on_event=cancel)
    assert run.ending == "cancelled"
    assert {step.id: step.state for step in run.steps}[at] == "cancelled"
    assert_nothing_usable(layout, plan)
    assert all(leftover.kind == "broken" for leftover in list_leftovers(layout))


def test_a_build_that_lost_its_tag_stops_before_the_download(layout, wheels):
    with serving(wheels) as index:
        plan = make_plan(layout, index.url, build="cu130")
        run, _ = install(plan, layout)
        assert index.served[TORCH] < 50_000
    assert run.ending == "failed"
    assert run.failure.step == "resolve"
    assert run.failure.reason.id == "select-resolved-cpu"
    assert_nothing_usable(layout, plan)


@pytest.mark.parametrize(
    ("package", "build", "reason"),
    [("torch==9.3.0", "cpu", "install-verify-import"), ("torch==9.4.0", "cu130", "install-verify-build")],
)
def test_what_does_not_prove_itself_does_not_count(layout, wheels, package, build, reason):
    with serving(wheels) as index:
        plan = make_plan(layout, index.url, packages=(package,), build=build)
        run, _ = install(plan, layout)
    assert run.ending == "failed"
    assert (run.failure.step, run.failure.reason.id) == ("prove", reason)
    assert_nothing_usable(layout, plan)
    assert [leftover.kind for leftover in list_leftovers(layout)] == ["broken"]
    if package == "torch==9.3.0":
        assert any("WinError 126" in line for line in run.failure.last_lines)


def test_no_such_version(layout, wheels):
    with serving(wheels) as index:
        run, _ = install(make_plan(layout, index.url, packages=("torch==1.0.0",)), layout)
    assert run.failure.reason.id == "install-failed-solution"
    assert run.failure.exit_code == 1
    assert any("No solution found" in line for line in run.failure.last_lines)


def test_spoilt_bytes_are_never_installed(layout, wheels):
    with serving(wheels, Manners(spoil={TORCH})) as index:
        run, _ = install(make_plan(layout, index.url), layout)
    assert run.ending == "failed"
    assert run.failure.step == "install"
    assert run.failure.reason.id == "install-failed-wheel"
    assert [note.message.id for note in run.notes] == ["install-left-to-uv"]
    assert not list((layout.cache / "downloads").glob("torch*"))


def test_a_refused_file_is_left_to_uv_and_its_answer_counts(layout, wheels):
    with serving(wheels, Manners(status={TORCH: 403})) as index:
        run, _ = install(make_plan(layout, index.url), layout)
    assert run.ending == "failed"
    assert run.failure.step in ("resolve", "install")


def test_a_broken_wheel(layout, tmp_path):
    folder = tmp_path / "bad"
    path = write_wheel(folder, "torch", "9.1.0+cpu", metadata_version="9.0.0")
    path.write_bytes(path.read_bytes())
    with serving(folder) as index:
        plan = make_plan(layout, index.url)
        run, _ = install(plan, layout)
    assert run.ending == "failed"
    assert_nothing_usable(layout, plan)


def test_the_former_environment_stays_until_the_new_one_is_proven(layout, wheels):
    with serving(wheels) as index:
        first = make_plan(layout, index.url)
        install(first, layout)
        before = read_marker(Path(first.target))
        failing = make_plan(layout, index.url, packages=("torch==9.3.0",))
        run, _ = install(failing, layout)
        assert run.ending == "failed"
        assert read_marker(Path(first.target)) == before
        better = make_plan(layout, index.url, packages=("torch==9.2.0",), build="cu130")
        run, _ = install(better, layout)
    assert run.ending == "succeeded", run.failure
    assert read_marker(Path(first.target)).plan_id == better.id
    assert [environment.marker.plan_id for environment in list_environments(layout)] == [better.id]
    assert sorted(leftover.kind for leftover in list_leftovers(layout)) == ["broken", "old"]


def test_a_wheel_of_another_build_in_the_downloads_does_not_slip_in(layout, wheels, tmp_path):
    with serving(wheels) as index:
        install(make_plan(layout, index.url, packages=("torch==9.2.0",), build="cu130"), layout)
    cpu_only = tmp_path / "cpu"
    write_wheel(cpu_only, "torch", "9.2.0+cpu")
    with serving(cpu_only) as index:
        run, _ = install(make_plan(layout, index.url, packages=("torch==9.2.0",), name="cpu"), layout)
    assert run.ending == "succeeded", run.failure
    assert run.verified.build == "cpu"


def test_a_foreign_folder_is_not_touched(layout, wheels):
    target = layout.environments / "mine"
    target.mkdir(parents=True)
    (target / "thesis.txt").write_text("three years of work")
    with serving(wheels) as index:
        run, _ = install(make_plan(layout, index.url, target=target), layout)
    assert run.failure.reason.id == "install-check-not-empty"
    assert [path.name for path in target.iterdir()] == ["thesis.txt"]


def test_no_write_access(layout, tmp_path):
    (tmp_path / "file").write_text("")
    plan = make_plan(layout, "http://127.0.0.1:9/simple", target=tmp_path / "file" / "env")
    run, _ = install(plan, layout)
    assert run.failure.reason.id == "install-check-no-write"


def test_no_room(layout):
    plan = make_plan(layout, "http://127.0.0.1:9/simple", disk_bytes=1 << 60, download_bytes=1 << 40)
    run, _ = install(plan, layout)
    assert run.failure.reason.id == "install-check-no-room"
    assert run.failure.reason.args["need"] > 1 << 60


def test_a_disk_that_refuses_the_download(layout, wheels):
    (layout.cache).mkdir(parents=True)
    (layout.cache / "downloads").write_text("a file where a folder must be")
    with serving(wheels) as index:
        run, _ = install(make_plan(layout, index.url), layout)
    assert run.ending == "failed"
    assert run.failure.step == "download"


def test_an_unreachable_host_warns_and_the_failure_is_uv_s_own(layout):
    plan = make_plan(layout, "http://127.0.0.1:9/simple", hosts=("127.0.0.1:9",), environment={"UV_HTTP_RETRIES": "0"})
    run, events = install(plan, layout)
    notes = [event for event in events if isinstance(event, Note)]
    assert [(note.severity, note.message.id) for note in notes] == [("warning", "install-check-host-refused")]
    assert run.failure.step == "resolve"
    assert run.failure.reason.id == "install-failed-network"


def test_a_dead_server_gives_up_after_many_tries_and_keeps_what_came(layout, wheels):
    def vanish(ctx, event):
        if isinstance(event, StepStarted) and event.id == "download":
            index.manners.break_after = [300_000] + [0] * 50

    with serving(wheels) as index:
        plan = make_plan(layout, index.url, environment={"UV_HTTP_RETRIES": "1"})
        run, _ = install(plan, layout, on_event=vanish)
        assert run.ending == "failed"
        assert run.failure.reason.id == "install-failed-connection"
        assert run.failure.reason.args["done"] > 0


@posix
def test_silence_is_told_and_nobody_is_killed(layout, wheels):
    slow = step("slow", "/bin/sh", "-c", "sleep 1; echo done")
    with serving(wheels) as index:
        plan = make_plan(layout, index.url)
        plan = make_plan(layout, index.url, steps=(*plan.steps, slow))
        run, events = install(plan, layout, silence=0.2)
    begun = next(n for n, event in enumerate(events) if isinstance(event, StepStarted) and event.id == "slow")
    waits = [event for event in events[begun:] if isinstance(event, Waiting)]
    assert len(waits) >= 2
    assert waits[1].seconds > waits[0].seconds
    assert run.ending == "succeeded", run.failure
    assert run.waiting is None


@posix
def test_an_installer_killed_from_outside(layout, wheels):
    kill = step("kill", "/bin/sh", "-c", "kill -KILL $$")
    with serving(wheels) as index:
        plan = make_plan(layout, index.url)
        plan = make_plan(layout, index.url, steps=(plan.steps[0], kill))
        run, _ = install(plan, layout)
    assert run.failure.reason.id == "install-failed-killed"
    assert run.failure.exit_code == -9
    assert_nothing_usable(layout, plan)


def test_offline_from_a_folder_of_wheels(layout, wheels):
    python = str(environment_python(layout.environments / "pytorch-cpu"))
    plan = make_plan(layout, "http://127.0.0.1:9/simple")
    argv = ("uv", "pip", "install", "--python", python, "--no-index", "--find-links", str(wheels), "torch==9.1.0")
    plan = make_plan(layout, "http://127.0.0.1:9/simple", steps=(plan.steps[0], step("install", *argv)))
    run, events = install(plan, layout)
    assert run.ending == "succeeded", run.failure
    assert run.files == ()
    assert any(isinstance(event, Verified) for event in events)


def test_a_repair_takes_the_marker_away_until_it_is_proven(layout, wheels):
    with serving(wheels) as index:
        plan = make_plan(layout, index.url)
        install(plan, layout)
        python = str(environment_python(Path(plan.target)))
        argv = ("uv", "pip", "install", "--python", python, "--default-index", index.url)
        bad = step("install", *argv, "--reinstall-package", "torch", "torch==9.3.0")
        run, _ = install(make_plan(layout, index.url, packages=("torch==9.3.0",), steps=(bad,)), layout)
        assert run.ending == "failed"
        assert read_marker(Path(plan.target)) is None
        good = step("install", *argv, "--reinstall-package", "torch", "torch==9.2.0")
        run, _ = install(make_plan(layout, index.url, packages=("torch==9.2.0",), build="cu130", steps=(good,)), layout)
        assert run.ending == "succeeded", run.failure
    assert read_marker(Path(plan.target)).versions == {"torch": "9.2.0+cu130"}


def test_an_environment_that_cannot_be_moved_is_built_at_its_place(layout, wheels):
    target = layout.environments / "plain"
    with serving(wheels) as index:
        plan = make_plan(layout, index.url, target=target, tool="pip")
        run, events = install(plan, layout)
        assert run.ending == "succeeded"
        assert all(".partial-" not in word for e in events if isinstance(e, StepStarted) for word in e.argv)
        before = read_marker(target)
        failing = make_plan(layout, index.url, target=target, tool="pip", packages=("torch==9.3.0",))
        run, _ = install(failing, layout)
    assert run.ending == "failed"
    assert read_marker(target) == before
