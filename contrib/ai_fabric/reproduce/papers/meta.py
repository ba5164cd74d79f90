# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of the routing generations have in common: racks of 16 NICs, lossless queues, rings of NICs,
and panels of bars and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
import pandas

from ai_fabric.reproduce.drawing import draw_panels
from ai_fabric.reproduce.fabrics import leaf_spine, options_of, red
from ai_fabric.reproduce.study import EQUAL_PACKETS, Study
from ai_fabric.plot.charts import draw_whiskers, ends_of
from ai_fabric.plot.style import color, plt

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ai_fabric.common.aliases import Values
    from ai_fabric.plot.style import Axes

NICS = 16  # of a rack
LOSSLESS: Values = {**options_of("base/lossless"), "buffer": "64MB"}
SCHEMES: dict[str, Values] = {"ecmp": options_of("ecmp"), "e-ecmp": options_of("e-ecmp-16"), "te": options_of("te"),
                              "host-dr": options_of("host-dr")}
IDEAL = {"buffer": "1GB", "acks": "bypass", **EQUAL_PACKETS}  # no loss, no pauses, no acknowledgements
AT_ONCE = {"convergence": "0s"}  # switches know of what is dead from the first packet on
KMIN = 1_600_000  # bytes at 400 Gb/s; KMax is four times as much
FACTORS = {"default": 1, "doubled": 2, "relaxed": 4}  # of the thresholds


def fabric(racks: int, uplinks: int, nics: int = NICS) -> Values:
    """Racks with so many uplinks, one to each cluster switch."""
    return leaf_spine(racks, uplinks, nics, rate="400Gb/s")


def dead(spines: int) -> Values:
    """So many cluster switches are dead from the start."""
    return {"fail": "+".join(f"spine-{spine}" for spine in range(spines)) + "@0s", **AT_ONCE} if spines else {}


def queue_pairs(count: int, steering: str = "split") -> Values:
    """Messages over some queue pairs of a connection."""
    return {"steering": steering, "queuePairs": count} if count > 1 else {}


def policy(generation: str, steering: str = "split") -> Values:
    """The options of a generation, such as e-ecmp 32: with 32 queue pairs."""
    name, _, count = generation.partition(" ")
    return {**SCHEMES.get(name, {"balancer": name}), **queue_pairs(int(count or 1), steering)}


def control(name: str, rate: int) -> Values:
    """The options of a setting of DCQCN."""
    if name == "off":
        return {"rateControl": "fixed"}
    kmin = FACTORS[name] * KMIN * rate // 400
    own = {"rateControl": "dcqcn", "balancer": "e-ecmp", **red(kmin, 4 * kmin, 0.2)}
    return {**options_of("roce-deployed"), **own}


class MetaStudy(Study):
    """A figure with rows of values."""

    fixed = "compares the routing generations"

    def flows(self, name: str, flows: Iterable[Iterable[object]]) -> Values:
        """Messages that start without jitter."""
        return {"workload": "flows", "flows": self.write_flows(f"{name}.csv", flows), "jitter": "0ns"}

    def ring_flows(self, racks: int, size: int, nics: int = NICS) -> Values:
        """A message of each NIC to the NIC with the same number of the next rack, at once."""
        hosts = racks * nics
        flows = [(0, host, (host + nics) % hosts, size) for host in range(hosts)]
        return self.flows(f"ring-{racks}x{nics}-{size}", flows)

    def claim_ascending(self, claim: str, times: Sequence[float]) -> None:
        holds = all(first < second for first, second in zip(times, times[1:]))
        self.claim(claim, "ascending", " ".join(f"{time:.4g}" for time in times), holds)

    def draw(self, *panels: Any, **options: Any) -> None:
        """A picture of many panels, whose titles and legends are small."""
        options = {"legends": 0, **options}
        with plt.rc_context({"axes.titlesize": 9, "legend.fontsize": 7}):
            draw_panels(self, *panels, **options)


STUDY = MetaStudy


def pauses(runs: pandas.DataFrame) -> pandas.DataFrame:
    """Pauses that ports obeyed in each run, by who sent them: leaves pause hosts and spines, spines pause leaves."""
    rows = []
    for folder in runs.folder:
        events = pandas.read_csv(folder / "events.csv")
        subjects = events[events.event == "pause"].subject.astype(str)
        paused = (("by_spines", "leaf-"), ("by_leaves", "spine-"), ("of_hosts", "host-"))
        rows.append({name: int(subjects.str.startswith(start).sum()) for name, start in paused})
    return pandas.DataFrame(rows, index=runs.index)


def in_units(table: pandas.DataFrame, y: str, name: str, unit: pandas.Series | Sequence[float]) -> pandas.DataFrame:
    """Adds a column of means in units, with the ends of their intervals."""
    ends = zip((name, *ends_of(name)), (y, *ends_of(y)))
    return table.assign(**{column: table[other] / unit for column, other in ends})


def side_by_side(table: pandas.DataFrame, x: str, by: str, y: str) -> pandas.DataFrame:
    """A row for each x, a column for each group, in the order of a table."""
    found = table.pivot(index=x, columns=by, values=y)
    return found.reindex(index=dict.fromkeys(table[x]), columns=dict.fromkeys(table[by]))


def places_in(table: pandas.DataFrame) -> tuple[list[numpy.ndarray], float]:
    """Where the bars of each column stand, and how wide they are."""
    width = 0.76 / len(table.columns)
    shifts = (numpy.arange(len(table.columns)) - (len(table.columns) - 1) / 2) * width
    return [numpy.arange(len(table)) + shift for shift in shifts], width


def draw_groups(
    axes: Axes, table: pandas.DataFrame, x: str, by: str, y: str, size: float | str | None = None
) -> None:
    """A bar a group for each x, with its 95 % interval. The table is one of means. size: of the names."""
    bars, *ends = (side_by_side(table, x, by, name) for name in (y, *ends_of(y)))
    places, width = places_in(bars)
    for index, label in enumerate(bars):
        axes.bar(places[index], bars[label], width, color=color(index), label=label)
        draw_whiskers(axes, places[index], *(end[label] for end in ends))
    axes.set_xticks(range(len(bars)), bars.index, fontsize=size)


def draw_lines(axes: Axes, table: pandas.DataFrame, x: str, y: str, by: str) -> None:
    """A line a group, those of ECMP dashed, over values that stand side by side, with the 95 % interval as a shade. The
    table is one of means. Earlier lines are wider, so that equal ones are all seen."""
    groups, values = list(table.groupby(by, sort=False)), list(dict.fromkeys(table[x]))
    for index, (name, rows) in enumerate(groups):
        wider, style = len(groups) - 1 - index, "--" if name.startswith("one-port") else "-"
        look = {"color": color(index), "marker": "os^Dvp"[index], "linewidth": 1.2 + 0.6 * wider}
        if rows[y].notna().any():
            places, (low, high) = rows[x].map(values.index), ends_of(y)
            axes.plot(places, rows[y], style, markersize=4 + 0.9 * wider, label=name, **look)
            axes.fill_between(places, rows[low], rows[high], color=color(index), alpha=0.12, linewidth=0)
    axes.set_xticks(range(len(values)), [f"{value:g}" for value in values], fontsize="small")
