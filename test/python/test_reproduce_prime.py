# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figures of PRIME against rivals on path labels: what they run, and that their verdicts can say no."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]
BIN_DIR = os.environ.get("AI_FABRIC_BIN_DIR")
PROGRAM = Path(BIN_DIR or "") / "ai-fabric-run"
REPRODUCE = ROOT / "contrib" / "reproduce"

sys.path[:0] = [str(ROOT / "contrib" / part) for part in ("reproduce", "plot", "sweep")]

import prime_buffers
import prime_fair
import prime_large
import prime_sensitivity

FORWARDING = "ns3::aifabric::EntropyBalancer::Forwarding"
KNOWN = ["ecmp", "host-random", "host-permuted", "bitmap", "reps-fifo", "reps", "mixed", "prime"]


def make_study(module, fake, tmp_path):
    study = module.STUDY("prime-figX", "A figure", str(fake[0]), tmp_path / "out", seeds=1)
    study.known += KNOWN
    return study


def verdicts_of(study, words=""):
    """What the verdicts say whose claim has some words."""
    return [verdict.holds for verdict in study.verdicts if words in verdict.claim]


def means_of(values, cell=("healthy", "1MiB", 4)):
    """A table of means; values: the longest flow by scheme."""
    rows = [[*cell, scheme, us, us, 100 / us] for scheme, us in values.items()]
    columns = [*prime_fair.CELL, "scheme", "longest_us", "p99_us", "goodput_gbps"]
    return pandas.DataFrame(rows, columns=columns)


def test_rivals_on_path_labels_differ_from_hashed_ones_only_in_that(tmp_path, fake):
    study = make_study(prime_fair, fake, tmp_path)
    for name in prime_fair.RIVALS:
        hashed, direct = study.options_of(name), study.options_of(f"{name}-direct")
        assert direct == {**hashed, FORWARDING: "Direct"}
    cases = study.cases_of("ordered", prime_fair.COMPARED, ["1MiB"], [1, 4])
    schemes = {case.labels["scheme"] for case in cases}
    assert schemes == {*prime_fair.COMPARED} - {"ecmp"}  # whose flows are all ordered
    assert all(case.labels["case"] == "ordered" and case.options["ordered"] == 10 for case in cases)


def test_gains_are_over_the_best_rival_of_each_group(tmp_path, fake):
    means = means_of({"ecmp": 100, "reps": 50, "bitmap": 40, "reps-direct": 32, "prime": 30})
    row = prime_fair.gains_of(means).iloc[0]
    assert [row.over_ecmp, row.over_reps, row.over_best_hashed] == pytest.approx([70, 40, 25])
    assert row.over_best_direct == pytest.approx(6.25) and row.p99_over_best_hashed == pytest.approx(25)
    assert row.goodput_over_best_hashed == pytest.approx(100 / 3)
    assert (row.best_hashed, row.best_direct) == ("bitmap", "reps-direct")


@pytest.mark.parametrize("direct, holds", [(32, True), (29, False)])
def test_the_best_rival_on_labels_can_beat_prime(tmp_path, fake, direct, holds):
    study = make_study(prime_fair, fake, tmp_path)
    means = means_of({"reps": 50, "reps-direct": direct, "prime": 30})
    prime_fair.judge_headline(study, prime_fair.gains_of(means), "over_reps", 15, "reps")
    prime_fair.judge_headline(study, prime_fair.gains_of(means), "over_best_direct", 15, "direct")
    assert verdicts_of(study) == [True, False]
    study.verdicts.clear()
    parts = [means_of({"reps": 50, "reps-direct": direct, "prime": 30}, (case, "1MiB", 4)) for case in prime_fair.CASES]
    means = pandas.concat(parts)
    prime_fair.judge(study, means, prime_fair.gains_of(means))
    assert verdicts_of(study, "no worse than the best rival on path labels") == [holds] * 3


def test_more_hashed_entropies(tmp_path, fake):
    for values, expected in (((40, 36), [True, True]), ((33, 36), [False, False])):
        study = make_study(prime_fair, fake, tmp_path)
        more = dict(zip(prime_fair.MORE_ENTROPIES, values))
        prime_fair.judge_entropies(study, means_of({"reps": 35, "prime": 30, **more}))
        assert verdicts_of(study) == expected


def test_a_setting_flips_a_verdict():
    cell = pandas.MultiIndex.from_tuples([("degraded", 4)])
    table = pandas.DataFrame({"reps": [50.0], "bitmap": [40.0], "prime": [36.0], "PNack x 4": [45.0]}, index=cell)
    flips = prime_sensitivity.verdicts_of(table, ["prime", "PNack x 4"]).set_index(["verdict", "setting"])
    over_reps = flips.loc["degraded, ACK per 4: 18 % over REPS"]
    assert over_reps.holds.tolist() == [True, False] and over_reps.flips.tolist() == [False, True]
    assert over_reps.gain_percent.tolist() == pytest.approx([28, 10])
    assert flips.loc["degraded, ACK per 4: best hashed rival"].gain_percent.tolist() == pytest.approx([10, -12.5])


def test_a_smaller_decay_is_a_larger_penalty():
    name = "ns3::aifabric::PrimeBalancer::"
    assert prime_sensitivity.with_decay(2)[f"{name}Decay"] == 2
    slow = prime_sensitivity.with_decay(0.25)
    assert (slow[f"{name}PEcn"], slow[f"{name}PNack"]) == (32, 128)


def test_queues_grow_or_do_not(tmp_path, fake):
    study = make_study(prime_buffers, fake, tmp_path)
    columns = ["scheme", "early_packets", "late_packets"]
    rows = [["ops-random", 100, 150], ["reps", 100, 105], ["prime", 50, 60]]
    rows = pandas.DataFrame(rows, columns=columns).set_index("scheme")
    prime_buffers.judge_growth(study, rows, "here")
    assert verdicts_of(study) == [True, False, False]
    study.verdicts.clear()
    prime_buffers.judge_level(study, rows, "here")
    assert verdicts_of(study) == [True]


def test_the_largest_fabric_has_the_reference_s_queues():
    options = prime_large.options_of(200, is_quick=False)
    assert options["leaves"] * options["hostsPerLeaf"] == 8192 and options["spines"] == 64
    assert options["buffer"] == 50 * 4150 and options["ns3::aifabric::RedMarker::KMax"] == 37 * 4150


@pytest.mark.skipif(not (BIN_DIR and PROGRAM.exists()), reason="needs ai-fabric-run")
@pytest.mark.parametrize("name", ["prime-fair", "prime-buffers", "prime-sensitivity", "prime-large"])
def test_a_figure_from_beginning_to_end(tmp_path, name):
    command = [sys.executable, REPRODUCE, name, "--quick", "--seeds=1", "--program", PROGRAM, "--out", tmp_path]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert run.returncode == 0, run.stderr
    folder = tmp_path / f"{name}-quick"
    for file in (f"{name}.csv", f"{name}.png", f"{name}-verdicts.csv"):
        assert (folder / file).stat().st_size > 100
    verdicts = pandas.read_csv(folder / f"{name}-verdicts.csv")
    assert verdicts[verdicts.claim.str.startswith("no run beats")].holds.tolist() == ["yes"]
