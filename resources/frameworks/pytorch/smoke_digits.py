"""The network learns to read handwritten digits, and is asked about digits that it has never seen."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "smoke_test"))

from reporter import Reporter, Throttle, arguments

GOOD = 0.85  # share of unseen digits that must be read; guessing reads 0.1
BATCH = {"cpu": 128, "gpu": 256}
CHANNELS = {"cpu": (24, 48), "gpu": (64, 128)}


class DigitsLearner:
    """Convolutions on 8 x 8 points. Every batch is drawn and shifted on the device itself."""

    peak_rate = 3e-3
    fewest_steps = 250

    def __init__(self, place, args):
        import digits
        import torch

        self._torch = torch
        self.throttle = Throttle(0.5)
        self.device = place.device
        kind = "gpu" if place.gpu else "cpu"
        self.batch_size = max(8, round(BATCH[kind] * args.batch_scale))
        (train_points, train_digits), (test_points, test_digits) = digits.read()
        self.grid = digits.Grid(test_points, test_digits)
        self._train = self._pictures(train_points, digits), self._answers(train_digits)
        self._test = self._pictures(test_points, digits), self._answers(test_digits)
        self._padded = torch.nn.functional.pad(self._train[0], (1, 1, 1, 1))
        self.model = self._make_model(*CHANNELS[kind]).to(place.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=self.peak_rate, weight_decay=1e-2)
        self._shifts = [(row, column) for row in range(3) for column in range(3)]
        self._drawn = 0

    def batch(self):
        """Digits chosen by chance, all shifted by at most one point to one of nine sides."""
        chosen = self._torch.randint(len(self._padded), (self.batch_size,), device=self.device)
        row, column = self._shifts[self._drawn * 4 % 9]
        self._drawn += 1
        pictures = self._padded[:, :, row : row + 8, column : column + 8]
        return pictures[chosen], self._train[1][chosen]

    def loss(self, output, targets):
        return self._torch.nn.functional.cross_entropy(output, targets)

    def score(self):
        """The loss over the digits that are never trained on."""
        pictures, answers = self._test
        return self.loss(self._ask(pictures), answers).item()

    def show(self, reporter, training):
        """Sends the share of unseen digits that are read rightly, and a grid of guesses."""
        guesses = self._ask(self._test[0]).argmax(dim=1)
        right = (guesses == self._test[1]).float().mean().item()
        rgb, labels = self.grid.draw(guesses[: self.grid.count].tolist())
        step, total = training.step_number, training.total
        reporter.metric("accuracy", step, total, right)
        reporter.picture("guesses", step, self.grid.width, self.grid.height, rgb, labels, self.grid.columns)

    def prove(self, reporter):
        """Whether it reads digits that it has never seen."""
        guesses = self._ask(self._test[0]).argmax(dim=1)
        right = int((guesses == self._test[1]).sum())
        count = len(guesses)
        percent = 100 * right / count
        reporter.proof("accuracy", right >= GOOD * count, right=right, count=count, percent=percent, least=100 * GOOD)

    def _ask(self, pictures):
        self.model.eval()
        with self._torch.no_grad():
            output = self.model(pictures)
        self.model.train()
        return output

    def _pictures(self, points, digits):
        pixels = self._torch.frombuffer(bytearray(points), dtype=self._torch.uint8)
        return (pixels.view(-1, 1, digits.SIDE, digits.SIDE).float() / digits.DARKEST).to(self.device)

    def _answers(self, answers):
        return self._torch.frombuffer(bytearray(answers), dtype=self._torch.uint8).long().to(self.device)

    def _make_model(self, first, second):
        nn = self._torch.nn
        return nn.Sequential(
            nn.Conv2d(1, first, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(first, second, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(second * 16, 64),
            nn.ReLU(),
            nn.Linear(64, 10),
        )


def main():
    args = arguments(seconds=10)
    reporter.begin("torch", import_budget=240)
    import smoke_torch

    smoke_torch.smoke_test(reporter, args, DigitsLearner, more_proofs=("accuracy",))


if __name__ == "__main__":
    reporter = Reporter()
    reporter.run(main)
