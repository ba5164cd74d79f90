# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The schemes that use all planes of a fabric, each with the transport of its paper."""

from ai_fabric.reproduce.fabrics import options_of
from ai_fabric.reproduce.study import Study

SCHEMES = {name: options_of(name) for name in ("e-ecmp-16", "host-dr", "ofan", "switch-ar", "prime", "uec", "mrc")}
CABLE = "plane0-leaf-0--plane0-spine-0"


class PlanesStudy(Study):
    """Schemes that use all planes, each with the transport of its paper."""

    variants = SCHEMES


STUDY = PlanesStudy
