# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What --plot of a sweep asks for."""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass

from ai_fabric.common.aliases import Values

FORM = "OPTION,RESULT[,log][,line=VALUE][,facet=OPTION]"


@dataclass(frozen=True)
class PlotRequest:
    """A result y over an option x. log: the axis of y is logarithmic; line: a value of y with a line of its own, NaN for
    none; facet: an option each of whose values has a panel, or empty."""

    text: str
    x: str
    y: str
    log: bool = False
    line: float = math.nan
    facet: str = ""

    @property
    def options(self) -> list[str]:
        """The options that have to be swept."""
        return [name for name in (self.x, self.facet) if name]

    def refusal(self, why: str) -> str:
        return f"--plot={self.text}: {why}"


def read_plot(text: str) -> PlotRequest:
    """The request in the value of --plot."""
    x, *rest = text.split(",")
    y, *others = rest or [""]
    found: Values = {}
    for other in others:
        name, _, value = other.partition("=")
        if name in found:
            raise argparse.ArgumentTypeError(f"{text}: {name} is given twice")
        if other == "log":
            found["log"] = True
        elif name == "facet" and value:
            found["facet"] = value
        elif name == "line" and is_number(value):
            found["line"] = float(value)
        else:
            raise argparse.ArgumentTypeError(f"{text}: {other or 'nothing'} is none of log, line=NUMBER, facet=OPTION")
    if not (x and y):
        raise argparse.ArgumentTypeError(f"{text} is not {FORM}")
    if found.get("log") and found.get("line", 1) <= 0:
        raise argparse.ArgumentTypeError(f"{text}: on a logarithmic axis a line is above 0")
    if found.get("facet") == x:
        raise argparse.ArgumentTypeError(f"{text}: {x} is on the axis; another option is needed for facets")
    return PlotRequest(text, x, y, **found)


def is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
