import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(10, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, targets in loader:
    optimizer.zero_grad()
    total = 0
    for target in targets:
        loss = nn.functional.mse_loss(model(x.to(device)), target.to(device))
        total += loss
    total.backward()
    optimizer.step()
