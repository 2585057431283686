"""Saved runs: listed, opened again, torn off, broken."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from gpu_assistant.base.texts import say
from gpu_assistant.smoke_test import store
from gpu_assistant.smoke_test.events import Began, Device, Exited, Hello, Log, Result
from gpu_assistant.smoke_test.run import SmokeRun, fold
from gpu_assistant.smoke_test.spec import SmokeSpec

SPEC = SmokeSpec(framework="pytorch", test="picture", python="C:\\Users\\Вася\\envs\\python.exe")
EVENTS = (
    Hello(python="3.12.4", framework="torch", version="2.14.1+cu130", build="cu130"),
    Device(kind="cuda", name="NVIDIA GeForce RTX 4060"),
    Log(text="привет из журнала"),
    Result(passed=True, summary={"cuda": "13.0", "steps": 10}),
    Exited(code=0),
)


def save(folder: Path, run_id: str, started: float = 1.0, events: tuple = EVENTS, end: bool = True) -> SmokeRun:
    began = Began(spec=SPEC, started=started, run_id=run_id)
    writer = store.RunWriter(folder, began)
    for event in (began, *events):
        writer.write(event)
    run = fold([began, *events])
    if end:
        writer.close(run)
    else:
        writer._events.close()
        writer._log.close()
    return run


def test_a_saved_run_comes_back_the_same(tmp_path: Path) -> None:
    run = save(tmp_path, "one")
    assert store.load_run("one", tmp_path) == run
    assert (tmp_path / "one" / "log.txt").read_text("utf-8") == "привет из журнала\n"


def test_the_list_is_newest_first_and_tells_versions(tmp_path: Path) -> None:
    for number in (2, 3, 1):
        save(tmp_path, f"run-{number}", started=float(number))
    runs, said = store.list_runs(tmp_path)
    assert [saved.meta.id for saved in runs] == ["run-3", "run-2", "run-1"]
    assert said == ()
    meta = runs[0].meta
    assert meta.verdict == "passed"
    assert meta.device == "NVIDIA GeForce RTX 4060"
    assert meta.versions == {"python": "3.12.4", "torch": "2.14.1+cu130", "build": "cu130", "cuda": "13.0"}


def test_a_run_that_was_torn_off_is_interrupted(tmp_path: Path) -> None:
    save(tmp_path, "torn", events=EVENTS[:2], end=False)
    with (tmp_path / "torn" / store.EVENTS).open("ab") as file:
        file.write(b'{"event":"log","te')
    runs, said = store.list_runs(tmp_path)
    assert [saved.meta.verdict for saved in runs] == ["running"]
    run = store.load_run("torn", tmp_path)
    assert run.verdict == "interrupted"
    assert run.device is not None
    assert said == ()


@pytest.mark.parametrize("damage", [b"nonsense\n", b'{"event":"unheard"}\n', b"\xff\xfe\n", b""])
def test_a_broken_run_is_put_aside_and_said(tmp_path: Path, damage: bytes) -> None:
    save(tmp_path, "bad")
    (tmp_path / "bad" / store.EVENTS).write_bytes(damage)
    with pytest.raises(store.BrokenRun) as caught:
        store.load_run("bad", tmp_path)
    aside = Path(str(caught.value.reason.args["file"]))
    assert aside.is_dir()
    assert (aside / store.META).exists()
    assert str(aside) in say(caught.value.reason, "ru")
    assert store.list_runs(tmp_path) == ((), ())
    with pytest.raises(FileNotFoundError):
        store.load_run("bad", tmp_path)


def test_broken_meta_data_are_put_aside_and_said(tmp_path: Path) -> None:
    save(tmp_path, "good")
    save(tmp_path, "bad")
    (tmp_path / "bad" / store.META).write_bytes(b"{")
    runs, said = store.list_runs(tmp_path)
    assert [saved.meta.id for saved in runs] == ["good"]
    assert [message.id for message in said] == ["smoke-run-broken"]
    assert store.list_runs(tmp_path)[1] == ()


@pytest.mark.parametrize("name", ["../one", "", ".", "..", "missing", "a/b"])
def test_only_runs_can_be_opened(tmp_path: Path, name: str) -> None:
    save(tmp_path / "runs", "one")
    with pytest.raises(FileNotFoundError):
        store.load_run(name, tmp_path / "runs")


def test_no_folder_is_no_trouble(tmp_path: Path) -> None:
    assert store.list_runs(tmp_path / "none") == ((), ())


def test_a_folder_that_cannot_be_written_does_not_stop_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    run = save(tmp_path / "file", "one")
    assert run.passed
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_full_disk_does_not_stop_the_run(tmp_path: Path) -> None:
    began = Began(spec=SPEC, started=1.0, run_id="full")
    writer = store.RunWriter(tmp_path, began)
    writer._events.close()

    class Full:
        def write(self, data: bytes) -> None:
            raise OSError(28, "No space left on device")

        def close(self) -> None: ...

    writer._events = Full()  # type: ignore[assignment]
    writer.write(EVENTS[0])
    writer.write(EVENTS[2])
    writer.close(fold([began, *EVENTS]))
    assert writer.trouble is not None
    writer._log.close()


def test_an_export_tells_the_run_and_not_the_user(tmp_path: Path) -> None:
    run = save(tmp_path, "one")
    exported = store.export_json(run)
    assert "Вася" not in exported.decode()
    told = msgspec.json.decode(exported)
    assert told["schema"] == store.EXPORT_SCHEMA
    assert told["verdict"] == "passed"
    again = msgspec.convert(told["run"], SmokeRun)
    assert again.device == run.device
    assert again.result == run.result
