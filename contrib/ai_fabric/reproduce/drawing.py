# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How the picture of a figure is described: panels, each with a title, the names of its axes, and its parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ai_fabric.plot.charts import legend, panels
from ai_fabric.plot.style import save

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from ai_fabric.plot.style import Axes
    from ai_fabric.reproduce.study import Study

Part = str | tuple[Any, ...] | Callable[..., object]  # of a panel


class Panel:
    """A panel. parts: functions of the axes, in the order in which they draw; one with more arguments is a tuple, such
    as (draw_schemes, rows, "size", "cct_us") or ("set_ylim", 0), which is a function of the axes themselves, whose
    arguments by name are a dict at the end."""

    def __init__(self, title: str, x: str, y: str, *parts: Part) -> None:
        self.title, self.x, self.y, self.parts = title, x, y, parts

    def draw(self, axes: Axes) -> None:
        for part in self.parts:
            function, *arguments = part if isinstance(part, tuple) else (part,)
            if isinstance(function, str):
                named = arguments.pop() if arguments and isinstance(arguments[-1], dict) else {}
                getattr(axes, function)(*arguments, **named)
            else:
                function(axes, *arguments)
        axes.set_title(self.title)
        axes.set_xlabel(self.x)
        axes.set_ylabel(self.y)


def draw_panels(
    study: Study,
    shown: Sequence[Panel],
    scenario: str,
    suffix: str = "",
    seeds: int | None = None,
    rows: int = 1,
    legends: int = 1,
    outer: bool = False,
    **options: Any,
) -> None:
    """Writes a picture of panels, row by row, its caption saying what was run. legends: how many there are: one of all
    panels beside the first row, or one a row. outer: axes have names at the left and below only. options: those of
    charts.panels; seeds: as finish has them."""
    columns = len(shown) // rows
    figure, grid = panels(rows, columns, **options)
    for place, (axes, panel) in enumerate(zip(grid, shown)):
        panel.draw(axes)
        if outer:
            axes.set(xlabel=panel.x if place >= len(shown) - columns else "", ylabel="" if place % columns else panel.y)
    for row in range(legends):
        legend(grid[columns * (row + 1) - 1], grid if legends == 1 else grid[columns * row : columns * (row + 1)])
    finish(figure, study, scenario, suffix, seeds)


def finish(figure: Figure, study: Study, scenario: str, suffix: str = "", seeds: int | None = None) -> None:
    """Writes the picture, as SVG and PDF, too, its caption saying what was run; seeds: runs of a case, if not the study's."""
    study.add_plot(save(figure, study.plot_path(suffix), study.caption(scenario, seeds), vector=True))
