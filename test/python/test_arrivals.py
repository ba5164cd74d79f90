# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Messages of ai-fabric-run: tornado, random arrivals, and messages that keep one path."""

import pytest
from harness import ROOT, check_refusals, needs_program, rows, succeed, write_flows

pytestmark = needs_program

HEADER = "start_ns,source,destination,bytes\n"
CDFS = sorted((ROOT / "scenarios").glob("sizes-*.csv"))
CALLS = f"--cdf={ROOT}/scenarios/sizes-small-calls.csv"


# --- Tornado --------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["--k=4", "--topology=leaf-spine --leaves=3 --hostsPerLeaf=3 --spines=2"])
def test_tornado(tmp_path, shape):
    summary = succeed(tmp_path, *shape.split(), "--workload=tornado", "--size=64KiB", "--balancer=rsq")
    hosts = summary["scenario"]["hosts"]
    pairs = [(int(row["source"]), int(row["destination"])) for row in rows(tmp_path, "flows")]
    assert pairs == [(host, (host + hosts // 2) % hosts) for host in range(hosts)]
    found = summary["results"]
    assert found["cct_ns"] >= found["completion_bound_ns"] and found["published_bound_ns"] > 0


# --- Ordered messages -----------------------------------------------------------------------------

BAD_ORDERED = {
    "--ordered=0 --balancer=reps": "--ordered=0: ",
    "--ordered=-1 --balancer=reps": "--ordered=-1: ",
    "--ordered=x --balancer=reps": "--ordered=x: ",
    "--ordered=1.5 --balancer=reps": "--ordered=1.5: ",
    "--ordered=10": "not with --balancer=ecmp",
    "--ordered=10 --balancer=rsq": "not with --balancer=rsq",
    "--ordered=10 --balancer=reps --workload=all-reduce": "not with --workload=all-reduce",
    "--ordered=10 --balancer=reps --steering=split": "not with --steering=split",
    "--ordered=10 --balancer=reps --upgrade=rsq": "not with --upgrade",
}


def test_bad_orders_are_refused(tmp_path):
    check_refusals(tmp_path, BAD_ORDERED, "--k=4")


@pytest.mark.parametrize("balancer", ["host-random", "reps", "host-dr", "host-permuted"])
def test_ordered_messages_keep_one_path(tmp_path, balancer):
    options = "--k=4", f"--balancer={balancer}", write_flows(tmp_path, HEADER + "0,0,15,262144\n")

    def uplinks(*more):
        succeed(tmp_path, *options, *more)
        links = {row["from"]: int(row["frames_sent"]) for row in rows(tmp_path, "links")}
        return sorted(links[f"pod0-edge-0:{port}"] for port in (2, 3))

    assert uplinks("--ordered=1") == [0, 64]
    assert min(uplinks()) > 8
    assert min(uplinks("--ordered=2")) > 8  # the second is, and there is one


def test_each_nth_message_is_ordered(tmp_path):
    options = "--k=4", "--balancer=host-random", "--size=256KiB"
    found = succeed(tmp_path, *options, "--ordered=5")["results"]
    flows = rows(tmp_path, "flows")
    assert [i for i, row in enumerate(flows) if row["ordered"] == "1"] == [4, 9, 14]
    assert found["ordered_messages"] == 3
    for prefix, is_ordered in ("ordered_", "1"), ("unordered_", "0"):
        times = [float(row["duration_ns"]) for row in flows if row["ordered"] == is_ordered]
        assert found[f"{prefix}max_fct_ns"] == pytest.approx(max(times))
        assert found[f"{prefix}mean_fct_ns"] == pytest.approx(sum(times) / len(times))
    assert found["max_fct_ns"] == max(found["ordered_max_fct_ns"], found["unordered_max_fct_ns"])
    succeed(tmp_path, *options)
    assert "ordered" not in rows(tmp_path, "flows")[0]
    # With another one as often as there are messages nothing is ordered.
    succeed(tmp_path, *options, "--ordered=17")
    assert "ordered" not in rows(tmp_path, "flows")[0]


def test_ordered_and_other_messages_of_two_hosts_have_queue_pairs_of_their_own(tmp_path):
    text = HEADER + "".join(f"{start},0,15,262144\n" for start in (0, 0, 0, 0))
    options = "--k=4", "--balancer=host-random", "--jitter=0", write_flows(tmp_path, text)
    assert succeed(tmp_path, *options)["results"]["max_active_queue_pairs"] == 1
    assert succeed(tmp_path, *options, "--ordered=2")["results"]["max_active_queue_pairs"] == 2


# --- Random arrivals ------------------------------------------------------------------------------

BAD_POISSON = {
    "--workload=poisson": "needs --cdf=FILE",
    "--cdf=missing.csv": "--cdf: ",
    "--cdf=.": "--cdf: ",
    "--cdf=bad.csv": "--cdf: bad.csv:3: column probability: '0.4'",
    "--load=0.5": "only with --workload=poisson",
    "--duration=1us": "only with --workload=poisson",
    "--cdf=good.csv --workload=permutation": "only with --workload=poisson",
    "--cdf=good.csv --size=4KiB": "not with --workload=poisson",
    "--cdf=good.csv --load=0": "a decimal number above 0 and at most 1",
    "--cdf=good.csv --load=1.1": "a decimal number above 0 and at most 1",
    "--cdf=good.csv --load=nan": "a decimal number above 0 and at most 1",
    "--cdf=good.csv --duration=0": "--duration=0",
    "--cdf=good.csv --duration=3": "--duration=3",
    "--cdf=good.csv --duration=100s": "at most 10 million messages arrive",
    "--cdf=good.csv --duration=1ps": "long enough that at least one message arrives",
    "--cdf=good.csv --senders=3": "only with --workload=incast",
    "--cdf=good.csv --flows=flows.csv": "not with --workload=poisson",
}


def test_bad_arrivals_are_refused(tmp_path):
    (tmp_path / "good.csv").write_text("bytes,probability\n1000,1\n")
    (tmp_path / "bad.csv").write_text("bytes,probability\n1000,0.5\n2000,0.4\n")
    write_flows(tmp_path, HEADER + "0,0,1,1\n")
    check_refusals(tmp_path, BAD_POISSON, "--k=4")


@pytest.mark.slow
def test_arrivals_repeat_with_their_seed(tmp_path):
    options = "--k=4", "--balancer=rsq", CALLS, "--duration=50us"

    def flows(*more):
        succeed(tmp_path, *options, *more)
        return [(r["start_ns"], r["source"], r["destination"], r["bytes"]) for r in rows(tmp_path, "flows")]

    first = flows()
    assert flows("--convergence=0") == first
    assert flows("--RngRun=2") != first
    assert flows("--RngSeed=2") != first
    assert len(first) > 100 and len({row[1] for row in first}) == 16


@pytest.mark.parametrize("cdf", CDFS, ids=lambda path: path.stem)
@pytest.mark.parametrize("planes", [1, 2])
def test_arrivals_have_their_load_and_lengths(tmp_path, cdf, planes):
    text = cdf.read_text()
    assert "no publication" in " ".join(text.replace("# ", "").split())
    points = [line.split(",") for line in text.splitlines() if line[0] not in "#b"]
    longest = max(int(size) for size, _ in points)
    short = "--duration=100us" if "calls" in cdf.stem else "--duration=1ms"
    options = "--k=4", "--balancer=rsq", f"--cdf={cdf}", "--load=0.4", short, f"--planes={planes}"
    summary = succeed(tmp_path, *options, "--rate=100Gb/s", "--sample=0")
    flows = rows(tmp_path, "flows")
    sizes = [int(row["bytes"]) for row in flows]
    assert max(sizes) == longest and min(sizes) >= int(points[0][0])
    seconds = {"100us": 1e-4, "1ms": 1e-3}[short.split("=")[1]]
    assert max(float(row["start_ns"]) for row in flows) < seconds * 1e9
    load = sum(sizes) * 8 / (16 * planes * 100e9 * seconds)
    assert load == pytest.approx(0.4, rel=0.35)
    assert all(row["source"] != row["destination"] for row in flows)
    scenario, found = summary["scenario"], summary["results"]
    assert (scenario["workload"], scenario["load"], scenario["size"]) == ("poisson", 0.4, None)
    assert found["messages"] == len(flows) and found["message_bytes"] == sum(sizes)
    assert found["cct_ns"] >= found["completion_bound_ns"]


def test_arrivals_survive_faults_and_order(tmp_path):
    options = "--k=4", "--balancer=host-random", CALLS, "--duration=30us", "--ordered=10"
    found = succeed(tmp_path, *options, "--fail=core-0~0.25@0s,cables:1@5us-20us")["results"]
    assert found["ordered_messages"] == found["messages"] // 10


def test_flows_with_queue_pairs_of_their_own_do_not_wait(tmp_path):
    """A short one, which is posted after a long one to the same host, or from it."""
    flows = write_flows(tmp_path, HEADER + "0,1,0,1048576\n0,1,0,4096\n0,0,1,1048576\n0,0,1,4096\n")
    for way, waits in ([], True), (["--queuePairPerFlow"], False):
        succeed(tmp_path, "--k=4", flows, *way)
        long, short, *back = [float(row["completed_ns"]) for row in rows(tmp_path, "flows")]
        assert (short > 0.9 * long) is waits and (back[1] > 0.9 * back[0]) is waits


def test_queue_pairs_of_their_own_are_for_flows(tmp_path):
    many = write_flows(tmp_path, HEADER + "0,1,0,1\n" * 65537)
    check_refusals(
        tmp_path,
        {
            "--workload=all-reduce": "--queuePairPerFlow=true: false with --workload=all-reduce: it is for flows",
            many: "--queuePairPerFlow=true: false: hosts 0 and 1 have more than 65536 flows",
        },
        "--k=4",
        "--queuePairPerFlow",
    )


@pytest.mark.parametrize(
    ("more", "least"),
    [("--k=4", 1), ("--k=4 --rho=0.5", 1.6), ("--topology=leaf-spine --planes=2 --acks=bypass --balancer=host-dr", 1)],
)
def test_a_message_alone_has_no_slowdown(tmp_path, more, least):
    """But that of the rate at which hosts send."""
    succeed(tmp_path, *more.split(), write_flows(tmp_path, HEADER + "0,0,9,1000000\n99999999,9,0,3\n0,4,5,0\n"))
    long, short, empty = rows(tmp_path, "flows")
    assert least <= float(long["slowdown"]) < least + 0.05 and 1 <= float(short["slowdown"]) < 1.001
    assert float(long["slowdown"]) == pytest.approx(float(long["duration_ns"]) / float(long["ideal_ns"]), rel=1e-6)
    assert (empty["ideal_ns"], empty["slowdown"]) == (empty["duration_ns"], "1") == ("1000.000", "1")
