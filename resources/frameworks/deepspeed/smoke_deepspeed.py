"""The network learns a picture, and DeepSpeed runs the steps with ZeRO stage 2."""

import logging
import os
import socket
import sys
from pathlib import Path

FRAMEWORKS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(FRAMEWORKS / "pytorch"), str(FRAMEWORKS.parent / "smoke_test")]

import ranks
import telling
from reporter import Reporter, arguments

STAGE = 2


def configuration(batch):
    """What a `ds_config.json` would hold."""
    return {
        "train_micro_batch_size_per_gpu": batch,
        "gradient_accumulation_steps": 1,
        "zero_optimization": {"stage": STAGE, "overlap_comm": False},
        "zero_allow_untested_optimizer": True,
        "zero_force_ds_cpu_optimizer": False,
        "steps_per_print": 10**9,
    }


def be_alone(args):
    """The only process of its group; DeepSpeed asks for a group even so."""
    with socket.socket() as free:
        free.bind((ranks.HERE, 0))
        port = free.getsockname()[1]
    where = {"MASTER_ADDR": ranks.HERE, "MASTER_PORT": str(port), "RANK": "0", "WORLD_SIZE": "1", "LOCAL_RANK": "0"}
    os.environ.update(where)
    if args.expect == "cpu":
        os.environ["DS_ACCELERATOR"] = "cpu"


def make_training(smoke_torch, deepspeed):
    """The class that needs both packages."""
    torch = smoke_torch.torch

    class ZeroTraining(telling.Telling):
        """DeepSpeed's loop: its engine has the network, the loss's backward and the optimizer."""

        def run(self):
            """Trains, and returns what was measured."""
            learner, place = self.learner, self.place
            self.reporter.stage("meet", 300)  # it may compile a part of itself first
            deepspeed.init_distributed(dist_backend=ranks.backend_for(place))
            inputs, _ = learner.batch()
            self.engine, *_ = deepspeed.initialize(
                model=learner.model, optimizer=learner.optimizer, config=configuration(len(inputs))
            )
            self.reporter.stage("train", self.args.seconds + 2 * telling.PATIENCE)
            before = [parameter.detach().clone() for parameter in learner.model.parameters()]
            self._step(smoke_torch.FirstStep(self.reporter, place, learner.model))
            changed = sum(not torch.equal(a, b) for a, b in zip(before, learner.model.parameters()))  # noqa: B905
            stage = self.engine.zero_optimization_stage()
            values = {"stage": stage, "changed": changed, "count": len(before)}
            self.reporter.proof("zero", stage == STAGE and changed == len(before), **values)
            place.synchronize()
            self.begin()
            while self.step_number < self.total:
                self._step()
                self.report_if_due()
            measured = self.measured()
            torch.distributed.destroy_process_group()
            return measured

        def _step(self, proofs=None):
            learner = self.learner
            for group in self.engine.optimizer.param_groups:
                group["lr"] = learner.peak_rate * telling.warm_to_cold(self.step_number / self.total)
            inputs, targets = learner.batch()
            if proofs is not None:
                proofs.batch([inputs, targets])
            output = self.engine(inputs)
            loss = learner.loss(output, targets)
            self.engine.backward(loss)
            if proofs is not None:
                proofs.output([output, loss])
            self.engine.step()
            self.output, self.loss = output.detach(), loss.detach()
            self.step_number += 1

    return ZeroTraining


def main():
    args = arguments(seconds=12)
    be_alone(args)
    reporter.begin("torch", import_budget=300)
    import smoke_torch  # noqa: I001 - it silences a warning of torch's before anybody imports that
    import deepspeed
    import smoke_picture

    logging.getLogger("DeepSpeed").setLevel(logging.WARNING)
    training = make_training(smoke_torch, deepspeed)
    version = deepspeed.__version__
    smoke_torch.smoke_test(reporter, args, smoke_picture.PictureLearner, ("zero",), train=training, deepspeed=version)


if __name__ == "__main__":
    reporter = Reporter()
    reporter.run(main)
