"""Runs well, and then something else takes the computer."""

import time

import torch
from common import SECONDS, left, network

model = network()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
points = torch.randn(64, 64)
classes = (points.sum(1) > 0).long()
while left():
    loss = torch.nn.functional.cross_entropy(model(points), classes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    time.sleep(0.02 if left() > SECONDS / 2 else 0.2)
