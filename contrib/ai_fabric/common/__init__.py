# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What all verbs need: streams and errors of a program, files, numbers with units."""
