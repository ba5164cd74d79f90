# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""Draws random scenarios in fabrics of any shape, from files: links of unequal rates and delays, parallel links, rings."""

import csv

from law_scenarios import SOURCE_ROUTED, Draw

NOT_HERE = {  # by option: what needs tiers; senders that fill long links with repairs for hours
    "balancer": {"te", "conga", "conweave", "ofan", "host-dr", "prime", "mrc", "path-pinning"},
    "upgrade": {"te", "ofan", "path-pinning"},
    "steering": set(SOURCE_ROUTED),
    "acks": {"bypass"},
    "rho": {"max"},
    "recovery": {"strict"},
}
RATES = "", "100Gb/s", "400Gb/s", "25Gb/s"
DELAYS = "", "0", "100ns", "20us"


class ShapeDraw(Draw):
    """Draws one scenario in a fabric of any shape."""

    lossless_buffer = "20MB"  # 20 us at 800 Gb/s are 4 MB of headroom

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.may_aggregate = self.may_have_preset = False
        self.links = []

    def names(self, option):
        return [name for name in super().names(option) if name not in NOT_HERE.get(option, ())]

    def give(self, name, *values):
        fit = [value for value in values if value not in NOT_HERE.get(name, ())]
        return super().give(name, *fit)

    def draw_reachability(self):
        """Probes, less often than the round trips of long links."""
        super().draw_reachability()
        self.replace("reachability", "1ms")

    def draw_iterations(self):
        """Timers that are longer than the round trips of long links."""
        super().draw_iterations()
        for owner in "Rc", "Spray":
            self.replace(f"ns3::aifabric::{owner}QueuePair::AckTimeout", "400us")

    def draw_background(self):
        """A load of the fastest link that does not fill a slow one for ever."""
        super().draw_background()
        self.replace("backgroundLoad", "0.002")

    def draw_observers(self):
        """Patience for the timers of links that are 4 times slower and 40 times longer than those of other draws."""
        super().draw_observers()
        self.replace("stallTime", "100ms")
        self.leave_out_links()

    def leave_out_links(self):
        """Gives no rate and no delay that the file says of each such link."""
        rows = list(csv.DictReader(self.files.get("shape.csv", "").splitlines()))
        columns = {"rate": ("host", "rate"), "fabricRate": ("link", "rate"), "delay": ("hostlink", "delay")}
        said = {
            name for name, (kinds, column) in columns.items() if rows and all(row[column] for row in rows if row["kind"] in kinds)
        }
        self.options = [option for option in self.options if option[2:].partition("=")[0] not in said]

    def replace(self, name, value):
        """Gives an option that was given another value."""
        begin = f"--{name}="
        self.options = [begin + value if option.startswith(begin) else option for option in self.options]

    def links_of(self, fabric):
        return self.links or super().links_of(fabric)

    def cable(self):
        """Rate, delay and count of a link, as a file has them."""
        return f"{self.dice.choice(RATES)},{self.dice.choice(DELAYS)}"

    def draw_fabric(self, planes=None):
        """A torus or a dragonfly, or a fabric from a file."""
        shape = self.dice.choice(["torus", "dragonfly", "file", "file", "file", "file"])
        if shape == "file":
            self.draw_file()
            return
        self.options.append(f"--topology={shape}")
        if shape == "torus":
            self.hosts = {"3": 3, "2,2": 4, "4,2": 8, "3,1,2": 6}[self.give("lengths", "3", "2,2", "4,2", "3,1,2")]
        else:
            routers, links = self.give("routers", 1, 2), self.give("globalLinks", 1, 2)
            self.hosts = routers * (routers * links + 1)
        self.hosts *= self.give("hostsPerLeaf", 1, 2)
        self.leaves = 1

    def draw_file(self):
        """A tree of switches with links more, and hosts at each switch that would be a dead end."""
        number = self.dice.randint(1, 5)
        joined = {(self.dice.randrange(b), b): self.dice.choice([1, 1, 2]) for b in range(1, number)}
        for _ in range(self.dice.randint(0, number)):
            a, b = sorted(self.dice.choices(range(number), k=2))
            if a != b:
                joined.setdefault((a, b), 1)
        ends = [sum(count for pair, count in joined.items() if switch in pair) for switch in range(number)]
        at = [switch for switch in range(number) if ends[switch] < 2 or self.chance(0.5)]
        at += self.dice.choices(range(number), k=2)
        self.dice.shuffle(at)
        self.hosts, self.leaves = len(at), 1  # any hosts may be the GPUs of a node
        rows = ["kind,node,to,rate,delay,count", f"switch,s-0..{number - 1},,,,"]
        rows += [f"host,host-{host},s-{switch},{self.cable()}," for host, switch in enumerate(at)]
        rows += [f"link,s-{a},s-{b},{self.cable()},{count}" for (a, b), count in joined.items()]
        self.files["shape.csv"] = "\n".join(rows) + "\n"
        self.options.append("--topology=shape.csv")
        self.name_links(at, joined)

    def name_links(self, at, joined):
        """The names of all links: ports are numbered in the order of links, those of hosts first."""
        ports = {}

        def port(switch):
            ports[switch] = ports.get(switch, -1) + 1
            return f"s-{switch}:{ports[switch]}"

        self.links = [f"host-{host}:0--{port(switch)}" for host, switch in enumerate(at)]
        self.links += [f"{port(a)}--{port(b)}" for (a, b), count in joined.items() for _ in range(count)]
