#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Checks random scenarios of ai-fabric-run against laws that none may break.

    python3 test/python/laws.py --program=build/release/bin/ai-fabric-run --cases=10000 --focus

prints how many scenarios were completed, failed, stalled and refused, and how often each law was checked; it stops
at the first scenario that breaks a law, with its options.
"""

import argparse
import collections
import concurrent.futures
import csv
import functools
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from law_scenarios import Draw, TELEMETRY
from law_shapes import ShapeDraw

COST = "simulator", "threads", "cpu_s", "wall_s", "loop_wall_s", "peak_rss_bytes", "packet_hops_per_cpu_s"
TIMEOUT_S = 120  # of a core, of a run, which takes a second at most
PATIENCE = 12  # times as long may the clock show, where others use the cores
AGAIN = 8  # one scenario of so many is run a second time
MPIEXEC = "mpiexec", "--quiet", "--oversubscribe"
SHUFFLED = "--ns3::aifabric::WindowSimulator::Shuffled=true"
THREADS = "--threads=3"
OF_SIMULATORS = "scheduler", "attributes", "events"
OF_RANKS = "ranks", "engine", "events"
PROBES = "probes", "ev_probes", "report_requests"
FAILED_MESSAGES = 3  # exit status
DEBUG_NOTICE = "ai-fabric-run: this is a debug build"


def limited():
    return ["prlimit", f"--cpu={TIMEOUT_S}"] if shutil.which("prlimit") else []


class Run:
    """One run of the program, in a folder of its own."""

    def __init__(self, program, scenario, *more, launcher=()):
        self.options = [*scenario.options, *more]
        with tempfile.TemporaryDirectory(prefix="ai-fabric-law-") as folder:
            for name, text in scenario.files.items():
                (Path(folder) / name).write_bytes(text if isinstance(text, bytes) else text.encode())
            run = subprocess.run(
                [*launcher, *limited(), program, *self.options, "--out=out"],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S * PATIENCE,
                check=False,
            )
            assert run.returncode not in (-signal.SIGXCPU, -signal.SIGKILL), f"more than {TIMEOUT_S} s of a core"
            self.status, self.stdout = run.returncode, run.stdout
            lines = run.stderr.splitlines()
            self.errors = [line for line in lines if not line.startswith(DEBUG_NOTICE)]
            out = Path(folder) / "out"
            self.files = {}
            if out.exists():
                self.files = {path.name: path.read_bytes() for path in out.iterdir()}

    def summary(self):
        return json.loads(self.files["run.json"])

    def table(self, name):
        return list(csv.DictReader(self.files[f"{name}.csv"].decode().splitlines()))

    def outcome(self):
        """Completed with results, or failed with those of some messages; or stalled or refused, said in one line, with
        nothing left."""
        if self.status == 0:
            assert not self.errors and self.files, self.errors
            return "completed"
        if self.status == FAILED_MESSAGES:
            assert self.files and "ended after" in self.errors[0], self.errors
            assert self.summary()["results"]["failed_messages"] > 0
            return "failed"
        assert self.status == 1 and not self.files and not self.stdout, self.status
        assert self.errors and self.errors[0].startswith("ai-fabric-run: "), self.errors
        if "stalled after" in self.errors[0]:
            return "stalled"
        assert len(self.errors) == 1, self.errors
        return "refused"


# --- Laws of one run ------------------------------------------------------------------------------


def check_bound(run, _scenario):
    """Nothing is done before its lower bound, neither the whole nor a collective."""
    results = run.summary()["results"]
    names = "completion_bound_ns", "bound_ns", "line_rate_bound_ns", "cct_ns"
    completion, bound, line_rate, time = numbers = [results[name] for name in names]
    assert 0 <= completion <= time and bound <= time, numbers
    assert line_rate <= bound * (1 + 1e-12), numbers
    assert (results["increase_percent"] or 0) >= 0, results["increase_percent"]
    assert all(float(row["slowdown"] or 1) >= 1 for row in run.table("flows"))
    if "collectives.csv" in run.files:
        for row in run.table("collectives"):
            assert float(row["bound_ns"]) <= float(row["duration_ns"]), row


def check_completion(run, _scenario):
    """Each message is received, and then completed; they are those of the summary."""
    results, flows = run.summary()["results"], run.table("flows")
    for row in flows:
        start, received, completed = (float(row[key]) for key in ("start_ns", "received_ns", "completed_ns"))
        assert start <= received <= completed, row
    assert results["messages"] == len(flows)
    assert results["message_bytes"] == sum(int(row["bytes"]) for row in flows)


def packets_of(run):
    """Packets of all messages; those within a node cross no link."""
    mtu = run.summary()["scenario"]["mtu"]
    flows = (row for row in run.table("flows") if row["links"] != "0")
    return sum((int(row["bytes"]) + mtu - 1) // mtu for row in flows)


def check_links(run, scenario):
    """A frame that is sent on a link is delivered, or lost, or on its way when the run ends."""
    results, links = run.summary()["results"], run.table("links")
    on_the_way = 0
    for row in links:
        sent, delivered, lost = (int(row[f"frames_{key}"]) for key in ("sent", "delivered", "lost"))
        assert delivered + lost <= sent, row
        on_the_way += sent - delivered - lost
    assert results["packet_hops"] == sum(int(row["frames_delivered"]) for row in links)
    assert results["link_losses"] == sum(int(row["frames_lost"]) for row in links)
    if is_quiet(run, scenario):
        assert on_the_way == 0


def may_stall(scenario):
    """Whether something breaks, or is broken and switches never learn of it, or queue pairs may give up: those with a
    retry limit have timers so short that pauses or full buffers may last longer."""
    limits = (scenario.value(f"ns3::aifabric::{owner}QueuePair::RetryLimit") for owner in ("Rc", "Spray", "Mrc"))
    never_known = scenario.value("failRate") is not None and scenario.value("convergence") == "never"
    return scenario.value("fail") is not None or never_known or any(limits)


def has_pauses(run, scenario):
    """Whether frames may pause a class (PFC); a stack may ask for that, too (DCQCN)."""
    return scenario.is_lossless or run.summary()["results"].get("pauses", 0) > 0


def is_quiet(run, scenario):
    """Whether the last ACK of each message is the last frame of it: each message has one path, nothing was sent
    twice, and nobody sends frames of another kind."""
    results = run.summary()["results"]
    if scenario.value("background"):
        return False  # its frames are on their way
    if scenario.aggregates() or scenario.value("prober") or scenario.value("reachability"):
        return False  # copies of sums, and probes, may be on their way
    has_one_path = scenario.value("balancer") == "ecmp" and scenario.value("steering") is None
    is_clean = results["retransmissions"] + results["repair_packets"] == 0
    no_pauses = not has_pauses(run, scenario) and scenario.value("acks") == "fabric"
    others = results.get("cnps", 0) + sum(results["policies"].get(name, 0) for name in ("probes", "cts"))
    no_others = no_pauses and others == 0
    return has_one_path and is_clean and no_others and not scenario.value("fail")


def controls_of(results):
    """Frames that leaves send each other: they begin at a switch, and may be on their way, or dropped."""
    return results["policies"].get("conweave_controls", 0)


def check_switches(run, scenario):
    """A frame that came to a switch was sent on, or dropped for a reason, or waits when the run ends."""
    results, links = run.summary()["results"], run.table("links")
    assert results["drops"] == sum(results["drops_by_reason"].values())
    to_switches = sum(int(r["frames_delivered"]) for r in links if "host" not in r["to"])
    by_switches = sum(int(r["frames_sent"]) for r in links if "host" not in r["from"])
    if has_pauses(run, scenario) or scenario.aggregates():  # pause frames and sums begin and end at a switch
        return
    waiting = to_switches - by_switches - results["drops"]
    assert waiting >= -controls_of(results), waiting
    if is_quiet(run, scenario):
        assert waiting == 0, waiting


def check_hosts(run, scenario):
    """Hosts send each packet at least once. A frame of a host comes to a host, or is dropped or lost."""
    results, links = run.summary()["results"], run.table("links")
    if scenario.aggregates():  # whose frames belong to no message, and end in switches
        return
    assert results["data_packets"] - results["retransmissions"] >= packets_of(run)
    probes = sum(results["policies"].get(name, 0) for name in PROBES)  # which are acknowledged, too
    assert results["acks"] + results["nacks"] <= results["data_packets"] + probes
    if has_pauses(run, scenario):
        return
    by_hosts = sum(int(row["frames_sent"]) for row in links if "host" in row["from"])
    to_hosts = sum(int(row["frames_delivered"]) for row in links if "host" in row["to"])
    on_the_way = by_hosts - to_hosts - results["drops"] - results["link_losses"]
    assert on_the_way == 0 if is_quiet(run, scenario) else on_the_way >= -controls_of(results), on_the_way


def check_sums(run, scenario):
    """Sums of switches are right, and no job is done before its workers can have sent its gradients."""
    results = run.summary()["results"]
    if not scenario.aggregates():
        assert "aggregation" not in results
        return
    sums = results["aggregation"]
    assert sums["wrong_sums"] == 0 < sums["checked_sums"], sums
    if "jct_ns" in sums:  # they are no collectives of an iteration
        assert sums["line_rate_ns"] <= sums["jct_ns"], sums


LAWS = check_bound, check_completion, check_links, check_switches, check_hosts, check_sums

# --- Laws of two runs -----------------------------------------------------------------------------


def snapshot(run, *ignored):
    """All that a run leaves, without what may differ."""
    summary = run.summary()
    for key in COST + ignored:
        summary["results"].pop(key, None)
        summary["scenario"].pop(key, None)
    for key in "files", "options", "attributes":  # what was given
        summary.pop(key)
    tables = {name: data for name, data in run.files.items() if name.endswith(".csv")}
    return summary, tables


def with_option(scenario, name, value):
    others = [option for option in scenario.options if not option.startswith(f"--{name}=")]
    return scenario._replace(options=[*others, f"--{name}={value}"])


def check_scheduler(program, scenario, run, dice):
    """The event scheduler changes nothing."""
    used = scenario.value("scheduler")
    other = dice.choice([name for name in scenario.schedulers if name != used])
    again = Run(program, with_option(scenario, "scheduler", other))
    given = any(option.startswith("--scheduler=") for option in scenario.options)
    ignored = OF_SIMULATORS[:-1] if given else OF_SIMULATORS  # windows count other events
    assert snapshot(again, *ignored) == snapshot(run, *ignored), other


def check_captures(program, scenario, run, dice):
    """Captures change nothing but the number of events; those that do not show what packets carry are refused."""
    if scenario.value("rateControl") in TELEMETRY:
        return
    port = dice.choice(run.table("links"))["from"]
    port = port.split(":")[0] if port.startswith("host") else port
    again = Run(program, scenario, f"--pcap={port}")
    assert any(name.endswith(".pcap") for name in again.files), port
    assert snapshot(again, "pcap", "events") == snapshot(run, "pcap", "events"), port


def check_progress(program, scenario, run, _dice):
    """Nor does looking on."""
    again = Run(program, scenario, "--progress")
    assert snapshot(again, "progress") == snapshot(run, "progress")


LAWS_OF_TWO = check_scheduler, check_captures, check_progress


def check_simulator(program, scenario, run, _dice):
    """Nor do windows, which all have without --scheduler, in whatever order their nodes run, and on several threads, unless these
    are refused."""
    plain = scenario._replace(options=[option for option in scenario.options if "--scheduler=" not in option])
    expected = snapshot(run, *OF_SIMULATORS)
    again = Run(program, plain)
    assert snapshot(again, *OF_SIMULATORS) == expected, "without --scheduler"
    assert again.summary()["results"]["simulator"] == "windows"
    windows = Run(program, plain, SHUFFLED)
    assert snapshot(windows, *OF_SIMULATORS) == expected, SHUFFLED
    threads = Run(program, plain, THREADS)
    if threads.outcome() != "refused":
        assert snapshot(threads, *OF_SIMULATORS) == expected, THREADS
        return "fit for threads"
    return "fit for windows"


def check_ranks(program, scenario, run, dice):
    """Nor do several processes, if the scenario may have them; the program says so."""
    ranks = dice.choice([2, 3])
    launcher = [*MPIEXEC, "-n", str(ranks)]
    engine = dice.choice(["granted", "null-message"])
    again = Run(program, scenario, f"--ranks={ranks}", f"--engine={engine}", launcher=launcher)
    if again.status == 1:
        assert not again.files and any(line.startswith("ai-fabric-run: ") for line in again.errors), again.errors
        assert "stalled" not in "".join(again.errors), again.errors
        return "refused on ranks"
    assert again.status == 0, (again.status, again.errors)
    assert snapshot(again, *OF_RANKS) == snapshot(run, *OF_RANKS), (ranks, engine)
    return "check_ranks"


# --- Cases ----------------------------------------------------------------------------------------


@functools.cache
def make_ask(program):
    """A function that gives the lines which the program prints, and remembers them."""
    told = {}

    def ask(*options):
        if options not in told:
            run = subprocess.run([program, *options], capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
            told[options] = run.stdout.splitlines()
        return told[options]

    return ask


def check_case(program, number, focus, ask, transport=None, on_ranks=False, shapes=False):
    """Checks the scenario of a number. Returns the names of what happened."""
    dice = random.Random(number)
    scenario = (ShapeDraw if shapes else Draw)(dice, ask, focus, transport, on_ranks).scenario()
    try:
        run = Run(program, scenario)
        happened = [run.outcome()]
        assert happened not in (["stalled"], ["failed"]) or may_stall(scenario), run.errors
        if happened == ["completed"]:
            for law in LAWS:
                law(run, scenario)
                happened.append(law.__name__)
            if dice.randrange(AGAIN) == 0:
                law = dice.choice(LAWS_OF_TWO)
                law(program, scenario, run, dice)
                happened.append(law.__name__)
            happened.append(check_simulator(program, scenario, run, dice))
            if on_ranks:
                happened.append(check_ranks(program, scenario, run, dice))
        return happened
    except (AssertionError, subprocess.TimeoutExpired) as error:
        files = "".join(f"\n{name}:\n{text}" for name, text in scenario.files.items())
        what = f"case {number}: {' '.join(scenario.options)}{files}"
        raise AssertionError(f"{what}\n{type(error).__name__}: {error}") from error


def check_cases(program, numbers, focus=False, jobs=1, report=None, **more):
    """Checks many scenarios. Returns how often what happened."""
    ask = make_ask(program)
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        cases = [pool.submit(check_case, program, number, focus, ask, **more) for number in numbers]
        try:
            for case in concurrent.futures.as_completed(cases):
                counts.update(case.result())
                if report:
                    report(counts)
        finally:
            pool.shutdown(cancel_futures=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, help="ai-fabric-run")
    parser.add_argument("--cases", type=int, default=1000, help="how many scenarios")
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--focus", action="store_true", help="all with several planes and a rate, most with faults")
    parser.add_argument(
        "--ranks", action="store_true", help="all a second time on several processes, of a program with MPI"
    )
    parser.add_argument("--shapes", action="store_true", help="all in fabrics of any shape, from files")
    parser.add_argument("--transport", help="of all scenarios; otherwise each has its own")
    arguments = parser.parse_args()
    if not shutil.which(arguments.program):
        parser.error(f"--program={arguments.program}: not a program")
    if arguments.ranks and not shutil.which(MPIEXEC[0]):
        parser.error(f"--ranks: no {MPIEXEC[0]}")
    numbers = range(arguments.first, arguments.first + arguments.cases)
    try:
        counts = check_cases(
            arguments.program.resolve(),
            numbers,
            arguments.focus,
            arguments.jobs,
            transport=arguments.transport,
            on_ranks=arguments.ranks,
            shapes=arguments.shapes,
        )
    except AssertionError as error:
        sys.exit(f"laws.py: {error}")
    for name, count in sorted(counts.items()):
        print(f"{count:7} {name}")


if __name__ == "__main__":
    main()
