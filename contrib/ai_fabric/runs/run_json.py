# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Reads run.json of a folder; what is wrong is said in one line."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ai_fabric.common.aliases import FilePath, Values
from ai_fabric.common.program import ScriptError
from ai_fabric.common.safe_file import read_text

NAME = "run.json"


@contextmanager
def of_a_run(folder: FilePath) -> Iterator[None]:
    """Whoever reads run.json of a folder: what is missing there, or is no part of a run, is said with its name."""
    try:
        yield
    except OSError as error:
        raise ScriptError(f"{folder}: no results of a run there ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ScriptError(f"{Path(folder) / NAME}: is not what a run leaves") from None


@contextmanager
def undamaged(folder: FilePath) -> Iterator[None]:
    """Whoever reads the tables of a folder, which may be damaged in any way: what goes wrong is said in one line."""
    try:
        yield
    except (ScriptError, OSError):
        raise
    except Exception as error:  # pylint: disable=broad-except
        what = str(error).partition("\n")[0]
        raise ScriptError(f"{folder}: the results are damaged, or not of a run ({type(error).__name__}: {what})") from None


def read_summary(folder: FilePath) -> Any:
    """What run.json of a folder holds, as it is; to be called within of_a_run()."""
    return json.loads(read_text(Path(folder) / NAME))


def flatten(results: Mapping[str, Any], prefix: str = "") -> Values:
    """Nested objects as one level: layers.edge-up.bytes."""
    flat: Values = {}
    for key, value in results.items():
        if isinstance(value, dict):
            flat.update(flatten(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat
