"""The network learns a picture: a place in it goes in, the colour of that place comes out."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "smoke_test"))

from reporter import Reporter, Throttle, arguments

WAVES = 96  # of each kind, that a place is told in: without them a network learns only soft shapes
SHARPNESS = 9.0
LAYERS = 3


class PictureLearner:
    """All points of the picture are one batch, so what the last step gave is the picture so far, at no cost."""

    peak_rate = 4e-3
    fewest_steps = 60

    def __init__(self, place, args):
        import drawing
        import torch

        self._torch = torch
        self.size = drawing.SIZE
        self.throttle = Throttle(0.35)
        self._sent_target = False
        self._target_rgb = drawing.draw()
        pixels = torch.frombuffer(bytearray(self._target_rgb), dtype=torch.uint8)
        self.targets = (pixels.view(-1, 3).float() / 255).to(place.device)
        line = (torch.arange(self.size) + 0.5) / self.size * 2 - 1
        places = torch.stack(torch.meshgrid(line, line, indexing="ij"), dim=-1).view(-1, 2)
        waves = places @ (torch.randn(2, WAVES) * SHARPNESS)
        self.inputs = torch.cat([waves.sin(), waves.cos()], dim=1).to(place.device)
        self.model = self._make_model(256 if place.gpu else 96, args.batch_scale).to(place.device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=self.peak_rate)

    def batch(self):
        return self.inputs, self.targets

    def loss(self, output, targets):
        return self._torch.nn.functional.mse_loss(output, targets)

    def score(self):
        """The loss over the whole picture."""
        with self._torch.no_grad():
            return self.loss(self.model(self.inputs), self.targets).item()

    def show(self, reporter, training):
        """Sends the picture so far; before the first, what it shall become."""
        if not self._sent_target:
            self._sent_target = True
            reporter.picture("target", 0, self.size, self.size, self._target_rgb)
        levels = (training.output[: self.size * self.size].clamp(0, 1) * 255).round().to(self._torch.uint8).cpu()
        rgb = bytes(levels.flatten().tolist())
        reporter.picture("learnt", training.step_number, self.size, self.size, rgb)

    def prove(self, reporter):
        """Nothing beyond what every test proves."""

    def _make_model(self, width, batch_scale):
        nn = self._torch.nn
        copies = max(1, round(batch_scale))
        self.inputs, self.targets = self.inputs.repeat(copies, 1), self.targets.repeat(copies, 1)
        layers = [nn.Linear(2 * WAVES, width), nn.ReLU()]
        for _ in range(LAYERS - 1):
            layers += [nn.Linear(width, width), nn.ReLU()]
        return nn.Sequential(*layers, nn.Linear(width, 3), nn.Sigmoid())


def main():
    args = arguments(seconds=12)
    reporter.begin("torch", import_budget=240)
    import smoke_torch

    smoke_torch.smoke_test(reporter, args, PictureLearner)


if __name__ == "__main__":
    reporter = Reporter()
    reporter.run(main)
