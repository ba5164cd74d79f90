# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--stack`: transport, control, recovery, acknowledgements and buffers that belong together."""

import pytest
from harness import SMALL, call, check_refusals, succeed

LOSSLESS = "ns3::aifabric::SharedBuffer::LosslessClasses"
NAMES = "ideal", "roce", "hpcc", "power-tcp", "theta-power-tcp", "timely", "swift", "uec", "mrc"
WORKLOADS = "permutation", "incast", "all-to-all", "all-reduce"


def listed(folder):
    """The options of each stack, as help lists them."""
    stacks = {}
    for line in call(folder, "--stack=help").stdout.splitlines():
        if not line.startswith(" "):
            options = stacks.setdefault(line, {})
        elif line.startswith("    --"):
            name, _, value = line.strip()[2:].partition("=")
            options[name] = value
    return stacks


def summary_line(folder, *options):
    """The line of the summary that names the stack."""
    done = call(folder, *SMALL, *options)
    assert done.returncode == 0, done.stderr
    [line] = [line for line in done.stdout.splitlines() if line.startswith("stack ")]
    return line.split(maxsplit=1)[1]


def test_help_lists_all_and_runs_nothing(tmp_path):
    assert tuple(listed(tmp_path)) == NAMES and not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_a_stack_is_its_options(tmp_path, name):
    """A run with the stack is one with its options one by one, and the summary names it."""
    stack = succeed(tmp_path, *SMALL, f"--stack={name}")
    single = succeed(tmp_path, *SMALL, *(f"--{option}={value}" for option, value in listed(tmp_path)[name].items()))
    assert stack["scenario"]["stack"] == name and stack["scenario"] == single["scenario"]
    for key in ("cct_ns", "events", "layers", "policies"):
        assert stack["results"][key] == single["results"][key]
    assert summary_line(tmp_path, f"--stack={name}").startswith(f"{name}: ")


@pytest.mark.parametrize("workload", WORKLOADS)
@pytest.mark.parametrize("name", NAMES)
def test_each_stack_runs_each_workload_without_a_loss_that_it_does_not_expect(tmp_path, name, workload):
    """PFC loses nothing; trimming takes the payload, and no packet waits for a timer."""
    results = succeed(tmp_path, *SMALL, f"--workload={workload}", f"--stack={name}")["results"]
    if name != "ideal":
        assert results["drops"] == 0 and results["timeouts"] == 0


def test_what_is_given_wins(tmp_path):
    line = summary_line(tmp_path, "--stack=uec", "--balancer=rsq")
    assert line.startswith("uec: spray, balancer rsq")
    line = summary_line(tmp_path, "--stack=roce", "--recovery=sack", "--ackPolicy=per-packet")
    assert line.startswith("own: rc") and "recovery sack" in line and "rateControl dcqcn" in line


def test_no_stack_is_ideal(tmp_path):
    assert summary_line(tmp_path).startswith("ideal: rc, balancer ecmp")
    assert summary_line(tmp_path, "--recovery=go-back-n").startswith("own: ")


REFUSED = {
    "--stack=tcp": "one of ideal, roce, hpcc, power-tcp, theta-power-tcp, timely, swift, uec, mrc",
    "--stack=uec --transport=rc": "spray with --stack=uec",
    "--stack=roce --workload=all-reduce --algorithm=esa": "in-network aggregation",
}


def test_contradictions_are_refused(tmp_path):
    check_refusals(tmp_path, REFUSED, *SMALL)


def test_reordering_that_looks_like_loss_is_said(tmp_path):
    done = call(tmp_path, "--k=4", "--size=256kB", "--recovery=go-back-n", "--balancer=host-random", "--buffer=8MB")
    assert "no packet was lost, and" in done.stdout


NAMED = {  # by what is given beside nothing else
    "--rateControl=dcqcn": "roce",
    "--rateControl=nscc": "uec",
    "--rateControl=timely": "timely",
    "--rateControl=dcqcn --transport=rc": "roce",
    "--rateControl=dcqcn --stack=ideal": "own",
    "--rateControl=nscc --transport=rc": "own",
    "--rateControl=fixed": "ideal",
}


@pytest.mark.parametrize("options, name", NAMED.items(), ids=NAMED)
def test_a_control_alone_chooses_its_stack(tmp_path, options, name):
    assert summary_line(tmp_path, *options.split()).startswith(f"{name}: ")


def test_another_recovery_than_the_stack_has_acknowledgements_that_it_takes(tmp_path):
    for options in "--stack=roce --recovery=sack", "--rateControl=dcqcn --recovery=oracle":
        assert "ackPolicy per-packet, admission shared" in summary_line(tmp_path, *options.split())
