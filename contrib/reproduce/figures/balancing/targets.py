# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The reference model's own setting: a permutation, all at once, unlimited buffers (targets)"""

from charts import decades, draw_reference, draw_schemes, finish, legend, panels, powers_of_two
from papers.balancing import reference, room
from study import EQUAL_PACKETS, size_of

SCHEMES = list(reference.COMPLETION["permutation"])


def reproduce(study):
    sizes = study.pick(full=reference.SIZES["permutation"], quick=reference.SIZES["permutation"][:2])
    options = {"jitter": "0ns", **EQUAL_PACKETS}
    cases = study.sweep(SCHEMES, "size", sizes, lambda size: {"size": size, **options}, room)
    columns = ["increase_percent", "max_queue_packets"]
    table = study.run(cases)
    means = study.means(table, ["scheme", "size"], columns)
    means["standard_error"] = standard_errors(table, ["scheme", "size"], "increase_percent")
    means = reference.beside(means, lambda row: (study.k, "permutation", row.size))
    study.save(means)
    draw(study, means)
    gain = means.pivot(index="size", columns="scheme", values="increase_percent")
    for size, row in gain.iterrows():
        study.claim_best(size_of(size), row)
    if not study.quick:
        models = reference.COMPLETION["permutation"].items()
        references = {name: dict(zip(sizes, row)) for name, row in models}
        errors = means.pivot(index="size", columns="scheme", values="standard_error")
        study.claim_reference(gain, references, errors)


def standard_errors(table, by, column):
    """The standard error of each mean over the runs, in the order of the cases; none of one run."""
    return table.groupby(by, sort=False)[column].sem().to_list()


def draw(study, means):
    figure, (axes,) = panels(1, 1)
    draw_schemes(axes, means, "size", "increase_percent")
    draw_reference(axes, means["size"], means.reference_percent, marker="_")
    powers_of_two(axes, means["size"], size_of)
    decades(axes)
    axes.set_xlabel("message")
    axes.set_ylabel("completion time over the lower bound (%)")
    legend(axes)
    finish(figure, study, f"{study.k**3 // 4} hosts, simultaneous starts, nothing is dropped")
