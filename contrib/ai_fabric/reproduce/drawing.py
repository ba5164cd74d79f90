# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How the picture of a figure is described: panels, each with a title, the names of its axes, and its parts."""

from ai_fabric.plot.charts import legend, panels
from ai_fabric.plot.style import save


class Panel:
    """A panel. parts: functions of the axes, in the order in which they draw; one with more arguments is a tuple, such
    as (draw_schemes, rows, "size", "cct_us") or ("set_ylim", 0), which is a function of the axes themselves, whose
    arguments by name are a dict at the end."""

    def __init__(self, title, x, y, *parts):
        self.title, self.x, self.y, self.parts = title, x, y, parts

    def draw(self, axes):
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


def draw_panels(study, shown, scenario, suffix="", seeds=None, rows=1, legends=1, outer=False, **options):
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


def finish(figure, study, scenario, suffix="", seeds=None):
    """Writes the picture, as SVG and PDF, too, its caption saying what was run; seeds: runs of a case, if not the study's."""
    study.add_plot(save(figure, study.plot_path(suffix), study.caption(scenario, seeds), vector=True))
