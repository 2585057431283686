"""The planner: what it says of known networks, of the user's own files, and what it advises."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gpu_assistant.base.job import JobContext
from gpu_assistant.base.texts import LANGUAGES, say
from gpu_assistant.cli import main
from gpu_assistant.fit.changes import changes, path_to_fit
from gpu_assistant.fit.code import WAYS, as_code
from gpu_assistant.fit.estimate import corrected, estimate, trained_parameters
from gpu_assistant.fit.shape import Shape, presets
from gpu_assistant.fit.sources import UnknownFile, read_shape
from gpu_assistant.fit.trial import TrialFailed, run_trial
from gpu_assistant.fit.verdict import GIB, fits, verdict
from gpu_assistant.fit.wish import OPTIMIZERS, PRECISIONS, SHARDINGS, TASKS, Wish
from gpu_assistant.fit.words import change_message
from tests.benchmarks.fit_table import ROWS
from tests.real_torch import real_torch_environment

wishes = st.builds(
    Wish,
    task=st.sampled_from(TASKS),
    batch=st.integers(1, 64),
    length=st.integers(0, 8192),
    precision=st.sampled_from(PRECISIONS),
    optimizer=st.sampled_from(OPTIMIZERS),
    checkpointing=st.booleans(),
    cards=st.integers(1, 8),
    sharding=st.sampled_from(SHARDINGS),
    offload=st.booleans(),
)
shapes = st.sampled_from(list(presets().values()))


@given(shapes, wishes)
def test_more_of_anything_never_needs_less(shape: Shape, wish: Wish) -> None:
    found = estimate(shape, wish)
    assert 0 < found.low <= found.high
    assert estimate(shape, replace(wish, batch=wish.batch + 1)).high >= found.high
    more = estimate(shape, replace(wish, cards=wish.cards + 1)).high
    assert more <= found.high * 1.01  # what is spread out may leave room to what is not, by a hair
    if not wish.checkpointing and wish.trains:
        assert estimate(shape, replace(wish, checkpointing=True)).high <= found.high + (1 << 20) * shape.layers
    assert estimate(shape, wish, desktop=GIB).high == found.high + GIB


@given(shapes, wishes, st.sampled_from([4, 8, 12, 24, 80]))
def test_advice_keeps_its_word(shape: Shape, wish: Wish, gib: int) -> None:
    for change in changes(shape, wish):
        assert estimate(shape, change.wish).high == estimate(shape, wish).high - change.saves
        assert all(say(change_message(shape, change), language) for language in LANGUAGES)
    way = path_to_fit(shape, wish, gib * GIB)
    if way:
        assert estimate(shape, way[-1].wish).high <= gib * GIB
    if way == ():
        assert fits(estimate(shape, wish), gib * GIB)


def test_what_everybody_knows() -> None:
    """16 bytes for each number with AdamW in mixed precision; 8 billion in 16 bits are 16 GB; QLoRA for 24 GiB."""
    llama = presets()["llama-3-1-8b"]
    full = {part.id: part.low for part in estimate(llama, Wish()).parts}
    assert (full["weights"] + full["gradients"] + full["optimizer"]) / llama.counted == pytest.approx(16, rel=0.02)
    looking = Wish(task="inference", precision="bf16")
    assert next(part.low for part in estimate(llama, looking).parts if part.id == "weights") == 2 * llama.counted
    assert fits(estimate(llama, Wish(task="qlora", precision="bf16", checkpointing=True)), 24 * GIB)
    assert fits(estimate(llama, Wish()), 24 * GIB) is False
    assert 20e6 < trained_parameters(llama, Wish(task="lora")) < 60e6


def test_a_config_tells_the_shape(tmp_path: Path) -> None:
    path = tmp_path / "my-model" / "config.json"
    path.parent.mkdir()
    known = presets()["llama-3-2-1b"]
    config = {
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": 2048,
        "num_hidden_layers": 16,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "intermediate_size": 8192,
        "vocab_size": 128256,
        "hidden_act": "silu",
        "tie_word_embeddings": True,
        "max_position_embeddings": 131072,
    }
    path.write_text(json.dumps(config), "utf-8")
    read = read_shape(path)
    assert read.name == "my-model"
    assert read.counted == pytest.approx(known.counted, rel=0.01)
    assert estimate(read, Wish()).high == pytest.approx(estimate(known, Wish()).high, rel=0.02)


def test_a_header_is_read_and_no_weight(tmp_path: Path) -> None:
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    tensors = {"model.embed_tokens.weight": [32000, 512], "lm_head.weight": [32000, 512]}
    for layer in range(4):
        tensors |= {f"model.layers.{layer}.self_attn.{name}_proj.weight": [512, 512] for name in "qkvo"}
        tensors |= {f"model.layers.{layer}.mlp.{name}_proj.weight": [1376, 512] for name in ("gate", "up")}
        tensors[f"model.layers.{layer}.mlp.down_proj.weight"] = [512, 1376]
    header |= {name: {"dtype": "BF16", "shape": shape, "data_offsets": [0, 0]} for name, shape in tensors.items()}
    data = json.dumps(header).encode()
    path = tmp_path / "tiny.safetensors"
    path.write_bytes(len(data).to_bytes(8, "little") + data)  # the weights themselves are not there at all
    shape = read_shape(path)
    assert (shape.layers, shape.width, shape.vocabulary, shape.gated, shape.tied) == (4, 512, 32000, True, False)
    assert shape.parameters == sum(a * b for a, b in tensors.values())


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"{broken", b'{"hidden_size": "big"}', bytes(range(256)) * 9])
@pytest.mark.parametrize("suffix", [".json", ".safetensors"])
def test_a_file_that_tells_nothing_is_refused_with_a_reason(tmp_path: Path, content: bytes, suffix: str) -> None:
    path = tmp_path / f"odd{suffix}"
    path.write_bytes(content)
    with pytest.raises(UnknownFile) as refused:
        read_shape(path)
    assert "odd" in say(refused.value.reason, "ru")


@pytest.mark.parametrize("way", WAYS)
def test_code_names_the_choices(way: str) -> None:
    wish = Wish(batch=6, precision="mixed", checkpointing=True, cards=2, sharding="zero2", offload=True)
    code = as_code(wish, way)
    assert "6" in code or way == "accelerate"
    compile(code.split("\n")[0] if way != "accelerate" else "pass", way, "exec") if way != "transformers" else None


def test_the_command_answers_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", "gpt2", "--card", "RTX 4060", "--batch", "2", "--lang", "ru"]) == 0
    assert "Поместится" in capsys.readouterr().out
    assert main(["fit", "llama-3-1-8b", "--card", "RTX 4060", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["fits"] is False
    assert told["low"] == sum(part["low"] for part in told["parts"])
    assert main(["fit", "nothing"]) == 2
    assert main(["fit", "gpt2", "--card", "Radeon"]) == 2


def test_a_trial_corrects_what_grows_with_the_batch() -> None:
    guess = estimate(presets()["gpt2"], Wish(batch=4))
    better = corrected(guess, guess.tensors + GIB)
    assert better.tensors == guess.tensors + GIB
    assert {part.id for part in better.parts if part not in guess.parts} == {"activations"}


def test_a_verdict_without_a_card_is_a_number() -> None:
    assert "video memory" in say(verdict(estimate(presets()["gpt2"], Wish()), None), "en")


@pytest.mark.real_install
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("shape", "wish"), ROWS[:2] + ROWS[4:6], ids=lambda one: getattr(one, "name", ""))
def test_estimates_are_within_15_percent_of_what_is_measured(shape: Shape, wish: Wish) -> None:
    python = str(real_torch_environment())
    real = run_trial(python, shape, wish, JobContext(), how="processor")
    assert estimate(shape, wish).tensors == pytest.approx(real.peak, rel=0.15)
    assert run_trial(python, shape, wish, JobContext(), how="shapes").peak == pytest.approx(real.peak, rel=0.01)


@pytest.mark.real_install
@pytest.mark.timeout(600)
def test_a_trial_that_fails_says_why() -> None:
    broken = Shape(name="odd", kind="decoder", layers=1, width=10, heads=3, kv_heads=2, vocabulary=10, length=4)
    with pytest.raises(TrialFailed, match="Error"):
        run_trial(str(real_torch_environment()), broken, Wish(), JobContext())
