# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The routing generations: collectives by placement, queue pairs, dead switches, uplinks and flowlet gaps"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_fabric.plot.charts import decades
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.papers.meta import (
    LOSSLESS,
    dead,
    draw_groups,
    draw_lines,
    fabric,
    in_units,
    policy,
    queue_pairs,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas

    from ai_fabric.common.aliases import Values
    from ai_fabric.reproduce.papers.meta import MetaStudy
    from ai_fabric.sweep.grid import Case

QUEUE_PAIRS = [1, 4, 8, 16, 32]
GENERATIONS = ["ecmp", "path-pinning", "e-ecmp 4", "e-ecmp 32", "te"]
PLACEMENTS = {"all-reduce": ["packed", "fragmented"]}  # of all other kinds: packed
KINDS = ["all-reduce", "all-gather", "reduce-scatter", "all-to-all"]
GAPS = [0, 0.5, 2, 8, 32, 128, 512]  # us
USED = 80  # percent; published utilization of the fabric
POINTS = 10  # percent points between a utilization and the published one
COLUMNS = {"time_us": "time_us", "used": "uplink_utilization.mean", "most_used": "uplink_utilization.most",
           "max_reordering_packets": "max_reordering_packets", "retransmissions": "retransmissions"}


def racks_of(study: MetaStudy) -> tuple[int, int]:
    """Racks, and NICs of each: two nodes."""
    return study.pick(full=(12, 16), quick=(6, 8), usual=(6, 16))


def rings_of(placement: str, racks: int, nics: int) -> list[list[int]]:
    """Rings of NICs. Packed: NIC i of each rack sends to NIC i of the next one. Fragmented: rings of two jobs over the
    nodes A and B of racks. The jobs share a third of the racks: job 0 has A, job 1 has B. In turn with them, a job
    visits racks of which it has A alone. So A and B of a shared rack send to NICs with the same numbers."""
    if placement == "packed":
        return [[rack * nics + nic for rack in range(racks)] for nic in range(nics)]
    half = nics // 2
    return [
        [host for visit in range(racks // 3)
         for host in (3 * visit * nics + job * half + nic, (3 * visit + 1 + job) * nics + nic)]
        for job in range(2)
        for nic in range(half)
    ]


def base(study: MetaStudy, uplinks: int, kind: str = "all-reduce", placement: str = "packed") -> Values:
    """Rings of NICs with the same number, each a collective: what two-level collectives do between nodes."""
    racks, nics = racks_of(study)
    groups = rings_of(placement, racks, nics)
    size = study.pick(full=4, quick=1) << 20
    lines = [",".join(map(str, group)) for group in groups]
    return {**fabric(racks, uplinks, nics), **LOSSLESS, "workload": kind,
            "size": size // len(groups[0]) if kind == "all-to-all" else size,  # to each rank, or of a rank
            "communicators": study.write(f"groups-{placement}-{racks}x{nics}.csv", lines)}


def uplinks_of(study: MetaStudy) -> list[int]:
    """As many uplinks as NICs, and an eighth more."""
    nics = racks_of(study)[1]
    return [nics, nics + nics // 8]


def judge_generations(study: MetaStudy, table: pandas.DataFrame) -> None:
    """The ordering test, and what fragmented placement costs with pinned paths."""
    for (kind, uplinks), rows in table[table.placement == "packed"].groupby(["kind", "uplinks"], sort=False):
        times = rows.set_index("generation").time_us[["te", "e-ecmp 32", "e-ecmp 4", "ecmp"]]
        study.claim_ascending(f"E1: {kind}, U={uplinks}: TE < E-ECMP 32 < E-ECMP 4 < ECMP (us)", times.tolist())
    rows = table[table.kind == "all-reduce"].set_index(["generation", "placement", "uplinks"])
    for uplinks in uplinks_of(study):
        what = f"TE, all-reduce, U={uplinks}: mean utilization of uplinks (%)"
        study.note("R5", what, f"{USED} +- {POINTS}", 100 * rows.used["te", "packed", uplinks])
    uplinks = uplinks_of(study)[0]
    pinned, best = (rows.time_us.xs((name, uplinks), level=[0, 2]) for name in ("path-pinning", "te"))
    # TE takes its time in shorter rings as well.
    ratio = pinned["fragmented"] / pinned["packed"] / (best["fragmented"] / best["packed"])
    what = f"path pinning, all-reduce, U={uplinks}: bandwidth lost when fragmented (%)"
    study.note("R2", what, "above 30", 100 * (1 - 1 / ratio))
    what = f"path pinning, all-reduce, packed, U={uplinks}: time over TE"
    study.note("2.2", what, "1 +- 2 %", pinned["packed"] / best["packed"])


def judge_queue_pairs(study: MetaStudy, table: pandas.DataFrame) -> pandas.DataFrame:
    """R1: the gain over ECMP with the same queue pairs; the cells near the published 40 % are named."""
    times = table.set_index(["balancer", "steering", "queue_pairs"]).time_us
    gains = 100 * (times["one-port"] / times["e-ecmp"] - 1)
    near = [f"{steering} Q={count}" for (steering, count), gain in gains.items() if 35 <= gain <= 45]
    best = gains.idxmax()
    what = f"gain of E-ECMP over ECMP in all-reduce, most: {best[0]} Q={best[1]} (%)"
    study.note("R1", what, "40 or more", gains.max())
    study.claim("R1: cells with a gain of 35 to 45 %", "at least one", ", ".join(near) or "none", bool(near))
    return gains.rename("gain_percent").reset_index()


def judge_failures(study: MetaStudy, table: pandas.DataFrame) -> None:
    times = table.set_index(["generation", "dead"]).time_us
    spare = uplinks_of(study)[1] - uplinks_of(study)[0]
    lost = 100 * (times["te", spare] / times["te", 0] - 1)
    study.note("R4", f"TE: time lost with {spare} dead switches (%)", "below 1", lost)
    over = times["te"] / times["e-ecmp 32"]
    measured = ", ".join(f"{spines} dead: {over[spines]:.3g} times" for spines in range(4))
    study.claim("R13: TE falls below E-ECMP 32 with many dead switches", f"with {spare + 1} dead, not before", measured,
                min(over.index[over > 1], default=None) == spare + 1)


def judge_gaps(study: MetaStudy, table: pandas.DataFrame) -> None:
    rows = table[table.recovery == "sack"]
    reordering, times = rows.max_reordering_packets.tolist(), rows.time_us.tolist()
    study.claim("E6: packets that overtake: some with gap 0, none with the longest", "none at the end",
                " ".join(f"{value:.3g}" for value in reordering), reordering[0] > 0 and reordering[-1] == 0)
    study.claim("E6: long gaps are slow with receivers that keep all", "the longest is slower than gap 0",
                " ".join(f"{value:.4g}" for value in times), times[-1] > times[0])


def draw(study: MetaStudy, tables: Mapping[str, pandas.DataFrame]) -> None:
    rings = tables["E1"][tables["E1"].kind == "all-reduce"]
    least = rings.time_us.where(rings.generation == "te").groupby([rings.placement, rings.uplinks]).transform("max")
    cells = [f"{row.placement}, {row.uplinks} uplinks" for row in rings.itertuples()]
    rings = in_units(rings, "time_us", "over", least).assign(cell=cells)
    pairs = tables["E2"].assign(line=tables["E2"].balancer + ", " + tables["E2"].steering)
    gaps, us = tables["E6"], "completion time in us"
    kept = gaps[gaps.recovery == "sack"]

    def lines(table: pandas.DataFrame, x: str, by: str, title: str, axis: str, scale: Any = ("set_ylim", 0)) -> Panel:
        return Panel(title, axis, us, (draw_lines, table, x, "time_us", by), scale, "legend")

    shown = [
        Panel("E1: all-reduce, over the time of TE", "", "completion time over that of TE",
              (draw_groups, rings, "generation", "cell", "over", 7), ("set_ylim", 0), "legend"),
        lines(pairs, "queue_pairs", "line", "E2: queue pairs", "queue pairs of a connection"),
        lines(tables["E3"], "dead", "generation", "E3: 1:1.125, all-reduce", "dead cluster switches"),
        lines(tables["E7"], "uplinks", "generation", "E7: uplinks, all-reduce", "uplinks of a rack"),
        lines(gaps, "gap_us", "recovery", "E6: flowlets, all-reduce", "gap in us", decades),
        Panel("E6: packets that overtake one, at most", "gap in us", "",
              (draw_lines, kept, "gap_us", "max_reordering_packets", "recovery")),
    ]
    racks, nics = racks_of(study)
    study.draw(shown, f"{racks} racks of {nics} NICs at 400 Gb/s, lossless", rows=2, width=4.4)


def sweeps(study: MetaStudy) -> dict[str, list[Case]]:
    """The cases of each experiment, in which generations differ by one thing."""
    nics, (few, more) = racks_of(study)[1], uplinks_of(study)
    common = base(study, few)
    generations = lambda *names: {name: policy(name) for name in names}
    fragments = lambda case: case.steering == "dqplb" and case.queue_pairs > 1
    counts = [nics, nics + nics // 8, nics + nics // 4, nics + nics // 2, 2 * nics]
    return {
        # Generations, placements, collectives
        "E1": [case for kind in KINDS for case in study.sweep(
            lambda case: {**base(study, case.uplinks, case.kind, case.placement), **policy(case.generation)},
            kind=[kind], placement=PLACEMENTS.get(kind, ["packed"]), uplinks=[few, more], generation=GENERATIONS)],
        # E-ECMP by queue pairs and their use, beside ECMP with one source port for a pair of NICs
        "E2": study.sweep(
            lambda case: {**common, "balancer": case.balancer, **queue_pairs(case.queue_pairs, case.steering),
                          **(attributes("DqplbSteering", FragmentBytes=16384) if fragments(case) else {})},
            steering=["split", "round-robin", "dqplb"], balancer=["one-port", "e-ecmp"], queue_pairs=QUEUE_PAIRS),
        # Dead cluster switches at 1:1.125
        "E3": study.sweep(base(study, more), generation=generations("te", "e-ecmp 4", "e-ecmp 32"),
                          dead={spines: dead(spines) for spines in range(4)}),
        # Flowlets of switches; receivers keep what comes out of order, or drop it (go-back-n)
        "E6": study.sweep({**common, "balancer": "flowlet"},
                          recovery={name: {"recovery": name, "ackPolicy": "per-packet"} for name in ("sack", "go-back-n")},
                          gap_us={float(gap): attributes("FlowletBalancer", Gap=f"{gap}us") for gap in GAPS}),
        # How many uplinks TE needs
        "E7": study.sweep(generation=generations("te", "e-ecmp 32", "path-pinning"),
                          uplinks={count: base(study, count) for count in counts}),
    }


def reproduce(study: MetaStudy) -> None:
    cases = sweeps(study)
    tables = {name: study.tabulate(some, [*some[0].labels], COLUMNS) for name, some in cases.items()}
    judge_generations(study, tables["E1"])
    tables["E2-gain"] = judge_queue_pairs(study, tables["E2"])
    judge_failures(study, tables["E3"])
    judge_gaps(study, tables["E6"])
    times, nics = tables["E7"].pivot(index="uplinks", columns="generation", values="time_us").te, racks_of(study)[1]
    lost = 100 * (times[nics + nics // 8] / times[2 * nics] - 1)
    study.note("R3", "TE at 1:1.125: time lost against twice the uplinks (%)", "below 1", lost)
    for name, table in tables.items():
        study.save(table, f"-{name}")
    study.save_rows()
    draw(study, tables)
