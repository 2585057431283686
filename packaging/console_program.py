"""The shipped program's command line; also what the window starts as its own children."""

import sys

from gpu_assistant import cli
from gpu_assistant.__main__ import main
from gpu_assistant.base.self_command import RUN_MODULE

if __name__ == "__main__":
    sys.exit(main() if sys.argv[1:2] == [RUN_MODULE] else cli.main())
