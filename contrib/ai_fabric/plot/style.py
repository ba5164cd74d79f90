# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How the plots look."""

import os

from ai_fabric.plot.palette import COLORS, SCHEMES, color
from ai_fabric.common.private_folder import private_folder
from ai_fabric.common.program import printable
from ai_fabric.common.safe_file import named_errors

# matplotlib wants a folder for its cache.
if "MPLCONFIGDIR" not in os.environ:
    os.environ["MPLCONFIGDIR"] = str(private_folder("matplotlib"))

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import matplotlib.ticker

plt.rcParams.update(
    {
        "figure.dpi": 130,
        "figure.constrained_layout.use": True,
        "font.size": 10,
        "text.parse_math": False,  # names of files and options may have a $
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


def scheme_color(name):
    """The color of a balancer; black for one that is not the module's."""
    return SCHEMES.get(name, ("black", "."))[0]


def scheme_marker(name):
    """The marker of a balancer."""
    return SCHEMES.get(name, ("black", "."))[1]


def save(figure, path, caption, schemes=(), software="ai-fabric", vector=False):
    """Writes a figure with a caption below it, unless the path is None; vector: as SVG, too. The file says what wrote
    it, and which schemes it compares."""
    if path is None:
        plt.close(figure)
        return path
    figure.supxlabel(printable(caption), fontsize=8, color="#606060", x=0.99, ha="right")
    with named_errors(path):
        figure.savefig(path, metadata={"Software": software, "Description": ",".join(schemes)})
        if vector:
            with plt.rc_context({"svg.hashsalt": software}):  # so that the file is the same each time
                figure.savefig(path.with_suffix(".svg"), metadata={"Creator": software, "Date": None})
    plt.close(figure)
    return path
