# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""`--preset`, the named sets of options of AI zones, and `--spineBuffer`, which they set."""

import pytest
from harness import SMALL, call, check_refusals, rows, succeed

NAMES = "g0-static", "g1-2x", "g2-te", "zones"
LOSSLESS = "ns3::aifabric::SharedBuffer::LosslessClasses"
SHORT = "--leaves=2", "--size=64kB"


def listed(folder):
    """The options of each preset, as help lists them."""
    presets = {}
    for line in call(folder, "--preset=help").stdout.splitlines():
        if not line.startswith(" "):
            presets[line] = {}
            options = presets[line]
        elif line.startswith("    --"):
            name, _, value = line.strip()[2:].partition("=")
            options[name] = value
    return presets


def test_help_lists_all_and_runs_nothing(tmp_path):
    presets = listed(tmp_path)
    assert tuple(presets) == NAMES and not list(tmp_path.iterdir())
    uplinks = {name: int(presets[name]["spines"]) for name in NAMES[:3]}
    assert uplinks == {"g0-static": 16, "g1-2x": 32, "g2-te": 18}
    zones = {name: int(presets["zones"][name]) for name in ("leavesPerPod", "spinesPerPod", "cores", "hostsPerLeaf")}
    assert zones["leavesPerPod"] == 7 * zones["cores"] / zones["spinesPerPod"]  # 7:1
    assert zones["spinesPerPod"] / zones["hostsPerLeaf"] == 1.125
    for options in presets.values():  # a rack switch has 113 MB
        ports = 16 + int(options.get("spines") or options["spinesPerPod"])
        assert 112.9e6 < ports * 1000 * int(options["buffer"].removesuffix("kB")) <= 113e6


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_its_options(tmp_path, name):
    """They are in run.json, and the run is that of the same options one by one."""
    options = {**listed(tmp_path)[name], "size": "4kB"}
    short = {"leavesPerPod": 7, "spinesPerPod": 2, "cores": 2} if name == "zones" else {"leaves": 2}
    given = [f"--{option}={value}" for option, value in {**short, "size": "4kB"}.items()]
    preset = succeed(tmp_path, f"--preset={name}", *given)
    assert preset["scenario"]["preset"] == name
    assert preset["scenario"]["rate"] == "400Gb/s" and preset["scenario"]["attributes"] == {LOSSLESS: "8"}
    assert preset["scenario"]["spineBuffer"] == 64_000_000
    options |= short
    single = succeed(tmp_path, *(f"--{option}={value}" for option, value in options.items()))
    assert single["scenario"].pop("preset") == "none"
    preset["scenario"].pop("preset")
    assert preset["scenario"] == single["scenario"]
    for key in ("cct_ns", "events", "layers", "policies"):
        assert preset["results"][key] == single["results"][key]


def test_each_option_may_be_overridden(tmp_path):
    more = "--balancer=ecmp", "--gpusPerNode=1", f"--{LOSSLESS}=0", "--spineBuffer=auto"
    scenario = succeed(tmp_path, "--preset=g2-te", *SHORT, *more)["scenario"]
    assert scenario["balancer"] == "ecmp" and scenario["gpusPerNode"] == 1 and scenario["leaves"] == 2
    assert scenario["attributes"] == {LOSSLESS: "0"} and scenario["spineBuffer"] == scenario["buffer"] == 3_323_000
    scenario = succeed(tmp_path, "--preset=g2-te", *SHORT, "--admission=port")["scenario"]
    assert scenario["attributes"] == {}  # those of the shared buffer are not set without it


@pytest.mark.parametrize(
    "options, expected",
    [
        ("--preset=g2-te --leaves=2 --steering=ethereal", {"balancer": "ns3::aifabric::PinnedBalancer"}),
        ("--preset=g2-te --leaves=2 --steering=split", {"steering": "split", "balancer": "te", "queuePairs": 4}),
        ("--preset=zones --leavesPerPod=2 --steering=single", {"balancer": "e-ecmp", "queuePairs": None}),
        ("--preset=zones --leavesPerPod=2 --steering=split", {"balancer": "e-ecmp", "queuePairs": 16}),
        (
            "--preset=zones --leavesPerPod=2 --ns3::aifabric::RoundRobinSteering::QueuePairs=3",
            {"steering": "round-robin", "queuePairs": 3},
        ),
        ("--preset=g2-te --leaves=2 --transport=spray", {"transport": "spray", "balancer": "te"}),
        (
            "--preset=zones --leavesPerPod=2 --hostsPerLeaf=4 --workload=all-reduce --algorithm=atp",
            {"algorithm": "atp", "balancer": "e-ecmp", "steering": None, "queuePairs": None, "gpusPerNode": 1},
        ),
        ("--preset=g2-te --leaves=2 --forwarding=stev", {"forwarding": "stev", "balancer": "ecmp", "rate": "400Gb/s"}),
    ],
)
def test_what_does_not_fit_has_its_default(tmp_path, options, expected):
    """An option that the preset sets, and that does not fit what is given, is not refused."""
    scenario = succeed(tmp_path, *options.split(), "--size=64KiB")["scenario"]
    assert {name: scenario[name] for name in expected} == expected


REFUSED = {
    "--preset=g2-te --balancer=te --steering=ethereal":
        "--balancer=te: none with --steering=ethereal, which chooses the paths",
    "--preset=zones --queuePairs=16 --steering=single":
        "--queuePairs=16: only with --steering=split, round-robin or dqplb",
    "--preset=g3": "--preset=g3: one of g0-static, g1-2x, g2-te, zones, or none",
    "--preset=g2-te --topology=fat-tree": "--topology=fat-tree: leaf-spine with --preset=g2-te",
    "--preset=g2-te --leaves=192": "--spineBuffer=64MB: for all 192 ports of a switch together less than 4 GiB",
    "--preset=g2-te --preset=zones": "--preset=zones: is given twice",
}


def test_the_rate_of_nics_wins_over_that_of_the_links_of_a_preset(tmp_path):
    small = "--leaves=2", "--spines=2", "--size=4KiB"
    for rates, expected in {("--nicRate=100Gb/s",): "100Gb/s", ("--nicRate=100Gb/s", "--rate=200Gb/s"): "200Gb/s"}.items():
        scenario = succeed(tmp_path, "--preset=g0-static", *small, *rates)["scenario"]
        assert (scenario["nicRate"], scenario["rate"], scenario["fabricRate"]) == ("100Gb/s", "100Gb/s", expected)


def test_refused(tmp_path):
    check_refusals(tmp_path, REFUSED)


# --- The buffer of spines ---------------------------------------------------------------------------

INCAST = "--topology=leaf-spine", "--leaves=3", "--spines=1", "--hostsPerLeaf=4", "--workload=incast", "--senders=8"


def test_spines_have_more_room(tmp_path):
    """Spines that send faster than they receive from leaves wait for the leaf of the receiver in an incast."""
    options = *INCAST, "--size=256KiB", "--buffer=100kB"
    usual = succeed(tmp_path, *options)
    assert usual["scenario"]["spineBuffer"] == 100_000
    same = succeed(tmp_path, *options, "--spineBuffer=100kB")["results"]
    for key in ("cct_ns", "drops", "layers"):
        assert same[key] == usual["results"][key]
    deep = succeed(tmp_path, *options, "--spineBuffer=8MB")["results"]
    most = {name: layer["max_waiting_bytes"] for name, layer in deep["layers"].items()}
    assert most["leaf-down"] <= 100_000 and most["leaf-up"] <= 100_000
    assert most["spine-down"] > 100_000 and deep["drops"] < usual["results"]["drops"]


def test_deep_spines_do_not_pause_leaves(tmp_path):
    """With lossless classes: the leaf of the receiver pauses the spine, and a deep spine nobody."""
    lossless = "--admission=shared", f"--{LOSSLESS}=8", "--buffer=200kB", "--size=1MiB"

    def paused(*more):
        succeed(tmp_path, *INCAST, *lossless, *more)
        return {row["subject"].split("-")[0] for row in rows(tmp_path, "events") if row["event"] == "pause"}

    assert paused() >= {"spine", "leaf"}
    assert paused("--spineBuffer=64MB") >= {"spine"} and "leaf" not in paused("--spineBuffer=64MB")


REFUSED_BUFFERS = {
    "--spineBuffer=1": "--spineBuffer=1: a number of bytes",
    "--spineBuffer=5GB": "--spineBuffer=5GB: less than 4 GiB",
    f"--admission=shared --{LOSSLESS}=8 --buffer=1MB --spineBuffer=20kB": "--spineBuffer=20000: at least ",
    "--admission=shared --buffer=1MB --spineBuffer=2GB": "--spineBuffer=2GB: for all 4 ports of a switch",
}


def test_buffers_of_spines_that_are_refused(tmp_path):
    check_refusals(tmp_path, REFUSED_BUFFERS, *SMALL)
