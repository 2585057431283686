import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(10, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = torch.zeros((), device=device)
for step, (x, y) in enumerate(loader):
    loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device)) / 4
    loss.backward()
    total += loss.detach()
    if (step + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
