"""What every PyTorch smoke test does and proves. Runs in the user's interpreter: Python 3.9, torch 2.4 and newer."""

# ruff: noqa: B905 - zip has no `strict` in Python 3.9

import gc
import math
import os
import time
import warnings

from telling import PATIENCE, Telling, prove_loss_fell, warm_to_cold

warnings.filterwarnings("ignore", message="Failed to initialize NumPy")  # a bare PyTorch works without it

import torch

GPU_KINDS = ("cuda", "rocm", "xpu", "mps")
HIDING = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK")
TOLERANCE = 0.02  # TF32, which convolutions use on newer cards, has a 10-bit mantissa

# The network whose speed is compared: products of matrices, as training mostly is.
SPEED_BATCH, SPEED_WIDTH = 1024, 1024


class Place:
    """A device, with the calls that each kind spells differently."""

    def __init__(self, kind, index=None):
        self.kind = kind
        self.gpu = kind in GPU_KINDS
        self.index = index
        type_ = "cuda" if kind == "rocm" else kind
        self.device = torch.device(type_, index or 0) if kind in ("cuda", "rocm", "xpu") else torch.device(type_)
        self._api = getattr(torch, type_, None)
        self.name = self._name()

    def synchronize(self):
        """Waits until everything that was asked of the card is done."""
        if self.gpu:
            self._api.synchronize()

    def allocated(self):
        """Bytes that tensors hold; None where nobody counts."""
        return self._bytes("memory_allocated", "current_allocated_memory")

    def reserved(self):
        """Bytes that PyTorch took from the driver."""
        return self._bytes("memory_reserved", "driver_allocated_memory")

    def peak(self):
        """The most bytes that tensors held; where nobody keeps it, what they hold now."""
        return self._bytes("max_memory_allocated", "current_allocated_memory")

    def empty_cache(self):
        self._api.empty_cache()

    def holds(self, tensors):
        """Whether all of them lie here."""
        tensors = list(tensors)
        wanted = self.device.index or 0
        return bool(tensors) and all(
            tensor.device.type == self.device.type and (tensor.device.index or 0) == wanted for tensor in tensors
        )

    def _bytes(self, usual, apple):
        function = getattr(self._api, apple if self.kind == "mps" else usual, None) if self.gpu else None
        return int(function()) if function is not None else None

    def _name(self):
        if self.kind in ("cuda", "rocm", "xpu"):
            return self._api.get_device_name(self.device)
        if self.kind == "mps":
            return "Apple GPU"
        return "CPU"


def build_tag():
    """Which build of PyTorch this is: "cu130", "rocm7.2", "xpu", "mps", "cpu"."""
    if torch.version.cuda:
        return "cu" + torch.version.cuda.replace(".", "")
    if getattr(torch.version, "hip", None):
        return "rocm" + ".".join(torch.version.hip.split(".")[:2])
    if getattr(torch.version, "xpu", None):
        return "xpu"
    return "mps" if torch.backends.mps.is_built() else "cpu"


def build_kind(build):
    """The kind of device that a build is for."""
    return next((kind for prefix, kind in (("cu", "cuda"), ("rocm", "rocm")) if build.startswith(prefix)), build)


def find_place(reporter, args):
    """Where to train, with the proof that the card is seen. None: it is not what it must be, and the run is over."""
    build = build_tag()
    kind = build_kind(build)
    expected = args.expect
    trouble = why_no_gpu(build, args.device_index) if expected != "cpu" else None
    if expected in GPU_KINDS and expected != kind:
        trouble = {"reason": "cpu_build" if kind == "cpu" else "other_build", "build": build, "expected": expected}
    if expected == "cpu" or (expected == "any" and trouble is not None):
        place = Place("cpu")
        reporter.device("cpu", place.name)
        if trouble is None or trouble["reason"] == "cpu_build":
            trouble = {"reason": "cpu_road" if expected == "cpu" else "cpu_build_only", "build": build}
        reporter.proof("card_seen", None, **trouble)
        return place
    if trouble is not None:
        reporter.proof("card_seen", False, **trouble)
        return None
    place = Place(kind, args.device_index)
    facts = device_facts(place)
    reporter.device(kind, place.name, **facts)
    reporter.proof("card_seen", True, name=place.name, kind=kind, vram=facts.get("vram_total") or 0)
    return place


def why_no_gpu(build, index=None):
    """Why PyTorch cannot use a card here, as a reason with its values; None: it can, as far as it says."""
    kind = build_kind(build)
    if kind == "cpu":
        return {"reason": "cpu_build", "build": build}
    if kind == "mps":
        return None if torch.backends.mps.is_available() else {"reason": "no_answer", "detail": "MPS is not available"}
    api = torch.xpu if kind == "xpu" else torch.cuda
    if not api.is_available() or api.device_count() == 0:
        for variable in HIDING:
            value = os.environ.get(variable)
            if value is not None and value.strip(" '\"") in ("", "-1", "none", "NoDevFiles"):
                return {"reason": "hidden", "variable": variable, "value": value}
        return _why_silent(api)
    if index is not None and not 0 <= index < api.device_count():
        return {"reason": "no_such_card", "index": index, "count": api.device_count()}
    return None


def _why_silent(api):
    """`is_available` swallows the reason; asking for the device tells it."""
    try:
        api.init()
        detail = "no device"
    except Exception as error:
        detail = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    known = (
        ("no NVIDIA driver", "no_driver"),
        ("driver on your system is too old", "driver_too_old"),
        ("driver version is insufficient", "driver_too_old"),
        ("No CUDA GPUs are available", "no_card"),
        ("No HIP GPUs are available", "no_card"),
        ("no device", "no_card"),
    )
    reason = next((reason for words, reason in known if words.lower() in detail.lower()), "no_answer")
    return {"reason": reason, "detail": detail}


def device_facts(place):
    """What PyTorch knows about the card."""
    if place.kind not in ("cuda", "rocm", "xpu"):
        return {}
    properties = (torch.xpu if place.kind == "xpu" else torch.cuda).get_device_properties(place.device)
    facts = {"index": place.device.index, "vram_total": int(properties.total_memory)}
    if place.kind == "cuda":
        facts["compute_capability"] = f"{properties.major}.{properties.minor}"
        uuid = getattr(properties, "uuid", None)
        facts["uuid"] = "GPU-" + str(uuid) if uuid is not None else None
    if getattr(properties, "pci_bus_id", None) is not None:
        parts = (getattr(properties, "pci_domain_id", 0), properties.pci_bus_id, properties.pci_device_id)
        facts["pci_address"] = "{:04x}:{:02x}:{:02x}.0".format(*parts)
    return facts


def prove_kernels(reporter, place):
    """Whether a convolution and a product of matrices, with backward, run there and give the processor's numbers."""
    reporter.stage("kernel", 300)  # a card that the build has no code for compiles it now, which takes minutes
    inputs = torch.rand(4, 3, 32, 32)
    weights = [torch.rand(8, 3, 3, 3) - 0.5, torch.rand(8, 16) - 0.5]
    try:
        there = _kernels(inputs, weights, place.device)
    except RuntimeError as error:
        if isinstance(error, torch.OutOfMemoryError if hasattr(torch, "OutOfMemoryError") else MemoryError):
            raise
        return reporter.proof("kernel", False, kind=place.kind, **_why_no_kernel(place, str(error)))
    here = _kernels(inputs, weights, torch.device("cpu"))
    worst = max(float((a - b).abs().max() / b.abs().max()) for a, b in zip(there, here))
    if worst > TOLERANCE or math.isnan(worst):
        return reporter.proof("kernel", False, kind=place.kind, reason="wrong_numbers", error=worst, name=place.name)
    return reporter.proof("kernel", True, kind=place.kind, name=place.name, error=worst)


def _kernels(inputs, weights, device):
    inputs = inputs.to(device)
    filters, matrix = (weight.detach().clone().to(device).requires_grad_() for weight in weights)
    features = torch.nn.functional.conv2d(inputs, filters, padding=1).clamp(min=0).mean(dim=(2, 3))
    output = features @ matrix
    output.square().sum().backward()
    return [tensor.detach().cpu() for tensor in (output, filters.grad, matrix.grad)]


def _why_no_kernel(place, detail):
    detail = detail.strip().splitlines()[0] if detail.strip() else "?"
    if place.kind == "cuda" and ("no kernel image" in detail or "not compatible" in detail or "PTX" in detail):
        major, minor = torch.cuda.get_device_capability(place.device)
        codes = ", ".join(torch.cuda.get_arch_list())
        return {
            "reason": "card_not_supported",
            "capability": f"{major}.{minor}",
            "codes": codes,
            "detail": detail,
        }
    return {"reason": "kernel_failed", "detail": detail}


class FirstStep:
    """What one step proves: where everything lay, and that it changed something. Call its methods in their order."""

    def __init__(self, reporter, place, model):
        self._reporter, self._place = reporter, place
        self._name = {"kind": place.kind, "name": place.name}
        self._parameters = list(model.parameters())
        count = sum(parameter.numel() for parameter in self._parameters)
        self._prove("parameters_on_device", self._parameters, count=count)

    def batch(self, tensors):
        """The first batch, just before the network looks at it."""
        tensors = list(tensors)
        self._prove("batches_on_device", tensors, count=len(tensors[0]))
        self._before = [parameter.detach().clone() for parameter in self._parameters]

    def output(self, tensors):
        """What the network answered, and the loss."""
        self._prove("forward_on_device", tensors)

    def slopes(self):
        """After backward, before the optimizer's step."""
        slopes = [parameter.grad for parameter in self._parameters if parameter.grad is not None]
        complete = len(slopes) == len(self._parameters)
        self._prove("backward_on_device", slopes, complete, count=len(slopes))

    def stepped(self, optimizer):
        """After the optimizer's step."""
        state = [
            value
            for values in optimizer.state.values()
            for key, value in values.items()
            if torch.is_tensor(value) and key != "step"  # the counter stays with the processor on purpose
        ]
        changed = sum(not torch.equal(old, new) for old, new in zip(self._before, self._parameters))
        count = len(self._parameters)
        self._prove("optimizer_on_device", state, changed == count, changed=changed, count=count)

    def _prove(self, name, tensors, too=True, **values):
        held = self._place.holds(tensors) and too
        self._reporter.proof(name, held, **values, **_where(tensors), **self._name)


class Training(Telling):
    """PyTorch's own loop. The learner has `model`, `optimizer`, `batch()`, `loss(output, targets)`, `peak_rate`."""

    def run(self):
        """Trains, and returns what was measured."""
        self.reporter.stage("train", self.args.seconds + 2 * PATIENCE)
        self.step(FirstStep(self.reporter, self.place, self.learner.model))
        self.place.synchronize()
        self.begin()
        while self.step_number < self.total:
            self.step()
            self.report_if_due()
        return self.measured()

    def step(self, proofs=None):
        """One step: batch, forward, backward, optimizer. Nothing here waits for the card, but what `proofs` asks."""
        learner = self.learner
        for group in learner.optimizer.param_groups:
            group["lr"] = learner.peak_rate * warm_to_cold(self.step_number / self.total)
        inputs, targets = learner.batch()
        if proofs is not None:
            proofs.batch([inputs, targets])
        learner.optimizer.zero_grad(set_to_none=True)
        output = learner.model(inputs)
        loss = learner.loss(output, targets)
        self.backward(loss)
        if proofs is not None:
            proofs.output([output, loss])
            proofs.slopes()
        learner.optimizer.step()
        if proofs is not None:
            proofs.stepped(learner.optimizer)
        self.output, self.loss = output.detach(), loss.detach()
        self.step_number += 1

    def backward(self, loss):
        """From the loss to the slopes."""
        loss.backward()


def _where(tensors):
    """On which devices they lie, for the sentence of a failed proof."""
    return {"where": ", ".join(sorted({str(tensor.device) for tensor in tensors})) or "-"}


def precision(place):
    """The short number format that the card calculates with: (type, needs scaled gradients)."""
    if place.kind == "cuda":
        fast = torch.cuda.get_device_capability(place.device)[0] >= 8
        return (torch.bfloat16, False) if fast else (torch.float16, True)
    if place.kind == "rocm":
        return (torch.bfloat16, False) if torch.cuda.is_bf16_supported() else (torch.float16, True)
    return (torch.float16, False) if place.kind == "mps" else (torch.bfloat16, False)


class SpeedNet:
    """Products of matrices with forward, backward and optimizer step, in full or in mixed precision."""

    def __init__(self, place, short=None, scaled=False):
        width, batch = SPEED_WIDTH, SPEED_BATCH
        make = torch.Generator().manual_seed(1)
        layers = [torch.nn.Linear(width, width), torch.nn.ReLU(), torch.nn.Linear(width, width), torch.nn.ReLU()]
        self.place, self.short = place, short
        self.model = torch.nn.Sequential(*layers, torch.nn.Linear(width, width)).to(place.device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(place.device.type, enabled=scaled) if scaled else None
        self.inputs = torch.rand(batch, width, generator=make).to(place.device)
        self.targets = (torch.rand(batch, width, generator=make) * 2).to(place.device)

    def step(self):
        """One step; returns the loss and the type of the network's output."""
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.place.device.type, dtype=self.short, enabled=self.short is not None):
            output = self.model(self.inputs)
        loss = torch.nn.functional.mse_loss(output.float(), self.targets)
        if self.scaler is None:
            loss.backward()
            self.optimizer.step()
        else:
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
        return loss.detach(), output.dtype

    def seconds_per_step(self, warm_up, seconds):
        """Measured after a warm-up, with an idle device before and after."""
        for _ in range(warm_up):
            self.step()
        self.place.synchronize()
        began, steps = time.perf_counter(), 0
        while steps < 2 or time.perf_counter() - began < seconds:
            for _ in range(5 if self.place.gpu else 1):
                self.step()
                steps += 1
            self.place.synchronize()
        return (time.perf_counter() - began) / steps


def prove_mixed_precision(reporter, place):
    """Whether training in the card's short number format runs, learns and stays finite; how much faster it is."""
    if not place.gpu:
        return reporter.proof("mixed_precision", None, reason="cpu_road")
    reporter.stage("mixed_precision", 120)
    passed, values = mixed_steps(place, *precision(place))
    return reporter.proof("mixed_precision", passed, **values)


def mixed_steps(place, short, scaled):
    """Thirty steps in mixed precision: whether they passed, and the values of the proof."""
    net = SpeedNet(place, short, scaled)
    before = [parameter.detach().clone() for parameter in net.model.parameters()]
    losses, types = [], set()
    for _ in range(30):
        loss, type_ = net.step()
        losses.append(loss)
        types.add(type_)
    first, last = losses[0].item(), losses[-1].item()
    changed = all(not torch.equal(old, new) for old, new in zip(before, net.model.parameters()))
    name = {torch.bfloat16: "bf16", torch.float16: "fp16"}[short]
    values = {"precision": name, "first": first, "last": last, "kind": place.kind, "name": place.name}
    if types != {short} or not changed or not last < first:
        reason = "not_short" if types != {short} else "not_learning"
        return False, {"reason": reason, **values}
    usual = SpeedNet(place).seconds_per_step(3, 0.3)
    return True, {"times": usual / net.seconds_per_step(3, 0.3), **values}


def prove_faster(reporter, place):
    """How many times faster than this computer's processor the same step in the same precision is."""
    if not place.gpu:
        return reporter.proof("faster_than_cpu", None, reason="cpu_road")
    reporter.stage("compare", 180)
    card = SpeedNet(place).seconds_per_step(5, 0.7)
    processor = SpeedNet(Place("cpu")).seconds_per_step(1, 1.5)
    times = processor / card
    values = {"times": times, "card_ms": card * 1000, "cpu_ms": processor * 1000, "threads": torch.get_num_threads()}
    return reporter.proof("faster_than_cpu", times > 1, name=place.name, kind=place.kind, **values)


def prove_memory(reporter, place):
    """What training took of the card's memory, and what the driver has again afterwards."""
    if not place.gpu:
        return reporter.proof("memory", None, reason="cpu_road")
    reporter.stage("memory", 60)
    peak, reserved = place.peak(), place.reserved()
    if peak is None or reserved is None:
        return reporter.proof("memory", None, reason="not_counted")
    gc.collect()
    place.synchronize()
    place.empty_cache()
    after = place.reserved()
    values = {"allocated": peak, "reserved": reserved, "after": after, "kind": place.kind, "name": place.name}
    return reporter.proof("memory", peak > 0 and after < reserved, **values)


ALL_PROOFS = (
    "kernel",
    "parameters_on_device",
    "batches_on_device",
    "forward_on_device",
    "backward_on_device",
    "optimizer_on_device",
    "loss_fell",
    "mixed_precision",
    "faster_than_cpu",
    "memory",
)


def smoke_test(reporter, args, make_learner, more_proofs=(), train=Training, **more_versions):
    """The whole test. `make_learner(place, args)` gives the learner; it may have `prove(reporter)` of its own.

    `train` is the loop, a `Telling` with `run()`; `more_versions` are those of the framework that has it. `more_proofs`
    names what learner and loop prove beyond `ALL_PROOFS`.
    """
    reporter.hello("torch", torch.__version__, build_tag())
    reporter.stage("device", 120)
    torch.manual_seed(args.seed)
    place = find_place(reporter, args)
    if place is None or not prove_kernels(reporter, place):
        for name in (*ALL_PROOFS[0 if place is None else 1 :], *more_proofs):
            reporter.proof(name, None, reason="earlier_failed")
        reporter.result(**versions(), **more_versions)
        return
    reporter.stage("prepare", 180)  # the first optimizer imports half of PyTorch
    learner = make_learner(place, args)
    before = learner.score()
    training = train(reporter, args, place, learner)
    measured = training.run()
    prove_loss_fell(reporter, before, learner.score())
    learner.prove(reporter)
    del learner, training
    prove_mixed_precision(reporter, place)
    prove_faster(reporter, place)
    prove_memory(reporter, place)
    reporter.result(**measured, **versions(), **more_versions)


def versions():
    """What somebody who looks at a saved run wants to know."""
    cudnn = torch.backends.cudnn.version() if torch.version.cuda and torch.backends.cudnn.is_available() else None
    codes = ", ".join(torch.cuda.get_arch_list()) if torch.version.cuda or torch.version.hip else None
    return {
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "hip": getattr(torch.version, "hip", None),
        "cudnn": str(cudnn) if cudnn else None,
        "codes": codes or None,
    }
