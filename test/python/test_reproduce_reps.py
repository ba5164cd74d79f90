# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figures of REPS: what they run, and that their verdicts can say no."""

import math
from pathlib import Path

import pytest

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]

from ai_fabric.reproduce.papers import reps
from ai_fabric.reproduce.figures.reps import ack_compression as reps_ack_compression
from ai_fabric.reproduce.figures.reps import asymmetric as reps_asymmetric
from ai_fabric.reproduce.figures.reps import evs as reps_evs
from ai_fabric.reproduce.figures.reps import failures as reps_failures
from ai_fabric.reproduce.figures.reps import symmetric as reps_symmetric


@pytest.fixture(name="study")
def make_study(tmp_path, fake):
    study = reps.RepsStudy("reps-figX", "A figure", str(fake[0]), tmp_path / "out")
    study.known = [options["balancer"] for options in reps.SCHEMES.values()]
    return study


def verdicts_of(study, words=""):
    """What the verdicts say whose claim has some words."""
    return [verdict.holds for verdict in study.verdicts if words in verdict.claim]


def times(condition, rows):
    """A table of means; rows: (scheme, condition, marks, longest flow)."""
    return pandas.DataFrame(rows, columns=["scheme", condition, "marks", "longest_us"])


def test_only_ops_and_reps_run_with_other_marks(study):
    cases = study.cases(["ecmp", "ops", "reps"], {}, traffic={"tornado": {"workload": "tornado"}})
    labels = [(case.labels["scheme"], case.labels["marks"]) for case in cases]
    others = [name for name in reps.MARKS if name != reps.ARTIFACT]
    assert labels[:3] == [(name, reps.ARTIFACT) for name in ("ecmp", "ops", "reps")]
    assert labels[3:] == [(name, marks) for marks in others for name in reps.PAIR]
    assert all(case.options["workload"] == "tornado" for case in cases)
    assert {case.options["marker"] for case in cases} == {"red", "step"}


def test_settings_are_those_of_the_artifact():
    assert reps.BASE["buffer"] == 415000
    assert reps.BASE["ns3::aifabric::SprayQueuePair::AckTimeout"] == "41537ns"
    assert reps.MARKS[reps.ARTIFACT]["ns3::aifabric::RedMarker::KMin"] == 103750
    assert reps.SCHEMES["reps"]["ns3::aifabric::RepsBalancer::FreezingRtt"] == 1.65
    assert reps.BASE["ns3::aifabric::SelectiveRepeatRecovery::Sleek"] == "Never"
    assert reps.SCHEMES["host-flowlet"]["ns3::aifabric::HostFlowletBalancer::Gap"] == "4169ns"
    assert reps.SCHEMES["host-flowlet"]["ns3::aifabric::HostFlowletBalancer::Hold"] == "41537ns"


def test_each_reference_has_a_scheme():
    for module in (reps_symmetric, reps_asymmetric):
        assert all(len(values) == len(reps.RIVALS) for values in module.REFERENCE.values())
    assert len(reps_ack_compression.REFERENCE) == 10 and len(reps_evs.REFERENCE) == 6
    assert reps_symmetric.by_scheme(reps_symmetric.REFERENCE)["permutation", "reps"] == (98.1, 96.5)
    assert reps_symmetric.by_scheme(reps_asymmetric.REFERENCE)["tornado", "mprdma"] == (142.0, 108.4)
    assert reps_symmetric.by_scheme(reps_symmetric.REFERENCE)["tornado", "host-flowlet"] == (378.0, 168.2)


def test_a_speedup_is_that_of_the_same_faults():
    """The geometric mean over the seeds, and no number if a run did not complete."""
    rows = [
        ("ops", "a", "x", 1, 400), ("ops", "a", "x", 2, 100), ("ops", "b", "x", 1, 9), ("ops", "b", "x", 2, math.nan),
        ("reps", "a", "x", 1, 100), ("reps", "a", "x", 2, 100), ("reps", "b", "x", 1, 3), ("reps", "b", "x", 2, 3),
    ]
    runs = pandas.DataFrame(rows, columns=["scheme", "fault", "marks", "seed", "longest_us"])
    means = runs[["scheme", "fault", "marks"]].drop_duplicates()
    found = reps_failures.with_speedups(runs, means).set_index(["scheme", "fault"])
    assert found.speedup["reps", "a"] == pytest.approx(2)
    half = 12.7062 * math.log(2)  # Student's t of two runs, of the logarithms of 4 and 1
    assert math.log(found.speedup_high95["reps", "a"] / 2) == pytest.approx(half) == math.log(2 / found.speedup_low95["reps", "a"])
    assert math.isnan(found.speedup["reps", "b"]) and found.speedup["ops", "a"] == 1


def failures(reps_gain, rival):
    """A table of speed-ups over OPS, the same with all faults."""
    gains = {"ops": 1, "bitmap": rival, "reps-no-freezing": 2, "reps": reps_gain}
    return pandas.DataFrame(
        [(scheme, fault, reps.ARTIFACT, gain) for scheme, gain in gains.items() for fault in reps_failures.FAULTS],
        columns=["scheme", "fault", "marks", "speedup"],
    )


@pytest.mark.parametrize("gain, rival, holds", [(3, 2, (True, True, True)), (0.5, 0.9, (False, False, False))])
def test_failures_can_say_no(study, gain, rival, holds):
    reps_failures.judge(study, failures(gain, rival))
    words = "one slow cable", "best of all", "freezing speeds"
    assert tuple(verdicts_of(study, word)[0] for word in words) == holds


@pytest.mark.parametrize("ours, holds", [(105, True), (130, False)])
def test_the_reference_is_compared(study, ours, holds):
    means = times("traffic", [("reps", "tornado", reps.ARTIFACT, ours), ("reps", "tornado", "10-80", 999)])
    means = means.assign(mean_us=ours, reference_us=[100, None], reference_mean_us=[100, None])
    study.claim_both_as_reference(means)
    assert verdicts_of(study) == [holds, holds]


@pytest.mark.parametrize("ours, holds", [(110, True), (90, False)])
def test_what_each_way_to_mark_gains(study, ours, holds):
    rows = [("ops", "a", "10-80", ours), ("reps", "a", "10-80", 100), ("ops", "a", "other", 1)]
    study.claim_marks(times("traffic", rows), "traffic")
    assert verdicts_of(study) == [holds]


@pytest.mark.parametrize("ops, bitmap, holds", [(150.1, 112.6, True), (120, 95, False)])
def test_ratios_over_reps_are_of_one_run_of_the_artifact(study, ops, bitmap, holds):
    values = {"ops": ops, "bitmap": bitmap, "reps": 105.8}
    means = times("traffic", [(scheme, traffic, reps.ARTIFACT, us) for scheme, us in values.items()
                              for traffic in reps_asymmetric.CONDITIONS])
    reps_asymmetric.judge(study, means)
    for words in ("of ops over", "of bitmap over", "permutation: REPS is the best"):
        assert verdicts_of(study, words) == [holds], words


@pytest.mark.parametrize("last, holds", [(100, True), (150, False)])
def test_reps_falls_to_ops(study, last, holds):
    rows = [("ops", 4000, 105), ("reps", 4000, 100), ("ops", 65376, last), ("reps", 65376, 100)]
    means = times("ack_bytes", [(scheme, size, reps.ARTIFACT, value) for scheme, size, value in rows])
    reps_ack_compression.judge(study, "healthy", means)
    assert verdicts_of(study, "16 packets") == [holds]


@pytest.mark.parametrize("few, holds", [(150, True), (120, False)])
def test_ops_needs_many_entropies(study, few, holds):
    means = times("entropies", [("ops", 32, reps.ARTIFACT, few), ("ops", reps.ALL, reps.ARTIFACT, 100)])
    reps_evs.judge(study, means)
    assert verdicts_of(study) == [holds]
