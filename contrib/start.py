# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Starts a part of the package ai_fabric as a program, from whatever folder: start.py sweep --help."""

import runpy
import sys

from ai_fabric.common.program import ScriptError, printable

try:
    runpy.run_module(f"ai_fabric.{sys.argv.pop(1)}", run_name="__main__", alter_sys=True)
except ScriptError as error:  # of what is asked before a part begins, such as a style of plots
    sys.exit(printable(error))
