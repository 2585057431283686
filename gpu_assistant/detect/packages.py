"""Installed packages that matter for training, read from the names of their metadata folders."""

from __future__ import annotations

import re

from gpu_assistant.detect.gateways import Gateways
from gpu_assistant.detect.report import PackageBuild

# names as PyPI writes them
INTERESTING = (
    "torch",
    "torchvision",
    "torchaudio",
    "torch-directml",
    "tensorflow",
    "tensorflow-cpu",
    "tensorflow-intel",
    "keras",
    "jax",
    "jaxlib",
    "jax-cuda12-plugin",
    "jax-cuda13-plugin",
    "flax",
    "lightning",
    "pytorch-lightning",
    "transformers",
    "diffusers",
    "accelerate",
    "peft",
    "unsloth",
    "bitsandbytes",
    "xformers",
    "flash-attn",
    "deepspeed",
    "triton",
    "triton-windows",
    "onnxruntime",
    "onnxruntime-gpu",
    "ultralytics",
    "numpy",
    "pynvml",
    "nvidia-ml-py",
    "ipykernel",
)
_METADATA = re.compile(
    r"(?P<name>[A-Za-z0-9_.]+(?:-[a-z]+)*?)-(?P<version>\d[^-]*?)(?:-py[\d.]+.*)?\.(?:dist|egg)-info"
)


def read_packages(io: Gateways, site_packages: tuple[str, ...]) -> tuple[PackageBuild, ...]:
    """The interesting packages in the folders that exist."""
    patterns = [f"{name.replace('-', '[-_.]')}-[0-9]*-info" for name in INTERESTING]
    found: dict[str, PackageBuild] = {}
    for folder in site_packages:
        for entry in io.names(folder, *patterns) or ():
            match = _METADATA.fullmatch(entry)
            if match is None:
                continue
            name = re.sub(r"[-_.]+", "-", match["name"]).lower()
            if name not in found:
                found[name] = _package(io, folder, name, match["version"])
    return tuple(found.values())


def _package(io: Gateways, folder: str, name: str, version: str) -> PackageBuild:
    build: str | None = version.partition("+")[2] or None
    if name == "torch":
        separator = "\\" if "\\" in folder else "/"
        version, build = torch_build(version, io.read(separator.join((folder, "torch", "version.py"))).text)
    return PackageBuild(name=name, version=version, build=build)


def torch_build(version: str, text: str) -> tuple[str, str | None]:
    """Version with its local part, and build, from the metadata's version and the text of `torch/version.py`.

    The default index gives builds without a local part in the metadata: there only the file tells.
    """
    if "+" in version:
        return version, version.partition("+")[2]
    own = _value(text, "__version__")
    if own and own.partition("+")[0] == version and "+" in own:
        return own, own.partition("+")[2]
    if cuda := _value(text, "cuda"):
        return version, "cu" + cuda.replace(".", "")
    if hip := _value(text, "hip"):
        return version, "rocm" + ".".join(hip.split(".")[:2])
    if _value(text, "xpu"):
        return version, "xpu"
    return version, "cpu" if re.search(r"^cuda\b.*=\s*None\s*$", text, re.MULTILINE) else None


def _value(text: str, name: str) -> str | None:
    match = re.search(rf"^{name}(?:\s*:[^=\n]+)?\s*=\s*['\"]([^'\"]+)['\"]", text, re.MULTILINE)
    return match[1] if match else None
