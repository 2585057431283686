"""What every TensorFlow smoke test does and proves. Runs in the user's interpreter: Python 3.10, TensorFlow 2.16 on."""

import os
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import telling
import tensorflow as tf

keras = tf.keras
WIDTH, BATCH = 1024, 1024
TOLERANCE = 0.02  # TF32, which products of matrices use on newer cards, has a 10-bit mantissa


class Place:
    """A device, with what TensorFlow calls it."""

    def __init__(self, kind, index=0):
        self.kind, self.index = kind, index
        self.gpu = kind != "cpu"
        self.device = f"/{'GPU' if self.gpu else 'CPU'}:{index}"
        self.name = self._name()

    def synchronize(self):
        """Waits until everything that was asked of the card is done."""
        if self.gpu:
            tf.test.experimental.sync_devices()

    def peak(self):
        """The most bytes that tensors held; None on the processor."""
        return self._memory("peak")

    def reserved(self):
        """TensorFlow does not tell what it took from the driver."""
        return

    def holds(self, tensors):
        """Whether all of them lie here."""
        tensors = list(tensors)
        return bool(tensors) and all(device_of(tensor).endswith(self.device) for tensor in tensors)

    def _memory(self, key):
        return int(tf.config.experimental.get_memory_info(self.device[1:])[key]) if self.gpu else None

    def _name(self):
        if not self.gpu:
            return "CPU"
        card = tf.config.list_physical_devices("GPU")[self.index]
        return tf.config.experimental.get_device_details(card).get("device_name", "GPU")


def device_of(tensor):
    """Where it lies: "/job:localhost/replica:0/task:0/device:GPU:0" ends like `Place.device`."""
    return getattr(tensor, "value", tensor).device.replace("device:", "/").replace("//", "/")


def build_tag():
    """Which build this is."""
    info = tf.sysconfig.get_build_info()
    if info.get("is_rocm_build"):
        return "rocm"
    return "cu" + str(info.get("cuda_version", "")).replace(".", "") if info.get("is_cuda_build") else "cpu"


def find_place(reporter, args):
    """Where to train, with the proof that the card is seen. None: it is not what it must be, and the run is over."""
    build, cards = build_tag(), tf.config.list_physical_devices("GPU")
    for card in cards:
        tf.config.experimental.set_memory_growth(card, True)  # else it takes nearly all of the card at once
    trouble = why_no_gpu(build, cards, args)
    if args.expect == "cpu" or (args.expect == "any" and trouble is not None):
        reporter.device("cpu", "CPU")
        reason = trouble if trouble is not None else {"reason": "cpu_road", "build": build}
        if reason["reason"] == "cpu_build":
            reason = {"reason": "cpu_build_only", "build": build}
        reporter.proof("card_seen", None, **reason)
        return Place("cpu")
    if trouble is not None:
        reporter.proof("card_seen", False, **trouble)
        return None
    place = Place("rocm" if build.startswith("rocm") else "cuda", args.device_index or 0)
    details = tf.config.experimental.get_device_details(cards[place.index])
    capability = ".".join(map(str, details["compute_capability"])) if "compute_capability" in details else None
    reporter.device(place.kind, place.name, index=place.index, compute_capability=capability)
    reporter.proof("card_seen", True, name=place.name, kind=place.kind)
    return place


def why_no_gpu(build, cards, args):
    """Why TensorFlow cannot use a card here, as a reason with its values; None: it can."""
    if args.expect == "cpu":
        return None
    if build == "cpu":
        return {"reason": "no_gpu_part"} if sys.platform == "win32" else {"reason": "cpu_build", "build": build}
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES")
    if not cards and hidden is not None and hidden.strip(" '\"") in ("", "-1"):
        return {"reason": "hidden", "variable": "CUDA_VISIBLE_DEVICES", "value": hidden}
    if not cards:
        return {"reason": "no_card", "detail": "list_physical_devices: []"}
    if args.device_index is not None and args.device_index >= len(cards):
        return {"reason": "no_such_card", "index": args.device_index, "count": len(cards)}
    return None


def prove_kernels(reporter, place):
    """Whether a convolution and a product of matrices, with backward, run there and give the processor's numbers."""
    reporter.stage("kernel", 300)  # a card that the build has no code for compiles it now, which takes minutes
    try:
        here, there = _kernels("/CPU:0"), _kernels(place.device)
    except tf.errors.ResourceExhaustedError:
        raise
    except tf.errors.OpError as error:
        detail = str(error).strip().splitlines()[0]
        return reporter.proof("kernel", False, reason="kernel_failed", detail=detail, kind=place.kind)
    error = max(float(tf.reduce_max(tf.abs(a - b)) / tf.reduce_max(tf.abs(a))) for a, b in zip(here, there))  # noqa: B905
    values = {"kind": place.kind, "name": place.name, "error": error}
    if error > TOLERANCE:
        return reporter.proof("kernel", False, reason="wrong_numbers", **values)
    return reporter.proof("kernel", True, **values)


def _kernels(device):
    dice = tf.random.Generator.from_seed(1)
    with tf.device("/CPU:0"):
        inputs, filters = dice.uniform((4, 32, 32, 3)), dice.uniform((3, 3, 3, 8)) - 0.5
        matrix = dice.uniform((8, 16)) - 0.5
    with tf.device(device), tf.GradientTape() as tape:
        inputs, filters, matrix = (tf.identity(tensor) for tensor in (inputs, filters, matrix))
        tape.watch([filters, matrix])
        features = tf.reduce_mean(tf.nn.relu(tf.nn.conv2d(inputs, filters, 1, "SAME")), axis=(1, 2))
        output = features @ matrix
        loss = tf.reduce_sum(output**2)
    with tf.device("/CPU:0"):
        return [tf.identity(tensor) for tensor in (output, *tape.gradient(loss, [filters, matrix]))]


def prove_first_step(reporter, place, learner):
    """One step by hand: where everything lay, and that it changed something."""
    name = {"kind": place.kind, "name": place.name}
    model, (inputs, targets) = learner.model, (learner.inputs, learner.targets)
    variables = model.trainable_variables
    count = int(sum(tf.size(variable) for variable in variables))
    reporter.proof("parameters_on_device", place.holds(variables), count=count, **_where(variables), **name)
    batch = [inputs, targets]
    reporter.proof("batches_on_device", place.holds(batch), count=len(inputs), **_where(batch), **name)
    before = [tf.identity(variable) for variable in variables]
    with tf.GradientTape() as tape:
        output = model(inputs, training=True)
        loss = tf.reduce_mean((output - targets) ** 2)
    reporter.proof("forward_on_device", place.holds([output, loss]), **_where([output]), **name)
    slopes = tape.gradient(loss, variables)
    known = [slope for slope in slopes if slope is not None]
    complete = len(known) == len(variables) and place.holds(known)
    reporter.proof("backward_on_device", complete, count=len(known), **_where(known), **name)
    model.optimizer.apply_gradients(zip(slopes, variables))  # noqa: B905
    state = [value for value in model.optimizer.variables if value.dtype == "float32" and len(value.shape)]
    changed = sum(not bool(tf.reduce_all(tf.equal(a, b))) for a, b in zip(before, variables))  # noqa: B905
    moved = place.holds(state) and changed == len(variables)
    reporter.proof("optimizer_on_device", moved, changed=changed, count=len(variables), **_where(state), **name)


def _where(tensors):
    return {"where": ", ".join(sorted({device_of(tensor).rpartition("0/")[2] for tensor in tensors})) or "-"}


class FitTraining(telling.Telling):
    """Keras' own loop."""

    def run(self):
        """Trains, and returns what was measured."""
        self.reporter.stage("train", self.args.seconds + 2 * telling.PATIENCE)
        learner = self.learner
        data = tf.data.Dataset.from_tensors((learner.inputs, learner.targets)).repeat()
        learner.model.fit(data, steps_per_epoch=telling.MOST_STEPS, verbose=0, callbacks=[_Watcher(self)])
        return self.measured()


class _Watcher(keras.callbacks.Callback):
    """Tells how it goes, and ends the training when it has had its time."""

    def __init__(self, training):
        super().__init__()
        self._training = training

    def on_train_batch_begin(self, batch, logs=None):
        training = self._training
        rate = training.learner.peak_rate * telling.warm_to_cold(training.step_number / training.total)
        self.model.optimizer.learning_rate.assign(rate)

    def on_train_batch_end(self, batch, logs=None):
        training = self._training
        training.step_number += 1
        training.loss = logs["loss"] if training.loss is None else training.learner.score_if_due(training)
        if training.step_number == 1:  # it compiled the step
            training.place.synchronize()
            training.begin()
        training.report_if_due()
        self.model.stop_training = training.step_number >= training.total


class SpeedNet:
    """Products of matrices with forward, backward and optimizer step, in full or in mixed precision."""

    def __init__(self, place, policy="float32"):
        self._place = place
        with tf.device(place.device):
            layers = [keras.layers.Dense(WIDTH, activation="relu", dtype=policy) for _ in range(2)]
            self.model = keras.Sequential([keras.Input((WIDTH,)), *layers, keras.layers.Dense(WIDTH, dtype=policy)])
            self._optimizer = keras.optimizers.SGD(0.1)
            dice = tf.random.Generator.from_seed(1)
            self._inputs, self._targets = dice.uniform((BATCH, WIDTH)), dice.uniform((BATCH, WIDTH)) * 2
        self._step = tf.function(self._plain_step)

    def _plain_step(self):
        with tf.device(self._place.device):
            with tf.GradientTape() as tape:
                output = self.model(self._inputs)
                loss = tf.reduce_mean((tf.cast(output, "float32") - self._targets) ** 2)
            slopes = tape.gradient(loss, self.model.trainable_variables)
            self._optimizer.apply_gradients(zip(slopes, self.model.trainable_variables))  # noqa: B905
            return loss, output

    def losses(self, steps):
        """The loss before and after some steps, and the type of the network's output."""
        first, output = self._step()
        for _ in range(steps):
            last, _ = self._step()
        return float(first), float(last), output.dtype.name

    def seconds_per_step(self, warm_up, seconds):
        """Measured after a warm-up, with an idle device before and after."""
        for _ in range(warm_up):
            loss, _ = self._step()
        float(loss)
        began, steps = time.perf_counter(), 0
        while steps < 2 or time.perf_counter() - began < seconds:
            loss, _ = self._step()
            steps += 1
            if steps % 5 == 0 or not self._place.gpu:
                float(loss)
        float(loss)
        return (time.perf_counter() - began) / steps


def prove_mixed_precision(reporter, place):
    """Whether training in short numbers runs and learns; how much faster it is."""
    if not place.gpu:
        return reporter.proof("mixed_precision", None, reason="cpu_road")
    reporter.stage("mixed_precision", 120)
    net = SpeedNet(place, "mixed_bfloat16")
    first, last, type_ = net.losses(30)
    values = {"precision": "bf16", "first": first, "last": last, "kind": place.kind, "name": place.name}
    if type_ != "bfloat16" or not last < first:
        reason = "not_short" if type_ != "bfloat16" else "not_learning"
        return reporter.proof("mixed_precision", False, reason=reason, **values)
    usual = SpeedNet(place).seconds_per_step(3, 0.3)
    return reporter.proof("mixed_precision", True, times=usual / net.seconds_per_step(3, 0.3), **values)


def prove_faster(reporter, place):
    """How many times faster than this computer's processor the same step is."""
    if not place.gpu:
        return reporter.proof("faster_than_cpu", None, reason="cpu_road")
    reporter.stage("compare", 180)
    card = SpeedNet(place).seconds_per_step(5, 0.7)
    processor = SpeedNet(Place("cpu")).seconds_per_step(1, 1.5)
    values = {"times": processor / card, "card_ms": card * 1000, "cpu_ms": processor * 1000}
    return reporter.proof("faster_than_cpu", processor > card, name=place.name, kind=place.kind, **values)


def prove_memory(reporter, place):
    """What training took of the card's memory."""
    if not place.gpu:
        return reporter.proof("memory", None, reason="cpu_road")
    peak = place.peak()
    return reporter.proof("memory", peak > 0, allocated=peak, kind=place.kind, name=place.name)


PROOFS = (
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


def smoke_test(reporter, args, make_learner):
    """The whole test. `make_learner(place, args)` gives the learner."""
    reporter.hello("tensorflow", tf.__version__, build_tag())
    reporter.stage("device", 120)
    keras.utils.set_random_seed(args.seed)
    place = find_place(reporter, args)
    if place is None or not prove_kernels(reporter, place):
        for name in PROOFS[0 if place is None else 1 :]:
            reporter.proof(name, None, reason="earlier_failed")
        reporter.result(**versions())
        return
    reporter.stage("prepare", 180)
    with tf.device(place.device):
        learner = make_learner(place, args)
        before = learner.score()
        prove_first_step(reporter, place, learner)
        measured = FitTraining(reporter, args, place, learner).run()
        telling.prove_loss_fell(reporter, before, learner.score())
    prove_mixed_precision(reporter, place)
    prove_faster(reporter, place)
    prove_memory(reporter, place)
    reporter.result(**measured, **versions())


def versions():
    """What somebody who looks at a saved run wants to know."""
    info = tf.sysconfig.get_build_info()
    return {"tensorflow": tf.__version__, "keras": keras.__version__, "cuda": info.get("cuda_version")}
