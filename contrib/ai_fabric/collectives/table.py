# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What nccl-tests print of a collective, from the results of a run."""

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from ai_fabric.common.aliases import Values

Measured = tuple[str, int, int, str, float, float]  # kind, size, ranks, algorithm, time in ns, bus factor
ELEMENT = 4  # bytes of a float
NS_PER_US = 1e3
BITS = 8

# The kinds: whether the root counts, the operation, and whether the size is that of N parts.
KINDS = {
    "all-reduce": (False, "sum", False),
    "all-gather": (False, "none", True),
    "reduce-scatter": (False, "sum", True),
    "broadcast": (True, "none", False),
    "all-to-all": (False, "none", True),
    "send-receive": (True, "none", False),
    "reduce": (True, "sum", False),
    "gather": (True, "none", True),
    "scatter": (True, "none", True),
    "sendrecv": (False, "sum", False),  # nccl-tests say so, though nothing is added
}

COLUMNS = [
    "size_bytes",
    "count",
    "type",
    "redop",
    "root",
    "ranks",
    "algorithm",
    "time_us",
    "algbw_gbytes_per_s",
    "busbw_gbytes_per_s",
    "busbw_gbit_per_s",
]

HEADER = """\
#                                                              out-of-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     busbw
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)           (Gb/s)"""

EXPLAINED = """\
# size: bytes, as nccl-tests count them; count: floats of 4 bytes, of one part where the size is that
# of a part for each rank. time: simulated, a collective, of all ranks. algbw = size / time;
# busbw = algbw x the bus factor (doc/collectives.rst), to be compared with the rate of a NIC.
# GB/s: 10^9 bytes a second. Data are not computed, so that none can be wrong (N/A)."""


def time_of(rows: Iterable[Mapping[str, str]]) -> float:
    """The time of one collective in ns: of each communicator, what all of its repetitions take from
    the first start to the last end, divided by how many they are; and the mean of that."""
    spans: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        spans.setdefault(row["name"], []).append((float(row["start_ns"]), float(row["end_ns"])))
    times = []
    for span in spans.values():
        starts, ends = zip(*span)
        times.append((max(ends) - min(starts)) / len(span))
    return sum(times) / len(times)


def read_messages(path: Path) -> Measured:
    """Kind, size, ranks, algorithm, time in ns and bus factor of a collective over messages."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    first = rows[0]
    size = int(first["bytes"])
    # bytes a ns are GB/s; the factor is that of the run
    factor = float(first["bus_bandwidth_gbps"]) * float(first["duration_ns"]) / BITS / size
    return first["kind"], size, int(first["ranks"]), first["algorithm"], time_of(rows), factor


def read_aggregation(path: Path) -> Measured:
    """The same of an all-reduce in the network: each job does one, and the time is the mean of theirs."""
    run = json.loads(path.read_text(encoding="utf-8"))
    scenario, found = run["scenario"], run["results"]["aggregation"]
    size, ranks = scenario["size"], found["jobs"][0]["workers"]
    factor = 2 * (ranks - 1) / ranks
    return scenario["workload"], size, ranks, scenario["algorithm"], found["jct_ns"], factor


def read_row(folder: Path, root: int) -> Values:
    """What is to be printed of a run, by column."""
    messages = folder / "collectives.csv"  # none of an all-reduce in the network
    found = read_messages(messages) if messages.exists() else read_aggregation(folder / "run.json")
    kind, size, ranks, algorithm, time, factor = found
    has_root, operation, has_parts = KINDS[kind]
    algorithm_bandwidth = size / time
    values = [
        size,
        size // ELEMENT // (ranks if has_parts else 1),
        "float",
        operation,
        root if has_root else -1,
        ranks,
        algorithm,
        time / NS_PER_US,
        algorithm_bandwidth,
        algorithm_bandwidth * factor,
        algorithm_bandwidth * factor * BITS,
    ]
    return dict(zip(COLUMNS, values))


def short(value: float) -> str:
    """A number in few characters, as nccl-tests have it: 3.14, 31.42, 314.2, 31416."""
    decimals = 2 if value < 100 else 1 if value < 10000 else 0
    return f"{value:.{decimals}f}"


def line(row: Values) -> str:
    """A row as text, beneath HEADER."""
    return (
        f"{row['size_bytes']:>12}  {row['count']:>12}  {row['type']:>8}  {row['redop']:>6}  "
        f"{row['root']:>6} {short(row['time_us']):>8} {short(row['algbw_gbytes_per_s']):>7} "
        f"{short(row['busbw_gbytes_per_s']):>7}    N/A {short(row['busbw_gbit_per_s']):>9}"
    )
