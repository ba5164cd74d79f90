# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Starts a part of the package ai_fabric as a program, from whatever folder: start.py sweep --help."""

import runpy
import sys

runpy.run_module(f"ai_fabric.{sys.argv.pop(1)}", run_name="__main__", alter_sys=True)
