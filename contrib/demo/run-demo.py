#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs every load balancer on a fat-tree of 128 hosts, each host sending 1 MiB to another one, and
compares them: a table, demo.csv, a folder of results a balancer, and plots."""

import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import pandas

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "plot"))

from plot_compare import plot_completion, plot_links, plot_queues
from run_data import Run, describe

PARALLEL = 2
COLUMNS = {
    "scheme": "scheme",
    "cct_us": "completion (us)",
    "bound_us": "lower bound (us)",
    "increase_percent": "increase (%)",
    "max_queue_packets": "largest queue (pkts)",
    "mean_queue_packets": "mean queue (pkts)",
    "drops": "drops",
    "packet_hops_per_cpu_s": "pkt-hops per CPU s",
}


def fail(message):
    sys.exit(f"run-demo.py: {message}")


def balancers(program):
    """The names of all balancers, from the program itself."""
    try:
        answer = subprocess.run(
            [program, "--balancer=help"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        fail(f"{program} does not run ({error})")
    return [line.split()[0] for line in answer.stdout.splitlines() if line[:1].strip()]


def folder_of(out, balancer, number):
    return out / balancer if number == 1 else out / balancer / f"run-{number}"


def simulate(program, out, balancer, number, extra):
    command = [
        program,
        f"--balancer={balancer}",
        f"--RngRun={number}",
        f"--out={folder_of(out, balancer, number)}",
        *extra,
    ]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        fail(f"{' '.join(map(str, command))} failed:\n{run.stderr}")


def simulate_all(program, out, names, count, extra):
    """Runs everything, a few at a time, with one line of progress."""
    jobs = [(name, number) for number in range(1, count + 1) for name in names]
    begin = time.monotonic()
    with ThreadPoolExecutor(PARALLEL) as pool:
        pending = [pool.submit(simulate, program, out, *job, extra) for job in jobs]
        for done, job in enumerate(as_completed(pending), 1):
            try:
                job.result()
            except SystemExit:
                pool.shutdown(cancel_futures=True)
                raise
            if sys.stderr.isatty() or done == len(jobs):
                line = f"{done} of {len(jobs)} runs, {time.monotonic() - begin:.1f} s"
                start = "\r" if sys.stderr.isatty() else ""
                print(start + line, end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def summarize(name, runs):
    """One row of the table: means over the runs, and the largest of the largest queues."""
    results = pandas.DataFrame([run.results for run in runs])
    cct = results.cct_ns / 1e3
    return {
        "scheme": name,
        "runs": len(runs),
        "cct_us": cct.mean(),
        "cct_us_least": cct.min(),
        "cct_us_most": cct.max(),
        "bound_us": results.bound_ns.mean() / 1e3,
        "increase_percent": results.increase_percent.mean(),
        "max_queue_packets": results.max_queue_packets.max(),
        "mean_queue_packets": results.mean_queue_packets.mean(),
        "drops": results.drops.mean(),
        "packet_hops_per_cpu_s": results.packet_hops.sum() / results.cpu_s.sum(),
    }


def print_table(table):
    shown = table[list(COLUMNS)].rename(columns=COLUMNS)
    formats = {
        "completion (us)": "{:.2f}".format,
        "lower bound (us)": "{:.2f}".format,
        "increase (%)": "{:.1f}".format,
        "mean queue (pkts)": "{:.2f}".format,
        "drops": "{:.0f}".format,
        "pkt-hops per CPU s": "{:,.0f}".format,
    }
    print(shown.to_string(index=False, formatters=formats))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the program ai-fabric-run")
    parser.add_argument(
        "--out", type=Path, default=Path("results/demo"), help="folder (%(default)s)"
    )
    parser.add_argument(
        "--runs", type=int, default=5, help="permutations a balancer (%(default)s)"
    )
    parser.add_argument("--balancers", help="which, separated by commas (all)")
    options, extra = parser.parse_known_args()
    if options.runs < 1:
        fail(f"--runs={options.runs}: at least 1")
    known = balancers(options.program)
    names = options.balancers.split(",") if options.balancers else known
    for name in names:
        if name not in known:
            fail(f"--balancers={options.balancers}: {name} is none of {', '.join(known)}")

    simulate_all(options.program, options.out, names, options.runs, extra)
    runs = {
        name: [Run(folder_of(options.out, name, n)) for n in range(1, options.runs + 1)]
        for name in names
    }
    table = pandas.DataFrame([summarize(name, runs[name]) for name in names])
    table = table.sort_values("cct_us", ignore_index=True)
    table.to_csv(options.out / "demo.csv", index=False, float_format="%.6g")

    names = list(table.scheme)
    first = [runs[name][0] for name in names]
    scenario = describe(first[0].scenario)
    means = f"{scenario}; mean and range of {options.runs} runs"
    ranges = list(zip(table.cct_us_least, table.cct_us_most)) if options.runs > 1 else None
    bound = table.bound_us.mean()
    plots = [
        plot_completion(
            names, list(table.cct_us), bound, options.out / "completion.png", means, ranges
        ),
        plot_queues(first, options.out / "queues.png", f"{scenario}; run 1"),
        plot_links(first, options.out / "links.png", f"{scenario}; run 1"),
    ]
    print(f"\n{scenario}; mean of {options.runs} runs\n")
    print_table(table)
    print(f"\nResults in {options.out}: demo.csv, a folder a scheme, ", end="")
    print(", ".join(plot.name for plot in plots))


if __name__ == "__main__":
    main()
