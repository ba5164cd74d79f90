# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The files of runs: which runs there are, what is in them, what differs."""
