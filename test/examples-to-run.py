#!/usr/bin/env python3

# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

# (program and arguments, run when, run under valgrind when)
cpp_examples = [
    ("ai-fabric-first", "True", "True"),
    ("ai-fabric-first --SimulatorImplementationType=ns3::aifabric::WindowSimulator", "True", "True"),
    ("ai-fabric-run --k=4 --size=64KiB", "True", "False"),
    ("aimd-control-example", "True", "False"),
    ("coexistence-example --size=400000", "True", "False"),
    ("datagram-endpoint-example", "True", "False"),
    ("failure-example", "True", "True"),
    ("ip-flow-monitor-example", "True", "False"),
    ("message-application-example", "True", "True"),
    ("mirror-stage-example", "True", "False"),
    ("pfc-example --size=65536", "True", "False"),
    ("planes-example --size=65536", "True", "False"),
    ("roce-pcap-sample", "True", "True"),
    ("scenario-example", "True", "True"),
    ("two-choices-balancer-example --k=4", "True", "False"),
]

python_examples = []
