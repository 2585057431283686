"""One example a step. Its own loop without an optimizer tells its steps with the two lines."""

import torch
from common import Points, left, network
from gpu_assistant_watch import step

model = network()
for points, classes in torch.utils.data.DataLoader(Points(), batch_size=1):
    for _ in range(12):  # the data is cheap here: what is slow are the many small steps
        loss = torch.nn.functional.cross_entropy(model(points), classes)
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= 0.01 * parameter.grad
        step(loss=loss)
    if left() == 0:
        break
