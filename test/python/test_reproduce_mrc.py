# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figures of MRC: what they read from results, that their rows can say no, and both from beginning to end."""

import json
import math
import os
import subprocess
from pathlib import Path

import pytest
from harness import part

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]
BIN_DIR = os.environ.get("AI_FABRIC_BIN_DIR")
PROGRAM = Path(BIN_DIR or "") / "ai-fabric-run"

from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers import mrc
from ai_fabric.reproduce.papers.mrc import ceiling as mrc_ceiling
from ai_fabric.reproduce.figures.mrc import goodput as mrc_goodput
from ai_fabric.reproduce.papers.mrc import incasts as mrc_incasts
from ai_fabric.reproduce.papers.mrc import jobs as mrc_jobs
from ai_fabric.reproduce.papers.mrc import losses as mrc_losses
from ai_fabric.reproduce.papers.mrc import paths as mrc_paths
from ai_fabric.reproduce.papers.mrc import rivals as mrc_rivals
from ai_fabric.reproduce.figures.mrc import sensitivity as mrc_sensitivity
from ai_fabric.reproduce.papers.mrc import congestion as mrc_congestion
from ai_fabric.reproduce.papers.mrc import sizes as mrc_sizes
from ai_fabric.reproduce.papers.mrc import switches as mrc_switches
from ai_fabric.reproduce.figures.mrc import versus_rc as mrc_versus_rc
from ai_fabric.sweep.runner import RunError


@pytest.fixture(name="study")
def make_study(tmp_path, fake):
    return mrc.MrcStudy("mrc-figX", "A figure", str(fake[0]), tmp_path / "out")


def verdict(study):
    return study.verdicts[-1].expected, study.verdicts[-1].measured, study.verdicts[-1].holds


def test_a_row_holds_if_all_values_are_within_its_limits(study):
    study.near("C4", "rate", 0.75, [0.74, 0.76], 2)
    assert verdict(study) == ("0.75 (0.735 to 0.765)", "0.75 (0.74 to 0.76)", True)
    study.near("C4", "rate", 0.75, [0.5, 1.0], 2)  # the mean is right, and no host is
    assert verdict(study)[1:] == ("0.75 (0.5 to 1)", False)
    study.expect("C5", "lost", 25, 3, 0, 25)
    assert verdict(study) == ("at most 25", "3", True)
    study.expect("C6", "failed", 0, 1, 0, 0)
    assert verdict(study) == ("0", "1", False)
    study.expect("C6", "failed", 0, math.nan, 0, 0)
    assert verdict(study)[1:] == ("-", None)


@pytest.mark.filterwarnings("error")
def test_a_time_without_end_is_a_row_that_does_not_hold(study):
    study.expect("O1", "time", 100, [math.inf, math.inf], 0, 100)
    assert verdict(study) == ("at most 100", "inf", False)


def test_rows_are_saved_and_drawn(study):
    study.runs = pandas.DataFrame({"completed": [False], "folder": [None]})
    study.folder.mkdir(parents=True)
    study.near("C1", "goodput", 769.6, 700, 0.5)
    study.expect("C13", "far off", 1, 15, 1, 1)
    study.expect("C6", "failed", 0, 0, 0, 0)
    study.draw_rows("some fabric")
    table = pandas.read_csv(study.folder / "mrc-figX.csv")
    assert table.check.tolist() == ["C1", "C13", "C6"] and table.holds.tolist() == [False, False, True]
    assert (study.folder / "mrc-figX.png").stat().st_size > 1000


def test_balancers_cannot_be_chosen(tmp_path, fake):
    with pytest.raises(RunError, match="mrc-figX compares no balancers"):
        mrc.MrcStudy("mrc-figX", "A figure", str(fake[0]), tmp_path, only=["rsq"])


def write_flows(folder, rows):
    folder.mkdir(parents=True, exist_ok=True)
    table = pandas.DataFrame(rows, columns=["source", "destination", "bytes", "received_ns"])
    table.to_csv(folder / "flows.csv", index=False)


def test_rates_are_of_a_window(tmp_path):
    """1000 bytes each 100 ns are 80 Gb/s; a pair without arrivals has 0."""
    arrivals = [(0, 4, 1000, 100 * number) for number in range(1, 41)]
    write_flows(tmp_path, [*arrivals, (1, 5, 1000, 9000)])
    found = mrc.rates(tmp_path, 1, 3)
    assert found[0, 4] == pytest.approx(80) and found[1, 5] == 0
    runs = pandas.DataFrame({"folder": [tmp_path]})
    assert mrc.mean_rate(runs, 0, 4) == pytest.approx(80)
    assert sorted(mrc.all_rates(runs, 1, 3)) == [0, pytest.approx(80)]


def write_links(folder, lost):
    """Links of the way from host-0 to host-4 and back; lost: frames by the two ends."""
    folder.mkdir(parents=True, exist_ok=True)
    way = ["host-0:0", "plane0-leaf-0:0", "plane0-spine-0:0", "plane0-leaf-1:4", "host-4:0"]
    pairs = [*zip(way, way[1:]), *zip(way[::-1], way[-2::-1])]
    rows = [(one, other, lost.get((one.split(":")[0], other.split(":")[0]), 0)) for one, other in pairs]
    pandas.DataFrame(rows, columns=["from", "to", "frames_lost"]).to_csv(folder / "links.csv", index=False)


def test_only_frames_towards_leaf_1_are_data(tmp_path):
    leaf, spine, other = "plane0-leaf-0", "plane0-spine-0", "plane0-leaf-1"
    forward = {("host-0", leaf): 1, (leaf, spine): 10, (spine, other): 100}
    lost = {**forward, (other, spine): 1000, (spine, leaf): 1000, ("host-4", other): 1000}
    write_links(tmp_path, lost)
    assert mrc.lost_forward(tmp_path) == 111


@pytest.mark.parametrize("lost, time", [((1, 2, 5, 7, 7, 7, 7), 20), ((1, 2, 3, 4, 5, 6, 6), math.inf)])
def test_the_bypass_ends_when_longer_cuts_lose_no_more(tmp_path, lost, time):
    folders = {"O1": tmp_path / "O1", **{f"O1 {cut}": tmp_path / str(cut) for cut in mrc_paths.BYPASS_US}}
    for folder, count in zip(folders.values(), (7, *lost)):
        write_links(folder, {("plane0-leaf-0", "plane0-spine-0"): count})
    runs = pandas.DataFrame({"folder": folders.values()}, index=folders.keys())
    assert mrc_paths.bypass_time(runs, 0) == time


def test_a_path_with_two_dead_links_is_one_dead_path(tmp_path):
    ends = ["plane0-leaf-0:9 plane0-spine-5:0", "plane0-leaf-1:9 plane0-spine-5:1", "plane1-leaf-0:9 plane1-spine-5:0"]
    links = [pair.replace(" ", "--") for pair in ends]
    (tmp_path / "run.json").write_text(json.dumps({"results": {"failed_links": links}}))
    assert mrc_losses.dead_share(tmp_path) == 2 / 256


def test_each_step_of_a_ring_crosses_a_spine(study):
    path = study.crossing_ring(4, 16, 16)["placement"]
    hosts = [int(line) for line in path.read_text().split()]
    assert sorted(hosts) == list(range(64))
    assert all(one // 16 != other // 16 for one, other in zip(hosts, [*hosts[1:], hosts[0]]))
    few = [int(line) for line in study.crossing_ring(2, 4, 3)["placement"].read_text().split()]
    assert sorted(few) == [0, 1, 2, 4, 5, 6]


def test_a_stream_lasts_as_long_as_asked(study):
    options = study.stream(8, 2, 100)
    lines = options["flows"].read_text().splitlines()[1:]
    assert len(lines) % 4 == 0 and options["hostsPerLeaf"] == 4
    each = len(lines) / 4 * 64 * 1024 * 8 / (2 * mrc.GOODPUT * 1000)  # us
    assert 100 <= each < 103


def test_the_ceiling_is_that_of_the_headers():
    """4096 bytes of payload, 128 of headers with TSETH, 18 of Ethernet and 20 of preamble and gap."""
    assert mrc.WIRE == mrc.PAYLOAD + 128 + 18 + 20
    assert 8 * mrc.GOODPUT == pytest.approx(mrc_ceiling.CEILING, rel=0.005)


def test_rc_has_dcqcn_where_its_cases_say_so():
    """HPCC's runs mark from 100 kB on for each 25 Gb/s."""
    options = mrc_rivals.rc(8, " dcqcn")
    assert options["rateControl"] == "dcqcn" and options["ns3::aifabric::RedMarker::KMin"] == 1600000
    assert "rateControl" not in mrc_rivals.rc(8) and "marker" not in mrc_rivals.rc(8)


def test_the_switches_of_rc_pause_and_its_timer_is_that_of_infiniband():
    options = mrc_rivals.rc(1)
    assert options["buffer"] == "4MB"  # a port; a leaf has 16
    assert options["ns3::aifabric::RcQueuePair::AckTimeout"] == "67108864ns"


def test_large_rings_are_larger_than_small_ones(tmp_path, fake):
    for quick in (False, True):
        study = mrc.MrcStudy("mrc-figX", "A figure", str(fake[0]), tmp_path / "out", quick=quick)
        assert len({one.options["size"] for one in mrc_versus_rc.rings(study)}) == 2


def test_incasts_are_judged_after_their_first_second(study):
    assert mrc_incasts.times_of(study)[0] == mrc_incasts.times_of_dcqcn(study)[0] == mrc_incasts.SECOND_US
    flows = mrc_incasts.flows_of(study, "x", 2)
    rows = pandas.read_csv(flows["crowd"]["flows"])
    sent = rows.groupby("source").bytes.sum()
    assert sent[mrc_incasts.VICTIM[0]] == 7 * sent[8] and len(sent) == 8


def test_two_pairs_begin_with_the_same_entropy_value(study):
    name = "ns3::aifabric::MrcBalancer::Profile"
    given = {one.labels["case"]: one.options.get(name) for one in mrc_congestion.sharing(study)}
    assert given["C10 two kept"] == given["C10 two swapped"] == mrc_congestion.SHARED
    assert given["C10 six kept"] is None


@pytest.mark.parametrize("done, took, aborted, expected", [(10, 100, False, 1), (10, 400, False, 0.25), (3, 30, True, 0.3)])
def test_goodput_counts_completed_iterations(done, took, aborted, expected):
    job = {"completed_iterations": done, "iterations": 10, "job_ns": took, "aborted": aborted}
    assert mrc_goodput.goodput_of(job, 10) == pytest.approx(expected)


def test_profiles_are_judged_by_how_far_they_are_apart(study, tmp_path):
    """Each 64 KiB of two senders arrives after so many ns; one profile is twice as slow."""
    for number, name in enumerate(mrc_incasts.PROFILES):
        step = 20000 if number == 0 else 10000
        rows = [(sender, 0, 65536, step * place) for place in range(1, 900) for sender in (1, 2)]
        write_flows(tmp_path / name, rows)
    folders = [tmp_path / name for name in mrc_incasts.PROFILES]
    names = [f"profile {name}" for name in mrc_incasts.PROFILES]
    runs = pandas.DataFrame({"folder": folders, "max_queue_packets": [100, 100, 110]}, index=names)
    mrc_incasts.judge_profiles(study, runs)
    assert [row.holds for row in study.rows] == [True, False, False]
    assert study.rows[0].ours == pytest.approx(2, rel=0.01)


def test_uplinks_are_cut_one_after_the_other_and_then_flap(study):
    options = mrc_switches.cases(study)[0].options
    faults = options["fail"].split(",")
    assert len(faults) == 40 and faults[0] == "plane0-leaf-0--plane0-spine-0@200us-20200us"
    assert faults[19] == "plane3-leaf-0--plane3-spine-4@19200us-20200us"
    assert faults[20].endswith("@21200us-25200us:period=1000us:duty=0.5")


def test_the_first_of_two_jobs_is_measured(tmp_path):
    times = [("all-reduce-0", 10), ("all-reduce-1", 99), ("all-reduce-0", 20)]
    pandas.DataFrame(times, columns=["name", "duration_ns"]).to_csv(tmp_path / "collectives.csv", index=False)
    assert mrc_jobs.time_of_job(tmp_path) == 15


def test_two_jobs_share_no_host_and_all_leaves(study):
    both = mrc_jobs.pairs_of_jobs(study)[1].options
    hosts = [int(line) for line in both["placement"].read_text().split()]
    assert sorted(hosts) == list(range(16)) and both["communicators"] == 2
    assert {host // 8 for host in hosts[:8]} == {host // 8 for host in hosts[8:]} == {0, 1}


def test_incidents_at_another_size_keep_their_proportions(study):
    cases = {one.labels["case"]: one.options for one in mrc_sizes.cases(study)}
    assert cases["size O3 radix flaps"]["spines"] == 8
    assert "@200us-2200us" in cases["size O3 time flaps"]["fail"].split(",")[0]
    assert "@200us-12200us" in cases["size O5 time down"]["fail"]


def test_a_setting_that_changes_a_verdict_is_found(study):
    """By the same row with the defaults, whichever way it changes."""
    rows = [("C1", "a", True), ("C1", "b", False), ("C2", "a", True)]
    usual = pandas.DataFrame(rows, columns=["check", "what", "holds"]).assign(ours=1.0)
    other = usual.assign(holds=[False, True, True])
    tables = [usual.assign(setting=mrc_sensitivity.DEFAULTS), other.assign(setting="EvActive x 2")]
    table = mrc_sensitivity.with_changes(pandas.concat(tables))
    assert table.changes.tolist() == [False, False, False, True, True, False]
    mrc_sensitivity.judge(study, table)
    assert verdict(study) == ("0 of 3", "2; C1: a (1); C1: b (1)", False)


def test_what_a_case_sets_itself_is_not_varied(study):
    study.quick = True
    cases = mrc_sensitivity.cases(study)
    varied = [one for one in cases if one.labels["setting"] == "EvActive x 0.25"]
    attribute = "ns3::aifabric::MrcBalancer::EvActive"
    active = {one.labels["case"]: one.options[attribute] for one in varied}
    assert active["C6 128"] == 128 and active["O1"] == 32
    assert len(cases) == len(mrc_sensitivity.settings()) * len(varied) and not any(", 11 BDP" in name for name in active)


@pytest.mark.skipif(not (BIN_DIR and PROGRAM.exists()), reason="needs ai-fabric-run")
@pytest.mark.parametrize("factor", mrc_sensitivity.FACTORS)
def test_the_program_knows_all_that_is_varied(factor):
    """And takes it with MRC."""
    options = dict(mrc.fabric(8, 2))
    for name, (owner, values) in mrc_sensitivity.PARAMETERS.items():
        if factor in values:
            options |= attributes(owner, **{name: values[factor]})
    command = [PROGRAM, *(f"--{name}={value}" for name, value in options.items()), "--check"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.slow
@pytest.mark.skipif(not (BIN_DIR and PROGRAM.exists()), reason="needs ai-fabric-run")
@pytest.mark.parametrize("name, sure", [
    ("mrc-checks", ["C1", "C2", "C3", "C5", "C12", "M1", "M2", "M3"]),
    ("mrc-incidents", ["O1", "O3", "O7", "M6", "M7", "M8", "M10"]),
    ("mrc-flap", ["O1", "O3"]),
    ("mrc-port", ["O6", "O7", "M4, O6", "M5"]),
])
def test_a_figure_from_beginning_to_end(tmp_path, name, sure):
    """Some rows are not within their limits (see the page), and more in so small a fabric; the status is 0."""
    command = [*part("reproduce"), name, "--quick", "--program", PROGRAM, "--out", tmp_path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    folder = tmp_path / f"{name}-quick"
    assert (folder / f"{name}.png").stat().st_size > 1000
    table = pandas.read_csv(folder / f"{name}.csv").set_index("check")
    assert table.ours.notna().all()
    for check in sure:
        assert table.loc[[check]].holds.astype(bool).all(), check
