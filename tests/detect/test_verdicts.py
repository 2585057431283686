"""Plain functions over facts: merging cards, the driver's state, findings, the table of cards."""

from __future__ import annotations

import pytest

from gpu_assistant.base.resources import resource_root
from gpu_assistant.base.system_pages import system_pages
from gpu_assistant.base.texts import LANGUAGES, say
from gpu_assistant.detect.driver import DriverSurroundings, judge_driver
from gpu_assistant.detect.evidence import DriverEvidence, gpu
from gpu_assistant.detect.findings import find
from gpu_assistant.detect.gpus import GpuTable, KnownGpu, find_gpu, gpu_table, load_gpu_table
from gpu_assistant.detect.merge import merge_cards
from gpu_assistant.detect.report import Driver, DriverState, Gpu, Memory, System
from gpu_assistant.detect.system import parse_paging_files

LINUX = System(os="linux", name="Ubuntu")
CARD = DriverSurroundings(has_card=True)
NO_CARD = DriverSurroundings(has_card=False)


def seen(state: DriverState | None = None, source: str = "nvml", **fields: str) -> DriverEvidence:
    return DriverEvidence(source=source, state=state, **fields)


@pytest.mark.parametrize(
    ("evidence", "system", "around", "expected"),
    [
        ((), LINUX, NO_CARD, None),
        ((), LINUX, CARD, DriverState.MISSING),
        ((seen(DriverState.WORKING),), LINUX, CARD, DriverState.WORKING),
        ((seen(DriverState.UNKNOWN), seen(DriverState.MISMATCH)), LINUX, CARD, DriverState.MISMATCH),
        ((seen(kernel_version="580.95.05"),), LINUX, CARD, DriverState.UNKNOWN),
        ((seen(kernel_version="580.95.05", library_version="580.82.07"),), LINUX, CARD, DriverState.MISMATCH),
        ((seen(kernel_version="580.95.05", library_version="580.95"),), LINUX, CARD, DriverState.UNKNOWN),
        ((seen(library_version="580.95.05"),), LINUX, CARD, DriverState.NOT_LOADED),
        ((seen(library_version="580.95.05"),), LINUX, NO_CARD, None),
        (
            (seen(DriverState.NOT_LOADED),),
            System(os="linux", name="x", container="docker"),
            CARD,
            DriverState.INACCESSIBLE,
        ),
        ((), System(os="linux", name="x", container="docker"), NO_CARD, None),
        (
            (),
            System(os="wsl", name="x"),
            DriverSurroundings(has_card=True, wsl_device=True, wsl_library=False),
            DriverState.INACCESSIBLE,
        ),
        ((), System(os="wsl", name="x"), DriverSurroundings(has_card=False, wsl_device=True, wsl_library=False), None),
        (
            (seen(DriverState.WORKING),),
            System(os="wsl", name="x"),
            DriverSurroundings(has_card=True, wsl_device=True, wsl_library=True),
            DriverState.WORKING,
        ),
    ],
)
def test_driver_states(
    evidence: tuple[DriverEvidence, ...], system: System, around: DriverSurroundings, expected: DriverState | None
) -> None:
    driver = judge_driver(evidence, system, around)
    assert (driver.state if driver else None) == expected


def test_the_most_trusted_source_gives_the_version() -> None:
    evidence = (
        seen(DriverState.WORKING, version="566.36"),
        seen(source="registry", version="580.88", model="WDDM"),
    )
    driver = judge_driver(evidence, LINUX, CARD)
    assert driver is not None
    assert (driver.version, driver.model) == ("566.36", "WDDM")
    assert driver.sources == {"version": "nvml", "model": "registry", "state": "nvml"}


def nvidia(source: str, name: str = "", **fields: object) -> Gpu:
    return gpu(source, vendor="nvidia", name=name, **fields)


def test_two_like_cards_stay_two_whatever_the_sources_call_them() -> None:
    first = [nvidia("nvml", "NVIDIA T4", index=i, pci_address=f"0000:0{i}:00.0", pci_id="10de:1eb8") for i in (1, 2)]
    second = [nvidia("sysfs", pci_address=f"0000:0{i}:00.0", pci_id="10de:1eb8", drives_display=i == 2) for i in (2, 1)]
    merged = merge_cards((first, second), gpu_table())
    assert [(card.index, card.drives_display) for card in merged] == [(1, False), (2, True)]


def test_without_addresses_like_cards_pair_one_to_one() -> None:
    first = [nvidia("nvml", "NVIDIA T4", index=i) for i in (0, 1)]
    second = [nvidia("cim", "NVIDIA T4", pci_id="10de:1eb8")] * 2
    merged = merge_cards((first, second), gpu_table())
    assert [(card.index, card.pci_id) for card in merged] == [(0, "10de:1eb8"), (1, "10de:1eb8")]


def test_trusted_values_are_not_overwritten_and_gaps_are_filled() -> None:
    first = [nvidia("nvml", "NVIDIA GeForce GTX 1080", pci_id="10de:1b80", temperature_c=40.0)]
    second = [nvidia("registry", "GeForce GTX 1080 (X)", pci_id="10de:1b80", vram_total=8 << 30)]
    (card,) = merge_cards((first, second), gpu_table())
    assert (card.name, card.vram_total, card.compute_capability) == ("NVIDIA GeForce GTX 1080", 8 << 30, "6.1")
    assert card.sources["vram_total"] == "registry"
    assert card.sources["compute_capability"] == "gpus.toml"


def test_a_card_that_no_table_knows_keeps_its_number() -> None:
    (card,) = merge_cards(([nvidia("sysfs", pci_id="10de:ffff")],), gpu_table())
    assert (card.name, card.compute_capability, card.integrated) == ("NVIDIA GPU [10de:ffff]", None, False)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", "detect-visible-devices-none"),
        ("-1", "detect-visible-devices-none"),
        ('"0"', "detect-visible-devices-quoted"),
        ("'0,1'", "detect-visible-devices-quoted"),
        ("gpu0", "detect-visible-devices-nonsense"),
        ("7", "detect-visible-devices-none"),
        ("1", "detect-visible-devices-some"),
        ("0,1", None),
        ("GPU-1a2b", None),
    ],
)
def test_hidden_cards(value: str, expected: str | None) -> None:
    cards = (nvidia("nvml", "NVIDIA T4", index=0), nvidia("nvml", "NVIDIA T4", index=1))
    driver = Driver(state=DriverState.WORKING)
    found = [row.message.id for row in find(LINUX, cards, driver, (), (), {"CUDA_VISIBLE_DEVICES": value})]
    assert found == ([expected] if expected else [])


@pytest.mark.parametrize("state", [state for state in DriverState if state is not DriverState.WORKING])
@pytest.mark.parametrize("os", ["windows", "linux", "wsl"])
def test_every_driver_that_does_not_work_is_a_problem_said_in_both_languages(state: DriverState, os: str) -> None:
    system = System(os=os, name="x")  # type: ignore[arg-type]
    found = find(system, (nvidia("nvml", "NVIDIA T4"),), Driver(state=state), (), (), {})
    assert found[0].severity == "problem"
    assert found[0].page in (None, *system_pages())
    for language in LANGUAGES:
        assert "{" not in say(found[0].message, language)


GIB = 1 << 30


@pytest.mark.parametrize(
    ("lines", "limit"),
    [
        (["?:\\pagefile.sys"], None),  # Windows chooses the drive and the size
        (["C:\\pagefile.sys 0 0"], None),
        (["C:\\pagefile.sys 1024 4096"], 4 * GIB),
        (["C:\\pagefile.sys 1024 4096", "D:\\pagefile.sys 16384 16384"], 20 * GIB),
        (["C:\\pagefile.sys 1024 4096", "D:\\pagefile.sys 0 0"], None),
        ([], 0),
        ([""], 0),
    ],
)
def test_the_page_files_limit(lines: list[str], limit: int | None) -> None:
    assert parse_paging_files(lines) == limit


@pytest.mark.parametrize(
    ("ram", "limit", "expected"),
    [
        (16, None, []),
        (16, 2, ["detect-pagefile-small"]),
        (16, 0, ["detect-pagefile-off"]),
        (16, 24, []),
        (64, 0, []),
    ],
)
def test_a_page_file_that_will_not_do_is_told_with_its_dialog(ram: int, limit: int | None, expected: list[str]) -> None:
    memory = Memory(ram_total=ram * GIB, pagefile_limit=None if limit is None else limit * GIB)
    found = find(System(os="windows", name="x"), (), Driver(state=DriverState.WORKING), (), (), {}, memory)
    pages = [(one.message.id, one.page) for one in found if "pagefile" in one.message.id]
    assert pages == [(id_, "page-file") for id_ in expected]
    assert "page-file" in system_pages()


def test_a_card_that_the_driver_leaves_out_is_named() -> None:
    cards = (nvidia("nvml", "NVIDIA T4", index=0), nvidia("sysfs", "NVIDIA GeForce GT 710"))
    found = find(LINUX, cards, Driver(state=DriverState.WORKING, version="580.88"), (), (), {})
    assert "detect-card-not-in-driver" in [row.message.id for row in found]


def test_no_card_is_said_only_where_no_driver_speaks_of_one() -> None:
    screen = gpu("sysfs", vendor="other", name="QEMU screen")
    assert [row.message.id for row in find(LINUX, (screen,), None, (), (), {})] == ["detect-no-card"]
    found = find(LINUX, (), Driver(state=DriverState.NOT_RESPONDING), (), (), {})
    assert [row.message.id for row in found] == ["detect-driver-not-responding"]


def test_a_pci_id_of_unlike_products_decides_nothing() -> None:
    rows = [KnownGpu(name=f"NVIDIA {cc}", compute_capability=cc, pci_ids=("1234",)) for cc in ("8.6", "8.9")]
    (card,) = merge_cards(([nvidia("sysfs", pci_id="10de:1234")],), GpuTable("2026-12-01", tuple(rows), ()))
    assert (card.name, card.compute_capability) == ("NVIDIA GPU [10de:1234]", None)


# --- the table


def test_the_table_is_read_and_dated() -> None:
    table = load_gpu_table(resource_root() / "gpus.toml")
    assert len(table.known) >= 322
    assert table.as_of == "2026-12-01"
    for row in table.known:
        assert row.compute_capability is None or float(row.compute_capability) >= 3
        assert all(part == part.lower() and len(part) == 4 for part in row.pci_ids)


@pytest.mark.parametrize(
    ("name", "capability"),
    [
        ("NVIDIA GeForce RTX 4060 Laptop GPU", "8.9"),
        ("GeForce GTX 1080", "6.1"),
        ("nvidia geforce rtx 5090", "12.0"),
        ("Quadro RTX 4000", "7.5"),
        ("Tesla V100-SXM2-16GB", "7.0"),
        ("NVIDIA GeForce RTX 2050", "8.6"),
    ],
)
def test_names_are_found_however_they_are_written(name: str, capability: str) -> None:
    row = find_gpu(name)
    assert row is not None
    assert row.compute_capability == capability


def test_no_name_is_guessed() -> None:
    assert find_gpu("NVIDIA GeForce RTX 9090") is None
    assert find_gpu("") is None


def test_amd_names_of_one_row() -> None:
    for name in ("AMD Radeon RX 7900 XTX", "Radeon RX 7900 XT", "AMD Radeon RX 7900 GRE"):
        row = gpu_table().other_by_name(name)
        assert row is not None
        assert row.gfx == "gfx1100"


def test_old_cards_name_their_last_driver_branch() -> None:
    row = find_gpu("NVIDIA GeForce GTX 1080")
    assert row is not None
    assert row.driver_last_branch == "R580"
