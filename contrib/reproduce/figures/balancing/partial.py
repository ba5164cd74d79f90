# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Some switches run Ofan and the others another balancer, 432 hosts (arXiv 2610.07230)"""

from charts import decades, draw_law, draw_schemes, finish, legend, panels

SIZE = "1MiB"
BASES = ["ecmp", "host-random", "rr", "reps", "switch-ar"]  # what the other switches do
SHARES = [0, 0.25, 0.5, 0.75, 1]  # of the switches that choose, drawn at random
LEAST = 0.1  # our reading of "not linear": so far from the line at some share


def reproduce(study):
    radix = study.pick(full=12, quick=4)
    cases = study.sweep(
        BASES, "upgraded_share", SHARES, lambda share: {"k": radix, "size": SIZE, "upgrade": "ofan", "upgraded": share}
    )
    columns = ["increase_percent", "max_queue_data_packets", "drops"]
    means = study.means(study.run(cases), ["scheme", "upgraded_share"], columns)
    means = with_benefit(means)
    study.save(means)
    draw(study, means, radix**3 // 4)
    judge(study, means)


def with_benefit(means):
    """Adds how much of what all switches gain is gained."""
    gain = means.set_index(["scheme", "upgraded_share"]).increase_percent
    none, every = (means.scheme.map(gain.xs(share, level=1)) for share in (0, 1))
    return means.assign(benefit=(none - means.increase_percent) / (none - every))


def draw(study, means, hosts):
    rows = means.assign(percent=100 * means.upgraded_share, gained=100 * means.benefit)
    figure, (increase, benefit) = panels(1, 2)
    draw_schemes(increase, rows, "percent", "increase_percent")
    decades(increase)
    increase.set_title("Completion time over the bound")
    increase.set_ylabel("percent")
    draw_schemes(benefit, rows, "percent", "gained")
    draw_law(benefit, [0, 100], [0, 100], "linear")
    benefit.set_title("Share of the benefit")
    benefit.set_ylabel("percent of what all switches gain")
    for axes in (increase, benefit):
        axes.set_xticks([100 * share for share in SHARES])
        axes.set_xlabel("switches with Ofan (%)")
    legend(benefit, [increase])
    finish(figure, study, f"{hosts} hosts, permutation, 1 MiB a message; the other switches as named")


def judge(study, means):
    benefit = means.pivot(index="upgraded_share", columns="scheme", values="benefit")
    inner = benefit.loc[SHARES[1:-1]]
    for scheme in [name for name in BASES if name in inner]:
        off = inner[scheme] - inner.index
        furthest = float(off.loc[off.abs().idxmax()]) if off.notna().all() else float("nan")
        study.claim(
            f"{scheme}: the benefit is not linear in the share, furthest from the line",
            f"{LEAST} or more",
            furthest,
            abs(furthest) >= LEAST,
        )
