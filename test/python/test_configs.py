# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs that repeat: --config with a run.json or a TOML scenario, --writeConfig, and ./fabric pack."""

import hashlib
import json
import random
import shutil
import tarfile
import tomllib

import chakra_traces
import laws
import pytest
from harness import (
    COST,
    HEADER,
    PROGRAM,
    ROOT,
    SMALL,
    call,
    needs_program,
    refusal,
    rows,
    script,
    stderr_lines,
    succeed,
    write_flows,
)
from law_scenarios import Draw
from law_shapes import ShapeDraw

pytestmark = needs_program

FOUR = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=2".split()
LATENCY = "ns3::aifabric::FabricSwitch::Latency"
FLOWS = HEADER + "0,0,3,65536\n0,2,1,65536\n"
TRACES = {
    f"t.{rank}.et": chakra_traces.trace(
        [chakra_traces.node(1, chakra_traces.COLLECTIVE, comm_type=0, comm_size=4096, pg_name=b"1")]
    )
    for rank in range(2)
}
FILES = {
    "flows.csv": FLOWS,
    "topology.csv": "kind,node,to,rate,delay,count\nswitch,a,,,,\nhost,host-0..3,a,,,\n",
    "training.toml": 'phase = [{ steps = [{ collective = "all-reduce", bytes = 4096 }] }]\n',
    "parallelism.toml": "[parallelism]\npp = 2\nep = 2\nmicrobatches = 2\n[model]\nactivations = 4096\n"
    'layers = [{ repeat = 2, forward = "1us", experts = "4KiB", skew = "hot:2", parameters = "9KiB" }]\n',
    "placement.txt": "3\n1\n0\n2\n",
    "groups.txt": "0,1\n2,3\n",
    "skew.txt": "1 2 0 4\n" * 4,
    "cdf.csv": "bytes,probability\n1,0.1\n4096,1\n",
    "cluster.csv": "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns\n"
    "a,2,packed,0,all-reduce,4096,1,0\nb,2,random,9,all-gather,4096,2,5\n",
    "jobs.csv": "bytes,layers,iterations,compute_ns,jitter,start_ns\n4096,1,1,0,0,0\n",
    "chakra.json": '{"1": [0, 1]}\n',
    "ranks.goal": "num_ranks 2\nrank 0 {\na: calc 700\nb: send 9000b to 1\nb requires a\n}\nrank 1 { recv 9000b from 0 }\n",
    **TRACES,
}
RUNS = {
    "flows": "--flows=flows.csv --stack=uec --nicCounters --pcap=host-0",
    "permutation": f"--size=64KiB --balancer=host-random --{LATENCY}=300ns",
    "mrc": "--size=64KiB --planes=2 --stack=mrc --planeSeries=1us",
    "faults": "--size=64KiB --balancer=rsq --fail=host-1:0--leaf-0:1%0.1@0s,leaf-0:2--spine-0:0@1us-3us --failRate=0.2",
    "all-to-all": "--workload=all-to-all --size=4KiB --stack=roce --watchdog=drop",
    "skew": "--workload=all-to-all --skew=skew.txt",
    "hot": "--workload=all-to-all --skew=hot:4",
    "incast": "--workload=incast --senders=3 --size=16KiB",
    "poisson": "--cdf=cdf.csv --duration=10us",
    "collective": "--workload=all-reduce --size=16KiB --placement=placement.txt --repeat=2",
    "communicators": "--workload=all-gather --size=4KiB --communicators=groups.txt",
    "two groups": "--workload=all-gather --size=4KiB --communicators=2 --placement=random",
    "training": "--training=training.toml --iterations=2",
    "parallelism": "--training=parallelism.toml --nodeTimes",
    "chakra": "--chakra=t --chakraGroups=chakra.json",
    "goal": "--goal=ranks.goal --placement=placement.txt --nodeTimes",
    "cluster": "--cluster=cluster.csv",
    "jobs": "--workload=all-reduce --jobs=jobs.csv",
    "aggregation": "--workload=all-reduce --algorithm=atp --jobs=jobs.csv",
    "switchml": "--workload=all-reduce --algorithm=switchml --size=4KiB --jobs=1",
    "no marks": "--size=64KiB --stack=mrc --marker=none --recovery=selective-repeat --ackPolicy=unordered",
    "topology": "--topology=topology.csv --size=64KiB",
    "preset": "--preset=zones --hostsPerLeaf=2 --gpusPerNode=1 --pods=2 --leavesPerPod=2 --spinesPerPod=2 --cores=2 "
    "--size=4KiB --balancer=ecmp",
}


def write_files(folder):
    for name, text in FILES.items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())


def options_of(name):
    own = RUNS[name].split()
    return own if {"topology", "preset"} & {option[2:].partition("=")[0] for option in own} else [*FOUR, *own]


def results(folder):
    """All that a run has left, by name: run.json without its cost, and without where files are."""
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.name != "README"}
    summary = json.loads(files["run.json"])
    for key in COST:
        del summary["results"][key]
    del summary["scenario"]["out"]
    for entry in summary["inputs"].values():
        del entry["value"]
        entry["sha256"] = sorted(entry["sha256"].values())
    return {**files, "run.json": summary}


def tables_of(files):
    """What does not depend on the simulator: all but the number of events."""
    return {name: data for name, data in files.items() if name != "run.json"}


def make_run(folder, *options):
    """Makes a run, in a folder with all files, whose results are in out/."""
    folder.mkdir()
    write_files(folder)
    run = call(folder, *options, "--RngRun=3", "--out=out")
    assert run.returncode in (0, laws.FAILED_MESSAGES), run.stderr
    return folder / "out"


def repeat(config, folder, *more):
    """Runs a config in a folder of its own. Returns what is left."""
    folder.mkdir()
    run = call(folder, f"--config={config}", "--out=out", *more)
    assert run.returncode in (0, laws.FAILED_MESSAGES) and not stderr_lines(run), run.stderr
    return results(folder / "out")


@pytest.mark.parametrize("name", RUNS)
def test_a_run_repeats_from_its_summary_from_a_scenario_and_from_an_archive(tmp_path, name):
    """Byte for byte, in other folders; from the archive also when all files are gone."""
    out = make_run(tmp_path / "first", *options_of(name))
    first = results(out)
    assert repeat(out / "run.json", tmp_path / "second") == first
    assert tables_of(repeat("../first/out/run.json", tmp_path / "third", "--simulator=events")) == tables_of(first)
    written = call(tmp_path / "first", *options_of(name), "--RngRun=3", "--check", "--writeConfig=own.toml")
    assert written.returncode == 0 and not stderr_lines(written), written.stderr
    tomllib.loads((tmp_path / "first/own.toml").read_text())
    assert repeat("../first/own.toml", tmp_path / "fourth") == first
    packed = script("pack", "first/out", "-o", "it.tar.gz", cwd=tmp_path)
    assert packed.returncode == 0, packed.stderr
    shutil.rmtree(tmp_path / "first")
    (tmp_path / "elsewhere").mkdir()
    with tarfile.open(tmp_path / "it.tar.gz") as archive:
        archive.extractall(tmp_path / "elsewhere")
    unpacked = tmp_path / "elsewhere/it"
    assert results(unpacked) == first
    assert repeat(unpacked / "run.json", tmp_path / "fifth") == first
    assert "commit" in (unpacked / "README").read_text()


@pytest.mark.parametrize("number", range(10))
def test_random_runs_repeat(tmp_path, number):
    dice = random.Random(f"config {number}")
    ask = laws.make_ask(PROGRAM)
    while True:
        scenario = (ShapeDraw if number % 5 == 0 else Draw)(dice, ask).scenario()
        folder = tmp_path / "first"
        folder.mkdir()
        for name, text in scenario.files.items():
            (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        run = call(folder, *scenario.options, "--out=out")
        if run.returncode in (0, laws.FAILED_MESSAGES):
            break
        shutil.rmtree(folder)
    first = results(folder / "out")
    assert repeat("../first/out/run.json", tmp_path / "second") == first, scenario.options
    written = call(folder, *scenario.options, "--check", "--writeConfig=own.toml")
    assert written.returncode == 0, written.stderr
    again = repeat("../first/own.toml", tmp_path / "third")
    for summary in first["run.json"], again["run.json"]:
        del summary["options"]  # the scenario leaves out auto and none, where they are the defaults
    assert again == first, scenario.options


# --- What run.json says ---------------------------------------------------------------------------


def test_given_and_resolved_values_stand_apart(tmp_path):
    """A marker that was derived is not given, nor are attributes that the transport has set."""
    write_files(tmp_path)
    run = succeed(tmp_path, *FOUR, "--flows=flows.csv", "--stack=mrc", "--delay=0.5us", "--threads=1", "--RngSeed=4")
    given = {"topology": "leaf-spine", "leaves": "2", "spines": "2", "hostsPerLeaf": "2", "stack": "mrc"}
    assert run["options"] == {**given, "flows": "flows.csv", "delay": "0.5us"}
    assert run["scenario"]["marker"] == "red" and run["scenario"]["attributes"] == {}
    attributes = run["attributes"]
    assert attributes["ns3::aifabric::RoceNetDevice::SharesControl"] == "true"
    assert attributes["ns3::aifabric::TrimmingBuffer::TrimmedDscp"] == "44"
    assert attributes["ns3::aifabric::MrcQueuePair::AckTimeout"] == "65536.000ns"
    assert run["seed"] == 4 and run["inputs"]["flows"]["value"] == "../flows.csv"


def test_attributes_of_the_environment_and_of_a_preset(tmp_path):
    """Those of the environment are given; those of a preset are set."""
    run = call(tmp_path, *SMALL, "--out=out", env={"NS_ATTRIBUTE_DEFAULT": f"{LATENCY}=300ns"})
    assert run.returncode == 0, run.stderr
    assert json.loads((tmp_path / "out/run.json").read_text())["options"][LATENCY] == "300ns"
    assert repeat("../out/run.json", tmp_path / "again") == results(tmp_path / "out")
    shutil.rmtree(tmp_path / "out")
    summary = succeed(tmp_path, *options_of("preset"))
    lossless = "ns3::aifabric::SharedBuffer::LosslessClasses"
    assert lossless not in summary["options"] and summary["attributes"][lossless] == "8"


def test_digests_are_those_of_sha256sum(tmp_path):
    """At all lengths around the ends of blocks."""
    for zeros in range(0, 130):
        text = HEADER + "0,0,1," + zeros * "0" + "1\n"
        write_flows(tmp_path, text)
        options = [*FOUR, "--flows=flows.csv", "--sample=0"]
        found = succeed(tmp_path, *options)["inputs"]["flows"]["sha256"]
        assert found == {"../flows.csv": hashlib.sha256(text.encode()).hexdigest()}, zeros


def test_options_of_the_command_line_win(tmp_path):
    out = make_run(tmp_path / "first", *FOUR, "--flows=flows.csv", f"--{LATENCY}=300ns")
    (out.parent / "flows.csv").unlink()  # which is not read then
    (tmp_path / "other.csv").write_text(HEADER + "0,1,2,4096\n")
    more = ["--flows=../other.csv", f"--{LATENCY}=1us", "--RngRun=8", "--rate=400Gb/s"]
    summary = repeat(out / "run.json", tmp_path / "second", *more)["run.json"]
    assert summary["run"] == 8 and summary["results"]["messages"] == 1
    assert summary["options"]["rate"] == "400Gb/s" and summary["options"][LATENCY] == "1us"
    assert summary["options"]["flows"] == "../other.csv" and summary["scenario"]["leaves"] == 2


def test_a_run_of_another_version_says_so(tmp_path):
    out = make_run(tmp_path / "first", *SMALL)
    text = (out / "run.json").read_text()
    version = json.loads(text)["versions"]["ai-fabric"]
    (out / "run.json").write_text(text.replace(f'"ai-fabric": "{version}"', '"ai-fabric": "0.0.1"'))
    run = call(tmp_path, f"--config={out / 'run.json'}")
    assert run.returncode == 0
    [note] = stderr_lines(run)
    assert note.startswith(f"note: {out / 'run.json'} was written by ai-fabric 0.0.1, commit ")
    assert note.endswith("whose results may differ") and f"this is ai-fabric {version}" in note


def test_the_latest_results_are_repeated_and_kept(tmp_path):
    write_flows(tmp_path, HEADER + "0,0,1,1\n")
    assert call(tmp_path, "--k=4", "--flows=flows.csv").returncode == 0
    for _ in range(3):  # in the same second, too, in which the folder that is read has the name of a new one
        run = call(tmp_path, "--config=results/latest/run.json")
        assert run.returncode == 0, run.stderr
    first, *others = map(results, (tmp_path / "results").glob("run-*"))
    assert others == 3 * [first]


# --- TOML scenarios -------------------------------------------------------------------------------

SCENARIO = f"""# two racks
topology = "leaf-spine"
leaves = 2             # racks
spines = 2
hostsPerLeaf = 2
flows = "data/flows.csv"
receiverAdmission = 0
rho = 0.5
nicCounters = true
queuePairPerFlow = false
jitter = 0
fail = ["leaf-0:2--spine-0:0@1us-3us", "leaf-1:2--spine-0:1*0.5@0s"]
pcap = "host-0"
RngRun = 7

[attributes]
"{LATENCY}" = "300ns"
"ns3::aifabric::FabricPort::InterframeGap" = 24
"ns3::aifabric::FixedControl::RateFraction" = 0.5
"ns3::aifabric::RoceNetDevice::ChargeReth" = false
"""


def test_a_scenario_is_the_run_of_its_options(tmp_path):
    write_files(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data/flows.csv").write_text(FLOWS)
    (tmp_path / "mine.toml").write_text(SCENARIO.replace("jitter = 0\n", ""))
    options = """--flows=data/flows.csv --receiverAdmission=0 --rho=0.5 --nicCounters --queuePairPerFlow=false
    --fail=leaf-0:2--spine-0:0@1us-3us,leaf-1:2--spine-0:1*0.5@0s --pcap=host-0 --RngRun=7
    --ns3::aifabric::FabricPort::InterframeGap=24 --ns3::aifabric::FixedControl::RateFraction=0.5
    --ns3::aifabric::RoceNetDevice::ChargeReth=false""".split()
    run = call(tmp_path, *FOUR, *options, f"--{LATENCY}=300ns", "--out=out")
    assert run.returncode == 0, run.stderr
    assert repeat("../mine.toml", tmp_path / "again") == results(tmp_path / "out")
    assert len(rows(tmp_path, "flows")) == 2


def test_a_written_scenario_has_comments_and_what_was_given(tmp_path):
    write_files(tmp_path)
    options = [*FOUR, "--flows=flows.csv", f"--{LATENCY}=300ns", "--planes=2", "--pcap=host-0,host-1"]
    run = call(tmp_path, *options, "--RngRun=9", "--writeConfig=own.toml", "--out=out", "--progress=false")
    assert run.returncode == 0 and (tmp_path / "out/run.json").exists()
    text = (tmp_path / "own.toml").read_text()
    found = tomllib.loads(text)
    assert found.pop("attributes") == {LATENCY: "300ns"}
    shape = {"topology": "leaf-spine", "leaves": 2, "spines": 2, "hostsPerLeaf": 2, "planes": 2}
    seeds = {"RngSeed": 1, "RngRun": 9}
    assert found == {**shape, **seeds, "flows": "flows.csv", "pcap": ["host-0", "host-1"]}
    lines = text.splitlines()
    for key in [*found, f'"{LATENCY}"']:
        [at] = [number for number, line in enumerate(lines) if line.startswith(f"{key} =")]
        assert lines[at - 1].startswith("# ") or key == "RngRun", key


def config_refusal(folder, text, *more, name="c.toml"):
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return refusal(folder, f"--config={name}", *more)


def run_json(**parts):
    """A run.json with some parts."""
    return json.dumps({"program": "ai-fabric-run", "seed": 1, "run": 1, "options": {}, **parts})


MALFORMED = {
    "k = 4\nleafs = 8\n": "c.toml:2: --leafs=8: no such option (did you mean 'leaves'?); --PrintHelp lists them",
    "k = true\n": "c.toml:1: k: a number or a text is needed",
    "\nnicCounters = 3": "c.toml:2: nicCounters: true or false is needed",
    'nicCounters = "yes"': "c.toml:1: --nicCounters=yes: true or false",
    "rate = 400": "c.toml:1: rate: a text is needed",
    "k = [4, 8]": "c.toml:1: k: a number or a text is needed",
    "fail = [true]": "c.toml:1: fail: a text, or a list of texts, is needed",
    'fail = [["a"]]': "c.toml:1: fail: a text, or a list of texts, is needed",
    "k = 1979-05-27": "c.toml:1: k: a number or a text is needed",
    "k = 3": "c.toml:1: --k=3: ",
    'k = "8": x': "c.toml:1: ",
    "k = 4\nk = 4": "c.toml:2: ",
    "[fabric]\nk = 4": "c.toml:1: fabric: no such option, and the only table is [attributes]",
    "attributes = 3": "c.toml:1: attributes: a table of attributes is needed",
    "[attributes]\nk = 4": "c.toml:2: k: is an option, which stands before [attributes]",
    '[attributes]\n"ns3::aifabric::FabricSwitch::Latencies" = "1us"': "c.toml:2: --ns3::aifabric::FabricSwitch::Latencies=1us: ",
    f'[attributes]\n"{LATENCY}" = "1"': f"c.toml:2: --{LATENCY}=1: a time needs its unit",
    f'[attributes]\n"{LATENCY}" = ["1us"]': f"c.toml:2: {LATENCY}: a text, a number, true or false is needed",
    'k = 4\n[attributes]\n"ns3::aifabric::PrimeBalancer::Parts" = "2"': "c.toml:3: --ns3::aifabric::PrimeBalancer::Parts",
    'config = "d.toml"': "c.toml:1: config: is an option of the command line only",
    'writeConfig = "d.toml"': "c.toml:1: writeConfig: is an option of the command line only",
    "ranks = 2": "c.toml:1: ranks: is an option of the command line only",
    "help = true": "c.toml:1: --help=true: no such option",
    "PrintHelp = true": "c.toml:1: --PrintHelp=true: no such option",
    'RngRun = 1\n[attributes]\nRngRun = 2': "c.toml:3: --RngRun=2: is given twice",
    f'"{LATENCY}" = "1us"\n[attributes]\n"{LATENCY}" = "1us"': f"c.toml:1: --{LATENCY}=1us: is given twice",
    "k = 4\0": "c.toml:1: ",
    "k = 99999999999999999999": "c.toml:1: ",
    "k = 4.5": "c.toml:1: --k=4.5: ",
    "k.k = 4": "c.toml:1: k: a number or a text is needed",
    '"k=8" = 4': "c.toml:1: --k=8=4: no such option",
    '"\\u001b[31m" = 4': "c.toml:1: --?[31m=4: no such option",
    'k = "\\u001b[31m"': "c.toml:1: --k=?[31m: ",
    "RngRun = -1": "c.toml:1: --RngRun=-1: ",
    '"" = 3': "c.toml:1: --=3: no such option",
    'k = ""': "c.toml:1: --k=: a value is needed",
    'flows = "gone.csv"': "c.toml:1: --flows=gone.csv: ",
    "load = nan": "c.toml:1: --load=",
    "load = 0.5": "c.toml:1: --load=0.5: ",
    "": "c.toml: is empty: a run.json or a TOML scenario is needed",
    " \n": "c.toml: is empty: ",
    "{": "c.toml: is no run.json: it is not whole, or no JSON",
    "{}": "c.toml:program: ai-fabric-run is needed",
    '{"program": "ai-fabric-run"}': "c.toml:options: is missing: an older version",
    '{"program": "ai-fabric-run", "options": {}}': "c.toml:seed: a whole number is needed",
    '{"program": "ai-fabric-run", "options": {"k": 4}, "seed": 1, "run": 1}': "c.toml:options.k: a text is needed",
    '{"program": "ai-fabric-run", "options": {"flows": "x"}, "seed": 1, "run": 1}': "c.toml:inputs.flows: the value and",
    '{"program": "ai-fabric-run", "options": {"config": "x"}, "seed": 1, "run": 1}': "c.toml:options.config: config: is an",
    '{"program": 3}': "c.toml:program: ",
    run_json(seed=-1): "c.toml:seed: a whole number is needed",
    run_json(run=1.5): "c.toml:run: a whole number is needed",
    run_json(run=10**30): "c.toml:run: a whole number is needed",
    run_json(seed=2**63): "c.toml:seed: --RngSeed=9223372036854775808: ",
    run_json(options=["k"]): "c.toml:options: is missing",
    run_json(options={"--k": "4"}): "c.toml:options.--k: ----k=4: no such option",
    run_json(options={"k": "5"}): "c.toml:options.k: --k=5: ",
    run_json(options={"": "5"}): "c.toml:options.: --=5: ",
    run_json(options={"chakra": "t"}, inputs=3): "c.toml:inputs.chakra: the value and the sha256",
    run_json(options={"flows": "a"}, inputs={"flows": []}): "c.toml:inputs.flows: the value and the sha256",
    run_json(options={"flows": "a"}, inputs={"flows": {"value": 3, "sha256": {}}}): "c.toml:inputs.flows: the value and",
    run_json(options={"flows": "a"}, inputs={"flows": {"value": "a", "sha256": {}}}): "c.toml:inputs.flows: a was not",
    run_json(options={"flows": "a"}, inputs={"flows": {"value": "a", "sha256": {"a": 3}}}): "c.toml:inputs.flows: a is gone",
    run_json(options={"flows": "/dev/zero"}, inputs={"flows": {"value": "/dev/zero", "sha256": {"/dev/zero": ""}}}): "c.toml:"
    "inputs.flows: /dev/zero is not what the run has read",
    b"\x1f\x8b\x08": "c.toml: is an archive; tar xf unpacks it",
    bytes(range(256)): "c.toml:1: ",
    b"\xff\xfe": "c.toml:1: ",
    b"{\xff}": "c.toml: is no run.json",
    100_000 * "[": "c.toml",
    "a = " + 100_000 * "[": "c.toml",
    100_000 * '{"a":': "c.toml: is no run.json",
}


@pytest.mark.parametrize("text", MALFORMED, ids=range(len(MALFORMED)))
def test_what_is_malformed_is_refused_in_one_line(tmp_path, text):
    said = config_refusal(tmp_path, text)
    assert said.startswith(MALFORMED[text]), said


@pytest.mark.parametrize("text", ["\ufeffk = 4\n", "k = 4\r\n", " \t\n k=0x4 # four", '"k" = "4"', "k = 4", run_json(options={"k": "4"})])
def test_what_is_well_formed_is_read(tmp_path, text):
    (tmp_path / "c.toml").write_bytes(text.encode())
    run = call(tmp_path, "--config=c.toml", "--check")
    assert run.returncode == 0 and run.stdout.startswith("16 hosts"), run.stderr


def test_libraries_of_a_scenario_are_loaded(tmp_path):
    """Before policies are looked up; they count as files that are read."""
    [library] = (PROGRAM.parents[1] / "lib").glob("libai-fabric*.so")
    for name in "a.so", "b.so":
        (tmp_path / name).symlink_to(library.resolve())
    (tmp_path / "c.toml").write_text('library = ["a.so", "b.so"]\nk = 4\nsize = "4KiB"\n')
    (tmp_path / "at").mkdir()
    run = call(tmp_path / "at", "--config=../c.toml", "--out=../out")
    assert run.returncode == 0, run.stderr
    [entry] = json.loads((tmp_path / "out/run.json").read_text())["inputs"].values()
    assert entry["value"].split(",") == list(entry["sha256"]) and len(entry["sha256"]) == 2
    assert repeat("../out/run.json", tmp_path / "again") == results(tmp_path / "out")
    (tmp_path / "c.toml").write_text('library = "gone.so"\n')
    assert refusal(tmp_path, "--config=c.toml").startswith("c.toml:1: --library=gone.so: ")


def test_an_empty_scenario_is_the_usual_run(tmp_path):
    (tmp_path / "c.toml").write_text("# nothing\n")
    run = call(tmp_path, "--config=c.toml", "--check")
    assert run.returncode == 0 and run.stdout == call(tmp_path, "--check").stdout


def test_what_is_no_config_is_refused(tmp_path):
    (tmp_path / "c.toml").write_text("k = 4\n")
    with open(tmp_path / "huge", "wb") as file:
        file.truncate(65 << 20)
    for path in ".", "gone", "/dev/zero":
        assert refusal(tmp_path, f"--config={path}") == f"--config={path}: a file is needed: a run.json or a TOML scenario"
    assert refusal(tmp_path, "--config=huge") == "huge: has more than 64 MiB, and a run.json has not"
    (tmp_path / "large").write_text("#" + (1 << 20) * "x")
    assert refusal(tmp_path, "--config=large") == "large: has more than 1 MiB, and a TOML scenario has not"
    many = {f"a{number}": "4" for number in range(200_000)}
    assert config_refusal(tmp_path, run_json(options=many)) == "c.toml:options: are more than 10000"
    assert refusal(tmp_path, "--config=") == "--config=: a value is needed: --config=value"
    assert refusal(tmp_path, "--config=c.toml", "--config=c.toml") == "--config=c.toml: is given twice"
    (tmp_path / "c.toml").write_text('out = "mine"\nk = 4\nsize = "4KiB"\n')
    assert call(tmp_path, "--config=c.toml").returncode == 0 and (tmp_path / "mine/run.json").exists()
    for name in "mine", "other":
        (tmp_path / "c.toml").write_text(f'out = "{name}"\nk = 4\ncheck = true\n')
        assert call(tmp_path, "--config=c.toml", "--out=third").returncode == 0 and not (tmp_path / "third").exists()
    assert call(tmp_path, "--config=c.toml", "--help").stdout == call(tmp_path, "--help").stdout
    assert call(tmp_path, "--config=c.toml", "--version").stdout == call(tmp_path, "--version").stdout


def test_results_do_not_replace_their_config(tmp_path):
    out = make_run(tmp_path / "first", *SMALL)
    said = refusal(tmp_path / "first", "--config=out/run.json")
    assert said.startswith("--config=out/run.json: a file that the results in --out=out do not replace")
    assert (out / "run.json").exists()


def test_scenarios_are_not_written_over_files(tmp_path):
    (tmp_path / "c.toml").write_text("k = 4\n")
    for name in "c.toml", "new.txt", "toml", ".toml":
        why = "a file that is not there yet and whose name ends in .toml"
        assert refusal(tmp_path, *SMALL, f"--writeConfig={name}") == f"--writeConfig={name}: {why}"
    assert refusal(tmp_path, *SMALL, "--writeConfig=gone/new.toml") == "--writeConfig=gone/new.toml: cannot be written"
    assert refusal(tmp_path, "--k=5", "--writeConfig=new.toml").startswith("--k=5: ")


# --- Input files ----------------------------------------------------------------------------------


def test_input_files_that_have_changed_are_refused(tmp_path):
    out = make_run(tmp_path / "first", *FOUR, "--chakra=t", "--chakraGroups=chakra.json")
    config = f"--config={out / 'run.json'}"
    trace = out.parent / "t.0.et"
    data = trace.read_bytes()
    trace.write_bytes(data + b"\0")
    said = refusal(tmp_path, config)
    assert "run.json:inputs.chakra: " in said and "t.0.et is not what the run has read (sha256); --chakra=FILE" in said
    assert "has changed since the run" in script("pack", "first/out", cwd=tmp_path).stderr
    trace.unlink()
    assert "t.0.et is gone; --chakra=FILE takes another one" in refusal(tmp_path, config)
    assert "t.0.et is gone" in script("pack", "first/out", cwd=tmp_path).stderr
    trace.write_bytes(data)
    shutil.copy(trace, trace.with_name("t.2.et"))
    assert "t.2.et was not there; --chakra=FILE takes another one" in refusal(tmp_path, config)
    assert not list(tmp_path.glob("*.tar.gz"))


def test_links_lead_where_they_did(tmp_path):
    """Folders and files behind symbolic links."""
    make_run(tmp_path / "first", *FOUR, "--chakra=t", "--chakraGroups=chakra.json")
    for name in "data", "deep", "deep/er":
        (tmp_path / name).mkdir()
    for rank in range(2):
        (tmp_path / "data" / f"u.{rank}.et").symlink_to(tmp_path / "first" / f"t.{rank}.et")
    (tmp_path / "link").symlink_to("deep/er")
    (tmp_path / "data" / "out").symlink_to("../link")
    options = [*FOUR, "--chakra=data/u", "--chakraGroups=link/../../first/chakra.json", "--out=data/out/run"]
    assert call(tmp_path, *options).returncode == 0
    for config in "link/run/run.json", "data/out/run/run.json", "deep/er/run/run.json":
        run = call(tmp_path, f"--config={config}", "--out=again")
        assert run.returncode == 0 and results(tmp_path / "again") == results(tmp_path / "link/run"), run.stderr
        shutil.rmtree(tmp_path / "again")
    assert script("pack", "link/run", cwd=tmp_path).returncode == 0


def test_words_and_numbers_are_no_files(tmp_path):
    """Although there are files of these names."""
    for name in "random", "2", "hot:4", "none", "auto":
        (tmp_path / name).write_text("x")
    run = succeed(tmp_path, *FOUR, *RUNS["two groups"].split())
    assert run["inputs"] == {} and succeed(tmp_path, *FOUR, *RUNS["hot"].split())["inputs"] == {}


# --- Archives -------------------------------------------------------------------------------------


def test_what_cannot_be_packed_is_refused(tmp_path):
    out = make_run(tmp_path / "first", *FOUR, "--flows=flows.csv")
    text = (out / "run.json").read_text()

    def said(*arguments):
        run = script("pack", *arguments, cwd=tmp_path)
        assert run.returncode == 1 and len(run.stderr.splitlines()) == 1, run.stderr
        return run.stderr.removeprefix("pack: ").rstrip()

    assert said("first") == "first: has no run.json; the folder of a finished run is needed"
    (tmp_path / "study/runs/c d").mkdir(parents=True)
    (tmp_path / "study/runs/c d/run.json").write_text(text)
    assert said("study").endswith("the folder of a finished run is needed, such as 'study/runs/c d'")
    assert said("gone") == "gone: has no run.json; the folder of a finished run is needed"
    assert said("first/out", "-o", "it.zip") == "it.zip: a name that ends in .tar.gz is needed"
    assert said("first/out", "-o", "gone/it.tar.gz") == "gone/it.tar.gz: gone is no folder"
    (tmp_path / "it.tar.gz").write_text("mine")
    assert said("first/out", "-o", "it.tar.gz").startswith("it.tar.gz: is there already")
    for wrong in "", "[]", text[:500], "{}", 100_000 * "[", text.replace('"inputs"', '"outputs"', 1):
        (out / "run.json").write_text(wrong)
        assert "run.json: " in said("first/out")
    (out / "run.json").write_text(text.replace('"flows": {\n      "value"', '"../../flows": {\n      "value"'))
    assert "value and sha256 of the files of an option are needed" in said("first/out")
    (out / "run.json").write_text(text.replace('"links.csv"', '"../flows.csv"'))
    assert "is no name of a table" in said("first/out")
    (out / "run.json").write_text(text)
    (out / "links.csv").unlink()
    assert said("first/out") == "first/out/links.csv is gone"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["it.tar.gz"]


def test_a_command_that_repeats_a_run_can_be_copied(tmp_path):
    make_run(tmp_path / "first", *FOUR)
    packed = script("pack", "first/out", "-o", "my run.tar.gz", cwd=tmp_path)
    assert packed.stdout.endswith("To repeat it: tar xf 'my run.tar.gz', ./fabric run '--config=my run/run.json'\n")
    with tarfile.open(tmp_path / "my run.tar.gz") as archive:
        assert "\n    ./fabric run '--config=my run/run.json'\n" in archive.extractfile("my run/README").read().decode()


def test_an_archive_is_always_the_same(tmp_path):
    make_run(tmp_path / "first", *FOUR, "--flows=flows.csv")
    for name in "a", "b":
        (tmp_path / name).mkdir()
        assert script("pack", "first/out", f"--out={name}/it.tar.gz", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a/it.tar.gz").read_bytes() == (tmp_path / "b/it.tar.gz").read_bytes()


def test_the_verb_names_the_archive(tmp_path):
    make_run(tmp_path / "first", *SMALL)
    run = script("pack", "first/out", cwd=tmp_path)
    assert run.returncode == 0 and run.stdout.startswith("out.tar.gz: run.json, 5 tables, 0 files")
    assert "pack" in (ROOT / "fabric").read_text()
