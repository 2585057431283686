"""Two devices learn one picture with `MirroredStrategy`: two cards, or a processor that plays two devices."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "smoke_test"))

from reporter import Reporter, arguments

DEVICES = 2
EPOCH = 20  # steps between two reports


def choose_devices(tf, args):
    """The devices, and how many cards there are. Call before anything is calculated."""
    cards = tf.config.list_physical_devices("GPU") if args.expect != "cpu" else []
    if len(cards) >= DEVICES:
        return [f"/GPU:{number}" for number in range(DEVICES)], len(cards)
    processor = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(processor, [tf.config.LogicalDeviceConfiguration()] * DEVICES)
    return [f"/CPU:{number}" for number in range(DEVICES)], len(cards)


def prove_alike(reporter, tf, strategy, model):
    """Whether all copies of the network have the same numbers."""
    apart, count, held = 0.0, 0, set()
    for variable in model.trainable_variables:
        copies = strategy.experimental_local_results(variable.value)
        held.add(len(copies))
        count += int(tf.size(copies[0]))
        apart = max(apart, *(float(tf.reduce_max(tf.abs(copy - copies[0]))) for copy in copies))
    alike = apart == 0 and held == {DEVICES}
    reporter.proof("synchronised", alike, processes=min(held), count=count, apart=apart)


def main():
    args = arguments(seconds=8)
    reporter.begin("tensorflow", import_budget=300)
    import smoke_tf
    import telling

    tf = smoke_tf.tf
    devices, cards = choose_devices(tf, args)
    if devices[0].startswith("/CPU"):
        args.expect = "cpu"
    reporter.hello("tensorflow", tf.__version__, smoke_tf.build_tag())
    reporter.stage("device", 120)
    tf.keras.utils.set_random_seed(args.seed)
    place = smoke_tf.find_place(reporter, args)
    if place is None:
        for name in ("replicas", "loss_fell", "synchronised"):
            reporter.proof(name, None, reason="earlier_failed")
        reporter.result(**smoke_tf.versions())
        return
    from smoke_picture import PictureLearner

    reporter.stage("prepare", 180)
    strategy = tf.distribute.MirroredStrategy(devices, tf.distribute.HierarchicalCopyAllReduce())
    with strategy.scope():
        learner = PictureLearner(place, args)
    replicas = strategy.num_replicas_in_sync
    reporter.proof("replicas", replicas == DEVICES, replicas=replicas, cards=cards, kind=place.kind)
    before = learner.score()
    training = telling.Telling(reporter, args, place, learner)
    reporter.stage("train", args.seconds + 2 * telling.PATIENCE)
    points = len(learner.inputs)
    data = tf.data.Dataset.from_tensor_slices((learner.inputs, learner.targets)).cache().batch(points).repeat()
    while training.step_number < training.total:
        history = learner.model.fit(data, steps_per_epoch=EPOCH, verbose=0)
        training.loss = history.history["loss"][-1]
        if training.step_number == 0:
            training.begin()
        training.step_number += EPOCH
        training.report_if_due()
    measured = training.measured()
    telling.prove_loss_fell(reporter, before, learner.score())
    prove_alike(reporter, tf, strategy, learner.model)
    reporter.result(**measured, **smoke_tf.versions())


if __name__ == "__main__":
    reporter = Reporter()
    reporter.run(main)
