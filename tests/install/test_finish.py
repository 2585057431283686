from __future__ import annotations

import io
import os
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

from gpu_assistant.base.texts import LANGUAGES
from gpu_assistant.install import terminal
from gpu_assistant.install.marker import environment_python
from gpu_assistant.install.starter import comments, create_starter, readme_text, script_text, starter_folder
from gpu_assistant.install.terminal import activation, open_folder, open_terminal, terminal_argv, windows_variables
from tests.install.wheels import wait_for

ENVIRONMENT = Path("/envs/py torch")


def code_of(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type not in (tokenize.COMMENT, tokenize.NL)]


def test_every_mark_has_its_comment_and_every_comment_its_mark():
    template = (starter_folder() / "train.py").read_text()
    for id_ in comments():
        assert f"# [{id_}]\n" in template, id_
    for language in LANGUAGES:
        assert "# [" not in script_text(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_have_the_same_code_and_short_lines(language):
    text = script_text(language)
    assert code_of(text) == code_of((starter_folder() / "train.py").read_text())
    assert max(map(len, text.splitlines())) <= 110
    assert ("карт" in text) == (language == "ru")
    assert activation(ENVIRONMENT) in readme_text(language, ENVIRONMENT)


def test_a_project_never_overwrites_another(tmp_path):
    first = create_starter(tmp_path, ENVIRONMENT, "ru")
    (first / "train.py").write_text("mine")
    second = create_starter(tmp_path, ENVIRONMENT, "en")
    assert first != second
    assert (first / "train.py").read_text() == "mine"
    assert sorted(path.name for path in second.iterdir()) == ["README.md", "train.py"]


@pytest.mark.skipif(sys.platform != "linux", reason="Linux terminals")
def test_the_terminal_runs_a_shell_with_the_environment_active(tmp_path, monkeypatch):
    environment, tools, seen = tmp_path / "my env", tmp_path / "tools", tmp_path / "seen"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "activate").write_text(f"export VIRTUAL_ENV='{environment}'\n")
    tools.mkdir()
    # a terminal that types one line into what it was given
    terminal_program = tools / "xterm"
    terminal_program.write_text(f"#!/bin/sh\nshift\necho 'echo $VIRTUAL_ENV in $PWD > {seen}; exit' | \"$@\"\n")
    terminal_program.chmod(0o755)
    monkeypatch.setattr(terminal, "_LINUX_TERMINALS", (("no-such-terminal", "-e"), ("xterm", "-e")))
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    assert open_terminal(environment, tmp_path) is None
    assert wait_for(lambda: seen.exists() and seen.read_text().strip())
    assert seen.read_text().strip() == f"{environment} in {tmp_path}"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows always has cmd")
def test_without_any_terminal_the_command_is_told(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    monkeypatch.setattr(terminal, "_LINUX_TERMINALS", ())
    said = open_terminal(tmp_path)
    assert said is not None
    assert said.args["command"] == activation(tmp_path)


def test_terminals_in_order():
    have = {"konsole": "/usr/bin/konsole", "xterm": "/usr/bin/xterm"}
    assert terminal_argv(Path("/s"), have.get) == ["/usr/bin/konsole", "-e", str(Path("/s"))]
    assert terminal_argv(Path("/s"), lambda name: None) is None


def test_windows_needs_no_quoting():
    variables = windows_variables(Path("C:/Мои $среды & (x)"))
    assert variables["PATH"].startswith(str(Path("C:/Мои $среды & (x)") / "Scripts"))
    assert variables["PROMPT"] == "(Мои $$среды & (x)) $P$G"


@pytest.mark.skipif(sys.platform == "win32", reason="a script stands in for the file manager")
def test_a_folder_is_opened(tmp_path, monkeypatch):
    tools, seen = tmp_path / "tools", tmp_path / "seen"
    tools.mkdir()
    (tools / "xdg-open").write_text(f'#!/bin/sh\necho "$1" > {seen}\n')
    (tools / "xdg-open").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    assert open_folder(tmp_path) is None
    assert wait_for(lambda: seen.exists() and seen.read_text().strip() == str(tmp_path))
    monkeypatch.setenv("PATH", "")
    assert open_folder(tmp_path).id == "finish-no-folder"


@pytest.mark.real_install
def test_the_starter_trains_on_the_cpu(real_environment, tmp_path):
    project = create_starter(tmp_path, real_environment, "ru")
    said = subprocess.run(
        [environment_python(real_environment), "-W", "error", "train.py"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    assert "device: cpu" in said.stdout
    losses = [float(line.split("loss ")[1].split(",")[0]) for line in said.stdout.splitlines() if "loss" in line]
    assert losses[-1] < losses[0] / 2
    assert (project / "model.pt").exists()
