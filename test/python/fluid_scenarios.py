# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Scenarios that --fidelity=fluid takes, drawn at random, and how far it is from packets.

As a program, prints the errors by class: fluid_scenarios.py COUNT [SEED] [CLASS...]
"""

import random
import statistics
import sys
import tempfile
from pathlib import Path

from harness import succeed

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
EVEN = ["ofan", "host-dr"]
SPRAYED = EVEN + ["rsq", "jsq", "rr", "simple-rr", "host-random", "host-permuted", "host-counter"]
RINGS = ["all-reduce", "all-gather", "reduce-scatter"]


def ring(draw):
    size = draw.choice(["1MiB", "3MiB", "8MiB"])
    return [f"--workload={draw.choice(RINGS)}", "--algorithm=ring", "--size=" + size, f"--channels={draw.choice([1, 1, 2, 4])}"]


def halving(draw):
    algorithm = draw.choice(["halving-doubling", "recursive-doubling"])
    return ["--workload=all-reduce", "--algorithm=" + algorithm, "--size=" + draw.choice(["256KiB", "1MiB", "5MB"])]


def all_to_all(draw):
    return ["--workload=all-to-all", "--algorithm=direct", "--size=" + draw.choice(["256KiB", "600kB", "1MiB"])]


# By class: shapes of the fabric, balancers, and the traffic.
CLASSES = {
    "ring": (SHAPES, SPRAYED, ring),
    "halving": (POWERS, EVEN, halving),
    "all-to-all": (SHAPES, EVEN, all_to_all),
}


def draw_scenario(kind, draw):
    """The options of a scenario of a class."""
    shapes, balancers, traffic = CLASSES[kind]
    options = draw.choice(shapes) + ["--balancer=" + draw.choice(balancers)] + traffic(draw)
    options += [f"--rate={draw.choice([100, 200, 400])}Gb/s"] if draw.random() < 0.4 else []
    options += [f"--mtu={draw.choice([1024, 8192])}"] if draw.random() < 0.3 else []
    return options + ([f"--delay={draw.choice([200, 1000])}ns"] if draw.random() < 0.4 else [])


def run(options, fidelity, folder):
    """The results of a scenario."""
    return succeed(folder, *options, "--fidelity=" + fidelity, "--sample=0")["results"]


def error_percent(options, folder):
    """By how much the completion time of fluid is above that of packets, in percent; the packets dropped."""
    packets, fluid = run(options, "packets", folder), run(options, "fluid", folder)
    return 100 * (fluid["cct_ns"] / packets["cct_ns"] - 1), packets["drops"]


def main():
    count = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for kind in sys.argv[3:] or CLASSES:
        draw = random.Random(f"{kind} {seed}")
        errors = []
        for _ in range(count):
            options = draw_scenario(kind, draw)
            with tempfile.TemporaryDirectory() as folder:
                error, drops = error_percent(options, Path(folder))
            errors.append(error)
            print(f"{kind:12} {error:+6.2f} % {drops:5} drops {' '.join(options)}", flush=True)
        sizes = [abs(error) for error in errors]
        print(f"{kind}: {count} scenarios, median {statistics.median(sizes):.2f} %, most {max(sizes):.2f} %", flush=True)


if __name__ == "__main__":
    main()
