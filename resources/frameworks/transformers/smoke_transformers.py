"""A tiny language model, made at random, learns made-up sentences with Transformers' `Trainer`. No download."""

import os
import random
import sys
import tempfile
from pathlib import Path

FRAMEWORKS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(FRAMEWORKS / "pytorch"), str(FRAMEWORKS.parent / "smoke_test")]
os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TRANSFORMERS_VERBOSITY="error")
os.environ.update(HF_HUB_DISABLE_TELEMETRY="1", HF_HUB_DISABLE_PROGRESS_BARS="1")

import telling
from reporter import Reporter, Throttle, arguments

WHO = ("the cat", "a dog", "the robot", "my card", "a student")
DOES = ("sees", "learns", "paints", "reads")
WHAT = ("a picture", "the words", "a house", "new numbers")
START, END = "<", ">"
WORDS = (START, END, *dict.fromkeys(" ".join((*WHO, *DOES, *WHAT)).split()))
LENGTH = 8  # words of the longest sentence, with its marks
EXAMPLES = 512
ASKED = 20
GOOD = 0.5  # share of its sentences that must make sense; by chance none does


def sentence(dice):
    return f"{dice.choice(WHO)} {dice.choice(DOES)} {dice.choice(WHAT)}"


def makes_sense(text):
    return any(text == f"{who} {does} {what}" for who in WHO for does in DOES for what in WHAT)


class SentenceLearner:
    """The model and its sentences. A sentence ends with marks, which fill it up to `LENGTH`."""

    peak_rate = 3e-3
    fewest_steps = 120

    def __init__(self, place, args):
        import torch
        from transformers import LlamaConfig, LlamaForCausalLM

        self._torch, self.place = torch, place
        self.throttle = Throttle(1.0)
        self.batch_size = max(8, round(64 * args.batch_scale))
        dice = random.Random(args.seed)
        self.rows = [self._numbers(sentence(dice)) for _ in range(EXAMPLES)]
        width = 128 if place.gpu else 64
        config = LlamaConfig(
            vocab_size=len(WORDS),
            hidden_size=width,
            intermediate_size=2 * width,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=4,
            max_position_embeddings=LENGTH,
            bos_token_id=WORDS.index(START),
            eos_token_id=WORDS.index(END),
            pad_token_id=WORDS.index(END),
        )
        self.model = LlamaForCausalLM(config).to(place.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=self.peak_rate)

    def _numbers(self, text):
        words = [START, *text.split()]
        return [WORDS.index(word) for word in words + [END] * (LENGTH - len(words))]

    def score(self):
        """The loss over all sentences."""
        with self._torch.no_grad():
            rows = self._torch.tensor(self.rows, device=self.place.device)
            return self.model(input_ids=rows, labels=rows).loss.item()

    def write(self, count):
        """Sentences of its own."""
        start = self._torch.full((count, 1), WORDS.index(START), device=self.place.device)
        rows = self.model.generate(start, attention_mask=start * 0 + 1, do_sample=True, max_new_tokens=LENGTH - 1)
        words = [[WORDS[number] for number in row[1:]] for row in rows.tolist()]
        return [" ".join(row[: row.index(END)] if END in row else row) for row in words]

    def show(self, reporter, training):
        """One sentence now and then."""
        self.model.eval()
        reporter.note(self.write(1)[0])
        self.model.train()

    def prove(self, reporter):
        """Whether its sentences are ones of the language."""
        self.model.eval()
        written = self.write(ASKED)
        right = [text for text in written if makes_sense(text)]
        example = (right or written)[0]
        values = {"right": len(right), "count": ASKED, "example": example, "kind": self.place.kind}
        reporter.proof("sentences", len(right) >= GOOD * ASKED, **values)


def make_training(smoke_torch, transformers):
    """The classes that need both packages."""
    torch = smoke_torch.torch

    class Watcher(transformers.TrainerCallback):
        """Proves the first step, tells the others, and ends the training when it has had its time."""

        def __init__(self, training):
            self._training = training

        def on_step_begin(self, args, state, control, optimizer=None, **_):
            training = self._training
            done = telling.warm_to_cold(training.step_number / training.total)
            for group in optimizer.param_groups:
                group["lr"] = training.learner.peak_rate * done

        def on_pre_optimizer_step(self, args, state, control, **_):
            if self._training.proofs is not None:
                self._training.proofs.slopes()

        def on_optimizer_step(self, args, state, control, optimizer=None, **_):
            training = self._training
            if training.proofs is not None:
                training.proofs.stepped(getattr(optimizer, "optimizer", optimizer))

        def on_step_end(self, args, state, control, **_):
            training = self._training
            training.step_number += 1
            if training.proofs is not None:
                training.proofs = None
                training.place.synchronize()
                training.begin()
            training.report_if_due()
            control.should_training_stop = training.step_number >= training.total
            return control

    class WatchedTrainer(transformers.Trainer):
        """Looks at the first batch and at every loss."""

        watched = None

        def compute_loss(self, model, inputs, *args, **kwargs):
            training = self.watched
            if training.proofs is not None:
                training.proofs.batch(inputs.values())
            loss, outputs = super().compute_loss(model, inputs, return_outputs=True)
            if training.proofs is not None:
                training.proofs.output([outputs.logits, loss])
            training.loss = loss.detach()
            return loss

    class TrainerTraining(telling.Telling):
        """The loop of Transformers' Trainer."""

        def run(self):
            """Trains, and returns what was measured."""
            self.reporter.stage("train", self.args.seconds + 2 * telling.PATIENCE)
            learner, place = self.learner, self.place
            self.proofs = smoke_torch.FirstStep(self.reporter, place, learner.model)
            with tempfile.TemporaryDirectory() as folder:
                wishes = transformers.TrainingArguments(
                    output_dir=folder,
                    per_device_train_batch_size=learner.batch_size,
                    max_steps=telling.MOST_STEPS,
                    use_cpu=place.kind == "cpu",
                    lr_scheduler_type="constant",
                    dataloader_pin_memory=place.gpu,
                    save_strategy="no",
                    logging_strategy="no",
                    report_to="none",
                    disable_tqdm=True,
                    seed=self.args.seed,
                )
                trainer = WatchedTrainer(
                    model=learner.model,
                    args=wishes,
                    train_dataset=[{"input_ids": row, "labels": row} for row in learner.rows],
                    data_collator=collate,
                    callbacks=[Watcher(self)],
                    optimizers=(learner.optimizer, None),
                )
                trainer.watched = self
                trainer.train()
            return self.measured()

    def collate(rows):
        return {name: torch.tensor([row[name] for row in rows]) for name in rows[0]}

    return TrainerTraining


def main():
    args = arguments(seconds=15)
    reporter.begin("torch", import_budget=300)
    import smoke_torch
    import transformers

    training = make_training(smoke_torch, transformers)
    version = transformers.__version__
    more = ("sentences",)
    smoke_torch.smoke_test(reporter, args, SentenceLearner, more, train=training, transformers=version)


if __name__ == "__main__":
    reporter = Reporter()
    reporter.run(main)
