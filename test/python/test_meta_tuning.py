# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figure of co-tuning: its settings, and verdicts that can say no."""

import pytest
from meta_figures import study, words  # noqa: F401 (a fixture, and contrib in the path)

pandas = pytest.importorskip("pandas")

from ai_fabric.plot.style import plt
from ai_fabric.reproduce.figures.meta import cotuning as meta_cotuning
from ai_fabric.reproduce.papers.meta import draw_groups, draw_lines
from ai_fabric.sweep.merge import means


def test_each_knob_is_tuned_alone_and_left_out_once():
    settings = meta_cotuning.settings()
    assert len(settings) == 3 + 2 * (len(meta_cotuning.KNOBS) + 1)
    for (what, knob), chosen in settings.items():
        if what == meta_cotuning.REFERENCE:
            continue  # it differs by the routing of packets
        whole = settings["untuned" if what in ("alone", "untuned") else "tuned", ""]
        others = {key for key in {*chosen, *whole} if chosen.get(key) != whole.get(key)}
        assert bool(others) == bool(knob), (what, knob)
        assert len(others) <= (2 if knob == "queue pairs" else 1)
    assert meta_cotuning.options(set())["receiverAdmission"] == 1
    assert meta_cotuning.options({"slots", "queue pairs"})["receiverAdmission"] == 8
    assert meta_cotuning.options({"queue pairs"})["queuePairs"] == 16


@pytest.mark.parametrize("tuned, alone", [(30, 40), (60, 40), (40, 60)])
def test_knobs_may_gain_little(study, tuned, alone):
    rows = [("untuned", "", 100), ("tuned", "", tuned), ("reference", "", tuned)]
    rows += [("alone", knob, alone if knob == "slots" else 90) for knob in meta_cotuning.KNOBS]
    table = pandas.DataFrame(rows, columns=["what", "knob", "time_us"]).assign(size="1MiB", placement="packed")
    meta_cotuning.judge(study, table)
    assert words(study, "gain of all") == [tuned < 50]
    assert words(study, "alone") == [alone < 50]
    assert words(study, "untuned, bandwidth") == [tuned < 50]


@pytest.mark.parametrize("seeds", [1, 3])
def test_bars_and_lines_have_the_intervals_that_captions_name(study, seeds):
    rows = [(x, name, seed, x + seed) for x in (1, 2) for name in ("te", "ecmp") for seed in range(seeds)]
    runs = pandas.DataFrame(rows, columns=["x", "name", "seed", "time_us"]).assign(completed=True)
    figure, (bars, lines) = plt.subplots(1, 2)
    draw_groups(bars, means(runs, ["x", "name"], ["time_us"]), "x", "name", "time_us")
    draw_lines(lines, means(runs, ["x", "name"], ["time_us"]), "x", "time_us", "name")
    plt.close(figure)
    assert [len(whiskers.get_segments()) for whiskers in bars.collections] == ([2, 2] if seeds > 1 else [])
    heights = [path.vertices[:, 1] for shade in lines.collections for path in shade.get_paths()]
    assert [height.max() > height.min() for height in heights] == ([True, True] if seeds > 1 else [])


def test_gains_are_those_of_each_seed(study):
    """And not of the means: with 200 / 100 and 100 / 100 it is 1.5."""
    labels = [("untuned", ""), ("tuned", ""), *((what, knob) for what in ("alone", "all but") for knob in
                                               (*meta_cotuning.KNOBS, meta_cotuning.TREE))]
    rows = [(*label, seed, 200 if label[0] == "untuned" and seed == 1 else 100) for label in labels for seed in (1, 2)]
    runs = pandas.DataFrame(rows, columns=["what", "knob", "seed", "time_us"])
    gains = meta_cotuning.gains_of(study, runs.assign(size="1MiB", placement="packed", completed=True)).set_index("what")
    assert (gains.gain[meta_cotuning.ALONE] == 1.5).all() and (gains.gain[meta_cotuning.LOST] == 1).all()
    assert (gains.gain_high95[meta_cotuning.ALONE] > 1.5).all()
