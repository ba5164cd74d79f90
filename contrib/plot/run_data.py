# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Reads what ai-fabric-run leaves in a folder; doc/outputs.rst explains the columns."""

import json
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import pandas

from safe_file import check_regular, read_text

HOST_LAYER = "host-up"
LAST_LAYERS = "edge-down", "leaf-down"


class Run:
    """The results of one run."""

    def __init__(self, folder, label=None):
        self.folder = Path(folder)
        try:
            self.summary = json.loads(read_text(self.folder / "run.json"))
            self.label = label or self.scenario["balancer"]
        except OSError as error:
            raise SystemExit(f"{folder}: no results of a run there ({error.strerror})") from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise SystemExit(f"{folder}: run.json is not what a run leaves") from None

    @property
    def scenario(self):
        return self.summary["scenario"]

    @property
    def results(self):
        return self.summary["results"]

    def table(self, name):
        """A table of the run, for example "flows"."""
        with self.reading(name) as path:
            return pandas.read_csv(path)

    def chunks(self, name, needed, others=(), rows=1_000_000):
        """A large table of the run in pieces: the columns that are needed, and the others if it has
        them."""
        with self.reading(name) as path:
            header = list(pandas.read_csv(path, nrows=0))
            for column in needed:
                if column not in header:
                    raise ValueError(f"there is no column {column}")
            columns = [column for column in header if column in {*needed, *others}]
            with pandas.read_csv(path, usecols=columns, chunksize=rows) as pieces:
                yield from pieces

    @contextmanager
    def reading(self, name):
        """The path of a table; what is wrong with it is said in one line."""
        path = self.folder / f"{name}.csv"
        try:
            check_regular(path)
            yield path
        except OSError as error:
            raise SystemExit(f"{path}: {error.strerror}") from None
        except ValueError as error:
            raise SystemExit(f"{path}: {str(error).splitlines()[0]}") from None

    @cached_property
    def collectives(self):
        """The collectives of the run by their numbers; an empty table if it had none."""
        if not (self.folder / "collectives.csv").exists():
            return pandas.DataFrame()
        return self.table("collectives").set_index("collective")

    @property
    def caption(self):
        """One line that says what was run."""
        return f"{describe(self.scenario)}, {self.label}, run {self.summary['run']}"

    @cached_property
    def first_start_ns(self):
        """From when completion times and bounds count: the start of the first message, or 0 in a
        run of collectives and in one without messages."""
        if "collectives" in self.results:
            return 0
        starts = [piece.start_ns.min() for piece in self.chunks("flows", ["start_ns"])]
        return min((start for start in starts if start == start), default=0)

    def switch_layers(self):
        """The layers of switches, in the order of a frame's way."""
        return [name for name in self.results["layers"] if name != HOST_LAYER]

    def choice_layers(self):
        """The layers whose load depends on how traffic is spread."""
        return [name for name in self.switch_layers() if name not in LAST_LAYERS]

    def queue_over_time(self):
        """Mean and largest queue of all switch ports, by time in us."""
        samples = self.table("queues")
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

    def link_load(self, layer):
        """Bytes of each link of a layer, as a multiple of what a NIC has to send, largest first."""
        links = self.table("links")
        load = links[links.layer == layer].bytes_sent / self.results["nic_bytes"]
        return load.sort_values(ascending=False).values


def first_of(begin, end):
    """Where an axis of time begins: at 0, unless less than half of the axis would have data."""
    return begin if begin >= end / 2 else 0


def describe(scenario):
    """One line on a scenario."""
    size = scenario["size"]
    traffic = scenario["workload"] + (f", {size / 2**20:g} MiB a message" if size else "")
    return f"{scenario['hosts']} hosts, {scenario['topology']}, {scenario['rate']}, {traffic}"
