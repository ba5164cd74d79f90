# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""ESA, ATP and SwitchML: completion times of eight jobs over the slots of the switch, beside an event model"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import leaf_spine
from ai_fabric.reproduce.papers.esa import HOSTS, JOBS, SYSTEMS, WINDOWS, WORKERS, draw_systems, slots_of, summarize

if TYPE_CHECKING:
    import pandas

    from ai_fabric.reproduce.papers.esa import EsaStudy

# The event model: mean completion times of the jobs in us, by slots.
EXPECTED = {
    100: [2872, 1043, 808, 647, 635, 678],
    400: [1012, 884, 727, 634, 627, 702],
    800: [720, 798, 693, 630, 624, 697],
    1600: [610, 723, 661, 626, 623, 683],
    3200: [610, 686, 651, 625, 624, 676],
    20000: [610, 631, 631, 634, 632, 662],
}
TIMES = [600, 800, 1000, 2000, 3000]  # us, of the axis
COLUMNS = ["hit_share", "server_packets_per_fragment", "preemptions", "reminders", "retransmissions"]


def reproduce(study: EsaStudy) -> None:
    options = {**leaf_spine(1, 1, HOSTS), "jobs": study.mixed_jobs()}
    slots = study.pick(full=list(EXPECTED), quick=[400, 20000])
    table = with_expected(study.run(study.sweep(options, system=SYSTEMS, slots=slots_of(slots))))
    study.save(table)
    axis, counts = "slots of the switch (line: all windows together)", sorted(set(table.slots))
    lines = draw_systems, table, "slots"
    ticks: list[Any] = [("set_xscale", "log"), ("set_xticks", counts, counts), "minorticks_off",
                        ("axvline", WINDOWS, {"color": "black", "linewidth": 0.5})]
    shown = [
        Panel("", axis, "mean completion time (us)\ndotted: event model",
              (*lines, "jct_us"), (*lines, "expected_us", ":"), *ticks,
              ("set_yscale", "log"), ("set_yticks", TIMES, TIMES), "minorticks_off"),
        Panel("", axis, "share of packets that find their slot", (*lines, "hit_share"), *ticks),
    ]
    study.draw(shown, f"{JOBS} jobs of {WORKERS} workers and a parameter server each, one switch, 100 Gb/s")
    judge(study, table)


def with_expected(runs: pandas.DataFrame) -> pandas.DataFrame:
    """A row a system and number of slots: means over the runs, beside the event model."""
    table = summarize(runs, ["system", "slots"], COLUMNS)
    expected = [EXPECTED[row.slots][list(SYSTEMS).index(row.system)] for row in table.itertuples()]
    table.insert(4, "expected_us", expected)
    return table


def judge(study: EsaStudy, table: pandas.DataFrame) -> None:
    times, expected = (table.pivot(index="slots", columns="system", values=name) for name in ("jct_us", "expected_us"))
    for slots in times.index:
        ratio = times.atp[slots] / times.esa[slots]
        study.claim_near(f"{slots} slots: ATP over ESA", round(expected.atp[slots] / expected.esa[slots], 3), ratio, 15)
    for slots in [slots for slots in times.index if slots < WINDOWS]:
        esa, early, atp = times.loc[slots, ["esa", "atp-free", "atp"]]
        claim = f"{slots} slots: ESA before ATP that frees slots early before ATP"
        study.claim(claim, "esa < atp-free < atp", f"{esa:.0f} < {early:.0f} < {atp:.0f} us", esa < early < atp)
    least, most = times.index.min(), times.index.max()
    study.claim_best(f"{least} slots: SwitchML is the slowest", "switchml", -times.loc[least])
    study.claim_best(f"{most} slots: SwitchML is the fastest", "switchml", times.loc[most])
    for system in ("switchml", "atp"):
        study.claim_ratio(f"{system}: times as the event model", times[system] / expected[system])
    study.claim_sums(table)
