# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of PRIME and of the host-spraying family have in common: the fabrics, the schemes,
and the values of the reference simulator. PRIME's paper gives no settings, so they are those of that
simulator: NSCC, switches that trim, queues of one bandwidth-delay product, marks between a fifth and
four fifths of that."""

from dataclasses import dataclass

from charts import draw_hollow, draw_schemes, finish, legend, panels
from grid import Case
from study import Study

SPACE = "ns3::aifabric::"
PAYLOAD = 4086  # bytes of a full packet
FRAME = 4150  # the same with the reference simulator's headers
ACK_PACKETS = [1, 4, 8, 15]  # packets for which there is one acknowledgement
ENTROPIES = 256  # of the schemes that hash

TRANSPORT = {
    "transport": "spray",
    "rateControl": "nscc",
    "admission": "trimming",
    "mtu": PAYLOAD,
    "marker": "red",
    f"{SPACE}RedMarker::PMax": 1,
    f"{SPACE}EcnMarker::AtDequeue": "true",
    f"{SPACE}BufferAdmission::Victim": "Coin",
    f"{SPACE}NsccControl::Profile": "Uet",
    f"{SPACE}SprayQueuePair::AckDscp": 48,
    f"{SPACE}SelectiveRepeatRecovery::BackOff": "false",
    f"{SPACE}SprayQueuePair::RetryLimit": 1000,
}


def fabric(rate, rtt_ns, queue=None, **topology):
    """Options of a fabric by the reference simulator's rules. rate in Gb/s; rtt_ns: its network RTT; queue: packets
    of a queue, if it does not hold one bandwidth-delay product, by which switches mark in any case."""
    bdp = rate * rtt_ns / 8
    packets = int(-(-bdp // FRAME))
    low, high = (-(-fifths * packets // 5) for fifths in (1, 4))  # of the product in whole packets, rounded up
    packets = queue or packets
    drain_ns = packets * FRAME * 8 / rate
    return {
        **TRANSPORT,
        **topology,
        "rate": f"{rate}Gb/s",
        "delay": "1us",
        "buffer": packets * FRAME,
        f"{SPACE}RedMarker::KMin": low * FRAME,
        f"{SPACE}RedMarker::KMax": high * FRAME,
        f"{SPACE}NsccControl::NetworkRtt": f"{rtt_ns}ns",
        f"{SPACE}SprayQueuePair::AckTimeout": f"{15000 + 6 * drain_ns:.0f}ns",
    }


TWO_TIERS = fabric(400, 8337.12, topology="leaf-spine", leaves=16, spines=8, hostsPerLeaf=8)
SMALL = fabric(400, 8337.12, topology="leaf-spine", leaves=4, spines=4, hostsPerLeaf=4)


def hashing(balancer, attribute=None, count=ENTROPIES):
    """A scheme whose entropies switches hash."""
    options = {"balancer": balancer}
    return options if attribute is None else {**options, f"{SPACE}{attribute}": count}


def prime(penalty=None, **options):
    """PRIME; penalty: that of a mark, in packets; a loss has four times that."""
    if penalty is not None:
        options |= {"PEcn": penalty, "PNack": 4 * penalty}
    return {"balancer": "prime", **{f"{SPACE}PrimeBalancer::{name}": value for name, value in options.items()}}


LOG_ENTROPIES = ENTROPIES.bit_length() - 1
SCHEMES = {
    "ecmp": {"balancer": "ecmp"},
    "ops-random": hashing("host-random", "HostRandomBalancer::Entropies"),
    "ops-rrx": hashing("host-permuted", "HostPermutedBalancer::LogEntropies", LOG_ENTROPIES),
    "bitmap": hashing("bitmap", "BitmapBalancer::LogEntropies", LOG_ENTROPIES),
    "reps-fifo": hashing("reps-fifo", "RepsFifoBalancer::Entropies"),
    "reps": hashing("reps", "RepsBalancer::Entropies"),
    "mixed": hashing("mixed", "BitmapBalancer::LogEntropies", LOG_ENTROPIES),
    "prime": prime(),
    "prime-1-4": prime(1),
    "prime-16-64": prime(16),
    "prime-hashed": prime(Forwarding="FullHash"),
}
RIVALS = ["ops-random", "ops-rrx", "bitmap", "reps-fifo", "reps", "mixed"]
NEAR = 0.9, 1.1  # ours over the reference simulator's


def acked(packets):
    """Options of one acknowledgement for so many packets."""
    return {f"{SPACE}UnorderedAckPolicy::Bytes": packets * PAYLOAD}


@dataclass
class PrimeStudy(Study):
    """A figure of a scheme's longest flow by message size and coalescing of acknowledgements."""

    variants = SCHEMES

    @property
    def fabric(self):
        return self.pick(full=TWO_TIERS, quick=SMALL)

    def matrix(self, schemes, sizes, acks, options, fabric=None, **labels):
        """Cases of each scheme with each size of a message and each coalescing. fabric: its options, if
        it is another one than that of two tiers; labels are of all cases."""
        fabric = fabric or self.fabric
        return [
            Case(
                {"scheme": scheme, "message": size, "packets_per_ack": packets, **labels},
                {**fabric, **self.options_of(scheme), "size": size, **acked(packets), **options},
            )
            for scheme in self.schemes(schemes)
            for size in sizes
            for packets in acks
        ]

    def longest(self, cases, reference):
        """Runs cases. Returns means: the longest and mean flow in us, what it exceeds the ideal by, and
        the reference simulator's value, by (message, packets_per_ack, scheme)."""
        runs = self.run(cases)
        runs["longest_us"] = runs.max_fct_ns / 1000
        runs["mean_us"] = runs.mean_fct_ns / 1000
        runs["over_ideal_percent"] = 100 * (runs.max_fct_ns / runs.completion_bound_ns - 1)
        columns = ["longest_us", "mean_us", "over_ideal_percent", "max_queue_data_packets"]
        columns += ["retransmissions", "timeouts"]
        means = self.means(runs, ["message", "packets_per_ack", "scheme"], columns)
        keys = zip(means.message, means.packets_per_ack, means.scheme)
        return means.assign(reference_us=[reference.get(key) for key in keys])

    def gains(self, means, scheme="prime", rival="reps"):
        """By how much the longest flow of a scheme is shorter than a rival's, by message and
        packets_per_ack, in percent."""
        table = means.pivot(index=["message", "packets_per_ack"], columns="scheme", values="longest_us")
        if not {scheme, rival} <= set(table):
            return {}
        return (100 * (1 - table[scheme] / table[rival])).to_dict()

    def claim_gains(self, means, low, high, headline):
        """PRIME's gain over REPS, in percent: from low to high at 1 MiB with an ACK per 4 packets, as in
        the reference simulator; and the largest of all cells, which is to reach the paper's headline."""
        gains = self.gains(means)
        if ("1MiB", 4) in gains:
            gain = float(gains["1MiB", 4])
            claim = "1 MiB, an ACK per 4 packets: PRIME's gain over REPS, percent"
            self.claim(claim, f"{low} to {high}", gain)
        if gains:
            most = max(gains, key=gains.get)
            self.claim(
                "PRIME's largest gain over REPS reaches the paper's headline, percent",
                f"{headline} or more",
                f"{gains[most]:.3g} ({most[0]}, an ACK per {most[1]})",
                gains[most] >= headline,
            )

    def claim_best_rival(self, where, means):
        """PRIME's gain over the best of the others, cell by cell; only said, as no paper claims it."""
        table = means.pivot(index=["message", "packets_per_ack"], columns="scheme", values="longest_us")
        rivals = [name for name in RIVALS if name in table]
        if "prime" not in table or not rivals:
            return
        gain = 100 * (1 - table.prime / table[rivals].min(axis=1))
        best = table[rivals].idxmin(axis=1)
        least = gain.idxmin()
        self.claim(
            f"{where}: PRIME is no worse than the best rival of each cell, least gain in percent",
            "0 or more",
            f"{gain[least]:.3g} ({best[least]}, {least[0]}, an ACK per {least[1]})",
            gain[least] >= 0,
        )

    def draw(self, means, scenario, suffix=""):
        """A panel a message size; hollow markers: the reference simulator."""
        sizes = list(dict.fromkeys(means.message))
        figure, grid = panels(1, len(sizes))
        for axes, size in zip(grid, sizes):
            rows = means[means.message == size]
            draw_schemes(axes, rows, "packets_per_ack", "longest_us")
            if not self.quick:
                known = rows.assign(longest_us=rows.reference_us)
                draw_hollow(axes, known, "packets_per_ack", "longest_us")
            axes.set_title(f"{size} a flow")
            axes.set_xlabel("packets per acknowledgement")
            axes.set_xticks(sorted(set(rows.packets_per_ack)))
        grid[0].set_ylabel("longest flow (us)")
        legend(grid[-1], grid)
        finish(figure, self, scenario + ("" if self.quick else "; hollow: the reference simulator"), suffix)


STUDY = PrimeStudy


def by_cell(schemes, table):
    """{(message, packets_per_ack): values by scheme} as {(message, packets_per_ack, scheme): value}."""
    return {
        (size, packets, scheme): value
        for (size, packets), values in table.items()
        for scheme, value in zip(schemes, values)
        if value is not None
    }


DEGRADED = {"fail": "spine-0~0.25@0ns"}
ORDERED = {"ordered": 10}


def slow_links(count, links):
    """Options that let so many links from cores down to the first aggregation switches be slow."""
    if count == 0:
        return {}
    ports = [(link // links, links + link % links) for link in range(min(count, 2 * links))]
    return {"fail": ",".join(f"pod0-agg-{switch}:{port}/down~0.25@0ns" for switch, port in ports)}
