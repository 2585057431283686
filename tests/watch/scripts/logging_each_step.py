"""Saves the network and writes a long line after each step."""

import tempfile
from pathlib import Path

import torch
from common import left, network

model = network(8192)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
points = torch.randn(8, 64)
classes = (points.sum(1) > 0).long()
folder = Path(tempfile.mkdtemp())
while left():
    loss = torch.nn.functional.cross_entropy(model(points), classes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("loss", loss.item(), [round(value, 6) for value in model[2].bias.tolist()])
    torch.save(model.state_dict(), folder / "last.pt")
