# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""--fidelity=fluid puts balancers in the order of packets."""

import random

import fluid_orders
import pytest
from harness import needs_program


def test_an_order_can_be_another_one():
    """Times that differ by 3 % or less have none."""
    packets = {"ofan": 100, "host-dr": 103, "ecmp": 150}
    pairs = fluid_orders.compare(packets, {"ofan": 100, "host-dr": 90, "ecmp": 95})
    assert [(one, other, agrees) for one, other, _, agrees in pairs] == [("ofan", "ecmp", False), ("host-dr", "ecmp", True)]


@needs_program
@pytest.mark.parametrize("kind", fluid_orders.TRAFFIC)
def test_balancers_are_in_the_order_of_packets(tmp_path, kind):
    options, pairs = fluid_orders.judge(kind, random.Random("order " + kind), tmp_path)
    assert pairs and all(agrees for *_, agrees in pairs), (options, pairs)
