import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        return self.head(self.conv(x).mean((2, 3)))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
data = datasets.ImageFolder("photos", transforms.ToTensor())
loader = DataLoader(data, batch_size=32, shuffle=True, num_workers=2)  # ! loader-not-pinned
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
model.to(device)  # ! optimizer-before-move
criterion = nn.CrossEntropyLoss()

total = 0
for epoch in range(5):
    for step, (images, labels) in enumerate(loader):  # ! workers-without-main-guard
        images = images.to(device)
        labels = labels.to(device)
        loss = criterion(model(images), labels)
        loss.backward()  # ! gradients-never-cleared amp-missing cudnn-benchmark
        optimizer.step()
        total += loss  # ! loss-kept
        print(step, loss.item())  # ! prints-each-step waits-each-step
