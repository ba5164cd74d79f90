# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Scenarios that --fidelity=fluid takes, drawn at random, and how far it is from packets.

As a program, prints the errors by class: fluid_scenarios.py COUNT [SEED] [CLASS...]
"""

import functools
import random
import statistics
import sys
import tempfile
from pathlib import Path

from harness import call, rows, succeed

SHAPES = [
    ["--topology=fat-tree", "--k=4"],
    ["--topology=fat-tree", "--k=6"],
    ["--topology=leaf-spine", "--leaves=4", "--spines=4", "--hostsPerLeaf=4"],
    ["--topology=leaf-spine", "--leaves=8", "--spines=8", "--hostsPerLeaf=8"],
    ["--topology=leaf-spine", "--leaves=8", "--spines=4", "--hostsPerLeaf=4"],
    ["--topology=leaf-spine", "--leaves=4", "--spines=8", "--hostsPerLeaf=8"],
    ["--topology=three-tier", "--pods=4", "--leavesPerPod=2", "--spinesPerPod=4", "--cores=8", "--hostsPerLeaf=4"],
    ["--topology=three-tier", "--pods=2", "--leavesPerPod=4", "--spinesPerPod=4", "--cores=16", "--hostsPerLeaf=4"],
]
POWERS = [shape for shape in SHAPES if "--k=6" not in shape]  # their hosts are a power of two
LARGE = [  # more than 4,096 messages of an all-to-all at once, whose rates are computed less often
    ["--topology=leaf-spine", "--leaves=16", "--spines=8", "--hostsPerLeaf=8"],
    ["--topology=three-tier", "--pods=4", "--leavesPerPod=4", "--spinesPerPod=8", "--cores=32", "--hostsPerLeaf=8"],
]
NARROW = [  # fewer uplinks than hosts
    ["--topology=leaf-spine", "--leaves=4", "--spines=2", "--hostsPerLeaf=4"],
    ["--topology=leaf-spine", "--leaves=4", "--spines=2", "--hostsPerLeaf=8"],
    ["--topology=leaf-spine", "--leaves=2", "--spines=1", "--hostsPerLeaf=4"],
]
FEW = [  # of which packets take a second
    ["--topology=fat-tree", "--k=4"],
    ["--topology=leaf-spine", "--leaves=4", "--spines=4", "--hostsPerLeaf=4"],
    ["--topology=leaf-spine", "--leaves=2", "--spines=8", "--hostsPerLeaf=8"],
    ["--topology=three-tier", "--pods=2", "--leavesPerPod=2", "--spinesPerPod=4", "--cores=8", "--hostsPerLeaf=4"],
]
EVEN = ["ofan", "host-dr"]
SPRAYED = EVEN + ["rsq", "jsq", "rr", "simple-rr", "host-random", "host-permuted", "host-counter"]
RINGS = ["all-reduce", "all-gather", "reduce-scatter"]


def count_hosts(shape):
    """The hosts of a fabric of SHAPES."""
    number = {name: int(value) for name, value in (option[2:].split("=") for option in shape[1:])}
    if "k" in number:
        return number["k"] ** 3 // 4
    leaves = number.get("leaves") or number["pods"] * number["leavesPerPod"]
    return leaves * number["hostsPerLeaf"]


def ring(draw, hosts, folder):
    size = draw.choice(["1MiB", "3MiB", "8MiB"])
    return [f"--workload={draw.choice(RINGS)}", "--algorithm=ring", "--size=" + size, f"--channels={draw.choice([1, 1, 2, 4])}"]


def halving(draw, hosts, folder):
    algorithm = draw.choice(["halving-doubling", "recursive-doubling"])
    return ["--workload=all-reduce", "--algorithm=" + algorithm, "--size=" + draw.choice(["256KiB", "1MiB", "5MB"])]


def all_to_all(draw, hosts, folder):
    return ["--workload=all-to-all", "--algorithm=direct", "--size=" + draw.choice(["256KiB", "600kB", "1MiB"])]


def training(draw, hosts, folder):
    """An iteration: its groups are those of two dimensions, written down, those of up to three, or any."""
    file = folder / "job.toml"
    file.write_text(draw.choice([two_dimensions, dimensions, groups])(draw, hosts))
    return [f"--training={file}"]


def dimensions(draw, hosts):
    """Up to three dimensions in any order."""
    tp, pp = draw.choice([(tp, pp) for tp in (1, 2, 4, 8) for pp in (1, 2, 4) if tp * pp <= hosts])
    schedule = draw.choice(["1f1b", "gpipe", "interleaved"]) if pp > 1 else "1f1b"
    return f"""
[parallelism]
tp = {tp}
pp = {pp}
order = {draw.sample(["tp", "dp", "pp"], 3)}
microbatches = {draw.choice([pp, 2 * pp])}
schedule = "{schedule}"
sequenceParallel = {draw.choice(["true", "false"])}
gradients = "{draw.choice(["all-reduce", "reduce-scatter"])}"
[model]
activations = "{draw.choice(["512KiB", "1MiB", "4MiB"])}"
optimizer = "50us"
[[model.layers]]
name = "layer"
repeat = {2 * pp}
forward = "{draw.choice([1, 20, 60])}us"
tensor = "{draw.choice([2, 4])}MiB"
parameters = "{draw.choice([4, 8, 32])}MiB"
"""


def groups(draw, hosts):
    """Rings of any hosts in any order at the same time, of which some hosts are in many and others in none; then messages
    from any host to any other."""
    text = []
    rings = range(draw.choice([1, 2, 4]))
    for ring_ in rings:
        ranks = draw.sample(range(hosts), draw.choice([2, hosts // 2, hosts]))
        text += [f'[[communicator]]\nname = "ring {ring_}"\nhosts = {draw.choice([ranks, sorted(ranks)])}']
    size, kind = draw.choice([6, 16]), draw.choice(RINGS)
    text += [f'[[phase]]\nname = "rings"\nrepeat = {draw.choice([1, 3])}\nsteps = [', '    { name = "work", compute = "20us" },']
    text += [f'    {{ collective = "{kind}", bytes = "{size}MiB", on = "ring {ring_}", after = ["work"] }},' for ring_ in rings]
    text += ["]", '[[phase]]\nname = "messages"\nsteps = [']
    for _ in range(draw.choice([0, hosts, 2 * hosts])):
        source, destination = draw.sample(range(hosts), 2)
        text += [f"    {{ from = {source}, to = {destination}, bytes = \"600kB\" }},"]
    return "\n".join([*text, '    { compute = "1us" },', "]"]) + "\n"


def two_dimensions(draw, hosts):
    """Rings of neighbours (tensor parallel) and of every N-th host (data parallel), which overlap with compute, and
    messages from one half of the hosts to the other."""
    width, compute = draw.choice([2, 4, 8]), draw.choice([20, 50, 100])
    tensor, data = draw.choice(["1MiB", "4MiB"]), draw.choice(["2MiB", "8MiB"])
    groups = {f"tensor {i}": list(range(i * width, (i + 1) * width)) for i in range(hosts // width)}
    groups.update({f"data {i}": list(range(i, hosts, width)) for i in range(width)})
    text = [f'[[communicator]]\nname = "{name}"\nhosts = {ranks}' for name, ranks in groups.items()]
    for name, times in ("forward", 1), ("backward", 2):
        text += [f'[[phase]]\nname = "{name}"\nrepeat = {draw.choice([2, 4])}\nsteps = [']
        text += [f'    {{ name = "{name}", compute = "{times * compute}us", after = ["tensor {name}"] }},']
        for on in groups:
            kind, size = on.split()[0], tensor if on.startswith("tensor") else data
            after = name if kind == "tensor" else f"tensor {name}"
            if kind == "tensor" or times == 2:
                text += [f'    {{ name = "{kind} {name}", collective = "all-reduce", bytes = "{size}", on = "{on}",']
                text[-1] += f' after = ["{after}", "{kind} {name}"] }},'
        text += ["]"]
        if times == 1 and draw.random() < 0.5:
            text += ['[[phase]]\nname = "messages"\nsteps = [']
            text += [f"    {{ from = {i}, to = {i + hosts // 2}, bytes = \"1MiB\" }}," for i in range(hosts // 2)] + ["]"]
    return "\n".join(text) + "\n"


def cluster(draw, hosts, placements):
    """Two to four jobs that share the fabric, of collectives and compute, or a training iteration."""
    left, rows = hosts, ["name,ranks,placement,arrival_ns,program,collective,bytes,iterations,compute_ns"]
    for number in range(draw.choice([2, 3, 4])):
        ranks = draw.choice([size for size in (2, 4, 8, 12, 16, 32) if size <= min(left, hosts // 2)] or [0])
        arrival = draw.choice([0, 0, 10_000, 150_000])
        work = f",{draw.choice(RINGS)},{draw.choice([1, 4, 16]) << 20},{draw.choice([1, 2, 4])},{draw.choice([0, 20_000, 100_000])}"
        if ranks in (8, 16, 32) and draw.random() < 0.5:
            work = f"{draw.choice(['dense', 'experts'])}.toml,,,1,"
        if ranks:
            rows.append(f"job-{number},{ranks},{draw.choice(placements)},{arrival},{work}")
        left -= ranks
    return "\n".join(rows) + "\n"


def jobs(draw, hosts, folder, placements=("packed",)):
    (folder / "jobs.csv").write_text(cluster(draw, hosts, placements))
    (folder / "dense.toml").write_text(dimensions(draw, 8))
    (folder / "experts.toml").write_text(mixture(draw, 8))
    return [f"--cluster={folder / 'jobs.csv'}"]


SKEWS = ["hot:4", "hot:0.1", "zipf:0.3", "zipf:0.5", "zipf:0.8", "zipf:1.2"]


def skewed(draw, hosts, folder):
    """An all-to-all that loads some ranks more than others, as tokens load experts."""
    sizes = ["256KiB"] if hosts > 64 else ["256KiB", "600kB", "1MiB"]
    return ["--workload=all-to-all", "--skew=" + draw.choice(SKEWS), "--size=" + draw.choice(sizes)]


def experts(draw, hosts, folder):
    file = folder / "experts.toml"
    file.write_text(mixture(draw, hosts))
    return [f"--training={file}"]


def mixture(draw, hosts):
    """An iteration of a mixture of experts in up to four dimensions."""
    tp, pp = draw.choice([1, 2]), draw.choice([1, 2])
    ep = draw.choice([ranks for ranks in (2, 4, 8, 16) if hosts // (tp * pp) % ranks == 0 and (ranks > 2 or hosts == 8)])
    return f"""
[parallelism]
tp = {tp}
pp = {pp}
ep = {ep}
microbatches = {draw.choice([1, 2])}
sequenceParallel = {draw.choice(["true", "false"])}
gradients = "{draw.choice(["all-reduce", "reduce-scatter"])}"
[model]
activations = "2MiB"
optimizer = "50us"
[[model.layers]]
name = "layer"
repeat = 2
forward = "{draw.choice([20, 50, 100])}us"
tensor = "{draw.choice([2, 4])}MiB"
experts = "{draw.choice([4, 8])}MiB"
skew = "{draw.choice(SKEWS)}"
parameters = "16MiB"
expertParameters = "16MiB"
"""


def ecmp_ring(draw, hosts, folder):
    placement = ["--placement=random"] if draw.random() < 0.4 else []
    return [f"--workload={draw.choice(RINGS)}", "--algorithm=ring", "--size=" + draw.choice(["8MiB", "16MiB"])] + placement


def ecmp_halving(draw, hosts, folder):
    algorithm = draw.choice(["halving-doubling", "recursive-doubling"])
    return ["--workload=all-reduce", "--algorithm=" + algorithm, "--size=" + draw.choice(["8MiB", "16MiB"])]


def ecmp_flows(draw, hosts, folder):
    kind = draw.choice(["permutation", "tornado", "all-to-all", "incast"])
    sizes = ["128KiB", "256KiB"] if kind == "all-to-all" else ["256KiB", "1MiB", "4MiB"]
    senders = [f"--senders={draw.choice([3, 7])}"] if kind == "incast" else []
    return [f"--workload={kind}", "--size=" + draw.choice(sizes)] + senders


# By class: shapes of the fabric, balancers, and the traffic.
CLASSES = {
    "ring": (SHAPES, SPRAYED, ring),
    "halving": (POWERS, EVEN, halving),
    "all-to-all": (SHAPES, EVEN, all_to_all),
    "training": (POWERS, EVEN, training),
    "jobs": (POWERS, EVEN, jobs),
    "skewed": (SHAPES + LARGE, EVEN, skewed),
    "experts": (POWERS + LARGE, EVEN, experts),
    "ecmp ring": (SHAPES + NARROW, ["ecmp"], ecmp_ring),
    "ecmp halving": (POWERS + NARROW, ["ecmp"], ecmp_halving),
    "ecmp all-to-all": (SHAPES + NARROW, ["ecmp"], all_to_all),
    "ecmp training": (POWERS, ["ecmp"], training),
    "ecmp experts": (POWERS, ["ecmp"], experts),
    "ecmp jobs": (SHAPES, ["ecmp"], functools.partial(jobs, placements=["packed", "fragmented"])),
    "ecmp flows": (SHAPES + NARROW, ["ecmp"], ecmp_flows),
}
# With several planes: balancers with which NICs take one plane after the other.
PLANED = EVEN + ["rsq", "jsq", "rr", "simple-rr"]
EXTENDED = [kind for kind in CLASSES if kind not in ("skewed", "experts")]
KINDS = list(CLASSES) + ["planes " + kind for kind in EXTENDED] + ["queues ring", "queues all-to-all", "queues training", "queues jobs"]
KINDS += ["nodes " + kind for kind in ("training", "jobs", "experts", "ecmp training", "ecmp experts", "ecmp jobs")]
KINDS += ["faults " + kind for kind in EXTENDED if "ecmp" in kind]
KINDS += ["channels ecmp ring", "channels ecmp all-to-all", "channels ecmp training"]
KINDS += ["steered " + kind for kind in EXTENDED if "ecmp" in kind]
KINDS += ["changes " + kind for kind in EXTENDED if kind not in ("ring", "halving", "all-to-all") and "jobs" not in kind]
# Options that fluid takes, and that the other classes do not draw.
OTHERS = {
    "chunks": ["2", "4"],
    "ip": ["6"],
    "iterations": ["2", "3"],
    "jitter": ["1us", "20us"],
    "jobRanks": ["4", "7", "8"],
    "queuePairPerFlow": ["true"],
    "repeat": ["2", "3"],
    "spineBuffer": ["90MB"],
    "nicRate": ["200Gb/s", "400Gb/s"],
}
KINDS += ["others"]
DEEP = "--buffer=100MB"  # that no queue of these scenarios fills


def draw_faults(draw):
    """Links between switches that are dead or slow from the start."""
    cut, slow = draw.choice([1, 2, 3, 0.1]), f"{draw.choice([1, 2])}*{draw.choice([0.25, 0.5])}"
    return [draw.choice([f"--fail=cables:{cut}@0ns", f"--failRate={draw.choice([0.05, 0.1])}", f"--fail=cables:{slow}@0ns"])]


def draw_nodes(draw, shape):
    """Nodes of several GPUs, each with a NIC, at one leaf or at several."""
    number = dict(option[2:].split("=") for option in shape[1:])
    hosts = int(number.get("hostsPerLeaf") or int(number["k"]) // 2)
    gpus = draw.choice([gpus for gpus in (2, 3, 4, 8) if hosts % gpus == 0])
    leaves = int(number.get("leaves") or 0)
    mapping = ["--nodeMapping=rail"] if leaves % gpus == 0 < leaves and draw.random() < 0.3 else []
    return [f"--gpusPerNode={gpus}", f"--nvlink={draw.choice(['a100', 'h100', 'b200'])}", *mapping]


COUNTS = {"ecmp halving": [], "ecmp jobs": [], "ecmp all-to-all": [2, 4], "ecmp experts": [2, 4], "ecmp flows": [2, 4]}  # of queue pairs


def draw_steering(draw, base, counts):
    """Messages that are divided among queue pairs, or paths, and switches that hash queue pairs."""
    kinds = ["single", "split", "split"] if counts else ["single"]
    if base in ("ecmp all-to-all", "ecmp flows"):
        kinds += ["ethereal", "ethereal"]
    steering = draw.choice(kinds)
    if steering in ("single", "ethereal"):
        return ["--balancer=e-ecmp" if steering == "single" else "--steering=ethereal"]
    balancer = draw.choice(["ecmp", "e-ecmp", "e-ecmp"])
    return ["--steering=" + steering, f"--queuePairs={draw.choice(counts)}", "--balancer=" + balancer]


def draw_changes(draw, base, options, folder):
    """Links between switches that are cut or slow from some time on, for good or until a later one; slow ones may flap."""
    time = run(options, "fluid-unchecked", folder)["cct_ns"]
    begin = draw.uniform(0.1, 0.6) * time
    end = begin + draw.uniform(0.1, 0.6) * time
    cut = [] if base in ("ecmp halving", "ecmp flows") else [""]
    links, change = draw.choice([1, 1, 2, 3]), draw.choice([*cut, "*0.25", "*0.5"])
    fault = f"--fail=cables:{links}{change}@{begin:.0f}ns"
    period = f"-{end:.0f}ns:period={(end - begin) / draw.choice([2, 3, 4]):.0f}ns:duty={draw.choice([0.3, 0.5])}"
    return [fault + draw.choice(["", f"-{end:.0f}ns", *([period] if change else [])]), "--convergence=0ns"]


def draw_special(kind, draw, folder):
    """The options of a scenario of a class with planes, faults, too few links, or several channels, which may have planes
    and faults, too."""
    prefix, base = kind.split(" ", 1)
    shapes, balancers, traffic = CLASSES[base]
    is_steered = prefix == "steered"
    is_small = prefix == "changes" or base == "ecmp all-to-all" and prefix in ("channels", "steered")
    is_small = is_small or is_steered and base in ("ecmp flows", "ecmp experts")
    shape = draw.choice(FEW if is_small else shapes + (NARROW if prefix == "queues" else []))
    balancers = PLANED if balancers == SPRAYED else balancers
    options = [*shape, "--balancer=" + draw.choice(balancers), *traffic(draw, count_hosts(shape), folder)]
    options = [given for given in options if not given.startswith("--channels")]
    if prefix == "nodes":
        options += draw_nodes(draw, shape)
    if prefix == "planes" or kind != "nodes experts" and draw.random() < 0.4:
        options += [f"--planes={draw.choice([2, 4])}"]
    if prefix == "channels":
        options += [f"--channels={draw.choice([2, 3, 4])}"]
    if is_steered:
        options = [given for given in options if not given.startswith("--balancer")]
        options += draw_steering(draw, base, COUNTS.get(base, [2, 4, 16]))
        options += draw_nodes(draw, shape) if base in ("ecmp training", "ecmp jobs") and draw.random() < 0.3 else []
    is_faulty = prefix in ("channels", "steered") or kind.startswith("nodes ecmp")
    if prefix == "faults" or prefix == "queues" and shape not in NARROW or is_faulty and draw.random() < 0.3:
        options += [*draw_faults(draw), "--convergence=0ns"]
    if prefix == "changes":
        options = [given for given in options if not given.startswith("--planes")]
        options += draw_changes(draw, base, [*options, DEEP], folder)
    return options


def is_taken(options, folder):
    """Whether --fidelity=fluid takes a scenario."""
    return call(folder, *options, "--fidelity=fluid", "--check").returncode == 0


def draw_others(draw, folder):
    """A scenario of another class, with an option that is seldom given."""
    option = draw.choice(list(OTHERS))
    given = f"--{option}={draw.choice(OTHERS[option])}"
    kinds = [kind for kind in KINDS if not kind.endswith(("others", "skewed", "experts"))]
    options = [*draw_scenario(draw.choice(kinds), draw, folder), given]
    options = [name for name in options if option != "nicRate" or not name.startswith(("--rate", "--fabricRate"))]
    return options if is_taken(options, folder) else draw_others(draw, folder)


def draw_scenario(kind, draw, folder):
    """The options of a scenario of a class, whose files are in the folder."""
    if kind == "others":
        return draw_others(draw, folder)
    if kind in CLASSES:
        shapes, balancers, traffic = CLASSES[kind]
        shape = draw.choice(shapes)
        options = shape + ["--balancer=" + draw.choice(balancers)] + traffic(draw, count_hosts(shape), folder)
    else:
        options = draw_special(kind, draw, folder)
    has_queues = any(word in kind for word in ("ecmp", "queues", "changes"))
    deep = DEEP if kind in CLASSES else "--buffer=1GB"
    options += ["--buffer=4GB"] if kind.endswith(("skewed", "experts", "training", "jobs")) else [deep] if has_queues else []
    options += [f"--fabricRate={draw.choice([100, 400])}Gb/s"] if has_queues and draw.random() < 0.2 else []
    options += [f"--rate={draw.choice([100, 200, 400])}Gb/s"] if draw.random() < 0.4 else []
    options += [f"--mtu={draw.choice([1024, 8192])}"] if draw.random() < 0.3 else []
    options += [f"--delay={draw.choice([200, 1000])}ns"] if draw.random() < 0.4 else []
    if any("fail" in given for given in options):  # which links
        drawn = " ".join(given for given in options if str(folder) not in given)
        options += [f"--RngRun={random.Random(drawn).randint(1, 999)}"]
    is_known = kind in EXTENDED and kind != "ring" and not kind.endswith(("training", "jobs", "experts"))
    return options if is_known or is_taken(options, folder) else draw_scenario(kind, draw, folder)


def run(options, fidelity, folder):
    """The results of a scenario."""
    return succeed(folder, *options, "--fidelity=" + fidelity, "--sample=0")["results"]


def error_percent(options, folder):
    """By how much the completion time of fluid is above that of packets, in percent, or that of the job which is farthest
    off; the packets dropped."""
    results, times = [], []
    for fidelity in "packets", "fluid":
        results.append(run(options, fidelity, folder))
        jobs_ = rows(folder, "jobs") if any(given.startswith("--cluster") for given in options) else []
        times.append([results[-1]["cct_ns"], *(float(row["jct_ns"]) for row in jobs_)])
    errors = [100 * (ours / theirs - 1) for theirs, ours in zip(*times)]
    return max(errors, key=abs), results[0]["drops"]


def main():
    count = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for kind in sys.argv[3:] or KINDS:
        draw = random.Random(f"{kind} {seed}")
        errors = []
        for _ in range(count):
            with tempfile.TemporaryDirectory() as folder:
                options = draw_scenario(kind, draw, Path(folder))
                error, drops = error_percent(options, Path(folder))
            errors.append(error)
            print(f"{kind:20} {error:+6.2f} % {drops:5} drops {' '.join(options)}", flush=True)
        sizes = [abs(error) for error in errors]
        print(f"{kind}: {count} scenarios, median {statistics.median(sizes):.2f} %, most {max(sizes):.2f} %", flush=True)


if __name__ == "__main__":
    main()
