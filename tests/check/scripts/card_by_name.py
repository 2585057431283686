import torch

model = torch.nn.Linear(4, 2)
model.cuda()  # ! card-by-name
print(model(torch.rand(1, 4, device="cuda")))
