# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What a packet-hop costs, beside bare event loops and other simulators."""
