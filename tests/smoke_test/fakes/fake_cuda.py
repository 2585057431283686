"""NOT a GPU. Runs a real smoke test of PyTorch on the processor, with everything around it pretending to be a card.

It exists because no machine of ours has a card: it walks through the branches that only a card takes (facts, memory
numbers, mixed precision, comparison), not through CUDA.

`fake_cuda.py FOLDER SCENARIOS`: each scenario is a JSON list [file name, script, trouble, arguments, environment]; it
runs in a fork of its own, so that PyTorch is loaded once, and its events go into FOLDER/<file name>.
"""

import importlib
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

PYTORCH = Path(__file__).resolve().parents[3] / "resources" / "frameworks" / "pytorch"
sys.path[:0] = [str(PYTORCH), str(PYTORCH.parents[1] / "smoke_test")]

TROUBLE = ""
NO_DRIVER = "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU"
OLD_DRIVER = "The NVIDIA driver on your system is too old (found version 12060). Please update your GPU driver"


class FakeApi:
    """The part of `torch.cuda` that the smoke test calls, counting memory that nobody holds."""

    def __init__(self, real):
        self._real = real
        self.kept = 3 << 30

    def __getattr__(self, name):
        return getattr(self._real, name)

    def init(self):
        raise RuntimeError({"no_driver": NO_DRIVER, "old_driver": OLD_DRIVER}.get(TROUBLE, "CUDA unknown error"))

    def is_available(self):
        return TROUBLE not in ("no_driver", "old_driver", "hidden", "unknown")

    def device_count(self):
        return 1 if self.is_available() else 0

    def get_device_name(self, device):
        return "Fake GeForce"

    def get_device_properties(self, device):
        return SimpleNamespace(
            total_memory=8 << 30, major=8, minor=9, uuid="fake-uuid", pci_bus_id=1, pci_device_id=0, pci_domain_id=0
        )

    def get_device_capability(self, device):
        return (6, 1) if TROUBLE == "old_card" else (8, 9)

    def get_arch_list(self):
        return ["sm_75", "sm_86", "sm_120"]

    def synchronize(self):
        pass

    def memory_reserved(self):
        return self.kept

    def max_memory_allocated(self):
        return 2 << 30

    def empty_cache(self):
        if TROUBLE != "leak":
            self.kept = 1 << 20


def pretend(smoke_torch):
    """Puts the pretended card in place of the calls that would need one."""
    torch = smoke_torch.torch
    torch.version.cuda = "13.0"
    torch.cuda = FakeApi(torch.cuda)

    class FakePlace(smoke_torch.Place):
        def __init__(self, kind, index=None):
            super().__init__("cpu")
            if kind != "cpu":
                self.kind, self.gpu, self.index, self._api, self.name = kind, True, index, torch.cuda, "Fake GeForce"

    smoke_torch.Place = FakePlace
    kernels = smoke_torch._kernels
    calls = []

    def first_call_is_the_card(*words):
        calls.append(1)
        if TROUBLE == "old_card":
            raise RuntimeError("CUDA error: no kernel image is available for execution on the device\nmore")
        if TROUBLE == "out_of_memory":
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 1.00 GiB.")
        results = kernels(*words)
        return [result * 2 for result in results] if TROUBLE == "wrong_numbers" and len(calls) == 1 else results

    smoke_torch._kernels = first_call_is_the_card
    if TROUBLE == "wrong_place":
        batch_device = torch.device("meta")
        holds = smoke_torch.Place.holds
        smoke_torch.Place.holds = lambda self, tensors: (
            holds(self, [tensor.to(batch_device) for tensor in tensors]) if len(calls) == 2 else holds(self, tensors)
        )
    speed = smoke_torch.SpeedNet.seconds_per_step
    factor = 0.1 if TROUBLE == "slow" else 10
    smoke_torch.SpeedNet.seconds_per_step = lambda net, *words: speed(net, 1, 0.01) / (factor if net.place.gpu else 1)
    smoke_torch.SPEED_WIDTH, smoke_torch.SPEED_BATCH = 32, 64


def play(folder, name, script, trouble, words, environment):
    """One scenario, to its end."""
    global TROUBLE
    TROUBLE = trouble
    os.environ.update(environment)
    sys.argv[1:] = words
    os.dup2(os.open(Path(folder) / name, os.O_WRONLY | os.O_CREAT), 1)
    module = importlib.import_module(script)
    module.reporter = module.Reporter()

    def run():
        import smoke_torch

        pretend(smoke_torch)
        module.main()

    module.reporter.run(run)


def main():
    folder, scenarios = sys.argv[1], json.loads(sys.argv[2])
    import smoke_torch

    # loaded before the forks, with what the first optimizer loads; nothing here starts threads
    smoke_torch.torch.optim.Adam([smoke_torch.torch.nn.Parameter(smoke_torch.torch.zeros(1))])

    for scenario in scenarios:
        child = os.fork()
        if not child:
            try:
                play(folder, *scenario)
            finally:
                os._exit(0)
        os.waitpid(child, 0)


main()
