"""Nobody wrote model.to(device): the processor trains."""

import torch
from common import left, network

model = network(2048)
optimizer = torch.optim.Adam(model.parameters())
points = torch.randn(512, 64)
classes = (points.sum(1) > 0).long()
while left():
    loss = torch.nn.functional.cross_entropy(model(points), classes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
