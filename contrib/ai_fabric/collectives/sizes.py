# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A sweep over the sizes of a collective: its table, CSV file and plot."""

import csv
import json
import math
from collections.abc import Sequence
from pathlib import Path

from ai_fabric.common.aliases import FilePath, Values
from ai_fabric.common.quantity import parse
from ai_fabric.sweep.grid import Case, SweptRun
from ai_fabric.sweep.runner import why_stalled
from ai_fabric.common.safe_file import read_text, written_whole
from ai_fabric.sweep.sweep import Sweep, called
from ai_fabric.collectives.table import COLUMNS, EXPLAINED, HEADER, line, read_row

UNITS = ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)
MOST_TICKS = 12
BITS = 1e9


def size_name(size: float) -> str:
    """A number of bytes as it is read: 64 MiB."""
    for unit, factor in UNITS:
        if size >= factor:
            return f"{size / factor:.4g} {unit}"
    return f"{size:g} B"


class SizeSweep(Sweep):
    """A collective at many sizes, one run each."""

    def __init__(self, program: FilePath, out: Path, cases: Sequence[Case], jobs: int | None) -> None:
        super().__init__(program, out, cases, [1], jobs)
        self.problems: dict[str, str] = {}

    def read(self) -> list[Values]:
        """The rows of the runs that have results, in the order of the sizes."""
        rows = []
        for run in self.runs:
            failed = self.errors.get(run.folder)
            why = failed.reason if failed else None
            if not why and not (run.folder / "run.json").exists():
                why = why_stalled(run.folder)
            if why:
                self.problems[str(run.labels["size"])] = why
                continue
            rows.append(read_row(run.folder, self.scenario(run).get("root", -1)))
        return rows

    def caption(self) -> str:
        """What all runs have in common."""
        options = self.cases[0].options
        return called({name: value for name, value in options.items() if name != "size"})

    @staticmethod
    def scenario(run: SweptRun) -> Values:
        """The options of a run."""
        return json.loads(read_text(run.folder / "run.json"))["scenario"]

    def report(self) -> None:
        """Prints the table, and writes it and the plot."""
        rows = self.read()
        self.print_rows(rows)
        path = self.out / "collectives.csv"
        with written_whole(path, newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
        files = [path.name]
        if rows:
            files.append(self.draw(rows).name)
        for size, why in self.problems.items():
            print(f"\nsize {size}: {why}")
        print(f"\nResults in {self.out}: {', '.join([*files, 'runs'])}")

    def print_rows(self, rows: Sequence[Values]) -> None:
        """Prints the table as nccl-tests do."""
        print(f"# {self.caption()}")
        if rows:
            print(f"# {rows[0]['ranks']} ranks, {rows[0]['algorithm']}")
        print(f"{EXPLAINED}\n#\n{HEADER}")
        for row in rows:
            print(line(row))
        if rows:
            mean = sum(row["busbw_gbytes_per_s"] for row in rows) / len(rows)
            print(f"# Avg bus bandwidth    : {mean:.4f} GB/s ({mean * 8:.1f} Gb/s)")

    def draw(self, rows: Sequence[Values]) -> Path:
        """Draws the bus bandwidth over the size, beside the rate of a NIC."""
        import pandas  # which takes a second, with matplotlib
        from ai_fabric.plot.charts import draw_law, draw_line, legend, panels, powers_of_two
        from ai_fabric.plot.style import color, save

        table = pandas.DataFrame(rows)
        done = next(run for run in self.runs if run.labels["size"] not in self.problems)
        scenario = self.scenario(done)
        of_plane, _ = parse(scenario["rate"]) or (math.nan, "")
        rate = float(of_plane) * scenario["planes"] / BITS
        figure, [axes] = panels(width=5.4, height=3.8)
        name = f"{scenario['workload']}, {rows[0]['algorithm']}"
        draw_line(axes, table, "size_bytes", "busbw_gbit_per_s", color(0), "o", name)
        sizes = sorted(set(table.size_bytes))
        draw_law(axes, [sizes[0], sizes[-1]], [rate, rate], f"NIC, {rate:g} Gb/s")
        powers_of_two(axes, sizes[:: 1 + (len(sizes) - 1) // MOST_TICKS], size_name)
        axes.tick_params(axis="x", rotation=45)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("size")
        axes.set_ylabel("bus bandwidth (Gb/s)")
        axes.set_title(f"{name}, {rows[0]['ranks']} ranks")
        legend(axes)
        return save(figure, self.out / "busbw.png", self.caption(), vector=True)
