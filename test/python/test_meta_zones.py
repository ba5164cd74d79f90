# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figures of routing, of two-level collectives, of the aggregation layer and of hashing: verdicts that can say no."""

import pytest
from meta_figures import study, words  # noqa: F401 (a fixture, and contrib in the path)

pandas = pytest.importorskip("pandas")

from ai_fabric.reproduce.figures.meta import aggregation as meta_aggregation
from ai_fabric.reproduce.figures.meta import hash as meta_hash
from ai_fabric.reproduce.figures.meta import routing as meta_routing
from ai_fabric.reproduce.figures.meta import two_level as meta_two_level


@pytest.mark.parametrize("used, holds", [(0.8, True), (0.71, True), (0.65, False), (0.95, False)])
def test_utilization_of_the_fabric_may_differ(study, used, holds):
    rows = [(kind, placement, uplinks, name, time, used)
            for kind in meta_routing.KINDS for uplinks in (16, 18)
            for placement in ("packed", *(["fragmented"] if kind == "all-reduce" else []))
            for time, name in enumerate(reversed(meta_routing.GENERATIONS), 1)]  # fmt: skip
    columns = ["kind", "placement", "uplinks", "generation", "time_us", "used"]
    meta_routing.judge_generations(study, pandas.DataFrame(rows, columns=columns))
    assert words(study, "R5") == [holds, holds]


@pytest.mark.parametrize(
    "engineered, hashed, gain, holds",
    [
        ((0.8, 0.8, 0.8), (0.4, 0.6, 0.9), 1.07, [True, True, True, True]),
        ((0.6, 0.8, 0.9), (0.8, 0.8, 0.9), 1.2, [True, False, False, True]),
        ((0.3, 0.3, 0.3), (0.1, 0.2, 0.9), 1.01, [False, True, False, False]),
    ],
)
def test_uplinks_may_be_used_otherwise(study, engineered, hashed, gain, holds):
    rows = [("te", *engineered, 100.0), (meta_two_level.HASHED, *hashed, 100 * gain)]
    table = pandas.DataFrame(rows, columns=["generation", "least_used", "mean_used", "most_used", "time_us"])
    meta_two_level.judge_uplinks(study, table.assign(placement=meta_two_level.USUAL, uplinks=meta_two_level.NICS))
    assert words(study, "R9") == holds


def test_the_usual_figure_of_two_levels_has_one_placement(study):
    """All generations at the full size in minutes; everything else needs --full."""
    assert [case.labels["generation"] for case in meta_two_level.make_cases(study)] == meta_two_level.GENERATIONS
    study.full = True
    everything = meta_two_level.make_cases(study)
    assert {case.labels["placement"] for case in everything} == set(meta_two_level.PLACEMENTS)
    assert len(everything) > 20


@pytest.mark.parametrize("times, holds", [((1, 2, 3, 4), True), ((2, 1, 3, 4), False)])
@pytest.mark.parametrize("off", [1, 1.2])
def test_links_between_zones_may_be_uneven(study, monkeypatch, times, holds, off):
    monkeypatch.setattr(meta_aggregation, "DRAWS", 5)
    study.quick = True
    cases = [("te", 1), ("e-ecmp", 32), ("e-ecmp", 4), ("ecmp", 1)]
    rows = [(name, count, 1.0, time) for (name, count), time in zip(cases, times)]
    rows += [("e-ecmp", 1, 1.0, 9), ("e-ecmp", 16, 1.0, 1), ("one-port", 16, 1.0, 1.5 if holds else 1.3)]
    table = pandas.DataFrame(rows, columns=["balancer", "queue_pairs", "over", "time_us"])
    for count in (1, 4, 16, 32):
        where = (table.balancer == "e-ecmp") & (table.queue_pairs == count)
        table.loc[where, "over"] = meta_aggregation.model(study, count)[0] * off
    meta_aggregation.judge_crossing(study, table)
    assert words(study, "over its share") == [off == 1] * 4
    assert words(study, "TE <") == words(study, "gain of E-ECMP") == [holds]


def test_the_model_of_hashing_over_zones(study):
    """One flow has a link to itself; many are even; and Q queue pairs are Q times as many flows."""
    study.quick = True
    values = [meta_aggregation.model(study, count)[0] for count in (1, 4, 32)]
    assert values[0] > values[1] > values[2] > 1
    assert values[0] == pytest.approx(1.91, rel=0.03)


@pytest.mark.parametrize(
    "gains, holds", [((1.6, 1.25, 1.1, 1.05), True), ((1.6, 1.5, 1.4, 1.35), False), ((1, 1, 1, 1), False)]
)
def test_weights_may_gain_nothing(study, gains, holds):
    rows = [(name, links, draw, (gain + 0.02 * draw) if name == "ECMP" else 1.0) for draw in (-1, 0, 1)
            for links, gain in zip(meta_aggregation.UPLINKS, gains) for name in meta_aggregation.AWARE]  # fmt: skip
    runs = pandas.DataFrame(rows, columns=["routing", "links", "draw", "time_us"])
    found = meta_aggregation.gains_of(runs)
    assert found.gain[2] == pytest.approx(100 * (gains[0] - 1)) and (found.draws == 3).all()
    assert found.error[2] == pytest.approx(2 / 3**0.5)
    meta_aggregation.judge_dead(study, found)
    assert words(study, "R14") == [holds]


@pytest.mark.parametrize("mean, median, p99", [(3.08, 3, 5), (3.5, 3, 5), (3.08, 3.5, 5), (3.08, 3, 6)])
def test_each_value_of_the_hash_model_is_judged(study, mean, median, p99):
    model = dict(zip(("model_mean", "model_median", "model_p99"), meta_hash.RACK[16][1]))
    row = {"table": "a", "racks": 1, "uplinks": 16, "dead": 0, "queue_pairs": 1, "samples": meta_hash.SAMPLES}
    meta_hash.judge_tables(study, pandas.DataFrame([{**row, **model, "mean": mean, "median": median, "p99": p99}]))
    assert words(study, "mean of") == [mean < 3.4]
    assert words(study, "median of") == [median < 3.3]
    assert words(study, "p99 of") == [p99 < 5.5]


@pytest.mark.parametrize(
    "few, many, engineered, expected",
    [
        ([2.5] * 10, [1.9] * 2 + [2.2] * 8, [1, 1], [True, True, True, True, True]),
        ([2.5] * 8 + [1.4] * 2, [1.5] * 10, [1, 1.1], [True, False, False, False, False]),
    ],
)
def test_jobs_may_be_elsewhere_below_the_roofline(study, few, many, engineered, expected):
    rows = [("e-ecmp", 4, load) for load in few] + [("e-ecmp", 32, load) for load in many]
    rows += [("te", 1, load) for load in engineered]
    runs = pandas.DataFrame(rows, columns=["balancer", "queue_pairs", "worst_link_overload"])
    other = runs.assign(racks=8, worst_link_overload=9)
    runs = pandas.concat([runs.assign(racks=64), other]).assign(table="ring", uplinks=16)
    shares = meta_hash.shares_of_roofline(runs)
    assert set(shares.racks) == {64}
    meta_hash.judge_roofline(study, shares)
    assert words(study, "R10") == expected
