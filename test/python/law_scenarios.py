# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Draws random scenarios over the options of ai-fabric-run: small ones, most of which are accepted."""

from typing import NamedTuple

from chakra_traces import ALL_GATHER, ALL_REDUCE, ALL_TO_ALL, COLLECTIVE, COMPUTE, RECEIVE, REDUCE_SCATTER, SEND, node, trace
from goal_schedules import Operation, text_of

OWN_RECOVERIES = {"spray": ["selective-repeat"], "mrc": ["selective-repeat", "mrc"]}
TELEMETRY = "hpcc", "power-tcp"  # controls that need switches which write it, and one path a queue pair
LOSSLESS_CONTROLS = *TELEMETRY, "theta-power-tcp", "timely"  # whose stacks have lossless classes
UNFIT_CONTROLS = {"rc": {"rccc"}, "spray": {"dcqcn", *TELEMETRY}, "mrc": {"rccc", "dcqcn", *TELEMETRY}}
KEEP_PATHS = "ecmp", "e-ecmp", "path-pinning", "te", "flowlet", "conga", "plb", "host-flowlet"  # balancers; te on one plane
FOR_LEAVES = "conga", "conweave"  # balancers of leaves and spines
NEED_MARKS = ("dcqcn", "dctcp", "mprdma")  # controls that are refused without marks
SOURCE_ROUTED = "ethereal", "ethereal-v1", "end-to-end"  # they bring their own balancer
FLOWS = "permutation", "tornado", "all-to-all", "incast", "flows", "poisson"
ALGORITHMS = {
    "all-reduce": ["direct", "ring", "recursive-doubling", "halving-doubling", "double-binary-tree"],
    "all-gather": ["direct", "ring", "recursive-doubling", "halving-doubling", "pat"],
    "reduce-scatter": ["direct", "ring", "halving-doubling", "pat"],
    "broadcast": ["direct", "ring", "double-binary-tree"],
    "send-receive": ["direct"],
    "reduce": ["direct", "ring", "double-binary-tree"],
    "gather": ["direct"],
    "scatter": ["direct"],
    "sendrecv": ["direct"],
}
ROOTED = "broadcast", "send-receive", "reduce", "gather", "scatter"
IN_NETWORK = "atp", "esa", "switchml"  # algorithms that aggregate in switches
MANY_QUEUE_PAIRS = "split", "round-robin", "dqplb"  # steerings
NODE_ALGORITHMS = {
    "all-reduce": ["two-level", "node-ring", "node-tree", "node-tree", "nvls", "nvls-tree"],
    "broadcast": ["two-level", "node-ring"],
    "reduce": ["node-ring"],
}
STALL_TIMES = {
    "strict": ["300us", "400us"],
    "selective-repeat": ["4ms", "5ms"],  # which backs off from 500 us
    "mrc": ["20ms", "30ms"],  # which does not back off at first, and then to 2^10 times 65 us
    "go-back-n": ["20ms", "30ms"],  # whose timer is ten times as long as full buffers take to drain
    "packet-timer": ["20ms", "30ms"],  # the same
    "sack": ["20ms", "30ms"],  # the same
}
TRAINING = """phase = [{ steps = [
  { compute = "2us" },
  { collective = "all-reduce", bytes = %d },
  { from = 0, to = 1, bytes = %d },
] }]
"""
TOKENS = """phase = [{ repeat = 2, steps = [
  { collective = "all-to-all", bytesPerRank = %d, skew = "zipf:0.5", draw = "step", token = 64 },
  { compute = "2us" },
  { collective = "all-to-all", bytesPerRank = %d, skew = "zipf:0.5", draw = "step", combine = true },
] }]
"""
ATTRIBUTES = """RcQueuePair::AckTimeout=50us RcQueuePair::AckDscp=48 RcQueuePair::AckDscp=0 RoceNetDevice::AckBytes=100
FabricPort::InterframeGap=0 FabricPort::InterframeGap=24
FabricPort::EgressSchedulerType=ns3::aifabric::DwrrEgressScheduler FabricSwitch::Latency=300ns
StepMarker::ThresholdTime=1us RedMarker::KMaxTime=4us RoceNetDevice::Latency=700ns DscpTable::Classes=26:6
FixedControl::RateFraction=0.6 FixedControl::Window=20000""".split()
SPRAY_ATTRIBUTES = """SprayQueuePair::AckTimeout=50us SprayQueuePair::AckTimeout=100us SprayQueuePair::AckDscp=48
SprayQueuePair::AckDscp=0 SprayQueuePair::FirstPsn=16777210 SelectiveRepeatRecovery::BackOff=false
SelectiveRepeatRecovery::OutOfOrderLimit=5 SelectiveRepeatRecovery::OutOfOrderLimit=40 UnorderedAckPolicy::Bytes=1
UnorderedAckPolicy::Bytes=61440""".split()
MRC_ATTRIBUTES = """MrcQueuePair::AckTimeout=50us MrcQueuePair::FirstPsn=16777210 MrcQueuePair::MaxPsnRange=1
MrcQueuePair::TrackedPsnRange=1 MrcQueuePair::DynamicMpr=true MrcQueuePair::AlwaysSkipMarks=2
MrcQueuePair::ReverseProbeInterval=5us MrcQueuePair::PortRemapDelay=20us MrcQueuePair::PortStatusInterval=30us
MrcAckPolicy::SackGenThreshold=1 MrcRecovery::ReorderSlack=1ns MrcRecovery::VariationFactor=0 MrcBalancer::EvTotal=3
MrcBalancer::EvActive=1 MrcBalancer::EvMinActive=1 MrcBalancer::SwapOnSkip=true MrcBalancer::Forwarding=FullHash
MrcBalancer::ProbeInterval=2us""".split()


class Scenario(NamedTuple):
    """What a run is given."""

    options: list  # of the command line
    files: dict  # their texts, by name
    is_lossless: bool  # classes may be paused
    schedulers: list  # of events, which may be used

    def aggregates(self):
        """Whether switches add up what hosts send."""
        return self.value("algorithm") in IN_NETWORK

    def value(self, name):
        """What an option was given, or None."""
        given = [option.partition("=")[2] for option in self.options]
        names = [option.partition("=")[0] for option in self.options]
        return given[names.index(f"--{name}")] if f"--{name}" in names else None


class Draw:
    """Draws one scenario. `ask` gives the lines that the program prints with some options."""

    lossless_buffer = "4MB"  # for the headroom
    has_classes = False  # messages have traffic classes

    def __init__(self, dice, ask, focus=False, transport=None, on_ranks=False):
        self.dice = dice
        self.ask = ask
        self.focus = focus  # on planes, failures and rates of hosts
        self.on_ranks = on_ranks  # without what one process does only: collectives
        self.may_aggregate = self.may_have_preset = not (focus or transport or on_ranks)
        self.transport = transport or dice.choice(["rc", "rc", "rc", "spray", "mrc"])
        self.options = []
        self.files = {}
        self.hosts = self.leaves = 0
        self.is_lossless = False

    def chance(self, share):
        return self.dice.random() < share

    def give(self, name, *values):
        """Gives an option one of some values."""
        value = self.dice.choice(values)
        self.options.append(f"--{name}={value}")
        return value

    def value(self, name):
        """What an option was given so far, or None."""
        return Scenario(self.options, {}, False, []).value(name)

    def names(self, option):
        """The policies that an option may name."""
        lines = self.ask(f"--{option}=help")
        return [line.split()[0] for line in lines if not line.startswith(" ")]

    def schedulers(self):
        """Those that may be used: `strict` or a background may have so many events pending that a list takes hours."""
        is_long = self.recovery == "strict" or self.value("background")
        return [n for n in self.names("scheduler") if n != "list" or not is_long]

    def scenario(self):
        if self.may_have_preset and self.chance(0.04):
            return self.scenario_of_preset()
        aggregates = self.may_aggregate and self.chance(0.08)
        self.draw_fabric(1 if aggregates else None)
        fabric = list(self.options)
        self.draw_links()
        if aggregates:
            self.draw_aggregation()
        else:
            self.draw_policies()
            self.draw_traffic()
            self.draw_nodes()
            self.draw_ranks()
            self.give("sendOrder", *self.names("sendOrder"))
        self.draw_latencies(fabric)
        self.draw_faults(fabric)
        self.draw_observers()
        self.give("ip", *([6] if self.value("forwarding") == "srv6" else [4, 4, 6]))
        if not aggregates:
            self.draw_pauses()
            self.draw_prober()
            self.draw_reachability()
            self.draw_iterations()
        self.draw_tables()
        self.draw_denylist()
        if not self.on_ranks and self.value("workload") in FLOWS and not self.value("skew") and self.chance(0.2):
            self.options.append("--queuePairPerFlow")
        if not (aggregates or self.on_ranks or self.value("receiverAdmission") or self.value("onFailure")):
            self.draw_background()
        if self.value("cluster"):
            self.draw_programs()
        if self.may_read() and self.chance(0.6):
            self.options.append("--operation=read")
        return Scenario(self.options, self.files, self.is_lossless, self.schedulers())

    def may_read(self):
        """Whether flows may be reads: of reliable connections whose queue pairs are known beforehand."""
        is_made = self.value("workload") in FLOWS and not self.value("flows") and not self.value("skew")
        is_known = self.value("steering") in (None, "single", "split") and self.transport == "rc"
        renews = any("::Renew=" in option for option in self.options)
        return is_made and is_known and not (renews or self.on_ranks or self.value("receiverAdmission"))

    def draw_programs(self):
        """Jobs that are programs, and that follow each other."""
        head, *jobs = self.files["jobs.csv"].splitlines()
        if not self.chance(0.4):
            return
        lines = [f"{head},program,after"]
        for number, job in enumerate(jobs):
            program = self.dice.choice(["", "", "job.toml", "job.goal"])
            parts = job.split(",")
            if program:
                parts[4:] = "", "", self.dice.choice("12"), ""
            lines.append(",".join([*parts, program, "first" if number and self.chance(0.6) else ""]))
        self.files["jobs.csv"] = "\n".join([*lines, ""])
        self.files["job.toml"] = TRAINING % (self.mtu * 3, self.dice.choice([0, self.mtu * 2]))
        self.files["job.goal"] = text_of(self.draw_schedule(self.mtu * 2, ranks=2))

    def draw_background(self):
        """Flows for which the run does not wait; few where all is sent again and again."""
        if self.recovery in ("strict", "go-back-n") or self.value("scheduler") == "list" or not self.chance(0.2):
            return
        kind = self.give("background", "beside.csv", "poisson", "checkpoint")
        if kind == "beside.csv":
            sizes = 0, 1, 3 * self.mtu, 100 * self.mtu
            pairs = [self.dice.sample(range(self.hosts), 2) for _ in range(6)]
            lines = [f"{self.dice.choice([0, 700, 10**9])},{a},{b},{self.dice.choice(sizes)}\n" for a, b in pairs]
            self.files[kind] = "start_ns,source,destination,bytes\n" + "".join(lines)
            return
        if kind == "checkpoint":
            self.give("backgroundServers", "auto", *range(1, self.hosts))
            self.give("backgroundPeriod", "20us", "200us")
        else:
            self.give("backgroundLoad", 0.02, 0.05)  # the fabric may be much slower than the hosts
            if self.chance(0.3):
                self.files["beside.cdf"] = f"bytes,probability\n{self.mtu},0.5\n{20 * self.mtu},1\n"
                self.options.append("--backgroundCdf=beside.cdf")
                return
        self.give("backgroundSize", self.mtu, 4 * self.mtu + 1, 20 * self.mtu)

    def scenario_of_preset(self):
        """A preset, with fewer switches and hosts, and some of its options overridden."""
        name = self.give("preset", *self.names("preset"))
        if self.chance(0.3):
            self.options.append("--stack=roce")
        counts = ("pods", "leavesPerPod", "spinesPerPod") if name == "zones" else ("leaves", "spines")
        for count in counts:
            self.give(count, 2, 3)
        if name == "zones":
            self.options.append(f"--cores={2 * int(self.value('spinesPerPod'))}")
        self.give("gpusPerNode", *([1] if self.give("hostsPerLeaf", 2, 4) == 2 and self.chance(0.5) else [2]))
        self.options.append(f"--workload={self.dice.choice(['permutation', 'all-to-all', 'incast', 'all-reduce'])}")
        self.give("size", 1, 5000, 200000)
        if self.chance(0.3):
            self.give("balancer", "ecmp", "rsq", "flowlet")
        if self.chance(0.3):
            self.give("rate", "100Gb/s", "200Gb/s")
        if self.chance(0.3):
            self.give("spineBuffer", "4MB", "100MB")
        self.draw_tables()
        self.give("RngRun", *range(1, 1000))
        self.recovery, self.is_lossless = "oracle", True
        return Scenario(self.options, self.files, self.is_lossless, self.schedulers())

    def draw_fabric(self, planes=None):
        topology = self.give("topology", "fat-tree", "leaf-spine", "leaf-spine", "three-tier")
        if topology == "fat-tree":
            k = self.give("k", 2, 4)
            self.leaves, self.hosts = k * k // 2, k**3 // 4
        elif topology == "leaf-spine":
            self.leaves = self.give("leaves", 1, 2, 3, 4)
            self.give("spines", 1, 2, 3, 4)
            self.hosts = self.leaves * self.give("hostsPerLeaf", *([2, 4] if self.leaves == 1 else [1, 2, 3]))
        else:
            self.leaves = self.give("pods", 2, 3) * self.give("leavesPerPod", 1, 2)
            self.give("cores", self.give("spinesPerPod", 1, 2) * self.dice.choice([1, 2]))
            self.hosts = self.leaves * self.give("hostsPerLeaf", 1, 2)
        self.give("planes", *([planes] if planes else [2, 2, 3, 4] if self.focus else [1, 1, 2, 2, 3, 4]))

    def draw_links(self):
        rate = self.give("rate", "100Gb/s", "400Gb/s", "800Gb/s", "800Gb/s")
        bypass = self.give("acks", "fabric", "fabric", "fabric", "bypass") == "bypass"
        self.give("fabricRate", "auto", *([rate] if bypass else ["200Gb/s", "1600Gb/s"]))
        self.give("delay", "0", "1ns", "100ns", "500ns", "500ns", "5us")
        self.mtu = self.give("mtu", 64, 256, 1000, 4096, 4096, 9000)
        self.buffer = self.dice.choice(["40kB", "100kB", "800kB", "800kB"])

    def draw_transport(self):
        """The transport, its recovery and its policy of acknowledgements."""
        self.options.append(f"--transport={self.transport}")
        if self.transport == "rc":
            names = [name for name in self.names("recovery") if name not in OWN_RECOVERIES["mrc"]]
            self.recovery = self.give("recovery", "oracle", "oracle", *names)
            return
        self.recovery = self.dice.choice(OWN_RECOVERIES[self.transport])
        if self.recovery == "selective-repeat" or self.chance(0.5):
            self.options.append(f"--recovery={self.recovery}")
        if self.chance(0.5):
            self.give("ackPolicy", *self.names("ackPolicy"))

    def draw_policies(self):
        self.draw_transport()
        if self.recovery == "strict" and "--delay=5us" in self.options:
            # Its senders fill a long round trip with repair packets: hours of a core.
            self.recovery = "oracle"
            self.options[-1] = "--recovery=oracle"
        unfit = UNFIT_CONTROLS[self.transport]
        if self.recovery == "strict":
            unfit = {*unfit, *LOSSLESS_CONTROLS}  # which let it send for milliseconds: minutes of a core
        controls = [name for name in self.names("rateControl") if name not in unfit]
        self.give("rateControl", "fixed", "fixed", *controls)
        more = ["trimming"] * 3 if self.transport != "rc" else []
        self.give("admission", *more, *self.names("admission"))
        if self.recovery == "strict" and self.options[-1] == "--admission=trimming":
            # Its senders never wait, so trimmed frames may hold the data back: refused.
            self.options[-1] = "--admission=port"
        marker = self.give("marker", "auto", "none", *self.names("marker"))
        if marker == "none" and self.value("rateControl") in NEED_MARKS:
            self.options[-1] = "--marker=red"
        self.give("scheduler", "monotone", "monotone", *self.schedulers())
        steering = "single"
        if self.transport != "mrc" and self.chance(0.4):
            steering = self.give("steering", *self.names("steering"))
            if steering in MANY_QUEUE_PAIRS and self.chance(0.6):
                self.give("queuePairs", 1, 2, 3, 8)
            if self.chance(0.3):
                self.options.append("--ns3::aifabric::MessageSteering::Renew=true")
        if steering not in SOURCE_ROUTED:
            usual = ["ecmp"] * 2 if self.transport != "mrc" else ["mrc"] * 20
            names = [name for name in self.names("balancer") if self.transport == "mrc" or name != "mrc"]
            if self.value("topology") != "leaf-spine":
                names = [name for name in names if name not in FOR_LEAVES]
            if self.value("rateControl") in TELEMETRY:
                names = [name for name in names if name in KEEP_PATHS]
            balancer = self.give("balancer", *usual, *names)
            if balancer == "mrc" and self.chance(0.6):
                self.give("forwarding", *(name for name in self.names("forwarding") if name != "valiant"))
            parts = [name for name in self.names("upgrade") if name not in ("te", *FOR_LEAVES)]  # which are for all switches
            if self.value("rateControl") in TELEMETRY:
                parts = [name for name in parts if name in KEEP_PATHS]
            if balancer in parts and self.chance(0.3):
                self.give("upgrade", *(name for name in parts if name != balancer))
                self.give("upgraded", "auto", 0.3, 1)
        self.draw_attributes()

    def draw_attributes(self):
        is_usual = self.value("rateControl") in LOSSLESS_CONTROLS and self.transport == "rc"
        if "--admission=shared" in self.options and (is_usual or self.chance(0.4)):
            self.is_lossless = True
            self.buffer = self.lossless_buffer
            self.options.append("--ns3::aifabric::SharedBuffer::LosslessClasses=8")
        self.options.append(f"--buffer={self.buffer}")
        if not self.is_lossless and self.chance(0.2):
            self.give("spineBuffer", "40kB", "400kB", "2MB")
        if self.chance(0.3):
            attribute = self.dice.choice(ATTRIBUTES)
            if self.transport != "rc":
                own = SPRAY_ATTRIBUTES if self.transport == "spray" else MRC_ATTRIBUTES
                attribute = self.dice.choice([a for a in ATTRIBUTES if "Rc" not in a] + 2 * list(own))
            is_idle = attribute.startswith("FixedControl") and "--rateControl=fixed" not in self.options
            is_idle |= attribute.startswith("MrcAckPolicy") and self.value("ackPolicy") not in (None, "mrc")
            is_idle |= attribute.startswith("MrcRecovery") and self.recovery != "mrc"
            is_idle |= attribute.endswith("FullHash") and self.value("forwarding") != "clos"
            is_idle |= attribute.startswith("StepMarker") and self.value("marker") != "step"
            is_idle |= attribute.startswith("RedMarker") and self.value("marker") != "red"
            is_idle |= attribute.startswith("Unordered") and self.value("ackPolicy") not in (None, "unordered")
            is_refused = attribute.endswith("AckDscp=0") and self.recovery == "strict"
            if not (is_idle or is_refused):
                self.options.append(f"--ns3::aifabric::{attribute}")

    def draw_traffic(self):
        # Go-back-N amid spraying sends almost everything again and again.
        packets = self.dice.choice([0.01, 1, 2, 7.3] + [16, 40.2] * (self.recovery != "go-back-n"))
        size = max(1, int(packets * self.mtu))
        of_one_process = () if self.on_ranks else (*ALGORITHMS, "training", "chakra", "goal", "cluster")
        workload = self.dice.choice(FLOWS + FLOWS + of_one_process)
        if workload == "flows":
            self.draw_flows(size)
        elif workload == "poisson":
            self.draw_arrivals(size)
        elif workload == "training":
            self.files["training.toml"] = self.dice.choice([TRAINING, TRAINING, TOKENS]) % (size, size)
            self.options.append("--training=training.toml")
        elif workload == "chakra":
            self.draw_traces(size)
        elif workload == "goal":
            self.files["ranks.goal"] = text_of(self.draw_schedule(size))
            self.options.append("--goal=ranks.goal")
        elif workload == "cluster":
            self.draw_jobs(size)
        elif workload in ALGORITHMS:
            self.options.append(f"--workload={workload}")
            self.give("algorithm", "auto", "nccl", *ALGORITHMS[workload])
            if self.chance(0.3):
                self.give("protocol", *self.names("protocol"))
            self.options.append(f"--size={size if workload == 'all-to-all' else size * self.hosts}")
            self.give("channels", 1, 1, 2)
            self.give("repeat", 1, 1, 2)
        else:
            self.options.append(f"--workload={workload}")
            parts = self.hosts if workload == "all-to-all" else 1
            self.options.append(f"--size={max(1, size // parts)}")
            if workload == "all-to-all" and not self.on_ranks and self.chance(0.4):
                workload = "uneven"
                self.give("skew", "hot:3", "hot:0", "zipf:1.2")
                self.give("algorithm", "auto", "direct")
                self.give("channels", 1, 1, 2)
            else:
                self.give("jitter", "auto", "auto", "0", "100ns", "3us")
            if workload == "incast" and self.chance(0.5):
                self.give("senders", *range(1, self.hosts))
        if workload in FLOWS and self.may_order() and self.chance(0.3):
            self.give("ordered", 1, 2, 5)
        if not self.on_ranks and not self.has_classes and self.chance(0.2):
            slots = self.give("receiverAdmission", 1, 2, 8)
            if self.chance(0.7):
                self.give("ns3::aifabric::ReceiverAdmission::SlotBytes", 1 + size // 20, 4 * self.mtu, 100000)
            if slots > 1 and self.chance(0.3):
                self.give("ns3::aifabric::ReceiverAdmission::SliceSteps", 2)
            self.give("ns3::aifabric::ReceiverAdmission::CtsDscp", 56, 56, 26)
        is_regular = workload in FLOWS
        if self.focus or self.chance(0.5):
            self.give("rho", *(["max", "max"] if is_regular else [1]), 1, 0.9, 0.5, 0.13)

    def draw_jobs(self, size):
        """Jobs of at most half of the hosts each."""
        lines = ["name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns"]
        for name in ("first", "second"):
            ranks = max(2, self.hosts // 4 * 2) if name == "first" or self.hosts >= 4 else 0
            placement = self.dice.choice(["packed", "fragmented", "random"])
            kind = self.dice.choice([kind for kind in ALGORITHMS if kind != "send-receive"])
            times = self.dice.choice([0, 1000]), self.dice.choice([1, 2]), self.dice.choice([0, 700])
            if ranks:
                lines.append(f"{name},{ranks},{placement},{times[0]},{kind},{size * ranks},{times[1]},{times[2]}")
        self.files["jobs.csv"] = "\n".join([*lines, ""])
        self.options.append("--cluster=jobs.csv")
        if self.chance(0.3):
            self.give("onlyJob", *(line.partition(",")[0] for line in lines[1:]))

    def draw_nodes(self):
        """Nodes of several GPUs: all at one leaf, or each at a leaf of its own."""
        per_leaf = self.hosts // self.leaves
        most = 2 if self.value("cluster") else 4  # the ranks of jobs are even
        mapping = self.dice.choice(["auto", "rack", "rail"])
        sizes = [size for size in (2, 3, 4) if (self.leaves if mapping == "rail" else per_leaf) % size == 0]
        sizes = [size for size in sizes if size <= most]
        workload = self.value("workload")
        if sizes and self.chance(0.8 if workload == "all-reduce" else 0.3):
            self.give("gpusPerNode", *sizes)
            self.give("nodeMapping", mapping)
            self.give("nvlink", "auto", "raw", "a100", "h100")
            known = ALGORITHMS.get(workload, [])
            if ("ring" in known or workload == "all-to-all" and known) and self.chance(0.5):
                self.options.remove(f"--algorithm={self.value('algorithm')}")
                if self.give("algorithm", *NODE_ALGORITHMS.get(workload, ["two-level"])).startswith("nvls"):
                    self.options = [option for option in self.options if not option.startswith("--protocol=ll")]
                    self.options = [option.replace("--nvlink=a100", "--nvlink=h100") for option in self.options]
            self.draw_nics(int(self.value("gpusPerNode")), mapping, per_leaf)

    def draw_nics(self, gpus, mapping, per_leaf):
        """NICs that the GPUs of a node share."""
        counts = [nics for nics in range(1, gpus) if gpus % nics == 0 and per_leaf % (gpus // nics) == 0]
        counts = [nics for nics in counts if mapping != "rail" or self.leaves % nics == 0]
        sums = self.value("algorithm") in IN_NETWORK or self.value("balancer") in FOR_LEAVES
        if counts and self.value("topology") == "leaf-spine" and not sums and self.chance(0.5):
            self.give("nicsPerNode", *counts)

    def draw_ranks(self):
        """Which ranks take part in a collective, and where they are."""
        workload = self.value("workload")
        if self.value("algorithm") is None:
            return
        gpus = int(self.value("gpusPerNode") or 1)
        ranks = self.hosts
        is_placed = self.chance(0.3)
        if is_placed:
            self.give("placement", "packed", "fragmented", "random")
        if is_placed or self.value("nodeMapping") != "rail":  # a node has all of its ranks in a group, or none
            ranks = self.draw_groups(gpus)
        if workload in ROOTED and self.chance(0.5):
            self.give("root", *range(ranks))
        if self.chance(0.3):
            self.give("chunks", 1, 2, 5)

    def draw_groups(self, gpus):
        """The number of ranks, and their groups. Returns the size of the smallest group."""
        ranks = self.hosts
        if self.chance(0.2):
            ranks = self.give("jobRanks", *(n for n in range(2, self.hosts + 1) if n % gpus == 0))
        counts = [n for n in range(2, ranks // 2 + 1) if ranks % n == 0 and ranks // n % gpus == 0]
        if counts and self.chance(0.3):
            return ranks // self.give("communicators", *counts)
        if ranks < 4 or gpus > 1 or not self.chance(0.2):
            return ranks
        order = self.dice.sample(range(ranks), ranks)
        self.files["groups.csv"] = "".join(",".join(map(str, part)) + "\n" for part in (order[:2], order[2:]))
        self.options.append("--communicators=groups.csv")
        return 2

    def draw_aggregation(self):
        """Jobs whose gradients are added up in switches."""
        others = "mtu", "acks"
        self.options = [option for option in self.options if option[2:].partition("=")[0] not in others]
        self.recovery = "oracle"
        most = self.hosts // 2 if self.hosts < 3 or self.chance(0.3) else 0
        algorithm = "switchml" if most else self.dice.choice(["atp", "esa"])
        jobs = self.dice.randint(1, most or self.hosts // 3)
        self.options += ["--workload=all-reduce", f"--algorithm={algorithm}", f"--buffer={self.buffer}"]
        if self.chance(0.5):
            lines = ["bytes,layers,iterations,compute_ns,jitter,start_ns"]
            for _ in range(jobs):
                parts = [1, 300, 5000, 40000], [1, 3], [1, 2], [0, 700], [0, 0.2], [0, 1000]
                lines.append(",".join(str(self.dice.choice(part)) for part in parts))
            self.files["gradients.csv"] = "\n".join([*lines, ""])
            self.options.append("--jobs=gradients.csv")
        else:
            self.options += [f"--jobs={jobs}", f"--size={self.dice.choice([1, 300, 5000, 40000])}"]
        slots = self.give("slots", 2 * jobs, 16, 100)
        window = self.give("aggregationWindow", 1, 2, *([] if most else [7, 40]))
        if most and window * 2 * jobs > slots:
            self.options[-1] = "--aggregationWindow=1"
        if not most:
            self.give("parameterServers", "auto", ",".join(map(str, self.dice.sample(range(self.hosts), jobs))))
            self.give("aggregationReach", window, 3 * window)
            self.give("resultPath", "server", "switch")
            self.give("distinctSlots", "auto", "true", "false")
        self.give("gradientMagnitude", "auto", 0.001, 100)  # no sum is beyond 32 bits
        self.give("gradientRounding", "auto", "nearest", "random")
        self.give("balancer", "ecmp", "rsq", "rr")
        self.give("marker", "auto", "step", "red")

    def has_window(self):
        return any("FixedControl::Window" in option for option in self.options)

    def may_order(self):
        """Whether messages may be ordered: a balancer of the hosts has all paths to itself."""
        hashed = [f"--balancer={name}" for name in ("host-random", "host-dr", "reps", "plb", "subflow")]
        is_single = not any(option.startswith("--steering=") for option in self.options)
        return is_single and any(name in self.options for name in hashed)

    def draw_arrivals(self, size):
        self.files["sizes.csv"] = f"bytes,probability\n1,0.1\n{size},0.5\n{size},1\n"
        self.options.append("--cdf=sizes.csv")
        load = self.give("load", 0.2, 0.6, 1)
        rate = next(int(o[7:-4]) for o in self.options if o.startswith("--rate="))  # bits a nanosecond
        self.options.append(f"--duration={max(1, round(3 * size * 8 / (load * rate) * 1000))}ps")

    def draw_flows(self, size):
        lines = ["start_ns,source,destination,bytes"]
        for _ in range(self.dice.randint(1, 2 * self.hosts)):
            source = self.dice.randrange(self.hosts)
            destination = (source + self.dice.randint(1, self.hosts - 1)) % self.hosts
            start = self.dice.choice([0, 0, 10, 3000])
            lines.append(f"{start},{source},{destination},{self.dice.randint(1, 2 * size)}")
        self.files["flows.csv"] = "\n".join(lines) + "\n"
        self.options.append("--flows=flows.csv")

    def draw_schedule(self, size, ranks=None):
        """Ranks that compute and exchange messages, and wait for ends and begins of what they did before."""
        ranks = [[] for _ in range(ranks or self.dice.randint(2, self.hosts))]

        def add(rank, kind, size, peer=0, tag=0):
            before = range(len(ranks[rank]))
            ends = [self.dice.choice(before)] if before and self.chance(0.6) else []
            begins = [self.dice.choice(before)] if before and self.chance(0.3) else []
            cpu = self.dice.randrange(3)
            ranks[rank].append(Operation(kind, size, peer, tag, cpu, ends=ends, begins=begins))

        for _ in range(self.dice.randint(1, 3 * len(ranks))):
            source, destination = self.dice.sample(range(len(ranks)), 2)
            add(source, "calc", self.dice.choice([0, 1, 700]))
            tag = self.dice.randrange(2)
            length = (tag + 1) * size  # of messages with a tag, whose receives have the same order
            add(source, "send", length, destination, tag)
            add(destination, "recv", length, source, tag)
        return ranks

    def draw_traces(self, size):
        """Chakra traces: all ranks compute and take part in collectives, and two of them exchange messages."""
        ranks = self.dice.randint(2, self.hosts)
        nodes = [[] for _ in range(ranks)]

        def add(rank, kind, **attributes):
            number = len(nodes[rank])
            after = [self.dice.randrange(number)] if number and self.chance(0.8) else []
            nodes[rank].append(node(number, kind, after, **attributes))

        self.has_classes = self.transport != "mrc" and self.chance(0.3)
        for tag in range(self.dice.randint(1, 4)):
            what = self.dice.choice([COMPUTE, SEND, COLLECTIVE, COLLECTIVE])
            urgent = {"comm_priority": self.dice.choice([0, 1, 4, 7])} if self.has_classes else {}
            if what == SEND:
                source, destination = self.dice.sample(range(ranks), 2)
                message = {"comm_size": size, "comm_tag": tag, "comm_src": source, "comm_dst": destination, **urgent}
                add(source, SEND, **message)
                add(destination, RECEIVE, **message)
                continue
            collective = {
                "comm_type": self.dice.choice([ALL_REDUCE, ALL_GATHER, ALL_TO_ALL, REDUCE_SCATTER]),
                "comm_size": size * ranks,
                **urgent,
            }
            for rank in range(ranks):
                if what == COMPUTE:
                    add(rank, COMPUTE, duration=self.dice.randint(1, 3))
                else:
                    add(rank, COLLECTIVE, **collective)
        self.files.update((f"trace.{rank}.et", trace(own)) for rank, own in enumerate(nodes))
        self.options.append("--chakra=trace")
        self.give("chakraStreams", "auto", "serial", "parallel")
        self.give("chakraControl", "auto", "ignore", "follow")
        self.give("peakPerf", "none", "1TFLOPS")
        self.give("memoryBandwidth", "none", "1TB/s")
        if self.chance(0.5):
            self.files["groups.json"] = f'{{"all": {list(range(ranks))}}}'
            self.options.append("--chakraGroups=groups.json")

    def links_of(self, fabric):
        """The names of all links."""
        return [line for line in self.ask(*fabric, "--fail=help") if not line.startswith("#")]

    def draw_latencies(self, fabric):
        """Switches that are slower or faster than others."""
        if self.value("acks") == "bypass" or not self.chance(0.2):
            return
        switches = {end.rpartition(":")[0] for link in self.links_of(fabric) for end in link.split("--")}
        switches = sorted(name for name in switches if "host" not in name)
        chosen = self.dice.sample(switches, min(len(switches), self.dice.choice([1, 2])))
        times = [f"{name}={self.dice.choice(['0s', '200ns', '1.5us'])}" for name in chosen]
        self.options.append(f"--switchLatency={','.join(times)}")

    def draw_reachability(self):
        """Probes between NICs and racks, which need hashed paths and frames in the fabric."""
        is_hashed = self.value("forwarding") in (None, "clos") and self.transport != "mrc"
        if is_hashed and self.value("acks") == "fabric" and self.recovery != "strict" and self.chance(0.2):
            self.give("reachability", "3us", "20us")

    def draw_faults(self, fabric):
        if not self.chance(0.8 if self.focus else 0.5):
            return
        links = self.links_of(fabric)
        number = min(self.dice.choice([0, 1, 1, 2, 3]), len(links))
        chosen = [self.fault(links, link) for link in self.dice.sample(links, number)]
        if chosen:
            self.options.append(f"--fail={','.join(chosen)}")
        if not chosen or self.chance(0.3):
            self.give("failRate", 0.02, 0.1, 0.25)
        is_static = self.value("forwarding") == "srv6"
        self.give("convergence", *(["never"] if is_static else ["0", "0", "1us", "20us", "never"]))
        self.give("detection", *(["auto"] if is_static else ["auto", "auto", "0", "3us", "never"]))
        if "optic" in ",".join(chosen) and self.chance(0.7):
            self.give("opticPorts", 1, 2, 3)

    def fault(self, links, link):
        """A fault of a link, or of all links between two switches, of a node, or of links that are drawn."""
        dice = self.dice
        start = dice.choice(["0s", "0s", "0s", "1us", "2us-30us", "0s-5us", "1us:period=7us:duty=0.3:count=4"])
        direction = dice.choice(["", "", "", "/up", "/down"])
        change = dice.choice(["", "", "", "*0.5", "~0.5", "%0.02", "%0.02:burst=5", "%0.1:control"])
        ends = link.split("--")
        low, high = (end.rpartition(":")[0] for end in ends)
        where = [link, link, link, dice.choice(ends), str(links.index(link)), f"{low}--{high}"]
        cables = sum(not line.startswith("host-") for line in links)
        where += ["cables:1", "cables:0.2"] if cables else []
        if change or start != "0s":  # without a node, some hosts are cut off
            where += [low, high, f"optic-{ends[1]}"] + (["switches:1", "optics:1"] if cables else [])
        return dice.choice(where) + direction + change + "@" + start

    def draw_pauses(self):
        """A watchdog with short times, and a NIC that pauses its switch for a while."""
        if not self.is_lossless or self.recovery == "strict":
            return
        if self.recovery == "oracle" and self.chance(0.5):  # others may wait for a timer longer than the stall time
            self.give("watchdog", "drop", "forward")
            for name in ("PollInterval", "DetectionTime", "RestorationTime"):
                self.options.append(f"--ns3::aifabric::PfcWatchdog::{name}={self.dice.choice([2, 5, 9])}us")
        if self.chance(0.5):
            self.give("pauseStorm", "host-0@1us-30us", "host-1@0s-3us,host-0@2us-60us")

    def draw_prober(self):
        """A prober, which needs labels of paths and static routes."""
        has_labels = self.value("balancer") == "mrc" and self.value("upgrade") is None and self.leaves > 1
        if has_labels and not self.on_ranks and self.value("acks") == "fabric" and self.chance(0.5):
            routes = "convergence", "detection"
            self.options = [option for option in self.options if option[2:].partition("=")[0] not in routes]
            self.options.append("--convergence=never")
            self.give("prober", *(["300us"] if self.value("delay") == "5us" else ["20us", "50us"]))

    def draw_denylist(self):
        """Links that MRC avoids, or some that all paths of a pair cross."""
        has_evs = self.value("balancer") == "mrc" and self.value("upgrade") is None
        if has_evs and not self.on_ranks and self.value("prober") is None and self.chance(0.5):
            self.give("denylist", "0", "host-0:0", "host-1,0", "plane-0")

    def draw_iterations(self):
        """A job of several iterations, and what it does if a queue pair fails."""
        if self.on_ranks or self.value("cluster") or not self.chance(0.2):
            return
        self.give("iterations", 1, 2, 3)
        if self.give("onFailure", "continue", "stop", "abort", "restart") == "restart":
            self.give("restartCost", "0", "10us")
            self.give("restartLimit", 1, 3)
        is_slow = self.value("delay") == "5us"  # round trips of 40 us
        if self.value("onFailure") in ("abort", "restart") and self.chance(0.7):  # longer than two timers
            faults = self.value("fail")
            self.options = [option for option in self.options if not option.startswith("--fail=")]
            end = "1ms" if is_slow else "150us"
            self.options.append("--fail=" + (faults + "," if faults else "") + f"host-1@1us-{end}")
        owner = {"rc": "Rc", "spray": "Spray", "mrc": "Mrc"}[self.transport]
        if not any("AckTimeout" in option for option in self.options):
            self.give(f"ns3::aifabric::{owner}QueuePair::AckTimeout", *(["200us"] if is_slow else ["20us", "50us"]))
        self.give(f"ns3::aifabric::{owner}QueuePair::RetryLimit", 1, 1, 7)
        self.options.append(f"--ns3::aifabric::{owner}QueuePair::RetryTime=0s")

    def draw_tables(self):
        """Tables on request, and how their values are averaged."""
        self.give("linkSeries", "none", "none", "1us", "10us")
        self.give("nicCounters", "false", "true")
        if self.give("planeSeries", "none", "none", "1us", "10us") != "none":
            self.give("planeHosts", "none", "all", "0", "0-1")
        self.give("period", "auto", "auto", "1us")
        self.give("nicSeries", "none", "none", "1us")
        self.give("queuePeaks", "false", "false", "true")
        self.give("hopLatency", "false", "false", "true")

    def draw_observers(self):
        self.give("sample", "100ns", "0", "0")
        # Senders of `strict` never stop, so a millisecond of all hosts may be minutes of a core. A full buffer of
        # 800 kB takes 64 us to drain at 100 Gb/s, and there may be four in a row.
        if self.value("algorithm") in IN_NETWORK:
            return self.give("RngRun", *range(1, 1000))
        kind = self.recovery
        if kind == "strict" and (self.value("rateControl") != "fixed" or self.has_window()):
            kind = "selective-repeat"  # a full window stops repair packets: a timer of 500 us goes on
        self.give("stallTime", *(STALL_TIMES.get(kind, ["1ms", "2ms"])))
        return self.give("RngRun", *range(1, 1000))
