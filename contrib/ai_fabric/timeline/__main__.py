#!/usr/bin/env python3
# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Writes a run as a trace that Perfetto (https://ui.perfetto.dev) and Chrome show: a rank is a process, its streams are
threads with compute, collectives and messages; faults, events and queues are those of the fabric."""

import sys
from pathlib import Path

from ai_fabric.common.program import Parser, ScriptError, run_script  # first: Ctrl-C from here on

from ai_fabric.common.command import number_list, time_ns, whole_number
from ai_fabric.runs.run_json import undamaged
from ai_fabric.common.safe_file import check_regular, written_whole

VERB = "timeline"
NAME = "timeline.json"


def make_parser() -> Parser:
    parser = Parser(VERB, prog=f"./fabric {VERB}", description=__doc__, allow_abbrev=False)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="folder with the results of a run")
    parser.add_argument("--ranks", type=number_list, help="hosts whose messages and compute are shown, such as 0-15,32 (all)")
    parser.add_argument("--from", type=time_ns, dest="begin", help="begin of what is shown, such as 5us")
    parser.add_argument("--to", type=time_ns, dest="end", help="its end, such as 10us")
    parser.add_argument("--collective", type=whole_number, help="number of the collective whose messages are shown (all)")
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"file ({NAME} in the folder)")
    return parser


def check_target(target: Path) -> None:
    """Refuses to replace anything but a timeline: results end in .json, too."""
    if target.is_dir() or target.suffix != ".json":
        raise ScriptError(f"--out={target}: a name that ends in .json is needed")
    if target.exists():
        from ai_fabric.timeline.trace import BEGIN  # and numpy

        check_regular(target)
        with open(target, "rb") as file:
            if file.read(len(BEGIN)) != BEGIN.encode():
                raise ScriptError(f"--out={target}: that file is there, and is no timeline; another name is needed")


def main(arguments: list[str]) -> int:
    own = make_parser().parse_args(arguments)
    target = own.out or own.folder / NAME
    check_target(target)
    from ai_fabric.plot.messages import Choice  # and pandas
    from ai_fabric.runs.run_data import Run
    from ai_fabric.timeline.timeline import Timeline

    run = Run(own.folder)
    begin, end = (float(sign + "inf") if time is None else time for sign, time in (("-", own.begin), ("+", own.end)))
    with undamaged(own.folder):
        timeline = Timeline(run, Choice(own.collective, own.ranks, begin, end))
        trace = timeline.make()
    target.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(target) as file:
        trace.write(file, {"made by": f"ai-fabric: ./fabric {VERB}", "run": run.caption})
    for what in timeline.missing:
        print(f"Not in it: {what}")
    print(f"{target}: {len(trace.events)} events; open it in https://ui.perfetto.dev")
    return 0


if __name__ == "__main__":
    run_script(VERB, lambda: main(sys.argv[1:]))
