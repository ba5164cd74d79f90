# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How many times as long as alone the messages of a run took, by their size."""

import numpy
import pandas
from pandas.core.groupby import DataFrameGroupBy

from ai_fabric.runs.run_data import Run

MOST_SIZES = 12  # of messages, with a slowdown of each
LEAST_MESSAGES = 100  # of a group of sizes
SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}  # of messages, whose slowdown is shown


def group_by_size(flows: pandas.DataFrame) -> DataFrameGroupBy:
    """Messages by size: each size, or as many groups as hold 100 messages each, at most 12. The size of a group is the
    median of its messages."""
    if flows.bytes.nunique() <= MOST_SIZES:
        return flows.groupby("bytes")
    ranks = flows.bytes.rank(method="first")
    groups = numpy.clip(len(flows) // LEAST_MESSAGES, 2, MOST_SIZES)
    return flows.groupby(numpy.ceil(ranks * groups / len(flows)))


def tabulate_slowdown(flows: pandas.DataFrame) -> pandas.DataFrame:
    """How many times as long as alone messages took: a row a size, or a group of sizes."""
    groups = group_by_size(flows)
    shares = {f"slowdown_{label}": groups.slowdown.quantile(share) for label, share in SHARES.items()}
    table = pandas.DataFrame({"bytes": groups.bytes.median(), "messages": groups.size(), **shares})
    return table.reset_index(drop=True)


def slowed(run: Run) -> pandas.DataFrame:
    """The messages that have a slowdown; none of a run with collectives, whose sizes are those of its steps."""
    flows = run.table("flows", "bytes", "slowdown")
    return flows.iloc[:0] if run.has("collectives") else flows[flows.bytes > 0].dropna()


def has_sizes(run: Run) -> bool:
    """Whether messages of several sizes have a slowdown."""
    return bool(slowed(run).bytes.nunique() > 1)
