"""Interpreters and packages, found by their files alone."""

from __future__ import annotations

import pytest

from gpu_assistant.detect.facts import PlatformFacts
from gpu_assistant.detect.gateways import RegistryKey
from gpu_assistant.detect.packages import read_packages, torch_build
from gpu_assistant.detect.pythons import find_pythons
from gpu_assistant.detect.tools import find_tools, reported_variables
from tests.detect.machines import FakeMachine

TEXT = "__version__ = '{version}'\ndebug = False\ncuda: Optional[str] = {cuda}\nhip: Optional[str] = {hip}\n"


@pytest.mark.parametrize(
    ("version", "text", "expected"),
    [
        ("2.9.1+cu126", "", ("2.9.1+cu126", "cu126")),
        ("2.9.1+cpu", "", ("2.9.1+cpu", "cpu")),
        ("2.15.0", TEXT.format(version="2.15.0+cpu", cuda="None", hip="None"), ("2.15.0+cpu", "cpu")),
        ("2.15.0", TEXT.format(version="2.15.0+cu130", cuda="'13.0'", hip="None"), ("2.15.0+cu130", "cu130")),
        ("2.5.1", TEXT.format(version="2.5.1", cuda="'12.4'", hip="None"), ("2.5.1", "cu124")),  # conda
        ("2.5.1", TEXT.format(version="2.5.1", cuda="None", hip="'6.4.43482'"), ("2.5.1", "rocm6.4")),
        ("2.5.1", TEXT.format(version="2.5.1", cuda="None", hip="None"), ("2.5.1", "cpu")),
        ("2.5.1", "", ("2.5.1", None)),
        ("1.7.1", "__version__ = '1.7.1+cu110'\ncuda = '11.0'\n", ("1.7.1+cu110", "cu110")),
    ],
)
def test_torch_build(version: str, text: str, expected: tuple[str, str | None]) -> None:
    assert torch_build(version, text) == expected


def test_package_names_and_versions() -> None:
    folder = [
        "torch-2.9.1+cu130.dist-info",
        "torch_directml-0.2.5.dist-info",
        "nvidia_ml_py-13.615.71.dist-info",
        "pynvml-13.0.1.dist-info",
        "triton_windows-3.8.0.post29.dist-info",
        "jax-0.12.0.1.dist-info",
        "numpy-1.24.2.egg-info",
        "torchmetrics-1.0.0.dist-info",
        "torch",
    ]
    found = read_packages(FakeMachine(folders={"/s": folder}), ("/s", "/none"))
    assert {package.name: package.version for package in found} == {
        "torch": "2.9.1+cu130",
        "torch-directml": "0.2.5",
        "nvidia-ml-py": "13.615.71",
        "pynvml": "13.0.1",
        "triton-windows": "3.8.0.post29",
        "jax": "0.12.0.1",
        "numpy": "1.24.2",
    }


def linux_machine() -> FakeMachine:
    home = "/home/anna"
    executables = {
        "/usr/bin/python3": "/usr/bin/python3.12",
        "/usr/bin/python3.12": "/usr/bin/python3.12",
        f"{home}/venv/bin/python": "/usr/bin/python3.12",
        f"{home}/miniconda3/bin/python": f"{home}/miniconda3/bin/python3.13",
        f"{home}/miniconda3/envs/dl/bin/python": f"{home}/miniconda3/envs/dl/bin/python3.11",
        f"{home}/.local/share/uv/python/cpython-3.14.0-linux-x86_64-gnu/bin/python": "x/python3.14",
        f"{home}/.pyenv/versions/3.10.13/bin/python": f"{home}/.pyenv/versions/3.10.13/bin/python3.10",
        "/data/gpu/envs/pytorch/bin/python": "/usr/bin/python3.12",
    }
    return FakeMachine(
        environment={"PATH": "/usr/bin:/home/anna/.pyenv/shims"},
        links=executables,
        files={
            f"{home}/venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.12.3\n",
            "/data/gpu/envs/pytorch/pyvenv.cfg": "home = /usr/bin\nuv = 0.13.9\nversion_info = 3.12.11\n",
            "/usr/include/python3.12/patchlevel.h": '#define PY_VERSION "3.12.3"\n',
            f"{home}/.conda/environments.txt": f"{home}/miniconda3\n{home}/miniconda3/envs/dl\n{home}/gone\n",
        },
        folders={
            "/usr/bin": ["python3", "python3.12", "python3.12-config", "python3-pip"],
            "/home/anna/.pyenv/shims": ["python3"],
            "/usr/lib/python3.12": ["EXTERNALLY-MANAGED"],
            f"{home}/miniconda3/envs": ["dl"],
            f"{home}/miniconda3/conda-meta": ["python-3.13.2-h1234_0.json", "conda-25.1.1-py313_0.json"],
            f"{home}/miniconda3/envs/dl/conda-meta": ["python-3.11.9-h5678_0.json"],
            f"{home}/miniconda3/envs/dl/lib/python3.11/site-packages": ["torch-2.5.1.dist-info"],
            f"{home}/.local/share/uv/python": ["cpython-3.14.0-linux-x86_64-gnu", ".lock"],
            f"{home}/.pyenv/versions": ["3.10.13"],
            "/data/gpu/envs": ["pytorch", "pytorch.broken-20261201-120000"],
        },
    )


def test_all_kinds_on_linux_each_once() -> None:
    found = find_pythons(linux_machine(), ("/data/gpu/envs",))
    assert sorted((python.kind, python.version) for python in found) == [
        ("conda", "3.11.9"),
        ("conda", "3.13.2"),
        ("ours", "3.12.11"),
        ("pyenv", "3.10.13"),
        ("system", "3.12.3"),
        ("uv", "3.14.0"),
        ("venv", "3.12.3"),
    ]
    by_kind = {python.kind: python for python in found}
    assert by_kind["system"].externally_managed is True
    assert all(python.source for python in found)


def test_no_interpreter_is_started() -> None:
    io = linux_machine()
    find_pythons(io)
    assert io.asked == []


def windows_machine() -> FakeMachine:
    home = "C:\\Users\\anna"
    store = f"{home}\\AppData\\Local\\Microsoft\\WindowsApps"
    python = f"{home}\\AppData\\Local\\Programs\\Python\\Python312"
    small = "C:\\Python39-32"
    root = "HKCU\\Software\\Python"

    def tag(folder: str) -> RegistryKey:
        return RegistryKey(values={"": folder + "\\", "ExecutablePath": folder + "\\python.exe"})

    return FakeMachine(
        facts=PlatformFacts(system="windows", home=home),
        environment={"Path": f"{store};{python}", "APPDATA": f"{home}\\AppData\\Roaming"},
        keys={
            root: RegistryKey(subkeys=("PythonCore", "PyLauncher")),
            f"{root}\\PythonCore": RegistryKey(subkeys=("3.12", "3.9-32")),
            f"{root}\\PythonCore\\3.12": RegistryKey(values={"Version": "3.12.10", "SysArchitecture": "64bit"}),
            f"{root}\\PythonCore\\3.12\\InstallPath": tag(python),
            f"{root}\\PythonCore\\3.9-32": RegistryKey(values={"Version": "3.9.13", "SysArchitecture": "32bit"}),
            f"{root}\\PythonCore\\3.9-32\\InstallPath": tag(small),
        },
        folders={
            store: ["python.exe", "python3.exe", "PythonSoftwareFoundation.Python.3.11_qbz5n2kfra8p0"],
            python: ["python.exe", "python312.dll"],
        },
        links={
            path: path
            for path in (
                f"{python}\\python.exe",
                f"{small}\\python.exe",
                f"{store}\\python.exe",
                f"{store}\\PythonSoftwareFoundation.Python.3.11_qbz5n2kfra8p0\\python.exe",
            )
        },
    )


def test_windows_registry_store_and_path() -> None:
    found = find_pythons(windows_machine())
    assert sorted((python.kind, python.version, python.bits) for python in found) == [
        ("store", "3.11", None),
        ("system", "3.12.10", 64),
        ("system", "3.9.13", 32),
    ]


def test_the_stores_invitation_is_no_python() -> None:
    io = windows_machine()
    folders = {name: names for name, names in io._folders.items() if "WindowsApps" not in name}
    store = next(name for name in io._folders if "WindowsApps" in name)
    io._folders = {**folders, store: ["python.exe"]}
    assert "store" not in {python.kind for python in find_pythons(io)}


def test_toolkits_and_cudnn_on_linux() -> None:
    header = "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 10\n#define CUDNN_PATCHLEVEL 2\n"
    io = FakeMachine(
        files={
            "/usr/local/cuda-12.6/version.json": '{"cuda": {"name": "CUDA SDK", "version": "12.6.3"}}',
            "/usr/local/cuda-10.2/version.txt": "CUDA Version 10.2.89",
            "/usr/include/cudnn_version.h": header,
        },
        folders={"/usr/local": ["cuda", "cuda-12.6", "cuda-10.2", "bin"]},
        links={"/usr/local/cuda": "/usr/local/cuda-12.6"},
    )
    assert [(tool.name, tool.version) for tool in find_tools(io)] == [
        ("cuda_toolkit", "12.6.3"),
        ("cuda_toolkit", "10.2.89"),
        ("cudnn", "9.10.2"),
    ]


def test_reported_variables_hide_logins_and_noise() -> None:
    io = FakeMachine(environment={"HTTPS_PROXY": "http://anna:secret@proxy:3128", "PATH": "/bin", "CUDA_HOME": "/c"})
    assert reported_variables(io) == {"CUDA_HOME": "/c", "HTTPS_PROXY": "http://<login>@proxy:3128"}
