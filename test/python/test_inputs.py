# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What a run does to the files that it reads."""

import json
import re
import subprocess

import chakra_traces
import pytest
from harness import PROGRAM, call, needs_program, stderr_lines

pytestmark = needs_program

LEAF_SPINE = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=2".split()
FLOWS = "start_ns,source,destination,bytes\n0,0,3,4096\n"
CLUSTER = """name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns
a,2,packed,0,all-reduce,4096,1,0
"""
TRACE = chakra_traces.trace([chakra_traces.node(1, chakra_traces.COLLECTIVE, comm_type=0, comm_size=4096)])
JOBS = "bytes,layers,iterations,compute_ns,jitter,start_ns\n4096,1,1,0,0,0\n"
TRAINING = 'phase = [{ steps = [{ collective = "all-reduce", bytes = 4096 }] }]\n'
GOAL = "num_ranks 2 rank 0 { send 4096b to 1 } rank 1 { recv 4096b from 0 }\n"
TOPOLOGY = "kind,node,to,rate,delay,count\nswitch,a,,,,\nhost,host-0..3,a,,,\n"
INPUTS = {
    "topology": ("queues.csv", TOPOLOGY, []),
    "flows": ("flows.csv", FLOWS, []),
    "training": ("steps.csv", TRAINING, []),
    "goal": ("nodes.csv", GOAL, ["--nodeTimes"]),
    "placement": ("links.csv", "3\n1\n0\n2\n", ["--workload=all-reduce", "--size=4096"]),
    "communicators": ("queues.csv", "0,1\n2,3\n", ["--workload=all-reduce", "--size=4096"]),
    "skew": ("steps.csv", "1 2 0 4\n" * 4, ["--workload=all-to-all"]),
    "cdf": ("events.csv", "bytes,probability\n1,0.1\n4096,1\n", ["--duration=1us"]),
    "background": ("background.csv", FLOWS, []),
    "backgroundCdf": ("events.csv", "bytes,probability\n1,0.1\n4096,1\n", ["--background=poisson"]),
    "cluster": ("layers.csv", CLUSTER, []),
    "jobs": ("run.json", JOBS, ["--workload=all-reduce", "--algorithm=atp"]),
    "chakraGroups": ("collectives.csv", '{"all": [0, 1]}\n', ["--chakra=t"]),
    "plan": ("iterations.csv", "node,rank\n", ["--ranks=2"]),
}


def test_all_options_that_may_name_a_file_are_known(tmp_path):
    """Their help says so. A trace is no file: no result has a name like FILE.0.et."""
    options = json.loads(call(tmp_path, "--help=json").stdout)
    listed = [option["name"] for option in options if option["unit"] == "file"]
    named = [option["name"] for option in options if re.search(r"\bfile with\b|\b[A-Z]{2,} file\b", option["help"])]
    assert sorted(named) == sorted(listed) == sorted(INPUTS)


def shape_beside(option):
    """The options of the fabric, unless a file says them."""
    return [] if option == "topology" else LEAF_SPINE


def refuse(folder, option, path, out, *more):
    """Expects one line on stderr, and the folder as it was."""
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    for check in [], ["--check"]:
        run = call(folder, *shape_beside(option), *more, f"--{option}={path}", f"--out={out}", *check)
        why = f"a file that the results in --out={out} do not replace"
        [line] = stderr_lines(run)
        shown = str(path)[:60]  # the line shortens long values
        assert line.startswith(f"ai-fabric-run: --{option}={shown}") and line.endswith(f": {why}")
        assert run.returncode == 1 and not run.stdout
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("option", INPUTS)
def test_results_do_not_replace_what_is_read(tmp_path, option):
    name, text, more = INPUTS[option]
    (tmp_path / name).write_text(text)
    link = "link.csv" if option == "topology" else "link"  # whose end says what the file is
    (tmp_path / link).symlink_to(name)
    (tmp_path / "folder").mkdir()
    for rank in range(2):
        (tmp_path / f"t.{rank}.et").write_bytes(TRACE)
    refuse(tmp_path, option, name, ".", *more)
    refuse(tmp_path, option, f"./{name}", f"../{tmp_path.name}/", *more)
    refuse(tmp_path, option, tmp_path / name, ".", *more)
    refuse(tmp_path, option, link, ".", *more)
    run = call(tmp_path, *shape_beside(option), *more, f"--{option}={name}", "--out=folder")
    assert run.returncode == 0 or option == "plan", run.stderr  # which needs a build with MPI
    assert (tmp_path / name).read_text() == text


def test_a_link_in_the_folder_for_results_is_not_replaced(tmp_path):
    (tmp_path / "mine.csv").write_text(FLOWS)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "flows.csv").symlink_to("../mine.csv")
    refuse(tmp_path, "flows", "out/flows.csv", "out")


def test_other_names_may_stand_beside_the_results(tmp_path):
    (tmp_path / "mine.csv").write_text(FLOWS)
    run = call(tmp_path, *LEAF_SPINE, "--flows=mine.csv", "--out=.")
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "mine.csv").read_text() == FLOWS and (tmp_path / "flows.csv").exists()


def test_a_file_that_takes_too_much_memory_is_refused_in_words(tmp_path):
    with open(tmp_path / "mine.csv", "w") as file:
        file.write(FLOWS.splitlines(keepends=True)[0])
        file.writelines("0,0,1,4096\n" for _ in range(600_000))
    command = f"ulimit -v 100000; exec {PROGRAM} --k=2 --flows=mine.csv --check"
    run = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert stderr_lines(run) == ["ai-fabric-run: out of memory"]
    assert run.returncode == 1
