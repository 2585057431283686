"""The many spellings of `nvidia-smi -q -x`, and its error texts."""

from __future__ import annotations

import pytest

from gpu_assistant.detect.gateways import Answer
from gpu_assistant.detect.nvidia_smi import parse_nvidia_smi
from gpu_assistant.detect.report import DriverState, GpuProcess, Outcome


def document(head: str, body: str = "") -> Answer:
    gpu = f'<gpu id="00000000:01:00.0"><product_name>NVIDIA T4</product_name>{body}</gpu>' if body else ""
    return Answer(out=f'<?xml version="1.0" ?>\n<nvidia_smi_log>{head}{gpu}</nvidia_smi_log>'.encode())


@pytest.mark.parametrize(
    ("head", "version", "cuda"),
    [
        ("<driver_version>566.36</driver_version><cuda_version>12.7</cuda_version>", "566.36", "12.7"),
        ("<kmd_version>610.57.04</kmd_version><cuda_umd_version>13.3</cuda_umd_version>", "610.57.04", "13.3"),
        (
            "<driver_version>N/A</driver_version><kmd_version>610.5</kmd_version><cuda_version>[N/A]</cuda_version>",
            "610.5",
            None,
        ),
        ("<driver_version>390.157</driver_version>", "390.157", None),
    ],
)
def test_both_spellings_of_the_versions(head: str, version: str, cuda: str | None) -> None:
    evidence, _, note = parse_nvidia_smi(document(head, "<uuid>GPU-1</uuid>"))
    assert (evidence.state, evidence.version, evidence.cuda_version) == (DriverState.WORKING, version, cuda)
    assert note.outcome is Outcome.OK


@pytest.mark.parametrize(
    ("power", "watts", "limit"),
    [
        (
            "<power_readings><power_draw>48.05 W</power_draw><power_limit>225.00 W</power_limit></power_readings>",
            48.05,
            225.0,
        ),
        (
            "<gpu_power_readings><power_draw>N/A</power_draw><instant_power_draw>21.4 W</instant_power_draw>"
            "<current_power_limit>100.00 W</current_power_limit></gpu_power_readings>",
            21.4,
            100.0,
        ),
        (
            "<gpu_power_readings><power_state>Requested functionality has been deprecated</power_state>"
            "<average_power_draw>12.00 W</average_power_draw><power_limit>[Not Supported]</power_limit>"
            "</gpu_power_readings>",
            12.0,
            None,
        ),
        ("<power_readings><power_draw>[Unknown Error]</power_draw></power_readings>", None, None),
    ],
)
def test_spellings_of_power(power: str, watts: float | None, limit: float | None) -> None:
    _, (gpu,), _ = parse_nvidia_smi(document("", power))
    assert (gpu.power_watts, gpu.power_limit_watts) == (watts, limit)


@pytest.mark.parametrize("nothing", ["N/A", "[N/A]", "[Not Supported]", "Not Supported", "[GPU is lost]", ""])
def test_what_is_not_told_is_unknown(nothing: str) -> None:
    body = (
        f"<uuid>{nothing}</uuid><fb_memory_usage><total>{nothing}</total></fb_memory_usage>"
        f"<temperature><gpu_temp>{nothing}</gpu_temp></temperature><mig_mode><current_mig>{nothing}</current_mig>"
        f"</mig_mode><ecc_mode><current_ecc>{nothing}</current_ecc></ecc_mode>"
    )
    _, (gpu,), _ = parse_nvidia_smi(document("", body))
    assert (gpu.uuid, gpu.vram_total, gpu.temperature_c, gpu.mig_enabled, gpu.ecc_enabled) == (None,) * 5
    assert set(gpu.sources) == {"name", "index", "pci_address"}


@pytest.mark.parametrize(
    ("processes", "expected"),
    [
        ("<processes></processes>", ()),
        ("<processes>\n\t\tNone\n\t</processes>", ()),
        ("<processes>N/A</processes>", None),
        ("<ecc_mode></ecc_mode>", None),
        (
            "<processes><process_info><pid>7</pid><type>C+G</type><process_name>C:\\x\\game.exe</process_name>"
            "<used_memory>N/A</used_memory></process_info></processes>",
            (GpuProcess(pid=7, name="game.exe", kind="both"),),
        ),
        (
            "<compute_processes><process_info><pid>9</pid><process_name>/usr/bin/python3</process_name>"
            "<used_memory>98 MiB</used_memory></process_info></compute_processes>",
            (GpuProcess(pid=9, name="python3", vram_bytes=98 << 20),),
        ),
    ],
)
def test_processes_of_all_ages(processes: str, expected: tuple[GpuProcess, ...] | None) -> None:
    _, (gpu,), _ = parse_nvidia_smi(document("", processes))
    assert gpu.processes == expected


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (
            "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.95",
            DriverState.MISMATCH,
        ),
        (
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest "
            "NVIDIA driver is installed and running.",
            DriverState.NOT_LOADED,
        ),
        ("Failed to initialize NVML: GPU access blocked by the operating system", DriverState.INACCESSIBLE),
        ("Failed to initialize NVML: Insufficient Permissions", DriverState.INACCESSIBLE),
        ("Failed to initialize NVML: Driver Not Loaded", DriverState.NOT_LOADED),
        ("No devices were found", DriverState.NO_DEVICES),
        (
            "Unable to determine the device handle for GPU0000:01:00.0: GPU is lost.  Reboot the system to recover "
            "this GPU",
            DriverState.NOT_RESPONDING,
        ),
        ("Failed to initialize NVML: Unknown Error", DriverState.UNKNOWN),
        ("zsh: bad CPU type", None),
    ],
)
def test_error_texts(text: str, state: DriverState | None) -> None:
    evidence, gpus, note = parse_nvidia_smi(Answer(outcome=Outcome.FAILED, exit_code=9, out=text.encode()))
    assert (evidence.state, gpus, note.outcome) == (state, (), Outcome.FAILED)


def test_the_mismatch_tells_the_library() -> None:
    text = "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.95"
    assert parse_nvidia_smi(Answer(outcome=Outcome.FAILED, err=text.encode()))[0].library_version == "580.95"


def test_exit_code_zero_without_a_card_is_no_success() -> None:
    assert parse_nvidia_smi(document("<attached_gpus>0</attached_gpus>"))[0].state is DriverState.NO_DEVICES


def test_a_table_instead_of_xml_still_tells_the_versions() -> None:
    text = "| NVIDIA-SMI 610.57.04    KMD Version: 610.57.04    CUDA UMD Version: 13.3 |"
    evidence = parse_nvidia_smi(Answer(out=text.encode()))[0]
    assert (evidence.version, evidence.cuda_version) == ("610.57.04", "13.3")


def test_warnings_before_the_document_do_not_hurt() -> None:
    answer = document("<driver_version>580.88</driver_version>", "<uuid>GPU-1</uuid>")
    noisy = Answer(out=b"WARNING: infoROM is corrupted at gpu 0000:01:00.0\n" + answer.out)
    assert parse_nvidia_smi(noisy)[0].version == "580.88"


def test_a_document_with_entities_is_refused() -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><nvidia_smi_log>&a;</nvidia_smi_log>'
    assert parse_nvidia_smi(Answer(out=bomb))[2].outcome is Outcome.FAILED
