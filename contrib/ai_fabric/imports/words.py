# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The words of a text file, each with its line, and the values that they stand for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from ai_fabric.common.aliases import FilePath
from ai_fabric.common.program import ScriptError
from ai_fabric.common.safe_file import read_text

PS_PER_S = 10**12
TIMES = {"s": PS_PER_S, "ms": 10**9, "us": 10**6, "ns": 1000, "ps": 1}  # in picoseconds
RATES = {"T": 10**12, "G": 10**9, "M": 10**6, "k": 1000, "K": 1000, "": 1}  # in bit/s
NUMBER = r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+"


@dataclass(frozen=True)
class Word:
    """A word of a file."""

    path: str
    line: int
    text: str

    def fail(self, what: str) -> NoReturn:
        raise ScriptError(f"{self.path}:{self.line}: {what}")

    def require(self, ok: object, name: str, allowed: str) -> None:
        """Refuses the word as the value of a name, unless it is allowed."""
        if not ok:
            self.refuse(name, allowed)

    def refuse(self, name: str, allowed: str) -> NoReturn:
        self.fail(f"{name}: '{self.text}' is not {allowed}")

    def whole(self, name: str, least: int, most: int) -> int:
        allowed = f"a whole number from {least} to {most}"
        self.require(self.text.isdecimal() and self.text.isascii() and len(self.text) < 20, name, allowed)
        self.require(least <= int(self.text) <= most, name, allowed)
        return int(self.text)

    def number(self, name: str) -> Fraction:
        """A number that is not negative, with or without decimals and exponent."""
        matched = re.fullmatch(rf"({NUMBER})([eE][+-]?[0-9]{{1,2}})?", self.text)
        self.require(matched, name, "a number of at least 0")
        return Fraction(self.text)

    def rate(self) -> int:
        """A rate in bit/s, as ns-3 writes it."""
        matched = re.fullmatch(rf"({NUMBER})([TGMkK]?)(?:bps|b/s)", self.text)
        if not matched or not (value := Fraction(matched[1]) * RATES[matched[2]]) or value.denominator > 1:
            self.refuse("rate", "a rate with its unit, such as 100Gbps")
        return int(value)

    def time(self) -> int:
        """A time in picoseconds, as ns-3 writes it."""
        matched = re.fullmatch(rf"({NUMBER})(s|ms|us|ns|ps)", self.text)
        if not matched or (value := Fraction(matched[1]) * TIMES[matched[2]]).denominator > 1:
            self.refuse("delay", "a time in whole ps with its unit, such as 1us")
        return int(value)


Line = list[Word]
Lines = list[Line]


class Words:
    """The words of a file, one after the other, whatever lines they stand on."""

    def __init__(self, path: FilePath, lines: Lines) -> None:
        self.path = path
        self.words = [word for line in lines for word in line]
        self.place = 0

    def next(self, what: str) -> Word:
        """The next word.  what: what it stands for, if the file ends before it."""
        if self.place == len(self.words):
            raise ScriptError(f"{self.path}: ends before {what}")
        self.place += 1
        return self.words[self.place - 1]

    def lines_left(self) -> int:
        """How many lines have words that have not been read."""
        read = self.words[self.place - 1].line if self.place else 0
        return len({word.line for word in self.words[self.place :]} - {read})


def read_lines(path: FilePath) -> Lines:
    """The lines of a file that have words and are no comments."""
    try:
        text = read_text(path)
    except UnicodeDecodeError:
        raise ScriptError(f"{path}: is no text") from None
    lines = [[Word(str(path), number, word) for word in line.split()] for number, line in enumerate(text.splitlines(), 1)]
    return [line for line in lines if line and not line[0].text.startswith("#")]


def show(value: int, units: Mapping[str, int]) -> str:
    """A whole number in the largest unit in which it is whole."""
    return next(f"{value // factor}{unit}" for unit, factor in units.items() if value % factor == 0)


def show_time(picoseconds: int) -> str:
    return show(picoseconds, TIMES) if picoseconds else "0ns"


def show_rate(rate: int) -> str:
    return show(rate, {f"{unit}b/s": factor for unit, factor in RATES.items() if unit in ("T", "G", "M", "")})
