#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Gives ai-fabric-run damaged options, files, environments and output folders.

    python3 test/python/fuzz.py --program=build/release/bin/ai-fabric-run --cases=10000 --jobs=2

Whatever a run is given, it ends within 10 s of a core: with status 0 and whole results, with status 3 and those of
some messages, or with status 1, one line (of a stall: some) on stderr that a terminal can show, and an output folder as it was. What the run refuses, --check
refuses too. The script prints how often each end was seen for each kind of damage, and stops at the first case that
breaks this, with the means to repeat it.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

import chakra_traces
from chakra_traces import ALL_REDUCE, COLLECTIVE, COMPUTE, node

TIMEOUT_S = 10  # of a core; the clock may show PATIENCE times as much, where others use the cores
PATIENCE = 12
MOST_HOPS = 100_000  # of a run; of larger ones the options are checked only
MOST_BYTES = 4 << 30  # of memory
PREFIX = "ai-fabric-run: "
FAILED_MESSAGES = 3  # exit status
DEBUG_NOTICE = PREFIX + "this is a debug build"
FABRICS = (
    ["--k=2"],
    ["--k=4"],
    ["--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2"],
    ["--topology=three-tier", "--pods=2", "--leavesPerPod=1", "--spinesPerPod=1", "--cores=1", "--hostsPerLeaf=2"],
)
FOUR_HOSTS = FABRICS[2]
EIGHT_HOSTS = [*FOUR_HOSTS[:-1], "--hostsPerLeaf=4"]
POLICIES = "transport recovery ackPolicy balancer rateControl steering sendOrder admission marker scheduler".split()
WORKLOADS = "permutation tornado all-to-all incast all-reduce broadcast".split()
CHANGES = ["", "*0.5", "~0.5", "%0.01", "%1", "%0.01:burst=3.5", "%0.1:control", "%0.1:data:dscp=3"], [  # right,
    "*0", "~1e-7", "%2", "*0.5~0.5", "~", "%0.1:burst=0", "%0.1:burst", "%1:burst=1e9", "~0.5:data", "%0.1:dscp=64"]  # wrong
STARTS = ["@0s", "@1us", "@2us-30us", "@0s-5us", "@1000s", "@1us:period=2us:count=3", "@1us-9us:period=3us:duty=0.1"], [
    "@5us-5us", "@-1us", "@1us-", "@", "@@0s", "", "@1us:count=2", "@1us:period=0s", "@1us:period=1us:duty=1", "@1us:x=2"]
DIRECTIONS = ["", "", "/up", "/down"], ["/up/down", "/"]
COUNTS = ["1", "2", "0.3", "1.0"], ["0", "2.0", "99", "-1", "nan", ""]
NUMBERS = "0 -1 1 2 7 1e3 1e400 0.5 nan inf 0x10 1_000 4294967296 18446744073709551616 1.".split()
NUMBERS += [30 * "9", 400 * "9", "0." + 40 * "0" + "1", "\u0663"]
UNITS = "ps ns us ms s B KiB GB Gb/s Tb/s parsec %".split()
WORDS = "auto none help never max true false all ecmp ring host-0 leaf-0:0 pod0-edge-0 ./. . / ~ $HOME".split()
ODD = ["", " ", ",", ",,", "@", "a,b", "=", "--k=2", "\x1b[31m", "a\nb", "\r", "\x7f", "\u009b", "\u202e", "é", "%s%n"]
ODD += [5000 * "x", 300 * "a/", "../" * 40 + "dev/zero", "/dev/zero", "/dev/full", "/proc/self/mem", "ns3::Node"]
TOKENS = [b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r\n", b",", b'"', b"'", b"[", b"]", b"{", b"}", b"=", b"#", b"."]
TOKENS += [b"-1", b"0", b"99999999999999999999", b"1e999", b"nan", b"\x1b]0;x\x07", b"\xc2\x9b", 300 * b"[", 9000 * b"."]
TOKENS += [5000 * b"7", b"\\u0000", b"true", b"\x80\x80\x80\x80\x10", b"\xff\xff\xff\xff\x0f"]
FLOWS = b"start_ns,source,destination,bytes\n0,0,1,4096\n100.5,1,2,1\n3,2,0,20000\n"
JOBS = b"""name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns,after
a,2,packed,0,all-reduce,20000,2,100,
b,2,random,5,all-gather,4096,1,0,a
"""
TRAINING = b"""title = "small"
barrier = true
[[communicator]]
name = "pair"
hosts = [0, 2]
[[phase]]
name = "forward"
repeat = 2
steps = [
  { name = "a", compute = "2us" },
  { name = "b", collective = "all-reduce", bytes = "16KiB", on = "pair", after = ["a"] },
  { from = 0, to = 1, bytes = 5000 },
]
"""
SIZES = b"bytes,probability\n1,0.1\n4096,0.5\n20000,1\n"
PLACEMENT = b"3\n1\n0\n2\n"
COMMUNICATORS = b"0,1\n2,3\n"
GOAL = b"""num_ranks 4 // four
rank 0 {
a: calc 700 cpu 1
b: send 9000b to 1 tag 5 cpu 0 nic 0
b requires a
/* ends early */ c: calc 5
c irequires b
}
rank 1 { recv 9000b from 0 tag 5 }
"""
GROUPS = b'{"two": [0, 1], "others": [2, 3]}\n'
GRADIENTS = b"""bytes,layers,iterations,compute_ns,jitter,start_ns
20000,2,2,100,0.1,0
4096,1,1,0,0,50
"""
PLAN = b"node,rank\nleaf-0,0\nleaf-1,1\nspine-0,0\nspine-1,1\n"
OLD_RUN = '{\n  "program": "ai-fabric-run",\n  "files": ["flows.csv", "links.csv"]\n}\n'


# --- Chakra traces ----------------------------------------------------------------------------------


def trace():
    """A trace of a rank: computes, reduces in a group, and computes."""
    reduced = {"comm_type": ALL_REDUCE, "comm_size": 9000, "pg_name": b"two"}
    return chakra_traces.trace(
        [
            node(1, COMPUTE, duration=3, name=b"compute"),
            node(2, COLLECTIVE, [1], name=b"reduce", **reduced),
            node(3, COMPUTE, starts_after=[2], duration=1, name=b"last", is_cpu_op=True),
        ]
    )


# --- Damage -----------------------------------------------------------------------------------------


class Case:
    """What a run is given: options, files, environment and an old output folder."""

    def __init__(self, dice, ask):
        self.dice = dice
        self.ask = ask
        self.options = []
        self.files = {}  # bytes by name
        self.variables = {}
        self.old = lambda out: None  # makes the output folder
        self.kind = dice.choice(sorted(KINDS))
        KINDS[self.kind](self)

    def value(self):
        """A value that an option may not expect."""
        dice = self.dice
        number = dice.choice(NUMBERS) + dice.choice(["", *UNITS])
        return dice.choice([number, dice.choice(WORDS), dice.choice(ODD), self.mutated(number)])

    def mutated(self, text):
        """A text with some letters changed."""
        letters = list(text)
        for _ in range(self.dice.randint(1, 3)):
            place = self.dice.randint(0, len(letters))
            letters[place : place + self.dice.randint(0, 2)] = self.dice.choice(["", "-", "9", ":", "x", ".", "*", "/"])
        return "".join(letters)

    def damaged(self, data):
        """Bytes with one to three kinds of damage."""
        for _ in range(self.dice.randint(1, 3)):
            begin, end = sorted(self.dice.choices(range(len(data) + 1), k=2))
            part = data[begin:end]
            data = self.dice.choice(
                [
                    data[:begin] + data[end:],
                    data[:begin] + self.dice.choice(TOKENS) + data[begin:],
                    data[:begin] + self.dice.choice(TOKENS) + data[end:],
                    data[:begin] + self.dice.choice([2, 3, 50]) * part + data[end:],
                    data[:begin] + self.dice.randbytes(min(4, end - begin)) + data[begin + 4 :],
                    data[:begin],
                    data[begin:],
                ]
            )
        return data

    def names(self):
        """The options of the program but for those that say where the results go, or are given already."""
        found = [option["name"] for option in json.loads("\n".join(self.ask("--help=json")))]
        given = {option[2:].partition("=")[0] for option in self.options}
        own = {"out", "progress", "quiet", "json", "check", "writeConfig"}
        return [name for name in dict.fromkeys(found) if name not in own | given]

    def listed(self, option):
        """A policy that an option may name."""
        lines = self.ask(f"--{option}=help")
        return self.dice.choice([line.split()[0] for line in lines if not line.startswith(" ")])

    def mostly(self, right, wrong):
        return self.dice.choice(right if self.dice.random() < 0.93 else wrong)

    def fault(self, links):
        """A fault, each part of which may be wrong."""
        dice = self.dice
        link = dice.choice(links)
        ends = link.split("--")
        nodes = [end.rpartition(":")[0] for end in ends]
        pair = "--".join(nodes if dice.random() < 0.8 else nodes[::-1])
        drawn = dice.choice(["cables:", "switches:", "optics:"]) + self.mostly(*COUNTS)
        more = ["plane-0", f"optic-{ends[1]}", f"{ends[0]}+{nodes[1]}"]
        number = self.mostly(["0", "3"], ["-1", "99"])
        where = dice.choice([link, *ends, pair, dice.choice(nodes), number, drawn, dice.choice(more)])
        text = where + self.mostly(*DIRECTIONS) + self.mostly(*CHANGES) + self.mostly(*STARTS)
        return self.mutated(text) if dice.random() < 0.1 else text

    def attribute(self):
        """An attribute of the module, with its default."""
        types = [line.strip() for line in self.ask("--PrintTypeIds") if "aifabric::" in line]
        lines = self.ask("--PrintAttributes=" + self.dice.choice(types))
        found = [match.groups() for match in (re.match(r" +--(ns3::\S+)=\[(.*)\]", line) for line in lines) if match]
        return self.dice.choice(found or [("RngRun", "1")])

    # --- Kinds ---

    def damage_options(self):
        self.options = [*self.dice.choice(FABRICS), "--size=4KiB"]
        for name in self.dice.sample(self.names(), self.dice.randint(1, 3)):
            self.options.append(f"--{name}={self.value()}")

    def damage_attributes(self):
        self.options = [*self.dice.choice(FABRICS), "--size=4KiB"]
        for _ in range(self.dice.randint(1, 2)):
            name, usual = self.attribute()
            value = self.dice.choice([self.value(), self.mutated(usual), usual])
            self.options.append(f"--{name}={value}")

    def damage_environment(self):
        self.options = [*self.dice.choice(FABRICS), "--size=4KiB"]
        name, usual = self.attribute()
        value = self.dice.choice([self.value(), self.mutated(usual), usual]).replace("\0", "")
        variable = self.dice.choice(["NS_ATTRIBUTE_DEFAULT", "NS_GLOBAL_VALUE"])
        name = self.dice.choice([name, name, "RngRun", "SimulatorImplementationType", "SchedulerType", "k", ""])
        self.variables[variable] = self.dice.choice(["", ";", "x;"]) + f"{name}={value}"

    def damage_policies(self):
        """Policies that exist, in combinations that may not."""
        self.options = [*self.dice.choice(FABRICS), f"--planes={self.dice.choice([1, 1, 2, 4])}"]
        for option in self.dice.sample(POLICIES, self.dice.randint(2, 5)):
            self.options.append(f"--{option}={self.listed(option)}")
        self.options.append(f"--workload={self.dice.choice(WORKLOADS)}")
        self.options.append(f"--size={self.dice.choice(['1', '4096', '9kB', '70kB'])}")
        more = {
            "ordered": [1, 2, 0, 1000],
            "receiverAdmission": [0, 1, 8],
            "upgrade": [self.listed("upgrade"), "none"],
            "upgraded": [0, 0.5, 1],
            "ip": [4, 6],
            "rho": ["max", 0.5],
            "acks": ["bypass"],
            "gpusPerNode": [1, 2, 3],
            "nodeMapping": ["auto", "rack", "rail"],
            "placement": ["packed", "fragmented", "random"],
            "jobRanks": [2, 3, 4],
            "ranks": [1, 2],
            "mtu": [64, 9000],
            "buffer": ["5kB", "40kB"],
            "stallTime": ["1us", "1ms"],
            "watchdog": ["drop", "forward", "none"],
            "pauseStorm": ["host-0@1us-20us", "host-1@0s", "host-99@1us"],
            "ns3::aifabric::SharedBuffer::LosslessClasses": [8, 72],
        }
        for name in self.dice.sample(sorted(more), self.dice.randint(0, 3)):
            self.options.append(f"--{name}={self.dice.choice(more[name])}")

    def damage_faults(self):
        fabric = self.dice.choice(FABRICS) + [f"--planes={self.dice.choice([1, 1, 2])}"]
        links = [line for line in self.ask(*fabric, "--fail=help") if not line.startswith("#")]
        faults = [self.fault(links) for _ in range(self.dice.randint(1, 3))]
        self.options = [*fabric, "--size=20kB", f"--fail={','.join(faults)}", "--stallTime=1ms"]
        more = {
            "convergence": ["0", "1us", "never", "-1us"],
            "detection": ["0", "3us", "never", "auto"],
            "failRate": ["0.1", "1", "2", "0"],
            "rho": ["max", "1", "0.5", "0"],
            "transport": ["spray", "mrc"],
            "workload": ["tornado", "all-to-all"],
            "balancer": [self.listed("balancer")],
            "recovery": [self.listed("recovery")],
        }
        for name in self.dice.sample(sorted(more), self.dice.randint(0, 3)):
            self.options.append(f"--{name}={self.dice.choice(more[name])}")

    def damage_arrivals(self):
        """A distribution of lengths, and the options of arrivals and of ordered messages."""
        self.options = [*FOUR_HOSTS, "--cdf=sizes.csv"]
        self.files["sizes.csv"] = self.damaged(SIZES) if self.dice.random() < 0.5 else SIZES
        usual = {"load": "0.6", "duration": "2us", "ordered": "2", "workload": "poisson", "balancer": "host-random"}
        for name, value in usual.items():
            if name in ("duration", "balancer") or self.dice.random() < 0.5:
                damaged = self.dice.choice([self.value(), self.mutated(value)])
                self.options.append(f"--{name}={damaged if self.dice.random() < 0.1 else value}")

    def damage_flows(self):
        self.options = [*FOUR_HOSTS, "--flows=flows.csv"]
        self.files["flows.csv"] = self.damaged(FLOWS)

    def damage_training(self):
        self.options = [*FOUR_HOSTS, "--training=training.toml"]
        self.files["training.toml"] = self.damaged(TRAINING)

    def damage_chakra(self):
        self.options = [*FOUR_HOSTS, "--chakra=t", "--chakraGroups=groups.json"]
        self.files["groups.json"] = GROUPS
        self.files.update((f"t.{rank}.et", trace()) for rank in range(2))
        victim = self.dice.choice(sorted(self.files))
        self.files[victim] = self.damaged(self.files[victim])

    def damage_goal(self):
        self.options = [*FOUR_HOSTS, "--goal=ranks.goal"]
        self.files["ranks.goal"] = self.damaged(GOAL)

    def damage_placement(self):
        self.options = [*FOUR_HOSTS, "--workload=all-reduce", "--size=16KiB"]
        self.options += ["--placement=placement", "--communicators=communicators"]
        self.files.update(placement=PLACEMENT, communicators=COMMUNICATORS)
        victim = self.dice.choice(sorted(self.files))
        self.files[victim] = self.damaged(self.files[victim])

    def damage_cluster(self):
        self.options = [*FOUR_HOSTS, "--cluster=jobs.csv", self.dice.choice(["--gpusPerNode=2", "--onlyJob=b"])]
        self.files["jobs.csv"] = self.damaged(JOBS)

    def damage_aggregation(self):
        """The jobs of in-network aggregation, and its options."""
        algorithm = self.dice.choice(["atp", "esa", "switchml"])
        self.options = [*EIGHT_HOSTS, "--workload=all-reduce", f"--algorithm={algorithm}", "--jobs=jobs.csv"]
        self.files["jobs.csv"] = self.damaged(GRADIENTS) if self.dice.random() < 0.7 else GRADIENTS
        usual = {"slots": "8", "aggregationWindow": "4"}
        if algorithm != "switchml":
            usual |= {"aggregationReach": "9", "resultPath": "switch", "parameterServers": "0,5"}
        for name in self.dice.sample(sorted(usual), self.dice.randint(0, 2)):
            damaged = self.dice.choice([self.value(), self.mutated(usual[name])])
            self.options.append(f"--{name}={damaged if self.dice.random() < 0.2 else usual[name]}")

    def damage_plan(self):
        self.options = [*FOUR_HOSTS, "--size=4KiB", f"--ranks={self.dice.choice([2, 2, 2, 3, 1])}", "--plan=plan"]
        self.files["plan"] = self.damaged(PLAN)

    def damage_folder(self):
        self.options = [*self.dice.choice(FABRICS), "--size=4KiB"]
        name = self.dice.choice(["run.json", "flows.csv", "links.csv", ".partial-12", ".partial-x", "events.csv"])
        makers = {
            "text": lambda path, text: path.write_bytes(text),
            "pipe": lambda path, _: os.mkfifo(path),
            "endless": lambda path, _: path.symlink_to("/dev/zero"),
            "loop": lambda path, _: path.symlink_to(path.name),
            "folder": lambda path, _: (path / "deep").mkdir(parents=True),
        }
        make = self.dice.choice(list(makers.values()))
        text = self.damaged(OLD_RUN.encode())
        is_old = self.dice.random() < 0.5

        def old(out):
            out.mkdir()
            if is_old:
                (out / "run.json").write_text(OLD_RUN)
                (out / name).unlink(missing_ok=True)
            (out / "mine.csv").write_text("mine\n")
            make(out / name, text)

        self.old = old


# What the run alone refuses, as it begins: --check does not look into the folder for results.
ALONE = {"folder": "(--out=)?out: (a folder for results is needed|cannot be written)"}
KINDS = {name.removeprefix("damage_"): call for name, call in vars(Case).items() if name.startswith("damage_")}

# --- Runs -------------------------------------------------------------------------------------------


class Broken(Exception):
    """A case that breaks the law."""


def require(holds, what):
    if not holds:
        raise Broken(what)


def is_shown(text):
    """Whether a terminal may get a text."""
    hidden = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffd"
    return not any(c in hidden or unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in text.replace("\n", ""))


def contents(folder):
    """What is in a folder, without the temporary folders of runs that were killed."""
    found = {}
    for path in sorted(folder.rglob("*")) if folder.exists() else []:
        name = str(path.relative_to(folder))
        if not re.match(r"\.partial-\d+(/|$)", name):
            is_file = path.is_file() and not path.is_symlink()
            found[name] = path.read_bytes() if is_file else oct(path.lstat().st_mode)
    return found


def limited():
    return ["prlimit", f"--as={MOST_BYTES}", f"--cpu={TIMEOUT_S}"] if shutil.which("prlimit") else []


def call(program, case, folder, *more):
    """Runs the program. Returns its status, its output and its lines on stderr, which a terminal may get."""
    try:
        run = subprocess.run(
            [*limited(), program, *case.options, *more, "--out=out"],
            cwd=folder,
            env={**os.environ, **case.variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_S * PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Broken(f"takes more than {TIMEOUT_S * PATIENCE} s") from None
    require(run.returncode not in (-signal.SIGXCPU, -signal.SIGKILL), f"takes more than {TIMEOUT_S} s of a core")
    texts = run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace")
    require(run.returncode in (0, 1, FAILED_MESSAGES), f"status {run.returncode}, {texts[1]!r}")
    for text in texts:
        require(is_shown(text), f"a terminal gets {text!r}")
    lines = [line for line in texts[1].splitlines() if not line.startswith(DEBUG_NOTICE)]
    return run.returncode, texts[0], lines


def end_of(program, case, folder):
    """How a case ends."""
    out = folder / "out"
    case.old(out)
    before = contents(out)
    status, said, lines = call(program, case, folder, "--check")
    require(contents(out) == before, "--check writes")
    hops = re.search(r"(\d+) packet-hops", said)
    if status == 0 and hops and int(hops[1]) > MOST_HOPS:
        return "large"
    checked = status
    status, said, lines = call(program, case, folder)
    require(not list(out.glob(".partial-*[0-9]")) or status == 1 or case.kind == "folder", "a .partial folder stays")
    if status in (0, FAILED_MESSAGES):
        require(bool(lines) == bool(status), f"says {lines} of a success")
        if "results" not in said and not out.exists():
            return "answered"  # a list, such as --balancer=help
        summary = json.loads((out / "run.json").read_text())
        require(all((out / name).is_file() for name in summary["files"]), "a file is not there")
        kept = before if "run.json" not in before else {"mine.csv": before["mine.csv"]}
        require(kept.items() <= contents(out).items(), "a file of the user is gone")
        return "failed" if status else "completed"
    require(contents(out) == before, "the folder is not as it was")
    require(bool(before) or not out.exists(), "a folder stays")
    require(lines and lines[0].startswith(PREFIX), f"says {lines}")
    if lines[0].startswith(PREFIX + "stalled after"):
        return "stalled"
    require(len(lines) == 1, f"says {lines}")
    require(lines[0].count(": ") > 0 and len(lines[0]) > len(PREFIX) + 10, f"says {lines}")
    require("msg=" not in lines[0] and "aborted" not in lines[0], f"says {lines}")
    is_known = case.kind in ALONE and re.match(PREFIX + ALONE[case.kind], lines[0])
    require(checked or is_known, f"--check accepts what the run refuses: {lines[0]}")
    return "refused" if checked else "refused by the run alone"


def check_case(program, seed, number, ask):
    """Checks the case of a number. Returns its kind and how it ended."""
    case = Case(random.Random(f"{seed}-{number}"), ask)
    with tempfile.TemporaryDirectory(prefix="ai-fabric-fuzz-") as name:
        folder = Path(name)
        for file, data in case.files.items():
            (folder / file).write_bytes(data)
        try:
            return f"{case.kind}: {end_of(program, case, folder)}"
        except (Broken, ValueError, OSError) as error:
            files = "".join(f"\n{file}: {data!r}" for file, data in case.files.items())
            what = f"{case.kind}, {case.variables or ''} {shlex.join(case.options)}{files}"
            again = f"fuzz.py --program={program} --seed={seed} --first={number} --cases=1"
            raise AssertionError(f"{what}\n{type(error).__name__}: {error}\nagain: {again}") from error


def check_cases(program, numbers, seed=0, jobs=1):
    """Checks many cases. Returns how often each end of each kind was seen."""
    told = {}

    def ask(*options):
        if options not in told:
            run = subprocess.run([program, *options], capture_output=True, text=True, check=True, timeout=60)
            told[options] = run.stdout.splitlines()
        return told[options]

    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        cases = [pool.submit(check_case, program, seed, number, ask) for number in numbers]
        try:
            for case in concurrent.futures.as_completed(cases):
                counts[case.result()] += 1
        finally:
            pool.shutdown(cancel_futures=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, help="ai-fabric-run")
    parser.add_argument("--cases", type=int, default=1000, help="how many")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--seed", type=int, default=0, help="other cases (0)")
    arguments = parser.parse_args()
    if not shutil.which(arguments.program):
        parser.error(f"--program={arguments.program}: not a program")
    numbers = range(arguments.first, arguments.first + arguments.cases)
    try:
        counts = check_cases(arguments.program.resolve(), numbers, arguments.seed, arguments.jobs)
    except AssertionError as error:
        sys.exit(f"fuzz.py: {error}")
    for name, count in sorted(counts.items()):
        print(f"{count:7} {name}")


if __name__ == "__main__":
    main()
