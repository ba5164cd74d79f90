# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How a script ends: whatever its input, with one line that a terminal can show. Imported first, before
modules that take long: from then on Ctrl-C ends the script at once, without a traceback."""

import signal
import sys

if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def printable(text):
    """A text in one line, without control characters."""
    return "".join(c if c.isprintable() else "?" for c in str(text))


def catch_interrupts():
    """From now on Ctrl-C is an exception again."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # names of files need not be text
