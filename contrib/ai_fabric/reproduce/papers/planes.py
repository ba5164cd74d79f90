# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The schemes that use all planes of a fabric, each with the transport of its paper."""

from ai_fabric.reproduce.fabrics import attributes, options_of
from ai_fabric.reproduce.study import Study

SPRAY = {"transport": "spray", "rateControl": "nscc", "admission": "trimming",
         **attributes("SprayQueuePair", RetryLimit=100)}
SCHEMES = {
    "ecmp": {"balancer": "ecmp", "recovery": "go-back-n", "steering": "split"},
    "host-dr": options_of("host-dr"),
    "ofan": options_of("ofan"),
    "prime": {**SPRAY, "balancer": "prime"},
    "mrc": options_of("mrc"),
}
CABLE = "plane0-leaf-0--plane0-spine-0"


class PlanesStudy(Study):
    """Schemes that use all planes, each with the transport of its paper."""

    variants = SCHEMES


STUDY = PlanesStudy
