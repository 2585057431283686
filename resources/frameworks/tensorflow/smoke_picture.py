"""A Keras network learns a picture: a place in it goes in, the colour of that place comes out."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "smoke_test"))

from reporter import Reporter, Throttle, arguments

WAVES = 96  # of each kind, that a place is told in: without them a network learns only soft shapes
SHARPNESS = 9.0


class PictureLearner:
    """All points of the picture are one batch."""

    peak_rate = 4e-3
    fewest_steps = 60

    def __init__(self, place, args):
        import drawing
        import tensorflow as tf

        self._tf = tf
        self.size = drawing.SIZE
        self.throttle = Throttle(0.35)
        self._score_throttle = Throttle(0.3)
        self._target_rgb = drawing.draw()
        self._sent_target = False
        self._last = None
        pixels = tf.io.decode_raw(self._target_rgb, tf.uint8)
        self.targets = tf.cast(tf.reshape(pixels, (-1, 3)), tf.float32) / 255
        line = (tf.range(self.size, dtype=tf.float32) + 0.5) / self.size * 2 - 1
        places = tf.reshape(tf.stack(tf.meshgrid(line, line, indexing="ij"), axis=-1), (-1, 2))
        waves = places @ (tf.random.normal((2, WAVES)) * SHARPNESS)
        self.inputs = tf.concat([tf.sin(waves), tf.cos(waves)], axis=1)
        self.model = self._make_model(256 if place.gpu else 96)

    def _make_model(self, width):
        keras = self._tf.keras
        layers = [keras.layers.Dense(width, activation="relu") for _ in range(3)]
        model = keras.Sequential([keras.Input((2 * WAVES,)), *layers, keras.layers.Dense(3, activation="sigmoid")])
        model.compile(optimizer=keras.optimizers.Adam(self.peak_rate), loss="mse")
        return model

    def score(self):
        """The loss over the whole picture."""
        output = self.model(self.inputs)
        return float(self._tf.reduce_mean((output - self.targets) ** 2))

    def score_if_due(self, training):
        """`model.fit` tells a mean over all steps; what counts is the loss now."""
        if self._last is None or self._score_throttle.due():
            with self._score_throttle:
                self._last = self.score()
        return self._last

    def show(self, reporter, training):
        """Sends the picture so far; before the first, what it shall become."""
        if not self._sent_target:
            self._sent_target = True
            reporter.picture("target", 0, self.size, self.size, self._target_rgb)
        levels = self._tf.cast(self._tf.round(self.model(self.inputs) * 255), self._tf.uint8)
        reporter.picture("learnt", training.step_number, self.size, self.size, levels.numpy().tobytes())


def main():
    args = arguments(seconds=12)
    reporter.begin("tensorflow", import_budget=300)
    import smoke_tf

    smoke_tf.smoke_test(reporter, args, PictureLearner)


if __name__ == "__main__":
    reporter = Reporter()
    reporter.run(main)
