# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs ai-fabric-run with many sets of options, a few at a time, one folder a run. A run that is
finished, which its run.json says, is not run again; so an interrupted sweep goes on where it was."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

STALLED = "stalled.txt"
ENDS = "run.json", STALLED  # what a run leaves last
LONGEST_NAME = 150


class RunError(Exception):
    """A run that failed; the message has the command and what it said."""


class Interrupted(Exception):
    """The user stopped the sweep."""


def ask(program, option):
    """The names that the program lists for an option, for example --balancer=help."""
    try:
        answer = subprocess.run([program, option], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise RunError(f"{program} does not run ({error})") from None
    return [line.split()[0] for line in answer.stdout.splitlines() if line[:1].strip()]


def name_of(options):
    """A folder's name for a set of options: the same whatever their order."""
    text = ",".join(f"{key.split('::', 2)[-1]}={options[key]}" for key in sorted(options))
    text = text.replace("/", "_").replace("::", ".")
    if len(text) > LONGEST_NAME:
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        text = f"{text[:LONGEST_NAME]}-{digest}"
    return text


def built_at(program):
    """When the program, or the module's library beside it, was built last."""
    program = Path(program).resolve()
    library = program.parent.parent / "lib"
    parts = [program, *library.glob("*ai-fabric*")]
    return max((part.stat().st_mtime for part in parts if part.exists()), default=0)


class Runner:
    """A program, and how many of it may run at a time."""

    def __init__(self, program, jobs=None, progress=sys.stderr, resume=True):
        self.program = program
        self.resume = resume
        self.jobs = jobs or os.cpu_count()
        self.progress = progress
        self.built = built_at(program)
        self.stop = threading.Event()

    def is_finished(self, folder):
        """Whether a folder has the results of a run of this build."""
        for name in ENDS if self.resume else ():
            try:
                if (folder / name).stat().st_mtime >= self.built:
                    return True
            except OSError:
                pass
        return False

    def command(self, folder, options):
        return [
            str(self.program),
            *(f"--{key}={value}" for key, value in options.items()),
            f"--out={folder}",
        ]

    def run_one(self, folder, options):
        """Runs one set of options. A run that stalls leaves stalled.txt, which says why."""
        if self.stop.is_set():
            raise Interrupted
        killed = [*folder.parent.glob(f".{folder.name}.partial-*"), *folder.glob(".partial-*")]
        for rest in killed:
            shutil.rmtree(rest, ignore_errors=True)
        for name in ENDS:
            (folder / name).unlink(missing_ok=True)
        command = self.command(folder, options)
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if self.stop.is_set():
            raise Interrupted
        if run.returncode == 0:
            return
        message = run.stderr.removeprefix("ai-fabric-run: ")
        if not message.startswith("stalled "):
            raise RunError(f"{' '.join(command)}\n{run.stderr.strip()}")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / STALLED).write_text(message)

    def run_all(self, runs):
        """Runs a dictionary of options by folder, with one line of progress. Raises RunError when
        all others are done, if one failed."""
        waiting = {folder: runs[folder] for folder in runs if not self.is_finished(folder)}
        bar = ProgressBar(self.progress, len(runs), len(runs) - len(waiting))
        errors = []
        with ThreadPoolExecutor(self.jobs) as pool:
            pending = [pool.submit(self.run_one, *run) for run in waiting.items()]
            try:
                for job in as_completed(pending):
                    if isinstance(job.exception(), RunError):
                        errors.append(str(job.exception()))
                    elif job.exception():
                        raise job.exception()
                    bar.advance()
            except BaseException:
                self.stop.set()
                pool.shutdown(cancel_futures=True)
                raise
            finally:
                bar.finish()
        if errors:
            raise RunError(f"{len(errors)} of {len(runs)} runs failed; the first:\n{errors[0]}")


class ProgressBar:
    """One line that changes on a terminal, and ten lines elsewhere."""

    WIDTH = 30

    def __init__(self, stream, total, done):
        self.stream = stream
        self.total = total
        self.done = self.before = done
        self.begin = time.monotonic()
        self.shown = None
        self.show()

    def advance(self):
        self.done += 1
        self.show()

    def show(self):
        live = self.stream.isatty()
        tenth = 10 * self.done // max(1, self.total)
        if not live and tenth == self.shown:
            return
        self.shown = tenth
        filled = self.WIDTH * self.done // max(1, self.total)
        text = f"[{'#' * filled}{'.' * (self.WIDTH - filled)}] {self.done} of {self.total} runs"
        if self.before:
            text += f", {self.before} were there"
        text += self.times()
        end = "" if live else "\n"
        print(("\r" if live else "") + text.ljust(99), end=end, file=self.stream, flush=True)

    def times(self):
        spent = time.monotonic() - self.begin
        new = self.done - self.before
        if not new:
            return ""
        left = spent / new * (self.total - self.done)
        return f", {spent:.0f} s" + (f", about {left:.0f} s to go" if left else "")

    def finish(self):
        if self.stream.isatty():
            print(file=self.stream)


def flatten(results, prefix=""):
    """Nested objects as one level: layers.edge-up.bytes."""
    flat = {}
    for key, value in results.items():
        if isinstance(value, dict):
            flat.update(flatten(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat


def read_results(folder):
    """The results of a run, in one level; nothing but completed=False of one that stalled."""
    if not (folder / "run.json").exists():
        return {"completed": False}
    results = json.loads((folder / "run.json").read_text())["results"]
    return {"completed": True, **flatten(results)}
