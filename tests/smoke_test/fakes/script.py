"""A smoke test that misbehaves as its environment tells: FAKE_SCRIPT names how. It uses the real reporter."""

import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "resources" / "smoke_test"))

from reporter import Reporter, arguments

reporter = Reporter()
args = arguments(seconds=1)


def passes():
    print("stray words on stdout")
    os.write(1, b'{"event":"result","passed":true,"summary":{}}\n')  # a stray that looks like ours is none
    reporter.metric("loss", 1, 2, 1.0)
    reporter.metric("loss", 2, 2, float("nan"))
    reporter.metric("loss", 2, 2, 0.5)
    reporter.picture("learnt", 2, 1, 1, b"\x01\x02\x03")
    reporter.proof("loss_fell", True, first=1.0, last=0.5)
    reporter.result(steps=2, expect=args.expect, words=" ".join(sys.argv[1:]))


def fails():
    reporter.proof("card_seen", False, reason="cpu_build", build="cpu")
    reporter.result()


def aborts():
    os.abort()


def raises():
    raise RuntimeError("CUDA error: no kernel image is available for execution on the device")


def out_of_memory():
    raise type("OutOfMemoryError", (RuntimeError,), {})("CUDA out of memory. Tried to allocate 20.00 GiB.")


def wrong_device():
    raise RuntimeError("Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!")


def batches_elsewhere():
    reporter.proof("card_seen", True, name="Fake GeForce", kind="cuda", vram=8 << 30)
    reporter.proof("batches_on_device", False, count=64, where="cpu", kind="cuda", name="Fake GeForce")
    reporter.result()


def misses_a_dll():
    raise OSError(
        "[WinError 126] The specified module could not be found. "
        'Error loading "C:\\ai\\Lib\\site-packages\\torch\\lib\\fbgemm.dll" or one of its dependencies.'
    )


def misses_a_library():
    raise ImportError("libcudnn.so.9: cannot open shared object file: No such file or directory")


def hangs():
    time.sleep(600)


def hangs_and_ignores():
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, signal.SIG_IGN)
    while True:
        reporter.note("still here")
        time.sleep(0.05)


def says_nothing():
    reporter._finished = True


def exits_with_zero():
    os._exit(0)


def garbage():
    os.write(reporter._descriptor, b'\xff\xfe\x00{"event"}\n{"event":"metric"}\n[1]\n{"event":"nonsense"}\n')
    os.write(reporter._descriptor, b"x" * 3_000_000 + b"\n")
    os.write(2, "по-русски в cp866: ".encode("cp866") + b"\xff\n")
    reporter.result()


def floods():
    for number in range(20000):
        os.write(2, b"line %d\n" % number)
    os.abort()


def closes_its_pipes():
    for descriptor in (1, 2, reporter._descriptor):
        os.close(descriptor)
    time.sleep(600)


def hangs_after_result():
    reporter.result()
    time.sleep(600)


def two_results():
    reporter.result(first=1)
    reporter.proof("late", True)
    reporter.result(second=1)
    reporter.error("Late", "too late", "")


def waits_for_stdin():
    reporter.note(f"pid {os.getpid()}")
    time.sleep(600)


def main():
    reporter.begin("torch-that-is-not-here", import_budget=float(os.environ.get("FAKE_BUDGET", "60")))
    globals()[os.environ["FAKE_SCRIPT"]]()


reporter.run(main)
