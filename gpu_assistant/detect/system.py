"""The operating system and its circumstances, the processor, memory and disks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpu_assistant.base.model import Value
from gpu_assistant.detect.facts import DiskFacts, PlatformFacts
from gpu_assistant.detect.gateways import Gateways, RegistryKey
from gpu_assistant.detect.report import Cpu, Disk, Memory, Os, System

PSUTIL = "psutil"
_NT = "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion"
_BIOS = "HKLM\\HARDWARE\\DESCRIPTION\\System\\BIOS"
_PROCESSOR = "HKLM\\HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0"
_SECURE_BOOT = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
_PAGING = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management"
_WINDOWS_11 = 22000
_LAPTOP_CHASSIS = {"8", "9", "10", "14", "30", "31", "32"}
_WSL_LIBRARIES = "/usr/lib/wsl/lib"

_VIRTUAL = (
    ("vmware", "VMware"),
    ("virtualbox", "VirtualBox"),
    ("innotek", "VirtualBox"),
    ("qemu", "QEMU"),
    ("kvm", "KVM"),
    ("xen", "Xen"),
    ("parallels", "Parallels"),
    ("virtual machine", "Hyper-V"),
    ("amazon ec2", "Amazon EC2"),
    ("google compute engine", "Google Compute Engine"),
    ("bochs", "Bochs"),
)


class WslFacts(Value, frozen=True, kw_only=True):
    """What Windows lends to a WSL system."""

    version: int
    device: bool  # /dev/dxg, the way to the card
    library: bool  # libcuda from the Windows driver


def wsl_facts(io: Gateways) -> WslFacts | None:
    """None outside of WSL."""
    text = io.read("/proc/version").text.lower()
    if io.facts().system != "linux" or "microsoft" not in text:
        return None
    return WslFacts(
        version=2 if "wsl2" in text or "microsoft-standard" in text else 1,
        device=bool(io.names("/dev", "dxg")),
        library=bool(io.names(_WSL_LIBRARIES, "libcuda.so*")),
    )


def read_system(io: Gateways, host_build: int | None = None) -> System:
    """The system. `host_build` is the build of Windows around a WSL."""
    facts = io.facts()
    if facts.system == "windows":
        return _windows(io, facts)
    if facts.system == "linux":
        return _linux(io, facts, host_build)
    os: Os = "macos" if facts.system == "macos" else "other"
    name = f"macOS {facts.release or ''}".strip() if os == "macos" else facts.release or "?"
    return System(
        os=os,
        name=name,
        version=facts.release,
        machine=facts.machine or "x86_64",
        language=facts.language,
        laptop=facts.battery,
        home=facts.home,
        sources=dict.fromkeys(("name", "version", "machine", "language"), "python"),
    )


def _windows(io: Gateways, facts: PlatformFacts) -> System:
    nt = io.registry(_NT) or RegistryKey()
    build = _whole(nt.values.get("CurrentBuild")) or (facts.windows_version[2] if facts.windows_version else None)
    product = str(nt.values.get("ProductName") or "Windows")
    if build and build >= _WINDOWS_11:
        # the registry of Windows 11 still calls itself 10
        product = product.replace("Windows 10", "Windows 11")
    release = str(nt.values.get("DisplayVersion") or "")
    bios = io.registry(_BIOS) or RegistryKey()
    maker = f"{bios.values.get('SystemManufacturer', '')} {bios.values.get('SystemProductName', '')}"
    session = io.environment().get("SESSIONNAME", "")
    return System(
        os="windows",
        name=f"{product} {release}".strip(),
        version=release or None,
        build=build,
        machine=facts.machine or "x86_64",
        language=facts.language,
        remote_session=facts.remote_session or session.upper().startswith("RDP-"),
        virtual_machine=virtual_machine(maker),
        laptop=facts.battery,
        long_paths=_flag(io, "HKLM\\SYSTEM\\CurrentControlSet\\Control\\FileSystem", "LongPathsEnabled"),
        home=facts.home,
        secure_boot=_flag(io, "HKLM\\SYSTEM\\CurrentControlSet\\Control\\SecureBoot\\State", "UEFISecureBootEnabled"),
        sources={
            **dict.fromkeys(("name", "version", "build", "long_paths", "secure_boot", "virtual_machine"), "registry"),
            **dict.fromkeys(("machine", "home"), "python"),
            **dict.fromkeys(("language", "remote_session", "laptop"), "windows"),
        },
    )


def _linux(io: Gateways, facts: PlatformFacts, host_build: int | None) -> System:
    release = parse_os_release(io.read("/etc/os-release").text)
    wsl = wsl_facts(io)
    chassis = io.read("/sys/class/dmi/id/chassis_type").text.strip()
    environment = io.environment()
    return System(
        os="wsl" if wsl else "linux",
        name=release.get("PRETTY_NAME") or release.get("NAME") or "Linux",
        version=release.get("VERSION_ID"),
        build=host_build if wsl else None,
        machine=facts.machine or "x86_64",
        language=facts.language,
        container=container_kind(io),
        remote_session="SSH_CONNECTION" in environment or "XRDP_SESSION" in environment,
        wsl_version=wsl.version if wsl else None,
        virtual_machine=None if wsl else _linux_virtual(io),
        laptop=None if wsl else chassis in _LAPTOP_CHASSIS if chassis else facts.battery,
        home=facts.home,
        secure_boot=parse_secure_boot(io.read(_SECURE_BOOT).out),
        nouveau_loaded=bool(io.names("/sys/module", "nouveau")),
        sources={
            **dict.fromkeys(("name", "version"), "/etc/os-release"),
            **dict.fromkeys(("machine", "home", "language"), "python"),
            "container": "/.dockerenv, /run/.containerenv, /proc/1/cgroup",
            "wsl_version": "/proc/version",
            "virtual_machine": "/sys/class/dmi/id",
            "nouveau_loaded": "/sys/module",
            "secure_boot": "efivars",
            "remote_session": "environment",
        },
    )


def parse_os_release(text: str) -> dict[str, str]:
    """The file `os-release` of freedesktop.org."""
    pairs = re.findall(r"^([A-Z_]+)=[\"']?(.*?)[\"']?\s*$", text, re.MULTILINE)
    return {name: value for name, value in pairs if value}


def parse_secure_boot(data: bytes) -> bool | None:
    """Four bytes of attributes, then 0 or 1."""
    return data[4] == 1 if len(data) == 5 else None


def container_kind(io: Gateways) -> str | None:
    """Which container this is, if it is one."""
    environment = io.environment()
    if "KUBERNETES_SERVICE_HOST" in environment:
        return "kubernetes"
    if io.names("/run", ".containerenv"):
        return "podman"
    if io.names("/", ".dockerenv"):
        return "docker"
    cgroup = io.read("/proc/1/cgroup").text
    for word, kind in (("kubepods", "kubernetes"), ("docker", "docker"), ("libpod", "podman"), ("/lxc", "lxc")):
        if word in cgroup:
            return kind
    named = environment.get("container", "")
    return named if named in ("docker", "podman", "lxc", "oci", "systemd-nspawn") else None


def virtual_machine(maker: str) -> str | None:
    """The hypervisor that a maker's name tells."""
    lowered = maker.lower()
    return next((name for word, name in _VIRTUAL if word in lowered), None)


def _linux_virtual(io: Gateways) -> str | None:
    dmi = " ".join(io.read(f"/sys/class/dmi/id/{name}").text.strip() for name in ("sys_vendor", "product_name"))
    flagged = re.search(r"^flags\s*:.*\bhypervisor\b", io.read("/proc/cpuinfo").text, re.MULTILINE)
    return virtual_machine(dmi) or ("hypervisor" if flagged else None)


def read_cpu(io: Gateways) -> Cpu:
    """The processor's name and counts."""
    facts = io.facts()
    name, source = "", ""
    if facts.system == "windows":
        key = io.registry(_PROCESSOR)
        name, source = str(key.values.get("ProcessorNameString") or "") if key else "", "registry"
    elif facts.system == "linux":
        name, source = parse_cpuinfo(io.read("/proc/cpuinfo").text) or "", "/proc/cpuinfo"
    elif facts.system == "macos":
        name, source = io.run(("/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"), 2.0).text, "sysctl"
    return Cpu(
        name=" ".join(name.split()) or None,
        cores=facts.cpu_cores,
        threads=facts.cpu_threads,
        sources={"name": source, "cores": PSUTIL, "threads": PSUTIL},
    )


def parse_cpuinfo(text: str) -> str | None:
    """The processor's name in `/proc/cpuinfo`; ARM kernels tell none."""
    match = re.search(r"^(?:model name|Hardware|Model)\s*:\s*(\S.*)$", text, re.MULTILINE)
    return match[1].strip() if match else None


def read_memory(io: Gateways) -> Memory:
    """RAM and page file."""
    facts = io.facts()
    return Memory(
        ram_total=facts.ram_total,
        ram_available=facts.ram_available,
        pagefile_total=facts.pagefile_total,
        pagefile_free=facts.pagefile_free,
        pagefile_limit=_pagefile_limit(io) if facts.system == "windows" else None,
        sources={
            **dict.fromkeys(("ram_total", "ram_available", "pagefile_total", "pagefile_free"), PSUTIL),
            "pagefile_limit": "registry",
        },
    )


def _pagefile_limit(io: Gateways) -> int | None:
    key = io.registry(_PAGING)
    files = key.values.get("PagingFiles") if key else None
    return None if files is None else parse_paging_files(files if isinstance(files, list) else [str(files)])


def parse_paging_files(lines: Sequence[str]) -> int | None:
    """The sum of the limits in "C:\\pagefile.sys 1024 4096" (MiB), in bytes; None where Windows decides: "0 0"."""
    limit = 0
    for line in filter(None, map(str.strip, lines)):
        sizes = re.search(r" (\d+) (\d+)$", line)
        if sizes is None or sizes[2] == "0":
            return None
        limit += int(sizes[2]) << 20
    return limit


_NETWORK = {"nfs", "nfs4", "cifs", "smb", "smbfs", "smb3", "sshfs", "fuse.sshfs", "afpfs"}
# not the system's own: a place that nobody can put files to, or that is gone after a restart
_POINTLESS = {"squashfs", "tmpfs", "devtmpfs", "efivarfs", "iso9660", "cdfs", "udf"}


def read_disks(io: Gateways) -> tuple[Disk, ...]:
    """The drives that can hold an environment, each once."""
    found = []
    devices: set[str] = set()
    for facts in io.disks():
        filesystem = (facts.filesystem or "").lower()
        options = facts.options.lower().split(",")
        if filesystem in _POINTLESS or "cdrom" in options or facts.path.startswith(("/boot", "/snap/", "/etc/")):
            continue
        if facts.device.startswith("/dev/") and facts.device in devices:  # a part of it, mounted a second time
            continue
        devices.add(facts.device)
        found.append(_disk(facts, filesystem, options))
    return tuple(found)


def _disk(facts: DiskFacts, filesystem: str, options: list[str]) -> Disk:
    network = filesystem in _NETWORK or "remote" in options
    removable = "removable" in options
    return Disk(
        path=facts.path,
        total=facts.total,
        free=facts.free,
        filesystem=facts.filesystem,
        kind="network" if network else "removable" if removable else "fixed",
        read_only="ro" in options,
        source=PSUTIL,
    )


def _flag(io: Gateways, key: str, name: str) -> bool | None:
    found = io.registry(key)
    value = found.values.get(name) if found else None
    return value == 1 if isinstance(value, int) else None


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, (int, str)) and re.fullmatch(r"\d{1,9}", str(value)) else None
