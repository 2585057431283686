"""The monitor as text, and the command that prints it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from gpu_assistant.base.texts import Language
from gpu_assistant.cli import main
from gpu_assistant.monitor.hints import find_hints
from gpu_assistant.monitor.marks import MarkFinder
from gpu_assistant.monitor.model import GpuSample, HostSample, Mark, ProcessSample, Sample
from gpu_assistant.monitor.recording import Recorder, open_recording
from gpu_assistant.monitor.text_view import TextView
from tests.monitor.conftest import put_library
from tests.monitor.series import store_of

SAMPLE = Sample(
    time=1e9,
    gpus=(
        GpuSample(
            uuid="a",
            index=0,
            name="RTX 4060",
            values={"utilization": 50.0, "vram_used": 2.0 * 2**30, "vram_total": 8.0 * 2**30, "sm_clock": 1800.0},
            throttle=("power_cap", "idle"),
            processes=tuple(ProcessSample(pid=i, name=f"p{i}", vram_bytes=i << 20) for i in range(1, 10)),
        ),
        GpuSample(uuid="b", index=1, name="RTX 3050", asleep=True),
        GpuSample(uuid="c", index=2, name="RTX 2060", lost=True, trouble="gpu_lost"),
    ),
    host=HostSample(values={"cpu": 25.0, "ram_used": 4.0 * 2**30, "ram_total": 16.0 * 2**30, "disk_read": 0.0}),
)


def test_the_picture_shows_bars_words_and_processes() -> None:
    text = "\n".join(TextView("en", 90).picture(SAMPLE))
    lines = {line.split("  ")[1]: line for line in text.splitlines() if "█" in line}
    assert lines["GPU load"].count("█") == lines["GPU load"].count("░") == 20
    assert "2.0 GiB / 8.0 GiB" in text
    assert "Power limit reached" in text
    assert "p9 (9)  9.0 MiB" in text
    assert "and 3 more programs" in text
    assert "asleep" in text
    assert "fallen off the bus" in text


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("width", [20, 60, 100, 200])
def test_no_line_is_longer_than_the_terminal(language: Language, width: int) -> None:
    store = store_of({"held_back_heat": 100, "temperature": 91, "utilization": 99}, 70)
    lines = TextView(language, width).picture(SAMPLE, find_hints(store))
    assert max(map(len, lines)) <= max(width, 40)
    assert any("!" in line for line in lines)


def test_a_trouble_is_said_and_the_computer_still_shown() -> None:
    sample = Sample(time=1e9, trouble="driver_mismatch", host=SAMPLE.host)
    text = "\n".join(TextView("ru").picture(sample))
    assert "После перезагрузки карта снова ответит" in text
    assert "25 %" in text
    assert "перезагрузки" in TextView("ru").line(sample)[0]
    assert "25 %" in TextView("ru").line(Sample(time=1e9, host=SAMPLE.host))[0]


def test_marks_are_set_when_something_begins_and_not_each_second() -> None:
    finder, found = MarkFinder(quiet=60), []
    for second in range(200):
        held = 100.0 if second in (10, 11, 30, 150) else 0.0
        gpu = GpuSample(uuid="a", index=0, name="A", values={"held_back_heat": held}, lost=50 <= second < 55)
        trouble = "not_responding" if 80 <= second < 90 else None
        found += finder.look(Sample(time=float(second), gpus=() if trouble else (gpu,), trouble=trouble))
    assert [(mark.kind, mark.time) for mark in found] == [
        ("throttling", 10),
        ("gpu_lost", 50),
        ("gpu_back", 55),
        ("driver_lost", 80),
        ("driver_back", 90),
        ("throttling", 150),
    ]


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "run.gpurec"
    with Recorder(path, started=1e9) as recorder:
        for second in range(90):
            values = {"utilization": 99.0, "temperature": 91.0, "held_back_heat": 100.0}
            recorder.write(Sample(time=1e9 + second, gpus=(GpuSample(uuid="a", index=0, name="RTX", values=values),)))
        recorder.mark(Mark(time=1e9 + 5, kind="oom"))
    return path


def test_an_old_recording_is_told_with_its_hints(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["monitor", "--lang", "en", "--open", str(recording)]) == 0
    out = capsys.readouterr().out
    assert "91 °C" in out
    assert "too warm" in out
    assert "Out of memory" in out
    assert "1 min 29 s" in out
    assert "damaged" not in out


def test_a_damaged_recording_is_told_and_a_wrong_file_refused(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording.write_bytes(recording.read_bytes()[:-20])
    assert main(["monitor", "--lang", "en", "--open", str(recording)]) == 0
    assert "damaged" in capsys.readouterr().out
    other = tmp_path / "x.txt"
    other.write_text("hello")
    assert main(["monitor", "--lang", "ru", "--open", str(other)]) == 2
    assert "не запись монитора" in capsys.readouterr().err
    assert main(["monitor", "--lang", "ru", "--open", str(tmp_path / "missing")]) == 2
    assert "missing" in capsys.readouterr().err


def test_recordings_are_exported_and_compared(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"
    assert main(["monitor", "--lang", "en", "--open", str(recording), "--csv", str(table)]) == 0
    rows = list(csv.DictReader(io.StringIO(table.read_text("utf-8-sig"))))
    assert len(rows) == 90
    assert rows[0]["temperature"] == "91"
    capsys.readouterr()
    assert main(["monitor", "--open", str(recording), "--json"]) == 0
    assert [json.loads(line)["time"] for line in capsys.readouterr().out.splitlines()][:2] == [1e9, 1e9 + 1]
    assert main(["monitor", "--lang", "en", "--open", str(recording), "--compare", str(recording)]) == 0
    assert "about equally" in capsys.readouterr().out


@pytest.fixture
def one_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_library("linux", tmp_path / "library", monkeypatch)
    scenario = tmp_path / "scenario.txt"
    scenario.write_text("0 name RTX 4060\n0 utilization 42\n0 total 8G\n0 used 2G\n0 throttle 4\n")
    monkeypatch.setenv("STANDIN_NVML_SCENARIO", str(scenario))


@pytest.mark.usefixtures("one_card")
def test_watching_prints_lines_and_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new.gpurec"
    assert main(["monitor", "--lang", "en", "--interval", "0.2", "--count", "3", "--record", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert all("42 %" in line and "Power limit reached" in line for line in lines)
    recording = open_recording(path)
    assert len(list(recording.samples())) == 3
    assert [mark.kind for mark in recording.marks] == ["throttling"]
    assert main(["monitor", "--count", "1", "--record", str(path)]) == 2


@pytest.mark.usefixtures("one_card")
def test_streams_for_other_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["monitor", "--interval", "0.2", "--count", "2", "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["utilization"] for row in rows] == ["42", "42"]
    assert main(["monitor", "--interval", "0.2", "--count", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["gpus"][0]["values"]["utilization"] == 42


def test_without_a_card_the_computer_is_shown_and_the_exit_code_tells(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_library("linux", tmp_path / "library", monkeypatch)
    monkeypatch.setenv("STANDIN_NVML_SCENARIO", str(tmp_path / "none"))
    assert main(["monitor", "--lang", "en", "--interval", "0.2", "--count", "1"]) == 1
    assert "does not run" in capsys.readouterr().out


def test_a_senseless_interval_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["monitor", "--interval", "0"])
    assert ending.value.code == 2
    assert "0.1" in capsys.readouterr().err
