"""Children end with us, whole trees of them, whatever they print and however they end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from gpu_assistant.base.child import Child, ChildError, Line, child_environment, run_child
from gpu_assistant.base.job import Cancelled, JobContext

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and groups")

FAMILY = """
import subprocess, sys, time
worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(worker.pid, flush=True)
{then}
"""


def python(code: str, *args: str) -> list[str]:
    return [sys.executable, "-c", code, *args]


def texts(child: Child, ctx: JobContext | None = None, **options) -> list[str]:
    return [line.text for line in child.lines(ctx or JobContext(), **options) if line is not None]


def runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def gone(pid: int, seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while runs(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not runs(pid)


def test_lines_of_both_streams_and_the_exit_code():
    finished = run_child(python("import sys; print('a'); print('b', file=sys.stderr); sys.exit(3)"), JobContext())
    assert (finished.out, finished.err, finished.exit_code) == (("a",), ("b",), 3)


def test_an_argument_arrives_as_it_is():
    words = ["", "a b", "'", '"$(date)"', "\\", "*", "новая папка", "line\nbreak", "--", "-n"]
    code = "import json, sys; print(json.dumps(sys.argv[1:]))"
    assert json.loads(run_child(python(code, *words), JobContext()).out[0]) == words


def test_the_environment_and_the_folder(tmp_path):
    code = "import os; print(os.getcwd()); print(os.environ['ONE']); print(os.environ.get('PYTHONHOME'))"
    environment = child_environment({"ONE": "1", "HOME": None})
    finished = run_child(python(code), JobContext(), environment=environment, folder=tmp_path)
    assert finished.out == (str(tmp_path), "1", "None")


def test_what_misleads_python_is_taken_away(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    monkeypatch.setenv("VIRTUAL_ENV", "/nowhere")
    environment = child_environment({"GONE": None})
    assert "PYTHONPATH" not in environment
    assert "VIRTUAL_ENV" not in environment
    assert environment["PYTHONUTF8"] == "1"


@pytest.mark.parametrize("name", ["/no/such/program", "no-such-program-anywhere", "bad\0name"])
def test_what_cannot_start_says_so(name):
    with pytest.raises(ChildError):
        Child([name])


@posix
def test_a_file_that_is_no_program(tmp_path):
    (tmp_path / "text").write_text("not executable")
    with pytest.raises(ChildError):
        Child([str(tmp_path / "text")])


def test_a_big_output_arrives_whole():
    finished = run_child(python("for n in range(200_000): print(n)"), JobContext())
    assert len(finished.out) == 200_000
    assert finished.out[-1] == "199999"


def test_both_pipes_full_at_once_do_not_block():
    code = "import sys\nfor n in range(20000):\n print('o' * 50)\n print('e' * 50, file=sys.stderr)"
    finished = run_child(python(code), JobContext())
    assert (len(finished.out), len(finished.err)) == (20_000, 20_000)


def test_silence_is_told():
    with Child(python("import time; time.sleep(0.5)")) as child:
        assert None in list(child.lines(JobContext(), poll=0.02, idle=0.1))


def test_no_input_by_default():
    assert run_child(python("import sys; print(repr(sys.stdin.read()))"), JobContext()).out == ("''",)


def test_a_kept_input_stays_open_until_it_is_closed():
    with Child(
        python("import sys; print('ready', flush=True); print(repr(sys.stdin.read()))"), keep_stdin=True
    ) as child:
        seen = []
        for line in child.lines(JobContext()):
            assert isinstance(line, Line)
            seen.append(line.text)
            if line.text == "ready":
                child.close_stdin()
    assert seen == ["ready", "''"]


def test_cancel_interrupts_the_reading_and_the_tree_goes():
    ctx = JobContext()
    with Child(python(FAMILY.format(then="time.sleep(600)"))) as child:
        lines = child.lines(ctx)
        worker = int(next(lines).text)
        ctx.cancel()
        with pytest.raises(Cancelled):
            next(lines)
    assert gone(worker)
    assert gone(child.pid)


def test_a_deaf_child_is_ended_by_force():
    code = (
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('deaf', flush=True)\ntime.sleep(600)"
    )
    with Child(python(code)) as child:
        next(child.lines(JobContext()))
        assert child.end(grace=0.2) is not None
    assert gone(child.pid)


def test_ending_twice_and_ending_the_ended():
    with Child(python("print('x')")) as child:
        assert texts(child) == ["x"]
        child.wait(JobContext())
        assert child.end() == 0
        assert child.end() == 0


def test_a_worker_that_outlives_the_child_neither_hangs_us_nor_survives():
    with Child(python(FAMILY.format(then="print('crashing', flush=True); import os; os._exit(7)"))) as child:
        first, *rest = texts(child)
        assert rest == ["crashing"]
        assert child.exit_code == 7
        assert runs(int(first)) or sys.platform == "win32"
    assert gone(int(first))


def test_a_chattering_worker_does_not_keep_us_reading():
    code = """
import subprocess, sys, time
worker = subprocess.Popen([sys.executable, "-u", "-c", "while True: print('tick')"])
time.sleep(0.1)
"""
    with Child(python(code)) as child:
        assert all(text == "tick" for text in texts(child)[:100])


def test_a_time_limit_also_holds_for_a_child_that_closed_its_streams():
    code = "import os, time; os.close(1); os.close(2); time.sleep(600)"
    with pytest.raises(TimeoutError):
        run_child(python(code), JobContext(), timeout=0.5)


def test_a_time_limit_ends_the_tree():
    with pytest.raises(TimeoutError):
        run_child(python("import time; time.sleep(600)"), JobContext(), timeout=0.3)


def test_no_zombies_and_no_helpers_are_left():
    before = {process.pid for process in psutil.Process().children(recursive=True)}
    for _ in range(5):
        run_child(python("print(1)"), JobContext())
    with Child(python(FAMILY.format(then="time.sleep(600)"))) as child:
        next(child.lines(JobContext()))
    left = [process for process in psutil.Process().children(recursive=True) if process.pid not in before]
    assert all(gone(process.pid) for process in left)
    assert not [process for process in left if psutil.pid_exists(process.pid) and process.ppid() == os.getpid()]


def test_ten_children_at_once():
    results: list[tuple[str, ...]] = []

    def work(number: int) -> None:
        results.append(run_child(python(f"print({number})"), JobContext()).out)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == sorted((str(number),) for number in range(10))


@pytest.mark.parametrize("then", ["time.sleep(600)", "import os; os._exit(0)"], ids=["child lives", "child is gone"])
def test_our_own_sudden_death_ends_the_tree(then):
    program = f"""
import sys
from gpu_assistant.base.child import Child
from gpu_assistant.base.job import JobContext
with Child([sys.executable, "-c", {FAMILY.format(then=then)!r}]) as child:
    print(child.pid, flush=True)
    for line in child.lines(JobContext()):
        print(line.text, flush=True)
        if {"_exit" in then}:
            child.wait(JobContext())
            print("reaped", flush=True)
            import time; time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True) as victim:
        child = int(victim.stdout.readline())
        worker = int(victim.stdout.readline())
        if "_exit" in then:
            assert victim.stdout.readline() == "reaped\n"
        assert runs(worker)
        victim.kill()
        victim.wait()
        assert gone(worker)
        assert gone(child)


@posix
def test_a_child_whose_program_died_before_the_gate_opened_never_runs(tmp_path):
    program = f"""
import os, signal
from gpu_assistant.base import child
child._Guard.__init__ = lambda self, process: os.kill(os.getpid(), signal.SIGKILL)
child.Child(["/bin/sh", "-c", "touch {tmp_path}/ran; sleep 600"])
"""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False)
    waiting = [p for p in psutil.process_iter(["cmdline"]) if str(tmp_path) in " ".join(p.info["cmdline"] or ())]
    assert all(gone(process.pid) for process in waiting)
    assert not (tmp_path / "ran").exists()
