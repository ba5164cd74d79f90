# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""ESA, ATP and SwitchML: completion times of eight jobs over the slots of the switch, beside an event model"""

import pandas

from charts import finish, legend, panels
from grid import Case
from papers.esa import HOSTS, JOBS, LOOKS, SYSTEMS, WINDOWS, WORKERS, one_switch, reach_of, results_of

# The event model: mean completion times of the jobs in us, by slots.
EXPECTED = {
    100: [2872, 1043, 808, 647, 635, 678],
    400: [1012, 884, 727, 634, 627, 702],
    800: [720, 798, 693, 630, 624, 697],
    1600: [610, 723, 661, 626, 623, 683],
    3200: [610, 686, 651, 625, 624, 676],
    20000: [610, 631, 631, 634, 632, 662],
}


def reproduce(study):
    slots = study.pick(full=list(EXPECTED), quick=[400, 20000])
    common = {**one_switch(HOSTS), "workload": "all-reduce", "jobs": study.mixed_jobs()}
    cases = [
        Case({"system": system, "slots": count}, {**common, "slots": count, **reach_of(system), **options})
        for system, options in SYSTEMS.items()
        for count in slots
    ]
    table = summarize(study.run(cases))
    study.save(table)
    draw(study, table)
    judge(study, table)


def summarize(runs):
    """A row a system and number of slots: means over the runs."""
    rows = []
    for (system, slots), group in runs.groupby(["system", "slots"], sort=False):
        found = pandas.DataFrame([results_of(run) for run in group.itertuples() if run.completed])
        rows.append(
            {
                "system": system,
                "slots": slots,
                "runs": len(found),
                "jct_us": found.jct_ns.mean() / 1000,
                "expected_us": EXPECTED[slots][list(SYSTEMS).index(system)],
                "hit_share": found.hit_share.mean(),
                "server_packets_per_fragment": found.server_packets_per_fragment.mean(),
                "preemptions": found.preemptions.mean(),
                "reminders": found.reminders.mean(),
                "retransmissions": found.retransmissions.mean(),
                "wrong_sums": found.wrong_sums.sum(),
            }
        )
    return pandas.DataFrame(rows)


def draw(study, table):
    figure, grid = panels(1, 2, width=4.6, height=3.6)
    for system, rows in table.groupby("system", sort=False):
        color, marker = LOOKS[system]
        look = {"color": color, "marker": marker, "markersize": 5}
        grid[0].plot(rows.slots, rows.jct_us, label=system, linewidth=1, **look)
        grid[0].plot(rows.slots, rows.expected_us, color=color, linewidth=1, linestyle=":")
        grid[1].plot(rows.slots, rows.hit_share, linewidth=1, label=system, **look)
    counts = sorted(set(table.slots))
    for axes in grid:
        axes.set_xscale("log")
        axes.set_xticks(counts, [f"{count:g}" for count in counts])
        axes.minorticks_off()
        axes.axvline(WINDOWS, color="black", linewidth=0.5)
        axes.set_xlabel("slots of the switch (line: all windows together)")
    grid[0].set_yscale("log")
    grid[0].set_yticks([600, 800, 1000, 2000, 3000], ["600", "800", "1000", "2000", "3000"])
    grid[0].minorticks_off()
    grid[0].set_ylabel("mean completion time (us)\ndotted: event model")
    grid[1].set_ylabel("share of packets that find their slot")
    legend(grid[1])
    finish(figure, study, f"{JOBS} jobs of {WORKERS} workers and a parameter server each, one switch, 100 Gb/s")


def judge(study, table):
    times = table.pivot(index="slots", columns="system", values="jct_us")
    expected = table.pivot(index="slots", columns="system", values="expected_us")
    for slots in times.index:
        ratio = times.atp[slots] / times.esa[slots]
        study.claim_near(f"{slots} slots: ATP over ESA", round(expected.atp[slots] / expected.esa[slots], 3), ratio, 15)
    for slots in [slots for slots in times.index if slots < WINDOWS]:
        row = times.loc[slots]
        study.claim(
            f"{slots} slots: ESA before ATP that frees slots early before ATP",
            "esa < atp-free < atp",
            f"{row.esa:.0f} < {row['atp-free']:.0f} < {row.atp:.0f} us",
            row.esa < row["atp-free"] < row.atp,
        )
    scarce, ample = times.loc[times.index.min()], times.loc[times.index.max()]
    study.claim(f"{times.index.min()} slots: SwitchML is the slowest", "switchml", scarce.idxmax(),
                scarce.idxmax() == "switchml")
    study.claim(f"{times.index.max()} slots: SwitchML is the fastest", "switchml", ample.idxmin(),
                ample.idxmin() == "switchml")
    for system in ("switchml", "atp"):
        study.claim_ratio(f"{system}: times as the event model", times[system] / expected[system])
    study.claim("all sums are right", "0 wrong", f"{table.wrong_sums.sum()} wrong", table.wrong_sums.sum() == 0)
