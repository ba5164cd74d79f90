# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How far runs by rates (--fidelity=fluid) are from packets, as they state it."""

import json
from collections.abc import Iterable
from pathlib import Path

from ai_fabric.common.aliases import Values
from ai_fabric.common.safe_file import read_text

IS_FLUID = "fluid"  # how the fidelity of a run by rates begins


def stated_error(folders: Iterable[Path]) -> str:
    """The stated errors of the classes of some runs, in a line; nothing if all have packets. folders: theirs, each with a
    run.json."""
    found: dict[str, Values] = {}
    packets = unchecked = 0
    for folder in folders:
        run = json.loads(read_text(folder / "run.json"))
        if not str(run["scenario"].get("fidelity", "")).startswith(IS_FLUID):
            packets += 1
        elif run["fidelity"]["checked"]:
            found.setdefault(run["fidelity"]["class"], run["fidelity"])
        else:
            unchecked += 1
    classes = sorted(found.values(), key=lambda stated: -stated["max_error_percent"])
    texts = [f"{stated['median_error_percent']:g} % in the median and {stated['max_error_percent']:g} % at most in "
             f"{stated['scenarios']} scenarios of the class {stated['class']}" for stated in classes]
    texts += [f"not compared in {unchecked} runs of fluid-unchecked"] if unchecked else []
    some = " of the runs without packets" if packets else ""
    return f"Completion times{some} are those of rates (fluid); beside packets: {', '.join(texts)}." if texts else ""
