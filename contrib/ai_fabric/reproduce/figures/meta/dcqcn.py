# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""DCQCN in racks at 200 and 400 Gb/s by ECN thresholds: completion times, pauses and CNPs of collectives"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.papers.meta import FACTORS, LOSSLESS, control, draw_groups, fabric, in_units, pauses

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.meta import MetaStudy
    from ai_fabric.sweep.grid import Case

RATES = {"200 Gb/s": 200, "400 Gb/s": 400}
SETTINGS = ["off", *FACTORS]
NOTABLE = 1  # percent
VALUES = {"time_us": "time_us", "pauses": lambda runs: pauses(runs).sum(axis=1),
          "cnps": lambda runs: runs.cnps.fillna(0) if "cnps" in runs else 0, "drops": "drops"}


def make_cases(study: MetaStudy) -> list[Case]:
    racks, nics = study.pick(full=(4, 8), quick=(4, 2))
    size = study.pick(full="16MiB", quick="4MiB")
    traffic = {
        "all-to-all": {"workload": "all-to-all", "algorithm": "direct", "size": "512KiB"},
        "all-reduce": {"workload": "all-reduce", "algorithm": "halving-doubling", "size": size, "channels": 2},
        "incast": {"workload": "incast", "senders": racks * nics // 2, "size": "4MiB"},
    }
    common = {**fabric(racks, nics, nics), **LOSSLESS, "buffer": "3500kB", "balancer": "e-ecmp"}
    options = lambda case: {**common, **traffic[case.traffic], "rate": f"{RATES[case.rate]}Gb/s",
                            **control(case.control, RATES[case.rate])}
    return study.sweep(options, rate=list(RATES), traffic=list(traffic), control=SETTINGS)


def judge(study: MetaStudy, table: pandas.DataFrame) -> None:
    for (rate, traffic), rows in table.groupby(["rate", "traffic"], sort=False):
        times, stopped = rows.set_index("control").time_us, rows.set_index("control").pauses[[*FACTORS, "off"]]
        study.claim(f"E4: {rate}, {traffic}: fastest of off, default, doubled, relaxed", "off",
                    f"{times.idxmin()} (" + ", ".join(f"{value:.4g}" for value in times) + " us)",
                    times["off"] <= times.min() * (1 + NOTABLE / 100))
        study.claim(f"E4: {rate}, {traffic}: pauses with default, doubled, relaxed, off", "not descending",
                    ", ".join(f"{value:.4g}" for value in stopped), stopped.is_monotonic_increasing)
    times = table[table.rate == "200 Gb/s"].set_index(["traffic", "control"]).time_us
    gains = {f"{traffic} {name}": 100 * (times[traffic, "default"] / times[traffic, name] - 1)
             for traffic in dict.fromkeys(table.traffic) for name in ("doubled", "relaxed")}
    study.claim("R11: 200 Gb/s: gain of higher over default thresholds (%), 3 published", "1 to 6 in some cell",
                ", ".join(f"{cell} {gain:.3g}" for cell, gain in gains.items()),
                any(1 <= gain <= 6 for gain in gains.values()))


def reproduce(study: MetaStudy) -> None:
    table = study.tabulate(make_cases(study), ["rate", "traffic", "control"], VALUES)
    study.note("E4", "drops of all runs", "0", table.drops.max())
    judge(study, table)
    study.save(table, "-cases")
    study.save_rows()
    off = table.time_us.where(table.control == "off").groupby([table.rate, table.traffic]).transform("max")
    table = in_units(table, "time_us", "over", off)

    def panel(traffic: str, y: str, axis: str) -> Panel:
        rows = table[table.traffic == traffic]
        bars = (draw_groups, rows, "control", "rate", y, 8)
        return Panel(traffic, "", axis, bars, ("set_ylim", 0, 1.15 * max(rows[y].max(), 1)), "legend")

    over = "completion time over that without DCQCN"
    shown = [panel(traffic, "over", over) for traffic in dict.fromkeys(table.traffic)]
    shown += [panel(traffic, "cnps", "CNPs") for traffic in ("all-reduce", "incast")]
    shown.append(panel("incast", "pauses", "pauses"))
    study.draw(shown, "4 racks, PFC, 3.5 MB a port; thresholds in proportion to the rate", rows=2, width=4.4)
