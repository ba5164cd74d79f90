# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How the plots look."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from ai_fabric.plot.chosen_style import SHIPPED, chosen_style
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
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Place = TypeVar("Place", Path, None)
VECTORS = ".svg", ".pdf"

plt.style.use([SHIPPED / "usual.mplstyle", *chosen_style()])


def scheme_color(name: str) -> str:
    """The color of a balancer; black for one that is not the module's."""
    return SCHEMES.get(name, ("black", "."))[0]


def scheme_marker(name: str) -> str:
    """The marker of a balancer."""
    return SCHEMES.get(name, ("black", "."))[1]


def save(
    figure: Figure,
    path: Place,
    caption: str,
    schemes: Iterable[str] = (),
    software: str = "ai-fabric",
    vector: bool = False,
) -> Place:
    """Writes a figure with a caption below it, unless the path is None, as the style has it; vector: as SVG and PDF, too.
    The files say what wrote them, what was run, and which schemes are compared; they are the same each time."""
    if path is None:
        plt.close(figure)
        return path
    fit(figure)
    caption = printable(caption)
    figure.supxlabel(caption, fontsize="small", color="#606060", x=0.99, ha="right")
    path = path.with_suffix(f".{plt.rcParams['savefig.format']}")
    for one in dict.fromkeys([path, *(path.with_suffix(kind) for kind in VECTORS if vector)]):
        with named_errors(one), plt.rc_context({"svg.hashsalt": software}):
            figure.savefig(one, **metadata(one.suffix, caption, schemes, software))
    plt.close(figure)
    return path


def metadata(kind: str, caption: str, schemes: Iterable[str], software: str) -> dict[str, dict[str, str | None]]:
    """What a file says of itself, under the names of its format, as savefig() takes it; nothing in other formats."""
    names = ",".join(schemes)
    found: dict[str, dict[str, str | None]] = {
        ".png": {"Software": software, "Description": names, "Comment": caption},
        ".svg": {"Creator": software, "Description": caption, "Keywords": names, "Date": None},
        ".pdf": {"Creator": software, "Subject": caption, "Keywords": names, "CreationDate": None},
    }
    return {"metadata": found[kind]} if kind in found else {}


def fit(figure: Figure) -> None:
    """Makes a figure as wide as the style says, if it says so."""
    width = plt.rcParams["figure.figsize"][0]
    if width != matplotlib.rcParamsDefault["figure.figsize"][0]:
        figure.set_size_inches(figure.get_size_inches() * width / figure.get_figwidth())
