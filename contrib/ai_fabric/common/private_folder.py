# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Folders to which nobody else can write."""

import atexit
import os
import shutil
import stat
import tempfile
from pathlib import Path


def cache_folder() -> Path | None:
    """The folder for what is made once, as in ./fabric; None if none is known."""
    own = os.environ.get("AI_FABRIC_CACHE")
    home = os.environ.get("HOME")
    user = os.environ.get("XDG_CACHE_HOME") or (home and f"{home}/.cache")
    return Path(own) if own else Path(user) / "ai-fabric" if user else None


def is_own(folder: Path, others: int) -> bool:
    """Whether it is a folder of this user, which the others, given by permission bits, cannot write."""
    status = folder.lstat()
    is_ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    return is_ours and not status.st_mode & others and os.access(folder, os.W_OK)


def private_folder(name: str) -> Path:
    """A folder below that of the cache; if that cannot be had, one that goes when the program ends."""
    cache = cache_folder()
    try:
        if cache and cache.is_absolute():
            cache.mkdir(parents=True, exist_ok=True)
            (cache / name).mkdir(mode=0o700, exist_ok=True)
            anyone = stat.S_IWOTH
            if is_own(cache, anyone) and is_own(cache / name, anyone | stat.S_IWGRP):
                return cache / name
    except OSError:
        pass
    folder = tempfile.mkdtemp(prefix="ai-fabric-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
