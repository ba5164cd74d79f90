# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Settings of Sphinx for the manual of ai-fabric."""

project = "ai-fabric"
author = "The ai-fabric authors"
copyright = "2026, The ai-fabric authors"
version = release = "0.1.0"

extensions = []
root_doc = "index"
exclude_patterns = ["build"]
rst_prolog = ".. |ns3| replace:: *ns-3*\n"
highlight_language = "none"

html_theme = "alabaster"
html_show_sphinx = False
