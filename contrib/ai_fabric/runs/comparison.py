# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What differs between runs."""

from collections.abc import Iterator, Sequence
from typing import Any

from ai_fabric.common.aliases import Values
from ai_fabric.runs.summary_file import SummaryFile
from ai_fabric.runs.text_table import lines_of, shorten

Rows = dict[str, list[Any]]  # the values of runs, by key
PATHS = {"out"}  # options that say where something is
DETAILS = "layers.", "uplink_utilization.", "policies."  # results that are shown if asked for


def sections_of(runs: Sequence[SummaryFile], with_details: bool) -> tuple[dict[str, Rows], int]:
    """What differs between runs: the values of each key, by section; and how many results in details are left out."""
    asked = differing([run.parts["options"] | {"RngRun": run.seed} | run.inputs | run.versions for run in runs])
    settings = differing([run.parts["scenario"] | run.parts["attributes"] for run in runs])
    results = differing([run.results for run in runs])
    details = [] if with_details else [key for key in results if key.startswith(DETAILS)]
    return {
        "Asked for": asked,
        "Settings": {key: values for key, values in settings.items() if key not in asked},
        "Results": {key: values for key, values in results.items() if key not in details},
    }, len(details)


def compare(runs: Sequence[SummaryFile], with_details: bool) -> Iterator[str]:
    """Lines that say what differs between runs, of results in all details or without them."""
    numbers = [str(number) for number in range(1, len(runs) + 1)]
    yield from (f"{number}: {run.folder}" for number, run in zip(numbers, runs))
    sections, left_out = sections_of(runs, with_details)
    for title, rows in sections.items():
        yield ""
        if not rows:
            yield f"{title}: no difference"
            continue
        cells = ([key, *cells_of(values, title == "Results")] for key, values in rows.items())
        yield from lines_of([[title, *numbers], *cells])
    if left_out:
        yield f"\n{left_out} more results differ, of layers, uplinks and policies: --all shows them"


def differing(parts: Sequence[Values]) -> Rows:
    """The values of each key in all parts, if they differ."""
    keys = dict.fromkeys(key for part in parts for key in part if key not in PATHS)
    rows = {key: [part.get(key) for part in parts] for key in keys}
    return {key: values for key, values in rows.items() if any(value != values[0] for value in values)}


def cells_of(values: Sequence[Any], is_result: bool) -> Iterator[str]:
    """The cells of a row; those of results have the difference to the first one."""
    first = values[0]
    for place, value in enumerate(values):
        is_number = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (first, value))
        more = f" ({(value / first - 1) * 100:+.1f} %)" if is_result and place and is_number and first else ""
        yield shorten(value) + more
