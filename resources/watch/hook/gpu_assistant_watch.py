"""Looks at a training from inside, in the user's own interpreter: Python 3.9 or newer, nothing installed.

It writes JSON lines into the file that GPU_ASSISTANT_WATCH names: how many steps were made, where the time goes, what
the framework's memory does. It changes nothing that the program computes, and its own troubles never reach the program.

PyTorch and Keras tell their steps by themselves. Any other loop can tell them with two lines:

    from gpu_assistant_watch import step
    step(loss=loss)                       # once per step; values that are cheap to know
"""

import atexit
import json
import linecache
import os
import platform
import sys
import threading
import time

LOOK = 0.02  # seconds between two looks at where the program is
TELL = 0.5  # seconds between two reports
DEEP = 80  # frames that are looked at
SETTLED = 5  # steps before the profiler begins
PROFILED = 10  # steps that it looks at

FOLDER = os.path.dirname(os.path.abspath(__file__))

_watcher = None


def begin():
    """Starts watching where the environment asks for it; not in the workers of `multiprocessing`."""
    global _watcher
    path = os.environ.get("GPU_ASSISTANT_WATCH")
    if path and _watcher is None and not _is_worker():
        _watcher = _Watcher(path, profile=os.environ.get("GPU_ASSISTANT_PROFILE") == "1")
        _watcher.start()


def step(**values):
    """One training step was made. Values must be plain numbers, or something that `float` takes."""
    if _watcher is not None:
        _watcher.steps.add("told", values)


def _is_worker():
    words = " ".join(getattr(sys, "orig_argv", sys.argv))
    return "multiprocessing" in words or "torch.distributed" in words


class _Watcher:
    """One thread that looks at the program's main thread, and the hooks in the frameworks."""

    def __init__(self, path, profile):
        self._file = open(path, "ab", buffering=0)  # noqa: SIM115
        self._pid = os.getpid()
        self._main = threading.main_thread().ident
        self._reported = time.monotonic()
        self.places = _Places()
        self.steps = _Steps(self, profile)

    def start(self):
        self.tell("hello", python=platform.python_version(), argv=list(sys.argv))
        sys.meta_path.insert(
            0, _AfterImport({"torch.optim.optimizer": self._torch, "torch.utils.data.dataloader": self._loader})
        )
        sys.meta_path.insert(0, _AfterImport({"keras.src.callbacks.callback_list": self._keras}))
        threading.Thread(target=self._run, name="gpu-assistant-watch", daemon=True).start()
        atexit.register(self._report)

    def tell(self, event, **fields):
        if os.getpid() == self._pid:  # a fork has our file, and none of our threads
            line = json.dumps({"event": event, "time": time.time(), "pid": self._pid, **fields}) + "\n"
            self._file.write(line.encode())

    def _run(self):
        try:
            while threading.main_thread().is_alive():
                time.sleep(LOOK)
                self.places.look(sys._current_frames().get(self._main))
                if time.monotonic() - self._reported >= TELL:
                    self._report()
        except Exception as error:
            self.tell("note", text=f"{type(error).__name__}: {error}")

    def _report(self):
        now = time.monotonic()
        seconds, self._reported = now - self._reported, now
        shares, lines = self.places.take()
        self.tell("places", seconds=round(seconds, 3), shares=shares, lines=lines)
        if self.steps.count:
            self.tell("steps", **self.steps.take())
        memory = _memory()
        if memory is not None:
            self.tell("memory", allocated=memory[0], reserved=memory[1])

    def _torch(self, module):
        module.register_optimizer_step_post_hook(self.steps.optimizer_stepped)

    def _loader(self, module):
        plain = module._BaseDataLoaderIter.__next__

        def next_batch(loader):
            batch = plain(loader)
            self.steps.batch = _size(batch)
            return batch

        module._BaseDataLoaderIter.__next__ = next_batch

    def _keras(self, module):
        plain = module.CallbackList.on_train_batch_end

        def on_train_batch_end(callbacks, batch, logs=None):
            self.steps.add("keras", {})
            return plain(callbacks, batch, logs)

        module.CallbackList.on_train_batch_end = on_train_batch_end


class _Places:
    """Where the main thread was, look by look: which kind of work, and which line of the user's own files."""

    def __init__(self):
        with open(os.path.join(FOLDER, "places.json"), encoding="utf-8") as file:
            rows = json.load(file)
        self._frames = [(path, name, kind) for kind, row in rows.items() for path, name in row.get("frames", ())]
        self._words = [(word, kind) for kind, row in rows.items() for word in row.get("words", ())]
        self._lock = threading.Lock()
        self._known = {}
        self._own = {}
        self._clear()

    def _clear(self):
        self._looks, self._kinds, self._lines = 0, {}, {}

    def look(self, frame):
        if frame is None:
            return
        kind, own, inner = None, None, True
        for _ in range(DEEP):
            if frame is None:
                break
            code = frame.f_code
            found = self._kind(code)
            if found is not None and not (found == "start" and own):
                kind = found  # the outermost one counts: what a data loader calls is loading data
            if own is None and self._is_own(code.co_filename):
                own = (code.co_filename, frame.f_lineno)
                if inner:
                    kind = self._kind_of_line(own)
            inner = False
            frame = frame.f_back
        with self._lock:
            self._looks += 1
            kind = kind or "compute"
            self._kinds[kind] = self._kinds.get(kind, 0) + 1
            if own is not None:
                self._lines[own, kind] = self._lines.get((own, kind), 0) + 1

    def take(self):
        """Shares of the time by kind, and the lines that took most of it, since the last call."""
        with self._lock:
            looks, kinds, lines = max(self._looks, 1), self._kinds, self._lines
            self._clear()
        most = sorted(lines.items(), key=lambda item: -item[1])[:8]
        return (
            {kind: round(count / looks, 4) for kind, count in kinds.items()},
            [
                {
                    "file": place[0],
                    "line": place[1],
                    "text": linecache.getline(*place).strip()[:200],
                    "kind": kind,
                    "share": round(count / looks, 4),
                }
                for (place, kind), count in most
            ],
        )

    def _kind(self, code):
        found = self._known.get(code, "")
        if found == "":
            path, name = code.co_filename.replace("\\", "/"), code.co_name
            found = next((k for part, want, k in self._frames if part in path and want in ("*", name)), None)
            self._known[code] = found
        return found

    def _kind_of_line(self, place):
        text = linecache.getline(*place)
        return next((kind for word, kind in self._words if word in text), None)

    def _is_own(self, name):
        found = self._own.get(name)
        if found is None:
            path = name.replace("\\", "/")
            found = self._own[name] = not (
                path.startswith("<")
                or "/site-packages/" in path
                or "/dist-packages/" in path
                or os.path.abspath(name).startswith(os.path.dirname(os.__file__))
                or os.path.dirname(os.path.abspath(name)) == FOLDER
            )
        return found


class _Steps:
    """Counts the steps of one teller: of the first optimizer that steps, of Keras, or of the user's own two lines."""

    def __init__(self, watcher, profile):
        self._watcher = watcher
        self._teller = None
        self._values = {}
        self._device = None
        self._profiler = _Profiler(watcher) if profile else None
        self.count = 0
        self.batch = None

    def optimizer_stepped(self, optimizer, args, kwargs):
        if self._device is None:
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    self._device = self._device or parameter.device.type
        self.add(id(optimizer), {})

    def add(self, teller, values):
        if values:
            self._values = values
        if self._teller is None:
            self._teller = teller
        if teller == self._teller:
            self.count += 1
            if self._profiler is not None:
                self._profiler.stepped(self.count)

    def take(self):
        values = {}
        for name, value in self._values.items():
            try:
                values[str(name)] = float(value)
            except (TypeError, ValueError):
                continue
        return {"count": self.count, "batch": self.batch, "device": self._device, "values": values}


class _Profiler:
    """PyTorch's own profiler over ten steps, after the first ones have settled."""

    def __init__(self, watcher):
        self._watcher = watcher
        self._profile = None

    def stepped(self, count):
        try:
            if count == SETTLED:
                self._begin()
            elif count == SETTLED + PROFILED and self._profile is not None:
                self._end()
        except Exception as error:
            self._profile = None
            self._watcher.tell("note", text=f"profiler: {type(error).__name__}: {error}")

    def _begin(self):
        torch = sys.modules.get("torch")
        if torch is None:
            return
        activities = [torch.profiler.ProfilerActivity.CPU]
        self._cuda = torch.cuda.is_available() and torch.cuda.is_initialized()
        if self._cuda:
            activities.append(torch.profiler.ProfilerActivity.CUDA)
            torch.cuda.synchronize()
        self._profile = torch.profiler.profile(activities=activities)
        self._profile.__enter__()
        self._began = time.perf_counter()

    def _end(self):
        if self._cuda:
            sys.modules["torch"].cuda.synchronize()
        seconds = time.perf_counter() - self._began
        profile, self._profile = self._profile, None
        profile.__exit__(None, None, None)
        rows = [(event.key, *self._times(event)) for event in profile.key_averages()]
        data = sum(total for key, _, total in rows if key.startswith("enumerate(DataLoader)"))
        copies = sum(own for key, own, _ in rows if _is_copy(key, self._cuda))
        work = [(key, own) for key, own, _ in rows if self._is_work(key)]
        kernels = sum(own for _, own in work)
        self._watcher.tell(
            "profile",
            steps=PROFILED,
            seconds=seconds,
            on_card=self._cuda,
            parts={
                "data": data,
                "copies": copies,
                "kernels": kernels,
                "idle": max(0.0, seconds - data - copies - kernels),
            },
            top=[[key, own] for key, own in sorted(work, key=lambda row: -row[1])[:8]],
        )

    def _times(self, event):
        own = event.self_cpu_time_total
        if self._cuda:
            own = getattr(event, "self_device_time_total", None) or getattr(event, "self_cuda_time_total", 0)
        return own / 1e6, event.cpu_time_total / 1e6

    def _is_work(self, key):
        if _is_copy(key, self._cuda) or key.startswith(("enumerate(", "Optimizer.", "ProfilerStep")):
            return False
        return not key.startswith(("aten::", "cuda", "Memset")) if self._cuda else True


def _is_copy(key, cuda):
    return key.startswith("Memcpy") if cuda else key in ("aten::copy_", "aten::_to_copy", "aten::to")


def _memory():
    torch = sys.modules.get("torch")
    cuda = getattr(torch, "cuda", None)
    if cuda is None or not getattr(cuda, "is_initialized", bool)():
        return None
    return cuda.memory_allocated(), cuda.memory_reserved()


def _size(batch):
    """Examples in a batch: the first length found in it."""
    for _ in range(4):
        shape = getattr(batch, "shape", None)
        if shape is not None:
            return int(shape[0]) if len(shape) else None
        if isinstance(batch, dict):
            batch = next(iter(batch.values()), None)
        elif isinstance(batch, (list, tuple)) and batch:
            batch = batch[0]
        else:
            return None
    return None


class _AfterImport:
    """A finder that finds nothing itself, and calls a function when one of some modules was loaded."""

    def __init__(self, wanted):
        self._wanted = wanted

    def find_spec(self, name, path=None, target=None):
        then = self._wanted.pop(name, None)
        if then is None:
            return None
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self and hasattr(finder, "find_spec") else None
            if spec is not None:
                spec.loader = _Loader(spec.loader, then)
                return spec
        return None


class _Loader:
    """The module's own loader, and a word afterwards."""

    def __init__(self, loader, then):
        self._loader, self._then = loader, then

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        try:
            self._then(module)
        except Exception as error:
            if _watcher is not None:
                _watcher.tell("note", text=f"{module.__name__}: {type(error).__name__}: {error}")
