"""The shipped program's window."""

import sys

from gpu_assistant.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
