"""`gpu-assistant fit MODEL`: how much video memory a network takes, whether it fits the card, and what to change.

MODEL is an id of `--list`, a `config.json` or a `.safetensors` file. `--json` prints {schema, shape, wish, parts: [{id,
low, high}], low, high, room, fits (true, false, null: only just, or no card), changes: [{id, saves}], trial}, in bytes.
Exit code: 0 it fits or no card is known, 1 it does not, 2 wrong use.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gpu_assistant.base.child import ChildError
from gpu_assistant.base.job import JobContext
from gpu_assistant.base.message import Message, message
from gpu_assistant.base.model import to_json
from gpu_assistant.base.paths import RootLayout
from gpu_assistant.base.texts import Language, format_bytes, say
from gpu_assistant.cli.train import root_folder
from gpu_assistant.detect.collect import collect
from gpu_assistant.detect.gpus import find_gpu, gpu_table
from gpu_assistant.detect.recording import open_gateways
from gpu_assistant.fit.changes import changes, path_to_fit
from gpu_assistant.fit.estimate import Estimate, corrected, estimate
from gpu_assistant.fit.shape import Shape, presets
from gpu_assistant.fit.sources import UnknownFile, read_shape
from gpu_assistant.fit.trial import Trial, TrialFailed, run_trial
from gpu_assistant.fit.verdict import GIB, cards_that_do, fits, verdict
from gpu_assistant.fit.wish import OPTIMIZERS, PRECISIONS, SHARDINGS, TASKS, Wish
from gpu_assistant.fit.words import change_message
from gpu_assistant.install.environments import list_environments


class _Refused(Exception):
    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument("model", nargs="?", metavar="MODEL", help="an id, a config.json or a .safetensors file")
    parser.add_argument("--list", action="store_true", help="list the known networks")
    parser.add_argument("--task", choices=TASKS, default="full")
    parser.add_argument("--batch", type=int, default=1, help="examples in a step, on each card")
    parser.add_argument("--length", type=int, default=0, metavar="TOKENS")
    parser.add_argument("--precision", choices=PRECISIONS, help="default: mixed, for inference bf16")
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default="adamw")
    parser.add_argument(
        "--checkpointing", action="store_true", help="calculate activations again instead of keeping them"
    )
    parser.add_argument("--cards", type=int, default=1, metavar="N")
    parser.add_argument("--sharding", choices=SHARDINGS, default="ddp")
    parser.add_argument("--offload", action="store_true", help="keep the optimizer's part in ordinary memory")
    parser.add_argument("--card", metavar="NAME", help="for this card instead of the computer's own")
    parser.add_argument("--trial", action="store_true", help="measure it by two trial steps (by shapes without a card)")
    parser.add_argument("--python", metavar="EXE", help="interpreter for the trial (default: our newest environment)")
    parser.add_argument("--json", action="store_true", help="print JSON (see gpu_assistant/cli/fit.py)")


def run(args: argparse.Namespace) -> int:
    """Answers."""
    if args.list:
        for id_, shape in presets().items():
            print(f"{id_:24}{shape.name}")
        return 0
    try:
        return _answer(args)
    except _Refused as refused:
        print(say(refused.reason, args.lang), file=sys.stderr)
    except OSError as error:
        print(error, file=sys.stderr)
    return 2


def _answer(args: argparse.Namespace) -> int:
    shape, wish = _shape(args), _wish(args)
    room, desktop = _room(args)
    found = estimate(shape, wish, desktop=desktop)
    guess = found
    trial = _trial(args, shape, wish) if args.trial else None
    if trial is not None:
        found = corrected(guess, trial.peak)
    if args.json:
        told = {
            "schema": 1,
            "shape": shape,
            "wish": wish,
            "parts": found.parts,
            "low": found.low,
            "high": found.high,
            "room": room,
            "fits": fits(found, room),
            "changes": [{"id": one.id, "saves": one.saves} for one in changes(shape, wish, desktop=desktop)],
            "trial": trial,
        }
        print(to_json(told, indent=2).decode())
    else:
        print("\n".join(_lines(args, shape, wish, found, room, desktop)))
        if trial is not None:
            words = "card" if trial.how == "card" else "shapes"
            print("\n" + say(message(f"fit-trial-{words}", peak=trial.peak, guess=guess.tensors), args.lang))
    return int(fits(found, room) is False)


def _lines(
    args: argparse.Namespace,
    shape: Shape,
    wish: Wish,
    found: Estimate,
    room: int | None,
    desktop: int,
) -> list[str]:
    language: Language = args.lang
    lines = [say(message("fit-parameters", name=shape.name, millions=shape.counted / 1e6), language)]
    lines += [say(verdict(found, room), language), ""]
    for part in found.parts:
        size = format_bytes(part.high, language)
        if part.low != part.high:
            size = f"{format_bytes(part.low, language)} … {size}"
        lines.append(f"  {say(message(f'fit-part-{part.id}'), language):44}{size}")
    lines += ["", *_advice(shape, wish, found, room, desktop, language)]
    return lines


def _advice(shape: Shape, wish: Wish, found: Estimate, room: int | None, desktop: int, language: Language) -> list[str]:
    if room is None or found.high <= room:
        cards = [(row.name, gib) for row in gpu_table().known for gib in row.vram_gib]
        return [say(cards_that_do(found, cards), language)]
    way = path_to_fit(shape, wish, room, desktop=desktop)
    if way is None:
        return [say(message("fit-verdict-no-path"), language)]
    said = [f"  * {say(change_message(shape, change), language)}" for change in way]
    return [say(message("fit-verdict-path"), language), *said]


def _shape(args: argparse.Namespace) -> Shape:
    known = presets()
    if args.model in known:
        return known[args.model]
    if args.model and Path(args.model).is_file():
        try:
            return read_shape(Path(args.model))
        except UnknownFile as error:
            raise _Refused(error.reason) from error
    raise _Refused(message("fit-cli-unknown", name=args.model or "", known=", ".join(known)))


def _wish(args: argparse.Namespace) -> Wish:
    return Wish(
        task=args.task,
        batch=max(1, args.batch),
        length=max(0, args.length),
        precision=args.precision or ("bf16" if args.task == "inference" else "mixed"),
        optimizer=args.optimizer,
        checkpointing=args.checkpointing,
        cards=max(1, args.cards),
        sharding=args.sharding,
        offload=args.offload,
    )


def _room(args: argparse.Namespace) -> tuple[int | None, int]:
    """Bytes of the card's memory, and of what others hold there."""
    if args.card:
        row = find_gpu(args.card)
        if row is None or not row.vram_gib:
            raise _Refused(message("fit-cli-unknown-card", name=args.card))
        return round(max(row.vram_gib) * GIB), 0
    report = collect(open_gateways(args.replay), JobContext())
    card = max((gpu for gpu in report.gpus if gpu.vram_total), key=lambda gpu: gpu.vram_total or 0, default=None)
    return (card.vram_total, card.vram_used or 0) if card is not None else (None, 0)


def _trial(args: argparse.Namespace, shape: Shape, wish: Wish) -> Trial:
    python = args.python
    if python is None:
        environments = list_environments(RootLayout(root_folder(args)))
        if not environments:
            raise _Refused(message("watch-cli-no-environment"))
        python = environments[0].python
    try:
        return run_trial(python, shape, wish, JobContext())
    except (TrialFailed, ChildError, TimeoutError) as error:
        raise _Refused(message("fit-trial-failed", detail=str(error))) from error
