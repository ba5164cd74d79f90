# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the command lines of the plots of one run have in common."""

import argparse
import math
import sys
import warnings
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from ai_fabric.common import program
from ai_fabric.common.program import (
    INTERRUPTED,
    ScriptError,
    catch_interrupts,
    describe,
    end_output,
    guard_terminal,
    leave_reader,
    printable,
)
from ai_fabric.common.quantity import parse


class Parser(program.Parser):
    """Takes the folder of a run."""

    def __init__(self, description: str | None) -> None:
        name = script_name()
        super().__init__(name, prog=f"./fabric {name}", description=description, allow_abbrev=False)
        self.add_argument("folder", type=Path, help="folder with the results of a run")
        self.add_argument("--out", type=Path, metavar="FOLDER", help="folder for the plots (the same)")

    def parse_args(self, *arguments: Any, **named: Any) -> Any:
        options = super().parse_args(*arguments, **named)
        options.out = options.out or options.folder
        return options


def script_name() -> str:
    """What a script is called in its messages: plot links, or plot, which draws a run."""
    return Path(sys.argv[0]).stem.removesuffix("_run").replace("_", " ")


def show_warning(message: Warning | str, *_: object, **_more: object) -> None:
    """Shows a warning in one line."""
    print(printable(f"{script_name()}: {message}"), file=sys.stderr)


def in_one_line(main: Callable[[], object]) -> None:
    """Runs a program; what is wrong with a file is said in one line. Files may be damaged in any way, and are
    so if anything but this program's own errors comes up."""
    guard_terminal()
    catch_interrupts()
    warnings.showwarning = show_warning
    try:
        main()
        end_output()
    except BrokenPipeError:
        leave_reader()
    except SystemExit as end:
        sys.exit(printable(end.code) if isinstance(end.code, str) else end.code)
    except ScriptError as error:
        sys.exit(printable(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:
        sys.exit(printable(describe(error)))
    except Exception as error:  # pylint: disable=broad-except
        what = printable(str(error).partition("\n")[0])
        sys.exit(f"the results are damaged, or not of a run ({type(error).__name__}: {what})")


def whole_number(text: str) -> int:
    if not text.isdecimal() or not text.isascii():
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 0")
    return int(text)


def time_ns(text: str) -> float:
    """A time with its unit, in nanoseconds."""
    number, kind = parse(text) or (Decimal("nan"), "")
    if (kind != "ns" and number != 0) or not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"{text} is not a time such as 12.5us")
    return float(number)


def number_list(text: str) -> list[int]:
    """Numbers and ranges of them, such as 0-15,32: in order, each once."""
    numbers: set[int] = set()
    for part in text.split(","):
        first, dash, last = part.partition("-")
        if not all(end.isdecimal() and end.isascii() for end in (first, last or "0")) or (
            dash and not last
        ):
            raise argparse.ArgumentTypeError(f"{text} is not a list such as 0-15,32")
        least, most = int(first), int(last or first)
        if least > most or most - least >= 1 << 20:
            raise argparse.ArgumentTypeError(f"{text}: {part} is no range")
        numbers.update(range(least, most + 1))
    return sorted(numbers)
