from typing import Optional

__all__ = ["__version__", "debug", "cuda", "git_version", "hip", "rocm", "xpu"]
__version__ = "2.7.1+cpu"
debug = False
cuda: Optional[str] = None
git_version = "c45f9ecd5f1c4b2a1d9e0c1d8d7f2f7a3e1b2c4d"
hip: Optional[str] = None
rocm: Optional[str] = None
xpu: Optional[str] = None
