# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Senders in phase share a full drop-tail queue: none of them locks the others out."""

import pytest
from harness import rows, succeed

SWITCH = "--topology=leaf-spine", "--leaves=1", "--spines=1", "--hostsPerLeaf=16", "--rate=100Gb/s"
INCAST = "--workload=incast", "--size=2MB", "--jitter=0ns"


def spread(folder, *options):
    """The longest flow over the shortest one."""
    succeed(folder, *SWITCH, *INCAST, *options)
    durations = [float(row["duration_ns"]) for row in rows(folder, "flows")]
    return max(durations) / min(durations)


@pytest.mark.parametrize("admission", ["port", "shared", "trimming"])
@pytest.mark.parametrize("senders", [2, 4, 7, 15])
def test_equal_senders_end_together(tmp_path, admission, senders):
    options = f"--senders={senders}", f"--admission={admission}", "--buffer=100kB"
    for seed in (1, 2, 3):
        assert spread(tmp_path, *options, f"--RngRun={seed}") < 1.15


def test_without_the_coin_one_locks_the_others_out(tmp_path):
    assert spread(tmp_path, "--senders=2", "--buffer=100kB", "--ns3::aifabric::BufferAdmission::Victim=Arriving") > 1.5
