# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""How a script ends: whatever its input, with one line that a terminal can show. Imported first, before
modules that take long: from then on Ctrl-C ends the script at once, without a traceback."""

import argparse
import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, NoReturn, TextIO

IS_SCRIPT = threading.current_thread() is threading.main_thread()  # else imported by another program
if IS_SCRIPT and signal.getsignal(signal.SIGINT) == signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

INTERRUPTED = 128 + signal.SIGINT
FILLED = "--program", "--bin", "--bin-dir"  # options that ./fabric gives


class ScriptError(Exception):
    """Something that the user has to know in one line."""


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong, after the name of the script."""

    def __init__(self, name: str, **options: Any) -> None:
        self.known: list[str] = []
        super().__init__(**options)
        self.name = name

    def error(self, message: str) -> NoReturn:
        sys.exit(printable(f"{self.name}: {message}"))

    def add_argument(self, *names: Any, **options: Any) -> argparse.Action:
        action = super().add_argument(*names, **options)
        if action.help is not argparse.SUPPRESS:
            self.known += [name for name in action.option_strings if name not in FILLED]
        return action

    def parse_args(self, *arguments: Any, **named: Any) -> Any:
        options, others = self.parse_known_args(*arguments, **named)
        for other in others[:1]:
            name = other.partition("=")[0]
            self.error(f"{other}: no such option{near(name, self.known)}" if name.startswith("-") else f"{other}: one too many")
        return options


class PlainStream:
    """A stream to which control characters are written as question marks: a terminal would obey them. Ends of
    lines and tabs stay, and a carriage return that begins a line of progress."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        begin = text[:1] if text.startswith("\r") else ""
        rest = text[len(begin) :]
        return self.stream.write(begin + "".join(c if c in "\n\t" else printable(c) for c in rest))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class ClosedStream(io.TextIOWrapper):
    """A stream that the caller has closed: it keeps nothing of what is written."""

    def __init__(self) -> None:
        super().__init__(open(os.devnull, "wb"), encoding="utf-8")
        self.is_used = False

    def write(self, text: str) -> int:
        self.is_used = True
        return len(text)


def printable(text: object) -> str:
    """A text in one line, without control characters."""
    return "".join(c if c.isprintable() else "?" for c in str(text))


def near(name: str, known: Iterable[str]) -> str:
    """What may have been meant."""
    import difflib  # which few need

    return "".join(f" (did you mean {printable(one)}?)" for one in difflib.get_close_matches(name, list(known), 1))


def guard_terminal() -> None:
    """From now on no control characters reach the terminal, whoever prints them."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or ClosedStream()
        if not isinstance(stream, PlainStream):
            stream.reconfigure(errors="replace")  # a terminal need not have all characters
            setattr(sys, name, PlainStream(stream))


def end_output() -> None:
    """Writes out what was printed. An error if stdout is closed, as for a full disk: what was asked for is nowhere."""
    sys.stdout.flush()
    if getattr(sys.stdout, "is_used", False):
        raise OSError(errno.EBADF, "cannot be written", "stdout")


def catch_interrupts() -> None:
    """From now on Ctrl-C is an exception again."""
    if IS_SCRIPT and signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def describe(error: OSError) -> str:
    """What an OSError says, with the name of the file if it has one."""
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)


def leave_reader() -> NoReturn:
    """Ends the script, as nobody reads what it prints."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(128 + signal.SIGPIPE)


def run_script(name: str, main: Callable[[], int | None], interrupted: str = "interrupted") -> NoReturn:
    """Calls main, and ends the script with the status that it returns. What is wrong is said in one line, after
    the name of the script; interrupted: what is said after Ctrl-C."""
    guard_terminal()
    try:
        try:
            status = main()
        finally:
            end_output()  # of help, too, which leaves by an exception
        sys.exit(status)
    except BrokenPipeError:  # who reads has enough, as head has
        leave_reader()
    except ScriptError as error:
        sys.exit(printable(f"{name}: {error}"))
    except OSError as error:
        sys.exit(printable(f"{name}: {describe(error)}"))
    except KeyboardInterrupt:
        print(f"\n{name}: {interrupted}", file=sys.stderr)
        sys.exit(INTERRUPTED)
