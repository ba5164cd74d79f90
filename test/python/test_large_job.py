# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""An iteration of a large model by rates and by packets: the figure large-job, and its job."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from harness import PROGRAM, needs_program, script, succeed

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

from ai_fabric.reproduce.figures.fluid.large_job import judge, summarize
from ai_fabric.reproduce.papers.fluid import GRADIENTS, REPLICA, SHARD, STAGES, FluidStudy, fabric, job, middle_of

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = pandas.read_csv(ROOT / "doc/results/large-job.csv")


@pytest.mark.parametrize("gpus", [256, 2048, 144 * REPLICA])
def test_each_gpu_has_its_share_of_the_job(gpus):
    """All GPUs are in a stage, an inner ring and, of many replicas, an outer one and one between; stages send to their
    neighbours."""
    replicas, middle = gpus // REPLICA, middle_of(gpus // REPLICA)
    text = tomllib.loads("\n".join(job(gpus, 4)))
    groups = {group["name"]: group["hosts"] for group in text["communicator"]}
    for kind in "stage", "inner", *(["outer"] if replicas > SHARD else []), *(["middle"] if middle > 1 else []):
        hosts = [host for name, hosts in groups.items() if name.startswith(kind) for host in hosts]
        assert sorted(hosts) == list(range(gpus)), kind
    forward, backward, gradients = (phase["steps"] for phase in text["phase"])
    for steps, way in (forward, 1), (backward, -1):
        sent = [(step["from"], step["to"]) for step in steps if "from" in step]
        assert len(set(sent)) == len(sent) == gpus * (STAGES - 1) // STAGES
        assert {to - source for source, to in sent} == {8 * way}
    summed = Counter(step["collective"] for step in gradients)
    outer = summed.pop("all-reduce", 0)
    between = gpus / middle if middle > 1 else 0
    assert summed["reduce-scatter"] == summed["all-gather"] == gpus / min(replicas, SHARD) + between
    assert outer == (REPLICA * SHARD * middle if replicas > SHARD else 0)
    sizes = {GRADIENTS, GRADIENTS // SHARD} if middle > 1 else {GRADIENTS}
    assert {step["bytes"] for step in gradients if step["collective"] == "reduce-scatter"} == sizes


@needs_program
def test_rates_are_close_to_packets(tmp_path):
    """A job of 256 GPUs, two sequences, half as many bytes."""
    (tmp_path / "job.toml").write_text("\n".join(job(256, 2, 2)))
    options = [f"--{name}={value}" for name, value in {**fabric(256), **FluidStudy.base}.items()]
    times = [succeed(tmp_path, *options, "--training=job.toml", "--balancer=ofan", "--failRate=0.04", "--sample=0",
                     f"--fidelity={fidelity}")["results"]["cct_ns"] for fidelity in ("packets", "fluid")]
    assert times[1] == pytest.approx(times[0], rel=0.001)


@needs_program
def test_the_options_of_the_figure_are_taken(tmp_path):
    run = script("reproduce", "--program", PROGRAM, "large-job", "--quick", "--dry-run", cwd=tmp_path)
    assert run.returncode == 0 and "16 runs, 0 there" in run.stdout, run.stderr


def test_verdicts_can_say_no(tmp_path):
    rows = [(256, scheme, share, fidelity, time)
            for scheme, share, fidelity, time in [("ECMP", 0, "packets", 29.0), ("ECMP", 0, "fluid", 30.0),
                                                  ("spraying", 0, "fluid", 30.5), ("ECMP", 4, "fluid", 31.0),
                                                  ("spraying", 4, "fluid", 32.0)]]  # fmt: skip
    runs = pandas.DataFrame(rows, columns=["gpus", "scheme", "dead_percent", "fidelity", "cct_ns"])
    runs = runs.assign(cct_ns=1e6 * runs.cct_ns, seed=1, completed=True, cpu_s=1, peak_rss_bytes=1)
    table = summarize(runs[:2], runs[1:], 1)
    study = FluidStudy("large-job", "A figure", str(PROGRAM), tmp_path)
    judge(study, table)
    assert [verdict.holds for verdict in study.verdicts] == [False] * 5


def test_the_page_has_the_results():
    text = (ROOT / "doc/fluid.rst").read_text()
    rates = PUBLISHED[PUBLISHED.fidelity == "fluid"].set_index(["gpus", "scheme", "dead_percent"])
    slower = [100 * (rates.time_ms[8192, "ECMP", share] / rates.time_ms[8192, "spraying", share] - 1) for share in (0, 4)]
    half = rates.over_percent_high95[8192, "ECMP", 0] - slower[0]
    assert f"{slower[0]:.0f} +- {half:.0f} % with 8,192" in text and f"{slower[1]:.0f} % with 4 % dead" in text
    assert f"{PUBLISHED.network_error_percent.abs().max():.2f} %" in text
