# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figures of in-network aggregation: what they measure, and that their verdicts can say no."""

import json
from pathlib import Path

import pytest

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]

from ai_fabric.reproduce.figures.esa import jobs as esa_jobs
from ai_fabric.reproduce.figures.esa import rings as esa_rings
from ai_fabric.reproduce.figures.esa import sensitivity as esa_sensitivity
from ai_fabric.reproduce.figures.esa import shapes as esa_shapes
from ai_fabric.reproduce.figures.esa import slots as esa_slots
from ai_fabric.reproduce.figures.esa import transports as esa_transports
from ai_fabric.reproduce.papers.esa import JOBS, EsaStudy


@pytest.fixture(name="study")
def make_study(tmp_path, fake):
    return EsaStudy("esa-slots", "A figure", str(fake[0]), tmp_path / "out")


def table_of(times=esa_slots.EXPECTED, wrong=0):
    """What the study measures if its times are these."""
    rows = [
        {"system": system, "slots": slots, "jct_us": row[place], "wrong_sums": wrong,
         "expected_us": esa_slots.EXPECTED[slots][place]}
        for slots, row in times.items()
        for place, system in enumerate(esa_slots.SYSTEMS)
    ]
    return pandas.DataFrame(rows)


def verdicts_of(study, words=""):
    return [verdict.holds for verdict in study.verdicts if words in verdict.claim]


def test_jobs_are_those_of_the_event_model(study):
    lines = study.mixed_jobs().read_text().splitlines()
    assert lines[0] == "bytes,layers,iterations,compute_ns,jitter,start_ns"
    assert lines[1:4] == ["744000,10,2,37500,0.1,0", "248000,10,4,150000,0.1,0", "744000,10,6,37500,0.1,0"]
    assert len(lines) == 1 + JOBS


def test_means_over_runs(tmp_path):
    runs = []
    for seed, jct in ((1, 600e3), (2, 700e3)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        keys = ["hit_share", "server_packets_per_fragment", "preemptions", "reminders", "retransmissions", "wrong_sums"]
        results = {"results": {"aggregation": {"jct_ns": jct, **dict.fromkeys(keys, seed)}}}
        (folder / "run.json").write_text(json.dumps(results))
        runs.append({"system": "atp", "slots": 400, "seed": seed, "completed": True, "folder": folder})
    runs.append({**runs[0], "seed": 3, "completed": False})
    (row,) = esa_slots.with_expected(pandas.DataFrame(runs)).itertuples()
    assert (row.runs, row.jct_us, row.expected_us, row.hit_share, row.wrong_sums) == (2, 650, 884, 1.5, 3)


def test_the_event_model_passes(study):
    esa_slots.judge(study, table_of())
    assert len(study.verdicts) == 14 and all(verdicts_of(study))


def test_verdicts_can_say_no(study):
    slow = {slots: [100, 2 * row[1], *row[2:3], 3 * row[3], *row[4:]] for slots, row in esa_slots.EXPECTED.items()}
    esa_slots.judge(study, table_of(slow, wrong=1))
    assert not any(verdicts_of(study, "ATP over ESA"))
    assert not any(verdicts_of(study, "ESA before"))
    assert verdicts_of(study, "slowest") == [False] and verdicts_of(study, "as the event model") == [False, False]
    assert verdicts_of(study, "all sums") == [False]


# --- Shapes, rings, and rules that are inferred ---------------------------------------------------


def test_the_law_of_rates_and_the_formula_of_slots():
    assert esa_shapes.rate_law(1, 8) == 1 and esa_shapes.rate_law(0, 8) == 1 / 8
    assert esa_shapes.rate_law(0.5, 8) == pytest.approx(1 / 4.5)
    assert esa_shapes.T2_FORMULA == pytest.approx(0.439, abs=0.0005)


def test_each_test_of_shapes_has_its_runs(tmp_path, fake):
    study = EsaStudy("esa-shapes", "A figure", str(fake[0]), tmp_path / "out")
    cases = esa_shapes.cases_of(study)
    assert {case.labels["test"] for case in cases} == {f"T{number}" for number in range(1, 11)}
    labels = [tuple(case.labels.values()) for case in cases]
    assert len(labels) == len(set(labels))


def test_starved_and_late_jobs_are_seen(tmp_path, fake):
    study = EsaStudy("esa-shapes", "A figure", str(fake[0]), tmp_path / "out")
    columns = ["first_hit_share", "second_hit_share", "first_jct_ns"]
    columns += ["filling_ns", "held_ns", "preemptions", "collisions"]
    rows = {("T3", "atp"): [0.58, 0.51, 2, 1, 1, 0, 0], ("T3", "esa"): [0.95, 0.2, 1, 1, 1, 0, 0],
            ("T3", "esa, little skew"): [0.95, 0.8, 1, 1, 1, 0, 0], ("T4", "switchml"): [1, 1, 1, 1, 3, 0, 0],
            ("T4", "atp"): [1, 1, 1, 1, 2, 0, 0], ("T4", "esa"): [1, 1, 1, 1, 1, 0, 0],
            ("T5", "equal"): [1, 1, 1, 1, 1, 0, 500],
            ("T6", "on"): [1, 0.7, 1, 1, 1, 0, 0], ("T6", "off"): [1, 0.01, 1, 1, 1, 0, 0]}
    means = pandas.DataFrame.from_dict(rows, orient="index", columns=columns, dtype=float)
    means.index = pandas.MultiIndex.from_tuples(means.index)
    esa_shapes.judge_contests(study, means)
    assert len(study.verdicts) == 7 and all(verdicts_of(study))
    study.verdicts.clear()
    means.loc[("T6", "off"), "second_hit_share"] = 0.5
    means.loc[("T5", "equal"), "preemptions"] = 1
    esa_shapes.judge_contests(study, means)
    assert verdicts_of(study, "T5") == [False] and verdicts_of(study, "T6") == [False]


def test_what_headers_allow():
    over = esa_rings.headers_allow("atp") / esa_rings.headers_allow("ring")
    assert 1.44 < over < 1.48 and 1.43 <= esa_rings.headers_allow("esa") / esa_rings.headers_allow("ring") < 1.48


def test_half_of_the_bandwidth_is_between_two_runs():
    rows = pandas.DataFrame({"number": [100, 200, 400], "bus_gbps": [10.0, 90.0, 100.0]})
    assert esa_rings.half_of(rows) == 150
    assert pandas.isna(esa_rings.half_of(rows.assign(bus_gbps=[60.0, 90.0, 100.0])))


def test_the_same_hosts_are_workers_everywhere(fake, tmp_path):
    study = EsaStudy("esa-transports", "A figure", str(fake[0]), tmp_path / "out")
    cases = esa_transports.cases_of(study)
    assert len(cases) == 3 * 2 * 2 + 3 * 4
    hosts = [case.options["placement"].read_text().split()[:32] for case in cases]
    assert all(some == hosts[0] for some in hosts) and len(set(hosts[0])) == 32
    racks = [int(host) // esa_transports.HOSTS for host in hosts[0][:esa_transports.WORKERS]]
    assert sorted(racks) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_verdicts_of_transports(fake, tmp_path):
    study = EsaStudy("esa-transports", "A figure", str(fake[0]), tmp_path / "out")
    times = {(system, path, slots): 100.0 + 50 * (system == "atp" and slots == 100)
             for system in esa_transports.IN_NETWORK for path in esa_transports.SWITCHES
             for slots in esa_transports.SLOTS}
    times |= {(system, path, 0): 300.0 if path == "rc, ecmp" else 200.0
              for system in esa_transports.MESSAGES for path in esa_transports.PATHS}
    rows = [{"system": system, "path": path, "slots": slots, "jct_us": time, "wrong_sums": 0}
            for (system, path, slots), time in times.items()]
    table = pandas.DataFrame(rows)
    esa_transports.judge(study, table)
    assert len(study.verdicts) == 6 and all(verdicts_of(study))
    study.verdicts.clear()
    table.loc[table.system == "ring", "jct_us"] = 90.0
    table.loc[table.system == "esa", "jct_us"] = 160.0
    table["wrong_sums"] = 1
    esa_transports.judge(study, table)
    assert not any(verdicts_of(study))


def test_rules_that_flip_a_verdict():
    rows = [{"rule": rule, "slots": slots, "jct_us": 1.0, "hit_share": 0.95}
            for rule in ("usual", "no ageing") for slots in (esa_sensitivity.SCARCE, esa_sensitivity.AMPLE)]
    rows += [{"rule": rule, "slots": slots, "jct_us": 2.0, "hit_share": 0.5}
             for rule in esa_sensitivity.OTHERS for slots in (esa_sensitivity.SCARCE, esa_sensitivity.AMPLE)]
    table = pandas.DataFrame(rows)
    assert esa_sensitivity.verdicts_of(table).to_numpy().all()
    table.loc[table.rule == "no ageing", ["jct_us", "hit_share"]] = 3.0, 0.5
    found = esa_sensitivity.verdicts_of(table)
    assert found.loc["usual"].all() and not found.loc["no ageing"].any()


def test_slowdowns_are_over_the_same_job_alone():
    job = {"jct_ns": 300.0}
    mixed = {"jct_ns": 300.0, "hit_share": 1, "wrong_sums": 0, "jobs": [job] * esa_jobs.JOBS}
    found = {(f"alone-{kind[0]}-{iterations}", "esa", 1): {"jct_ns": 100.0 * (kind == esa_jobs.HEAVY) + 100}
             for kind in (esa_jobs.HEAVY, esa_jobs.LIGHT) for iterations in esa_jobs.ITERATIONS}
    (row,) = esa_jobs.slowdowns({**found, ("heavy-4", "esa", 1): mixed}).itertuples()
    assert row.heavy == 4 and row.mean_slowdown == (4 * 1.5 + 4 * 3) / 8 and row.p99_slowdown == 3


def test_mixes_have_their_jobs():
    for heavy in esa_jobs.MIXES:
        kinds = [kind for kind, _ in esa_jobs.jobs_of(heavy)]
        assert kinds.count(esa_jobs.HEAVY) == heavy and len(kinds) == esa_jobs.JOBS
