"""GPU Assistant: from a graphics card to a network in training."""

__version__ = "0.1.0"
