"""Keeps every step's output, and its graph with it."""

import time

import torch
from common import left, network

model = network(512)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
points = torch.randn(2048, 64)
classes = (points.sum(1) > 0).long()
kept = []
while left():
    output = model(points)
    loss = torch.nn.functional.cross_entropy(output, classes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    kept.append(output.repeat(256, 1))
    time.sleep(0.02)
