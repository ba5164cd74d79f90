# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""PFC: what `pfc.csv` and `run.json` say of pauses, the watchdog, NICs that storm, and lossless incasts."""

import random

import pytest
from harness import call, check_refusals, rows, stderr_lines, succeed

ATTRIBUTE = "--ns3::aifabric::"
LOSSLESS = "--admission=shared", f"{ATTRIBUTE}SharedBuffer::LosslessClasses=8"
FABRIC = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=8", "--rate=400Gb/s"
INCAST = *FABRIC, *LOSSLESS, "--buffer=400kB", "--workload=incast", "--senders=15", "--size=1MB"
STORM = "--pauseStorm=host-0@10us-3ms", f"{ATTRIBUTE}RcQueuePair::AckTimeout=10ms"
KEYS = "pauses", "pause_ns", "longest_pause_ns", "pause_storms", "watchdog_storms", "watchdog_drops"


def test_pauses_are_counted_by_port_and_class(tmp_path):
    results = succeed(tmp_path, *INCAST)["results"]
    table = rows(tmp_path, "pfc")
    assert results["pauses"] == sum(int(row["pauses"]) for row in table) > 0
    assert results["pause_ns"] == pytest.approx(sum(float(row["pause_ns"]) for row in table))
    assert results["longest_pause_ns"] == max(float(row["longest_pause_ns"]) for row in table)
    assert results["lossless_drops"] == results["pause_storms"] == results["watchdog_storms"] == 0
    assert {row["class"] for row in table} == {"3"}
    links = {(row["from"], row["to"]) for row in rows(tmp_path, "links")}
    assert {(row["from"], row["to"]) for row in table} == links
    by_ends = {(row["from"], row["to"]): row for row in table}
    for ends, row in by_ends.items():
        assert int(row["frames_received"]) <= int(by_ends[ends[::-1]]["frames_sent"])
        assert float(row["longest_pause_ns"]) <= float(row["pause_ns"])
    begun = sum(row["event"] == "pause" for row in rows(tmp_path, "events"))
    assert begun == sum(int(row["frames_received"]) for row in table) - sum(
        row["event"] == "resume" for row in rows(tmp_path, "events")
    )


def test_without_lossless_classes_nothing_is_written(tmp_path):
    run = succeed(tmp_path, *FABRIC, "--size=4KiB")
    assert "pfc.csv" not in run["files"] and not set(KEYS) & set(run["results"])


@pytest.mark.parametrize("action", ["none", "drop", "forward"])
def test_a_nic_that_storms(tmp_path, action):
    """Without a watchdog everything for host 0 waits until the storm ends at 3 ms."""
    watchdog = () if action == "none" else (f"--watchdog={action}", f"{ATTRIBUTE}PfcWatchdog::PollInterval=100us",
                                            f"{ATTRIBUTE}PfcWatchdog::DetectionTime=200us",
                                            f"{ATTRIBUTE}PfcWatchdog::RestorationTime=200us")
    results = succeed(tmp_path, *INCAST, *STORM, *watchdog)["results"]
    storms = [row for row in rows(tmp_path, "pfc") if row["from"].startswith("leaf") and row["to"].startswith("host-0:")]
    assert len(storms) == 1 and int(storms[0]["storms"]) == (action != "forward")  # this one ends before the limit
    assert results["pause_storms"] >= int(storms[0]["storms"])
    events = [row["event"] for row in rows(tmp_path, "events")]
    assert ("watchdog_detected" in events) == (action != "none") == (results["watchdog_storms"] > 0)
    assert (results["drops_by_reason"]["flushed"] > 0) == (action == "drop") == (results["watchdog_drops"] > 0)
    if action == "forward":
        assert results["cct_ns"] < 3e6
    else:
        assert results["cct_ns"] > 3e6
    if action == "none":
        assert results["drops"] == results["retransmissions"] == 0


SHARED = f"--admission=shared {ATTRIBUTE}SharedBuffer::"
ONLY = "only with --admission=shared and a lossless"
REFUSED = {
    "--watchdog=drop": f"--watchdog=drop: {ONLY} class",
    "--pauseStorm=host-0@0s": f"--pauseStorm=host-0@0s: {ONLY} class",
    f"{ATTRIBUTE}PauseMonitor::StormLimit=1us": f"{ONLY} class",
    **{f"{SHARED}{value}": f"{value}: {ONLY}"
       for value in "ReserveBytes=0 IngressAlpha=1 ResumeOffset=1 HeadroomBytes=9 ResponseTime=+1ns PauseQuanta=9".split()},
    **{f"{SHARED}{value}": f"{value}: only with a trimming class ("
       for value in "TrimmingBytes=9000 TrimmedBytes=100 TrimmedDscp=48 LastHopDscp=48".split()},
    f"{SHARED}TrimmingClasses=64": "SharedBuffer::TrimmedDscp=50: of class 6, which is trimmed again; another class is needed",
}  # fmt: skip
STORM_OF_0 = "--pauseStorm=host-0@1us-100us"
REFUSED_LOSSLESS = {
    "--watchdog=reset": "--watchdog=reset: one of drop, forward, or none",
    f"{ATTRIBUTE}PfcWatchdog::PausedShare=0.5": "only with --watchdog",
    f"{ATTRIBUTE}PauseStorm::PauseQuanta=9": "only with --pauseStorm",
    f"--watchdog=drop {ATTRIBUTE}PfcWatchdog::Action=Forward": "--watchdog",
    **{f"--pauseStorm={storm}": f"--pauseStorm={storm}: a host from host-0 to host-15, @"
       for storm in "host-16@0s leaf-0@0s host-0 host-0@ host-0@-1us host-0@5us-5us host-0@5us-".split()},
    **{f"{STORM_OF_0},{storm}": f"--pauseStorm={storm}: a begin after the end"
       for storm in ("host-0@50us-300us", "host-0@100us-300us", "host-0@0s")},
    f"{STORM_OF_0} {ATTRIBUTE}PauseStorm::PauseQuanta=1": "PauseStorm::PauseQuanta is 1: ",
    f"--buffer=1MB {ATTRIBUTE}SharedBuffer::TrimmingClasses=24": "SharedBuffer::TrimmingClasses is 24: no class may also be lossless",
    f"{ATTRIBUTE}SharedBuffer::HeadroomBytes=1000 --buffer=1MB": "SharedBuffer::HeadroomBytes=1000: at least ",
}  # fmt: skip


def test_bad_values_are_refused_in_one_line(tmp_path):
    check_refusals(tmp_path, REFUSED, *FABRIC)
    check_refusals(tmp_path, REFUSED_LOSSLESS, *FABRIC, *LOSSLESS)


@pytest.mark.parametrize("transport", ["spray", "rc"])
def test_a_shared_buffer_may_trim(tmp_path, transport):
    trims = f"{ATTRIBUTE}SharedBuffer::TrimmingClasses=8", f"{ATTRIBUTE}SharedBuffer::TrimmingBytes=200000"
    incast = *FABRIC, "--admission=shared", *trims, "--workload=incast", "--senders=15", "--size=1MB"
    results = succeed(tmp_path, *incast, f"--transport={transport}", "--rateControl=nscc")["results"]
    assert results["trims"] == results["policies"]["trimming_frames"] > 0 == results["drops"]
    assert results["policies"]["trimming_last_hop_frames"] > 0 == results["lossless_drops"]
    assert results["layers"]["leaf-down"]["max_waiting_bytes"] < 400000


def draw(seed):
    """A random incast and random settings of the buffer, rightly or wrongly."""
    dice = random.Random(seed)
    leaves = dice.choice([1, 2, 4, 5])
    per_leaf = dice.choice([13, 16]) if leaves > 4 else dice.choice([2, 8, 16, 20])
    hosts = leaves * per_leaf
    options = ["--topology=leaf-spine", f"--leaves={leaves}", f"--spines={dice.choice([1, 2, 4])}"]
    options += [f"--hostsPerLeaf={per_leaf}", f"--senders={dice.randint(1, min(64, hosts - 1))}", "--workload=incast"]
    options += [f"--size={dice.choice([1, 5000, 40000, 200000])}", f"--rate={dice.choice([10, 100, 400, 800])}Gb/s"]
    options += [f"--delay={dice.choice([0, 10, 500, 3000])}ns", f"--mtu={dice.choice([256, 1024, 4096, 9000])}"]
    options += [f"--buffer={dice.choice([20, 100, 300, 1000, 4000])}kB", f"{ATTRIBUTE}RcQueuePair::AckTimeout=1s", "--recovery=go-back-n"]
    for name, values in {
        "ReserveBytes": [0, 4096, 50000],
        "IngressAlpha": [0.01, 0.125, 1, 8],
        "ResumeOffset": [0, 3072, 20000],
        "HeadroomBytes": [0, 0, 0, 20000, 100000, 200000],
        "ResponseTime": ["0ns", "600ns"],
        "PauseQuanta": [1000, 65535],
    }.items():
        options.append(f"{ATTRIBUTE}SharedBuffer::{name}={dice.choice(values)}")
    return options


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_incasts_lose_nothing_with_any_buffer_that_is_accepted(tmp_path, first):
    """Up to 64 senders. What is not accepted is refused in one line."""
    accepted = 0
    for seed in range(first, first + 10):
        options = draw(seed)
        run = call(tmp_path, *LOSSLESS, *options)
        if run.returncode != 0:
            assert run.returncode == 1 and len(stderr_lines(run)) == 1, (options, run.stderr)
            assert any(name in run.stderr for name in ("--buffer", "HeadroomBytes", "PauseQuanta")), (options, run.stderr)
            continue
        results = succeed(tmp_path, *LOSSLESS, *options)["results"]
        assert results["drops"] == results["retransmissions"] == results["timeouts"] == 0, options
        accepted += 1
    assert accepted > 0


def draw_crossed(seed, folder):
    """Up to 64 hosts send to four of them, which send too, below spines with buffers of their own, rates of their own,
    and switches of different latencies, by several balancers and with several lossless classes, rightly or wrongly."""
    dice = random.Random(seed)
    leaves, per_leaf = dice.choice([(1, 20), (2, 16), (4, 8), (4, 16), (5, 13)])
    hosts = range(0, leaves * per_leaf, dice.choice([1, 1, 2, 4]))[:64]
    size = dice.choice([5000, 40000, 150000])
    lines = [f"0,{source},{sink},{size}" for source in hosts for sink in hosts[:4] if source != sink]
    (folder / "crossed.csv").write_text("\n".join(["start_ns,source,destination,bytes", *lines]) + "\n")
    options = ["--flows=crossed.csv", "--topology=leaf-spine", f"--leaves={leaves}", f"--hostsPerLeaf={per_leaf}"]
    options += [f"--spines={dice.choice([1, 2, 4, 8])}", f"--rate={dice.choice([10, 100, 400, 800])}Gb/s"]
    options += [f"--fabricRate={rate}Gb/s" for rate in [dice.choice([0, 0, 25, 100, 400, 800])] if rate]
    options += [f"--spineBuffer={size}kB" for size in [dice.choice([0, 0, 300, 1000, 4000, 64000])] if size]
    options += [f"--switchLatency=leaf-0={latency}ns" for latency in [dice.choice([0, 0, 1500, 5000])] if latency]
    options += [f"--delay={dice.choice([0, 10, 500, 3000])}ns", f"--mtu={dice.choice([256, 1024, 4096, 9000])}"]
    options += [f"--balancer={dice.choice(['ecmp', 'e-ecmp', 'rr', 'host-random'])}", "--recovery=sack"]
    options += [f"--buffer={dice.choice([300, 1000, 4000, 8000])}kB", f"{ATTRIBUTE}RcQueuePair::AckTimeout=1s"]
    options += [f"{ATTRIBUTE}SharedBuffer::LosslessClasses={dice.choice([8, 8, 8 + 64])}"]
    for name, values in {
        "ReserveBytes": [0, 4096, 20000],
        "IngressAlpha": [0.01, 0.125, 1, 8],
        "Alpha": [0.05, 1, 8],
        "ResumeOffset": [0, 3072, 20000],
        "HeadroomBytes": [0, 0, 0, 100000, 400000],
        "PauseQuanta": [1000, 65535],
    }.items():
        options.append(f"{ATTRIBUTE}SharedBuffer::{name}={dice.choice(values)}")
    return ["--admission=shared", *options]


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_crossed_incasts_lose_nothing_with_any_buffer_that_is_accepted(tmp_path, first):
    accepted = 0
    for seed in range(first, first + 10):
        options = draw_crossed(seed, tmp_path)
        run = call(tmp_path, *options)
        if run.returncode != 0:
            assert run.returncode == 1 and len(stderr_lines(run)) == 1, (options, run.stderr)
            assert any(name in run.stderr for name in ("--buffer", "--spineBuffer", "HeadroomBytes", "PauseQuanta"))
            continue
        results = succeed(tmp_path, *options)["results"]
        assert results["drops"] == results["lossless_drops"] == results["timeouts"] == 0, options
        accepted += 1
    assert accepted > 0
