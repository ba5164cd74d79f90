# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""An iteration of a dense model of 405 billion parameters, scaled down, and fabrics of any number of GPUs. GPUs are
hosts; the 8 of a node share a model's layers (tensor parallel) without the fabric, as part of their compute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_fabric.reproduce.study import Study

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ai_fabric.common.aliases import Values

TENSOR, STAGES = 8, 16  # GPUs that share a layer, and stages of the pipeline
REPLICA = TENSOR * STAGES  # GPUs that have the model once
SHARD = 8  # replicas that share optimizer states; gradients are summed over these first
LONGEST = 16  # ranks of a ring of shards; if there are more, their sums are divided once more
POD = 128  # hosts: 8 leaves of 16
SCALE = 256  # by which bytes and times are smaller than those of the model
# Of a GPU: 405e9 / 128 parameters, whose gradients have 4 bytes, and weights 2
GRADIENTS, WEIGHTS = 48 << 20, 24 << 20
ACTIVATION = 8192 * 16384 * 2 // TENSOR // SCALE  # bytes of a sequence between two stages
FORWARD_US = 506  # of a sequence in a stage: 2 * 405e9 * 8192 / 128 operations at 400 TFLOP/s; back twice as long


def fabric(gpus: int) -> Values:
    """Three tiers without oversubscription: pods of 8 leaves with 16 hosts, and 16 spines."""
    return {"topology": "three-tier", "pods": gpus // POD, "leavesPerPod": POD // 16, "spinesPerPod": 16,
            "cores": POD, "hostsPerLeaf": 16, "rate": "400Gb/s", "delay": "500ns"}


def job(gpus: int, sequences: int, part: int = 1) -> Iterator[str]:
    """The lines of a training file: sequences go through the pipeline forth, then back; then gradients are summed and
    weights gathered. part: bytes and times are divided by this."""
    replicas = gpus // REPLICA
    groups = list(groups_of(replicas))
    for stage in range(STAGES):
        yield from communicator(f"stage {stage}", [host for copy in range(replicas) for host in hosts_of(copy, stage)])
    for name, hosts, _ in groups:
        yield from communicator(name, hosts)
    for name, order, times in ("forward", range(STAGES), 1), ("backward", range(STAGES)[::-1], 2):
        yield from (f'[[phase]]\nname = "{name}"\nrepeat = {sequences}', "steps = [")
        for stage in order:
            yield from pipeline(stage, None if stage == order[-1] else stage + order[1] - order[0],
                                stage == order[0], replicas, times, part)
        yield "]"
    steps = [("inner", "reduce-scatter", GRADIENTS), *sums(replicas), ("inner", "all-gather", WEIGHTS)]
    yield from ('[[phase]]\nname = "gradients"', "steps = [")
    yield from (f'    {{ collective = "{collective}", bytes = {size // part}, on = "{name}" }},'
                for level, collective, size in steps for name, _, of in groups if of == level)
    yield "]"


def hosts_of(replica: int, stage: int) -> list[int]:
    """The GPUs of a stage: a node."""
    first = replica * REPLICA + stage * TENSOR
    return list(range(first, first + TENSOR))


def middle_of(replicas: int) -> int:
    """Ranks of the rings between the inner and the outer ones; 1: there are none."""
    shards = replicas // SHARD
    return 1 if shards <= LONGEST else max(size for size in range(1, LONGEST + 1) if shards % size == 0)


def sums(replicas: int) -> list[tuple[str, str, int]]:
    """Levels, collectives and bytes by which equal shards are summed."""
    middle, shard = middle_of(replicas), GRADIENTS // SHARD
    outer = [("outer", "all-reduce", shard // middle)] if replicas > SHARD else []
    around = [("middle", name, shard) for name in ("reduce-scatter", "all-gather") if middle > 1]
    return [*around[:1], *outer, *around[1:]]


def groups_of(replicas: int) -> Iterator[tuple[str, list[int], str]]:
    """Names, hosts and levels of the rings: SHARD replicas each, and those with the same shard."""
    middle = middle_of(replicas)
    inner = min(SHARD, replicas)
    for place in range(REPLICA):
        ranks = [replica * REPLICA + place for replica in range(replicas)]
        for first in range(0, replicas, inner):
            yield f"inner {place} {first}", ranks[first : first + inner], "inner"
        if replicas > SHARD:
            for shard in range(SHARD):
                alike = ranks[shard::SHARD]
                for part in range(middle):
                    yield f"outer {place} {shard} {part}", alike[part::middle], "outer"
                for first in range(0, len(alike) if middle > 1 else 0, middle):
                    yield f"middle {place} {shard} {first}", alike[first : first + middle], "middle"


def communicator(name: str, hosts: Sequence[int]) -> tuple[str, ...]:
    return f'[[communicator]]\nname = "{name}"', f"hosts = {list(hosts)}"


def pipeline(stage: int, following: int | None, is_first: bool, replicas: int, times: int, part: int) -> Iterator[str]:
    """A stage computes when it has the activations, and sends its own to the following one."""
    waits = f'["work {stage}"]' if is_first else f'["work {stage}", "to {stage}"]'
    delay = FORWARD_US * times / part
    yield f'    {{ name = "work {stage}", compute = "{delay:g}us", on = "stage {stage}", after = {waits} }},'
    for replica in range(replicas if following is not None else 0):
        for source, destination in zip(hosts_of(replica, stage), hosts_of(replica, following or 0)):
            yield (f'    {{ name = "to {following}", from = {source}, to = {destination}, bytes = {ACTIVATION // part}, '
                   f'after = ["work {stage}"] }},')


class FluidStudy(Study):
    """A figure of rates, beside packets where they can be."""

    fixed = "compares two fidelities"
    variants = {"ECMP": {"balancer": "ecmp"}, "spraying": {"balancer": "ofan"}}
    base = {"convergence": "0ns", "buffer": "4GB"}  # nothing is lost


STUDY = FluidStudy
