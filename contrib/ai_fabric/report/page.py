# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The page: one HTML file that needs no other, and loads none."""

import base64
import hashlib
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from collections.abc import Sequence

from ai_fabric.report.markup import Content, Element, prose, tag

HERE = Path(__file__).resolve().parent
NAME = "report.html"
KINDS = {".png": "image/png", ".svg": "image/svg+xml"}
MOST_IMAGE = 8 << 20  # bytes of a picture that is taken in


@dataclass
class Page:
    """What is on the page. facts: what stands below the title; answer: its first part; sections: others by title;
    commands: what each does, and its words."""

    title: str
    facts: list[str] = field(default_factory=list)
    answer: list[Content] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    sections: dict[str, list[Content]] = field(default_factory=dict)
    commands: list[tuple[str, Sequence[str]]] = field(default_factory=list)

    def add(self, title: str, *content: Content) -> None:
        """Adds to a section, if there is anything to add."""
        if any(content):
            self.sections.setdefault(title, []).extend(content)


def hash_of(script: str) -> str:
    """How the page names the only script that may run in it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def identity(title: str) -> str:
    return title.lower().replace(" ", "-")


def quoted(words: Sequence[str]) -> list[Content]:
    """The words of a command, which a line tears only if they are longer than itself."""
    parts: list[Content] = []
    for word in words:
        parts += [" ", tag("span", shlex.quote(word))]
    return parts[1:]


def draw_command(what: str, words: Sequence[str]) -> Element:
    button = tag("button", "Copy", type="button", hidden=True)
    return tag("div", tag("p", what), tag("div", tag("pre", quoted(words)), button, class_="command"))


def draw_warnings(page: Page) -> Content:
    if not page.warnings:
        return None
    return tag("div", [tag("p", tag("b", "Warning: "), prose(text)) for text in page.warnings], class_="warnings", role="note")


def draw_body(page: Page) -> Element:
    """The body: the answer first, then what it rests on."""
    sections = dict(page.sections)
    if page.commands:
        sections["Commands"] = [draw_command(what, words) for what, words in page.commands]
    links = tag("nav", [tag("a", title, href=f"#{identity(title)}") for title in sections]) if len(sections) > 2 else None
    head = tag("header", tag("h1", page.title), tag("p", " · ".join(page.facts), class_="under-title"), links)
    parts = [tag("section", tag("h2", title, id=identity(title)), content) for title, content in sections.items()]
    answer = tag("div", page.answer, class_="answer") if page.answer else None
    return tag("body", head, answer, draw_warnings(page), parts, tag("footer", "Made by ./fabric report of ai-fabric."))


def render(page: Page) -> str:
    """The text of the file. Its policy allows no network, and no script but its own."""
    script = (HERE / "page.js").read_text(encoding="utf-8")
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '{hash_of(script)}'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", page.title),
        tag("style", Element((HERE / "page.css").read_text(encoding="utf-8"))),
    )
    text = tag("html", head, draw_body(page), tag("script", Element(script)), lang="en")
    return f"<!DOCTYPE html>\n{text}\n"


def image(path: Path, text: str) -> Content:
    """A picture of a file, inside the page. As an image it runs no script."""
    if path.stat().st_size > MOST_IMAGE:
        return tag("p", f"{path.name} is too large to be shown here.")
    data = base64.b64encode(path.read_bytes()).decode()
    shown = tag("img", src=f"data:{KINDS[path.suffix]};base64,{data}", alt=text, loading="lazy")
    return tag("figure", shown, class_="shown wide")
