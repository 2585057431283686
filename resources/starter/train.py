# [what]

import math
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 5
BATCH_SIZE = 256
LEARNING_RATE = 3e-3


def choose_device():
    # [device]
    if torch.cuda.is_available():
        return torch.device("cuda")
    if hasattr(torch, "xpu") and torch.xpu.is_available():
        return torch.device("xpu")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def choose_precision(device):
    # [precision]
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.get_device_capability() >= (8, 0) else torch.float16
    if device.type == "xpu":
        return torch.bfloat16
    return torch.float32


def make_data(count=10_000, seed=0):
    # [data]
    generator = torch.Generator().manual_seed(seed)
    label = torch.arange(count) % 2
    angle = torch.rand(count, generator=generator) * 3 * math.pi
    turned = angle + math.pi * label
    points = torch.stack((angle * torch.cos(turned), angle * torch.sin(turned)), dim=1) / 6
    points += torch.randn(count, 2, generator=generator) * 0.05
    return TensorDataset(points, label)


def make_model():
    return nn.Sequential(
        nn.Linear(2, 256),
        nn.ReLU(),
        nn.Linear(256, 256),
        nn.ReLU(),
        nn.Linear(256, 2),
    )


def train_one_epoch(model, loader, optimizer, scaler, loss_function, device, precision):
    # [train-mode]
    model.train()
    # [sum-on-device]
    total = torch.zeros((), device=device)
    for points, labels in loader:
        # [to-device]
        points = points.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        # [zero-grad]
        optimizer.zero_grad(set_to_none=True)
        # [autocast]
        with torch.autocast(device.type, dtype=precision, enabled=precision != torch.float32):
            loss = loss_function(model(points), labels)
        # [scaler]
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        total += loss.detach() * len(points)
    # [item]
    return total.item() / len(loader.dataset)


# [inference-mode]
@torch.inference_mode()
def evaluate(model, loader, device, precision):
    # [eval-mode]
    model.eval()
    correct = torch.zeros((), device=device)
    for points, labels in loader:
        points = points.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        with torch.autocast(device.type, dtype=precision, enabled=precision != torch.float32):
            guesses = model(points).argmax(dim=1)
        correct += (guesses == labels).sum()
    return correct.item() / len(loader.dataset)


def main():
    torch.manual_seed(0)
    device = choose_device()
    precision = choose_precision(device)
    name = torch.cuda.get_device_name() if device.type == "cuda" else device.type
    print(f"torch {torch.__version__}, device: {name}, precision: {precision}")

    # [pinned]
    pinned = device.type == "cuda"
    train_loader = DataLoader(make_data(seed=0), BATCH_SIZE, shuffle=True, pin_memory=pinned)
    test_loader = DataLoader(make_data(2_000, seed=1), BATCH_SIZE, pin_memory=pinned)

    # [model-first]
    model = make_model().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    loss_function = nn.CrossEntropyLoss()
    # [grad-scaler]
    scaler = torch.amp.GradScaler(device.type, enabled=precision == torch.float16)

    for epoch in range(1, EPOCHS + 1):
        began = time.perf_counter()
        loss = train_one_epoch(model, train_loader, optimizer, scaler, loss_function, device, precision)
        accuracy = evaluate(model, test_loader, device, precision)
        seconds = time.perf_counter() - began
        print(f"epoch {epoch}/{EPOCHS}: loss {loss:.4f}, accuracy {accuracy:.1%}, {seconds:.1f} s")

    # [save]
    torch.save(model.state_dict(), "model.pt")
    if device.type == "cuda":
        # [memory]
        print(f"most video memory in use: {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")


# [guard]
if __name__ == "__main__":
    main()
