import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
generator = nn.Sequential(nn.Linear(64, 784), nn.Tanh()).to(device)
critic = nn.Sequential(nn.Linear(784, 1)).to(device)
for_generator = torch.optim.Adam(generator.parameters())
for_critic = torch.optim.Adam(critic.parameters())
criterion = nn.BCEWithLogitsLoss()
for epoch in range(5):
    for real, _ in torch.utils.data.DataLoader(data, batch_size=64, pin_memory=True):
        real = real.to(device, non_blocking=True)
        noise = torch.randn(len(real), 64).to(device)  # ! made-on-processor
        fake = generator(noise)
        for_critic.zero_grad()
        ones, zeros = torch.ones(len(real), 1, device=device), torch.zeros(len(real), 1, device=device)
        real_loss = criterion(critic(real), ones)
        fake_loss = criterion(critic(fake.detach()), zeros)
        critic_loss = real_loss + fake_loss
        critic_loss.backward()
        for_critic.step()
        for_generator.zero_grad()
        criterion(critic(fake), ones).backward()
        for_generator.step()
