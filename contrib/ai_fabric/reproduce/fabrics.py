# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Options of fabrics, of classes, and of schemes that studies share with figures, as all figures write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.study.scheme_file import SPACE, options_of  # which figures import from here

if TYPE_CHECKING:
    from ai_fabric.common.aliases import Values


def attributes(owner: str, **values: object) -> Values:
    """Options that set attributes of a class."""
    return {f"{SPACE}{owner}::{name}": value for name, value in values.items()}


def leaf_spine(leaves: int, spines: int, hosts: int, **more: object) -> Values:
    """Leaves with so many hosts each, and a link from each to each spine."""
    return {"topology": "leaf-spine", "leaves": leaves, "spines": spines, "hostsPerLeaf": hosts, **more}


def red(low: float, high: float, most: float) -> Values:
    """Switches mark packets that leave a queue by RED: from low bytes on, with the probability most at high bytes."""
    return {"marker": "red", **attributes("RedMarker", KMin=low, KMax=high, PMax=most),
            **attributes("EcnMarker", AtDequeue="true")}
