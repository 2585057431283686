"""What every JAX smoke test does and proves. Runs in the user's interpreter: Python 3.11, JAX 0.7 on, Flax, Optax."""

import os
import time
from importlib import metadata

import jax
import jax.numpy as numpy
import optax
import telling
from flax import __version__ as flax_version

WIDTH, BATCH = 1024, 1024
TOLERANCE = 0.02  # TF32, which products of matrices use on newer cards, has a 10-bit mantissa
PLUGINS = ("jax-cuda13-plugin", "jax-cuda12-plugin", "jax-rocm7-plugin", "jax-rocm60-plugin")


class Place:
    """A device, with the calls that matter."""

    def __init__(self, device):
        self.device = device
        self.gpu = device.platform != "cpu"
        self.kind = {"gpu": "cuda", "cuda": "cuda", "rocm": "rocm"}.get(device.platform, "cpu")
        self.name = device.device_kind if self.gpu else "CPU"

    def synchronize(self):
        """Waits until everything that was asked of the device is done."""
        (jax.device_put(0.0, self.device) + 0).block_until_ready()

    def peak(self):
        """The most bytes that arrays held; None on the processor."""
        return self._memory("peak_bytes_in_use")

    def reserved(self):
        """Bytes that JAX took from the driver."""
        return self._memory("bytes_reserved") or self._memory("pool_bytes")

    def holds(self, arrays):
        """Whether all of them lie here."""
        leaves = jax.tree.leaves(arrays)
        return bool(leaves) and all(leaf.devices() == {self.device} for leaf in leaves)

    def _memory(self, key):
        stats = self.device.memory_stats() if self.gpu else None
        return int(stats[key]) if stats and key in stats else None


def installed_plugin():
    """The part for cards that is installed; None: there is none."""
    for name in PLUGINS:
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
        return name
    return None


def build_tag():
    """Which build this is: "cuda13", "rocm7", "cpu"."""
    plugin = installed_plugin()
    return plugin.split("-")[1] if plugin else "cpu"


def find_place(reporter, args):
    """Where to train, with the proof that the card is seen. None: it is not what it must be, and the run is over."""
    trouble, cards = why_no_gpu(args)
    if args.expect == "cpu" or (args.expect == "any" and trouble is not None):
        reporter.device("cpu", "CPU")
        reporter.proof("card_seen", None, **(trouble or {"reason": "cpu_road"}))
        return Place(jax.devices("cpu")[0])
    if trouble is not None:
        reporter.proof("card_seen", False, **trouble)
        return None
    place = Place(cards[args.device_index or 0])
    capability = getattr(place.device, "compute_capability", None)
    stats = place.device.memory_stats() or {}
    facts = {"index": args.device_index or 0, "compute_capability": capability, "vram_total": stats.get("bytes_limit")}
    reporter.device(place.kind, place.name, **facts)
    reporter.proof("card_seen", True, name=place.name, kind=place.kind)
    return place


def why_no_gpu(args):
    """Why JAX cannot use a card here, as a reason with its values, or None; and the cards."""
    if args.expect == "cpu":
        return None, []
    plugin = installed_plugin()
    if plugin is None:
        return {"reason": "no_gpu_part", "plugin": "jax-cuda13-plugin"}, []
    try:
        cards = jax.devices("gpu")
    except RuntimeError as error:
        hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
        if hidden is not None and hidden.strip(" '\"") in ("", "-1"):
            return {"reason": "hidden", "variable": "CUDA_VISIBLE_DEVICES", "value": hidden}, []
        return {"reason": "no_answer", "detail": str(error).strip().splitlines()[0]}, []
    if args.device_index is not None and args.device_index >= len(cards):
        return {"reason": "no_such_card", "index": args.device_index, "count": len(cards)}, cards
    return None, cards


def prove_kernels(reporter, place):
    """Whether a convolution and a product of matrices, with backward, run there and give the processor's numbers."""
    reporter.stage("kernel", 300)
    try:
        here, there = _kernels(jax.devices("cpu")[0]), _kernels(place.device)
    except jax.errors.JaxRuntimeError as error:
        if "RESOURCE_EXHAUSTED" in str(error):
            raise
        detail = str(error).strip().splitlines()[0]
        return reporter.proof("kernel", False, reason="kernel_failed", detail=detail, kind=place.kind)
    error = max(float(numpy.max(numpy.abs(a - b)) / numpy.max(numpy.abs(a))) for a, b in zip(here, there))  # noqa: B905
    values = {"kind": place.kind, "name": place.name, "error": error}
    if error > TOLERANCE:
        return reporter.proof("kernel", False, reason="wrong_numbers", **values)
    return reporter.proof("kernel", True, **values)


def _kernels(device):
    keys = jax.random.split(jax.random.key(1), 3)
    shapes = ((4, 3, 32, 32), (8, 3, 3, 3), (8, 16))
    inputs, filters, matrix = (
        jax.device_put(jax.random.uniform(key, shape) - 0.5, device)
        for key, shape in zip(keys, shapes)  # noqa: B905
    )

    def loss(filters, matrix):
        features = jax.nn.relu(jax.lax.conv(inputs, filters, (1, 1), "SAME")).mean(axis=(2, 3))
        return ((features @ matrix) ** 2).sum()

    value, slopes = jax.value_and_grad(loss, argnums=(0, 1))(filters, matrix)
    return jax.device_get([value[None], *slopes])


class JitTraining(telling.Telling):
    """A loop over one compiled function."""

    def __init__(self, reporter, args, place, learner):
        super().__init__(reporter, args, place, learner)
        self._optimizer = optax.inject_hyperparams(optax.adam)(learning_rate=learner.peak_rate)
        self._state = jax.device_put(self._optimizer.init(learner.parameters), place.device)
        self._compiled = 0
        self._step = jax.jit(self._plain_step)

    def run(self):
        """Trains, and returns what was measured."""
        self._prove_first_step()
        self.reporter.stage("train", self.args.seconds + 2 * telling.PATIENCE)
        began = time.perf_counter()
        self.step()
        self.loss.block_until_ready()
        seconds = time.perf_counter() - began
        self.begin()
        while self.step_number < self.total:
            self.step()
            self.report_if_due()
        self.reporter.proof("compiled", self._compiled == 1, count=self._compiled, seconds=seconds)
        return self.measured()

    def step(self):
        """One step. Nothing here waits for the device."""
        learner = self.learner
        rate = learner.peak_rate * telling.warm_to_cold(self.step_number / self.total)
        self._state.hyperparams["learning_rate"] = numpy.asarray(rate, numpy.float32)
        learner.parameters, self._state, self.loss, self.output = self._step(
            learner.parameters, self._state, learner.inputs, learner.targets
        )
        self.step_number += 1

    def _plain_step(self, parameters, state, inputs, targets):
        self._compiled += 1  # Python runs this only while it is traced
        (loss, output), slopes = jax.value_and_grad(self.learner.loss, has_aux=True)(parameters, inputs, targets)
        changes, state = self._optimizer.update(slopes, state, parameters)
        return optax.apply_updates(parameters, changes), state, loss, output

    def _prove_first_step(self):
        """One step by hand: where everything lay, and that it changed something."""
        reporter, place, learner = self.reporter, self.place, self.learner
        name = {"kind": place.kind, "name": place.name}
        leaves = jax.tree.leaves(learner.parameters)
        count = int(sum(leaf.size for leaf in leaves))
        reporter.proof("parameters_on_device", place.holds(leaves), count=count, **_where(leaves), **name)
        batch = [learner.inputs, learner.targets]
        reporter.proof("batches_on_device", place.holds(batch), count=len(batch[0]), **_where(batch), **name)
        slope_of = jax.value_and_grad(learner.loss, has_aux=True)
        (loss, output), slopes = slope_of(learner.parameters, *batch)
        reporter.proof("forward_on_device", place.holds([loss, output]), **_where([output]), **name)
        slopes_held = place.holds(slopes)
        reporter.proof("backward_on_device", slopes_held, count=len(jax.tree.leaves(slopes)), **_where(slopes), **name)
        changes, state = self._optimizer.update(slopes, self._state, learner.parameters)
        after = jax.tree.leaves(optax.apply_updates(learner.parameters, changes))
        changed = sum(not bool(numpy.array_equal(old, new)) for old, new in zip(leaves, after))  # noqa: B905
        moments = [leaf for leaf in jax.tree.leaves(state) if leaf.ndim]
        moved = place.holds([after, moments]) and changed == len(leaves)
        values = {"changed": changed, "count": len(leaves), **_where(moments), **name}
        reporter.proof("optimizer_on_device", moved, **values)


def _where(arrays):
    devices = {str(device) for leaf in jax.tree.leaves(arrays) for device in leaf.devices()}
    return {"where": ", ".join(sorted(devices)) or "-"}


class SpeedNet:
    """Products of matrices with forward, backward and optimizer step, in full or in short numbers."""

    def __init__(self, place, type_=numpy.float32):
        keys = jax.random.split(jax.random.key(1), 5)
        scale = WIDTH**-0.5
        weights = [(jax.random.uniform(key, (WIDTH, WIDTH)) - 0.5) * 2 * scale for key in keys[:3]]
        self.weights = jax.device_put(weights, place.device)
        self._inputs = jax.device_put(jax.random.uniform(keys[3], (BATCH, WIDTH)), place.device)
        self._targets = jax.device_put(jax.random.uniform(keys[4], (BATCH, WIDTH)) * 2, place.device)

        def loss(weights):
            x = self._inputs.astype(type_)
            for weight in weights[:-1]:
                x = jax.nn.relu(x @ weight.astype(type_))
            output = x @ weights[-1].astype(type_)
            return numpy.mean((output.astype(numpy.float32) - self._targets) ** 2), output

        def step(weights):
            (value, output), slopes = jax.value_and_grad(loss, has_aux=True)(weights)
            return [weight - 0.1 * slope for weight, slope in zip(weights, slopes)], value, output  # noqa: B905

        self._step = jax.jit(step)

    def losses(self, steps):
        """The loss before and after some steps, and the type of the network's output."""
        self.weights, first, output = self._step(self.weights)
        for _ in range(steps):
            self.weights, last, _ = self._step(self.weights)
        return float(first), float(last), output.dtype

    def seconds_per_step(self, warm_up, seconds):
        """Measured after a warm-up, with an idle device before and after."""
        for _ in range(warm_up):
            self.weights, loss, _ = self._step(self.weights)
        loss.block_until_ready()
        began, steps = time.perf_counter(), 0
        while steps < 2 or time.perf_counter() - began < seconds:
            self.weights, loss, _ = self._step(self.weights)
            steps += 1
            if steps % 5 == 0:
                loss.block_until_ready()
        loss.block_until_ready()
        return (time.perf_counter() - began) / steps


def prove_mixed_precision(reporter, place):
    """Whether training in short numbers runs and learns; how much faster it is."""
    if not place.gpu:
        return reporter.proof("mixed_precision", None, reason="cpu_road")
    reporter.stage("mixed_precision", 120)
    net = SpeedNet(place, numpy.bfloat16)
    first, last, type_ = net.losses(30)
    values = {"precision": "bf16", "first": first, "last": last, "kind": place.kind, "name": place.name}
    if type_ != numpy.bfloat16 or not last < first:
        reason = "not_short" if type_ != numpy.bfloat16 else "not_learning"
        return reporter.proof("mixed_precision", False, reason=reason, **values)
    usual = SpeedNet(place).seconds_per_step(3, 0.3)
    return reporter.proof("mixed_precision", True, times=usual / net.seconds_per_step(3, 0.3), **values)


def prove_faster(reporter, place):
    """How many times faster than this computer's processor the same step is."""
    if not place.gpu:
        return reporter.proof("faster_than_cpu", None, reason="cpu_road")
    reporter.stage("compare", 180)
    card = SpeedNet(place).seconds_per_step(5, 0.7)
    processor = SpeedNet(Place(jax.devices("cpu")[0])).seconds_per_step(1, 1.5)
    values = {"times": processor / card, "card_ms": card * 1000, "cpu_ms": processor * 1000}
    return reporter.proof("faster_than_cpu", processor > card, name=place.name, kind=place.kind, **values)


def prove_memory(reporter, place):
    """What training took of the card's memory."""
    if not place.gpu:
        return reporter.proof("memory", None, reason="cpu_road")
    peak = place.peak()
    if peak is None:
        return reporter.proof("memory", None, reason="not_counted")
    return reporter.proof("memory", peak > 0, allocated=peak, kind=place.kind, name=place.name)


PROOFS = (
    "kernel",
    "parameters_on_device",
    "batches_on_device",
    "forward_on_device",
    "backward_on_device",
    "optimizer_on_device",
    "compiled",
    "loss_fell",
    "mixed_precision",
    "faster_than_cpu",
    "memory",
)


def smoke_test(reporter, args, make_learner):
    """The whole test. `make_learner(place, args)` gives the learner."""
    reporter.hello("jax", jax.__version__, build_tag())
    reporter.stage("device", 120)
    place = find_place(reporter, args)
    if place is not None:
        jax.config.update("jax_default_device", place.device)
    if place is None or not prove_kernels(reporter, place):
        for name in PROOFS[0 if place is None else 1 :]:
            reporter.proof(name, None, reason="earlier_failed")
        reporter.result(**versions())
        return
    reporter.stage("prepare", 180)
    learner = make_learner(place, args)
    before = learner.score()
    measured = JitTraining(reporter, args, place, learner).run()
    telling.prove_loss_fell(reporter, before, learner.score())
    prove_mixed_precision(reporter, place)
    prove_faster(reporter, place)
    prove_memory(reporter, place)
    reporter.result(**measured, **versions())


def versions():
    """What somebody who looks at a saved run wants to know."""
    return {"jax": jax.__version__, "flax": flax_version, "plugin": installed_plugin()}
