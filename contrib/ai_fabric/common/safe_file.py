# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Reads only files that end, and writes files whole or not at all."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ai_fabric.common.aliases import FilePath

MOST_BYTES = 64 << 20  # of a file that is read at once


def check_regular(path: FilePath) -> None:
    """Refuses pipes, devices and folders."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "is not a regular file", str(path))


def is_cut(path: FilePath) -> bool:
    """Whether the last line of a file has no end."""
    with open(path, "rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - 1))
        return file.read() != b"\n"


def read_text(path: FilePath) -> str:
    """The text of a regular file of bounded size."""
    check_regular(path)
    if os.stat(path).st_size > MOST_BYTES:
        raise OSError(errno.EFBIG, f"has more than {MOST_BYTES >> 20} MiB", str(path))
    return Path(path).read_text(encoding="utf-8")


def is_alive(process: str | int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (ValueError, OverflowError, PermissionError):
        pass
    return True


@contextmanager
def named_errors(path: FilePath) -> Iterator[None]:
    """Errors of what writes a file have its name; that of a full disk has none."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


@contextmanager
def written_whole(path: FilePath, newline: str | None = None) -> Iterator[TextIO]:
    """A file that is opened to be written: it has its name when all is written."""
    path = Path(path)
    begin = f".{path.name}.partial-"
    for rest in path.parent.glob(f"{begin}[0-9]*"):  # of a program that was killed
        if not is_alive(rest.name.removeprefix(begin)):
            rest.unlink(missing_ok=True)
    partial = path.with_name(f"{begin}{os.getpid()}")
    try:
        with named_errors(path), open(partial, "x", encoding="utf-8", newline=newline) as file:
            yield file
        os.replace(partial, path)
    except BaseException as error:
        partial.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename == str(partial):
            error.filename = str(path)  # the name that was asked for
        raise
