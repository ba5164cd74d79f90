# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""./fabric completion: what bash and zsh propose at the Tab key, and that helps of verbs name the options that there are."""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from harness import PROGRAM, ROOT, needs_program, part

VERBS = re.search(r"^verbs=\(([^)]*)\)$", (ROOT / "fabric").read_text(), re.MULTILINE)[1].split()
SCRIPTS = {  # of verbs, but for those that draw plots and measure, which have several
    verb: script
    for verb, script in re.findall(
        r"^do_([\w-]+)\(\) {\n(?:    need_.*\n)?    run_(?:part|many|checked) ([a-z._]+)", (ROOT / "fabric").read_text(), re.MULTILINE
    )
}
OURS = {"--program", "--check", "--check-only", "--script", "--cache", "--verbs", "--help"}  # ./fabric gives these to scripts


@pytest.fixture(name="clone")
def make_clone(tmp_path):
    """A clone with a program that is built, and files."""
    clone = tmp_path / "a clone"
    (clone / "build/release").mkdir(parents=True)
    shutil.copy(ROOT / "fabric", clone)
    (clone / "contrib").symlink_to(ROOT / "contrib")
    for folder in ("bin", "lib"):
        (clone / "build/release" / folder).symlink_to(PROGRAM.resolve().parents[1] / folder)
    (clone / "results/one two").mkdir(parents=True)
    (clone / "resized.toml").touch()
    return clone


def environment(clone):
    return {"PATH": os.environ["PATH"], "HOME": str(clone), "AI_FABRIC_CACHE": str(clone / "cache"), "LC_ALL": "C.UTF-8"}


def fabric(clone, *arguments):
    return subprocess.run(
        [clone / "fabric", *arguments], cwd=clone, env=environment(clone), capture_output=True, text=True, timeout=60, check=False
    )


BASH = r"""
eval "$("$FABRIC" completion bash)"
[[ $(complete -p fabric) == "complete -F _ai_fabric fabric" ]] || exit 9
while IFS= read -r COMP_LINE; do
    COMP_POINT=${#COMP_LINE} last=${COMP_LINE##* }
    # readline hands over what stands behind the last of COMP_WORDBREAKS
    _ai_fabric "${COMP_LINE%% *}" "${last##*[=:]}" ""
    (IFS='|' && echo "${COMPREPLY[*]}")
done
"""


def run_shell(command, clone, lines):
    """What a shell prints that reads some command lines."""
    run = subprocess.run(
        command,
        cwd=clone,
        env={**environment(clone), "FABRIC": str(clone / "fabric")},
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0 and not run.stderr, run.stderr
    return run.stdout.split("\n")[:-1]


def in_bash(clone, *lines):
    """What bash proposes for each of some command lines."""
    printed = run_shell(["bash", "--norc", "-c", BASH], clone, lines)
    return [line.split("|") if line else [] for line in printed]


def test_bash_completes_verbs_and_their_options(clone):
    verbs, none, report, shells, until = in_bash(
        clone, "./fabric ", "./fabric x", "./fabric report --", "./fabric completion ", "./fabric study --unt"
    )
    assert verbs == [*VERBS, "--help", "--version"] and none == []
    assert report == ["--help", "--out=", "--each"] and shells == ["bash", "zsh"] and until == ["--until="]


def test_bash_completes_names_and_files(clone):
    studies, figures, schemes, balancers, files, folders = in_bash(
        clone,
        "./fabric study moe",
        "./fabric reproduce fig1",
        "./fabric study moe-failed-uplink --schemes=ecmp,et",
        "./fabric study moe-failed-uplink --schemes ecmp,et",
        "./fabric import res",
        "./fabric plot timeline res",
    )
    assert studies == ["moe-failed-uplink"] and {"fig1", "fig10", "fig18"} <= set(figures)
    assert schemes == balancers == ["ecmp,ethereal"]
    assert sorted(files) == ["resized.toml", "results"] and folders == ["results"]


def test_where_results_go_is_a_path(clone):
    """A script's own help, which ./fabric shows, names what --out takes."""
    for verb in VERBS:
        names = fabric(clone, "completion", "--complete", verb, "--ou").stdout.split()
        if names:
            shown = fabric(clone, "completion", "--complete", verb, "--out=").stdout
            assert shown in ("/files --out=\n", "/folders --out=\n"), verb


@needs_program
def test_bash_completes_options_of_runs_as_the_program_lists_them(clone):
    rows = json.loads(subprocess.run([PROGRAM, "--help=json"], capture_output=True, text=True, check=True).stdout)
    flags = [row["unit"] == "flag" for row in rows]
    run, behind, stack, balancers, choice, file, folder, workload = in_bash(
        clone,
        "./fabric run --k=4 --",
        "./fabric collectives --sizes=1KiB -- --queueP",
        "./fabric run --stack=",
        "./fabric sweep --balancer=ofan,rs",
        "./fabric run --onFailure=a",
        "./fabric run --flows=res",
        "./fabric run --out=res",
        "./fabric slowdown -- --workload=all-t",
    )
    assert run == ["--help", *(f"--{row['name']}" + "=" * (not flag) for row, flag in zip(rows, flags))]
    assert behind == [name for name in run if name.startswith("--queueP")] and len(behind) > 1
    assert stack == ["ideal", "roce", "hpcc", "power-tcp", "theta-power-tcp", "timely", "swift", "uec", "mrc"] and balancers == ["ofan,rsq"] and choice == ["abort"]
    assert sorted(file) == ["resized.toml", "results"] and folder == ["results"] and workload == ["all-to-all"]


ONE_OPTION = """#!/bin/sh
echo >>"{calls}"
echo '[{{"name": "{name}", "unit": "count", "range": ""}}]'
"""


@needs_program
def test_what_programs_print_is_kept_until_they_change(clone):
    (clone / "build/release/bin").unlink()
    program = clone / "build/release/bin/ai-fabric-run"
    program.parent.mkdir()

    def proposed(name, time):
        program.write_text(ONE_OPTION.format(name=name, calls=clone.parent / "calls"))
        program.chmod(0o755)
        os.utime(program, (time, time))
        return fabric(clone, "completion", "--complete", "run", "--").stdout.split()

    assert proposed("one", 1) == proposed("two", 1) == ["--help", "--one="]
    assert (clone.parent / "calls").read_text() == "\n"
    assert proposed("two", 2**32) == ["--help", "--two="]


def test_what_was_kept_and_is_damaged_is_asked_again(clone):
    proposed = fabric(clone, "completion", "--complete", "report", "--").stdout
    kept = list((clone / "cache/completion").iterdir())
    for path in kept:
        path.write_bytes(b"\xff\xfe")
    assert kept and "--out=" in proposed.split() and fabric(clone, "completion", "--complete", "report", "--").stdout == proposed


def test_completion_works_without_a_program_a_cache_or_a_home(clone):
    (clone / "build/release/bin").unlink()
    (clone / "cache").touch()
    assert in_bash(clone, "./fabric run --", "./fabric report --o") == [["--help"], ["--out="]]
    command = [clone / "fabric", "completion", "--complete", "rep"]
    run = subprocess.run(command, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["reproduce", "report"] and not run.stderr
    assert not (clone / "build/release/bin").exists()


def test_the_tab_key_installs_and_builds_nothing(clone):
    """Though no Debian package is there."""
    (clone / "tools").mkdir()
    for tool in ("dpkg-query", "apt-get", "sudo", "cmake"):
        (clone / "tools" / tool).write_text(f"#!/bin/sh\necho {tool} >>'{clone}/called'\nexit 1\n")
        (clone / "tools" / tool).chmod(0o755)
    variables = {**environment(clone), "PATH": f"{clone}/tools:{os.environ['PATH']}"}
    for verb in VERBS:
        for word in ("", "--"):
            command = [clone / "fabric", "completion", "--complete", verb, word]
            run = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
            assert run.stdout.strip() and not run.stderr
    assert not (clone / "called").exists()


def test_bash_leaves_another_fabric_alone(clone):
    """Of another program with this name nothing is known, and it is not run."""
    (clone / "other").mkdir()
    (clone / "other/fabric").write_text("#!/bin/sh\ntouch was-run\n")
    (clone / "other/fabric").chmod(0o755)
    assert in_bash(clone, "other/fabric ru", "./fabric ru", "nothing/fabric ru") == [[], ["run"], []]
    assert not (clone / "was-run").exists()


@pytest.mark.parametrize("options", [[], ["fish"], ["bash", "more"], ["bash", "--x"]])
def test_other_shells_are_refused(clone, options):
    run = fabric(clone, "completion", *options)
    assert run.returncode == 1 and not run.stdout and run.stderr.count("\n") == 1
    assert run.stderr.startswith("completion: ")


ZSH = r"""
autoload -Uz compinit && compinit -D -u
eval "$("$FABRIC" completion zsh)"
zmodload zsh/zutil
[[ ${_comps[fabric]} == _ai_fabric ]] || exit 9
compadd() { while [[ $1 == -* && $1 != -- ]]; do [[ $1 == -S ]] && shift; shift; done; shift; print -r -- "$@" }
_files() { print -r -- "files $*" }
compset() { [[ $PREFIX == ${~2}* ]] }
while IFS= read -r line; do
    words=("${(@s: :)line}") CURRENT=$#words PREFIX=${words[-1]}
    _ai_fabric
done
"""


@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh")
def test_zsh_completes(clone):
    """The widgets of its line editor stand aside: each prints what it is given."""
    lines = "./fabric rep", "./fabric report --o", "./fabric study --schemes=ecmp,et", "./fabric sweep --cases=re"
    printed = run_shell(["zsh", "-f", "-c", ZSH], clone, lines)
    assert printed == ["reproduce", "report", "--out=", "--schemes=ecmp,ethereal", "files "]


def answers_of(terminal, until):
    """What a terminal shows, until some text is there."""
    shown, end = "", time.monotonic() + 60
    while until not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 1 << 16).decode(errors="replace")
    return shown


@needs_program
@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh")
def test_zsh_completes_at_the_tab_key(clone):
    """Its line editor, on a terminal."""
    child, terminal = pty.fork()
    if not child:
        os.chdir(clone)
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**environment(clone), "TERM": "dumb", "PS1": "> "})
    try:
        os.write(terminal, b'autoload -Uz compinit && compinit -D -u; eval "$(./fabric completion zsh)"; echo read""y\n')
        assert "ready" in answers_of(terminal, "ready")
        for typed, completed in {
            "./fabric rep": "reproduce", "./fabric repo": "report ", "./fabric study --unt": "--until=",
            "./fabric run --bala": "--balancer=", "./fabric run --stack=u": "--stack=uec ", "./fabric run --flows=resi": "--flows=resized.toml ",
        }.items():  # fmt: skip
            os.write(terminal, f"\x15{typed}\t".encode())  # Ctrl-U empties the line
            assert completed in answers_of(terminal, completed), typed
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


# --- Helps and scripts ----------------------------------------------------------------------------


def options_in(help_):
    """The options that argparse lists."""
    return set(re.findall(r"^  (?:-\w(?: \S+)?, )?(--[a-z][\w-]*)", help_, re.MULTILINE))


def options_of_runs():
    if not PROGRAM.is_file():
        return set()
    run = subprocess.run([PROGRAM, "--help=json"], capture_output=True, text=True, check=True)
    return {f"--{row['name']}" for row in json.loads(run.stdout)}


@pytest.mark.parametrize("verb", SCRIPTS)
def test_the_help_of_a_verb_names_the_options_that_its_script_takes(clone, verb):
    script = SCRIPTS[verb]
    command = [*part(script), *([verb] if script == "runs" else []), "--help"]
    there = options_in(subprocess.run(command, capture_output=True, text=True, check=True).stdout) - OURS
    proposed = fabric(clone, "completion", "--complete", verb, "--").stdout.split()
    named = {name.rstrip("=") for name in proposed} - {"--help"}
    assert there <= named and named - there <= options_of_runs()


def test_all_verbs_with_scripts_are_compared():
    several = {"run", "bench", "library", "plot", "completion", "docs", "test"}  # or none
    assert SCRIPTS.keys() - several == set(VERBS) - several
