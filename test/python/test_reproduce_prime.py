# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figures of PRIME: what they run, and that their verdicts can say yes and no."""

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

from ai_fabric.reproduce.papers import prime
from ai_fabric.reproduce.figures.prime import buffers as prime_buffers
from ai_fabric.reproduce.figures.prime import degraded as prime_degraded
from ai_fabric.reproduce.figures.prime import fair as prime_fair
from ai_fabric.reproduce.figures.prime import large as prime_large
from ai_fabric.reproduce.figures.prime import no_trims as prime_no_trims
from ai_fabric.reproduce.figures.prime import ordered as prime_ordered
from ai_fabric.reproduce.figures.prime import penalties as prime_penalties
from ai_fabric.reproduce.figures.prime import permutation as prime_permutation
from ai_fabric.reproduce.figures.prime import sanity as prime_sanity
from ai_fabric.reproduce.figures.prime import sensitivity as prime_sensitivity
from ai_fabric.reproduce.figures.prime import tiers as prime_tiers
from ai_fabric.reproduce.study import beside

FORWARDING = "ns3::aifabric::EntropyBalancer::Forwarding"
KNOWN = ["ecmp", "host-random", "host-permuted", "bitmap", "reps-fifo", "reps", "mixed", "prime"]


def make_study(module, fake, tmp_path):
    study = getattr(module, "STUDY", prime.STUDY)("prime-figX", "A figure", str(fake[0]), tmp_path / "out", seeds=1)
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
    for name, (spines, queue, most) in {"200 Gb/s": (64, 50, 37), "8:1": (8, 100, 75)}.items():
        options = prime_large.options_of(name)
        assert options["leaves"] * options["hostsPerLeaf"] == 8192 and options["spines"] == spines
        assert options["buffer"] == queue * 4150 and options["ns3::aifabric::RedMarker::KMax"] == most * 4150
    assert prime_large.options_of("slow spine")["fail"] == "spine-0~0.25@0ns"


@pytest.mark.parametrize("times, prime_us, expected", [((39, 37, 36), 32, [True] * 3), ((30, 50, 60), 70, [False] * 3)])
def test_8192_hosts_are_judged_as_a_trend(tmp_path, fake, times, prime_us, expected):
    study = make_study(prime_large, fake, tmp_path)
    rows = [["mixed", count, us] for count, us in zip(prime_large.ENTROPIES, times)] + [["prime", 0, prime_us]]
    means = pandas.DataFrame(rows, columns=["scheme", "entropies", "longest_us"])
    means = means.assign(fabric="400 Gb/s", message="1MB")
    means = beside(means, ["fabric", "message", "entropies"], prime_large.REFERENCE, "reference_us")
    prime_large.judge(study, means)
    assert verdicts_of(study) == expected
    study.verdicts.clear()
    prime_large.judge(study, means.assign(fabric="slow spine"))
    assert verdicts_of(study) == expected[1:]  # no trend is expected


# Bytes of the queue and of the two marking thresholds, in the reference simulator
THRESHOLDS = {
    (100, 14022.72): (178450, 37350, 145250),
    (100, 9348.48): (29 * 4150, 6 * 4150, 24 * 4150),
    (400, 8337.12): (101 * 4150, 87150, 336150),
    (400, 12505.68): (151 * 4150, 31 * 4150, 121 * 4150),
}


@pytest.mark.parametrize("rate, rtt_ns", THRESHOLDS)
def test_marks_are_shares_of_the_queue_in_whole_packets(rate, rtt_ns):
    options = prime.fabric(rate, rtt_ns)
    names = "buffer", "ns3::aifabric::RedMarker::KMin", "ns3::aifabric::RedMarker::KMax"
    assert tuple(options[name] for name in names) == THRESHOLDS[rate, rtt_ns]


def test_timeouts_are_those_of_the_reference_simulator():
    name = "ns3::aifabric::SprayQueuePair::AckTimeout"
    assert [prime.fabric(*facts)[name] for facts in ((100, 14022.72), (400, 8337.12))] == ["100656ns", "65298ns"]


def longest_of(cells, reference=None):
    """A table of means; cells: the longest flows by scheme, by (message, packets per acknowledgement)."""
    rows = [[*cell, scheme, us] for cell, values in cells.items() for scheme, us in values.items()]
    means = pandas.DataFrame(rows, columns=["message", "packets_per_ack", "scheme", "longest_us"])
    keys = zip(means.message, means.packets_per_ack, means.scheme)
    return means.assign(reference_us=[(reference or {}).get(key) for key in keys])


@pytest.mark.parametrize("most, holds", [(16, True), (14, False), (14.9, False)])
def test_a_headline_is_reached_or_not(tmp_path, fake, most, holds):
    study = make_study(prime_permutation, fake, tmp_path)
    cells = {("1MiB", 4): {"reps": 100, "prime": 88}, ("8MiB", 15): {"reps": 100, "prime": 100 - most}}
    study.claim_gains(longest_of(cells), 9, 15, 15)
    assert verdicts_of(study, "headline") == [holds]
    assert study.verdicts[-1].expected == "15 or more" and "8MiB, an ACK per 15" in study.verdicts[-1].measured


def permutation(prime_us, reps_late, hashed):
    """Longest flows of the healthy fabric. prime_us: PRIME's at 1 MiB and at 8 MiB with few and many
    acknowledgements; reps_late: that of REPS with few; hashed: that of hashed PRIME at 1 MiB."""
    short, late, early = prime_us
    means = longest_of({
        ("1MiB", 4): {"mixed": 33, "reps": 35, "prime": short, "prime-hashed": hashed},
        ("8MiB", 1): {"mixed": 184, "reps": 185, "prime": early},
        ("8MiB", 4): {"mixed": 190, "reps": 190, "prime": early},
        ("8MiB", 15): {"mixed": 190, "reps": reps_late, "prime": late},
    }, prime_permutation.REFERENCE)
    bounds = means.message.map({"1MiB": 29.6, "8MiB": 178.7})
    return means.assign(over_ideal_percent=100 * (means.longest_us / bounds - 1))


PERMUTATION_CLAIMS = ["1 MiB, an ACK per 4 packets", "headline", "1MiB: PRIME over", "8MiB: PRIME over",
                      "8MiB: REPS's", "8MiB: PRIME's change", "hashed forwarding", "best rival"]


@pytest.mark.parametrize("values, holds", [(((30.5, 181, 182), 230, 43), True), (((34, 200, 190), 186, 34), False)])
def test_a_healthy_permutation_is_judged(tmp_path, fake, values, holds):
    study = make_study(prime_permutation, fake, tmp_path)
    prime_permutation.judge(study, permutation(*values))
    for words in PERMUTATION_CLAIMS:
        assert verdicts_of(study, words) == [holds], words


@pytest.mark.parametrize("ours, holds", [(31, True), (40, False)])
def test_each_scheme_is_beside_the_reference_simulator(tmp_path, fake, ours, holds):
    study = make_study(prime_permutation, fake, tmp_path)
    means = longest_of({("1MiB", 4): {"reps": 35, "prime": ours, "ecmp": 999}}, prime_permutation.REFERENCE)
    study.claim_as_reference(means)
    assert verdicts_of(study) == [True, holds]  # nothing about ecmp
    study.verdicts.clear()
    study.quick = True
    study.claim_as_reference(means)
    assert verdicts_of(study) == []


@pytest.mark.parametrize("ops, prime_us, late, holds", [(51, 35, 31, True), (44, 46, 49, False)])
def test_a_slow_spine_is_judged(tmp_path, fake, ops, prime_us, late, holds):
    study = make_study(prime_degraded, fake, tmp_path)
    cells = {
        ("1MiB", 4): {"ops-random": ops, "reps": 46, "prime": prime_us},
        ("1MiB", 15): {"ops-random": ops, "reps": 48, "prime": late},
    }
    prime_degraded.judge(study, longest_of(cells))
    for words in ("1 MiB, an ACK per 4 packets: PRIME", "headline", "OPS random is the worst", "best rival"):
        assert verdicts_of(study, words) == [holds], words


@pytest.mark.parametrize("prime_us, expected", [(53, [True, True]), (58, [False, False]), (56, [True, False])])
def test_ordered_flows_are_judged(tmp_path, fake, prime_us, expected):
    study = make_study(prime_ordered, fake, tmp_path)
    prime_ordered.judge(study, longest_of({("1MiB", 4): {"reps": 57, "mixed": 55, "prime": prime_us}}))
    assert verdicts_of(study) == expected


@pytest.mark.parametrize("prime_us, holds", [(48, True), (70, False)])
def test_three_tiers_are_judged(tmp_path, fake, prime_us, holds):
    study = make_study(prime_tiers, fake, tmp_path)
    means = longest_of({("1MiB", 4): {"reps": 58, "prime": prime_us}}, prime_tiers.REFERENCE[8])
    prime_tiers.judge(study, means, "8 slow links")
    assert verdicts_of(study) == [True, holds, holds]


def test_slow_links_come_down_from_the_cores():
    links = prime_tiers.slow_links(8, 4)["fail"].split(",")
    assert links[0] == "pod0-agg-0:4/down~0.25@0ns" and links[-1] == "pod0-agg-1:7/down~0.25@0ns"
    assert len(set(links)) == 8 and prime_tiers.slow_links(0, 4) == {}


def penalties(weak, round_one, best):
    """Longest flows of three penalties of a mark, and a worse one where losses cost the same as marks."""
    rows = [[1, 4, weak], [8, 4, round_one], [16, 4, best], [8, 1, 46.0]]
    rows = [[mark, ratio, "no", packets, us] for mark, ratio, us in rows for packets in (1, 4)]
    means = pandas.DataFrame(rows, columns=["mark", "ratio", "adds", "packets_per_ack", "longest_us"])
    keys = zip(means.mark, means.ratio, means.adds)
    return means.assign(reference_us=[prime_penalties.REFERENCE.get(key) for key in keys])


@pytest.mark.parametrize("values, expected", [((45, 36, 35), [True] * 4), ((45, 43, 30), [False, True, False, False])])
def test_penalties_are_judged(tmp_path, fake, values, expected):
    study = make_study(prime_penalties, fake, tmp_path)
    prime_penalties.judge(study, penalties(*values))
    assert verdicts_of(study) == expected


def test_penalties_that_add_up_are_rows_of_their_own(tmp_path, fake):
    study = make_study(prime_penalties, fake, tmp_path)
    name = "ns3::aifabric::PrimeBalancer::"
    cases = {tuple(case.labels.values()): case.options for case in prime_penalties.cases_of(study)}
    adding, usual = cases[8, 4, "yes", 1], cases[8, 16, "no", 1]
    assert (adding[f"{name}PEcn"], adding[f"{name}PNack"], usual[f"{name}PNack"]) == (8, 32, 128)
    assert (adding[f"{name}EcnAccumulates"], adding[f"{name}NackOverwrites"]) == ("true", "false")
    assert f"{name}EcnAccumulates" not in usual
    assert {key for key in prime_penalties.REFERENCE if key[2] == "yes"} < {*prime_penalties.EXTRA}


def tier_means(times):
    """Longest flows in three tiers; times: by the penalties of a mark and of a loss, a multiple of the reference's."""
    rows = []
    for pair, values in prime_penalties.LARGE.items():
        for where, known in values.items():
            for packets, us in zip(prime_penalties.ACKS, known):
                rows.append([*pair, where, packets, us * times.get(pair, 1), us])
    columns = ["mark", "loss", "where", "packets_per_ack", "longest_us", "reference_us"]
    return pandas.DataFrame(rows, columns=columns)


@pytest.mark.parametrize("times, expected", [
    ({}, [True] * 4), ({(1, 4): 1.2}, [False, False, True, True]), ({(8, 32): 1.05}, [True, True, False, True]),
    ({(64, 256): 0.85}, [False, False, True, False]),
])
def test_penalties_in_three_tiers_are_judged(tmp_path, fake, times, expected):
    study = make_study(prime_penalties, fake, tmp_path)
    prime_penalties.judge_tiers(study, tier_means(times))
    assert verdicts_of(study) == expected


def test_penalties_in_three_tiers_are_those_of_the_table(tmp_path, fake):
    study = make_study(prime_penalties, fake, tmp_path)
    cases = {tuple(case.labels.values()): case.options for case in prime_penalties.tier_cases_of(study)}
    options = cases[0, 0, "8 slow links", 4]
    name = "ns3::aifabric::PrimeBalancer::"
    assert (options[f"{name}PEcn"], options[f"{name}PNack"], options["k"], options["size"]) == (0, 0, 16, 2000000)
    assert options["fail"].count("~0.25") == 8
    assert "fail" not in cases[0, 0, "healthy", 4]


def test_flows_into_one_pod_whose_switches_do_not_trim(tmp_path, fake):
    study = make_study(prime_no_trims, fake, tmp_path)
    cases = prime_no_trims.cases_of(study)
    assert len(cases) == 2 * 2 * len(prime_no_trims.SCHEMES)
    off = cases[0].options
    assert off["admission"] == "port"
    assert off["buffer"] == 5 * cases[-1].options["buffer"] and cases[-1].options["admission"] == "trimming"
    assert off["ns3::aifabric::SprayQueuePair::AckTimeout"] == "443280ns"
    assert off["ns3::aifabric::RedMarker::KMin"] == cases[-1].options["ns3::aifabric::RedMarker::KMin"]
    lines = off["flows"].read_text().splitlines()
    assert len(lines) == 65 and lines[1] == "0,16,0,2000000" and lines[-1] == "0,79,15,2000000"


def no_trims(values):
    """A table of flows; values: mean, median and two percentiles by slow links and scheme, beside the reference's."""
    rows = []
    for key, known in prime_no_trims.REFERENCE.items():
        rows.append([key[1], key[0], "off", *values.get(key, known), *known])
    columns = [*prime_no_trims.LABELS, *prime_no_trims.COLUMNS]
    return pandas.DataFrame(rows, columns=columns + [f"reference_{name}" for name in prime_no_trims.COLUMNS])


@pytest.mark.parametrize("values, expected", [
    ({}, [True] * 9),
    ({(0, "prime-1-4"): [660, 661, 800, 830]}, [True, True, False, True, True, True, False, True, True]),
    ({(8, "prime-1-4"): [1600, 1640, 1800, 1900]}, [True] * 5 + [False, True, False, False]),
])
def test_what_weak_penalties_do_without_trims_is_judged(tmp_path, fake, values, expected):
    study = make_study(prime_no_trims, fake, tmp_path)
    prime_no_trims.judge(study, no_trims(values))
    assert verdicts_of(study) == expected


def test_percentiles_are_those_of_a_run():
    """The mean of two runs, one ten times as long; pooled, 99 % would be 1960."""
    labels = {"scheme": "prime", "slow_links": 0, "trimming": "off"}
    flows = pandas.concat(
        pandas.DataFrame({**labels, "seed": seed, "us": [float(us * factor) for us in range(1, 201)]})
        for seed, factor in ((1, 1), (2, 10))
    )
    runs = pandas.DataFrame([{**labels, "completed": True, "drops": 4, "trims": 0, "timeouts": count} for count in (1, 2)])
    row = prime_no_trims.summarize(runs, flows, is_quick=False).iloc[0]
    assert (row.mean_us, row.p50_us, row.p95_us, row.p99_us) == (552.75, 550, 1045, 1089)
    assert (row.timeouts, row.drops) == (1.5, 4) and math.isnan(row.reference_p50_us)
    runs.loc[0, "completed"] = False
    assert math.isnan(prime_no_trims.summarize(runs, flows, is_quick=False).iloc[0].mean_us)


def sanity(rows):
    """A table of tests; rows: (test, longest flow, reference, retransmissions, acknowledgements)."""
    return pandas.DataFrame(rows, columns=["test", "longest_us", "reference_us", "retransmissions", "acks"])


@pytest.mark.parametrize("one, incast, expected", [
    ((177, 124), (2490, 819), [True] * 4),
    ((182, 130), (2600, 400), [False] * 4),
])
def test_the_reference_simulator_s_own_tests_are_judged(tmp_path, fake, one, incast, expected):
    study = make_study(prime_sanity, fake, tmp_path)
    single = ("one flow", one[0], 176.2, 0, one[1])
    prime_sanity.judge(study, sanity([single, ("15 to 1", incast[0], 2478.53, incast[1], 9)]))
    assert verdicts_of(study) == expected


@pytest.mark.parametrize("ours, holds", [(950, True), (1000, False)])
def test_other_tests_have_ten_percent_of_room(tmp_path, fake, ours, holds):
    study = make_study(prime_sanity, fake, tmp_path)
    test = "permutation, 1024 hosts"
    prime_sanity.judge(study, sanity([(test, 200, 200.5, 0, 9), (test, ours, 889.92, 0, 9)]))
    assert verdicts_of(study) == [holds]


def test_each_test_of_the_reference_simulator_has_its_fabric(tmp_path, fake):
    study = make_study(prime_sanity, fake, tmp_path)
    found = {test: prime_sanity.options_of(study, test) for test in [*prime_sanity.SMALL, *prime_sanity.LARGE]}
    assert (found["127 to 1"]["senders"], found["127 to 1"]["k"]) == (127, 8)
    assert found["8:1 leaf-spine"]["spines"] == 4 and found["8:1 leaf-spine"]["hostsPerLeaf"] == 32
    assert found["8 slow links"]["fail"].count("~0.25") == 8
    long = found["slow links, 500 packets"]
    assert {**long, **found["8 slow links"]} == found["8 slow links"] and long["buffer"] == 500 * prime.FRAME
    assert long["ns3::aifabric::SprayQueuePair::AckTimeout"] == "1011000ns"
    assert found["1024 hosts, 500 packets"]["buffer"] == 500 * prime.FRAME
    assert found["both ways"]["flows"].read_text().splitlines()[1:] == ["0,0,15,2000000", "0,15,0,2000000"]


@pytest.mark.slow
@pytest.mark.skipif(not (BIN_DIR and PROGRAM.exists()), reason="needs ai-fabric-run")
@pytest.mark.parametrize("name", ["prime-fair", "prime-buffers", "prime-sensitivity", "prime-large", "prime-penalties", "prime-no-trims"])
def test_a_figure_from_beginning_to_end(tmp_path, name):
    command = [*part("reproduce"), name, "--quick", "--seeds=1", "--program", PROGRAM, "--out", tmp_path]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert run.returncode == 0, run.stderr
    folder = tmp_path / f"{name}-quick"
    for file in (f"{name}.csv", f"{name}.png", f"{name}-verdicts.csv"):
        assert (folder / file).stat().st_size > 100
    verdicts = pandas.read_csv(folder / f"{name}-verdicts.csv")
    assert verdicts[verdicts.claim.str.startswith("no run beats")].holds.tolist() == ["yes"]
