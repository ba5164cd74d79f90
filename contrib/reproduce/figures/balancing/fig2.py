# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Switches that have to change something when one link fails (Fig. 2)"""

from charts import draw_law, finish, legend, panels, powers_of_two
from style import color

# The link that fails, and how many switches change by the counting of doc/failures.rst.
LINKS = {
    "edge - aggregation": lambda k: f"pod0-edge-0:{k // 2}--pod0-agg-0:0",
    "aggregation - core": lambda k: f"pod0-agg-0:{k // 2}--core-0:0",
}
COUNTS = {
    "edge - aggregation": lambda k: k**2 // 2 + 1,
    "aggregation - core": lambda k: k**2 // 2 + k + 1,
}


def reproduce(study):
    radices = study.pick(full=[4, 6, 8, 10, 12, 16], quick=[4, 6])
    points = [(kind, k) for kind in LINKS for k in radices]
    cases = study.sweep(["rsq"], "point", points, options_of)
    for case in cases:
        case.labels["link"], case.labels["k"] = case.labels.pop("point")
    study.seeds = 1  # nothing is drawn that would change a count
    means = study.means(study.run(cases), ["link", "k"], ["updated_switches"])
    means["hosts"] = means.k**3 // 4
    means["switches"] = 5 * means.k**2 // 4
    means["counted"] = [COUNTS[row.link](row.k) for row in means.itertuples()]
    study.save(means)
    draw(study, means)
    judge(study, means)


def options_of(point):
    """One link is cut, and all switches know it a microsecond later; messages last until then."""
    kind, k = point
    cut = {"fail": f"{LINKS[kind](k)}@1us", "convergence": "1us"}
    return {"k": k, "size": "16KiB", **cut}


def draw(study, means):
    figure, (axes,) = panels(1, 1)
    for index, (link, rows) in enumerate(means.groupby("link", sort=False)):
        axes.plot(rows.hosts, rows.updated_switches, "os"[index], color=color(index), label=link)
        draw_law(axes, rows.hosts, rows.counted, f"counted: {link}", ["--", ":"][index])
    rows = means.drop_duplicates("k")
    draw_law(axes, rows.hosts, rows.switches, "all switches", "-")
    powers_of_two(axes, means.hosts)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("hosts")
    axes.set_ylabel("switches that change routes or weights")
    axes.set_title("One link fails")
    legend(axes)
    finish(figure, study, "fat-trees, routing converges 1 us after the cut")


def judge(study, means):
    for link, rows in means.groupby("link", sort=False):
        study.claim(
            f"{link}: switches that change, as counted, k = {', '.join(map(str, rows.k))}",
            ", ".join(f"{count}" for count in rows.counted),
            ", ".join(f"{count:g}" for count in rows.updated_switches),
            (rows.counted == rows.updated_switches).all(),
        )
        others = 1 - rows.k / rows.updated_switches  # if all k switches of the pod change
        study.claim(
            f"{link}: many of them are in other pods, share of those that change",
            "more than half",
            f"{others.iloc[0]:.2f} or more at k = {rows.k.iloc[0]}, {others.iloc[-1]:.2f} at "
            f"{rows.k.iloc[-1]}",
            (others > 0.5).all(),
        )
