# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""DCQCN in racks at 200 and 400 Gb/s by ECN thresholds: completion times, pauses and CNPs of collectives"""

from charts import finish, panels
from grid import Case
from papers.meta import FACTORS, LOSSLESS, control, fabric, pauses
from style import color

RATES = {"200 Gb/s": 200, "400 Gb/s": 400}
NOTABLE = 1  # percent


def make_cases(study):
    racks, nics = study.pick(full=(4, 8), quick=(4, 2))
    hosts = racks * nics
    size = study.pick(full="16MiB", quick="4MiB")
    traffic = {
        "all-to-all": {"workload": "all-to-all", "algorithm": "direct", "size": "512KiB"},
        "all-reduce": {"workload": "all-reduce", "algorithm": "halving-doubling", "size": size, "channels": 2},
        "incast": {"workload": "incast", "senders": hosts // 2, "size": "4MiB"},
    }
    return [
        Case(
            {"rate": name, "traffic": kind, "control": setting},
            {**fabric(racks, nics, nics), **LOSSLESS, "buffer": "3500kB", "rate": f"{rate}Gb/s", "balancer": "e-ecmp",
             **options, **control(setting, rate)},
        )  # fmt: skip
        for name, rate in RATES.items()
        for kind, options in traffic.items()
        for setting in ("off", *FACTORS)
    ]


def judge(study, table):
    times = table.set_index(["rate", "traffic", "control"]).sort_index()
    for (rate, traffic), rows in table.groupby(["rate", "traffic"], sort=False):
        row = rows.set_index("control")
        best = row.time_us.idxmin()
        study.claim(f"E4: {rate}, {traffic}: fastest of off, default, doubled, relaxed", "off",
                    f"{best} (" + ", ".join(f"{value:.4g}" for value in row.time_us) + " us)",
                    row.time_us["off"] <= row.time_us.min() * (1 + NOTABLE / 100))  # fmt: skip
        stopped = row.pauses
        study.claim(f"E4: {rate}, {traffic}: pauses with default, doubled, relaxed, off", "not descending",
                    ", ".join(f"{stopped[name]:.4g}" for name in (*FACTORS, "off")),
                    stopped["default"] <= stopped["doubled"] <= stopped["relaxed"] <= stopped["off"])  # fmt: skip
    gains = {}
    for traffic in dict.fromkeys(table.traffic):
        time = times.time_us["200 Gb/s", traffic]
        for name in ("doubled", "relaxed"):
            gains[f"{traffic} {name}"] = 100 * (time["default"] / time[name] - 1)
    near = [cell for cell, gain in gains.items() if 1 <= gain <= 6]
    study.claim("R11: 200 Gb/s: gain of higher over default thresholds (%), 3 published", "1 to 6 in some cell",
                ", ".join(f"{cell} {gain:.3g}" for cell, gain in gains.items()), bool(near))  # fmt: skip


def draw(study, table):
    figure, axes = panels(2, 3, width=4.4)
    settings = ["off", *FACTORS]
    table = table.assign(over=table.time_us)
    for _, rows in table.groupby(["rate", "traffic"]):
        table.loc[rows.index, "over"] = rows.time_us / rows.time_us[rows.control == "off"].iloc[0]
    plots = [(traffic, "over", "completion time over that without DCQCN") for traffic in dict.fromkeys(table.traffic)]
    plots += [("all-reduce", "cnps", "CNPs"), ("incast", "cnps", "CNPs"), ("incast", "pauses", "pauses")]
    for panel, (traffic, column, axis) in zip(axes, plots):
        rows = table[table.traffic == traffic]
        for index, (rate, line) in enumerate(rows.groupby("rate", sort=False)):
            places = [at + (index - 0.5) * 0.38 for at in range(len(settings))]
            panel.bar(places, line.set_index("control").reindex(settings)[column], 0.38, color=color(index), label=rate)
        panel.set_title(traffic, fontsize=9)
        panel.set_ylabel(axis)
        panel.set_ylim(0, 1.15 * max(rows[column].max(), 1))
        panel.set_xticks(range(len(settings)), settings, fontsize=8)
        panel.legend(fontsize=6, loc="upper left" if column == "cnps" else "upper right")
    finish(figure, study, "4 racks, PFC, 3.5 MB a port; thresholds in proportion to the rate")


def reproduce(study):
    runs = study.run(make_cases(study), study.pick(full=None, quick=1))
    runs["time_us"] = runs.cct_ns / 1000
    runs["pauses"] = [sum(pauses(folder).values()) for folder in runs.folder]
    runs["cnps"] = runs.cnps.fillna(0) if "cnps" in runs else 0
    table = study.means(runs, ["rate", "traffic", "control"], ["time_us", "pauses", "cnps", "drops"])
    study.note("E4", "drops of all runs", "0", table.drops.max(), table.drops.max() == 0)
    judge(study, table)
    study.save(table, "-cases")
    study.save_rows()
    draw(study, table)
