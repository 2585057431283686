import torch


class Clamp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clamp(0)

    @staticmethod
    def backward(ctx, gradient):
        return gradient


for x in values:
    print(Clamp.apply(x).sum().item())
