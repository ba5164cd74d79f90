# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Files of the clone that the package reads."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def of_clone(name: str) -> Path:
    """A file of the clone; a package that pip has installed has copies."""
    copies = PACKAGE / "clone"
    return (copies if copies.is_dir() else PACKAGE.parents[1]) / name
