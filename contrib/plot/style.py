# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How the plots look."""

import os
import tempfile

# matplotlib wants a folder for its cache, which need not be the user's home.
os.environ.setdefault("MPLCONFIGDIR", os.path.join(tempfile.gettempdir(), "ai-fabric-matplotlib"))

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

# Okabe and Ito, "Color Universal Design" (2008): distinct to color-blind readers too.
COLORS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#7F7F7F", "#B8A800"]

plt.rcParams.update(
    {
        "figure.dpi": 130,
        "figure.constrained_layout.use": True,
        "font.size": 10,
        "axes.titlesize": 11,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": "#E0E0E0",
        "grid.linewidth": 0.7,
        "legend.frameon": False,
        "lines.linewidth": 1.6,
    }
)


def color(index):
    """The color of the index-th thing to be told apart."""
    return COLORS[index % len(COLORS)]


def save(figure, path, caption):
    """Write a figure, with a caption below it."""
    figure.supxlabel(caption, fontsize=8, color="#606060", x=0.99, ha="right")
    figure.savefig(path)
    plt.close(figure)
    return path
