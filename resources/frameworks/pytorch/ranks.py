"""Several processes that train one network: how they are started, and what proves that they work together.

Runs in the user's interpreter: Python 3.9, torch 2.4 and newer. The address is a number and never a name: the names of
Windows computers are often Cyrillic, and torchrun would look them up.
"""

import datetime
import os
import sys

HERE = "127.0.0.1"
WAIT = 90  # seconds that a process waits for the others before it gives up
TOGETHER = 10  # steps between two questions whether to go on: all must make as many
PROOFS = ("met", "different_data", "synchronised", "scaling")


def torchrun(script, processes):
    """The words after the interpreter's name that start `script` that many times."""
    where = ["--nnodes", "1", "--nproc-per-node", str(processes), "--local-addr", HERE]
    meet = ["--rdzv-backend", "c10d", "--rdzv-endpoint", HERE + ":0", "--rdzv-id", "gpu-assistant"]
    return ["-m", "torch.distributed.run", *where, *meet, str(script), *sys.argv[1:]]


def launch_environment():
    """What the processes need to find each other on this system."""
    environment = {"OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 2) // 2))}
    if sys.platform == "win32":
        environment["USE_LIBUV"] = "0"  # many Windows builds of torch have none
    return environment


def rank():
    """The number of this process, from 0."""
    return int(os.environ.get("RANK", "0"))


def backend_for(place):
    """What carries the exchange: NCCL between cards on Linux, gloo everywhere else."""
    return "nccl" if place.kind in ("cuda", "rocm") and sys.platform == "linux" else "gloo"


def meet(torch, place):
    """Joins the others; returns the backend's name. Raises after `WAIT` seconds."""
    backend = backend_for(place)
    torch.distributed.init_process_group(backend, timeout=datetime.timedelta(seconds=WAIT))
    return backend


def agreed(torch, wish, place):
    """What the first process wishes; the others do the same."""
    told = torch.tensor([float(wish)], device=place.device)
    torch.distributed.broadcast(told, 0)
    return bool(told.item())


def gathered(torch, tensor):
    """The same tensor of every process, in the order of their ranks."""
    copies = [torch.zeros_like(tensor) for _ in range(torch.distributed.get_world_size())]
    torch.distributed.all_gather(copies, tensor.contiguous())
    return copies


def prove_apart(reporter, torch, inputs):
    """Whether each process has examples of its own: else the second adds nothing."""
    sums = gathered(torch, inputs.double().sum().reshape(1))
    different = len({round(one.item(), 6) for one in sums}) == len(sums)
    reporter.proof("different_data", different, processes=len(sums))


def prove_together(reporter, torch, model, alone):
    """Whether all processes have the same parameters after a step on different data; `alone`: those before it."""
    now = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    copies = gathered(torch, now)
    apart = max((copy - copies[0]).abs().max().item() for copy in copies)
    moved = not torch.equal(now, alone)
    reporter.proof("synchronised", apart == 0 and moved, processes=len(copies), apart=apart, count=now.numel())


def choose_place(smoke_torch, args, processes):
    """Each process its own card, where there are enough; else all on the processor. Returns the number of cards."""
    build = smoke_torch.build_tag()
    kind = smoke_torch.build_kind(build)
    cards = 0
    if args.expect != "cpu" and kind in ("cuda", "rocm", "xpu") and smoke_torch.why_no_gpu(build) is None:
        cards = getattr(smoke_torch.torch, "xpu" if kind == "xpu" else "cuda").device_count()
    if cards >= processes:
        args.device_index = rank()
    else:
        args.expect = "cpu"
    return cards


def shared_picture(smoke_picture, processes):
    """A learner of the picture, of which each process sees its own part of the points."""

    class SharedLearner(smoke_picture.PictureLearner):
        def __init__(self, place, args):
            super().__init__(place, args)
            self.bare = self.model  # asked alone: the wrapped one would wait for the others
            self.mine = slice(rank(), None, processes)

        def batch(self):
            return self.inputs[self.mine], self.targets[self.mine]

        def show(self, reporter, training):
            with self._torch.no_grad():
                training.output = self.bare(self.inputs)
            super().show(reporter, training)

    return SharedLearner
