# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What others have measured with nccl-tests on GPU clusters whose GPUs, NICs and rates they state, and the options
that describe these clusters. Each source is a thread or a page; none of its numbers is used to choose a value here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ai_fabric.reproduce.fabrics import attributes
from ai_fabric.reproduce.study import Study

if TYPE_CHECKING:
    from ai_fabric.common.aliases import Values

GIB = 1 << 30
NCCL = "https://github.com/NVIDIA/nccl/issues/"
TESTS = "https://github.com/NVIDIA/nccl-tests/issues/"
RING = {"algorithm": "node-ring", "protocol": "nccl"}  # what NCCL_ALGO=RING forces
TREE = {"algorithm": "node-tree", "protocol": "nccl"}
ONE_RING = {"algorithm": "ring", "protocol": "nccl"}
H800 = attributes("NodeFabric", Rate="1318400Mb/s")  # 8 links of what NCCL reckons of a link of an H100


@dataclass(frozen=True)
class Cluster:
    """A cluster, and what was measured there. nodes, gpus: of a node; rate: of its NICs for each GPU; times: by bytes,
    of the collective as nccl-tests count them: us, or GB/s of bus bandwidth."""

    name: str
    source: str
    nodes: int
    gpus: int
    rate: str
    nvlink: str = "raw"
    times: dict[int, float] = field(default_factory=dict)
    bandwidths: dict[int, float] = field(default_factory=dict)
    more: Values = field(default_factory=dict)
    workload: str = "all-reduce"

    def options(self, size: int) -> Values:
        """Those of a run: nodes under a leaf each, and as many spines as GPUs in a node."""
        single = self.gpus == 1 or self.nodes == 1
        fabric = {"topology": "leaf-spine", "leaves": 1 if single else self.nodes, "spines": 1 if single else self.gpus,
                  "hostsPerLeaf": self.nodes * self.gpus if single else self.gpus, "rate": self.rate}
        node = {"gpusPerNode": self.gpus, "nvlink": self.nvlink} if self.gpus > 1 else {}
        parts = self.nodes * self.gpus if self.workload == "all-to-all" else 1
        usual = {"balancer": "host-dr", "workload": self.workload, "size": f"{size // parts}B", "algorithm": "nccl"}
        options: Values = {**usual, **fabric, **node, **self.more}
        return {name: value for name, value in options.items() if value is not None}


CLUSTERS = [
    Cluster("2 A100 in a node", NCCL + "583", 1, 2, "200Gb/s", "a100", {32: 10.14, 64: 10.14}),
    Cluster("8 A100 in a node", NCCL + "527", 1, 8, "50Gb/s", "a100", {GIB: 8142.6}),
    Cluster("8 H100 in a node, NVLS off", TESTS + "309", 1, 8, "400Gb/s", "h100", bandwidths={16 * GIB: 368.76}, more=RING),
    *(Cluster(f"{gpus} H100 in a node, NVLS", NCCL + "1455", 1, gpus, "400Gb/s", "h100", bandwidths={4 * GIB: rate})
      for gpus, rate in ((5, 420), (6, 440), (7, 460), (8, 480))),
    Cluster("8 H200 in a node, NVLS", TESTS + "272", 1, 8, "400Gb/s", "h100", bandwidths={4 * GIB: 475}),
    Cluster("4 H100 in a node, all-to-all", NCCL + "2169", 1, 4, "400Gb/s", "h100", {524288000: 1174.14},
            workload="all-to-all", more={"algorithm": "direct", "protocol": "simple"}),
    Cluster("2 GB10, a cable of 200 Gb/s", "https://github.com/NVIDIA/dgx-spark-playbooks/pull/103", 2, 1, "200Gb/s",
            times={8192: 35.15, 16384: 31.67, 32768: 39.56, 65536: 67.93}),
    Cluster("2 x 1 H100, PCIe of 400 Gb/s, tree", TESTS + "232", 2, 1, "400Gb/s",
            times={2 << 20: 113.2, 4 << 20: 154.4, 8 << 20: 231.4, 16 << 20: 420.5, 32 << 20: 812.3},
            more={**TREE, "algorithm": "double-binary-tree"}),
    Cluster("2 GPUs, NICs of 8 x 100 Gb/s, MRC, send-receive", "https://arxiv.org/abs/2605.04333", 2, 1, "100Gb/s",
            bandwidths={10**9: 92}, workload="send-receive",
            more={"balancer": None, "stack": "mrc", "forwarding": "srv6", "planes": 8, "algorithm": "direct",
                  "protocol": "simple"}),
    Cluster("2 x 4 H100, 4 x 200 Gb/s, ring", TESTS + "252", 2, 4, "200Gb/s", "h100",
            {GIB // 2: 10052, GIB: 20079, 2 * GIB: 39871}, more=RING),
    Cluster("2 x 8 A100, 8 x 100 Gb/s, ring", NCCL + "812", 2, 8, "100Gb/s", "a100", {8: 93.12, 128: 93.62, 512: 93.96},
            more=RING),
    Cluster("2 x 8 A100, 4 x 200 Gb/s", TESTS + "100", 2, 8, "100Gb/s", "a100", bandwidths={GIB: 91}),
    Cluster("2 x 8 H100, 8 x 400 Gb/s, NVLS", NCCL + "1221", 2, 8, "400Gb/s", "h100", bandwidths={4 * GIB: 430}),
    Cluster("2 x 8 H800, 8 x 100 Gb/s, NVLS", TESTS + "153", 2, 8, "100Gb/s", bandwidths={GIB: 161}, more=H800),
    Cluster("3 x 8 A100, 4 x 200 Gb/s", TESTS + "119", 3, 8, "100Gb/s", "a100",
            {23068680: 518.4, 25165832: 557.4, 28311560: 622.4, 33554440: 732.9}),
    Cluster("4 x 8 A100, 8 x 200 Gb/s", NCCL + "812", 4, 8, "200Gb/s", "a100", bandwidths={GIB: 192}),
    Cluster("4 x 8 H100, 8 x 400 Gb/s", NCCL + "1221", 4, 8, "400Gb/s", "h100", bandwidths={4 * GIB: 320}),
    Cluster("5 x 8 H100, 4 x 400 Gb/s, ring", NCCL + "1368", 5, 8, "200Gb/s", "h100", {1 << 20: 354.9},
            {GIB: 190}, more=RING),
    Cluster("5 x 8 H100, 4 x 400 Gb/s, tree", NCCL + "1368", 5, 8, "200Gb/s", "h100", bandwidths={GIB: 150}, more=TREE),
    Cluster("16 x 8 H100", NCCL + "1469", 16, 8, "400Gb/s", "h100", {8: 72.01, 1024: 73.73, 2048: 76.84, 4096: 76.61}),
]


class HardwareStudy(Study):
    """No schemes are compared."""

    fixed = "compares with hardware"


STUDY = HardwareStudy
