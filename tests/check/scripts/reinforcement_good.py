import gymnasium as gym
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
policy = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
env = gym.make("CartPole-v1")
for episode in range(500):
    state, _ = env.reset()
    logs, rewards, done = [], [], False
    while not done:
        probabilities = torch.softmax(policy(torch.as_tensor(state, device=device)), -1)
        choice = torch.distributions.Categorical(probabilities)
        action = choice.sample()
        logs.append(choice.log_prob(action))
        state, reward, done, _, _ = env.step(action.item())
        rewards.append(reward)
    loss = -torch.stack(logs).sum() * sum(rewards)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
