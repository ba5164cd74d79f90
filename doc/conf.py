# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Settings of Sphinx for the manual of ai-fabric."""

import re
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


FILE = re.compile(r"(?<=\n\n)`[^`<>]+ <(\S+\.(csv|txt|toml|py|cc))>`__$(?=\n\n|\n*\Z)", re.MULTILINE)


def show_files(app, _page, source):
    """A line that only links a file, which a repository's page follows, shows the file here."""

    def shown(link):
        name, kind = link.groups()
        if kind == "csv":
            widths = "   :widths: auto\n" if app.builder.format == "html" else ""
            return f".. csv-table::\n   :file: {name}\n   :header-rows: 1\n{widths}"
        language = {"toml": "toml", "py": "python", "cc": "cpp"}.get(kind, "none")
        return f".. literalinclude:: {name}\n   :language: {language}\n"

    source[0] = FILE.sub(shown, source[0])


def setup(app):
    app.connect("source-read", show_files)
    app.connect("doctree-resolved", link_pages)
