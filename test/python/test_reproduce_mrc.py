# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figures of MRC: what they read from results, that their rows can say no, and both from beginning to end."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]
REPRODUCE = ROOT / "contrib" / "reproduce"
BIN_DIR = os.environ.get("AI_FABRIC_BIN_DIR")
PROGRAM = Path(BIN_DIR or "") / "ai-fabric-run"

sys.path[:0] = [str(ROOT / "contrib" / part) for part in ("reproduce", "plot", "sweep")]

import mrc
import mrc_ceiling
import mrc_losses
import mrc_paths
from runner import RunError


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


def test_rows_are_saved_and_drawn(study):
    study.runs = pandas.DataFrame({"completed": [False], "folder": [None]})
    study.folder.mkdir(parents=True)
    study.near("C1", "goodput", 769.6, 700, 0.5)
    study.expect("C13", "far off", 1, 15, 1, 1)
    study.expect("C6", "failed", 0, 0, 0, 0)
    study.save_rows("some fabric")
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


@pytest.mark.skipif(not (BIN_DIR and PROGRAM.exists()), reason="needs ai-fabric-run")
@pytest.mark.parametrize("name, sure", [
    ("mrc-checks", ["C1", "C2", "C3", "C5", "C12", "M1", "M2", "M3"]),
    ("mrc-incidents", ["O1", "O3", "M8"]),
])
def test_a_figure_from_beginning_to_end(tmp_path, name, sure):
    """Some rows are not within their limits (see the page), and more in so small a fabric; the status is 0."""
    command = [sys.executable, REPRODUCE / "__main__.py", name, "--quick", "--program", PROGRAM, "--out", tmp_path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    folder = tmp_path / f"{name}-quick"
    assert (folder / f"{name}.png").stat().st_size > 1000
    table = pandas.read_csv(folder / f"{name}.csv").set_index("check")
    assert table.ours.notna().all()
    for check in sure:
        assert table.loc[[check]].holds.astype(bool).all(), check
