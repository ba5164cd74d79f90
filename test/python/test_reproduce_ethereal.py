# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figures of Ethereal: what they run, and that their verdicts can say no."""

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

from ai_fabric.reproduce import drawing
from ai_fabric.reproduce.papers import ethereal
from ai_fabric.reproduce.figures.ethereal import failures as ethereal_failures
from ai_fabric.reproduce.figures.ethereal import fig2 as ethereal_fig2
from ai_fabric.reproduce.figures.ethereal import fig3 as ethereal_fig3
from ai_fabric.reproduce.figures.ethereal import fig4 as ethereal_fig4
from ai_fabric.reproduce.figures.ethereal import skew as ethereal_skew
from ai_fabric.reproduce.figures.ethereal import targets as ethereal_targets
from ai_fabric.sweep.runner import RunError, Runner

needs_program = pytest.mark.skipif(not (BIN_DIR and PROGRAM.exists()), reason="needs ai-fabric-run")


@pytest.fixture(name="study")
def make_study(tmp_path, fake):
    return ethereal.EtherealStudy("ethereal-figX", "A figure", str(fake[0]), tmp_path / "out")


def verdicts_of(study, words=""):
    """What the verdicts say whose claim has some words."""
    return [verdict.holds for verdict in study.verdicts if words in verdict.claim]


def times_of(rows):
    """A table of times; rows: the times of each scheme, by collective and size."""
    table = pandas.DataFrame.from_dict(rows, orient="index", dtype=float)
    table.index = pandas.MultiIndex.from_tuples(rows, names=["collective", "size"])
    return table


# --- What is run ----------------------------------------------------------------------------------


def test_a_run_each_is_a_scheme_a_collective_and_a_size(study):
    study.known.append("host-counter")
    sizes = {"ring": [1, 2], "double binary tree": [4]}
    cases = study.collectives(["spray", "mp-rdma-4"], sizes, study.leaf_spine())
    assert [tuple(case.labels.values()) for case in cases] == [
        ("ring", "spray", 1), ("ring", "spray", 2), ("ring", "mp-rdma-4", 1), ("ring", "mp-rdma-4", 2),
        ("double binary tree", "spray", 4), ("double binary tree", "mp-rdma-4", 4),
    ]
    first, last = cases[0].options, cases[-1].options
    assert first["balancer"] == "host-counter" and first["size"] == "1MB"
    assert last["steering"] == "split" and last["recovery"] == "go-back-n"
    assert last["ns3::aifabric::DoubleBinaryTreeAlgorithm::Trees"] == 1


@pytest.mark.parametrize("scheme", [*ethereal.PAPER, "ethereal-v1"])
def test_the_timer_is_that_of_the_authors(study, scheme):
    study.known += ["host-counter", "ethereal-reps"]
    for fabric in study.leaf_spine(), study.fat_tree():
        (case,) = study.collectives([scheme], {"ring": [1]}, fabric)
        assert case.options["ns3::aifabric::RcQueuePair::RearmOnSend"] == "true"


def test_what_is_no_scheme_of_the_paper_is_a_balancer(study):
    assert study.options_of("ofan") == {"balancer": "ofan", "recovery": "packet-timer"}
    assert study.has("ofan") and study.has("ethereal") and not study.has("rr")  # of this program


def test_full_is_more_and_quick_is_less(tmp_path, fake):
    def count(**options):
        study = ethereal.EtherealStudy("x", "y", str(fake[0]), tmp_path, **options)
        parts = study.pick_parts(ethereal_fig3.SCHEMES, ethereal_fig3.USUAL)
        return sum(len(part.schemes) * len(sizes) for part in parts for sizes in part.sizes.values())

    assert count(quick=True) < count() < count(full=True) == 36 * len(ethereal_fig3.SCHEMES)


def test_figure_3_has_each_size_of_the_paper_and_version_1():
    runs = {
        (scheme, name, size)
        for part in ethereal_fig3.USUAL
        for scheme in part.schemes
        for name, sizes in part.sizes.items()
        for size in sizes
    }
    sizes = [2, 4, 8, 16, 32, 128]
    for scheme in ethereal.PAPER:
        assert runs >= {(scheme, name, size) for name in ethereal.COLLECTIVES for size in sizes}
        assert runs >= {(scheme, name, 64) for name in ethereal.BALANCED}
    assert runs >= {("ethereal-v1", name, 16) for name in ethereal.COLLECTIVES}


def test_a_mean_of_fewer_runs_is_hollow(study, monkeypatch):
    drawn = []
    monkeypatch.setattr(drawing, "finish", lambda figure, study, text, *more: drawn.append((figure, text)))
    rows = [("spray", 4, 3, 20.0), ("spray", 8, 1, 30.0)]
    means = pandas.DataFrame(rows, columns=["scheme", "size", "runs", "increase_percent"])
    ethereal.draw_collectives(study, means.assign(collective="ring"), "here")
    ((figure, text),) = drawn
    hollow = [line for line in figure.axes[0].lines if line.get_markerfacecolor() == "white"]
    assert [line.get_xdata().tolist() for line in hollow] == [[8]]
    assert text == "here (hollow: 1 run)"


def test_figure_4_runs_the_schemes_of_the_paper_three_times(tmp_path, fake):
    study = ethereal_fig4.STUDY("ethereal-fig4", "y", str(fake[0]), tmp_path)
    seeds = {name: part.seeds or study.seeds for part in ethereal_fig4.USUAL for name in part.schemes}
    assert {name: seeds[name] for name in ethereal.PAPER} == dict.fromkeys(ethereal.PAPER, 3)


def test_the_longer_way_of_figure_4(tmp_path, fake):
    study = ethereal_fig4.STUDY("ethereal-fig4", "y", str(fake[0]), tmp_path)
    study.known.append("ethereal-reps")
    for scheme, expected in (("ethereal-reps", 37), ("ethereal", None)):
        (case,) = study.collectives([scheme], {"ring": [1]}, study.fat_tree())
        assert case.options.get("ns3::aifabric::EtherealRepsBalancer::Exploration") == expected


def test_parts_have_runs_of_their_own(tmp_path, fake):
    def run(**options):
        study = ethereal.EtherealStudy("x", "y", str(fake[0]), tmp_path, seeds=2, jobs=1, **options)
        sizes = {"ring": [1]}
        parts = [ethereal.Part(["ethereal", "ecmp"], sizes), ethereal.Part(["mp-rdma-2"], sizes, 1)]
        table = study.run_parts(parts, {})
        return list(zip(table.scheme, table.seed))

    assert run() == [("ethereal", 1), ("ethereal", 2), ("ecmp", 1), ("ecmp", 2), ("mp-rdma-2", 1)]
    assert run(only=["mp-rdma-2"]) == [("mp-rdma-2", 1)]
    with pytest.raises(RunError, match="nothing to run"):
        run(only=["mp-rdma-8"])


def test_steps_of_recursive_doubling():
    steps = ethereal_skew.steps_of(8, 800)
    assert steps == [(1, 400), (2, 200), (4, 100), (4, 100), (2, 200), (1, 400)]


def test_a_file_of_steps_is_written_once(study):
    path = study.write_flows("steps.csv", ethereal_skew.flows_of(4, 400))
    os.utime(path, (1, 1))
    study.write_flows("steps.csv", ethereal_skew.flows_of(4, 400))
    assert path.stat().st_mtime == 1  # so that runs which have read it stay
    flows = pandas.read_csv(path)
    assert len(flows) == 4 * 4 and sorted(flows.bytes.unique()) == [100, 200]
    flows["received_ns"] = flows.start_ns + flows.bytes
    assert ethereal_skew.sum_of_steps(flows) == 200 + 100 + 100 + 200


def test_the_spread_of_a_step():
    flows = pandas.DataFrame({"step": [0, 0, 1, 1], "start_ns": [0, 0, 5, 9]})
    assert ethereal_skew.spread_of(flows).tolist() == [0, 4]


def test_a_shift_has_each_host_send_and_receive_once(study):
    flows = pandas.read_csv(study.write_flows("shift.csv", ethereal_fig2.shift_of(8, 2, 1000)))
    assert sorted(flows.source) == sorted(flows.destination) == list(range(8))


# --- Verdicts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spray, reps, holds",
    [
        (100 / 0.7, 100 / 0.6, [True, True]),
        (100 / 0.5, 100 / 0.9, [False, False]),  # 50 % and 10 %
        (90, 100, [False, False]),
        (math.nan, 100 / 0.6, [None, True]),
    ],
)
def test_up_to_30_and_40_percent(study, spray, reps, holds):
    row = {"ethereal": 100, "spray": spray, "ethereal-reps": reps}
    times = times_of({("ring", 1): row})
    study.claim_up_to(times, [times])
    assert verdicts_of(study) == holds


def test_up_to_is_the_most_of_all_cases(study):
    rows = {("ring", 1): {"ethereal": 100, "spray": 100}, ("recursive doubling", 4): {"ethereal": 70, "spray": 100}}
    times = times_of(rows)
    study.claim_up_to(times, [times])
    assert study.verdicts[0].measured == "30.0 % (recursive doubling, 4 MB); 30.0 to 30.0 %"


@pytest.mark.parametrize("gains, holds", [((25, 39), True), ((15, 39), False), ((25, 41), False)])
def test_up_to_holds_with_each_seed(study, gains, holds):
    runs = [times_of({("ring", 4): {"ethereal": 100 - gain, "spray": 100}}) for gain in gains]
    study.claim_up_to(sum(runs) / 2, runs)
    assert study.verdicts[0].measured.endswith(f"; {gains[0]}.0 to {gains[1]}.0 %")
    assert verdicts_of(study) == [holds]


def test_each_seed_has_times_of_its_own(study):
    rows = [
        {"scheme": scheme, "collective": "ring", "size": 4, "seed": seed, "cct_us": 10 * seed + index}
        for seed in (1, 2)
        for index, scheme in enumerate(("ethereal", "spray"))
    ]
    found = study.by_seed(pandas.DataFrame(rows))
    assert [times.values.tolist() for times in found] == [[[10, 11]], [[20, 21]]]


def row_of_all(best):
    """Times of all schemes of the paper; that of the best other one, and of one that is ours."""
    return {**dict.fromkeys(ethereal.PAPER, 150), "ethereal": 100, "mp-rdma-8": best, "ofan": 50}


@pytest.mark.parametrize("best, holds", [(102, True), (101, False), (100, False), (99.5, False)])
def test_ethereal_is_the_best_at_each_size(study, best, holds):
    times = times_of({("x", 4): row_of_all(140), ("x", 8): row_of_all(best)})
    study.claim_best_of_all("here", times, [times])
    ours = times_of({("x", 4): {"ethereal": 1, "ofan": 2}})
    study.claim_best_of_all("alone", ours, [ours])
    assert verdicts_of(study) == [holds]
    assert study.verdicts[0].measured.startswith(f"{best / 100:.3f} (mp-rdma-8, x, 8 MB); ")


@pytest.mark.parametrize("best, holds", [(105, True), (104, False), (102, False)])
def test_ethereal_is_clearly_the_best_at_some_size(study, best, holds):
    times = times_of({("x", 4): row_of_all(90), ("x", 8): row_of_all(best)})
    study.claim_clear_gain("here", times, [times])
    assert verdicts_of(study) == [holds]


@pytest.mark.parametrize("claim", ["claim_best_of_all", "claim_clear_gain"])
@pytest.mark.parametrize("best, holds", [((110, 120), True), ((101, 140), False)])
def test_the_best_is_so_with_each_seed(study, claim, best, holds):
    runs = [times_of({("x", 4): row_of_all(one)}) for one in best]
    getattr(study, claim)("here", sum(runs) / 2, runs)
    assert verdicts_of(study) == [holds]
    assert study.verdicts[0].measured.endswith(f"; {best[0] / 100:.3f} to {best[1] / 100:.3f}")


@pytest.mark.parametrize("claim", ["claim_best_of_all", "claim_clear_gain"])
@pytest.mark.parametrize("spray, holds", [(120, None), (99, False)])
def test_the_best_of_all_needs_all(study, claim, spray, holds):
    times = times_of({("x", 4): {"ethereal": 100, "spray": spray}})
    getattr(study, claim)("here", times, [times])
    assert verdicts_of(study) == [holds]


@pytest.mark.parametrize("other, holds", [(102, True), (104, False), (math.nan, None)])
def test_alike(study, other, holds):
    study.claim_alike("here", times_of({("ring", 1): {"ethereal": 100, "spray": other}}))
    assert verdicts_of(study) == [holds]


@pytest.mark.parametrize("queue_pairs, doubling, holds", [(4080, 32, [True, True]), (4000, 65, [False, False])])
def test_figure_3_counts_queue_pairs(study, queue_pairs, doubling, holds):
    rows = {
        ("all-to-all", 1): {"ethereal": 510, "mp-rdma-8": queue_pairs},
        ("recursive doubling", 1): {"ethereal": doubling, "mp-rdma-8": 16},
    }
    ethereal_fig3.judge_queue_pairs(study, times_of(rows))
    assert verdicts_of(study) == holds


def test_figure_3_says_no_of_mp_rdma(study):
    row = {"ethereal": 100, "mp-rdma-2": 120, "mp-rdma-8": 100.5}
    ethereal_fig3.judge_mp_rdma(study, times_of({("recursive doubling", 1): row}))
    assert verdicts_of(study) == [True, False]


@pytest.mark.parametrize(
    "timeouts, holds",
    [((1, 8), [True, True]), ((2, 8), [False, True]), ((1, 3), [True, False]), ((math.nan, 8), [None, True])],
)
def test_timeouts_of_a_failure(study, timeouts, holds):
    row = dict(zip(("ethereal", "spray"), timeouts))
    ethereal_failures.judge_timeouts(study, "here", "all-to-all", times_of({("x", 1): row}))
    assert verdicts_of(study) == holds


@pytest.mark.parametrize("size, holds", [(1, False), (4, False), (16, False), (64, True)])
def test_e6_is_about_each_of_its_sizes(study, size, holds):
    rows = {("all-to-all", each): {"ethereal": 100.0} for each in (1, 4, 16, 64)}
    whole = times_of(rows)
    cut = whole + 1000
    cut.loc["all-to-all", size] += 1000  # a second timeout
    ethereal_failures.judge_e6(study, "here", cut, whole)
    assert verdicts_of(study, "timeouts") == [holds]


def test_the_targets_have_the_sizes_of_e6(study, monkeypatch):
    """So that the verdicts of E6 are those of the figure of failures."""
    run = []

    def pretend(cases, seeds=None):
        run.extend(cases)
        rows = [{**case.labels, "cct_us": 1e3, "seed": 1, "completed": True} for case in cases]
        columns = ["increase_percent", "max_active_queue_pairs", "policies.dctcp_cuts"]
        return pandas.DataFrame(rows).assign(**dict.fromkeys(columns, 1.0))

    study.known.append("host-counter")
    monkeypatch.setattr(study, "run", pretend)
    ethereal_targets.judge_failures(study, study.leaf_spine())
    sizes = ethereal_failures.settings(study)["leaf-spine"][1]
    for name in ethereal.BALANCED:
        for is_cut in False, True:
            found = {
                case.labels["size"]
                for case in run
                if case.labels["collective"] == name and ("fail" in case.options) == is_cut
            }
            assert found == {1, 4, 16} <= set(sizes[name])


@pytest.mark.parametrize("spray, ecmp, holds", [(5, 101, [True, True]), (120, 90, [False, False])])
def test_who_waits_for_routing(study, spray, ecmp, holds):
    row = {"ethereal": 2, "spray": spray, "ecmp": ecmp}
    ethereal_failures.judge_ends(study, "here", times_of({("x", 1): row}))
    assert verdicts_of(study) == holds


@pytest.mark.parametrize("spray, holds", [(145, True), (120, False), (90, False)])
def test_gains_with_a_failure(study, spray, holds):
    ethereal_failures.judge_gains(study, "here", times_of({("x", 1): {"ethereal": 100, "spray": spray}}))
    assert verdicts_of(study) == [holds]


def test_only_the_first_uplink_fails(study):
    fabric = study.leaf_spine()
    (case,) = study.collectives(["ethereal"], {"ring": [1]}, fabric)
    cut = ethereal_failures.with_fault(case, fabric, "leaf-spine")
    assert cut.options["fail"] == "leaf-0:16--spine-0:0@1us" and "fail" not in case.options


@pytest.mark.parametrize("others, holds", [((70, 71, 72, 73, 74), True), ((80, 71, 72, 73, 74), False)])
def test_the_order_in_recursive_doubling(study, others, holds):
    row = dict(zip(ethereal_targets.ORDER, (70, *others)))
    times = times_of({("recursive doubling", 16): row})
    means = pandas.DataFrame({"collective": "recursive doubling", "scheme": ["x"]})
    ethereal_targets.judge_doubling(study, means.assign(increase_percent=1.0), times)
    assert verdicts_of(study, "in this order") == [holds]


@pytest.mark.parametrize("counts, holds", [((510, 510, 4080), True), ((511, 510, 4080), False)])
def test_queue_pairs_of_the_targets(study, counts, holds):
    row = dict(zip(("ethereal", "spray", "mp-rdma-8"), counts))
    some = {("ring", 1): {"ethereal": 32, "spray": 2, "mp-rdma-8": 16}}
    rows = {("all-to-all", 1): row, **some}
    rows |= {(name, 1): some["ring", 1] for name in ("recursive doubling", "double binary tree")}
    ethereal_targets.judge_queue_pairs(study, times_of(rows), 256)
    assert verdicts_of(study, "all-to-all") == [holds]
    assert verdicts_of(study, "ring") == [True]


@pytest.mark.parametrize(
    "spray, growth, holds",
    [
        ({"steps apart": 102, "fixed rate": 120, "as it is": 150}, 2, [True] * 4),
        ({"steps apart": 110, "fixed rate": 105, "as it is": 106}, 1, [False] * 4),
    ],
)
def test_the_explanation_may_be_wrong(study, spray, growth, holds):
    rows = [(setting, "ethereal", 100.0) for setting in spray]
    rows += [(setting, "spray", float(time)) for setting, time in spray.items()]
    means = pandas.DataFrame(rows, columns=["setting", "scheme", "time_us"])
    spreads = pandas.DataFrame({"spray": [1.0, 1, growth, growth**2, growth**3]})
    ethereal_skew.judge(study, means.assign(over_percent=0.0), spreads)
    assert verdicts_of(study) == holds


# --- The figures ----------------------------------------------------------------------------------


@pytest.mark.slow
@needs_program
@pytest.mark.parametrize("name", ["fig2", "fig3", "fig4", "fig5", "failures", "skew", "targets"])
def test_a_figure_from_beginning_to_end(tmp_path, name):
    """Few schemes, a small fabric. Some claims may not hold there; the status is 0 all the same."""
    options = "--quick", "--seeds=1", "--only=ethereal,spray,ecmp"
    arguments = [*part("reproduce"), f"ethereal-{name}", *options]
    run = subprocess.run(
        [*arguments, "--program", PROGRAM, "--out", tmp_path],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    folder = tmp_path / f"ethereal-{name}-quick"
    table = pandas.read_csv(folder / f"ethereal-{name}.csv")
    assert (table.completed == table.runs).all()
    assert {"ethereal", "spray"} <= set(table.scheme)
    assert any(path.stat().st_size > 1000 for path in folder.glob("*.png"))
    verdicts = pandas.read_csv(folder / f"ethereal-{name}-verdicts.csv")
    assert len(verdicts) > 1 and verdicts.holds.iloc[-1] == "yes"  # no run beats the bound


@pytest.mark.slow
@needs_program
def test_the_cases_of_the_paper_are_accepted(tmp_path):
    """At its scale, with all schemes; nothing is run."""
    study = ethereal.EtherealStudy("x", "y", str(PROGRAM), tmp_path, full=True)
    sizes = {name: [1] for name in ethereal.ALIKE}
    schemes = [*ethereal.COMPARED, "end-to-end", "ethereal-v1"]
    cases = study.collectives(schemes, sizes, study.leaf_spine())
    for name, (fabric, _) in ethereal_failures.settings(study).items():
        some = study.collectives(["ethereal", "ecmp"], {"recursive doubling": [1]}, fabric)
        cases += [ethereal_failures.with_fault(case, fabric, name) for case in some]
    fat_tree = ethereal_fig4.STUDY("x", "y", str(PROGRAM), tmp_path, full=True)
    (reps,) = fat_tree.collectives(["ethereal-reps"], {"ring": [1]}, fat_tree.fat_tree())
    cases += study.training(["ethereal"], ethereal.BALANCED)
    hops = Runner(PROGRAM, 1).check_all([case.options for case in [*cases, reps]])
    assert len(hops) == 2 * len(schemes) + 2 * 2 + 1 + 2 and min(hops) > 0
