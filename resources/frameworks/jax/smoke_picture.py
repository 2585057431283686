"""A Flax network learns a picture: a place in it goes in, the colour of that place comes out."""

import os
import sys
from pathlib import Path

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # else it takes three quarters of the card at once
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
        import jax
        import jax.numpy as numpy
        from flax import linen

        self._numpy, self._jax = numpy, jax
        self.size = drawing.SIZE
        self.throttle = Throttle(0.35)
        self._target_rgb = drawing.draw()
        self._sent_target = False
        pixels = numpy.asarray(list(self._target_rgb), numpy.float32).reshape(-1, 3) / 255
        line = (numpy.arange(self.size) + 0.5) / self.size * 2 - 1
        places = numpy.stack(numpy.meshgrid(line, line, indexing="ij"), axis=-1).reshape(-1, 2)
        key, other = jax.random.split(jax.random.key(args.seed))
        waves = places @ (jax.random.normal(key, (2, WAVES)) * SHARPNESS)
        self.inputs = jax.device_put(numpy.concatenate([numpy.sin(waves), numpy.cos(waves)], axis=1), place.device)
        self.targets = jax.device_put(pixels, place.device)
        width = 256 if place.gpu else 96

        class Painter(linen.Module):
            @linen.compact
            def __call__(self, x):
                for _ in range(3):
                    x = linen.relu(linen.Dense(width)(x))
                return linen.sigmoid(linen.Dense(3)(x))

        self.network = Painter()
        self.parameters = jax.device_put(self.network.init(other, self.inputs[:1]), place.device)

    def loss(self, parameters, inputs, targets):
        """Of a batch; also what the network answered."""
        output = self.network.apply(parameters, inputs)
        return self._numpy.mean((output - targets) ** 2), output

    def score(self):
        """The loss over the whole picture."""
        return float(self.loss(self.parameters, self.inputs, self.targets)[0])

    def show(self, reporter, training):
        """Sends the picture so far; before the first, what it shall become."""
        if not self._sent_target:
            self._sent_target = True
            reporter.picture("target", 0, self.size, self.size, self._target_rgb)
        levels = self._jax.device_get(self._numpy.round(training.output * 255)).astype("uint8")
        reporter.picture("learnt", training.step_number, self.size, self.size, levels.tobytes())


def main():
    args = arguments(seconds=12)
    reporter.begin("jax", import_budget=240)
    import smoke_jax

    smoke_jax.smoke_test(reporter, args, PictureLearner)


if __name__ == "__main__":
    reporter = Reporter()
    reporter.run(main)
