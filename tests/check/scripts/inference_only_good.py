import torch
from torchvision.models import resnet50

model = resnet50(weights="DEFAULT").eval()
with torch.inference_mode():
    for image in images:
        print(model(image).argmax(1))
