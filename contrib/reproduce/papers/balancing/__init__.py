# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of the first paper have in common."""

from study import Study

STUDY = Study
