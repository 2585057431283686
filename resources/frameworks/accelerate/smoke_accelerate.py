"""The network learns a picture in Accelerate's own loop, started by `accelerate launch` with a configuration of ours.

Started by hand, it writes the configuration and hands over to the launcher, which starts it again, once or twice.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

FRAMEWORKS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(FRAMEWORKS / "pytorch"), str(FRAMEWORKS.parent / "smoke_test")]

import ranks
import telling
from reporter import Reporter, Silent, arguments, hand_over

LAUNCHED = "GPU_ASSISTANT_LAUNCHED"


def write_config(folder, args, processes):
    """What `accelerate config` would ask for. JSON: the launcher reads it, and PyYAML need not be here."""
    config = {
        "compute_environment": "LOCAL_MACHINE",
        # for the processor, too: for MULTI_CPU the launcher starts a second process only through MPI
        "distributed_type": "NO" if processes == 1 else "MULTI_GPU",
        "num_processes": processes,
        "num_machines": 1,
        "machine_rank": 0,
        "main_process_ip": ranks.HERE,
        "main_process_port": 0,
        "mixed_precision": "no",
        "use_cpu": args.expect == "cpu",
        "same_network": True,
        "debug": False,
    }
    path = Path(folder) / "accelerate.json"
    path.write_text(json.dumps(config, indent=2), "utf-8")
    return path


def make_training(smoke_torch, accelerate, processes):
    """The class that needs both packages."""
    torch = smoke_torch.torch

    class AccelerateTraining(smoke_torch.Training):
        """Accelerate's loop: `prepare` puts things where they belong, `backward` replaces the loss's own."""

        def run(self):
            """Trains, and returns what was measured."""
            reporter, place, learner = self.reporter, self.place, self.learner
            reporter.stage("meet", ranks.WAIT + 30)
            self.accelerator = accelerate.Accelerator(cpu=place.kind == "cpu")
            have = self.accelerator.num_processes
            reporter.proof("launched", have == processes, have=have, processes=processes)
            reporter.stage("train", self.args.seconds + 2 * telling.PATIENCE)
            bare = learner.model
            before = torch.cat([parameter.detach().flatten() for parameter in bare.parameters()])
            learner.model, learner.optimizer = self.accelerator.prepare(bare, learner.optimizer)
            if processes > 1:
                ranks.prove_apart(reporter, torch, learner.batch()[0])
            self.step(smoke_torch.FirstStep(reporter, place, bare))
            if processes > 1:
                ranks.prove_together(reporter, torch, bare, before)
            place.synchronize()
            self.begin()
            while self._go_on():
                for _ in range(ranks.TOGETHER):
                    self.step()
                if ranks.rank() == 0:
                    self.report_if_due()
            learner.model = bare
            measured = self.measured()
            self.accelerator.end_training()
            return measured

        def backward(self, loss):
            self.accelerator.backward(loss)

        def _go_on(self):
            wish = self.step_number < self.total
            return ranks.agreed(torch, wish, self.place) if processes > 1 else wish

    return AccelerateTraining


def main(processes):
    args = arguments(seconds=12)
    reporter = Reporter() if ranks.rank() == 0 else Silent()

    def train():
        reporter.begin("torch", import_budget=300)
        import smoke_torch  # noqa: I001 - it silences a warning of torch's before anybody imports that
        import accelerate
        import smoke_picture

        more, learner = ("launched",), smoke_picture.PictureLearner
        if processes > 1:
            ranks.choose_place(smoke_torch, args, processes)
            more = ("launched", "different_data", "synchronised")
            learner = ranks.shared_picture(smoke_picture, processes)
        training = make_training(smoke_torch, accelerate, processes)
        version = accelerate.__version__
        smoke_torch.smoke_test(reporter, args, learner, more, train=training, accelerate=version)

    reporter.run(train)


def start(script, processes):
    """Hands over to the launcher; started by that, trains."""
    if os.environ.get(LAUNCHED):
        main(processes)
        return
    with tempfile.TemporaryDirectory() as folder:
        config = write_config(folder, arguments(seconds=12), processes)
        words = ["-m", "accelerate.commands.launch", "--config_file", str(config), str(script), *sys.argv[1:]]
        sys.exit(hand_over(words, {LAUNCHED: "1", **ranks.launch_environment()}))


if __name__ == "__main__":
    start(Path(__file__), 1)
