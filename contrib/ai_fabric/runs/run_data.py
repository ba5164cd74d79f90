# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Reads what ai-fabric-run leaves in a folder; doc/outputs.rst explains the columns."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import numpy
import pandas

from ai_fabric.common.aliases import FilePath
from ai_fabric.common.program import ScriptError, near
from ai_fabric.common.units import unit_of
from ai_fabric.runs.run_json import NAME, of_a_run, read_summary
from ai_fabric.runs.run_table import read_chunks, read_table

HOST_LAYER = "host-up"
LAST_LAYERS = "edge-down", "leaf-down"


class Part(dict[str, Any]):
    """A part of run.json; what is not there is said in one line."""

    def __init__(self, path: Path, parent: Mapping[str, Any], name: str) -> None:
        super().__init__(parent[name])
        self.path = path
        self.name = name

    def __missing__(self, key: str) -> NoReturn:
        raise ScriptError(f"{self.path}: there is no {key} in {self.name}")


class Run:
    """The results of one run."""

    def __init__(self, folder: FilePath, label: str | None = None) -> None:
        self.folder = Path(folder)
        with of_a_run(folder):
            path = self.folder / NAME
            self.summary = read_summary(folder)
            self.scenario, self.results = (Part(path, self.summary, name) for name in ("scenario", "results"))
            self.label: str = label or self.scenario["balancer"]
            self.check_numbers(path)

    def check_numbers(self, path: Path) -> None:
        """Refuses results that are text instead of numbers."""
        for part, names in ((self.scenario, ["hosts", "size"]), (self.results, ["bound_ns", "messages"])):
            for name in names:
                if not isinstance(part[name], (int, float, type(None))):
                    raise ScriptError(f"{path}: {name}={part[name]} in {part.name} is not a number")

    def check_layers(self, table: pandas.DataFrame, name: str) -> None:
        """Refuses rows of layers that the run does not have."""
        for layer in table.layer.unique() if self.results["layers"] is not None else ():
            if layer not in self.results["layers"]:
                raise ScriptError(f"{self.path(name)}: layer {layer} is none of those in run.json")

    def path(self, name: str) -> Path:
        """The file of a table."""
        return self.folder / f"{name}.csv"

    def file(self, name: str) -> Path:
        """The file of a table that is there."""
        if not self.has(name):
            there = ", ".join(self.tables) or "none"
            raise ScriptError(f"{self.path(name)}: no such table{near(name, self.tables)}; there are {there}")
        return self.path(name)

    def has(self, name: str) -> bool:
        """Whether the run has left a table."""
        return self.path(name).exists()

    @property
    def tables(self) -> list[str]:
        """The names of the tables that the run has left."""
        return sorted(path.stem for path in self.folder.glob("*.csv"))

    def table(self, name: str, *needed: str) -> pandas.DataFrame:
        """A table of the run, for example "flows", with the columns that are needed, and all others. Its
        attrs["units"] has the unit of each column that has one."""
        table = read_table(self.file(name), needed)
        if "layer" in table:
            self.check_layers(table, name)
        table.attrs["units"] = {column: unit for column in table if (unit := unit_of(column))}
        return table

    def to_parquet(self, folder: FilePath) -> None:
        """Writes all tables into a folder as TABLE.parquet, which needs the Python module pyarrow."""
        if not find_spec("pyarrow"):
            raise ScriptError("Parquet needs the Python module pyarrow, which is not installed")
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name in self.tables:
            self.table(name).to_parquet(Path(folder) / f"{name}.parquet")

    def chunks(
        self, name: str, needed: Sequence[str], others: Sequence[str] = (), rows: int = 1_000_000
    ) -> Iterator[pandas.DataFrame]:
        """A large table of the run in pieces: the columns that are needed, and the others if it has
        them."""
        return read_chunks(self.file(name), needed, others, rows)

    @cached_property
    def collectives(self) -> pandas.DataFrame:
        """The collectives of the run by their numbers; an empty table if it had none."""
        if not self.has("collectives"):
            return pandas.DataFrame()
        columns = "collective name start_ns end_ns bound_ns".split()
        return self.table("collectives", *columns).set_index("collective")

    @property
    def caption(self) -> str:
        """One line that says what was run."""
        return f"{describe(self.scenario)}, {self.label}, run {self.summary['run']}"

    @cached_property
    def first_start_ns(self) -> float:
        """From when completion times and bounds count: the start of the first message, or 0 in a
        run of collectives and in one without messages."""
        if "collectives" in self.results:
            return 0
        starts = [piece.start_ns.min() for piece in self.chunks("flows", ["start_ns"])]
        return min((start for start in starts if start == start), default=0)

    @property
    def is_fluid(self) -> bool:
        """Whether messages were rates instead of packets."""
        return self.scenario.get("fidelity") == "fluid"

    @cached_property
    def layers(self) -> list[str]:
        """The layers in the order of a frame's way: up, and down again. The fluid model has no results of them, only links."""
        if self.results["layers"] is not None:
            return list(self.results["layers"])
        names = list(self.table("links", "layer").layer.unique())
        return [name for name in names if name.endswith("-up")] + [name for name in names[::-1] if not name.endswith("-up")]

    def switch_layers(self) -> list[str]:
        """The layers of switches, in the order of a frame's way."""
        return [name for name in self.layers if name != HOST_LAYER]

    def place_of(self, layer: str) -> int:
        """The number of a layer on a frame's way, which chooses its color, be the layer of the hosts drawn or not."""
        return self.layers.index(layer)

    def choice_layers(self) -> list[str]:
        """The layers whose load depends on how traffic is spread."""
        return [name for name in self.switch_layers() if name not in LAST_LAYERS]

    def queue_over_time(self) -> pandas.DataFrame:
        """Mean and largest queue of all switch ports, by time in us."""
        samples = self.table("queues", "time_ns", "layer", "mean_queue_packets", "max_queue_packets")
        samples = samples[samples.layer != HOST_LAYER]
        ports = samples.layer.map({k: v["ports"] for k, v in self.results["layers"].items()})
        samples = samples.assign(
            time_us=samples.time_ns / 1e3, ports=ports, packets=samples.mean_queue_packets * ports
        )
        by_time = samples.groupby("time_us")
        return pandas.DataFrame(
            {
                "mean": by_time.packets.sum() / by_time.ports.sum(),
                "max": by_time.max_queue_packets.max(),
            }
        )

    def link_load(self, layer: str) -> numpy.ndarray:
        """Bytes of each link of a layer, as a multiple of what a NIC has to send, largest first."""
        links = self.table("links", "layer", "bytes_sent")
        load = links[links.layer == layer].bytes_sent / self.results["nic_bytes"]
        return load.sort_values(ascending=False).values


def first_of(begin: float, end: float) -> float:
    """Where an axis of time begins: at 0, unless less than half of the axis would have data."""
    return begin if begin >= end / 2 else 0


def describe(scenario: Mapping[str, Any]) -> str:
    """One line on a scenario."""
    size = scenario["size"]
    traffic = scenario["workload"] + (f", {size / 2**20:g} MiB a message" if size else "")
    planes = scenario.get("planes") or 1
    rate = scenario["rate"] if planes == 1 else f"{planes} planes of {scenario['rate']}"
    return f"{scenario['hosts']} hosts, {scenario['topology']}, {rate}, {traffic}"
