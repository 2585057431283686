"""The smoke tests with a real PyTorch: both really train on the processor; what needs a card is played by a fake one.

The fake card is named so wherever it appears: those tests prove our branches, not CUDA.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.resources import resource_root
from gpu_assistant.smoke_test.catalogue import find_test
from gpu_assistant.smoke_test.events import SmokeEvent
from gpu_assistant.smoke_test.job import SmokeTestJob
from gpu_assistant.smoke_test.parse import parse_line
from gpu_assistant.smoke_test.run import SmokeRun, fold
from gpu_assistant.smoke_test.spec import SmokeSpec
from gpu_assistant.smoke_test.store import load_run
from tests.real_torch import offered_torch, real_torch_environment

pytestmark = [pytest.mark.real_install, pytest.mark.timeout(600)]
FAKE_CUDA = Path(__file__).parent / "fakes" / "fake_cuda.py"
TRAINING = ("parameters", "batches", "forward", "backward", "optimizer")


@pytest.fixture(scope="module")
def python() -> str:
    return str(real_torch_environment())


def train(python: str, test: str, **changes: object) -> tuple[SmokeRun, list[SmokeEvent]]:
    events: list[SmokeEvent] = []
    spec = SmokeSpec(**{"framework": "pytorch", "test": test, "python": python, "expect": "cpu", **changes})  # type: ignore[arg-type]
    run = SmokeTestJob(spec).run(JobContext(events.append))  # type: ignore[arg-type]
    assert run.error is None, run.error
    assert load_run(run.id) == run
    return run, events


def outcomes(run: SmokeRun) -> dict[str, str]:
    return {proof.id: proof.outcome for proof in run.proofs}


def test_the_network_learns_the_picture_on_the_processor(python: str) -> None:
    run, _ = train(python, "picture", steps=60)
    assert run.verdict == "passed", run.lines
    assert run.device is not None
    assert run.device.kind == "cpu"
    told = outcomes(run)
    assert {id_ for id_, outcome in told.items() if outcome == "passed"} == {
        "kernel",
        "loss_fell",
        *(f"{part}_on_device" for part in TRAINING),
    }
    assert {id_ for id_, outcome in told.items() if outcome == "skipped"} == {
        "card_seen",
        "mixed_precision",
        "faster_than_cpu",
        "memory",
    }
    assert list(told) == [shown.id for shown in find_test("pytorch", "picture").proofs]
    assert run.step == run.total == 60
    losses = [value for _, value in run.curve("loss")]
    assert losses[-1] < losses[0] / 2
    assert run.target is not None
    assert run.picture is not None
    target, learnt = (base64.b64decode(picture.rgb) for picture in (run.target, run.picture))
    assert len(target) == len(learnt) == 96 * 96 * 3
    difference = sum(abs(a - b) for a, b in zip(target, learnt, strict=True)) / len(target)
    assert difference < 25, "the picture that is shown is the one that was learnt"
    assert run.hello is not None
    assert run.hello.build == "cpu"


def test_the_network_reads_digits_on_the_processor(python: str) -> None:
    run, events = train(python, "digits", steps=150)
    assert run.verdict == "passed", run.proofs
    assert (run.latest("accuracy") or 0) > 0.85
    accuracy = run.proof("accuracy")
    assert accuracy is not None
    assert accuracy.values["count"] == 360
    assert run.picture is not None
    assert len(run.picture.labels) == 40
    wrong = sum("!=" in label for label in run.picture.labels)
    assert wrong < 12
    assert run.result is not None
    assert run.result.summary["torch"].startswith(offered_torch()[0])
    assert [type(event).__name__ for event in events].count("Result") == 1


def test_the_same_seed_learns_the_same(python: str) -> None:
    first, second = (train(python, "picture", steps=3, seed=5)[0] for _ in range(2))
    other, _ = train(python, "picture", steps=3, seed=6)
    assert first.curve("loss")[-1] == pytest.approx(second.curve("loss")[-1])
    assert first.curve("loss")[-1] != pytest.approx(other.curve("loss")[-1])
    assert first.verdict == "failed", "three steps teach nothing, and that must be said"
    assert [proof.id for proof in first.failed_proofs] == ["loss_fell"]


@pytest.mark.parametrize("expect", ["cuda", "gpu"])
def test_training_on_the_processor_by_mistake_is_caught(python: str, expect: str) -> None:
    run, _ = train(python, "picture", expect=expect)
    assert run.verdict == "failed"
    proof = run.proof("card_seen")
    assert proof is not None
    assert (proof.outcome, proof.values["reason"]) == ("failed", "cpu_build")
    assert run.device is None
    assert not run.curves, "it must not train"
    assert set(outcomes(run).values()) == {"failed", "skipped"}


def test_without_expectation_the_processor_is_told_honestly(python: str) -> None:
    run, _ = train(python, "picture", expect="any", steps=2)
    assert run.device is not None
    assert run.device.kind == "cpu"
    proof = run.proof("card_seen")
    assert proof is not None
    assert (proof.outcome, proof.values["reason"]) == ("skipped", "cpu_build_only")


def test_an_environment_without_the_framework(tmp_path: Path) -> None:
    events: list[object] = []
    spec = SmokeSpec(framework="pytorch", test="picture", python=sys.executable)
    run = SmokeTestJob(spec).run(JobContext(events.append))
    assert run.verdict == "failed"
    assert run.error is not None
    assert run.error.kind == "ModuleNotFoundError"
    assert run.stage is not None
    assert run.stage.name == "import"


SCENARIOS: dict[str, tuple[str, list[str], dict[str, str]]] = {
    # name: script, arguments, environment; the trouble is the name's first word
    "none": ("picture", [], {}),
    "none index": ("picture", ["--device-index", "3"], {}),
    "none rocm": ("picture", ["--expect", "rocm"], {}),
    "no_driver": ("picture", [], {}),
    "old_driver": ("picture", [], {}),
    "unknown": ("picture", [], {}),
    "hidden empty": ("picture", [], {"CUDA_VISIBLE_DEVICES": ""}),
    "hidden minus": ("picture", [], {"CUDA_VISIBLE_DEVICES": "-1"}),
    "hidden quoted": ("picture", [], {"CUDA_VISIBLE_DEVICES": "'-1'"}),
    "old_card": ("digits", [], {}),
    "wrong_numbers": ("digits", [], {}),
    "out_of_memory": ("picture", [], {}),
    "leak": ("picture", ["--steps", "2"], {}),
    "slow": ("picture", ["--steps", "2"], {}),
    "wrong_place": ("picture", ["--steps", "2"], {}),
}


@pytest.fixture(scope="module")
def fake_card(python: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, SmokeRun]:
    """The folds of all scenarios with the fake card."""
    if sys.platform == "win32":
        pytest.skip("the fake card needs fork, so that PyTorch is loaded once for all scenarios")
    folder = tmp_path_factory.mktemp("fake-card")
    scenarios = [
        (name, f"smoke_{script}", name.split()[0], ["--expect", "cuda", "--steps", "40", *words], environment)
        for name, (script, words, environment) in SCENARIOS.items()
    ]
    with subprocess.Popen(
        [python, str(FAKE_CUDA), str(folder), json.dumps(scenarios)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    ) as child:
        assert child.stderr is not None
        errors = child.stderr.read().decode()
    runs = {}
    for name in SCENARIOS:
        lines = (folder / name).read_text("utf-8").splitlines()
        runs[name] = fold(parse_line(line, "out") for line in lines)
        assert runs[name].result is not None or runs[name].error is not None, (name, errors)
    return runs


def test_fake_card_all_proofs_of_a_card(fake_card: dict[str, SmokeRun]) -> None:
    run = fake_card["none"]
    assert run.error is None, run.error
    assert run.result is not None
    assert run.result.passed, run.failed_proofs
    assert set(outcomes(run).values()) == {"passed"}
    assert list(outcomes(run)) == [shown.id for shown in find_test("pytorch", "picture").proofs]
    assert run.device is not None
    assert run.device.kind == "cuda"
    assert run.device.name == "Fake GeForce"
    assert run.device.vram_total == 8 << 30
    assert run.device.compute_capability == "8.9"
    assert run.device.uuid == "GPU-fake-uuid"
    assert run.device.pci_address == "0000:01:00.0"
    assert run.hello is not None
    assert run.hello.build == "cu130"
    assert run.latest("vram_allocated") == 2 << 30
    assert run.latest("vram_reserved") == 3 << 30
    mixed, faster, memory = (run.proof(id_) for id_ in ("mixed_precision", "faster_than_cpu", "memory"))
    assert mixed is not None
    assert mixed.values["precision"] == "bf16"
    assert faster is not None
    assert float(faster.values["times"]) > 1
    assert memory is not None
    assert memory.values["after"] == 1 << 20
    test = find_test("pytorch", "picture")
    for proof in run.proofs:
        assert test.proof_sentence(proof, "ru") != test.proof_title(proof.id, "ru")


@pytest.mark.parametrize(
    ("trouble", "reason"), [("no_driver", "no_driver"), ("old_driver", "driver_too_old"), ("unknown", "no_answer")]
)
def test_fake_card_that_does_not_answer(fake_card: dict[str, SmokeRun], trouble: str, reason: str) -> None:
    run = fake_card[trouble]
    proof = run.proof("card_seen")
    assert proof is not None
    assert (proof.outcome, proof.values["reason"]) == ("failed", reason)
    assert not run.curves


@pytest.mark.parametrize("how", ["empty", "minus", "quoted"])
def test_fake_card_that_a_variable_hides(fake_card: dict[str, SmokeRun], how: str) -> None:
    proof = fake_card[f"hidden {how}"].proof("card_seen")
    assert proof is not None
    assert proof.values["reason"] == "hidden"
    assert proof.values["variable"] == "CUDA_VISIBLE_DEVICES"


def test_fake_card_of_another_number(fake_card: dict[str, SmokeRun]) -> None:
    proof = fake_card["none index"].proof("card_seen")
    assert proof is not None
    assert (proof.values["reason"], proof.values["index"], proof.values["count"]) == ("no_such_card", 3, 1)


def test_fake_card_of_another_kind(fake_card: dict[str, SmokeRun]) -> None:
    proof = fake_card["none rocm"].proof("card_seen")
    assert proof is not None
    assert (proof.values["reason"], proof.values["build"]) == ("other_build", "cu130")


@pytest.mark.parametrize(
    ("trouble", "reason"), [("old_card", "card_not_supported"), ("wrong_numbers", "wrong_numbers")]
)
def test_fake_card_that_cannot_calculate(fake_card: dict[str, SmokeRun], trouble: str, reason: str) -> None:
    run = fake_card[trouble]
    assert outcomes(run)["card_seen"] == "passed", "it is seen all the same"
    kernel = run.proof("kernel")
    assert kernel is not None
    assert (kernel.outcome, kernel.values["reason"]) == ("failed", reason)
    assert not run.curves
    assert outcomes(run)["accuracy"] == "skipped"


def test_fake_card_without_memory_is_an_error_and_no_proof(fake_card: dict[str, SmokeRun]) -> None:
    run = fake_card["out_of_memory"]
    assert run.error is not None
    assert run.error.kind == "OutOfMemoryError"


@pytest.mark.parametrize(
    ("trouble", "proof"), [("leak", "memory"), ("slow", "faster_than_cpu"), ("wrong_place", "parameters_on_device")]
)
def test_fake_card_whose_proof_fails(fake_card: dict[str, SmokeRun], trouble: str, proof: str) -> None:
    run = fake_card[trouble]
    assert outcomes(run)[proof] == "failed", run.proofs
    assert run.result is not None
    assert not run.result.passed


MIXED = """
import sys; sys.dont_write_bytecode = True
sys.path[:0] = sys.argv[1:]
import smoke_torch
torch = smoke_torch.torch
smoke_torch.SPEED_WIDTH, smoke_torch.SPEED_BATCH = 64, 64
place = smoke_torch.Place("cpu")
for short in (torch.bfloat16, torch.float16):
    passed, values = smoke_torch.mixed_steps(place, short, False)
    assert passed and values["last"] < values["first"], values
passed, values = smoke_torch.mixed_steps(place, torch.float16, True)
assert passed, values
torch.nn.functional.linear = lambda x, w, b: (x.float() @ w.t() + b)
torch.autocast = lambda *words, **more: torch.no_grad() if False else __import__("contextlib").nullcontext()
passed, values = smoke_torch.mixed_steps(place, torch.bfloat16, False)
assert not passed and values["reason"] == "not_short", values
"""


def test_mixed_precision_steps_on_the_processor(python: str) -> None:
    pytorch = resource_root() / "frameworks" / "pytorch"
    words = [python, "-c", MIXED, str(pytorch), str(pytorch.parents[1] / "smoke_test")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
