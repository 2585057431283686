"""What the prepared scripts share: a small network, made-up data, and when to stop."""

import sys
import time

import torch

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
_began = []


class Points(torch.utils.data.Dataset):
    """Points and the class that each belongs to."""

    def __init__(self, delay=0.0):
        self.delay = delay

    def __len__(self):
        return 1_000_000

    def __getitem__(self, index):
        if self.delay:
            time.sleep(self.delay)
        point = torch.randn(64)
        return point, (point.sum() > 0).long()


def network(width=64):
    """A small one."""
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(64, width), torch.nn.ReLU(), torch.nn.Linear(width, 2))


def left():
    """Seconds until the end, counted from the first call: the first step loads half of PyTorch."""
    if not _began:
        _began.append(time.monotonic())
    return max(0.0, SECONDS - (time.monotonic() - _began[0]))
