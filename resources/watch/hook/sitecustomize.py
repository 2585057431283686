"""GPU Assistant put this folder onto PYTHONPATH of a program that it watches. Another `sitecustomize` runs too."""

import os
import sys

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def _let_the_other_run():
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or os.curdir) != _FOLDER]
    ours = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError:
        if ours is not None:
            sys.modules["sitecustomize"] = ours
    sys.path.append(_FOLDER)


_let_the_other_run()
try:
    import gpu_assistant_watch

    gpu_assistant_watch.begin()
except Exception as error:  # the watched program must run whatever happens to us
    print("GPU Assistant cannot look inside this program:", error, file=sys.stderr)
