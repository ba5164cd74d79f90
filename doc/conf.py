# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Settings of Sphinx for the manual of ai-fabric."""

from pathlib import PurePath

from docutils import nodes
from sphinx.util import logging

project = "ai-fabric"
author = "The ai-fabric authors"
copyright = "2026, The ai-fabric authors"
version = release = "0.1.0"

extensions = []
root_doc = "index"
exclude_patterns = ["build"]
highlight_language = "none"

html_theme = "alabaster"
html_show_sphinx = False


def link_pages(app, doctree, docname):
    """Pages name each other by their files, so that the links work on a repository's page, too; here they show titles."""
    for node in doctree.findall(nodes.reference):
        uri = PurePath(node.get("refuri", ""))
        if uri.suffix != ".rst" or "://" in node["refuri"]:
            continue
        if uri.stem not in app.env.titles:
            logging.getLogger(__name__).warning("no page %s", uri, location=node)
            continue
        if node.astext() == str(uri):
            node.children = [nodes.Text(app.env.titles[uri.stem].astext())]
        node["refuri"] = app.builder.get_relative_uri(docname, uri.stem)


def setup(app):
    app.connect("doctree-resolved", link_pages)
