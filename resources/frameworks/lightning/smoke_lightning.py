"""The network learns a picture, and Lightning's `Trainer` runs the loop on the device that it chose.

With two processes it is Lightning that starts the second: it runs this script again.
"""

import logging
import os
import sys
import tempfile
import warnings
from pathlib import Path

FRAMEWORKS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(FRAMEWORKS / "pytorch"), str(FRAMEWORKS.parent / "smoke_test")]

import ranks
import telling
from reporter import Reporter, Silent, arguments

ACCELERATORS = {"cuda": "cuda", "rocm": "cuda", "mps": "mps", "cpu": "cpu"}


def make_training(smoke_torch, lightning, processes):
    """The classes that need both packages."""
    torch = smoke_torch.torch

    class Module(lightning.LightningModule):
        """The learner's network as Lightning wants it."""

        def __init__(self, learner):
            super().__init__()
            self.model, self.learner = learner.model, learner
            self.output = None

        def training_step(self, batch, number):
            inputs, targets = batch
            self.output = self.model(inputs)
            return self.learner.loss(self.output, targets)

        def configure_optimizers(self):
            return self.learner.optimizer

    class Watcher(lightning.Callback):
        """Proves the first step and tells the others."""

        def __init__(self, training):
            self._training = training
            self._proofs = None

        def on_train_batch_start(self, trainer, module, batch, number):
            training = self._training
            done = telling.warm_to_cold(training.step_number / training.total)
            for group in trainer.optimizers[0].param_groups:
                group["lr"] = training.learner.peak_rate * done
            if number == 0:
                self._begin(trainer, module, batch)

        def _begin(self, trainer, module, batch):
            training = self._training
            if processes > 1:
                values = {
                    "processes": trainer.world_size,
                    "backend": ranks.backend_for(training.place),
                    "cards": training.cards,
                }
                training.reporter.proof("met", trainer.world_size == processes, kind=training.place.kind, **values)
                ranks.prove_apart(training.reporter, torch, batch[0])
            self._before = torch.cat([parameter.detach().flatten() for parameter in module.model.parameters()])
            self._proofs = smoke_torch.FirstStep(training.reporter, training.place, module.model)
            self._proofs.batch(batch)

        def on_before_optimizer_step(self, trainer, module, optimizer):
            if self._proofs is not None:
                self._proofs.output([module.output])
                self._proofs.slopes()

        def on_train_batch_end(self, trainer, module, outputs, batch, number):
            training = self._training
            training.output, training.loss = module.output.detach(), outputs["loss"].detach()
            training.step_number += 1
            if self._proofs is not None:
                self._proofs.stepped(trainer.optimizers[0])
                self._proofs = None
                if processes > 1:
                    ranks.prove_together(training.reporter, torch, module.model, self._before)
                training.place.synchronize()
                training.begin()
            training.report_if_due()

    class LightningTraining(telling.Telling):
        """Lightning's loop."""

        def run(self):
            """Trains, and returns what was measured."""
            self.reporter.stage("train", self.args.seconds + 2 * telling.PATIENCE)
            place = self.place
            trainer = lightning.Trainer(
                accelerator=ACCELERATORS.get(place.kind, "auto"),
                devices=self._devices(),
                strategy=self._strategy(),
                max_epochs=1,
                callbacks=[Watcher(self)],
                logger=False,
                enable_checkpointing=False,
                enable_progress_bar=False,
                enable_model_summary=False,
                default_root_dir=tempfile.gettempdir(),
            )
            trainer.fit(Module(self.learner), Batches(self))
            return self.measured()

        def _strategy(self):
            backend = ranks.backend_for(self.place)
            return lightning.strategies.DDPStrategy(process_group_backend=backend) if processes > 1 else "auto"

        def _devices(self):
            if processes > 1:
                return processes
            return [self.place.index or 0] if self.place.gpu else 1

    class Batches:
        """The learner's batches, as many as there is time for; they lie on the device already."""

        def __init__(self, training):
            self._training = training

        def __iter__(self):
            while self._go_on():
                for _ in range(ranks.TOGETHER):
                    yield self._training.learner.batch()

        def _go_on(self):
            wish = self._training.step_number < self._training.total
            return ranks.agreed(torch, wish, self._training.place) if processes > 1 else wish

    return LightningTraining


def main(processes=1):
    args = arguments(seconds=12)
    os.environ["RANK"] = os.environ.get("LOCAL_RANK", "0")  # Lightning gives its second process only that
    reporter = Reporter() if ranks.rank() == 0 else Silent()

    def train():
        reporter.begin("torch", import_budget=300)
        import smoke_torch

        warnings.filterwarnings("ignore")  # Lightning's advice about workers and checkpoints is for real trainings
        logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
        import lightning
        import smoke_picture

        training = make_training(smoke_torch, lightning.pytorch, processes)
        more, learner = (), smoke_picture.PictureLearner
        if processes > 1:
            training.cards = ranks.choose_place(smoke_torch, args, processes)
            more, learner = ranks.PROOFS[:3], ranks.shared_picture(smoke_picture, processes)
        version = lightning.__version__
        smoke_torch.smoke_test(reporter, args, learner, more, train=training, lightning=version)

    reporter.run(train)


if __name__ == "__main__":
    main()
