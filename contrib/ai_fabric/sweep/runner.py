# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Runs ai-fabric-run with many sets of options, a few at a time, one folder a run. A run that is
finished, which its run.json says, is not run again; so an interrupted sweep goes on where it was."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn, TextIO

from ai_fabric.runs.run_json import flatten
from ai_fabric.sweep.inputs import inputs_of, read_inputs, write_inputs
from ai_fabric.common.aliases import FilePath, Options, Values
from ai_fabric.common.program import ScriptError, printable
from ai_fabric.common.safe_file import is_alive, read_text, written_whole

if TYPE_CHECKING:
    from ai_fabric.sweep.grid import SweptRun

PREFIX = "ai-fabric-run: "
NOTICE = "this is a debug build"  # what a run may say that is no error
STALLED = "stalled.txt"
ENDS = "run.json", STALLED  # what a run leaves last
PATIENCE = 10  # seconds that a run has to end when it is told to
BUSY = "another run writes to this one"  # what a run says of a folder in use
LONGEST_NAME = 150


class RunError(ScriptError):
    """What cannot be run, or has failed."""


class RunFailed(RunError):
    """A run that failed. The message is a line with the reason, which it said, and the command."""

    def __init__(self, command: Sequence[str], status: int, errors: str) -> None:
        lines = [line for line in errors.splitlines() if line.strip() and NOTICE not in line]
        said = [line for line in lines if line.startswith(PREFIX)] or lines
        silence = f"status {status}, and nothing said" if status else "it left no run.json"
        self.reason = printable(said[0].removeprefix(PREFIX) if said else silence)
        super().__init__(f"{self.reason}; for more: {shlex.join(command)}")


class Interrupted(Exception):
    """The user stopped the sweep."""


def exit_on_terminate() -> None:
    """Lets SIGTERM end this program as an exception does, so that its runs end too. Another SIGTERM
    changes nothing: it would interrupt the end of the runs."""

    def leave(number: int, frame: FrameType | None) -> NoReturn:
        signal.signal(number, signal.SIG_IGN)
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, leave)


def ask(program: FilePath, option: str, library: object = None) -> list[str]:
    """The names that the program lists for an option, for example --balancer=help, with those of libraries."""
    loading = [f"--library={library}"] if library else []
    try:
        answer = subprocess.run([program, *loading, option], capture_output=True, text=True, check=True)
    except subprocess.CalledProcessError as error:
        raise RunFailed(error.cmd, error.returncode, error.stderr) from None
    except OSError as error:
        raise RunError(f"{program} does not run ({error})") from None
    names = [line.split()[0] for line in answer.stdout.splitlines() if line[:1].strip()]
    if not names:
        raise RunError(f"{program} is not ai-fabric-run: it says nothing to {option}")
    return names


def no_check(program: FilePath, options: Options) -> str:
    """Why the program has ended well, and checked nothing."""
    lists = [name for name, value in options.items() if value == "help" or name.startswith("Print") or name == "version"]
    if lists:
        return f"--{lists[0]}={options[lists[0]]}: prints a text instead of a run; ./fabric run does that"
    return f"{program} is not ai-fabric-run: it says nothing to --check"


def name_of(options: Options) -> str:
    """A folder's name for a set of options: the same whatever their order, and of no other set."""
    names = {name: name.removeprefix("ns3::aifabric::").replace("::", ".") for name in options}
    text = ",".join(f"{names[name]}={options[name]}" for name in sorted(options))
    is_ambiguous = "_" in text or text.count("=") > len(options)
    digest = hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:8]
    text = text.replace("/", "_")
    return f"{text[:LONGEST_NAME]}-{digest}" if is_ambiguous or len(text) > LONGEST_NAME else text


def built_at(program: FilePath) -> float:
    """When the program, or the module's library beside it, was built last."""
    program = Path(program).resolve()
    library = program.parent.parent / "lib"
    parts = [program, *library.glob("*ai-fabric*")]
    return max((part.stat().st_mtime for part in parts if part.exists()), default=0)


def remove_leftovers(folder: Path) -> None:
    """Deletes what runs that were killed have left, and nothing of a run that goes on."""
    for rest in folder.glob(".partial-*"):
        if not is_alive(rest.name.rpartition("-")[2]):
            shutil.rmtree(rest, ignore_errors=True)


def named_files(folder: Path) -> list[str] | None:
    """The other files that a run.json names; None if it is damaged."""
    try:
        return [name for name in json.loads(read_text(folder / "run.json"))["files"] if Path(name).name == name]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, RecursionError, KeyError, TypeError):
        return None


def remove_damaged(folder: Path) -> None:
    """Deletes tables and captures of a run whose run.json is damaged, as a run refuses what no run.json names; nothing while
    a run writes."""
    if named_files(folder) is None and not any(folder.glob(".partial-*")):
        for path in (*folder.glob("*.csv"), *folder.glob("*.pcap"), folder / "run.json"):
            if path.is_file():
                path.unlink()


def remove_results(folder: Path, but: str | None = None) -> None:
    """Deletes what a run has left, but for one file: what its run.json names, and that last, since a run refuses tables
    that no run.json names."""
    for name in [*(named_files(folder) or []), *ENDS[::-1]]:
        if name != but:
            (folder / name).unlink(missing_ok=True)


def duration(seconds: float) -> str:
    """A time as people say it."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


class Runner:
    """A program, and how many of it may run at a time."""

    def __init__(
        self, program: FilePath, jobs: int | None = None, progress: TextIO = sys.stderr, resume: bool = True
    ) -> None:
        self.program = program
        self.resume = resume
        self.jobs = jobs or len(os.sched_getaffinity(0))
        self.progress = progress
        self.built = built_at(program)
        self.stop = threading.Event()
        self.lock = threading.Lock()  # of what follows
        self.running: set[subprocess.Popen[str]] = set()

    def is_finished(self, folder: Path, options: Options) -> bool:
        """Whether a folder has the results of a run of this build, with these files."""
        if not self.resume:
            return False
        try:
            if inputs_of(options) != read_inputs(folder):
                return False
        except OSError:
            return False
        for name in ENDS:
            try:
                if (folder / name).stat().st_mtime >= self.built:
                    read_results(folder)
                    return True
            except (OSError, RunError):
                pass
        return False

    def missing(self, runs: Iterable[SweptRun]) -> list[SweptRun]:
        """Those of the runs that are to be run."""
        return [run for run in runs if not self.is_finished(run.folder, run.options)]

    def command(self, folder: FilePath, options: Options) -> list[str]:
        given: Options = {"threads": 1, **options}  # runs share the processors
        return [str(self.program), *(f"--{key}={value}" for key, value in given.items()), f"--out={folder}"]

    def call(self, command: Sequence[str], output: int = subprocess.DEVNULL) -> tuple[int, str, str | None]:
        """Runs a command to its end; returns its status, what it said of errors, and its output, if
        that is a pipe."""
        with self.lock:
            if self.stop.is_set():
                raise Interrupted
            pipe = subprocess.PIPE
            run = subprocess.Popen(command, stdout=output, stderr=pipe, text=True, errors="replace")
            self.running.add(run)
        said, errors = run.communicate()
        with self.lock:
            self.running.remove(run)
        if self.stop.is_set():
            raise Interrupted
        return run.returncode, errors, said

    def stop_all(self) -> None:
        """Ends what runs, and begins nothing more. A run that does not end by itself is killed."""
        with self.lock:
            self.stop.set()
            running = list(self.running)
            for run in running:
                run.terminate()
        last = time.monotonic() + PATIENCE
        while any(run.returncode is None for run in running) and time.monotonic() < last:
            time.sleep(0.01)
        for run in running:
            run.kill()

    def run_one(self, folder: Path, options: Options) -> str | None:
        """Runs one set of options, unless another sweep just has; while it does, this waits. A run
        that stalls, or has failed messages, leaves stalled.txt, which says why. Returns the first
        line of that."""
        command = self.command(folder, options)
        status: int | None = None
        errors = ""
        while status is None or BUSY in errors:
            if status is not None:
                self.stop.wait(1)
            if self.is_finished(folder, options):
                return None
            remove_leftovers(folder)
            remove_damaged(folder)
            self.note_inputs(folder, options)
            status, errors, _ = self.call(command)
        stall = max(errors.find(f"{PREFIX}{how} after ") for how in ("stalled", "ended"))
        if status == 0 and (folder / "run.json").exists():
            (folder / STALLED).unlink(missing_ok=True)
            return None
        if status != 0 and stall >= 0:
            folder.mkdir(parents=True, exist_ok=True)
            with written_whole(folder / STALLED) as file:
                file.write(errors[stall:].removeprefix(PREFIX))
            remove_results(folder, but=STALLED)
            return why_stalled(folder)
        raise RunFailed(command, status, errors)

    @staticmethod
    def note_inputs(folder: Path, options: Options) -> None:
        """Notes which files a run is going to read. Results of others go before, so that none are taken for
        those of this run if it is killed."""
        inputs = inputs_of(options)
        if inputs != read_inputs(folder):
            remove_results(folder)
            write_inputs(folder, inputs)

    def run_each(
        self,
        runs: Mapping[Path, Options],
        tell: Callable[[Path, str], str | None] = lambda folder, what: None,
        ended: Callable[[Path], object] = lambda folder: None,
    ) -> dict[Path, RunFailed]:
        """Runs a dictionary of options by folder, with one line of progress. Returns the errors of
        those that failed, by folder. tell(folder, what) makes the line that is shown of a run that
        stalls or fails; ended(folder) is called after each other run, and may raise an exception, which
        ends all."""
        waiting = [folder for folder in runs if not self.is_finished(folder, runs[folder])]
        bar = ProgressBar(self.progress, len(runs), len(runs) - len(waiting))
        errors: dict[Path, RunFailed] = {}
        with ThreadPoolExecutor(self.jobs) as pool:
            submit = pool.submit
            try:
                pending = {submit(self.run_one, folder, runs[folder]): folder for folder in waiting}
                for job in as_completed(pending):
                    folder, error = pending[job], job.exception()
                    if isinstance(error, RunFailed):
                        errors[folder] = error
                        bar.say(tell(folder, error.reason))
                    elif error:
                        raise error
                    elif stall := job.result():
                        bar.say(tell(folder, stall))
                    else:
                        ended(folder)
                    bar.advance()
            except BaseException:
                self.stop_all()
                pool.shutdown(cancel_futures=True)
                raise
            finally:
                bar.finish()
        return errors

    def run_all(self, runs: Mapping[Path, Options]) -> None:
        """Runs a dictionary of options by folder, with one line of progress. Raises RunError when
        all others are done, if one failed."""
        errors = self.run_each(runs)
        if errors:
            first = next(errors[folder] for folder in runs if folder in errors)
            raise RunError(f"{len(errors)} of {len(runs)} runs failed; the first: {first}")

    def check(self, options: Options) -> int:
        """Has the program check a set of options. Returns the packet-hops of such a run, about.
        Raises RunError with one line, if there is anything wrong with it."""
        unused = Path(tempfile.gettempdir()) / f"ai-fabric-unused-{os.getpid()}"  # the folder that we are in may be read-only
        command = [*self.command(unused, options), "--check"]
        try:
            status, errors, said = self.call(command, subprocess.PIPE)
        except OSError as error:
            raise RunError(f"{self.program} does not run ({error.strerror})") from None
        if status != 0:
            raise RunError(RunFailed(command, status, errors).reason)
        hops = re.search(r"(\d+) packet-hops", said or "")
        if not hops:
            raise RunError(no_check(self.program, options))
        return int(hops[1])

    def check_all(self, sets: Iterable[Options]) -> list[int]:
        """Has the program check sets of options, and returns the packet-hops of each. Raises the
        RunError of the first that is wrong."""
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                jobs = [pool.submit(self.check, options) for options in sets]
                return [job.result() for job in jobs]
            except RunError:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            except BaseException:
                self.stop_all()
                pool.shutdown(cancel_futures=True)
                raise

    def hops_of(self, runs: Sequence[SweptRun]) -> int:
        """Has the program check each set of options of runs once, whatever the seed. Returns the packet-hops of
        these runs, about."""
        sets: dict[tuple[tuple[str, object], ...], Options] = {}
        for run in runs:
            sets.setdefault(run.options_but_seed(), run.options)
        hops = dict(zip(sets, self.check_all(sets.values())))
        return sum(hops[run.options_but_seed()] for run in runs)


class ProgressBar:
    """One line that changes on a terminal, and ten lines elsewhere."""

    WIDTH = 30

    def __init__(self, stream: TextIO, total: int, done: int) -> None:
        self.stream = stream
        self.total = total
        self.done = self.before = done
        self.begin = time.monotonic()
        self.shown: int | None = None
        self.show()

    def advance(self) -> None:
        self.done += 1
        self.show()

    def show(self) -> None:
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
        self.write(text, "" if live else "\n")

    def say(self, line: str | None) -> None:
        """Shows a line that stays."""
        if line:
            self.write(line, "\n")

    def write(self, text: str, end: str) -> None:
        if self.stream.isatty():
            room = shutil.get_terminal_size((100, 24)).columns - 1
            text = "\r" + (text if end else text[:room]).ljust(room)
        print(text, end=end, file=self.stream, flush=True)

    def times(self) -> str:
        spent = time.monotonic() - self.begin
        new = self.done - self.before
        if not new:
            return ""
        left = spent / new * (self.total - self.done)
        return f", {duration(spent)}" + (f", about {duration(left)} to go" if left else "")

    def finish(self) -> None:
        if self.stream.isatty():
            print(file=self.stream)


def read_results(folder: Path) -> Values:
    """The results of a run, in one level; nothing but completed=False of one that stalled."""
    path = folder / "run.json"
    if not path.exists():
        if not (folder / STALLED).exists():
            raise RunError(f"{folder} has no results")
        return {"completed": False}
    try:
        results = flatten(json.loads(read_text(path))["results"])
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise RunError(f"{path} is damaged") from None
    return {"completed": True, **results}


def why_stalled(folder: Path) -> str:
    """What a run that stalled said first."""
    path = folder / STALLED
    if not path.exists():
        return f"{folder} has no results"
    try:
        return printable(read_text(path).partition("\n")[0])
    except (OSError, ValueError):
        return f"{path} is damaged"
