# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""An iteration of GPT-2, whose collectives are all by one algorithm."""

from pathlib import Path

from grid import Case
from papers.ethereal import COLLECTIVES

GPT_2 = Path(__file__).resolve().parents[4] / "scenarios" / "gpt-2-data-parallel.toml"


def cases_of(study, schemes, name):
    """The iteration, all of its collectives by one algorithm."""
    options = {"workload": "training", "training": GPT_2, **COLLECTIVES[name]}
    return [
        Case(
            {"scheme": scheme, "collective": name, "size": "GPT-2"},
            {**study.leaf_spine(), **study.options_of(scheme), **options},
        )
        for scheme in study.schemes(schemes)
    ]
