# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Schedules in GOAL: what they mean, beside the same iteration in TOML, and what is refused."""

import json
import random

import pytest
from goal_schedules import Operation, binary_of, text_of
from harness import COST, ROOT, call, needs_program, refusal, rows, stderr_lines, succeed

pytestmark = needs_program

FOUR = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2"
SMALL = 65536  # bytes


def write_goal(folder, *ranks, name="s.goal"):
    """Ranks as texts, or as lists of operations."""
    if isinstance(ranks[0], str):
        text = f"num_ranks {len(ranks)}\n" + "".join(f"rank {i} {{\n{own}\n}}\n" for i, own in enumerate(ranks))
    else:
        text = text_of(ranks)
    (folder / name).write_text(text)
    return f"--goal={name}"


def times_of(folder):
    """When operations began and ended, in ns, by host and name."""
    return {
        (int(row["host"]), row["name"]): (float(row["start_ns"]), float(row["end_ns"]))
        for row in rows(folder, "nodes")
    }


def times(folder, *ranks, more=()):
    """The times of a schedule."""
    succeed(folder, *FOUR, "--nodeTimes", write_goal(folder, *ranks), *more)
    return times_of(folder)


# --- A synthetic iteration of 128 ranks, in TOML and in GOAL --------------------------------------


class Iteration:
    """Steps of hosts: a pipeline of 8 stages, 16 times, whose replicas then exchange halves of their gradients."""

    RANKS, STAGES = 128, 8

    def __init__(self):
        self.steps = []  # name, hosts, nanoseconds or bytes, names of the steps before
        self.dice = random.Random(5)
        self.last = {}  # by host: its latest computation
        for batch in range(2):
            for stage in range(self.STAGES):
                self.compute(f"f{batch}", stage, stage - 1)
        for batch in range(2):
            for stage in reversed(range(self.STAGES)):
                self.compute(f"b{batch}", stage, stage + 1 if stage + 1 < self.STAGES else None)
        for bit in range(4):
            self.exchange(bit)

    def compute(self, name, stage, before):
        """A stage computes when it has what the one before has computed, and sends what it has computed."""
        for rank in range(stage, self.RANKS, self.STAGES):
            source = None if before is None or before < 0 else rank - stage + before
            awaited = [self.last[rank]] if rank in self.last else []
            if source is not None:
                message = f"{name}_{source}_{rank}"
                self.steps.append((message, (source, rank), SMALL, [f"{name}_{source}"]))
                awaited.append(message)
            own = f"{name}_{rank}"
            self.steps.append((own, (rank,), self.dice.randint(1000, 9000), awaited))
            self.last[rank] = own

    def exchange(self, bit):
        """Ranks whose replicas differ in a bit send each other half of what they have, and add it up."""
        others = {rank: rank ^ self.STAGES << bit for rank in range(self.RANKS)}
        for rank, other in others.items():
            self.steps.append((f"x{bit}_{rank}", (rank, other), 4 * SMALL >> bit, [self.last[rank]]))
        for rank, other in others.items():
            own = f"a{bit}_{rank}"
            self.steps.append((own, (rank,), 700, [f"x{bit}_{rank}", f"x{bit}_{other}"]))
            self.last[rank] = own

    def toml(self):
        lines = [f'[[communicator]]\nname = "h{rank}"\nhosts = [{rank}]' for rank in range(self.RANKS)]
        lines.append("[[phase]]\nsteps = [")
        for name, hosts, size, awaited in self.steps:
            what = f'compute = "{size}ns", on = "h{hosts[0]}"'
            if len(hosts) == 2:
                what = f"from = {hosts[0]}, to = {hosts[1]}, bytes = {size}"
            lines.append(f'{{ name = "{name}", {what}, after = {json.dumps(awaited)} }},')
        return "\n".join([*lines, "]", ""])

    def ranks(self):
        """The operations of each rank, which waits for those of its own."""
        ranks = [[] for _ in range(self.RANKS)]
        places = [{} for _ in range(self.RANKS)]

        def add(rank, name, awaited, kind, size, peer=0):
            ends = [places[rank][other] for other in awaited if other in places[rank]]
            places[rank][name] = len(ranks[rank])
            ranks[rank].append(Operation(kind, size, peer, ends=sorted(ends), label=name))

        for name, hosts, size, awaited in self.steps:
            if len(hosts) == 1:
                add(hosts[0], name, awaited, "calc", size)
            else:
                add(hosts[0], name, awaited, "send", size, hosts[1])
                add(hosts[1], name, awaited, "recv", size, hosts[0])
        return ranks


def left_by(folder, *options):
    """The results of a run, without its cost; its tables, without what does an operation."""
    results = succeed(folder, "--topology=leaf-spine", "--leaves=8", "--spines=8", "--hostsPerLeaf=16", *options)["results"]
    for key in COST:
        results.pop(key)
    nodes = [{**row, "unit": "", "stream": ""} for row in rows(folder, "nodes")]
    return results, nodes, (folder / "out/flows.csv").read_bytes(), (folder / "out/links.csv").read_bytes()


def test_an_iteration_of_128_ranks_takes_as_long_in_goal_as_in_toml(tmp_path):
    """To the picosecond: all messages, all computations, all ports."""
    iteration = Iteration()
    ranks = iteration.ranks()
    (tmp_path / "t.toml").write_text(iteration.toml())
    (tmp_path / "s.bin").write_bytes(binary_of(ranks))
    more = "--nodeTimes", "--balancer=rsq"
    results, nodes, *tables = left_by(tmp_path, "--training=t.toml", *more)
    assert results["messages"] == 2 * 2 * 7 * 16 + 4 * 128 and results["cct_ns"] > 100_000
    assert left_by(tmp_path, write_goal(tmp_path, *ranks), *more) == (results, nodes, *tables)
    same = left_by(tmp_path, "--goal=s.bin", *more)
    assert same[0] == results and list(same[2:]) == tables  # there are no labels
    windows = left_by(tmp_path, write_goal(tmp_path, *ranks), *more, "--threads=2")
    assert windows[1] == nodes and list(windows[2:]) == tables


# --- What a schedule means ------------------------------------------------------------------------


def test_operations_wait_for_ends_and_begins(tmp_path):
    first = "a: calc 1000\nb: calc 500 cpu 1\nb requires a\nc: calc 300 cpu 2\nc irequires b\nd: calc 10 cpu 3\nd irequires a"
    seen = times(tmp_path, first)
    assert seen == {(0, "a"): (0, 1000), (0, "b"): (1000, 1500), (0, "c"): (1000, 1300), (0, "d"): (0, 10)}


def test_a_begin_may_wait_for_a_cpu(tmp_path):
    """What waits for the begin of an operation waits for the CPU with it."""
    seen = times(tmp_path, "a: calc 1000\nb: calc 500\nc: calc 1 cpu 1\nc irequires b")
    assert seen[0, "b"] == (1000, 1500) and seen[0, "c"] == (1000, 1001)


def test_begins_follow_each_other_at_once(tmp_path):
    """However many there are."""
    count = 50_000
    lines = ["l0: calc 1000"]
    lines += [f"l{i}: calc 0 cpu {i % 7}\nl{i} irequires l{i - 1}" for i in range(1, count)]
    seen = times(tmp_path, "\n".join(lines))
    assert len(seen) == count and seen[0, "l1"] == (0, 0) and max(end for _, end in seen.values()) == 1000


def test_a_cpu_does_one_calculation_at_a_time(tmp_path):
    """The first of the program that is ready; messages occupy none."""
    one = "a: calc 100 cpu 4\nb: calc 100 cpu 4\nc: calc 100 cpu 5\nsend 8b to 1 cpu 4"
    seen = times(tmp_path, one, "recv 8b from 0")
    assert (seen[0, "a"], seen[0, "b"], seen[0, "c"]) == ((0, 100), (100, 200), (0, 100))
    assert seen[0, "send"][0] == 0
    (cpu,) = {row["stream"] for row in rows(tmp_path, "nodes") if row["name"] == "b"}
    assert cpu == "4"


def test_messages_of_a_tag_match_in_order(tmp_path):
    """A receive that comes first in the program takes what was sent first with its tag."""
    sender = "a: send 100000b to 1 tag 3\nb: send 8b to 1 tag 4\nc: send 16b to 1 tag 3\nc requires b"
    receiver = "x: recv 8b from 0 tag 4\ny: recv 100000b from 0 tag 3\nz: recv 16b from 0 tag 3\ny requires x"
    seen = times(tmp_path, sender, receiver)
    came = {row["bytes"]: float(row["received_ns"]) for row in rows(tmp_path, "flows")}
    ends = {name: seen[1, name][1] for name in "xyz"}
    assert ends == {"x": came["8"], "y": max(came["100000"], came["8"]), "z": came["16"]}


def test_a_send_ends_when_it_is_acknowledged(tmp_path):
    seen = times(tmp_path, "a: send 8b to 3\nb: calc 10\nb requires a", "", "", "recv 8b from 0")
    (flow,) = rows(tmp_path, "flows")
    assert seen[0, "a"][1] == seen[0, "b"][0] == float(flow["completed_ns"])
    assert seen[3, "recv"][1] == float(flow["received_ns"])


def test_ranks_may_be_elsewhere_and_fewer(tmp_path):
    ranks = "send 8b to 1", "recv 8b from 0"
    succeed(tmp_path, *FOUR, write_goal(tmp_path, *ranks))
    assert [(row["source"], row["destination"]) for row in rows(tmp_path, "flows")] == [("0", "1")]
    (tmp_path / "hosts").write_text("3\n1\n")
    succeed(tmp_path, *FOUR, write_goal(tmp_path, *ranks), "--placement=hosts")
    assert [(row["source"], row["destination"]) for row in rows(tmp_path, "flows")] == [("3", "1")]
    write_goal(tmp_path, *ranks, "calc 1", name="three.goal")
    assert "there are hosts for 1..2 ranks" in refusal(tmp_path, *FOUR, "--goal=three.goal", "--placement=hosts")
    said = refusal(tmp_path, *FOUR, "--goal=s.goal", "--jobRanks=4")
    assert said == "--jobRanks=4: 2, num_ranks of the file, or auto"


def test_a_nic_above_0_is_noted(tmp_path):
    run = call(tmp_path, *FOUR, write_goal(tmp_path, "send 8b to 1 nic 1", "recv 8b from 0 nic 1"))
    assert "2 messages name a nic above 0, and use the one of their host" in run.stdout


def test_jobs_may_be_schedules(tmp_path):
    """In text and binary, several times, one after the other, beside a job of collectives."""
    ranks = [
        [Operation("calc", 5000, label="work"), Operation("send", 9, 1, ends=[0]), Operation("calc", 1, begins=[1])],
        [Operation("recv", 9)],
    ]
    write_goal(tmp_path, *ranks, name="p.goal")
    (tmp_path / "p.bin").write_bytes(binary_of(ranks))
    head = "name,ranks,placement,arrival_ns,program,iterations,collective,bytes,compute_ns,after\n"
    lines = "a,2,packed,0,p.goal,2,,,,\n", "b,2,packed,0,p.bin,1,,,,a\n", "c,2,packed,0,,1,all-reduce,4096,0,\n"
    (tmp_path / "jobs.csv").write_text(head + "".join(lines))
    fabric = "--topology=leaf-spine", "--leaves=2", "--hostsPerLeaf=4"
    summary = succeed(tmp_path, *fabric, "--cluster=jobs.csv", "--nodeTimes")
    assert sorted(path.split("/")[-1] for path in summary["inputs"]["cluster"]["sha256"]) == ["jobs.csv", "p.bin", "p.goal"]
    begins = [float(row["start_ns"]) for row in rows(tmp_path, "nodes") if row["name"] == "a/work"]
    assert begins[0] == 0 and begins[1] > 5000
    (second,) = [row for row in rows(tmp_path, "nodes") if row["name"] == "b/calc" and row["end_ns"] != row["start_ns"]][:1]
    assert float(second["start_ns"]) > begins[1] + 5000


def test_iterations_follow_each_other(tmp_path):
    """Each begins when all ranks have ended the one before."""
    goal = write_goal(tmp_path, "a: calc 1000\nb: send 9b to 1\nb irequires a", "x: recv 9b from 0\ny: calc 5\ny requires x")
    summary = succeed(tmp_path, *FOUR, goal, "--iterations=3", "--nodeTimes")
    ends = [float(row["end_ns"]) for row in rows(tmp_path, "iterations")]
    begins = sorted(float(row["start_ns"]) for row in rows(tmp_path, "nodes") if row["name"] == "a")
    assert len(ends) == 3 and begins == [0, *ends[:2]] and summary["results"]["messages"] == 3


def test_the_sample_is_a_pipeline(tmp_path):
    """As scenarios/pipeline.toml, with as many micro-batches."""
    fabric = *FOUR, "--balancer=rsq"
    goal = succeed(tmp_path, *fabric, f"--goal={ROOT}/scenarios/pipeline.goal")["results"]["cct_ns"]
    toml = succeed(tmp_path, *fabric, f"--training={ROOT}/scenarios/pipeline.toml")["results"]["cct_ns"]
    assert goal == toml


# --- Bad input ------------------------------------------------------------------------------------


BAD = {
    "num_ranks 2": "there is no operation",
    "": "s.goal:1: the end of the file stands where num_ranks is expected",
    "num_ranks 9": "s.goal:1: num_ranks 9: there are hosts for 1..4 ranks",
    "num_ranks 2\nrank 0 {\nrecv 8b from -1\n}": "s.goal:3: recv from -1: any rank is not supported (0..1)",
    "num_ranks 2\nrank 0 {\na: calc 1\na requires b\n}": "s.goal:4: 'b' stands where a label of a line before",
    "num_ranks 2\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb irequires a\n}": "host 0, node 0 'a'; host 0, node 1 'b'",
    "num_ranks 2\nrank 0 {\na: recv 8b from 1\n}": "0 are sent and 1 received; host 0, node 0 'a' has no partner",
    "num_ranks 2\nrank 0 {\ncalc 1 \x1b[31m\n}": "s.goal:3: ",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_schedules(tmp_path, text):
    (tmp_path / "s.goal").write_text(text)
    said = refusal(tmp_path, *FOUR, "--goal=s.goal")
    assert said.startswith("--goal: s.goal:") and BAD[text] in said


def test_bad_options(tmp_path):
    goal = write_goal(tmp_path, "send 8b to 1", "recv 8b from 0")
    for options in "--size=4", "--repeat=2", "--root=1", "--senders=2", "--jitter=1us", "--onlyJob=a", "--queuePairPerFlow":
        assert refusal(tmp_path, *FOUR, goal, options).startswith(options.partition("=")[0])
    assert refusal(tmp_path, *FOUR, goal, "--fidelity=fluid", "--balancer=rsq").startswith("--goal=s.goal: ")
    assert refusal(tmp_path, *FOUR, "--workload=goal") == "--workload=goal: needs --goal=FILE"
    assert "missing.goal" in refusal(tmp_path, *FOUR, "--goal=missing.goal")
    assert refusal(tmp_path, *FOUR, goal, "--flows=f.csv").startswith("--flows=f.csv: not with --workload=goal")


def test_damaged_schedules_end_in_one_line(tmp_path):
    """The reader runs or refuses whatever it is given."""
    dice = random.Random(9)
    ranks = [
        [Operation("calc", 700), Operation("send", 900, 1, 4, ends=[0]), Operation("recv", 8, 1, begins=[0])],
        [Operation("recv", 900, 0, 4, cpu=1), Operation("send", 8, 0, ends=[0]), Operation("calc", 2, cpu=1)],
    ]
    statuses = set()
    for number in range(300):
        data = bytearray(text_of(ranks).encode() if number % 2 else binary_of(ranks))
        for _ in range(dice.randint(1, 3)):
            at = dice.randrange(len(data))
            change = dice.choice(["set", "set", "cut", "double", "number"])
            if change == "set":
                data[at] = dice.choice([0, 1, 10, 45, 47, 123, 125, 255, data[at] ^ 1])
            elif change == "cut":
                del data[at : at + dice.randint(1, 40)]
            elif change == "double":
                data[at:at] = data[at : at + dice.randint(1, 40)]
            else:
                data[at:at] = dice.choice([b"99999999999999999999", b"-1", b"4294967295", b"\xff\xff\xff\xff"])
            if not data:
                break
        (tmp_path / "s.goal").write_bytes(data)
        run = call(tmp_path, *FOUR, "--goal=s.goal", "--check", timeout=60)
        assert run.returncode in (0, 1), (number, run.returncode, run.stderr)
        assert len(stderr_lines(run)) == run.returncode, (number, run.stderr)
        statuses.add(run.returncode)
    assert statuses == {0, 1}
