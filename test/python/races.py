#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs of several threads of a program that ThreadSanitizer watches: it ends with status 66 at the first access of two
threads to one place that nothing orders."""

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

STATUS = 66
SHAPE = "--topology=leaf-spine --leaves=4 --spines=3 --hostsPerLeaf=2"
FABRIC = f"{SHAPE} --size=96KiB"
TRAINING = f"{SHAPE} --training={{scenarios}}/"
EMPTY = "start_ns,source,destination,bytes\n" + "".join(f"{i},{i % 8},{(3 * i + 1) % 8},{i % 2}\n" for i in range(64))
RUNS = [
    f"{FABRIC} --workload=permutation --stack=uec --fail=leaf-1:4@5us-20us",
    f"{FABRIC} --workload=incast --senders=6 --stack=roce",
    f"{FABRIC} --workload=all-to-all --stack=mrc --planes=2 --sample=1us",
    f"{FABRIC} --workload=tornado --balancer=reps --marker=step --admission=trimming --steering=split",
    f"{FABRIC} --workload=all-reduce --algorithm=ring --balancer=ofan --iterations=2",
    f"{FABRIC} --workload=all-reduce --algorithm=two-level --gpusPerNode=2 --chunks=4",
    f"{FABRIC} --workload=all-to-all --algorithm=direct --channels=2 --transport=spray",
    f"{FABRIC} --workload=reduce-scatter --balancer=prime --repeat=2",
    f"{FABRIC} --workload=all-gather --algorithm=halving-doubling --communicators=2 --transport=mrc --balancer=mrc",
    f"{TRAINING}pipeline.toml",
    f"{FABRIC} --workload=all-reduce --gpusPerNode=2 --algorithm=node-ring --convergence=5us --fail=leaf-0:3@3us",
    "--topology=dragonfly --forwarding=valiant --size=64KiB",
    f"{SHAPE} --flows={{folder}}/empty.csv --stack=roce",
    f"{FABRIC} --workload=all-reduce --background=poisson --gpusPerNode=2",
    f"{FABRIC} --workload=permutation --steering=ethereal",
    f"{FABRIC} --workload=all-to-all --algorithm=direct --steering=dqplb",
    f"{FABRIC} --workload=all-to-all --algorithm=direct --steering=round-robin --balancer=e-ecmp",
]


def watch(program, options):
    """What is wrong with a run, or nothing."""
    environment = {**os.environ, "TSAN_OPTIONS": f"exitcode={STATUS} halt_on_error=1"}
    scenarios = Path(__file__).resolve().parents[2] / "scenarios"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "empty.csv").write_text(EMPTY, encoding="utf-8")
        words = options.format(scenarios=scenarios, folder=folder).split()
        command = [program, *words, "--threads=3", f"--out={folder}/run"]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    return f"{options}\nstatus {run.returncode}\n{run.stderr}" if run.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="ai-fabric-run, compiled with -fsanitize=thread")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    with ThreadPoolExecutor(options.jobs) as pool:
        wrong = [text for text in pool.map(lambda run: watch(options.program, run), RUNS) if text]
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
