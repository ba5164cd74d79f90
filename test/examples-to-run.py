#!/usr/bin/env python3

# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

# (program and arguments, run when, run under valgrind when)
cpp_examples = [
    ("roce-pcap-sample", "True", "True"),
]

python_examples = []
