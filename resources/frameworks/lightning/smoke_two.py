"""The same with two processes."""

import smoke_lightning

if __name__ == "__main__":
    smoke_lightning.main(2)
