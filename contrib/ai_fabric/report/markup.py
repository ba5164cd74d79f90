# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""HTML elements. All text is escaped, whatever file it is from; only an Element is not."""

import re
from html import escape
from collections.abc import Iterable
from typing import Union

FORBIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
VOID = {"meta", "br", "img", "input"}


def plain(text: str) -> str:
    """A text without what HTML forbids: control characters, and bytes of names that are no characters."""
    return FORBIDDEN.sub("\ufffd", text)


class Element(str):
    """A text that is HTML."""


Attribute = Union[str, int, float, bool, None]
Content = Union[str, int, float, None, Element, Iterable["Content"]]


def text_of(content: Content) -> str:
    """Content as HTML."""
    if content is None:
        return ""
    if isinstance(content, Element):
        return content
    if isinstance(content, (str, int, float)):
        return escape(plain(str(content)), quote=False)
    return "".join(map(text_of, content))


def attribute(name: str, value: Union[str, int, float, bool]) -> str:
    """An attribute: class_ stands for class, data_x for data-x."""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(plain(str(value)))}"'


def tag(name: str, /, *content: Content, **attributes: Attribute) -> Element:
    """An element. Attributes that are None or False are left out."""
    given = "".join(attribute(key, value) for key, value in attributes.items() if value is not None and value is not False)
    end = "" if name in VOID else f"{text_of(content)}</{name}>"
    return Element(f"<{name}{given}>{end}")


def prose(text: str) -> list["Content"]:
    """A sentence in which options of the command line stand out, and neither they nor numbers with their % are torn at the end
    of a line."""
    parts = re.split(r"(?<![\w-])(--[A-Za-z]\S*[^\s.,;:)])", text.replace(" %", "\xa0%"))
    return [tag("code", part, class_="option") if index % 2 else part for index, part in enumerate(parts)]
