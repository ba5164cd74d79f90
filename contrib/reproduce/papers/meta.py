# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What the figures of the routing generations have in common: racks of 16 NICs, lossless queues, rings of NICs,
and rows of published or computed values beside ours."""

import pandas

from study import EQUAL_PACKETS, Study

SPACE = "ns3::aifabric::"
NICS = 16  # of a rack
LOSSLESS = {"admission": "shared", "buffer": "64MB", f"{SPACE}SharedBuffer::LosslessClasses": 8}
IDEAL = {"buffer": "1GB", "acks": "bypass", **EQUAL_PACKETS}  # no loss, no pauses, no acknowledgements
AT_ONCE = {"convergence": "0s"}  # switches know of what is dead from the first packet on


def fabric(racks, uplinks, nics=NICS):
    """Racks with so many uplinks, one to each cluster switch."""
    return {"topology": "leaf-spine", "leaves": racks, "spines": uplinks, "hostsPerLeaf": nics, "rate": "400Gb/s"}


def dead(spines):
    """So many cluster switches are dead from the start."""
    return {"fail": "+".join(f"spine-{spine}" for spine in range(spines)) + "@0s", **AT_ONCE} if spines else {}


def queue_pairs(count, steering="split"):
    """Messages over some queue pairs of a connection."""
    return {"steering": steering, "queuePairs": count} if count > 1 else {}


def rings(racks, nics=NICS):
    """NIC i of each rack sends to NIC i of the next one: ring i."""
    return [[rack * nics + nic for rack in range(racks)] for nic in range(nics)]


class MetaStudy(Study):
    """A figure with rows of values."""


    fixed = "compares the routing generations"
    def ring_flows(self, racks, size, nics=NICS):
        """A message of each NIC to the NIC with the same number of the next rack, at once."""
        hosts = racks * nics
        flows = [(0, host, (host + nics) % hosts, size) for host in range(hosts)]
        path = self.write_flows(f"ring-{racks}x{nics}-{size}.csv", flows)
        return {"workload": "flows", "flows": path, "jitter": "0ns"}

    def groups(self, name, groups):
        """The file of groups of ranks that each run the collective."""
        lines = [",".join(map(str, group)) for group in groups]
        return {"communicators": self.write(f"groups-{name}.csv", lines)}

    def save_rows(self):
        self.save(self.table_of_rows())


STUDY = MetaStudy


def pauses(folder):
    """Pauses that ports obeyed, by who sent them: leaves pause hosts and spines, spines pause leaves."""
    events = pandas.read_csv(folder / "events.csv")
    subjects = events[events.event == "pause"].subject.astype(str)
    return {
        "by_spines": int(subjects.str.startswith("leaf-").sum()),
        "by_leaves": int(subjects.str.startswith("spine-").sum()),
        "of_hosts": int(subjects.str.startswith("host-").sum()),
    }


KMIN = 1_600_000  # bytes at 400 Gb/s; KMax is four times as much
PMAX = 0.2
FACTORS = {"default": 1, "doubled": 2, "relaxed": 4}  # of the thresholds


def control(name, rate):
    """The options of a setting of DCQCN."""
    if name == "off":
        return {"rateControl": "fixed"}
    kmin = FACTORS[name] * KMIN * rate // 400
    return {
        "rateControl": "dcqcn",
        "marker": "red",
        f"{SPACE}RedMarker::KMin": kmin,
        f"{SPACE}RedMarker::KMax": 4 * kmin,
        f"{SPACE}RedMarker::PMax": PMAX,
        f"{SPACE}EcnMarker::AtDequeue": "true",
    }
