# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The largest queue of Ofan over that of Host DR, by the number of hosts (Fig. 18)"""

import numpy

from charts import draw_law, finish, legend, panels, powers_of_two
from runner import RunError
from study import DR_SCHEMES, MTU, UNLIMITED
from style import scheme_color, scheme_marker

M = 256
RIVALS = ["host-dr", "host-dr-random"]

# The reference model: Ofan over Host DR with random orders, by k.
REFERENCE = {4: 0.94, 8: 0.68, 16: 0.49}


def reproduce(study):
    radices = study.pick(full=[4, 6, 8, 10, 12, 16], quick=[4, 6])
    schemes = study.schemes(DR_SCHEMES)
    rivals = [name for name in RIVALS if name in schemes]
    if "ofan" not in schemes or not rivals:
        raise RunError(f"nothing to run: fig18 compares ofan with {' or '.join(RIVALS)}")
    cases = study.sweep(
        schemes,
        "k",
        radices,
        lambda k: {"k": k, "size": M * MTU, "acks": "bypass", "buffer": UNLIMITED},
    )
    means = study.means(study.run(cases), ["scheme", "k"], ["max_queue_packets"])
    most = means.pivot(index="k", columns="scheme", values="max_queue_packets")
    for name in rivals:
        most[f"ofan / {name}"] = most["ofan"] / most[name]
    most.insert(0, "hosts", most.index**3 // 4)
    study.save(most.reset_index())
    draw(study, most, rivals)
    judge(study, most, rivals)


def draw(study, most, rivals):
    figure, (axes,) = panels(1, 1, width=5.6)
    for name in rivals:
        axes.plot(
            most.hosts,
            most[f"ofan / {name}"],
            color=scheme_color(name),
            marker=scheme_marker(name),
            label=f"ofan / {name}",
        )
    hosts = [k**3 // 4 for k in REFERENCE if k in most.index]
    values = [REFERENCE[k] for k in REFERENCE if k in most.index]
    draw_law(axes, hosts, values, "reference model, random order", "--x")
    powers_of_two(axes, most.hosts)
    axes.set_ylim(0, 1.1)
    axes.set_title("Largest queue of Ofan over that of Host DR")
    axes.set_xlabel("hosts")
    axes.set_ylabel("ratio")
    legend(axes)
    finish(figure, study, f"permutation, m = {M}, no acknowledgements in queues")


def judge(study, most, rivals):
    for name in rivals:
        ratio = most[f"ofan / {name}"]
        slope = numpy.polyfit(numpy.log(most.hosts), ratio, 1)[0]
        study.claim(
            f"ofan / {name} falls as hosts grow",
            "falling",
            f"{ratio.iloc[0]:.3g} at {most.hosts.iloc[0]}, {ratio.iloc[-1]:.3g} at "
            f"{most.hosts.iloc[-1]} hosts",
            slope < 0 and ratio.iloc[-1] < ratio.iloc[0],
        )
    for k, expected in REFERENCE.items():
        if k in most.index and "host-dr-random" in rivals:
            study.claim_near(
                f"{k**3 // 4} hosts: ofan / host-dr-random as in the reference model",
                expected,
                most.loc[k, "ofan / host-dr-random"],
                percent=15,
            )
