import torch
from torch import nn, optim


class Trainer:
    def __init__(self, model, loader, lr):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.loader = loader
        self.optimizer = optim.AdamW(self.model.parameters(), lr=lr)

    def step(self, batch):
        x, y = (part.to(self.device, non_blocking=True) for part in batch)
        self.optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()  # ! waits-each-step

    def fit(self, epochs):
        for epoch in range(epochs):
            total = 0
            for batch in self.loader:
                total += self.step(batch)
            print(epoch, total)


Trainer(nn.Linear(4, 1), torch.utils.data.DataLoader(data, batch_size=8, pin_memory=True), 1e-3).fit(3)
