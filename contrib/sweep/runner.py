# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs ai-fabric-run with many sets of options, a few at a time, one folder a run. A run that is
finished, which its run.json says, is not run again; so an interrupted sweep goes on where it was."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

STALLED = "stalled.txt"
ENDS = "run.json", STALLED  # what a run leaves last
BUSY = "another run writes to this one"  # what a run says of a folder in use
LONGEST_NAME = 150


class RunError(Exception):
    """A run that failed; the message has the command and what it said."""


class Interrupted(Exception):
    """The user stopped the sweep."""


def exit_on_terminate():
    """Lets SIGTERM end this program as an exception does, so that its runs end too."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


def ask(program, option):
    """The names that the program lists for an option, for example --balancer=help."""
    try:
        answer = subprocess.run([program, option], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise RunError(f"{program} does not run ({error})") from None
    names = [line.split()[0] for line in answer.stdout.splitlines() if line[:1].strip()]
    if not names:
        raise RunError(f"{program} is not ai-fabric-run: it says nothing to {option}")
    return names


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


def is_alive(process):
    """Whether there is a process of this number."""
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (ValueError, OverflowError, PermissionError):
        pass
    return True


def remove_leftovers(folder):
    """Deletes what runs that were killed have left, and nothing of a run that goes on."""
    for rest in folder.glob(".partial-*"):
        if not is_alive(rest.name.rpartition("-")[2]):
            shutil.rmtree(rest, ignore_errors=True)


class Runner:
    """A program, and how many of it may run at a time."""

    def __init__(self, program, jobs=None, progress=sys.stderr, resume=True):
        self.program = program
        self.resume = resume
        self.jobs = jobs or os.cpu_count()
        self.progress = progress
        self.built = built_at(program)
        self.stop = threading.Event()
        self.lock = threading.Lock()  # of what follows
        self.running = set()

    def is_finished(self, folder):
        """Whether a folder has the results of a run of this build."""
        for name in ENDS if self.resume else ():
            try:
                if (folder / name).stat().st_mtime >= self.built:
                    read_results(folder)
                    return True
            except (OSError, RunError):
                pass
        return False

    def command(self, folder, options):
        return [
            str(self.program),
            *(f"--{key}={value}" for key, value in options.items()),
            f"--out={folder}",
        ]

    def call(self, command):
        """Runs a command to its end; returns its status and what it said of errors."""
        with self.lock:
            if self.stop.is_set():
                raise Interrupted
            pipe = subprocess.PIPE
            run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=pipe, text=True)
            self.running.add(run)
        errors = run.communicate()[1]
        with self.lock:
            self.running.remove(run)
        if self.stop.is_set():
            raise Interrupted
        return run.returncode, errors

    def stop_all(self):
        """Ends what runs, and begins nothing more."""
        with self.lock:
            self.stop.set()
            for run in self.running:
                run.terminate()

    def run_one(self, folder, options):
        """Runs one set of options, unless another sweep just has; while it does, this waits. A run
        that stalls leaves stalled.txt, which says why."""
        command = self.command(folder, options)
        status, errors = None, ""
        while status is None or BUSY in errors:
            if status is not None:
                self.stop.wait(1)
            if self.is_finished(folder):
                return
            remove_leftovers(folder)
            status, errors = self.call(command)
        message = errors.removeprefix("ai-fabric-run: ")
        if status == 0:
            (folder / STALLED).unlink(missing_ok=True)
        elif message.startswith("stalled "):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / STALLED).write_text(message)
            (folder / "run.json").unlink(missing_ok=True)
        else:
            raise RunError(f"{' '.join(command)}\n{errors.strip()}")

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
                self.stop_all()
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
    path = folder / "run.json"
    if not path.exists():
        return {"completed": False}
    try:
        results = flatten(json.loads(path.read_text())["results"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RunError(f"{path} is damaged") from None
    return {"completed": True, **results}


def why_stalled(folder):
    """What a run that stalled said first."""
    path = folder / STALLED
    return path.read_text().partition("\n")[0] if path.exists() else f"{folder} has no results"
