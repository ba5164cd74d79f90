# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figure of in-network aggregation: what it measures, and that its verdicts can say no."""

import json
import sys
from pathlib import Path

import pytest

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]

sys.path[:0] = [str(ROOT / "contrib" / part) for part in ("reproduce", "plot", "sweep")]

import esa_slots


@pytest.fixture(name="study")
def make_study(tmp_path, fake):
    return esa_slots.EsaStudy("esa-slots", "A figure", str(fake[0]), tmp_path / "out")


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
    lines = study.jobs_file().read_text().splitlines()
    assert lines[0] == "bytes,layers,iterations,compute_ns,jitter,start_ns"
    assert lines[1:4] == ["744000,10,2,37500,0.1,0", "248000,10,4,150000,0.1,0", "744000,10,6,37500,0.1,0"]
    assert len(lines) == 1 + esa_slots.JOBS


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
    (row,) = esa_slots.summarize(pandas.DataFrame(runs)).itertuples()
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
