# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Words that a shell proposes at the Tab key."""
