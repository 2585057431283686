from __future__ import annotations

import pytest

from gpu_assistant.base.redact import redact


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (r"File C:\Users\Иван Петров\train.py", "Иван"),
        (r'File "C:\\Users\\anna\\x.py", line 3', "anna"),
        ("/home/masha/.cache/torch", "masha"),
        ("C:/Users/John Smith/AppData", "Smith"),
        ("export HF_TOKEN=hf_abcdefghijklmnopqrstuv", "abcdefghijkl"),
        ("Authorization: Bearer abc.def.ghi", "abc.def"),
        ("http://user:pa55@proxy.example:8080", "pa55"),
        ("GPU 0: NVIDIA (UUID: GPU-12345678-1234-1234-1234-123456789abc)", "123456789abc"),
        ("<serial>1324618073322</serial>", "1324618073322"),
        ("Serial Number : 1324618073322", "1324618073322"),
        ("mail ivan@example.org", "ivan@"),
        ("connect to 192.168.1.17:29500", "192.168.1.17"),
        ("link/ether aa:bb:cc:dd:ee:ff", "aa:bb:cc"),
        ("host WORKSTATION-7 said", "WORKSTATION-7"),
    ],
)
def test_private_parts_go(text, secret):
    assert secret not in redact(text, ["workstation-7"])


@pytest.mark.parametrize(
    "text",
    [
        "torch 2.14.1+cu126, driver 580.88, CUDA 13.0",
        "version 10.0.22631.4460",
        "Tried to allocate 20.00 MiB (GPU 0; 4.00 GiB total capacity)",
        "<serial>N/A</serial>",
        r"C:\Windows\System32\nvml.dll",
        "File /usr/lib/python3/dist-packages/torch/__init__.py, line 5",
        "127.0.0.1:29500",
        "Linux version 6.6.87.2-microsoft-standard-WSL2",
        "Video BIOS: 94.02.26.80.59",
        "nvidia-cudnn-cu12==9.10.2.21",
        "/opt/homebrew/Cellar/python@3.13/3.13.9/bin",
    ],
)
def test_facts_stay(text):
    assert redact(text) == text


def test_redacting_twice_changes_nothing_more():
    once = redact(r"C:\Users\Иван\x GPU-12345678-1234-1234-1234-123456789abc a@b.de token=abc")
    assert redact(once) == once
