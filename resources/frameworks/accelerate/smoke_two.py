"""The same with two processes, which `accelerate launch` starts."""

from pathlib import Path

import smoke_accelerate

if __name__ == "__main__":
    smoke_accelerate.start(Path(__file__), 2)
