# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Scenarios that --fidelity=fluid takes with several balancers, drawn at random: whether it puts them in the order of
packets wherever packets differ by more than 3 %.

As a program, prints each pair: fluid_orders.py COUNT [SEED] [TRAFFIC...]
"""

import itertools
import random
import sys
import tempfile
from pathlib import Path

import fluid_scenarios as fluid

APART = 0.03  # of the shorter time; packets that differ by less have no order
# By traffic: shapes of the fabric, and what hosts send.
TRAFFIC = {
    "ring": (fluid.SHAPES, fluid.ecmp_ring),
    "halving": (fluid.POWERS, fluid.ecmp_halving),
    "all-to-all": (fluid.SHAPES, fluid.all_to_all),
    "training": (fluid.POWERS, fluid.training),
}
BALANCERS = ["ecmp", "ofan", "host-dr", "rsq", "rr"]


def draw_scenario(kind, draw, folder):
    """The options of a scenario but for its balancer, and the balancers with which fluid takes it: two at least."""
    shapes, traffic = TRAFFIC[kind]
    shape = draw.choice(shapes)
    options = shape + traffic(draw, fluid.count_hosts(shape), folder) + ["--buffer=1GB"]
    options = [given for given in options if not given.startswith("--placement")]
    options += [f"--planes={draw.choice([2, 4])}"] if draw.random() < 0.3 else []
    if draw.random() < 0.4:
        options += [*fluid.draw_faults(draw), "--convergence=0ns"]
    options += [f"--rate={draw.choice([100, 200, 400])}Gb/s"] if draw.random() < 0.4 else []
    options += [f"--delay={draw.choice([200, 1000])}ns"] if draw.random() < 0.4 else []
    taken = [name for name in BALANCERS if fluid.is_taken([*options, "--balancer=" + name], folder)]
    return (options, taken) if len(taken) > 1 else draw_scenario(kind, draw, folder)


def times_of(options, balancers, fidelity, folder):
    """The completion time of a scenario with each balancer, in ns."""
    return {name: fluid.run([*options, "--balancer=" + name], fidelity, folder)["cct_ns"] for name in balancers}


def compare(packets, fluid_times):
    """Pairs of balancers that packets put apart: (faster, slower, by how much in percent, whether fluid agrees)."""
    pairs = itertools.permutations(packets, 2)
    return [(one, other, 100 * (packets[other] / packets[one] - 1), fluid_times[one] < fluid_times[other])
            for one, other in pairs if packets[other] > packets[one] * (1 + APART)]


def judge(kind, draw, folder):
    """A scenario's options, and its pairs."""
    options, balancers = draw_scenario(kind, draw, folder)
    packets, rates = (times_of(options, balancers, fidelity, folder) for fidelity in ("packets", "fluid"))
    return options, compare(packets, rates)


def main():
    count = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    for kind in sys.argv[3:] or TRAFFIC:
        draw = random.Random(f"order {kind} {seed}")
        found = []
        for _ in range(count):
            with tempfile.TemporaryDirectory() as folder:
                options, pairs = judge(kind, draw, Path(folder))
            found += pairs
            for one, other, percent, agrees in pairs:
                print(f"{kind:12} {one} < {other} by {percent:.1f} %: {'yes' if agrees else 'NO'} {' '.join(options)}", flush=True)
        agreed = sum(agrees for *_, agrees in found)
        print(f"{kind}: {count} scenarios, {len(found)} pairs that differ by more than 3 %, {agreed} in the same order", flush=True)


if __name__ == "__main__":
    main()
