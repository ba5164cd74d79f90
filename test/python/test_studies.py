# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""./fabric study: files of studies and schemes, statistics of paired seeds, and the sentences of an answer."""

import csv
import json
import math
import random
import tomllib

import pytest
from harness import PROGRAM, ROOT, call, needs_program, script

scipy_stats = pytest.importorskip("scipy.stats")
pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

from ai_fabric.study import new_study
from ai_fabric.study import scheme_file
from ai_fabric.study import study_file
from ai_fabric.study.answer import changes, idle, more_seeds, sentence
from ai_fabric.common.metric import is_result, metric_of
from ai_fabric.study.paired import Estimate, Paired, corrected, difference
from ai_fabric.study.study_list import questions
from ai_fabric.study.study_runs import StudyRuns
from ai_fabric.sweep.runner import read_results

SCHEMES = """atp e-ecmp-16 ecmp esa ethereal host-dr mrc ofan ops prime reps roce-deployed switch-ar switchml te uec""".split()
FABRIC = {"topology": "leaf-spine", "leaves": 2, "spines": 2, "hostsPerLeaf": 2}
STUDY = """
question = "Which one?"
schemes = ["ecmp", "ofan"]
seeds = 3

[fabric]
topology = "leaf-spine"
leaves = 4
spines = 4
hostsPerLeaf = 4

[traffic]
workload = "permutation"
size = "64KiB"
"""


def write(folder, text=STUDY, name="small.toml"):
    (folder / name).write_text(text)
    return folder / name


def study(folder, *arguments, program=PROGRAM):
    return script("study", "--program", str(program), *arguments, cwd=folder)


def table(folder, name):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(file))


# --- Files ----------------------------------------------------------------------------------------


def test_schemes_say_what_they_are_and_where_it_is_from():
    assert scheme_file.names() == SCHEMES
    for name in SCHEMES:
        scheme = scheme_file.find_scheme(name)
        assert scheme.name == name and scheme.options and scheme.source
        assert scheme.description.endswith(".") and len(scheme.description) < 130


def test_a_scheme_sets_nothing_of_the_fabric():
    own = {"topology", "rate", "delay", "mtu", "buffer", "planes", "workload", "size", "fail", "jitter"}
    assert not [name for name in SCHEMES if own & scheme_file.options_of(name).keys()]


def test_options_of_classes_stand_in_tables(tmp_path):
    path = write(tmp_path, """
like = "reps"
[options]
buffer = "1MiB"
lengths = [4, 4]
[options.RepsBalancer]
Freezing = false
[options."mine::Balancer"]
Spread = 32
""", "own.toml")
    scheme = scheme_file.find_scheme("own.toml", tmp_path)
    assert scheme.name == "own" and scheme.options == {
        **scheme_file.options_of("reps"), "buffer": "1MiB", "lengths": "4,4",
        "ns3::aifabric::RepsBalancer::Freezing": "false", "mine::Balancer::Spread": 32,
    }  # fmt: skip
    assert scheme_file.find_scheme(str(path)).options == scheme.options


def test_a_scheme_wins_over_the_study(tmp_path):
    text = STUDY.replace('"ofan"', '"mrc"') + 'convergence = "10us"\n[cases.healthy]\n[cases.failed]\nfail = "cables:1@0s"\n'
    found = study_file.read_study(str(write(tmp_path, text)))
    points = {tuple(point.labels.values()): point.options for point in found.runs()}
    assert list(points) == [("healthy", "ecmp"), ("healthy", "mrc"), ("failed", "ecmp"), ("failed", "mrc")]
    assert points["failed", "ecmp"]["convergence"] == "10us" and points["failed", "mrc"]["convergence"] == "never"
    assert points["failed", "mrc"]["fail"] == "cables:1@0s" and points["failed", "mrc"]["sample"] == "0ns"
    assert found.overridden() == {"mrc": ["convergence=never, not 10us"]}
    found.common["convergence"] = "never"
    assert found.overridden() == {}


def test_files_are_looked_for_beside_the_study(tmp_path):
    (tmp_path / "flows.csv").write_text("start_ns,source,destination,bytes\n0,0,1,4096\n")
    text = STUDY.replace('workload = "permutation"\nsize = "64KiB"', 'flows = "flows.csv"')
    found = study_file.read_study(str(write(tmp_path, text)))
    assert found.common["flows"] == str(tmp_path / "flows.csv") and found.common["topology"] == "leaf-spine"


def test_a_scenario_is_looked_for_beside_the_study(tmp_path):
    write(tmp_path, "k = 4\n", "small-fabric.toml")
    text = STUDY.partition("[fabric]")[0] + '[fabric]\nconfig = "small-fabric.toml"\n'
    assert study_file.read_study(str(write(tmp_path, text))).common == {"config": str(tmp_path / "small-fabric.toml")}


def test_files_of_a_scheme_are_looked_for_beside_it(tmp_path):
    (tmp_path / "libmine.so").write_text("")
    write(tmp_path, 'like = "base/sprayed"\noptions = {library = "libmine.so", balancer = "mine"}', "mine.toml")
    found = study_file.read_study(str(write(tmp_path, STUDY.replace('"ofan"', '"mine.toml"'))))
    assert found.schemes[1].options["library"] == str(tmp_path / "libmine.so") and found.schemes[1].options["rateControl"] == "nscc"


def test_schemes_of_the_command_line_replace_those_of_the_study(tmp_path):
    path = str(write(tmp_path, STUDY.replace("seeds = 3", 'baseline = "ecmp"')))
    for schemes, baseline in ((None, "ecmp"), (["ops", "ecmp"], "ecmp"), (["ops", "reps"], "")):
        found = study_file.read_study(path, schemes=schemes)
        assert [scheme.name for scheme in found.schemes] == (schemes or ["ecmp", "ofan"]) and found.baseline == baseline


def test_names_of_schemes_are_first_those_of_the_study():
    """Only a study knows the schemes that it describes itself, and may describe one that is shipped with other timers."""
    found = study_file.read_study("six-causes", schemes=["blind", "prime", "te"])
    whole = {scheme.name: scheme for scheme in study_file.read_study("six-causes").schemes}
    assert [scheme.name for scheme in found.schemes] == ["blind", "prime", "te"]
    assert found.schemes[:2] == [whole["blind"], whole["prime"]] and "te" not in whole
    assert whole["prime"].options != scheme_file.options_of("prime")


def test_a_part_of_a_study():
    whole, part = study_file.read_study("six"), study_file.read_study("six")
    part.keep(["one-plane", "four-planes", "dense", "cut", "leaf down"])
    assert list(part.cases) == ["one-plane, dense, cut", "four-planes, dense, cut", "four-planes, dense, leaf down"]
    assert [part.cases[name] for name in part.cases] == [whole.cases[name] for name in part.cases]
    assert part.references == {} and part.only[0] == "one-plane" and whole.only == []
    assert {scheme.name for scheme in whole.schemes} - {scheme.name for scheme in part.schemes} == {"esa", "atp", "switchml"}
    whole.keep(["healthy", "cut", "gradients"])
    assert whole.references == {"32-gpus, gradients, cut": "32-gpus, gradients, healthy"}


def test_figures_have_the_settings_of_each_scheme():
    from ai_fabric.reproduce.papers import esa, ethereal, meta, planes, prime

    figures = {
        **planes.SCHEMES,
        **{name: esa.SYSTEMS[name] for name in ("atp", "esa", "switchml")},
        **{name: meta.policy(name) for name in ("ecmp", "te")},
        **{name: prime.TRANSPORT | prime.SCHEMES[ours] for name, ours in (("ops", "ops-random"), ("reps", "reps"))},
        "ethereal": ethereal.TRANSPORT | ethereal.SCHEMES["ethereal"] | ethereal.COLLECTIVES["ring"],
        "roce-deployed": meta.control("default", 400) | {"balancer": "ecmp"},  # the figure's is e-ecmp
    }
    assert sorted(figures) == scheme_file.names()
    for name, options in figures.items():
        assert scheme_file.options_of(name).items() <= options.items(), name
    assert scheme_file.options_of("prime").items() <= (prime.TRANSPORT | prime.SCHEMES["prime"]).items()
    assert scheme_file.options_of("base/lossless").items() <= meta.LOSSLESS.items()


def test_quick_values_replace_some(tmp_path):
    text = STUDY + '[cases.failed]\nfail = "cables:1@9us"\nconvergence = "1us"\n' \
        '[quick]\nseeds = 2\n[quick.fabric]\nleaves = 2\n[quick.cases.failed]\nfail = "cables:1@1us"\n'
    path = str(write(tmp_path, text))
    full, quick = study_file.read_study(path), study_file.read_study(path, quick=True)
    assert (len(full.seeds), full.common["leaves"], full.cases["failed"]["fail"]) == (3, 4, "cables:1@9us")
    assert (len(quick.seeds), quick.common) == (2, {**full.common, "leaves": 2})
    assert quick.cases["failed"] == {"fail": "cables:1@1us", "convergence": "1us"}


QUICK_REFUSED = {
    '[quick.cases.faild]\nfail = "cables:1@1us"': "small.toml: quick.cases.faild: no such case (did you mean failed?); there are failed",
    "[quick.fabric]\nsize = 4096": "small.toml: size: is in [fabric] and in [traffic]; one of them",
    "[quick.cases.failed]\nleaves = 2": "small.toml: leaves: is in [fabric] and in [cases.failed]; one of them",
    "[quick]\ncases = 3": "small.toml: quick: cases: a table is needed, such as [cases]",
}


@pytest.mark.parametrize("more", QUICK_REFUSED)
def test_quick_values_that_replace_none_are_refused(tmp_path, more):
    path = write(tmp_path, f'{STUDY}[cases.failed]\nfail = "cables:1@9us"\n{more}\n')
    run = study(tmp_path, str(path), "--quick", "--check-only", program="/")
    assert run.returncode == 1 and QUICK_REFUSED[more] in run.stderr, run.stderr


REFUSED = {  # a change of the study, and what is said after the name of its file
    ("question =", "qestion ="): ": qestion: no such key (did you mean question?); there are question, schemes, baseline,",
    ('"ofan"', '"ofn"'): ": schemes: ofn: no such scheme (did you mean ofan?); there are atp, ",
    ('"ofan"', '"ecmp"'): ": schemes: ecmp is there twice",
    ('"ecmp", ', ""): ": schemes: a list of at least two is needed",
    ('"ofan"', "3"): ": schemes: place 2 is neither a name nor a table",
    ('"ofan"', '{like = "ofan"}'): ": schemes: the table of place 2 has no name",
    ('"ofan"', '{name = "x", lik = "ofan"}'): ": scheme x: lik: no such key (did you mean like?); there are name, ",
    ("seeds = 3", "seeds = 0"): ": seeds=0: a number of runs, such as 5, or the runs, such as \"3-7\"",
    ("seeds = 3", 'baseline = "rsq"'): ": baseline=rsq: it is one of ecmp, ofan",
    ("seeds = 3", 'better = "more"'): ": better=more: it is one of lower, higher",
    ("seeds = 3", 'figure = "no"'): ": figure: true, false or \"matrix\" is needed",
    ("seeds = 3", 'question = 1'): "Cannot overwrite a value",
    ("leaves = 4", "leaves = 4\nRngRun = 2"): ": fabric.RngRun: not in a study: seeds says which, such as 5 or",
    ("leaves = 4", 'leaves = 4\nwriteConfig = "x.toml"'): ": fabric.writeConfig: not in a study: all runs would write this file",
    ("leaves = 4", "leaves = 4\nquiet = true"): ": fabric.quiet: not in a study: runs of a study print nothing",
    ("[traffic]", '[cases]\nfail = "cables:1@0s"\n[traffic]'): ": cases: fail=cables:1@0s: the options of a case stand in a table",
    ("leaves = 4", "leaves = {x = []}"): ": fabric.leaves.x: a text, a number, true, false or a list of them is needed",
    ("leaves = 4", '"--leaves" = 4'): ": fabric: --leaves: the name of an option is needed, without dashes",
    ("size =", "spines ="): ": spines: is in [fabric] and in [traffic]; one of them",
    ("size =", "[cases.x]\nspines ="): ": spines: is in [fabric] and in [cases.x]; one of them",
    ("[fabric]", "[fabric"): "Expected ']'",
    ("hostsPerLeaf = 4", "planes = 2\nhostsPerLeaf = 4", '"ofan"', '"te"'): ": case all: planes=2: scheme te needs 1 or auto; over",
    ('"ofan"', '"ethereal"'): ": case all: rate=auto: scheme ethereal needs 400Gb/s; it marks above",
    ('"ofan"', '"esa"'): ": case all: workload=permutation: scheme esa needs all-reduce or auto; it has no queue pairs",
}


@pytest.mark.parametrize("change", REFUSED, ids=lambda change: change[1].split("\n")[0])
def test_a_study_that_cannot_be_is_refused_in_one_line(tmp_path, change):
    text = STUDY
    for before, after in zip(change[::2], change[1::2]):
        assert before in text
        text = text.replace(before, after, 1)
    run = study(tmp_path, str(write(tmp_path, text)), "--check-only", program="/")
    assert run.returncode == 1 and run.stdout == "" and run.stderr.count("\n") == 1
    assert run.stderr.startswith(f"study: {tmp_path}/small.toml: ") and REFUSED[change] in run.stderr, run.stderr


OPTIONS = {
    "none": "none: no such study; there are ",
    "none.toml": "none.toml: No such file or directory",
    "moe-failed-uplin": "(did you mean moe-failed-uplink?)",
    "moe-failed-uplink --until=2": "2 is not a percentage, such as 2%",
    "moe-failed-uplink --until=2% --most-seeds=1": "--most-seeds=1: an interval takes two at least",
    "moe-failed-uplink --seeds=0": "--seeds=0: a number of runs, such as 5",
    "moe-failed-uplink --seeds=": "--seeds=: a value is needed",
    "moe-failed-uplink --schemes=": "--schemes=: a value is needed",
    "six --known=": "--known=: a value is needed",
    "six --known=none.csv": "--known=none.csv: No such file or directory",
    "six --only=": "--only=: a value is needed",
    "six --only=dense,four-plane": "--only=four-plane: no fabric, job or case of",
    "six --only=both,four-planes": "six.toml has no such case: these are not for each other",
    "--new=x.toml --schemes=reps": "x.toml: schemes: a list of at least two is needed",
    "--new=x.toml --schemes=reps,reps": "x.toml: schemes: reps is there twice",
    "--new=x.toml --schemes=atp,ecmp": "scheme atp needs all-reduce or auto",
    "--new=x.toml --question=a\tb": "--question: a text in one line is needed",
    "moe-failed-uplink --schemes=prime,xyz": "--schemes: schemes: xyz: no such scheme",
    "moe-failed-uplink --traffic=size=1": "--traffic: only with --new=FILE.toml",
    "--new=x.txt": "--new=x.txt: the name of a study file ends with .toml",
    "--new=x.toml --case=failed": "--case=failed: a case is written NAME: OPTIONS",
    "--new=x.toml --fabric=k": "--fabric: k: an option is written name=value",
}


@pytest.mark.parametrize("options", OPTIONS)
def test_options_that_cannot_be_are_refused_in_one_line(tmp_path, options):
    run = study(tmp_path, *options.split(" "), "--check-only", program="/")
    assert run.returncode == 1 and run.stderr.count("\n") == 1 and OPTIONS[options] in run.stderr, run.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_new_study_can_be_read(tmp_path):
    run = study(tmp_path, "--new=own.toml", "--question=Which \"one\"?", "--schemes=ecmp, reps", "--fabric=k=4 rate=400Gb/s",
                "--traffic=ns3::aifabric::FixedControl::RateFraction=0.5", "--case=healthy:", "--case=one link: fail=cables:1@0s",
                program="/")  # fmt: skip
    assert run.returncode == 0 and run.stdout == "own.toml is written. Run it by: ./fabric study own.toml\n", run.stderr
    found = study_file.read_study(str(tmp_path / "own.toml"))
    assert found.question == 'Which "one"?' and [scheme.name for scheme in found.schemes] == ["ecmp", "reps"]
    assert found.common == {"k": 4, "rate": "400Gb/s", "ns3::aifabric::FixedControl::RateFraction": "0.5"}
    assert found.cases == {"healthy": {}, "one link": {"fail": "cables:1@0s"}}
    again = study(tmp_path, "--new=own.toml", program="/")
    assert again.returncode == 1 and again.stderr == "study: --new=own.toml: there is such a file already\n"


def test_a_new_study_names_files_of_schemes_and_leaves_none_that_cannot_be(tmp_path):
    write(tmp_path, 'like = "reps"', "mine.toml")
    run = study(tmp_path, "--new=own.toml", "--schemes=mine.toml,reps", program="/")
    assert run.returncode == 0, run.stderr
    found = study_file.read_study(str(tmp_path / "own.toml"))
    assert [scheme.name for scheme in found.schemes] == ["mine", "reps"]
    run = study(tmp_path, "--new=bad.toml", "--schemes=esa,reps", program="/")
    assert run.returncode == 1 and "scheme esa needs all-reduce" in run.stderr and not (tmp_path / "bad.toml").exists()


def test_a_study_that_is_no_text(tmp_path):
    (tmp_path / "x.toml").write_bytes(b'question = "\xff"\n')
    run = study(tmp_path, "x.toml", "--check-only", program="/")
    assert run.returncode == 1 and run.stderr == "study: x.toml: is no TOML file: a text in UTF-8 is needed\n"


def test_answers_on_a_terminal(tmp_path, monkeypatch):
    lines = iter(["", "ecmp,ofan", "k=4", "", "healthy:", ""])
    monkeypatch.setattr("builtins.input", lambda _: next(lines))
    monkeypatch.setattr(new_study.sys.stdin, "isatty", lambda: True, raising=False)
    own = type("Own", (), {**dict.fromkeys([*new_study.ANSWERS, "case"]), "seeds": None, "new": tmp_path / "own.toml"})
    assert new_study.write_new(own) == 0
    assert tomllib.loads((tmp_path / "own.toml").read_text()) == {
        "question": "Which scheme is the fastest?", "schemes": ["ecmp", "ofan"], "seeds": 5, "fabric": {"k": 4},
        "traffic": {"workload": "permutation"}, "cases": {"healthy": {}},
    }  # fmt: skip


def test_the_list_has_studies_questions_and_schemes(tmp_path):
    run = study(tmp_path, "--list", program="/")
    assert run.returncode == 0 and len(questions()) > 10
    for name in (*SCHEMES, *study_file.names()):
        assert f"\n  {name} " in run.stdout
    assert "\n    ./fabric reproduce fig6 --quick\n" in run.stdout


# --- Statistics -----------------------------------------------------------------------------------


def test_intervals_are_those_of_scipy():
    random.seed(1)
    for count in (2, 3, 10, 40):
        samples = tuple(random.gauss(5, 2) for _ in range(count))
        found = Estimate(samples)
        low, high = scipy_stats.t.interval(0.95, count - 1, scipy_stats.tmean(samples), scipy_stats.sem(samples))
        assert (found.low, found.high) == pytest.approx((low, high))


def test_a_difference_is_clear_where_the_paired_test_says_so():
    random.seed(2)
    clear = 0
    for _ in range(50):
        ours = {seed: random.gauss(100, 5) for seed in range(8)}
        theirs = {seed: value + random.gauss(1, 1.5) for seed, value in ours.items()}
        found = Estimate(tuple(ours[seed] - theirs[seed] for seed in ours))
        p = scipy_stats.ttest_rel(list(ours.values()), list(theirs.values())).pvalue
        assert found.is_clear() == (p < 0.05)
        clear += found.is_clear()
    assert 5 < clear < 45
    same = difference({1: 110.0, 2: 220.0, 3: 1.0}, {2: 200.0, 1: 100.0, 4: 7.0})
    assert same.percent and same.samples == pytest.approx((10, 10)) and same.is_constant() and same.is_clear()
    assert difference({1: 3, 2: 5}, {1: 0, 2: 4}, percent=False) == Estimate((3, 1), percent=False)
    one = difference({1: 110.0}, {1: 100.0})
    assert not Estimate((0.0, 0.0)).is_clear() and Estimate((10.0, 10.0 + 5e-11), percent=True).is_constant()
    assert math.isnan(one.half) and not one.is_clear() and one.seeds_to_be_clear() is None


def test_a_number_of_seeds_is_the_least_that_suffices():
    found = Estimate((1.0, 4.0, -2.0, 3.0))
    for half in (0.5, 1.5, 3.0):
        count = found.seeds_for(half)
        width = lambda n: scipy_stats.t.ppf(0.975, n - 1) * found.deviation / math.sqrt(n)
        assert width(count) <= half < width(count - 1)
    for mean in (1e-6, 0.014):
        assert Estimate((mean, mean + 1, mean - 1)).seeds_to_be_clear() is None  # too many
    assert Estimate((2.0, 2.0)).half == 0 and Estimate((2.0, 2.0)).seeds_for(0.1) == 2


# --- Sentences ------------------------------------------------------------------------------------

A = {1: 100e3, 2: 110e3, 3: 120e3}
SLOWER = {1: 110e3, 2: 120e3, 3: 133e3}
UNSURE = {1: 99e3, 2: 113e3, 3: 121e3}
TIME = metric_of("cct_ns", 110e3)


def test_a_sentence_has_the_numbers():
    found = sentence("healthy", Paired({"a": A, "b": SLOWER, "c": UNSURE}), TIME, range(1, 4))
    low, high = scipy_stats.t.interval(0.95, 2, *[f([10, 100 / 11, 100 * 13 / 120]) for f in (scipy_stats.tmean, scipy_stats.sem)])
    assert found == (
        "healthy: best is a, with a completion time of 110 us, n = 3 paired seeds. Beside it: c 0.9 % longer (95 % interval "
        "-3.8 to 5.5 %); the interval has 0 in it: about 21 seeds would tell them apart. b 10.0 % longer (95 % interval "
        f"{low:.1f} to {high:.1f} %)."
    )


def test_a_sentence_beside_a_baseline():
    found = sentence("x", Paired({"a": A, "b": SLOWER}), TIME, range(1, 4), "b")
    assert found.startswith("x: baseline is b, with a completion time of 121 us, n = 3 paired seeds. Beside it: a 9.1 % shorter")
    assert found.endswith("The best mean is that of a.")
    lost = sentence("x", Paired({"a": A, "b": SLOWER, "c": {}}, incomplete="c"), TIME, range(1, 4), "c")
    assert lost.startswith("x: best is a, with") and lost.endswith("The baseline c has no run that finished.")
    assert "best is b" in sentence("x", Paired({"a": A, "b": SLOWER}, "higher"), TIME, range(1, 4))


def test_outcomes_without_chance_are_said_so():
    flat = Paired({"a": dict.fromkeys(range(1, 4), 100e3), "b": dict.fromkeys(range(1, 4), 150e3)})
    assert sentence("x", flat, TIME, range(1, 4)) == (
        "x: best is a, with a completion time of 100 us, n = 3 seeds, which change nothing: one run says the same. Beside it: b "
        "50.0 % longer (in each seed)."
    )
    assert "; no seed changes b. Beside" in sentence("x", Paired({"a": A, "b": dict.fromkeys(A, 150e3)}), TIME, range(1, 4))
    assert "b the same." in sentence("x", Paired({"a": A, "b": dict(A)}), TIME, range(1, 4))


def test_one_seed_has_no_interval():
    found = sentence("x", Paired({"a": {1: 100e3}, "b": {1: 150e3}}), TIME, range(1, 2))
    assert found.endswith("n = 1 seed. Beside it: b 50.0 % longer (one seed: no interval).")
    assert more_seeds({"x": Paired({"a": {1: 1.0}, "b": {1: 2.0}})}) == "More seeds are needed: an interval takes two at least."


def test_a_scheme_with_lost_runs_is_not_the_best():
    paired = Paired({"a": {1: 1e3, 2: 1e3}, "b": A}, incomplete=["a"])
    assert paired.order() == ["b", "a"] and paired.over("a", "b").is_clear() and not paired.beats("a", "b")
    assert "n = 2 for this one" in sentence("x", paired, TIME, range(1, 4))
    assert sentence("x", Paired({"a": {}, "b": {}}, incomplete="ab"), TIME, range(1, 4)) == "x: no run finished."
    assert "only b finished" in sentence("x", Paired({"a": {}, "b": A}, incomplete="a"), TIME, range(1, 4))


def test_the_order_of_cases():
    first, second = Paired({"a": A, "b": SLOWER}), Paired({"a": SLOWER, "b": A})
    assert changes({"x": first}) == ""
    assert changes({"x": first, "y": first}) == "The order of the means is the same in all cases: a, b."
    assert changes({"x": first, "y": second}) == "The order changes: a beats b in x, and b beats a in y."
    unsure = Paired({"a": UNSURE, "b": A})
    assert "no two schemes clearly change places" in changes({"x": first, "y": unsure})
    assert idle({"x": first, "y": second}) == [] and idle({"x": first, "y": first})[0].startswith("Each run of y gave the result")
    assert more_seeds({"x": first, "y": second}) == "More seeds are not needed to tell these apart."
    assert more_seeds({"y": unsure}).endswith("about 21; 1 of 1 comparisons are open.")


def runs_of(folder, values, cases=("one", "two")):
    """The runs of a study as if they had been done. values: of drops, by case and scheme and seed."""
    text = STUDY.replace("seeds = 3", 'seeds = 2\nmetric = "drops"') + "".join(f"[cases.{case}]\n" for case in cases)
    found = StudyRuns(study_file.read_study(str(write(folder, text))), PROGRAM, folder)
    found.rows = [{"case": case, "scheme": scheme, "seed": seed, "completed": True, "drops": value}
                  for (case, scheme), some in values.items() for seed, value in enumerate(some, 1)]
    found.pair()
    return found


def test_all_differences_of_a_study_have_one_unit(tmp_path):
    values = {("one", "ecmp"): (30, 60), ("one", "ofan"): (10, 20), ("two", "ecmp"): (4, 6), ("two", "ofan"): (0, 1)}
    for least, unit, mean in ((0, "drops", 4.5), (1, "percent", 400.0)):
        values["two", "ofan"] = (least, 1)
        found = runs_of(tmp_path, values)
        found.until = 2
        assert {row["unit"] for row in found.difference_rows()} == {unit}
        assert found.difference_rows()[1]["difference"] == pytest.approx(mean)
        assert (found.seeds_until(2, 9) == 2) == (unit == "drops")
        assert any("--until=2% adds no seeds: drops is not above 0" in line for line in found.answer()) == (unit == "drops")


def test_a_scheme_without_a_run_is_incomplete(tmp_path):
    found = runs_of(tmp_path, {("one", "ecmp"): (1,), ("one", "ofan"): (5, 9)})
    assert found.cases["one"].incomplete == {"ecmp"} and found.answer()[0].startswith("one: best is ofan, with")
    assert found.seeds_until(2, 9) == 5 and found.seeds_until(2, 1) == 2  # twice as many and one more, at most


def test_rows_of_differences_say_what_is_open(tmp_path):
    values = {("one", "ecmp"): (100, 120), ("one", "ofan"): (98, 121), ("two", "ecmp"): (100, 120), ("two", "ofan"): (50, 61)}
    rows = runs_of(tmp_path, values).difference_rows()
    assert [row["clear"] for row in rows] == [False, True]
    assert [row["seeds_to_be_clear"] for row in rows] == [runs_of(tmp_path, values).comparisons()[0][3].seeds_to_be_clear(), 2]
    assert rows[0]["seeds_to_be_clear"] > 2


def test_a_scheme_needs_what_those_need_that_it_is_like(tmp_path):
    write(tmp_path, 'like = "te"', "like.toml")
    write(tmp_path, 'like = "like.toml"\nneeds = {rate = ["400Gb/s"], why = "of mine"}', "own.toml")
    te, like, own = (scheme_file.find_scheme(name, tmp_path) for name in ("te", "like.toml", "own.toml"))
    assert (like.needs, like.why) == (te.needs, te.why)
    assert (own.needs, own.why) == ({**te.needs, "rate": ["400Gb/s"]}, "of mine")


def test_a_scheme_that_is_like_itself_is_refused(tmp_path):
    write(tmp_path, 'like = "own.toml"', "own.toml")
    with pytest.raises(scheme_file.StudyError, match="more than 8 schemes, each like the next one"):
        scheme_file.find_scheme("own.toml", tmp_path)


def test_probabilities_are_those_of_scipy():
    random.seed(2)
    for count in (2, 3, 20):
        samples = [random.gauss(0.3, 1) for _ in range(count)]
        assert Estimate(tuple(samples)).probability() == pytest.approx(scipy_stats.ttest_1samp(samples, 0).pvalue)
    assert Estimate((2.0, 2.0)).probability() == 0 and Estimate((0.0, 0.0)).probability() == 1
    assert math.isnan(Estimate((2.0,)).probability())


def test_many_comparisons_are_corrected():
    """The numbers are those of R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")."""
    assert corrected([0.01, 0.04, math.nan, 0.03, 0.005])[:2] == pytest.approx([0.03, 0.06])
    assert corrected([0.01, 0.04, math.nan, 0.03, 0.005])[3:] == pytest.approx([0.06, 0.02])
    assert corrected([0.7, 0.8]) == [1.0, 1.0] and corrected([]) == []


def test_an_answer_says_what_stays_clear_of_all_comparisons(tmp_path):
    def said(count):
        cases = [f"c{number}" for number in range(count)]
        values = {(case, scheme): (100 + 7 * k, 103 + 6.44 * k) for case in cases for k, scheme in enumerate(("ecmp", "ofan"))}
        runs = runs_of(tmp_path, values, cases)
        return [line for line in runs.answer() if "Holm" in line], runs.difference_rows()

    assert said(1)[0] == []
    [line], rows = said(2)
    assert line == "Corrected for 2 comparisons (Holm), 0 of 2 clear differences stay clear; open again: ofan in c0 and ofan in c1."
    assert rows[0]["clear"] and rows[0]["p"] < 0.05 < rows[0]["p_holm"] == 2 * rows[0]["p"]


def test_an_interval_of_times_is_not_below_0(tmp_path):
    [ecmp, _] = runs_of(tmp_path, {("a", "ecmp"): (10, 100), ("a", "ofan"): (10, 20)}, ["a"]).mean_rows()
    assert ecmp["drops_low95"] == 0 and ecmp["drops_high95"] > 600


def test_results_that_are_the_same_need_no_more_seeds():
    same = Paired({"a": {1: 2.0, 2: 3.0}, "b": {1: 2.0, 2: 3.0}}, "lower", [])
    assert more_seeds({"all": same}) == "No seed tells any two schemes apart: all results are the same."


def test_a_case_without_results_has_no_order():
    there, gone = Paired({"a": A, "b": SLOWER}), Paired({"a": {}, "b": {}})
    assert changes({"x": there, "y": gone}) == ""
    assert changes({"x": there, "y": gone, "z": there}) == "The order of the means is the same in all cases: a, b."


def test_a_result_without_a_name_of_its_own():
    drops = metric_of("drops", 3)
    assert "best is a, with drops of 1, n = 1 seed" in sentence("x", Paired({"a": {1: 1.0}, "b": {1: 2.0}}), drops, range(1, 2))


def test_a_figure_has_room_for_long_names(tmp_path, fake):
    long = 6 * "rather long "
    text = STUDY.replace('"ofan"', f'{{name = "{long}文", like = "ofan"}}') + f'[cases."{long}"]\n[cases.other]\n'
    run = study(tmp_path, str(write(tmp_path, text)), "--out=out", "--seeds=1", program=fake[0])
    drawn = (tmp_path / "out/small.svg").read_text()
    assert run.returncode == 0 and "Warning" not in run.stderr, run.stderr
    assert "<!-- rather long rather lo... -->" in drawn and "<!-- small: n = 1 seed: no intervals -->" in drawn


def test_metrics_have_units():
    assert metric_of("cct_ns", 2e6).text(2.5e6) == "2.5 ms" and metric_of("cct_ns", 900).text(900.0) == "900 ns"
    assert metric_of("max_queue_packets", 7).text(7.0) == "7 packets" and metric_of("drops", 3).text(12345.0) == "12345"


# --- Runs -----------------------------------------------------------------------------------------


def test_a_run_that_fails_is_named(tmp_path, fake):
    text = STUDY.replace('"ofan"', '{name = "lost", options = {do = "stall"}}, {name = "worse", options = {do = "fail"}}')
    run = study(tmp_path, str(write(tmp_path, text)), "--out=out", "--seeds=2", program=fake[0])
    assert run.returncode == 1, run.stderr
    assert "all: only ecmp finished, with a completion time of 15 ns" in run.stdout
    said = " ".join(run.stdout.split())
    assert "4 of 6 runs did not finish, and count for nothing: all, lost, seed 1: stalled after 1 ns" in said
    assert "all, worse, seed 2: " in (tmp_path / "out/answer.md").read_text()
    rows = table(tmp_path / "out", "results.csv")
    assert [row["completed"] for row in rows] == 2 * ["True"] + 4 * ["False"] and all(row["problem"] for row in rows[2:])
    assert [row["completed"] for row in table(tmp_path / "out", "means.csv")] == ["2", "0", "0"]


def test_a_part_of_a_study_says_so_and_leaves_the_answer_of_the_whole(tmp_path, fake):
    path = write(tmp_path, STUDY + '[cases.one]\n[cases.two]\nfail = "none"\n')
    for only in [], ["--only=two"]:
        run = study(tmp_path, str(path), "--seeds=1", *only, program=fake[0])
        assert run.returncode == 0 and ("This is a part of the study: --only=two." in run.stdout) == bool(only), run.stderr
    cases = {name: [row["case"] for row in table(tmp_path / "results/study" / name, "results.csv")]
             for name in ("small", "small-part")}
    assert cases == {"small": ["one", "one", "two", "two"], "small-part": ["two", "two"]}


def test_runs_that_cases_have_in_common_are_counted_once(tmp_path, fake):
    path = write(tmp_path, STUDY + '[cases.one]\n[cases.two]\nfail = "none"\n[cases.three]\n')
    run = study(tmp_path, str(path), "--out=out", "--dry-run", program=fake[0])
    assert run.returncode == 0, run.stderr
    assert "12 runs, 0 there; the others take" in run.stdout and run.stdout.count("--RngRun=2 ") == 4


def test_a_metric_that_there_is_not(tmp_path, fake):
    text = STUDY.replace("seeds = 3", 'metric = "cct"')
    run = study(tmp_path, str(write(tmp_path, text)), "--out=out", "--check-only", program="/")
    assert run.returncode == 1 and "metric=cct: no result of runs (did you mean cct_ns?); there are " in run.stderr


@needs_program
@pytest.mark.parametrize("options", ["", "--workload=all-reduce --planes=2", "--workload=all-reduce --algorithm=esa", "--stack=roce",
                                     "--ordered=2 --stack=uec", "--background=poisson --backgroundLoad=0.1", "--fidelity=fluid",
                                     "--workload=incast --operation=read",
                                     f"--training={ROOT}/scenarios/overlap.toml --onFailure=continue"])
def test_each_result_may_be_a_metric(tmp_path, options):
    fabric = (f"--{name}={value}" for name, value in FABRIC.items())
    assert call(tmp_path, *fabric, *options.split(), "--out=out").returncode == 0
    numbers = {name for name, value in read_results(tmp_path / "out").items() if isinstance(value, (int, float))}
    assert not [name for name in numbers - {"completed"} if not is_result(name)]


def test_a_metric_that_there_is_not_ends_the_study_early(tmp_path, fake):
    text = STUDY.replace("seeds = 3", 'metric = "aggregation.jct_ns"').replace('"ofan"', '{name = "late", options = {do = "fail"}}')
    run = study(tmp_path, str(write(tmp_path, text)), "--out=out", "--jobs=1", "--seeds=5", program=fake[0])
    assert run.returncode == 1 and "metric=aggregation.jct_ns: no result" in run.stderr and len(list(tmp_path.glob("out/runs/*"))) < 5


def test_a_study_does_not_replace_the_answer_of_another_one_of_its_name(tmp_path, fake):
    for folder in "one", "two":
        (tmp_path / folder).mkdir()
        write(tmp_path / folder)
    for again in range(2):
        assert study(tmp_path, "one/small.toml", "--seeds=1", program=fake[0]).returncode == 0
    run = study(tmp_path, "two/small.toml", "--seeds=1", program=fake[0])
    assert run.returncode == 1 and run.stderr.count("\n") == 1
    assert f"two/small.toml: results/study/small has the answer of {tmp_path}/one/small.toml; --out=FOLDER names" in run.stderr
    assert study(tmp_path, "two/small.toml", "--seeds=1", "--out=other", program=fake[0]).returncode == 0
    (tmp_path / "one/small.toml").unlink()  # it has moved
    assert study(tmp_path, "two/small.toml", "--seeds=1", program=fake[0]).returncode == 0


@needs_program
@pytest.mark.parametrize("name", SCHEMES)
def test_each_scheme_is_accepted(tmp_path, name):
    options = {**FABRIC, "workload": "all-reduce", **scheme_file.options_of(name)}
    run = call(tmp_path, *(f"--{key}={value}" for key, value in options.items()), "--check")
    assert run.returncode == 0, run.stderr


@needs_program
def test_ethereal_serves_the_oldest_message_first(tmp_path):
    """Each piece has its own queue pair: in turns, the pieces of a ring's step wait for those of later steps, and all
    ranks after it wait, too."""
    iteration = {
        "topology": "leaf-spine", "leaves": 8, "spines": 8, "hostsPerLeaf": 32, "rate": "400Gb/s", "buffer": "217kB",
        "gpusPerNode": 8, "nvlink": "h100", "training": ROOT / "scenarios/dense-short.toml", "threads": 1, "sample": "0ns",
    }  # fmt: skip
    times = {}
    for order in (None, "round-robin"):
        options = {**iteration, **scheme_file.options_of("ethereal"), **({"sendOrder": order} if order else {})}
        out = tmp_path / str(order)
        run = call(tmp_path, *(f"--{key}={value}" for key, value in options.items()), f"--out={out}")
        assert run.returncode == 0, run.stderr
        times[order] = read_results(out)["cct_ns"]
    assert times["round-robin"] > 1.3 * times[None]


@needs_program
@pytest.mark.parametrize("name", study_file.names())
@pytest.mark.parametrize("quick", [[], ["--quick"]])
def test_each_study_is_accepted(tmp_path, name, quick):
    is_large = name in ("six", "six-causes", "six-sensitivity")
    few = ["prime", "mrc"] if is_large and not quick else []  # of sixteen schemes; all of them with --quick
    run = study(tmp_path, name, *quick, *(["--schemes=" + ",".join(few)] if few else []), "--dry-run")
    found = study_file.read_study(name, bool(quick), few or None)
    assert run.returncode == 0, run.stderr
    lines = [line for line in run.stdout.splitlines() if line.startswith(str(PROGRAM))]
    different = {str(sorted(case.options.items())) for case in found.runs()}  # some cases have runs in common
    assert len(lines) == len(different) * len(found.seeds) and "others take about" in run.stdout
    assert found.question.endswith("?") and list(tmp_path.iterdir()) == []


@needs_program
def test_what_the_program_refuses_is_said_with_its_case(tmp_path):
    text = STUDY + '[cases.failed]\nfail = "cable:1@0s"\n'
    run = study(tmp_path, str(write(tmp_path, text)))
    assert run.returncode == 1 and run.stderr.count("\n") == 1
    assert run.stderr.startswith(f"study: {tmp_path}/small.toml: case failed, scheme ecmp: --fail=cable:1@0s: ")


@needs_program
def test_what_prints_a_list_is_no_run(tmp_path):
    text = STUDY.replace("hostsPerLeaf = 4", 'preset = "help"')
    run = study(tmp_path, str(write(tmp_path, text)))
    assert run.returncode == 1 and run.stderr.count("\n") == 1
    assert run.stderr.endswith("--preset=help: prints a text instead of a run; ./fabric run does that\n")


@needs_program
def test_a_small_study_has_the_answer_that_is_known(tmp_path):
    run = study(tmp_path, str(write(tmp_path)))
    known = (
        "Which one? all: best is ofan, with a completion time of 4.878 us, n = 3 paired seeds. Beside it: ecmp 21.5 % longer "
        "(95 % interval -16.6 to 59.6 %); the interval has 0 in it: about 5 seeds would tell them apart. More seeds are needed "
        "to tell all of them apart: about 5; 1 of 1 comparisons are open. Results in results/study/small: "
    )
    assert run.returncode == 0 and " ".join(run.stdout.split()).startswith(known), run.stdout
    out = tmp_path / "results/study/small"
    assert {path.name for path in out.iterdir()} == {
        "answer.md", "results.csv", "means.csv", "differences.csv", "small.png", "small.pdf", "small.svg", "runs",
        "command.json",
    }  # fmt: skip
    [row] = table(out, "differences.csv")
    values = {name: [float(one["cct_ns"]) for one in table(out, "results.csv") if one["scheme"] == name] for name in ("ecmp", "ofan")}
    percent = [100 * (one / other - 1) for one, other in zip(values["ecmp"], values["ofan"])]
    low, high = scipy_stats.t.interval(0.95, 2, scipy_stats.tmean(percent), scipy_stats.sem(percent))
    assert [float(row[name]) for name in ("low95", "high95")] == pytest.approx([low, high])
    again = study(tmp_path, "small.toml")
    assert again.stdout == run.stdout and "6 were there" in again.stderr


@needs_program
def test_seeds_of_another_machine_are_not_run_again(tmp_path):
    """The same answer and tables, but for folders and times of runs. A file with all seeds needs no runs."""
    path = str(write(tmp_path))
    whole = study(tmp_path, path, "--out=whole")
    study(tmp_path, path, "--out=part", "--seeds=2-3")
    mixed = study(tmp_path, path, "--out=mixed", "--known=part/results.csv")
    again = study(tmp_path, path, "--out=again", "--known=whole/results.csv")
    assert len(list((tmp_path / "mixed/runs").iterdir())) == 2 and not (tmp_path / "again/runs").exists()
    for run, name in (mixed, "mixed"), (again, "again"):
        assert run.returncode == 0 and run.stdout == whole.stdout.replace("Results in whole", f"Results in {name}")
        for file in "means.csv", "differences.csv":
            assert (tmp_path / name / file).read_text() == (tmp_path / "whole" / file).read_text()
        rows = [[row | {"folder": "", "wall_s": ""} for row in table(tmp_path / of, "results.csv")] for of in (name, "whole")]
        assert rows[0] == rows[1]
    plan = study(tmp_path, path, "--dry-run", "--known=whole/results.csv")
    assert plan.returncode == 0 and plan.stdout.startswith("\n0 runs, 0 there; ")


ROW = "case,scheme,seed,completed,cct_ns,problem\nall,ecmp,1,True,5,\nall,ofan,1,True,4,\n"
UNKNOWN = {  # what a file of --known has, and what is said
    ROW.replace("cct_ns", "cct"): "no column cct_ns: results.csv of this study is needed",
    ROW.replace("ofan", "reps"): "seed 1: no row of case all, scheme ofan",
    ROW.replace("True,4", "yes,4"): "row 3: no row of results.csv",
    ROW.replace("True,4", "True,"): "row 3: no row of results.csv",
    ROW.replace("True,4", "True,nan"): "row 3: no row of results.csv",
    ROW + "all,ofan,2": "row 4: no row of results.csv",
    ROW + "\0": "row 4: no row of results.csv",
    "": "no column case",
}


@pytest.mark.parametrize("text", UNKNOWN)
def test_rows_that_are_none_of_the_study_are_refused_in_one_line(tmp_path, text):
    (tmp_path / "known.csv").write_text(text)
    run = study(tmp_path, str(write(tmp_path)), "--known=known.csv", "--check-only", program="/")
    assert run.returncode == 1 and run.stderr.count("\n") == 1, run.stderr
    assert run.stderr.startswith("study: --known=known.csv: ") and UNKNOWN[text] in run.stderr


def test_a_seed_of_two_files_is_refused(tmp_path):
    (tmp_path / "known.csv").write_text(ROW)
    run = study(tmp_path, str(write(tmp_path)), "--known=known.csv,known.csv", "--check-only", program="/")
    assert run.stderr == "study: --known=known.csv: seed 1 is in an earlier file, too\n"


@needs_program
def test_seeds_are_added_until_intervals_are_narrow(tmp_path):
    run = study(tmp_path, str(write(tmp_path)), "--until=20%", "--seeds=2", "--most-seeds=12", "--out=out")
    assert run.returncode == 0 and "2 seeds are too few for an interval of +-20 %" in run.stdout, run.stderr
    [row] = table(tmp_path / "out", "differences.csv")
    narrow = float(row["high95"]) - float(row["low95"]) <= 40
    assert narrow or row["paired_seeds"] == "12" and "still wider than +-20 %" in " ".join(run.stdout.split())


@needs_program
def test_schemes_have_equal_traffic_and_faults_with_a_seed(tmp_path):
    """What is drawn depends on the seed, and not on the scheme. Without --jitter, the longest one is the time of a
    packet, which has more headers in MRC."""
    traffic = {
        "permutation": {"workload": "permutation", "size": "16KiB", "jitter": "50ns", "fail": "cables:2@1us-2us"},
        "poisson": {"workload": "poisson", "cdf": ROOT / "scenarios/sizes-short-and-long.csv", "duration": "10us"},
        "ring": {"workload": "all-reduce", "size": "16KiB", "placement": "random", "fail": "optics:1@1us-2us:period=1us:duty=0.5"},
    }  # fmt: skip
    for name, options in traffic.items():
        drawn = set()
        for seed in (1, 2):
            found = set()
            for scheme in ("ecmp", "ofan", "reps", "mrc"):
                given = {**FABRIC, "leaves": 4, "sample": "0ns", **options, **scheme_file.options_of(scheme), "RngRun": seed}
                assert call(tmp_path, *(f"--{key}={value}" for key, value in given.items())).returncode == 0
                out = tmp_path / "results/latest"
                flows = [(row["source"], row["destination"], row["bytes"], name == "ring" or row["start_ns"])
                         for row in table(out, "flows.csv")]
                faults = [row["time_ns"] + row["subject"] for row in table(out, "events.csv") if row["event"].startswith("link_")]
                found.add((tuple(sorted(flows)), tuple(faults)))
            assert len(found) == 1, name
            drawn |= found
        assert len(drawn) == 2, name


@needs_program
@pytest.mark.parametrize("buffer", ["auto", "217kB"])
def test_switches_mark_as_the_control_needs_it_for_all_schemes_that_spray(tmp_path, buffer):
    marks = []
    for name in ("ops", "reps", "prime", "switch-ar", "uec", "mrc"):
        given = {**FABRIC, "size": "16KiB", "buffer": buffer, **scheme_file.options_of(name), "out": name}
        assert call(tmp_path, *(f"--{key}={value}" for key, value in given.items() if value != "auto")).returncode == 0
        scenario = json.loads((tmp_path / name / "run.json").read_text())["scenario"]
        assert scenario["marker"] == "red" and scenario["markingCeiling"] == pytest.approx(4 * scenario["markingThreshold"], rel=1e-4)
        marks.append(scenario["markingThreshold"])
    assert marks == pytest.approx(len(marks) * marks[:1], rel=0.01)  # headers of a packet have other lengths
