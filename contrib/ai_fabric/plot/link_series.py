# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The links and queues of a run over time, from link-series.csv and queue-series.csv."""

import pandas

from ai_fabric.runs.run_data import Run


def edges(series: pandas.DataFrame) -> list[float]:
    """The times at which the intervals of a series begin and end."""
    return sorted(set(series.time_ns) | set((series.time_ns - series.interval_ns).round(3)))


def busiest(series: pandas.DataFrame, layer: str) -> pandas.DataFrame:
    """The most that a port of a layer does in an interval, by the end of the interval. Idle ports have no rows."""
    rows = series[series.layer == layer].groupby("time_ns")[["utilization", "waiting_bytes"]].max()
    return rows.reindex(edges(series), fill_value=0)


def longest(run: Run) -> pandas.DataFrame:
    """The most that waited in a queue of each layer in each interval."""
    table = run.table("queue-series", "time_ns", "layer", "max_bytes")
    return table.groupby(["layer", "time_ns"]).max_bytes.max().reset_index()
