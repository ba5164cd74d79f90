# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The routing generations: options, what they count, and the figures' files and verdicts."""

from pathlib import Path

import pytest
from harness import check_refusals, refusal, rows, succeed

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]

from ai_fabric.reproduce.figures.meta import hash as meta_hash
from ai_fabric.reproduce.figures.meta import routing as meta_routing
from ai_fabric.reproduce.papers.meta import MetaStudy

RACKS = "--topology=leaf-spine", "--leaves=4", "--spines=9", "--hostsPerLeaf=8", "--rate=400Gb/s"
QUIET = "--acks=bypass", "--buffer=64MB", "--ns3::aifabric::RoceNetDevice::ChargeReth=false"


def test_traffic_engineering_has_no_collisions(tmp_path):
    results = succeed(tmp_path, *RACKS, *QUIET, "--balancer=te", "--size=256KiB")["results"]
    assert results["worst_link_overload"] == pytest.approx(1)
    counted = results["policies"]
    assert counted["te_entries"] > 0 and counted["te_fallbacks"] == counted["te_demands_left"] == 0
    used = results["uplink_utilization"]
    assert 0 <= used["least"] <= used["p25"] <= used["median"] <= used["p75"] <= used["most"] <= 1


def test_the_demands_of_collectives(tmp_path):
    """In a ring, one host of each leaf sends to the next leaf."""
    results = succeed(tmp_path, *RACKS, *QUIET, "--balancer=te", "--workload=all-reduce", "--size=1MiB")["results"]
    assert results["policies"]["te_entries"] == 4 and results["policies"]["te_fallbacks"] == 0


def test_a_table_that_is_too_small(tmp_path):
    small = "--ns3::aifabric::TeBalancer::Entries=2"
    counted = succeed(tmp_path, *RACKS, "--balancer=te", small, "--size=64KiB")["results"]["policies"]
    assert counted["te_entries"] == 8 and counted["te_demands_left"] > 0 and counted["te_fallbacks"] > 0


def test_new_entries_come_late(tmp_path):
    cut = "--fail=spine-0@10us", "--convergence=20us", "--recovery=sack"
    times = "Debounce=30us", "ComputeTime=5us", "ProgramTime=6us"
    fast = [f"--ns3::aifabric::TrafficEngineer::{time}" for time in times]
    succeed(tmp_path, *RACKS, "--balancer=te", "--size=8MiB", *cut, *fast)
    times = [float(row["time_ns"]) for row in rows(tmp_path, "events") if row["event"] == "programmed"]
    assert times == [10000 + 30000 + 5000 + 6000]


def test_pinned_paths_fall_back(tmp_path):
    pinned = *RACKS, "--balancer=path-pinning", "--size=64KiB"
    assert succeed(tmp_path, *pinned)["results"]["policies"]["pinning_fallbacks"] == 0
    dead = "--fail=spine-0@0s", "--convergence=0s"
    assert succeed(tmp_path, *pinned, *dead)["results"]["policies"]["pinning_fallbacks"] > 0


@pytest.mark.parametrize("steering, count", [("split", 4), ("round-robin", 4), ("dqplb", 16)])
def test_queue_pairs(tmp_path, steering, count):
    run = succeed(tmp_path, *RACKS, "--balancer=e-ecmp", f"--steering={steering}", "--size=64KiB")
    assert run["scenario"]["queuePairs"] == count
    run = succeed(tmp_path, *RACKS, "--balancer=e-ecmp", f"--steering={steering}", "--queuePairs=3", "--size=2MiB")
    assert run["scenario"]["queuePairs"] == 3
    assert run["results"]["max_active_queue_pairs"] == (1 if steering == "round-robin" else 3)


def test_one_source_port_for_a_pair(tmp_path):
    """More queue pairs spread E-ECMP, but not ECMP with one source port."""
    several = "--steering=split", "--queuePairs=16", "--size=1MiB", *QUIET
    one = succeed(tmp_path, *RACKS, *several, "--balancer=one-port")["results"]["worst_link_overload"]
    many = succeed(tmp_path, *RACKS, *several, "--balancer=e-ecmp")["results"]["worst_link_overload"]
    assert one >= 2 and many < one and one == pytest.approx(round(one), abs=0.01)


SWEEPS = "ns3::aifabric::TrafficEngineer::Sweeps"
WITHOUT_ENGINEER = f"--{SWEEPS}=0: only with --balancer=te"
PART = "--ns3::aifabric::FlowletBalancer::ChoiceType=ns3::aifabric::TeBalancer"
REFUSED = {
    "--queuePairs=4": "--queuePairs=",
    "--steering=split --queuePairs=0": "--queuePairs=",
    "--steering=split --queuePairs=4 --ns3::aifabric::SplitSteering::QueuePairs=8": "--queuePairs=",
    "--balancer=te --upgrade=rsq": "--upgrade=",
    "--balancer=reps --upgrade=te": "--upgrade=",
    "--balancer=te --steering=ethereal": "--balancer=",
    **{f"{options} --{SWEEPS}=0": WITHOUT_ENGINEER for options in ("", "--balancer=e-ecmp", "--balancer=reps")},
    **{f"{options} {PART}": f"{PART}: another one: only --balancer=te fills its tables"
       for options in ("--balancer=flowlet", "--balancer=rsq --upgrade=flowlet")},
}  # fmt: skip


def test_what_makes_no_sense_is_refused(tmp_path):
    check_refusals(tmp_path, REFUSED, *RACKS)
    assert WITHOUT_ENGINEER in refusal(tmp_path, "--leaves=2", "--preset=g2-te", "--steering=ethereal", f"--{SWEEPS}=0")


def test_attributes_of_an_engineer_in_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("NS_ATTRIBUTE_DEFAULT", f"{SWEEPS}=0")
    assert WITHOUT_ENGINEER in refusal(tmp_path, *RACKS, "--size=64KiB")
    succeed(tmp_path, *RACKS, "--size=64KiB", "--balancer=te")


def test_fragmented_jobs_share_racks():
    groups = meta_routing.rings_of("fragmented", 6, 8)
    hosts = [host for group in groups for host in group]
    assert len(groups) == 8 and len(set(hosts)) == len(hosts)  # no NIC has two jobs
    for first, second in zip(groups[:4], groups[4:]):  # of job 0 and job 1
        assert first[0] // 8 == second[0] // 8  # a shared rack
        assert first[1] % 8 == second[1] % 8  # both go on to the same slice
    assert meta_routing.rings_of("packed", 2, 3) == [[0, 3], [1, 4], [2, 5]]


@pytest.fixture(name="study")
def make_study(tmp_path, fake):
    return MetaStudy("meta-hash", "A figure", str(fake[0]), tmp_path / "out")


@pytest.mark.parametrize("factor, holds", [(1.05, True), (1.2, False)])
def test_verdicts_of_the_tables_can_say_no(study, factor, holds):
    rows_ = [
        {"table": "b", "racks": racks, "uplinks": uplinks, "dead": 0, "queue_pairs": count, "samples": 200,
         "model_mean": mean, "mean": factor * mean, "model_p99": p99, "p99": factor * p99}  # fmt: skip
        for (racks, uplinks), line in meta_hash.RING.items()
        for count, (mean, p99) in line.items()
    ]
    meta_hash.judge_tables(study, pandas.DataFrame(rows_))
    assert [verdict.holds for verdict in study.verdicts] == 2 * len(rows_) * [holds]


@pytest.mark.parametrize("times, holds", [((1, 2, 3, 4), True), ((1, 3, 2, 4), False)])
def test_the_ordering_can_be_wrong(study, times, holds):
    names = ["te", "e-ecmp 32", "e-ecmp 4", "ecmp", "path-pinning"]
    table = pandas.DataFrame(
        [
            ("all-reduce", placement, uplinks, name, time, 0.86)
            for placement in ("packed", "fragmented")
            for uplinks in meta_routing.uplinks_of(study)
            for name, time in zip(names, (*times, 1 if placement == "packed" else 2))
        ],
        columns=["kind", "placement", "uplinks", "generation", "time_us", "used"],
    )
    meta_routing.judge_generations(study, table)
    ordering = [verdict.holds for verdict in study.verdicts if "E1" in verdict.claim]
    assert ordering == 2 * [holds]
    assert [verdict.holds for verdict in study.verdicts if "R2" in verdict.claim] == [True]


def test_the_crossing_needs_one_dead_switch_too_many(study):
    spare = meta_routing.uplinks_of(study)[1] - meta_routing.uplinks_of(study)[0]
    for late, holds in ((0, True), (1, False)):
        rows_ = [("te", dead, 2 if dead > spare + late else 1) for dead in range(4)]
        rows_ += [("e-ecmp 32", dead, 1.5) for dead in range(4)]
        study.verdicts.clear()
        meta_routing.judge_failures(study, pandas.DataFrame(rows_, columns=["generation", "dead", "time_us"]))
        assert [verdict.holds for verdict in study.verdicts if "R13" in verdict.claim] == [holds]


def test_events_have_the_load_of_what_is_programmed(tmp_path):
    """Two computations overlap: at 20 us with one spine down, and at 70 us with three."""
    fabric = "--topology=leaf-spine --leaves=4 --hostsPerLeaf=8 --spines=9 --size=4MiB --balancer=te".split()
    times = {"Debounce": "10us", "ComputeTime": "100us", "ProgramTime": "20us"}
    options = [f"--ns3::aifabric::TrafficEngineer::{name}={value}" for name, value in times.items()]
    succeed(tmp_path, *fabric, *options, "--fail=spine-0@10us,spine-1@60us,spine-2@60us")
    lines = (tmp_path / "out" / "events.csv").read_text().splitlines()
    loads = [line.split(",")[0] + line.partition("load")[2] for line in lines if ",programmed," in line]
    assert loads == ["140000.000=1", "190000.000=2"]
