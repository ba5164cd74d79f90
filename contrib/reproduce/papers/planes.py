# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The schemes that use all planes of a fabric, each with the transport of its paper."""

from fabrics import attributes
from study import Study

SPRAY = {"transport": "spray", "rateControl": "nscc", "admission": "trimming",
         **attributes("SprayQueuePair", RetryLimit=100)}
SCHEMES = {
    "ecmp": {"balancer": "ecmp", "recovery": "go-back-n", "steering": "split"},
    "host-dr": {"balancer": "host-dr", "recovery": "sack"},
    "ofan": {"balancer": "ofan", "recovery": "sack"},
    "prime": {**SPRAY, "balancer": "prime"},
    "mrc": {"transport": "mrc", "admission": "trimming", "forwarding": "srv6", "convergence": "never"},
}
CABLE = "plane0-leaf-0--plane0-spine-0"


class PlanesStudy(Study):
    """Schemes that use all planes, each with the transport of its paper."""

    variants = SCHEMES


STUDY = PlanesStudy
