from torch.utils.data import DataLoader

WORKERS = 4
loader = DataLoader(data, batch_size=8, num_workers=WORKERS)
for epoch in range(2):
    for batch in loader:  # ! workers-without-main-guard
        print(batch)
