# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Times of runs against lower bounds, and against what others have published."""

import statistics

import pytest
from harness import HEADER, needs_program, rows, succeed, write_flows

pytestmark = needs_program


def test_exchange_between_pods_takes_the_published_time(tmp_path):
    option = write_flows(tmp_path, HEADER + "0,0,127,1048576\n0,127,0,1048576\n")
    summary = succeed(tmp_path, option)
    for row in rows(tmp_path, "flows"):
        assert float(row["duration_ns"]) == pytest.approx(17056.94, abs=1)
    assert summary["results"]["cct_ns"] == pytest.approx(17056.94, abs=1)


def test_bounds_of_the_study(tmp_path):
    for size, bound in (("32KiB", 6545.98), ("256KiB", 8885.66), ("1MiB", 17056.94)):
        results = succeed(tmp_path, "--balancer=rsq", f"--size={size}")["results"]
        assert results["bound_formula"] == "published"
        assert results["bound_ns"] == pytest.approx(bound, abs=0.01)
        assert results["cct_ns"] > results["completion_bound_ns"] > bound - 10


def test_published_bound_is_no_law_below_line_rate(tmp_path):
    """It charges for acknowledgements that fit between the data; the other bound does not."""
    options = "--topology=leaf-spine", "--leaves=2", "--spines=1", "--hostsPerLeaf=1"
    results = succeed(tmp_path, *options, "--rho=0.75", "--size=16MiB", "--jitter=0")["results"]
    assert results["cct_ns"] < results["published_bound_ns"]
    assert results["completion_bound_ns"] <= results["cct_ns"]
    assert results["increase_percent"] == pytest.approx(0, abs=0.01)


def test_two_hosts_complete_at_the_bound_without_acknowledgements_in_the_fabric(tmp_path):
    flows = write_flows(tmp_path, "start_ns,source,destination,bytes\n0,0,15,1048576\n")
    results = succeed(tmp_path, "--k=4", flows, "--acks=bypass", "--balancer=ecmp")["results"]
    # 255 slots of 41.78 ns, then 6 links each way; the RETH of the first packet takes 0.16 ns a link
    assert results["cct_ns"] == pytest.approx(255 * 41.78 + 6 * (541.58 + 500.64), abs=1.0)
    assert results["cct_ns"] >= results["completion_bound_ns"]


def increase(folder, *options):
    """How much longer than the bound a run takes, in percent."""
    return succeed(folder, *options, "--sample=0")["results"]["increase_percent"]


# doc/validation: completion time over the bound in percent, mean of many runs of an independent
# model of the same study; a random permutation of 1 MiB on 128 hosts
@pytest.mark.parametrize(
    "balancer, percent",
    [("rsq", 11.5), ("rr", 15.4), ("simple-rr", 43.6), ("host-random", 11.1), ("host-permuted", 11.1)],
)
def test_permutation_increase(tmp_path, balancer, percent):
    increases = [increase(tmp_path, f"--balancer={balancer}", f"--RngRun={run}") for run in range(1, 5)]
    assert statistics.mean(increases) == pytest.approx(percent, rel=0.15)


# the same, in percentage points, of each run
@pytest.mark.parametrize("order", ["DigitReversal", "Random"])
@pytest.mark.parametrize("size, percent", [("1MiB", 2.5), ("4MiB", 0.87)])
def test_host_dr_increase(tmp_path, order, size, percent):
    attribute = f"--ns3::aifabric::HostDrBalancer::Order={order}"
    for run in 1, 2:
        options = "--balancer=host-dr", attribute, f"--size={size}", f"--RngRun={run}"
        assert increase(tmp_path, *options) == pytest.approx(percent, abs=0.5)


@pytest.mark.parametrize("run", [1, 2])
def test_finer_granularity_is_better(tmp_path, run):
    names = "host-dr", "host-random", "subflow", "plb", "ecmp"
    scenario = "--k=6", "--size=4MiB", f"--RngRun={run}"
    increases = [increase(tmp_path, *scenario, f"--balancer={name}") for name in names]
    assert all(coarser > 1.3 * finer for finer, coarser in zip(increases, increases[1:])), increases


FABRIC = "--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2", "--rate=400Gb/s", "--balancer=rsq"


@pytest.mark.parametrize("fail, host_rate", [("host-1*0.25@0s", "100Gb/s"), ("host-1*0.5@0s", "200Gb/s")])
def test_bounds_know_links_that_are_slow_for_good(tmp_path, fail, host_rate):
    """They are those of a topology file with that rate; a fault that begins or ends later is in none."""
    flows = write_flows(tmp_path, HEADER + "0,1,2,1000000\n0,3,1,500000\n0,0,2,1000\n")
    (tmp_path / "slow.csv").write_text(f"""kind,node,to,rate,delay,count
switch,leaf-0..1,,,,
switch,spine-0..1,,,,
host,host-0,leaf-0,,,
host,host-1,leaf-0,{host_rate},,
host,host-2..3,leaf-1,,,
link,leaf-0..1,spine-0..1,,,
""")
    seen = []
    for options in [*FABRIC, f"--fail={fail}"], ["--topology=slow.csv", "--rate=400Gb/s", "--balancer=rsq"]:
        results = succeed(tmp_path, *options, flows)["results"]
        assert results["bound_ns"] == results["completion_bound_ns"] <= results["cct_ns"]
        seen.append((results["bound_ns"], [(row["ideal_ns"], row["duration_ns"]) for row in rows(tmp_path, "flows")]))
    assert seen[0] == seen[1]
    usual = succeed(tmp_path, *FABRIC, flows)["results"]["bound_ns"]
    for late in fail.replace("@0s", "@1us"), fail.replace("@0s", "@0s-1ms"):
        assert succeed(tmp_path, *FABRIC, f"--fail={late}", flows)["results"]["bound_ns"] == usual < seen[0][0]


def test_bounds_know_dead_uplinks(tmp_path):
    """Of four uplinks three are dead: two hosts have the rate of one."""
    flows = write_flows(tmp_path, HEADER + "0,0,2,4000000\n0,1,3,4000000\n")
    fabric = *FABRIC, "--spines=4"
    fabric = [option for option in fabric if option != "--spines=2"]
    cut = "--fail=leaf-0--spine-0+leaf-0--spine-1+leaf-0--spine-2@0s", "--convergence=0s"
    whole, left = (succeed(tmp_path, *fabric, *more, flows)["results"] for more in ([], cut))
    assert left["bound_ns"] == pytest.approx(2 * whole["bound_ns"], rel=0.05)
    assert left["bound_ns"] <= left["cct_ns"] < 1.5 * left["bound_ns"]
