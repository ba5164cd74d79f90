# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The colors and markers of plots; needs no module that draws."""

# Okabe and Ito, "Color Universal Design" (2008): distinct to color-blind readers too.
COLORS = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#7F7F7F", "#B8A800"]

# A balancer looks the same in every plot. Families have neighboring colors.
SCHEMES = {
    "ecmp": ("#7F7F7F", "s"),
    "e-ecmp": ("#B3B3B3", "s"),
    "one-port": ("#404040", "s"),
    "path-pinning": ("#6B8EC4", "v"),
    "te": ("#1F3F8F", "D"),
    "subflow": ("#BCBD22", "D"),
    "plb": ("#8C6D31", "p"),
    "flowlet": ("#C7A76C", "h"),
    "conga": ("#4D9221", "h"),
    "conweave": ("#C51B7D", "h"),
    "host-flowlet": ("#A08040", "h"),
    "mprdma": ("#1B9E9E", "X"),
    "host-random": ("#0072B2", "o"),
    "host-permuted": ("#9ECAE1", "o"),
    "host-counter": ("#08306B", "8"),
    "rsq": ("#56B4E9", "v"),
    "rr": ("#E69F00", "<"),
    "simple-rr": ("#8C564B", ">"),
    "jsq": ("#9467BD", "P"),
    "reps": ("#CC79A7", "*"),
    "reps-x256": ("#E8BED4", "*"),
    "reps-red": ("#7B2D5B", "*"),
    "reps-timer-100us": ("#E66100", "P"),
    "reps-timer-25us": ("#5D3A9B", "X"),
    "reps-fifo": ("#F4A6D0", "*"),
    "bitmap": ("#A65628", "H"),
    "bitmap1": ("#D9A07A", "H"),
    "mixed": ("#E7298A", "h"),
    "mrc": ("#B8002E", "p"),
    "prime": ("#006D2C", "D"),
    "prime-1-4": ("#A1D99B", "d"),
    "prime-16-64": ("#00441B", "d"),
    "prime-hashed": ("#6B6E14", "d"),
    "ops-random": ("#0072B2", "o"),
    "ops-rrx": ("#9ECAE1", "o"),
    "ops": ("#0072B2", "o"),
    "mp-8": ("#6B6E14", "D"),
    "switch-adaptive": ("#9467BD", "P"),
    "reps-no-freezing": ("#E66100", "*"),
    "switch-ar": ("#17BECF", "X"),
    "switch-ar-100ns": ("#9EDAE5", "X"),
    "switch-ar-x256": ("#9BE3EB", "X"),
    "host-dr": ("#009E73", "^"),
    "host-dr-random": ("#74C476", "^"),
    "ofan": ("#D62728", "d"),
    "ethereal": ("#111111", "o"),
    "ethereal-v1": ("#2CA02C", "X"),
    "end-to-end": ("#525252", "X"),
    "spray": ("#0072B2", "o"),
    "ethereal-reps": ("#7B3294", "P"),
    "mp-rdma-2": ("#DEB887", "D"),
    "mp-rdma-4": ("#BCBD22", "D"),
    "mp-rdma-8": ("#6B6E14", "D"),
    "e-ecmp-16": ("#E69F00", "s"),
    "roce-deployed": ("#8C564B", "X"),
    "uec": ("#7B2D5B", "P"),
    "esa": ("#009E73", "o"),
    "atp": ("#E69F00", "^"),
    "switchml": ("#0072B2", "v"),
}


def color(index: int) -> str:
    """The color of the index-th thing to be told apart."""
    return COLORS[index % len(COLORS)]
