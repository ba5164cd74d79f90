#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs every load balancer on a fat-tree of 128 hosts, each host sending 1 MiB to another one, and
compares them: a table, demo.csv, a folder of results a balancer, and plots."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / part) for part in ("plot", "sweep")]

from program import Parser, ScriptError, catch_interrupts, run_script  # first: Ctrl-C from here on

from runner import Runner, ask, exit_on_terminate

NAME = "run-demo.py"

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

NEEDED = {"mrc": {"transport": "mrc"}}  # options without which a balancer does not run


def folder_of(out, balancer, number):
    return out / balancer if number == 1 else out / balancer / f"run-{number}"


def simulate_all(program, out, names, count, extra):
    """Runs every balancer with every permutation, once the program has checked the options of all."""
    given = dict(option.removeprefix("--").split("=", 1) for option in extra if "=" in option)
    flags = {option.removeprefix("--"): "true" for option in extra if "=" not in option}
    runs = {
        folder_of(out, name, number): {
            "balancer": name,
            "RngRun": number,
            **NEEDED.get(name, {}),
            **given,
            **flags,
        }
        for number in range(1, count + 1)
        for name in names
    }
    runner = Runner(program, resume=False)
    runner.check_all([runs[folder_of(out, name, 1)] for name in names])
    runner.run_all(runs)


def summarize(name, runs):
    """One row of the table: means over the runs, and the largest of the largest queues."""
    import pandas

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
        "increase_percent_least": results.increase_percent.min(),
        "increase_percent_most": results.increase_percent.max(),
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
    parser = Parser(NAME, description=__doc__)
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
        raise ScriptError(f"--runs={options.runs}: at least 1")
    libraries = [option.partition("=")[2] for option in extra if option.startswith("--library=")]
    known = ask(options.program, "--balancer=help", *libraries[-1:])
    names = options.balancers.split(",") if options.balancers else known
    for name in names:
        if name not in known:
            raise ScriptError(f"--balancers={options.balancers}: {name} is none of {', '.join(known)}")

    simulate_all(options.program, options.out, names, options.runs, extra)
    report(options, names)


def report(options, names):
    """Writes the table and the plots of all runs."""
    import pandas  # which takes a second, with matplotlib
    from plot_compare import plot_completion, plot_links, plot_queues
    from run_data import Run, describe

    runs = {
        name: [Run(folder_of(options.out, name, n)) for n in range(1, options.runs + 1)]
        for name in names
    }
    table = pandas.DataFrame([summarize(name, runs[name]) for name in names])
    table = table.sort_values("increase_percent", ignore_index=True)
    table.to_csv(options.out / "demo.csv", index=False, float_format="%.6g")

    names = list(table.scheme)
    first = [runs[name][0] for name in names]
    scenario = describe(first[0].scenario)
    means = f"{scenario}; mean and range of {options.runs} runs"
    plots = [
        plot_completion(table, options.out / "completion.png", means),
        plot_queues(first, options.out / "queues.png", f"{scenario}; run 1"),
        plot_links(first, options.out / "links.png", f"{scenario}; run 1"),
    ]
    print(f"\n{scenario}; mean of {options.runs} runs\n")
    print_table(table)
    print_next(options.out, plots, names[0])


def print_next(out, plots, best):
    """Where everything is, and what to try next."""
    stack = "mrc" if best == "mrc" else "roce"
    print(f"\nTable: {out / 'demo.csv'}; one folder a scheme beside it")
    print("Plots:", ", ".join(str(plot) for plot in plots))
    print(f"""\nNext:
  ./fabric plot {out / best}    # one run: messages over time, load of each link, queues
  ./fabric run --balancer={best} --stack={stack}    # with the transport of deployed NICs
  ./fabric reproduce --list    # the figures of the papers""")


if __name__ == "__main__":
    exit_on_terminate()
    catch_interrupts()
    run_script(NAME, main)
