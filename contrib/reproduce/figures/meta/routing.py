# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The routing generations: collectives by placement, queue pairs, dead switches, uplinks and flowlet gaps"""

from charts import decades, finish, panels
from grid import Case
from papers.meta import LOSSLESS, SPACE, dead, fabric, queue_pairs, rings
from style import color

QUEUE_PAIRS = [1, 4, 8, 16, 32]
GENERATIONS = ["ecmp", "path-pinning", "e-ecmp 4", "e-ecmp 32", "te"]
KINDS = ["all-reduce", "all-gather", "reduce-scatter", "all-to-all"]
GAPS = ["0us", "0.5us", "2us", "8us", "32us", "128us", "512us"]
USED = 80  # percent; published utilization of the fabric
POINTS = 10  # percent points between a utilization and the published one
LOSS = 1 / 0.7  # so many times longer: 30 % less bus bandwidth


def policy(generation, steering="split"):
    """The options of a generation, such as e-ecmp 32: with 32 queue pairs."""
    name, _, count = generation.partition(" ")
    return {"balancer": name, **queue_pairs(int(count or 1), steering)}


def racks_of(study):
    """Racks, and NICs of each: two nodes."""
    return study.pick(full=(12, 16), quick=(6, 8), usual=(6, 16))


def fragmented(racks, nics):
    """Rings of two jobs over the nodes A and B of racks. The jobs share a third of the racks: job 0 has A, job 1
    has B. In turn with them, a job visits racks of which it has A alone. So A and B of a shared rack send to
    NICs with the same numbers."""
    half = nics // 2
    groups = []
    for job in range(2):
        for nic in range(half):
            group = []
            for visit in range(racks // 3):
                group.append(3 * visit * nics + job * half + nic)
                group.append((3 * visit + 1 + job) * nics + nic)
            groups.append(group)
    return groups


def base(study, uplinks, kind="all-reduce", placement="packed"):
    """Rings of NICs with the same number, each a collective: what two-level collectives do between nodes."""
    racks, nics = racks_of(study)
    groups = rings(racks, nics) if placement == "packed" else fragmented(racks, nics)
    size = study.pick(full=4, quick=1) << 20
    return {
        **fabric(racks, uplinks, nics),
        **LOSSLESS,
        "workload": kind,
        "size": size // len(groups[0]) if kind == "all-to-all" else size,  # to each rank, or of a rank
        **study.groups(f"{placement}-{racks}x{nics}", groups),
    }


def uplinks_of(study):
    """As many uplinks as NICs, and an eighth more."""
    nics = racks_of(study)[1]
    return [nics, nics + nics // 8]


def measure(study, cases, by, seeds=None):
    """Mean completion times in us by labels."""
    runs = study.run(cases, seeds)
    runs["time_us"] = runs.cct_ns / 1000
    runs["used"] = runs["uplink_utilization.mean"] if "uplink_utilization.mean" in runs else float("nan")
    runs["most_used"] = runs["uplink_utilization.most"] if "uplink_utilization.most" in runs else float("nan")
    return study.means(runs, by, ["time_us", "used", "most_used", "max_reordering_packets", "retransmissions"])


def run_generations(study):
    """E1: generations, placements, collectives."""
    cases = [
        Case(
            {"kind": kind, "placement": placement, "uplinks": uplinks, "generation": generation},
            {**base(study, uplinks, kind, placement), **policy(generation)},
        )
        for kind in KINDS
        for placement in ("packed", *(["fragmented"] if kind == "all-reduce" else []))
        for uplinks in uplinks_of(study)
        for generation in GENERATIONS
    ]
    return measure(study, cases, ["kind", "placement", "uplinks", "generation"])


def judge_generations(study, table):
    """The ordering test, and what fragmented placement costs with pinned paths."""
    for (kind, placement, uplinks), rows in table.groupby(["kind", "placement", "uplinks"], sort=False):
        times = rows.set_index("generation").time_us
        if placement == "packed":
            order = [times[name] for name in ("te", "e-ecmp 32", "e-ecmp 4", "ecmp")]
            holds = all(first < second for first, second in zip(order, order[1:]))
            study.claim(
                f"E1: {kind}, U={uplinks}: TE < E-ECMP 32 < E-ECMP 4 < ECMP (us)",
                "ascending",
                " ".join(f"{time:.4g}" for time in order),
                holds,
            )
    used = table[table.generation == "te"].set_index(["kind", "placement", "uplinks"]).used
    for uplinks in uplinks_of(study):
        ours = 100 * used["all-reduce", "packed", uplinks]
        study.note("R5", f"TE, all-reduce, U={uplinks}: mean utilization of uplinks (%)", f"{USED} +- {POINTS}", ours,
                   abs(ours - USED) <= POINTS)  # fmt: skip
    pinned = table[table.generation == "path-pinning"].set_index(["kind", "placement", "uplinks"]).time_us
    kind, uplinks = "all-reduce", uplinks_of(study)[0]
    ratio = pinned[kind, "fragmented", uplinks] / pinned[kind, "packed", uplinks]
    best = table[table.generation == "te"].set_index(["kind", "placement", "uplinks"]).time_us
    ratio /= best[kind, "fragmented", uplinks] / best[kind, "packed", uplinks]  # what the shorter rings take
    study.note("R2", f"path pinning, {kind}, U={uplinks}: bandwidth lost when fragmented (%)", "above 30",
               100 * (1 - 1 / ratio), ratio > LOSS)  # fmt: skip
    ratio = pinned[kind, "packed", uplinks] / best[kind, "packed", uplinks]
    what = f"path pinning, {kind}, packed, U={uplinks}: time over TE"
    study.note("2.2", what, "1 +- 2 %", ratio, abs(ratio - 1) < 0.02)


def run_queue_pairs(study):
    """E2: E-ECMP by queue pairs and their use, beside ECMP with one source port for a pair of NICs."""
    uplinks = uplinks_of(study)[0]
    steerings = ["split", "round-robin", "dqplb"]
    cases = [
        Case(
            {"steering": steering, "balancer": balancer, "queue_pairs": count},
            {**base(study, uplinks), "balancer": balancer, **queue_pairs(count, steering),
             **({f"{SPACE}DqplbSteering::FragmentBytes": 16384} if steering == "dqplb" and count > 1 else {})},
        )  # fmt: skip
        for steering in steerings
        for balancer in ("one-port", "e-ecmp")
        for count in QUEUE_PAIRS
    ]
    return measure(study, cases, ["steering", "balancer", "queue_pairs"])


def judge_queue_pairs(study, table):
    """R1: the gain over ECMP with the same queue pairs; the cells near the published 40 % are named."""
    times = table.set_index(["balancer", "steering", "queue_pairs"]).time_us
    gains = 100 * (times["one-port"] / times["e-ecmp"] - 1)
    near = [f"{steering} Q={count}" for (steering, count), gain in gains.items() if 35 <= gain <= 45]
    best = gains.idxmax()
    what = f"gain of E-ECMP over ECMP in all-reduce, most: {best[0]} Q={best[1]} (%)"
    study.note("R1", what, "40 or more", gains.max())
    study.claim("R1: cells with a gain of 35 to 45 %", "at least one", ", ".join(near) or "none", bool(near))
    return gains.rename("gain_percent").reset_index()


def run_failures(study):
    """E3: dead cluster switches at 1:1.125."""
    uplinks = uplinks_of(study)[1]
    cases = [
        Case({"generation": generation, "dead": spines}, {**base(study, uplinks), **policy(generation), **dead(spines)})
        for generation in ("te", "e-ecmp 4", "e-ecmp 32")
        for spines in range(4)
    ]
    return measure(study, cases, ["generation", "dead"])


def judge_failures(study, table):
    times = table.set_index(["generation", "dead"]).time_us
    spare = uplinks_of(study)[1] - uplinks_of(study)[0]
    lost = 100 * (times["te", spare] / times["te", 0] - 1)
    study.note("R4", f"TE: time lost with {spare} dead switches (%)", "below 1", lost)
    over = times["te"] / times["e-ecmp 32"]
    crossing = [spines for spines in range(4) if over[spines] > 1]
    study.claim(
        "R13: TE falls below E-ECMP 32 with many dead switches",
        f"with {spare + 1} dead, not before",
        ", ".join(f"{spines} dead: {over[spines]:.3g} times" for spines in range(4)),
        bool(crossing) and min(crossing) == spare + 1,
    )


def run_uplinks(study):
    """E7: how many uplinks TE needs."""
    nics = racks_of(study)[1]
    counts = sorted({nics, nics + nics // 8, nics + nics // 4, nics + nics // 2, 2 * nics})
    cases = [
        Case({"generation": generation, "uplinks": uplinks}, {**base(study, uplinks), **policy(generation)})
        for generation in ("te", "e-ecmp 32", "path-pinning")
        for uplinks in counts
    ]
    return measure(study, cases, ["generation", "uplinks"])


def judge_uplinks(study, table):
    times = table[table.generation == "te"].set_index("uplinks").time_us
    nics = racks_of(study)[1]
    lost = 100 * (times[nics + nics // 8] / times[2 * nics] - 1)
    study.note("R3", "TE at 1:1.125: time lost against twice the uplinks (%)", "below 1", lost)


def run_gaps(study):
    """E6: flowlets of switches; receivers keep what comes out of order, or drop it (go-back-n)."""
    uplinks = uplinks_of(study)[0]
    cases = [
        Case(
            {"recovery": recovery, "gap_us": float(gap[:-2])},
            {**base(study, uplinks), "balancer": "flowlet", "recovery": recovery, f"{SPACE}FlowletBalancer::Gap": gap},
        )  # fmt: skip
        for recovery in ("sack", "go-back-n")
        for gap in GAPS
    ]
    return measure(study, cases, ["recovery", "gap_us"])


def judge_gaps(study, table):
    rows = table.set_index(["recovery", "gap_us"])
    reordering = rows.max_reordering_packets["sack"]
    text = " ".join(f"{value:.3g}" for value in reordering)
    study.claim("E6: packets that overtake: some with gap 0, none with the longest", "none at the end", text,
                reordering.iloc[0] > 0 and reordering.iloc[-1] == 0)  # fmt: skip
    times = rows.time_us["sack"]
    study.claim("E6: long gaps are slow with receivers that keep all", "the longest is slower than gap 0",
                " ".join(f"{value:.4g}" for value in times), times.iloc[-1] > times.iloc[0])  # fmt: skip


def draw_lines(panel, table, x, group, title, axis):
    """A line a group; those of ECMP are dashed. Earlier lines are wider, so that equal ones are all seen."""
    groups = list(table.groupby(group, sort=False))
    for index, (name, rows) in enumerate(groups):
        style = "--" if name.startswith("one-port") else "-"
        wider = len(groups) - 1 - index
        look = {"color": color(index), "marker": "os^Dvp"[index], "linewidth": 1.2 + 0.6 * wider}
        panel.plot(range(len(rows)), rows.time_us, style, markersize=4 + 0.9 * wider, label=name, **look)
        panel.set_xticks(range(len(rows)), [f"{value:g}" for value in rows[x]], fontsize=8)
    panel.set_title(title, fontsize=9)
    panel.set_xlabel(axis)


def draw(study, tables):
    figure, axes = panels(2, 3, width=4.4)
    packed = tables["E1"][tables["E1"].kind == "all-reduce"]
    width = 0.2
    groups = list(packed.groupby(["placement", "uplinks"], sort=False))
    for index, ((placement, uplinks), rows) in enumerate(groups):
        places = [place + (index - 1.5) * width for place in range(len(rows))]
        least = rows.set_index("generation").time_us["te"]
        axes[0].bar(places, rows.time_us / least, width, color=color(index), label=f"{placement}, {uplinks} uplinks")
    axes[0].set_xticks(range(len(GENERATIONS)), GENERATIONS, fontsize=7)
    axes[0].set_title("E1: all-reduce, over the time of TE", fontsize=9)
    queue_pairs_table = tables["E2"].assign(line=tables["E2"].balancer + ", " + tables["E2"].steering)
    draw_lines(axes[1], queue_pairs_table, "queue_pairs", "line", "E2: queue pairs", "queue pairs of a connection")
    draw_lines(axes[2], tables["E3"], "dead", "generation", "E3: 1:1.125, all-reduce", "dead cluster switches")
    draw_lines(axes[3], tables["E7"], "uplinks", "generation", "E7: uplinks, all-reduce", "uplinks of a rack")
    draw_lines(axes[4], tables["E6"], "gap_us", "recovery", "E6: flowlets, all-reduce", "gap in us")
    shares = tables["E6"][tables["E6"].recovery == "sack"]
    axes[5].plot(range(len(shares)), shares.max_reordering_packets, color=color(0), marker="o", markersize=4)
    axes[5].set_xticks(range(len(shares)), [f"{gap:g}" for gap in shares.gap_us], fontsize=8)
    axes[5].set_title("E6: packets that overtake one, at most", fontsize=9)
    axes[5].set_xlabel("gap in us")
    for panel in axes[:5]:
        panel.set_ylabel("completion time in us" if panel is not axes[0] else "completion time over that of TE")
        panel.set_ylim(bottom=0) if panel is not axes[4] else decades(panel)
        panel.legend(fontsize=6)
    racks, nics = racks_of(study)
    finish(figure, study, f"{racks} racks of {nics} NICs at 400 Gb/s, lossless")


def reproduce(study):
    tables = {"E1": run_generations(study), "E2": run_queue_pairs(study), "E3": run_failures(study)}
    tables |= {"E6": run_gaps(study), "E7": run_uplinks(study)}
    judge_generations(study, tables["E1"])
    tables["E2-gain"] = judge_queue_pairs(study, tables["E2"])
    judge_failures(study, tables["E3"])
    judge_gaps(study, tables["E6"])
    judge_uplinks(study, tables["E7"])
    for name, table in tables.items():
        study.save(table, f"-{name}")
    study.save_rows()
    draw(study, tables)
