"""Nothing to say about: big steps, data at hand, a word every hundred steps."""

import torch
from common import left, network

model = network(1024)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
points = torch.randn(1024, 64)
classes = (points.sum(1) > 0).long()
step = 0
while left():
    loss = torch.nn.functional.cross_entropy(model(points), classes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1
    if step % 100 == 0:
        print(f"step {step}: loss {loss.item():.4f}")
