import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = AutoModelForSequenceClassification.from_pretrained("some/model").to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
loader = DataLoader(data, batch_size=8)  # ! loader-not-pinned
for batch in loader:
    batch = {key: value.to(device) for key, value in batch.items()}
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(**batch).loss
    loss.backward()
    optimizer.step()
