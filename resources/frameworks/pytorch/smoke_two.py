"""Two processes learn one picture together: torchrun starts them, DistributedDataParallel keeps them alike.

Started without a rank, it hands over to torchrun, which starts it again, twice.
"""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "smoke_test"))

import ranks
import telling
from reporter import Reporter, Silent, arguments, hand_over

PROCESSES = 2
MEASURED = 1.5  # seconds


def make_training(smoke_torch, cards):
    torch = smoke_torch.torch

    class TwoTraining(smoke_torch.Training):
        """PyTorch's loop in both processes; the first decides for both how long."""

        def run(self):
            reporter, place, learner = self.reporter, self.place, self.learner
            reporter.stage("meet", ranks.WAIT + 30)
            backend = ranks.meet(torch, place)
            world = torch.distributed.get_world_size()
            reporter.proof("met", world == PROCESSES, processes=world, backend=backend, cards=cards, kind=place.kind)
            reporter.stage("train", self.args.seconds + 2 * telling.PATIENCE)
            ranks.prove_apart(reporter, torch, learner.batch()[0])
            before = torch.cat([parameter.detach().flatten() for parameter in learner.model.parameters()])
            bare = learner.model
            learner.model = torch.nn.parallel.DistributedDataParallel(bare)
            self.step(smoke_torch.FirstStep(reporter, place, bare))
            ranks.prove_together(reporter, torch, bare, before)
            place.synchronize()
            self.begin()
            while self._go_on():
                for _ in range(ranks.TOGETHER):
                    self.step()
                if ranks.rank() == 0:
                    self.report_if_due()
            return self._end(bare)

        def _go_on(self):
            return ranks.agreed(torch, self.step_number < self.total, self.place)

        def _end(self, bare):
            self._measure(bare)
            self.learner.model = bare
            measured = self.measured()
            torch.distributed.destroy_process_group()
            return measured

        def _measure(self, bare):
            """Examples a second of both together, against the first one alone."""
            self.reporter.stage("compare", 120)
            together = PROCESSES * self._examples_per_second()
            alone = 0.0
            if ranks.rank() == 0:
                self.learner.model = bare
                alone = self._examples_per_second(alone=True)
            torch.distributed.barrier()
            times = together / alone if alone else 0.0
            self.reporter.proof("scaling", times > 0, times=times, kind=self.place.kind, cards=cards)

        def _examples_per_second(self, alone=False):
            count, steps, began = len(self.learner.batch()[0]), 0, time.perf_counter()
            going = True
            while going:
                for _ in range(ranks.TOGETHER):
                    super().step()
                    steps += 1
                self.place.synchronize()
                going = time.perf_counter() - began < MEASURED
                if not alone:
                    going = ranks.agreed(torch, going, self.place)
            return count * steps / (time.perf_counter() - began)

    return TwoTraining


def main():
    args = arguments(seconds=8)
    reporter.begin("torch", import_budget=240)
    import smoke_picture
    import smoke_torch

    cards = ranks.choose_place(smoke_torch, args, PROCESSES)
    learner, training = ranks.shared_picture(smoke_picture, PROCESSES), make_training(smoke_torch, cards)
    smoke_torch.smoke_test(reporter, args, learner, ranks.PROOFS, train=training)


if __name__ == "__main__":
    if "RANK" not in os.environ:
        sys.exit(hand_over(ranks.torchrun(Path(__file__), PROCESSES), ranks.launch_environment()))
    reporter = Reporter() if ranks.rank() == 0 else Silent()
    reporter.run(main)
