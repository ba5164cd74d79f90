#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A sweep by the Simulation Execution Manager instead: sem_recipe.py NS3_TREE. Needs pip install sem,
and this module in NS3_TREE/contrib/ai-fabric."""

import json
import sys
from typing import Any

import sem
import sem.utils

RESULTS = ["cct_ns", "increase_percent", "max_queue_packets"]

campaign = sem.CampaignManager.new(
    sys.argv[1],
    "ai-fabric-run",
    "results/sem",
    check_repo=False,  # or commit all that is in the tree, this module included
)
campaign.run_missing_simulations(
    {
        "balancer": ["ofan", "rsq"],
        "size": ["64KiB", "1MiB"],
        "k": [4],
        "RngRun": [1, 2, 3, 4, 5],  # with runs=5 instead, each run would have traffic of its own
        "out": ["."],  # SEM makes a folder for each run, and runs it there
    }
)


@sem.utils.output_labels(RESULTS)
@sem.only_load_some_files(r"^run\.json$")
def read(result: dict[str, Any]) -> list[Any]:
    results = json.loads(result["output"]["run.json"])["results"]
    return [results[name] for name in RESULTS]


table = campaign.get_results_as_dataframe(read)
print(table.groupby(["balancer", "size"])[RESULTS].mean())
