"""The plan: packages, index, Python, steps, folder, sizes, hosts, warnings, and the settings in all of them."""

from __future__ import annotations

import msgspec
import pytest

from gpu_assistant.base.settings import Settings
from gpu_assistant.detect.report import Disk, Outcome, PackageBuild, ProbeNote, PythonEnvironment, System, Tool
from gpu_assistant.select.choice import ClosedOption
from gpu_assistant.select.place import default_root, place_warnings, pure_path
from gpu_assistant.select.plan import InstallPlan
from gpu_assistant.select.planning import make_plan
from tests.select.machines import gpu, machine, pytorch

GIB = 2**30
RTX = machine("windows", "RTX 4060", driver="591.44")
PASCAL = machine("windows", "GTX 1080", driver="580.88", python="3.9")


def plan(option: str, report=RTX, settings: Settings | None = None, **more) -> InstallPlan:
    return make_plan(option, report, pytorch(), settings or Settings(), **more)


def ids(messages) -> set[str]:
    return {message.id for message in messages}


def test_the_steps_say_the_index_and_never_let_uv_guess() -> None:
    made = plan("cu126", PASCAL)
    environment, install = made.steps
    assert environment.argv[:2] == ("uv", "venv")
    assert environment.argv[environment.argv.index("--python") + 1] == "3.12"
    assert environment.argv[-1] == made.target == "C:\\GPU-Assistant\\envs\\pytorch-cu126"
    assert install.argv == (
        "uv", "pip", "install", "--python", "C:\\GPU-Assistant\\envs\\pytorch-cu126\\Scripts\\python.exe",
        "--index", "https://download.pytorch.org/whl/cu126", "--no-build", "torch==2.14.1", "torchvision==0.29.1",
    )  # fmt: skip
    for step in made.steps:
        assert not any("torch-backend" in word for word in step.argv)
        assert step.shell.bash.split()[0] == "uv"
    assert made.build == "cu126"
    assert made.build_package == "torch"
    assert made.verify_imports == ("torch", "torchvision")


def test_everything_big_stays_under_one_root() -> None:
    for step in plan("cu130").steps:
        assert step.environment["UV_CACHE_DIR"] == "C:\\GPU-Assistant\\cache"
        assert step.environment["UV_PYTHON_INSTALL_DIR"] == "C:\\GPU-Assistant\\python"
        assert int(step.environment["UV_HTTP_TIMEOUT"]) >= 300
        assert step.environment["UV_NO_CONFIG"] == "1"
    elsewhere = plan("cu130", target="D:\\my\\place")
    assert elsewhere.steps[0].environment["UV_CACHE_DIR"] == "D:\\my\\GPU-Assistant\\cache"
    same = plan("cu130", target="D:\\big\\envs\\one")
    assert same.steps[0].environment["UV_CACHE_DIR"] == "D:\\big\\cache"


def test_mirrors_and_proxy_reach_shown_and_run_commands() -> None:
    chosen = Settings(
        pytorch_index="https://mirror.example/pytorch/",
        package_index="https://mirror.example/simple",
        python_mirror="https://mirror.example/python",
        proxy="http://proxy.example:3128",
        system_certificates=False,
    )
    made = plan("cu130", machine("windows", "RTX 4060", driver="591.44", python=None), chosen)
    install = made.steps[1]
    assert made.index_url == "https://mirror.example/pytorch/cu130"
    assert made.hosts == ("mirror.example",)
    assert "https://mirror.example/pytorch/cu130" in install.argv
    assert install.argv[install.argv.index("--default-index") + 1] == "https://mirror.example/simple"
    assert install.environment["HTTPS_PROXY"] == "http://proxy.example:3128"
    assert install.environment["UV_PYTHON_INSTALL_MIRROR"] == "https://mirror.example/python"
    assert install.environment["UV_SYSTEM_CERTS"] == "false"
    for tool in ("uv", "pip", "conda"):
        shown = "\n".join(line.powershell for line in made.commands[tool])
        assert "https://mirror.example/pytorch/cu130" in shown
        assert "proxy.example" in shown


def test_hosts_are_those_that_are_reached() -> None:
    assert plan("cu130").hosts == ("download.pytorch.org", "download-r2.pytorch.org")
    assert "github.com" in plan("cu130", machine("windows", "RTX 4060", driver="591.44", python="3.14")).hosts
    assert plan("cpu", RTX, Settings(offline=True)).hosts == ()
    mac = machine("macos", gpu("Apple M3", "apple"), chip="arm64")
    assert plan("mps", mac).hosts == ()
    assert plan("mps", mac, Settings(package_index="https://mirror.example/simple")).hosts == ("mirror.example",)


def test_commands_of_pip_use_the_index_alone() -> None:
    made = plan("cu126", PASCAL)
    lines = [line.cmd for line in made.commands["pip"]]
    assert lines[0] == "py -3.12 -m venv C:\\GPU-Assistant\\envs\\pytorch-cu126"
    assert lines[1].endswith(
        "-m pip install --index-url https://download.pytorch.org/whl/cu126 torch==2.14.1 torchvision==0.29.1"
    )
    assert "--extra-index-url" not in " ".join(lines)
    assert made.commands["conda"][0].bash.startswith("conda create --yes --prefix")
    assert not any(" -c pytorch" in line.bash for line in made.commands["conda"])


def test_a_mac_takes_the_default_index_and_no_tag() -> None:
    made = plan("mps", machine("macos", gpu("Apple M3", "apple"), chip="arm64"))
    assert made.index_url is None
    assert "--index" not in made.steps[1].argv
    assert (made.build, made.build_package) == ("mps", "")
    assert made.target == "/Users/ann/gpu-assistant/envs/pytorch-mps"


@pytest.mark.parametrize(
    ("python", "id_"),
    [("3.9", "select-warn-python-unfit"), (None, "select-warn-python-brought"), ("3.13", "select-warn-python-brought")],
)
def test_a_python_is_brought_and_said(python: str | None, id_: str) -> None:
    made = plan("cu130", machine("windows", "RTX 4060", driver="591.44", python=python))
    assert made.python == "3.12"
    assert id_ in ids(made.warnings)


@pytest.mark.parametrize(
    ("executable", "kind", "used"),
    [
        ("C:\\Python312\\python.exe", "system", True),
        ("C:\\Users\\Иван\\Python312\\python.exe", "system", False),
        ("C:\\conda\\python.exe", "conda", False),
        ("C:\\Users\\ann\\WindowsApps\\python3.12.exe", "store", False),
        ("C:\\work\\venv\\Scripts\\python.exe", "venv", False),
    ],
)
def test_a_python_that_is_here_is_used_where_it_can_carry_an_environment(executable: str, kind, used: bool) -> None:
    own = PythonEnvironment(executable=executable, version="3.12.4", kind=kind)
    made = plan("cu130", machine("windows", "RTX 4060", driver="591.44", pythons=(own,)))
    argv = made.steps[0].argv
    assert argv[argv.index("--python") + 1] == (executable if used else "3.12")
    assert made.python == "3.12"
    assert ("github.com" in made.hosts) == (not used)
    assert ("select-warn-python-brought" in ids(made.warnings)) == (not used)


def test_a_closed_option_is_refused() -> None:
    for option in ("cu126", "nonsense", "cu118", "mps"):
        with pytest.raises(ClosedOption):
            plan(option, machine("windows", "RTX 5090", driver="591.44"))


def test_the_id_changes_with_the_content() -> None:
    made = plan("cu130")
    assert made.id == plan("cu130").id
    assert made.id != msgspec.structs.replace(made, python="3.13").id


def test_sizes_come_from_the_data() -> None:
    made = plan("cu126", PASCAL)
    assert made.download_bytes is not None
    assert made.disk_bytes is not None
    assert 2.6e9 < made.download_bytes < 2.8e9
    assert made.disk_bytes > 1.5 * made.download_bytes
    assert "select-warn-sizes-estimated" in ids(made.warnings)


# ---------------------------------------------------------------- a folder of wheels


WHEELS = [
    "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl",
    "torch-2.12.0+cpu-cp312-cp312-manylinux_2_28_x86_64.whl",
    "torch-2.13.0+cpu-cp312-cp312-win_amd64.whl",
    "torch-2.14.1+cu126-cp312-cp312-win_amd64.whl",
    "torch-2.14.1+cu126-cp313-cp313-win_amd64.whl",
    "torchvision-0.29.1+cu126-cp312-cp312-win_amd64.whl",
    "torchvision-0.28.0+cu126-cp312-cp312-win_amd64.whl",
    "torch-2.8.0+cu126-cp312-cp312-win_amd64.whl",
    "notes.txt",
    "broken.whl",
]


def test_a_wheel_of_the_folder_is_pinned_with_its_python() -> None:
    chosen = Settings(wheel_folder="/stick")
    made = plan("cpu", machine("linux", python="3.11"), chosen, wheels=WHEELS)
    assert made.packages == ("torch==2.13.0+cpu", "numpy")
    assert made.python == "3.11"
    assert made.index_url is None
    assert made.verify_imports == ("torch",)
    argv = made.steps[1].argv
    assert argv[argv.index("--find-links") + 1] == "/stick"
    assert "--index" not in argv
    assert {"select-warn-wheel", "select-warn-wheel-missing"} <= ids(made.warnings)


def test_companions_come_from_the_folder_when_they_fit() -> None:
    chosen = Settings(wheel_folder="D:\\wheels", offline=True)
    made = plan("cu126", PASCAL, chosen, wheels=WHEELS)
    assert made.packages == ("torch==2.14.1+cu126", "torchvision==0.29.1+cu126")
    assert made.python == "3.12"
    assert made.hosts == ()
    assert made.download_bytes == 0
    assert "--offline" in made.steps[0].argv
    assert "--seed" not in made.steps[0].argv
    assert "--offline" in made.steps[1].argv
    assert "--no-index" in made.commands["pip"][1].cmd


def test_a_wheel_without_a_tag_is_the_cpu_build_where_a_plain_install_is() -> None:
    wheel = "torch-2.9.1-cp313-cp313-{}.whl"
    windows = [wheel.format("win_amd64")]
    made = plan("cpu", machine("windows"), Settings(wheel_folder="D:\\wheels"), wheels=windows)
    assert made.packages[0] == "torch==2.9.1"
    assert made.python == "3.13"
    card = plan("cu130", RTX, Settings(wheel_folder="D:\\wheels"), wheels=windows)
    assert "select-warn-no-wheel" in ids(card.warnings)
    linux = [wheel.format("manylinux_2_28_x86_64")]
    made = plan("cpu", machine("linux"), Settings(wheel_folder="/stick"), wheels=linux)
    assert "select-warn-no-wheel" in ids(made.warnings)


def test_a_wheel_without_code_for_the_card_is_passed_over() -> None:
    maxwell = machine("windows", "GTX 960", driver="580.88")
    only = [name for name in WHEELS if "2.8.0" in name]
    made = plan("cu126", maxwell, Settings(wheel_folder="D:\\wheels"), wheels=only)
    assert made.packages[0] == "torch==2.14.1"
    assert "select-warn-no-wheel" in ids(made.warnings)
    pascal = plan("cu126", PASCAL, Settings(wheel_folder="D:\\wheels"), wheels=only)
    assert pascal.packages[0] == "torch==2.8.0+cu126"


def test_offline_without_a_fitting_wheel_says_so() -> None:
    made = plan("cu130", RTX, Settings(wheel_folder="D:\\wheels", offline=True), wheels=WHEELS)
    assert "select-warn-offline-no-wheel" in ids(made.warnings)
    assert "select-warn-offline-no-folder" in ids(plan("cu130", RTX, Settings(offline=True)).warnings)


def test_offline_takes_the_python_that_is_there() -> None:
    report = machine("windows", "RTX 4060", driver="591.44", python="3.13")
    assert plan("cu130", report, Settings(offline=True)).python == "3.13"


# ---------------------------------------------------------------- places and traps


def test_the_default_folder_is_short_and_on_a_drive_with_room() -> None:
    disks = (
        Disk(path="C:\\", free=5 * GIB, kind="fixed"),
        Disk(path="D:\\", free=300 * GIB, kind="fixed"),
        Disk(path="E:\\", free=900 * GIB, kind="removable"),
    )
    assert str(default_root(machine("windows", disks=disks), Settings())) == "D:\\GPU-Assistant"
    roomy = (Disk(path="C:\\", free=100 * GIB, kind="fixed"), *disks[1:])
    assert str(default_root(machine("windows", disks=roomy), Settings())) == "C:\\GPU-Assistant"
    assert str(default_root(machine("windows"), Settings())) == "C:\\GPU-Assistant"
    assert str(default_root(machine("linux"), Settings())) == "/home/ann/gpu-assistant"
    assert str(default_root(machine("linux"), Settings(root_folder="/big"))) == "/big"


@pytest.mark.parametrize(
    ("path", "id_"),
    [
        ("C:\\Users\\Иван\\envs", "select-warn-not-ascii"),
        ("C:\\Program Files\\envs", "select-warn-spaces"),
        ("C:\\Users\\ann\\OneDrive - Firm\\envs", "select-warn-onedrive"),
        ("C:\\" + "deep\\" * 30, "select-warn-long-path"),
        ("N:\\envs", "select-warn-network"),
        ("\\\\server\\share\\envs", "select-warn-network"),
        ("U:\\envs", "select-warn-removable"),
        ("U:\\envs", "select-warn-fat"),
        ("R:\\envs", "select-warn-read-only"),
        ("C:\\envs", "select-warn-little-disk"),
    ],
)
def test_each_trap_of_a_place_has_its_sentence(path: str, id_: str) -> None:
    disks = (
        Disk(path="C:\\", free=GIB, kind="fixed"),
        Disk(path="N:\\", free=999 * GIB, kind="network"),
        Disk(path="U:\\", free=999 * GIB, kind="removable", filesystem="exFAT"),
        Disk(path="R:\\", free=999 * GIB, kind="fixed", read_only=True),
    )
    report = machine("windows", disks=disks)
    assert id_ in ids(place_warnings(report, pure_path(report, path), 6 * GIB))


def test_a_good_place_has_no_warning() -> None:
    report = machine("windows", disks=(Disk(path="C:\\", free=100 * GIB, kind="fixed", filesystem="NTFS"),))
    assert place_warnings(report, pure_path(report, "C:\\GPU-Assistant\\envs\\pytorch-cu130"), 6 * GIB) == []


def test_traps_that_are_not_about_the_place() -> None:
    report = machine(
        "windows",
        "GTX 1080",
        driver="580.88",
        pythons=(
            PythonEnvironment(
                executable="C:\\old\\python.exe",
                version="3.12.1",
                packages=(PackageBuild(name="torch", version="2.15.0+cpu", build="cpu"),),
            ),
        ),
        tools=(Tool(name="cuda_toolkit", version="12.4"),),
        notes=(ProbeNote(source="registry", outcome=Outcome.OK),),
        environment={"CUDA_VISIBLE_DEVICES": "1"},
    )
    assert ids(plan("cu126", report).warnings) >= {
        "select-warn-existing-cpu",
        "select-warn-toolkit-unused",
        "select-warn-vc-redist",
        "select-warn-last",
        "select-warn-plain-is-cpu",
        "select-reason-some-hidden",
    }
    assert "select-warn-plain-is-cpu" not in ids(plan("cpu", report).warnings)
    assert "select-warn-cpu-chosen" in ids(plan("cpu", report).warnings)


def test_a_drive_without_hard_links_gets_copies() -> None:
    system = System(os="windows", name="Windows 11", home="C:\\Users\\Ann")
    disks = (Disk(path="C:\\", free=99 * GIB, filesystem="exFAT"),)
    report = machine("windows", "RTX 4060", driver="591.44", system=system, disks=disks)
    assert plan("cu130", report).steps[1].environment["UV_LINK_MODE"] == "copy"
