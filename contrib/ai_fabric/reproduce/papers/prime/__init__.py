# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of PRIME and of the host-spraying family have in common: the fabrics, the schemes, and the values of
the reference simulator. PRIME's paper gives no settings, so they are those of that simulator: NSCC, switches that trim,
queues of one bandwidth-delay product, marks between a fifth and four fifths of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_fabric.plot.charts import draw_hollow, draw_schemes
from ai_fabric.reproduce.drawing import Panel
from ai_fabric.reproduce.fabrics import SPACE, attributes, leaf_spine, options_of
from ai_fabric.reproduce.study import Study, beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas

    from ai_fabric.common.aliases import Options, Values
    from ai_fabric.sweep.grid import Case

PAYLOAD = 4086  # bytes of a full packet
FRAME = 4150  # the same with the reference simulator's headers
ACK_PACKETS = [1, 4, 8, 15]  # packets for which there is one acknowledgement

TRANSPORT = {**options_of("base/sprayed"), "mtu": PAYLOAD, "marker": "red", **attributes("RedMarker", PMax=1)}


def fabric(rate: float, rtt_ns: float, queue: int | None = None, **topology: object) -> Values:
    """Options of a fabric by the reference simulator's rules. rate in Gb/s; rtt_ns: its network RTT; queue: packets
    of a queue, if it does not hold one bandwidth-delay product, by which switches mark in any case."""
    bdp = rate * rtt_ns / 8
    packets = int(-(-bdp // FRAME))
    low, high = (-(-fifths * packets // 5) for fifths in (1, 4))  # of the product in whole packets, rounded up
    packets = queue or packets
    drain_ns = packets * FRAME * 8 / rate
    return {**TRANSPORT, **topology, "rate": f"{rate}Gb/s", "delay": "1us", "buffer": packets * FRAME,
            **attributes("RedMarker", KMin=low * FRAME, KMax=high * FRAME),
            **attributes("NsccControl", NetworkRtt=f"{rtt_ns}ns"),
            **attributes("SprayQueuePair", AckTimeout=f"{15000 + 6 * drain_ns:.0f}ns")}


TWO_TIERS = fabric(400, 8337.12, **leaf_spine(16, 8, 8))
SMALL = fabric(400, 8337.12, **leaf_spine(4, 4, 4))


def own(scheme: str) -> Values:
    """What a scheme has beside the transport, which figures change."""
    return {name: value for name, value in options_of(scheme).items() if TRANSPORT.get(name) != value}


def hashing(balancer: str, attribute: str, count: int) -> Values:
    """A scheme with a number of entropies, which switches hash; attribute: the one that has it."""
    return {"balancer": balancer, f"{SPACE}{attribute}": count}


def prime(penalty: int | None = None, **options: object) -> Values:
    """PRIME; penalty: that of a mark, in packets; a loss has four times that."""
    if penalty is not None:
        options |= {"PEcn": penalty, "PNack": 4 * penalty}
    return {**own("prime"), **attributes("PrimeBalancer", **options)}


def hashed(count: int) -> dict[str, Values]:
    """The rivals, with so many entropies, which switches hash."""
    log = count.bit_length() - 1
    return {
        "ops-random": {**own("ops"), **attributes("HostRandomBalancer", Entropies=count)},
        "ops-rrx": hashing("host-permuted", "HostPermutedBalancer::LogEntropies", log),
        "bitmap": hashing("bitmap", "BitmapBalancer::LogEntropies", log),
        "reps-fifo": hashing("reps-fifo", "RepsFifoBalancer::Entropies", count),
        "reps": {**own("reps"), **attributes("RepsBalancer", Entropies=count)},
        "mixed": hashing("mixed", "BitmapBalancer::LogEntropies", log),
    }


SCHEMES = {"ecmp": {"balancer": "ecmp"}, **hashed(256), "prime": prime(), "prime-1-4": prime(1),
           "prime-16-64": prime(16), "prime-hashed": prime(Forwarding="FullHash")}
RIVALS = [*hashed(256)]
CELL = ["message", "packets_per_ack", "scheme"]
COLUMNS = ["longest_us", "mean_us", "over_ideal_percent", "max_queue_data_packets", "retransmissions", "timeouts"]
NEAR = 0.9, 1.1  # ours over the reference simulator's


def acked(packets: int) -> Values:
    """Options of one acknowledgement for so many packets."""
    return attributes("UnorderedAckPolicy", Bytes=packets * PAYLOAD)


class FabricsStudy(Study):
    """A figure whose cases have fabrics of their own."""

    variants = SCHEMES


class PrimeStudy(FabricsStudy):
    """A figure of a scheme's longest flow by message size and coalescing of acknowledgements."""

    @property  # type: ignore[override]  # as the size depends on --quick
    def base(self) -> Values:
        return self.pick(full=TWO_TIERS, quick=SMALL)

    def matrix(
        self, schemes: list[str], sizes: Iterable[str], acks: Iterable[int], options: Options | None = None, **axes: Any
    ) -> list[Case]:
        """Cases of each scheme with each size of a message and each coalescing; the other axes are slower."""
        messages = {size: {"size": size} for size in sizes}
        coalescing = {packets: acked(packets) for packets in acks}
        return self.sweep(options, **axes, scheme=schemes, message=messages, packets_per_ack=coalescing)

    def longest(self, cases: Iterable[Case], reference: Mapping[Any, Any]) -> pandas.DataFrame:
        """Runs cases. Returns means: the longest and mean flow in us, what it exceeds the ideal by, and
        the reference simulator's value, by (message, packets_per_ack, scheme)."""
        return beside(self.tabulate(cases, CELL, COLUMNS), CELL, reference, "reference_us")

    def gains(self, means: pandas.DataFrame) -> dict[Any, float]:
        """By how much PRIME's longest flow is shorter than that of REPS, by message and packets_per_ack, in percent."""
        table = by_scheme(means)
        return (100 * (1 - table.prime / table.reps)).to_dict() if {"prime", "reps"} <= set(table) else {}

    def claim_gains(self, means: pandas.DataFrame, low: float, high: float, headline: float) -> None:
        """PRIME's gain over REPS, in percent: from low to high at 1 MiB with an ACK per 4 packets, as in
        the reference simulator; and the largest of all cells, which is to reach the paper's headline."""
        gains = self.gains(means)
        claim = "1 MiB, an ACK per 4 packets: PRIME's gain over REPS, percent"
        self.claim(claim, f"{low} to {high}", gains.get(("1MiB", 4)))
        if gains:
            most = max(gains, key=lambda cell: gains[cell])
            claim = "PRIME's largest gain over REPS reaches the paper's headline, percent"
            self.claim(claim, f"{headline} or more", f"{gains[most]:.3g} ({most[0]}, an ACK per {most[1]})",
                       gains[most] >= headline)

    def claim_best_rival(self, where: str, means: pandas.DataFrame) -> None:
        """PRIME's gain over the best of the others, cell by cell; only said, as no paper claims it."""
        table = by_scheme(means)
        rivals = table[[name for name in RIVALS if name in table]]
        if "prime" in table and len(rivals.columns):
            gain, best = 100 * (1 - table.prime / rivals.min(axis=1)), rivals.idxmin(axis=1)
            gain.index = [f"{best[cell]}, {cell[0]}, an ACK per {cell[1]}" for cell in gain.index]
            claim = f"{where}: PRIME is no worse than the best rival of each cell, least gain in percent"
            self.claim_least(claim, "0 or more", gain)

    def draw_longest(self, means: pandas.DataFrame, scenario: str, suffix: str = "") -> None:
        """A panel a message size; hollow markers: the reference simulator."""
        shown = []
        for size, rows in means.groupby("message", sort=False):
            known = [] if self.quick else [(draw_hollow, rows, "packets_per_ack", "reference_us")]
            shown.append(Panel(f"{size} a flow", "packets per acknowledgement", "longest flow (us)",
                               (draw_schemes, rows, "packets_per_ack", "longest_us"), *known,
                               ("set_xticks", sorted(set(rows.packets_per_ack)))))
        self.draw(shown, scenario + ("" if self.quick else "; hollow: the reference simulator"), suffix, outer=True)


STUDY = PrimeStudy


def by_scheme(means: pandas.DataFrame) -> pandas.DataFrame:
    """The longest flow, a row a cell and a column a scheme."""
    return means.pivot(index=["message", "packets_per_ack"], columns="scheme", values="longest_us")


def by_cell(
    schemes: Iterable[str], table: Mapping[tuple[str, int], Sequence[float | None]]
) -> dict[tuple[str, int, str], float]:
    """{(message, packets_per_ack): values by scheme} as {(message, packets_per_ack, scheme): value}."""
    return {(size, packets, scheme): value for (size, packets), values in table.items()
            for scheme, value in zip(schemes, values) if value is not None}


DEGRADED = {"fail": "spine-0~0.25@0ns"}
ORDERED = {"ordered": 10}


def slow_links(count: int, links: int) -> Values:
    """Options that let so many links from cores down to the first aggregation switches be slow."""
    if count == 0:
        return {}
    ports = [(link // links, links + link % links) for link in range(min(count, 2 * links))]
    return {"fail": ",".join(f"pod0-agg-{switch}:{port}/down~0.25@0ns" for switch, port in ports)}
