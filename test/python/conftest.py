# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What tests have in common."""

import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "contrib"))

# What a shell in the background, or nohup, has us ignore, programs would ignore too; but tests send it.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, lambda *_: None)  # which programs do not inherit


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: a case takes 2 s or more; ./fabric test --quick leaves it out")


def pytest_collection_finish():
    """Scripts that were imported have Ctrl-C end them at once; a test run wants to say what it did."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# Stands in for ai-fabric-run: notes that it was called, and does as --do says.
FAKE = """#!{python}
import json, os, pathlib, sys, time
if "--balancer=help" in sys.argv:
    print("rsq             ns3::aifabric::RsqBalancer\\n  Attribute [1]: help\\nofan  ns3::x::OfanBalancer")
    sys.exit(0)
options = dict(argument[2:].partition("=")[::2] for argument in sys.argv[1:])
if "check" in options:
    if options.get("do") == "refuse":
        sys.exit("ai-fabric-run: --do=refuse: one of fail, stall")
    print("16 hosts, 16 messages, about 3000000 packet-hops")
    sys.exit(0)
out = pathlib.Path(options["out"])
if options.get("do") == "slow":
    try:
        (out / "busy").mkdir(parents=True)
    except FileExistsError:
        sys.exit("ai-fabric-run: --out: another run writes to this one")
    time.sleep(0.5)
with open(r"{log}", "a") as log:
    log.write(options.get("size", "") + "\\n")
if options.get("do") == "sleep":
    pathlib.Path(r"{log}").with_name("process").write_text(str(os.getpid()))
if options.get("do") == "die":
    os.kill(os.getpid(), 9)
if options.get("do") == "fail":
    sys.exit("ai-fabric-run: --do=fail: no\\nand more of it")
if options.get("do") == "stall":
    print("ai-fabric-run: this is a debug build, and slow", file=sys.stderr)
    sys.exit("ai-fabric-run: stalled after 1 ns simulated, 1 of 1 messages pending: nothing")
if options.get("do") == "sleep":
    time.sleep(60)
if options.get("do") == "nothing":
    sys.exit(0)
out.mkdir(parents=True, exist_ok=True)
seed = int(options.get("RngRun", 1))
cct = 10.0 * seed
results = {{"cct_ns": cct, "completion_bound_ns": 9.0, "wall_s": 2.0, "packet_hops": 1000000, "layers": {{"edge-up": {{"max_waiting_bytes": 8316}}}}}}
(out / "run.json").write_text(json.dumps({{"scenario": {{"hosts": 16}}, "results": results}}))
"""


@pytest.fixture
def fake(tmp_path):
    """A program that pretends to run, and the file in which it notes its calls."""
    log = tmp_path / "calls"
    log.write_text("")
    program = tmp_path / "bin" / "fake"
    program.parent.mkdir()
    program.write_text(FAKE.format(python=sys.executable, log=log))
    program.chmod(0o755)
    return program, log
