# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Every command of README.md, of the manual and of ./fabric VERB --help starts as it is printed, every figure of
./fabric reproduce --list starts by its name, and every verb of ./fabric runs once from end to end.

A command of a page is checked and not run: each verb has an option for that (CHECKS). FOLDER stands for the folder of a
run. Other names in capitals, and [options], are to be replaced by the reader: such a line is no command. A policy that
a page has the reader write (OWN) is replaced by one of the module."""

import csv
import functools
import importlib
import json
import multiprocessing
import os
import re
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

import pytest
from harness import script

ROOT = Path(__file__).resolve().parents[2]
BIN_DIR = Path(os.environ.get("AI_FABRIC_BIN_DIR") or "none").resolve()
PROGRAM = BIN_DIR / "ai-fabric-run"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "doc").glob("*.rst")), *sorted((ROOT / "doc/output").glob("*.txt"))]
STARTS = "./fabric", "ai-fabric-run"

CHECKS = {  # options after a verb, and at the end
    "run": ([], ["--check"]),
    "study": (["--dry-run"], []),
    "sweep": (["--dry-run"], []),
    "collectives": (["--dry-run"], []),
    "slowdown": (["--dry-run"], []),
    "check-fluid": (["--dry-run"], []),
    "bench": (["--check"], []),
    "reproduce": ([], ["--dry-run", "--quick", "--out=reproduced"]),
}
QUESTIONS = re.compile(r"--(help|list|Print\w*(=\S*)?|\w+=help)$")
OWN = {"two-choices": "flowlet", "mine": "flowlet", "xyz": "flowlet", "aimd": "m-swift", "hyperx.csv": "scenarios/ring.csv"}
IS_OWN = re.compile(rf"(?<=[=,])({'|'.join(OWN)})\b")
PLACEHOLDER = re.compile(r"\[options\]|\b(NAME|OPTION|FILE|PATH|VERB)\b|\.\.\.$")
SLOWEST = 600  # seconds, on a busy machine

pytestmark = pytest.mark.skipif(
    not PROGRAM.exists() or BIN_DIR != ROOT / "build/release/bin",
    reason="AI_FABRIC_BIN_DIR is not the folder of the build of ./fabric",
)


# --- The commands of the pages --------------------------------------------------------------------


def lines_of(text):
    """The lines of a page, each with those that a backslash at its end joins to it."""
    return re.sub(r"\\\n\s*", "", text).splitlines()


def in_blocks(text):
    """Commands on lines of their own. What stands behind two blanks explains them."""
    for line in lines_of(text):
        command = re.split(r"\s{2,}", line.strip().removeprefix("$ "))[0]
        if command.startswith(tuple(f"{start} " for start in STARTS)) and "`" not in command:
            yield command


def in_sentences(text):
    """Commands between backquotes. A verb without options is a name there."""
    for quoted in re.findall(r"(`+)((?:\./fabric|ai-fabric-run)\s[^`]*)\1", text):
        words = quoted[1].split()
        if len(words) > (2 if words[0] == "./fabric" else 1):
            yield " ".join(words)


@functools.cache
def commands_of(page):
    """The commands of a page, as words."""
    text = page.read_text()
    found = [shlex.split(command, comments=True) for command in (*in_blocks(text), *in_sentences(text))]
    return [list(words) for words in dict.fromkeys(map(tuple, found)) if not PLACEHOLDER.search(" ".join(words))]


def to_check(words):
    """A command that checks what a command of a page does; None if another test runs it."""
    if any(word.startswith("--library=") for word in words) or words[1] == "library":
        return None  # test_own_library.py runs it with the library that it builds
    words = [IS_OWN.sub(lambda own: OWN[own[1]], word) for word in words]
    if words[0] != "./fabric":
        checks = words[-1] == "--check" or QUESTIONS.match(words[-1])
        return [PROGRAM, *words[1:], *([] if checks else ["--check"])]
    verb, *options = words[1:]
    # Several ranks need the tree of ns-3 with MPI, in which ./fabric test runs them.
    options = [option for option in options if verb == "bench" or not option.startswith("--ranks=")]
    if verb in ("test", "demo", "docs"):
        return None
    first, last = ([], []) if any(map(QUESTIONS.match, options)) else CHECKS.get(verb, ([], []))
    last = [option for option in last if option not in options and not (option == "--quick" and "--full" in options)]
    return [ROOT / "fabric", verb, *first, *options, *last]


def start(folder, words):
    """What a command prints. It must succeed."""
    run = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, timeout=SLOWEST, check=False, stdin=subprocess.DEVNULL
    )
    assert run.returncode == 0, f"{shlex.join(map(str, words))}\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}"
    return run.stdout


def fabric(folder, command):
    return start(folder, [ROOT / "fabric", *shlex.split(command)])


@pytest.fixture(name="folder")
def make_folder(tmp_path):
    """A folder with what a clone has, for what commands read and write."""
    (tmp_path / "scenarios").symlink_to(ROOT / "scenarios")
    return tmp_path


def is_figure(words):
    return words[:2] == ["./fabric", "reproduce"] and not any(map(QUESTIONS.match, words))


@functools.cache
def with_commands():
    """The pages that have commands other than figures."""
    pages = {page: [words for words in commands_of(page) if not is_figure(words)] for page in PAGES}
    return {page: commands for page, commands in pages.items() if commands}


def is_plot(words):
    return words[:2] == ["./fabric", "plot"]


def reads_runs(words):
    return words[0] == "./fabric" and words[1] in ("list", "compare", "report", "timeline")


@pytest.mark.parametrize("page", with_commands(), ids=lambda page: page.stem)
def test_commands_of_pages_start_as_printed(folder, page):
    (folder / "doc").symlink_to(ROOT / "doc")
    for words in with_commands()[page]:
        if not (is_plot(words) or reads_runs(words)) and (checked := to_check(words)):
            start(folder, checked)


def test_pages_have_commands():
    """So that a new way to print commands does not leave this test without any."""
    assert len({tuple(words) for commands in with_commands().values() for words in commands}) > 80
    assert ["./fabric", "run", "--balancer=rsq", "--out=results/rsq"] in with_commands()[ROOT / "README.md"]
    assert all(len(CHECKS[words[1]]) == 2 for words in figures_of_pages())


def test_no_command_goes_on_without_a_backslash():
    """A shell would end the command at the end of the line."""
    for page in PAGES:
        found = re.search(r"^ +(\$ )?(\./fabric|ai-fabric-run) [^`\n]*[^\\\n]\n +-.*", page.read_text(), re.MULTILINE)
        assert not found, f"{page.name}: {found[0]}"


def test_the_container_is_built_and_run_as_its_file_says(folder):
    """Its build installs what the demo needs; podman mounts no folder that is not there."""
    text = (ROOT / "Containerfile").read_text()
    [command] = re.findall(r"^RUN \./fabric (.*)$", text, re.MULTILINE)
    verbs = re.findall(r"^do_(\w+)\(\) {\n +run_many ", (ROOT / "fabric").read_text(), re.MULTILINE)
    assert {"demo", command.split()[0]} <= set(verbs)
    assert "others take about" in fabric(folder, command)
    mounted = re.findall(r'-v "\$PWD/(\w+):', text)
    assert mounted == ["results"] and f"mkdir -p {mounted[0]}\n" in text.partition("podman run")[0]


# Programs that ./fabric does not start, and the options with which they only list what they would do.
OTHERS = re.compile(r"^(?:[A-Z_]+=\S+ |valgrind --tool=\w+ )*(?:build/release/bin/|python3 (?:-m pytest|test/python/)).*")
LISTS = {
    "ai-fabric-test-runner": ["--print-test-name-list"],
    "ai-fabric-core-tests": ["--gtest_list_tests"],
    "fabric-bench": [],
    "python3": [],
}


def others_of(page):
    lines = (line.strip() for line in lines_of(page.read_text()))
    return [shlex.split(line, comments=True) for line in lines if OTHERS.match(line)]


def to_list(words):
    """A command of a page that takes seconds; None if its program is not built."""
    words = [re.sub(r"^--cases=\d+$", "--cases=2", word) for word in words if word != "valgrind" and "--tool=" not in word]
    program = next(word for word in words if not re.match(r"[A-Z_]+=", word))
    options = LISTS[Path(program).name]
    if program == "python3":
        words[words.index(program)] = sys.executable
        options = ["--collect-only", "-p", "no:cacheprovider"] if "pytest" in words else []
    elif not (ROOT / program).exists():
        return None
    return ["env", *words, *options]


@pytest.mark.parametrize("page", filter(others_of, PAGES), ids=lambda page: page.stem)
def test_commands_of_other_programs_start_as_printed(folder, page):
    for name in "build", "test":
        (folder / name).symlink_to(ROOT / name)
    for words in others_of(page):
        if command := to_list(words):
            assert re.sub("Running main.*", "", start(folder, command)).strip(), f"nothing is selected: {words}"


def test_pages_have_commands_of_other_programs():
    assert sum(len(others_of(page)) for page in PAGES) > 7


VERBS = re.search(r"^verbs=\(([^)]*)\)$", (ROOT / "fabric").read_text(), re.MULTILINE)[1].split()


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_explains_itself(folder, verb):
    """Its examples are two blanks in, or questions in a sentence."""
    text = fabric(folder, f"{verb} --help")
    assert text.startswith(f"Usage: ./fabric {verb}") and list(folder.iterdir()) == [folder / "scenarios"]
    found = re.findall(r"^  (\./fabric .*)$|(\./fabric run --\w+(?:=help)?)(?= lists)", text, re.MULTILINE)
    assert len(found) == {"run": 2, "study": 1, "sweep": 1, "collectives": 1, "slowdown": 1, "check-fluid": 1, "import": 1,
                          "library": 1, "list": 1, "compare": 1,
                          "report": 1, "timeline": 1}.get(verb, 0)
    for words in map(shlex.split, map("".join, found)):
        if not reads_runs(words) and (checked := to_check(words)):
            start(folder, checked)


# --- Figures --------------------------------------------------------------------------------------


def figures_of_pages():
    """The commands that reproduce a figure with options of their own."""
    found = [tuple(words) for page in PAGES for words in commands_of(page) if is_figure(words)]
    return [list(words) for words in dict.fromkeys(found)]


@functools.cache
def names_of_figures():
    run = subprocess.run([ROOT / "fabric", "reproduce", "--list"], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in run.stdout.splitlines() if line.startswith(" ")]


@functools.cache
def reproduce_script():
    """The script of ./fabric reproduce as a module, with what its figures need, which takes a second to import."""
    pytest.importorskip("pandas")
    for name in "study", "resample":
        importlib.import_module(f"ai_fabric.reproduce.{name}")
    return importlib.import_module("ai_fabric.reproduce.__main__")


def reproduce(folder, arguments):
    """In a process of its own: says in a file what the script says."""
    os.chdir(folder)
    sys.stdout = open(folder / "said", "w")
    sys.exit(reproduce_script().main(arguments))


@pytest.mark.slow
@pytest.mark.parametrize("name", names_of_figures())
def test_each_figure_starts_by_its_name(folder, name):
    reproduce_script()
    arguments = [name, f"--program={PROGRAM}", *CHECKS["reproduce"][1]]
    process = multiprocessing.get_context("fork").Process(target=reproduce, args=(folder, arguments))
    process.start()
    process.join(SLOWEST)
    assert process.exitcode == 0
    assert re.search(r"^\d+ runs, 0 there; ", (folder / "said").read_text(), re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [words for words in figures_of_pages() if len(words) > 3], ids=lambda words: "-".join(words[2:])
)
def test_figures_of_pages_start_as_printed(folder, words):
    start(folder, to_check(words))


def test_pages_name_figures_that_there_are():
    names = set(names_of_figures())
    assert {words[2] for words in figures_of_pages()} <= names


# --- Verbs from end to end ------------------------------------------------------------------------


SMALL = "--k=4 --size=16KiB"
PLOTTED = "--planeSeries=1us --linkSeries=1us --nicCounters --topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=2"


def plots_of_pages(run):
    """The commands that draw a run, once each, with the folder of the given one."""
    found = [words for page in PAGES for words in commands_of(page) if is_plot(words)]
    return {tuple(re.sub(r"^(FOLDER|results/\w+)$", run, word) for word in words) for words in found}


def drawn(folder, words):
    """The files that a command says it has drawn, all of which are images."""
    names = re.findall(r"\S+\.png", start(folder, [ROOT / "fabric", *words[1:]]))
    assert names and all((folder / name).read_bytes().startswith(b"\x89PNG") for name in names)
    return names


def test_the_demo_of_all_balancers(folder):
    """Its table, its plots and the three commands to try next; and each plot that a page names, of one of its runs."""
    told = fabric(folder, f"demo --runs=2 {PLOTTED} --planes=2 --size=16KiB")
    lines = start(folder, [PROGRAM, "--balancer=help"]).splitlines()
    names = {line.split()[0] for line in lines if not line.startswith(" ")}
    assert {"ecmp", "host-random", "rr", "rsq", "simple-rr", "jsq", "ofan", "mrc"} <= names
    assert names <= {line.split()[0] for line in told.splitlines() if "  " in line.strip()}
    assert "Table: results/demo/demo.csv" in told
    for name in "completion.png", "queues.png", "links.png":
        assert f"results/demo/{name}" in told
        assert (folder / "results/demo" / name).read_bytes().startswith(b"\x89PNG")
        assert all((folder / "results/demo" / name).with_suffix(kind).exists() for kind in (".svg", ".pdf"))
    with open(folder / "results/demo/demo.csv", newline="") as file:
        table = {row["scheme"]: row for row in csv.DictReader(file)}
    assert table.keys() == names
    for name, row in table.items():
        runs = [folder / "results/demo" / name / run / "run.json" for run in ("", "run-2")]
        times = [json.loads(path.read_text())["results"]["cct_ns"] for path in runs]
        assert float(row["cct_us"]) == pytest.approx(statistics.mean(times) / 1e3, rel=1e-5)
    to_try = [shlex.split(line, comments=True) for line in told.rstrip().partition("\nNext:\n")[2].splitlines()]
    assert [words[:2] for words in to_try] == [["./fabric", verb] for verb in ("plot", "run", "reproduce")]
    assert to_try[0][2] == f"results/demo/{next(iter(table))}"
    assert "--planes=2" in to_try[1] and "--size=16KiB" in to_try[1]  # as given
    for words in to_try[1:]:
        start(folder, to_check(words))
    plots = plots_of_pages(to_try[0][2])
    assert tuple(to_try[0]) in plots and len(plots) > 4
    counts = {words[2]: len(drawn(folder, words)) for words in plots}
    assert counts.pop(to_try[0][2]) == 6 and set(counts.values()) == {1}


def test_the_run_to_try_after_the_demo_is_accepted(folder, capsys):
    """Whichever balancer was the best."""
    pytest.importorskip("pandas")
    demo = importlib.import_module("ai_fabric.demo.__main__")
    for name in demo.ask(PROGRAM, "--balancer=help"):
        demo.print_next(folder, [], name, {"topology": "leaf-spine", "spines": 2})
        [options] = re.findall(r"\./fabric run (.*)", capsys.readouterr().out)
        start(folder, to_check(["ai-fabric-run", *shlex.split(options, comments=True)]))


def test_the_demo_leaves_out_what_its_fabric_does_not_take(folder):
    """Its own has three tiers."""
    run = script("demo", f"--program={PROGRAM}", "--out=demo", "--k=4", "--runs=1", "--size=16KiB", cwd=folder)
    assert run.returncode == 0
    for name in "conga", "conweave":
        assert f"{name} is left out: --balancer={name}: not in a fabric with" in run.stderr
    with open(folder / "demo/demo.csv", newline="") as file:
        schemes = {row["scheme"] for row in csv.DictReader(file)}
    assert "ecmp" in schemes and not {"conga", "conweave"} & schemes


def test_a_demo_that_the_program_refuses_is_no_traceback(folder):
    run = subprocess.run([ROOT / "fabric", "demo", "--k=5"], cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 1 and "--k=5" in run.stderr and "Traceback" not in run.stderr


REFUSED_BY_THE_DEMO = {
    "--balancer=rsq": "use --balancers",  # or each line of the table would be of rsq
    "--RngRun=3": "use --runs",  # or all runs would be the same
    "--check": "all options are checked",
    "--k=4 --k=6": "is given twice",
    "--runs=0": "not a number from 1",
    "--runs=99999999": "not a number from 1",
    "--balancers=": "is none of",
    "--prog=none": "no such option",
    "--out=": "the name of a folder is needed",
    "--out=taken --balancers=rsq": "taken: a folder is needed, and taken is none",
}


@pytest.mark.parametrize("options, said", REFUSED_BY_THE_DEMO.items(), ids=REFUSED_BY_THE_DEMO)
def test_the_demo_refuses_before_it_runs(folder, options, said):
    (folder / "taken").touch()
    run = script("demo", f"--program={PROGRAM}", "--out=demo", *options.split(), cwd=folder)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("demo: ") and said in run.stderr and run.stderr.count("\n") == 1
    assert {path.name for path in folder.iterdir()} == {"scenarios", "taken"}


def test_the_demo_answers_questions(folder):
    run = script("demo", f"--program={PROGRAM}", "--out=demo", "--stack=help", cwd=folder)
    assert run.returncode == 0 and run.stdout.startswith("ideal\n") and not (folder / "demo").exists()


ENDS = [
    (f"run {SMALL} --out=results/rsq", "results/rsq/run.json"),
    (f"sweep --balancer=rsq,ecmp --plot=balancer,cct_ns -- {SMALL}", "results/sweep/cct_ns-by-balancer.png"),
    ("study moe-failed-uplink --quick --seeds=2", "results/study/moe-failed-uplink-quick/moe-failed-uplink.pdf"),
    ("collectives --sizes=1KiB,4KiB -- --k=4 --workload=all-reduce", "results/collectives/busbw.png"),
    ("slowdown -- --topology=leaf-spine --gpusPerNode=8 --cluster=jobs.csv", "results/slowdown/slowdown.csv"),
    ("check-fluid -- --k=4 --balancer=ofan --workload=all-reduce --size=1MiB", "results/check-fluid/check.csv"),
    ("import scenarios/leaf-spine.topo scenarios/relay.cm", "results/import/training.toml"),
    ("reproduce fig2 --quick", "results/reproduce/fig2-quick/fig2-verdicts.csv"),
]
JOBS = """name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns
a,16,packed,0,all-reduce,4096,1,1000
b,8,packed,0,all-gather,4096,1,1000
"""


@pytest.mark.parametrize("command, result", ENDS, ids=lambda text: text.split()[0])
def test_a_verb_from_end_to_end(folder, command, result):
    (folder / "jobs.csv").write_text(JOBS)
    fabric(folder, command)
    assert (folder / result).stat().st_size > 50


def test_runs_are_listed_and_compared_as_printed(folder):
    for balancer in "ecmp", "rsq":
        fabric(folder, f"run {SMALL} --balancer={balancer}")
    fabric(folder, f"run {SMALL} --balancer=rsq --out=results/rsq")
    helps = [shlex.split(line) for verb in ("list", "compare", "report", "timeline")
             for line in fabric(folder, f"{verb} --help").splitlines()[-1:]]
    found = helps + [words for commands in with_commands().values() for words in commands if reads_runs(words)]
    said = [start(folder, [ROOT / "fabric", *words[1:]]) for words in found if not any(map(PLACEHOLDER.search, words))]
    assert len(said) > 3 and any("results/latest" in text for text in said)


def test_a_run_is_packed_and_repeated(folder):
    fabric(folder, f"run {SMALL}")
    fabric(folder, "pack results/latest -o mine.tar.gz")
    start(folder, ["tar", "xf", "mine.tar.gz"])
    fabric(folder, "run --config=mine/run.json --out=again")
    for name in "flows.csv", "links.csv", "queues.csv":
        assert (folder / "mine" / name).read_bytes() == (folder / "again" / name).read_bytes()
