# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The figure of two faults: its cases, and verdicts that can say no."""

import pytest
from meta_figures import study, words  # noqa: F401 (a fixture, and contrib in the path)

pandas = pytest.importorskip("pandas")

from ai_fabric.reproduce.figures.meta import faults as meta_faults

RACKS = ["leaf-0", "leaf-1", "leaf-2"]


class SeenRun:
    """A run with given tables."""

    def __init__(self, slower=0, errors=(), receivers=(), drops=0):
        self.results = {"drops": drops}
        hops = [500 + (slower if rack == meta_faults.SLOW else 0) for rack in RACKS]
        trips = [
            (one, other, 7000 + 2 * slower * (meta_faults.SLOW in (one, other)), 0)
            for one in RACKS
            for other in RACKS
            if one != other
        ]
        nics = [(host, host in errors, 100 * (host in receivers)) for host in range(6)]
        self.tables = {
            "hop-latency": pandas.DataFrame({"switch": RACKS, "min_ns": hops}),
            "reachability": pandas.DataFrame(trips, columns=["from_rack", "to_rack", "rtt_min_ns", "lost"]),
            "nic-counters": pandas.DataFrame(nics, columns=["host", "packet_seq_err", "out_of_sequence"]).astype(int),
        }

    def table(self, name):
        return self.tables[name]


def test_each_fault_has_options_of_its_own():
    cases = meta_faults.faults(4, "0.0001")
    assert cases[meta_faults.HEALTHY] == {}
    assert cases[meta_faults.REGRESSION] == {"switchLatency": "leaf-1=1500ns"}
    assert cases[meta_faults.SICK_NIC] == {"fail": "host-2:0--leaf-0:2/up%0.0001:data@0s"}


@pytest.mark.parametrize("slower, case", [(0, "healthy"), (1000, "slow switch")])
def test_a_slow_switch_is_only_where_it_should_be(study, slower, case):
    for seen in (0, 1000):
        study.verdicts.clear()
        meta_faults.judge_latency(study, case, SeenRun(seen))
        assert words(study, "leaf-1") == [seen == slower] * 2
        assert words(study, "other leaves") == [True] * 2


@pytest.mark.parametrize("case, sick", [("healthy", False), ("sick NIC", True)])
def test_a_sick_nic_is_only_where_it_should_be(study, case, sick):
    for errors, receivers in (((), ()), ((2,), (4, 5))):
        study.verdicts.clear()
        meta_faults.judge_nics(study, case, SeenRun(errors=errors, receivers=receivers))
        assert words(study, "packet_seq_err of host 2") == words(study, "receivers") == [bool(errors) == sick]
        assert words(study, "all other") == words(study, "dropped") == [True]
    study.verdicts.clear()
    meta_faults.judge_nics(study, case, SeenRun(errors=(2, 3), receivers=(2,), drops=4))
    assert words(study, "all other") == words(study, "out_of_sequence of host 2") == words(study, "dropped") == [False]
