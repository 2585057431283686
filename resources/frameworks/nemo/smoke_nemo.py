"""A small speech network made of NeMo's parts learns to write down melodies. The sounds are made up here."""

import logging
import os
import sys
import warnings
from pathlib import Path

FRAMEWORKS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(FRAMEWORKS / "pytorch"), str(FRAMEWORKS.parent / "smoke_test")]
os.environ.update(HF_HUB_OFFLINE="1", NEMO_TESTING="1")

from reporter import Reporter, Throttle, arguments

LETTERS = "abcdefgh"
PITCHES = (220.0, 294.0, 392.0, 523.0, 698.0, 932.0, 1245.0, 1661.0)  # Hz, a fourth or a fifth apart
RATE = 16000  # samples in a second
TONE = 0.12  # seconds
TONES = 6
BATCH, ASKED = 16, 40
GOOD = 0.5  # share of melodies without a mistake; by chance one in 260,000


class ToneLearner:
    """Melodies, and a network that hears them."""

    peak_rate = 1e-2
    fewest_steps = 150

    def __init__(self, place, args):
        import torch
        from nemo.collections.asr.losses.ctc import CTCLoss

        self._torch, self.place = torch, place
        self.throttle = Throttle(1.0)
        self.batch_size = max(4, round(BATCH * args.batch_scale))
        self.model = make_network(torch).to(place.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=self.peak_rate, weight_decay=1e-3)
        self._ctc = CTCLoss(num_classes=len(LETTERS), zero_infinity=True)
        times = torch.arange(int(RATE * TONE), device=place.device) / RATE
        waves = torch.sin(2 * torch.pi * torch.tensor(PITCHES, device=place.device)[:, None] * times)
        self._sounds = waves * torch.hann_window(len(times), device=place.device)
        self._test = self._melodies(ASKED)

    def batch(self):
        return self._melodies(self.batch_size)

    def loss(self, output, targets):
        lengths = self._torch.full((len(output),), output.shape[1], device=output.device)
        tones = self._torch.full((len(output),), TONES, device=output.device)
        return self._ctc(log_probs=output, targets=targets, input_lengths=lengths, target_lengths=tones)

    def score(self):
        """The loss over melodies that are never trained on."""
        with self._torch.no_grad():
            self.model.eval()
            value = self.loss(self.model(self._test[0]), self._test[1]).item()
            self.model.train()
        return value

    def show(self, reporter, training):
        """What it hears now in one melody."""
        heard, meant = self._hear(1)
        reporter.note(f"{meant[0]} → {heard[0]}")

    def prove(self, reporter):
        """Whether new melodies are written down rightly."""
        heard, meant = self._hear(ASKED)
        right = [one for one, other in zip(heard, meant) if one == other]  # noqa: B905
        example = (right or heard)[0]
        good = len(right) >= GOOD * ASKED
        reporter.proof("heard", good, right=len(right), count=ASKED, example=example, kind=self.place.kind)

    def _melodies(self, count):
        """Sounds, count x samples, and the numbers of their tones; a little noise, so that no two are alike."""
        torch = self._torch
        tones = torch.randint(len(LETTERS), (count, TONES), device=self.place.device)
        sound = self._sounds[tones].flatten(1)
        return sound + 0.02 * torch.randn_like(sound), tones

    def _hear(self, count):
        with self._torch.no_grad():
            self.model.eval()
            best = self.model(self._test[0][:count]).argmax(dim=-1).tolist()
            self.model.train()
        blank = len(LETTERS)
        heard = [
            "".join(LETTERS[now] for before, now in zip([blank, *row], row) if now not in (before, blank))  # noqa: B905
            for row in best
        ]
        return heard, ["".join(LETTERS[tone] for tone in row) for row in self._test[1][:count].tolist()]


def make_network(torch):
    """NeMo's preprocessor, encoder and decoder, one behind the other."""
    from nemo.collections.asr import modules

    class Hearing(torch.nn.Module):
        def __init__(self):
            super().__init__()
            block = {"repeat": 1, "stride": [1], "dilation": [1], "dropout": 0.0, "residual": False, "separable": True}
            blocks = [{"filters": 96, "kernel": [width], **block} for width in (7, 5)]
            self.pitches = modules.AudioToMelSpectrogramPreprocessor(RATE, features=48, dither=0.0, pad_to=0)
            self.encoder = modules.ConvASREncoder(jasper=blocks, activation="relu", feat_in=48)
            self.decoder = modules.ConvASRDecoder(feat_in=96, num_classes=len(LETTERS), vocabulary=list(LETTERS))

        def forward(self, sound):
            lengths = torch.full((len(sound),), sound.shape[1], device=sound.device)
            pitches, lengths = self.pitches(input_signal=sound, length=lengths)
            encoded, _ = self.encoder(audio_signal=pitches, length=lengths)
            return self.decoder(encoder_output=encoded)

    return Hearing()


def main():
    args = arguments(seconds=15)
    reporter.begin("torch", import_budget=600)
    import smoke_torch

    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    import nemo

    smoke_torch.smoke_test(reporter, args, ToneLearner, ("heard",), nemo=nemo.__version__)


if __name__ == "__main__":
    reporter = Reporter()
    reporter.run(main)
