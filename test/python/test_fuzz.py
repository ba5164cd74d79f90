# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""A sample of the damaged input of fuzz.py. AI_FABRIC_FUZZ_CASES says how much of it."""

import os

import fuzz
import pytest
from harness import PROGRAM, needs_program

pytestmark = needs_program

CASES = int(os.environ.get("AI_FABRIC_FUZZ_CASES", "120"))


@pytest.mark.slow
def test_no_damage_breaks_the_law():
    counts = fuzz.check_cases(PROGRAM, range(CASES), jobs=2)
    assert sum(counts.values()) == CASES
    kinds = {name.partition(": ")[0] for name in counts}
    assert CASES < 100 or kinds == set(fuzz.KINDS)
    ends = {name.partition(": ")[2] for name in counts}
    assert CASES < 100 or {"completed", "refused"} <= ends


FAKES = {
    "crash": "kill -11 $$",
    "status": "exit 3",
    "silence": "exit 1",
    "two-lines": "printf 'ai-fabric-run: --k=3: no\\nand more\\n' >&2; exit 1",
    "control": "printf 'ai-fabric-run: --k=\\033[31m: is not a number\\n' >&2; exit 1",
    "alone": "printf 'ai-fabric-run: --k=3: an even number\\n' >&2; exit 1",
    "leftover": "mkdir -p out; printf 'ai-fabric-run: --k=3: an even number\\n' >&2; exit 1",
    "partial": "mkdir -p out/.partial-1; echo results; exit 0",
    "nothing": "echo results out; exit 0",
    "hang": "exec sleep 60",
    "loop": "while :; do :; done",
}


@pytest.mark.parametrize("script", FAKES.values(), ids=FAKES)
def test_the_law_can_be_broken(tmp_path, monkeypatch, script):
    program = tmp_path / "program"
    program.write_text(
        "#!/bin/sh\ncase $* in *--check*) echo 10 packet-hops; exit 0;; *--Print*) echo; exit 0;; esac\n" + script
    )
    program.chmod(0o755)
    monkeypatch.setattr(fuzz, "TIMEOUT_S", 1)
    monkeypatch.setattr(fuzz, "PATIENCE", 1)
    monkeypatch.setattr(fuzz, "KINDS", {"flows": fuzz.KINDS["flows"]})
    with pytest.raises(AssertionError, match="again: fuzz.py --program="):
        fuzz.check_cases(program, [0])
