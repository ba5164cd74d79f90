# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Fabrics and traffic of other simulators, as files that ai-fabric-run reads."""
