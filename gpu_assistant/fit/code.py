"""The chosen settings as code, for those who train with PyTorch, Transformers, Lightning or Accelerate."""

from __future__ import annotations

from gpu_assistant.fit.wish import Wish

WAYS = ("pytorch", "transformers", "lightning", "accelerate")
_NAMES = {"sgd": "sgd", "momentum": "sgd", "adamw": "adamw_torch", "adamw8": "adamw_bnb_8bit", "adafactor": "adafactor"}


def as_code(wish: Wish, way: str) -> str:
    """A few lines to copy. `way` is one of `WAYS`."""
    return {"pytorch": _pytorch, "transformers": _trainer, "lightning": _lightning, "accelerate": _accelerate}[way](
        wish
    )


def _pytorch(wish: Wish) -> str:
    lines = [f"loader = DataLoader(data, batch_size={wish.batch}, num_workers=4, pin_memory=True)"]
    lines.append(_OPTIMIZERS[wish.optimizer])
    if wish.checkpointing:
        lines.append("x = torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False)")
    if wish.precision == "mixed":
        lines.append(
            'with torch.autocast("cuda", dtype=torch.bfloat16):\n    loss = loss_function(model(inputs), targets)'
        )
    if wish.precision == "bf16":
        lines.append("model = model.to(torch.bfloat16)")
    return "\n".join(lines)


_OPTIMIZERS = {
    "sgd": "optimizer = torch.optim.SGD(model.parameters(), lr=0.01)",
    "momentum": "optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)",
    "adamw": "optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)",
    "adamw8": "optimizer = bitsandbytes.optim.AdamW8bit(model.parameters(), lr=2e-5)",
    "adafactor": "optimizer = transformers.Adafactor(model.parameters())",
}


def _trainer(wish: Wish) -> str:
    lines = [
        "TrainingArguments(",
        '    output_dir="out",',
        f"    per_device_train_batch_size={wish.batch},",
        f"    bf16={wish.precision in ('mixed', 'bf16')},",
        f"    gradient_checkpointing={wish.checkpointing},",
        f'    optim="{_NAMES[wish.optimizer]}",',
        ")",
    ]
    if wish.adapts:
        lines.append(f'LoraConfig(r={wish.rank}, target_modules="all-linear")')
    if wish.task == "qlora":
        lines.append("BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_compute_dtype=torch.bfloat16)")
    return "\n".join(lines)


def _lightning(wish: Wish) -> str:
    precision = {"fp32": "32-true", "mixed": "bf16-mixed", "bf16": "bf16-true"}.get(wish.precision, "bf16-true")
    strategy = {"ddp": "ddp", "zero1": "deepspeed_stage_1", "zero2": "deepspeed_stage_2", "zero3": "deepspeed_stage_3"}
    words = [f'precision="{precision}"', f"devices={wish.cards}"]
    if wish.cards > 1:
        words.append(f'strategy="{strategy[wish.sharding]}{"_offload" if wish.offload else ""}"')
    return f"DataLoader(data, batch_size={wish.batch})\nTrainer({', '.join(words)})"


def _accelerate(wish: Wish) -> str:
    precision = "no" if wish.precision == "fp32" else "bf16"
    stage = {"ddp": "", "zero1": " --use_deepspeed --zero_stage 1", "zero2": " --use_deepspeed --zero_stage 2"}
    sharding = stage.get(wish.sharding, " --use_deepspeed --zero_stage 3")
    offload = " --offload_optimizer_device cpu" if wish.offload and sharding else ""
    return f"accelerate launch --num_processes {wish.cards} --mixed_precision {precision}{sharding}{offload} train.py"
