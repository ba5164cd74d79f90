# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Which figures there are: each file of figures/PAPER is one. It says its title in its first line, and may say how
often it runs each case (SEEDS); reading that needs no module that is not Python's own."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FIGURES = Path(__file__).resolve().parent / "figures"


@dataclass(frozen=True)
class Paper:
    """What the names of a paper's figures begin with, its title, and how often they run each case."""

    prefix: str
    title: str
    seeds: int
    quick_seeds: int = 2


# The papers, by the folder of their figures.
PAPERS = {
    "balancing": Paper("", "Load Balancing for AI Training Workloads (arXiv 2507.21372)", 10),
    "ethereal": Paper("ethereal-", "Ethereal (arXiv 2407.00550)", 3),
    "meta": Paper(
        "meta-", "RDMA over Ethernet for Distributed AI Training at Meta Scale (SIGCOMM 2024): routing", 3, 1
    ),
    "esa": Paper("esa-",
                 "ESA (arXiv 2201.06398), beside ATP and SwitchML; its text is not public, so beside a model of ours",
                 10),
    "mrc": Paper("mrc-", "Resilient AI Supercomputer Networking using MRC and SRv6 (arXiv 2605.04333)", 3, 1),
    "prime": Paper("prime-", "PRIME (arXiv 2507.23012), beside the reference simulator of Ultra Ethernet", 3),
    "reps": Paper("reps-", "REPS (arXiv 2407.21625), beside the simulator of its authors", 3),
    "hardware": Paper("", "Public measurements on GPU clusters", 1, 1),
    "hpcc": Paper("hpcc-", "HPCC (SIGCOMM 2019), beside PowerTCP, TIMELY and DCQCN", 1, 1),
    "conga": Paper("conga-", "CONGA (SIGCOMM 2014)", 3, 1),
    "conweave": Paper("conweave-", "ConWeave (SIGCOMM 2023)", 3, 1),
    "swift": Paper("swift-", "Swift (SIGCOMM 2020)", 1, 1),
    "fluid": Paper("", "Jobs that packets alone cannot run; no paper has this figure", 1, 1),
    "planes": Paper("", "All of them on one fabric of several planes; no paper has this figure", 30),
}


@dataclass(frozen=True)
class Figure:
    """Where a figure is, and what it says of itself. seeds, quick_seeds: runs of each case."""

    module: str
    paper: str
    title: str
    seeds: int
    quick_seeds: int


def in_order(path: Path) -> tuple[str, int]:
    """The key by which a paper's figures stand in their order: fig2 before fig10."""
    words = path.stem.rstrip("0123456789")
    return words, int(path.stem[len(words) :] or 0)


def read_figure(folder: str, path: Path) -> Figure:
    """A file may have a line SEEDS = N, or SEEDS = N, M with those of --quick."""
    tree, paper = ast.parse(path.read_text()), PAPERS[folder]
    seeds: tuple[int, ...] = (paper.seeds, paper.quick_seeds)
    for line in tree.body:
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "SEEDS":
            own = ast.literal_eval(line.value)
            seeds = own if isinstance(own, tuple) else (own, paper.quick_seeds)
    return Figure(f"ai_fabric.reproduce.figures.{folder}.{path.stem}", folder, ast.get_docstring(tree) or "", *seeds)


def figures_of(folder: str) -> dict[str, Figure]:
    """The figures of a paper by name."""
    paths = sorted((FIGURES / folder).glob("*.py"), key=in_order)
    return {PAPERS[folder].prefix + path.stem.replace("_", "-"): read_figure(folder, path) for path in paths}


def all_figures() -> dict[str, Figure]:
    return {name: figure for folder in PAPERS for name, figure in figures_of(folder).items()}


def seeds_of(name: str, is_quick: bool) -> int:
    """How often a figure runs each case if the user does not say; for a name of no figure as its paper's do."""
    found: Figure | Paper | None = all_figures().get(name)
    if found is None:
        fitting = [paper for paper in PAPERS.values() if name.startswith(paper.prefix)]
        found = max(fitting, key=lambda paper: len(paper.prefix))
    return found.quick_seeds if is_quick else found.seeds


def describe_seeds(figures: Mapping[str, Figure], which: str, usual: int) -> str:
    """How often cases run, as text: the usual number, then the papers and figures that have another one. which: seeds
    or quick_seeds."""
    groups: dict[int, list[str]] = {}
    for folder, paper in PAPERS.items():
        if getattr(paper, which) != usual:
            groups.setdefault(getattr(paper, which), []).append(folder)
    for name, figure in figures.items():
        if getattr(figure, which) != getattr(PAPERS[figure.paper], which):
            groups.setdefault(getattr(figure, which), []).append(name)
    return "; ".join([str(usual), *(f"{', '.join(names)}: {number}" for number, names in groups.items())])
