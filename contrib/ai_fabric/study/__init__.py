# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Questions: schemes in cases, with paired seeds and intervals."""
