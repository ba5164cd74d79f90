# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How the plots look."""

import os
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from ai_fabric.plot.chosen_style import SHIPPED, chosen_style
from ai_fabric.plot.palette import COLORS, SCHEMES, color
from ai_fabric.common.private_folder import private_folder
from ai_fabric.common.program import ScriptError, printable
from ai_fabric.common.safe_file import named_errors, read_text

# matplotlib wants a folder for its cache.
if "MPLCONFIGDIR" not in os.environ:
    os.environ["MPLCONFIGDIR"] = str(private_folder("matplotlib"))

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import matplotlib.ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

Place = TypeVar("Place", Path, None)
VECTORS = ".svg", ".pdf"
LEAST_ROW = 1.5  # inches of a row of panels, with its names
LEAST_PANEL = 1.5  # inches of a panel's width
LEAST_LABEL = 8  # characters of a line of a text that is broken
MARGIN = 0.95  # of the characters that have room on average, as some are wide


def read_style(path: Path) -> matplotlib.RcParams:
    """The settings of a style sheet; matplotlib itself would go on without those that are wrong."""
    try:
        lines = read_text(path).splitlines()
        for number, line in enumerate(lines, 1):
            key = line.partition("#")[0].partition(":")[0].strip()
            if key and key not in matplotlib.rcParams:
                raise ScriptError(f"{path}:{number}: {key} is no setting of matplotlib")
        found = matplotlib.rc_params_from_file(path, fail_on_error=True, use_default_template=False)
    except UnicodeDecodeError:
        raise ScriptError(f"{path}: is no text, and no style sheet of matplotlib") from None
    except ValueError as error:
        raise ScriptError(f"{path}: {str(error).splitlines()[0]}") from None
    formats = Figure().canvas.get_supported_filetypes()
    if found.get("savefig.format", "png") not in formats:
        raise ScriptError(f"{path}: savefig.format: {found['savefig.format']}: one of {', '.join(sorted(formats))}")
    return found


plt.style.use([SHIPPED / "usual.mplstyle", *map(read_style, chosen_style())])


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
    caption = printable(caption)
    figure.supxlabel(caption, fontsize="small", color="#606060", x=0.99, ha="right")
    plain_numbers(figure)
    fit(figure)
    path = path.with_suffix(f".{plt.rcParams['savefig.format']}")
    for one in dict.fromkeys([path, *(path.with_suffix(kind) for kind in VECTORS if vector)]):
        with named_errors(one), plt.rc_context({"svg.hashsalt": software}):
            figure.savefig(one, **metadata(one.suffix, caption, schemes, software))
    plt.close(figure)
    return path


def plain_numbers(figure: Figure) -> None:
    """Logarithmic axes have numbers in plain text: what matplotlib writes as a formula would be shown as it is."""
    for axis in [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]:
        if isinstance(axis.get_major_formatter(), matplotlib.ticker.LogFormatterMathtext):
            axis.set_major_formatter("{x:g}")
        if isinstance(axis.get_minor_formatter(), matplotlib.ticker.LogFormatterMathtext):
            axis.set_minor_formatter(matplotlib.ticker.LogFormatter(labelOnlyBase=False, minor_thresholds=(1, 0.5)))


def metadata(kind: str, caption: str, schemes: Iterable[str], software: str) -> dict[str, dict[str, str | None]]:
    """What a file says of itself, under the names of its format, as savefig() takes it; nothing in other formats."""
    names = ",".join(schemes)
    found: dict[str, dict[str, str | None]] = {
        ".png": {"Software": software, "Description": names, "Comment": caption},
        ".svg": {"Creator": software, "Description": caption, "Keywords": names, "Date": None},
        ".pdf": {"Creator": software, "Subject": caption, "Keywords": names, "CreationDate": None},
    }
    return {"metadata": found[kind]} if kind in found else {}


def styled_width() -> float | None:
    """The width of figures in inches that the style says, if it says one."""
    width = plt.rcParams["figure.figsize"][0]
    return width if width != matplotlib.rcParamsDefault["figure.figsize"][0] else None


def columns_within(most: int) -> int:
    """How many panels stand side by side: so many, if the style leaves room for them."""
    width = styled_width()
    return most if width is None else max(1, min(most, int(width / LEAST_PANEL)))


def fit(figure: Figure) -> None:
    """Makes a figure as wide as the style says, if it says so, its panels not too low, and no text longer than its place."""
    width = styled_width()
    if width is None:
        return
    height = figure.get_figheight() * width / figure.get_figwidth()
    specs = [axes.get_subplotspec() for axes in figure.axes if hasattr(axes, "get_subplotspec")]  # a color bar has none
    rows = max((spec.get_topmost_subplotspec().get_gridspec().nrows for spec in specs if spec), default=1)
    figure.set_size_inches(width, max(height, LEAST_ROW * rows))
    figure.draw_without_rendering()
    for axes in figure.axes:
        box = axes.get_window_extent()
        wrap(axes.yaxis.label, axes.yaxis.label.get_window_extent().height, box.height)
        wrap(axes.xaxis.label, axes.xaxis.label.get_window_extent().width, box.width)
        for title in [one for one in axes.get_children() if isinstance(one, Text)]:
            wrap(title, title.get_window_extent().width, figure.bbox.width - box.x0)
    for line in figure.texts:
        wrap(line, line.get_window_extent().width, figure.bbox.width)


def wrap(text: Text, length: float, room: float) -> None:
    """Breaks a text that is longer than there is room for, both in pixels."""
    words = text.get_text()
    if words and length > room:
        text.set_text(textwrap.fill(words, max(int(len(words) * room / length * MARGIN), LEAST_LABEL), break_long_words=False))
