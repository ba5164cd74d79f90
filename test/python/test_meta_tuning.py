# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figure of co-tuning: its settings, and verdicts that can say no."""

import pytest
from meta_figures import study, words  # noqa: F401 (a fixture, and contrib in the path)

pandas = pytest.importorskip("pandas")

from ai_fabric.reproduce.figures.meta import cotuning as meta_cotuning


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
