"""What the network shall do, and how: every choice that costs or saves memory."""

from __future__ import annotations

from typing import Literal

from gpu_assistant.base.model import Value

Task = Literal["inference", "full", "scratch", "lora", "qlora"]
Precision = Literal["fp32", "mixed", "bf16", "int8", "int4"]
Optimizer = Literal["sgd", "momentum", "adamw", "adamw8", "adafactor"]
Sharding = Literal["ddp", "zero1", "zero2", "zero3"]

TASKS: tuple[Task, ...] = ("inference", "full", "scratch", "lora", "qlora")
PRECISIONS: tuple[Precision, ...] = ("fp32", "mixed", "bf16", "int8", "int4")
OPTIMIZERS: tuple[Optimizer, ...] = ("sgd", "momentum", "adamw", "adamw8", "adafactor")
SHARDINGS: tuple[Sharding, ...] = ("ddp", "zero1", "zero2", "zero3")


class Wish(Value, frozen=True, kw_only=True):
    """One way to run a network. "mixed" is autocast: weights stay in 32 bits, products are made in 16."""

    task: Task = "full"
    batch: int = 1  # on each card, in one step
    length: int = 0  # tokens; 0: the network's usual length
    image: int = 0  # side in pixels; 0: the network's usual one
    precision: Precision = "mixed"
    optimizer: Optimizer = "adamw"
    checkpointing: bool = False  # activations are calculated again instead of kept
    rank: int = 16  # of LoRA's matrices
    cards: int = 1
    sharding: Sharding = "ddp"
    offload: bool = False  # the optimizer's part lies in ordinary memory

    @property
    def trains(self) -> bool:
        """Anything but looking."""
        return self.task != "inference"

    @property
    def adapts(self) -> bool:
        """Only small matrices beside the weights are trained."""
        return self.task in ("lora", "qlora")
