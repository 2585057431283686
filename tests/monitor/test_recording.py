"""Recordings survive crashes, keep secrets and come back as they were."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpu_assistant.monitor.comparison import compare
from gpu_assistant.monitor.csv_table import COLUMNS, write_csv
from gpu_assistant.monitor.model import GpuSample, HostSample, Mark, ProcessSample, Sample
from gpu_assistant.monitor.recording import NotARecording, Recorder, export_csv, open_recording
from gpu_assistant.monitor.store import TRAINING
from tests.monitor.series import store_of

START = 1_700_000_000.0


def _sample(second: float, load: float = 50.0) -> Sample:
    process = ProcessSample(pid=7, name="python", user="ivan", command="train.py --token SECRET", vram_bytes=1 << 30)
    gpu = GpuSample(
        uuid="GPU-1",
        index=0,
        name="RTX, 4060",
        values={"utilization": load, "vram_used": 21474836480.0, "power": 59.3912345},
        throttle=("power_cap",),
        processes=(process,),
    )
    return Sample(time=START + second, gpus=(gpu,), host=HostSample(values={"cpu": 12.345}, cores=(1.23, 4.56)))


def _recorded(path: Path, seconds: int = 30) -> Path:
    with Recorder(path, title="run", started=START) as recorder:
        for second in range(seconds):
            recorder.write(_sample(second, float(second)))
            if second == 10:
                recorder.mark(Mark(time=START + second, kind="training_started"))
                recorder.training(START + second, {"steps_per_second": 3.5})
    return path


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    recording = open_recording(_recorded(tmp_path / "a.gpurec"))
    samples = list(recording.samples())
    assert (recording.header.title, recording.header.interval, recording.header.started) == ("run", 1.0, START)
    assert [sample.time - START for sample in samples] == list(range(30))
    assert samples[7].gpus[0].values == {"utilization": 7.0, "vram_used": 21474836480.0, "power": 59.39}
    assert samples[7].gpus[0].throttle == ("power_cap",)
    assert not recording.truncated
    store = recording.store()
    assert store.window("GPU-1", "utilization").values.tolist() == [float(second) for second in range(30)]
    assert [mark.kind for mark in store.marks()] == ["training_started"] == [mark.kind for mark in recording.marks]
    assert store.window(TRAINING, "steps_per_second").values.tolist() == [3.5]


def test_commands_and_user_names_stay_at_home(tmp_path: Path) -> None:
    recording = open_recording(_recorded(tmp_path / "a.gpurec"))
    process = next(recording.samples()).gpus[0].processes[0]
    assert (process.name, process.vram_bytes, process.user, process.command) == ("python", 1 << 30, None, None)


@pytest.fixture(scope="module")
def whole_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return _recorded(tmp_path_factory.mktemp("recordings") / "whole.gpurec").read_bytes()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.data())
def test_a_cut_or_damaged_end_costs_the_end_only(tmp_path: Path, whole_file: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(120, len(whole_file) - 1))
    damaged = whole_file[:place]
    if data.draw(st.booleans()):
        damaged += bytes([whole_file[place] ^ 0x55]) + whole_file[place + 1 :]
    path = tmp_path / "damaged.gpurec"
    path.write_bytes(damaged)
    try:
        recording = open_recording(path)
    except NotARecording:
        assert place < 200, "only a damaged header makes a file unreadable"
        return
    times = [sample.time - START for sample in recording.samples()]
    assert times == list(range(len(times)))
    assert len(times) >= (place - 400) // (len(whole_file) // 30)


def test_a_crash_loses_a_few_seconds_at_most(tmp_path: Path) -> None:
    path = tmp_path / "a.gpurec"
    recorder = Recorder(path)
    for second in range(60):
        recorder.write(_sample(second))
    kept = sum(1 for _ in open_recording(path).samples())  # nobody closed it
    recorder.close()
    recorder.close()
    assert 60 - kept <= 6
    assert sum(1 for _ in open_recording(path).samples()) == 60


def test_an_hour_of_a_card_is_small(tmp_path: Path) -> None:
    path = _recorded(tmp_path / "a.gpurec", seconds=600)
    assert path.stat().st_size < 600 * 150


def test_an_older_recording_is_never_overwritten_and_other_files_are_refused(tmp_path: Path) -> None:
    path = _recorded(tmp_path / "a.gpurec", seconds=1)
    with pytest.raises(FileExistsError):
        Recorder(path)
    for content in (b"", b"GPUREC1\n", b"time,gpu\n1,2\n", b"GPUREC1\n" + b"\xff" * 100):
        other = tmp_path / "other"
        other.write_bytes(content)
        with pytest.raises(NotARecording):
            open_recording(other)
    with pytest.raises(FileNotFoundError):
        open_recording(tmp_path / "missing.gpurec")


def test_the_table_is_read_by_any_spreadsheet(tmp_path: Path) -> None:
    out = io.StringIO()
    export_csv(open_recording(_recorded(tmp_path / "a.gpurec", seconds=3)), out)
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert tuple(rows[0]) == COLUMNS
    assert [row["utilization"] for row in rows] == ["0", "1", "2"]
    assert rows[0]["name"] == "RTX, 4060"
    assert rows[0]["vram_used"] == "21474836480"
    assert rows[0]["power"] == "59.39"
    assert rows[0]["fan"] == ""
    assert rows[0]["held_back_by"] == "power_cap"
    assert rows[0]["time"] == "2023-11-14T22:13:20.000+00:00"


def test_the_table_says_why_a_moment_has_no_card() -> None:
    out = io.StringIO()
    asleep = GpuSample(uuid="a", index=0, name="A", asleep=True)
    lost = GpuSample(uuid="b", index=1, name="B", lost=True, trouble="gpu_lost")
    write_csv([Sample(time=START, trouble="not_responding"), Sample(time=START, gpus=(asleep, lost))], out)
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert [row["trouble"] for row in rows] == ["not_responding", "asleep", "gpu_lost"]


def test_two_runs_are_compared_by_their_speed_and_what_differed() -> None:
    fast = store_of({"utilization": 95, "steps_per_second": 20, "held_back_heat": 0, "temperature": 70}, 60)
    slow = store_of({"utilization": 95, "steps_per_second": 12, "held_back_heat": 80, "temperature": 89}, 60)
    comparison = compare(fast, slow)
    assert comparison is not None
    assert comparison.verdict.id == "monitor-compare-speed-less"
    assert round(float(comparison.verdict.args["percent"])) == 40  # type: ignore[arg-type]
    assert comparison.reasons == ("held_back_heat", "temperature")
    back = compare(slow, fast)
    assert back is not None
    assert back.verdict.id == "monitor-compare-speed-more"


def test_runs_without_a_training_are_compared_by_their_load_and_alike_is_said() -> None:
    one, other = store_of({"utilization": 90}, 60), store_of({"utilization": 30, "cpu": 95}, 60)
    comparison = compare(one, other)
    assert comparison is not None
    assert comparison.verdict.id == "monitor-compare-load-less"
    same = compare(one, one)
    assert same is not None
    assert (same.verdict.id, same.reasons) == ("monitor-compare-load-alike", ())
    unlike = compare(store_of({"power": 50}, 60), store_of({"utilization": 5}, 60))
    assert unlike is not None
    assert unlike.verdict.id == "monitor-compare-unknown"
