# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""What a run leaves: its summary, run.json and the tables agree with each other."""

import contextlib
import json
import os
import pty
import re
import statistics

import pytest
from harness import COST, HEADER, ROOT, SMALL, TABLES, call, check_refusals, needs_program, rows, stderr_lines, succeed, write_flows

pytestmark = needs_program


def test_files(tmp_path):
    json_text = succeed(tmp_path, *SMALL)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted([*TABLES, "run.json"])
    assert sorted(json_text["files"]) == sorted(TABLES)
    for name, header in TABLES.items():
        assert (tmp_path / "out" / name).read_text().split("\n")[0] == header
    assert (tmp_path / "out" / "events.csv").read_text().count("\n") == 1
    assert len(rows(tmp_path, "flows")) == 16
    assert len(rows(tmp_path, "links")) == 2 * 48


def test_every_column_is_documented():
    text = "".join((ROOT / f"doc/{page}.rst").read_text() for page in ("outputs", "series"))
    for header in TABLES.values():
        for column in header.split(","):
            assert f"``{column}``" in text


def test_run_json(tmp_path):
    name = "ns3::aifabric::RrBalancer::Reshuffle"
    summary = succeed(tmp_path, *SMALL, "--balancer=rr", "--RngRun=7", f"--{name}=3")
    options = {option["name"] for option in json.loads(call(tmp_path, "--help=json").stdout)}
    assert len(options) > 20
    how = set("ranks engine plan simulator threads config writeConfig progress quiet json".split())  # what changes no result
    assert options - how <= set(summary["scenario"])
    assert not how & set(summary["scenario"])
    assert summary["results"]["ranks"] == 1
    assert summary["scenario"]["attributes"] == {name: "3"}
    assert summary["scenario"]["k"] == 4 and summary["scenario"]["size"] == 65536
    assert summary["run"] == 7 and summary["seed"] == 1
    assert summary["versions"].keys() >= {"ns-3", "ai-fabric", "compiler"}
    assert summary["buildProfile"] in ("release", "optimized", "debug", "unknown")
    keys = (
        "cct_ns bound_ns increase_percent max_queue_packets mean_queue_packets drops "
        "retransmissions messages data_packets packet_hops events cpu_s peak_rss_bytes"
    )
    results = summary["results"]
    assert set(keys.split()) | COST <= set(results)
    documented = "".join((ROOT / f"doc/{page}.rst").read_text() for page in ("outputs", "run-json"))
    assert all(f"``{key}``" in documented for key in results)
    assert results["messages"] == 16 and results["data_packets"] == 16 * 16
    assert results["drops"] == sum(results["drops_by_reason"].values())
    delivered = sum(int(row["frames_delivered"]) for row in rows(tmp_path, "links"))
    assert results["packet_hops"] == delivered


def test_results_agree_with_tables(tmp_path):
    results = succeed(tmp_path, "--k=4", "--balancer=rsq", "--sample=50ns")["results"]
    flows = rows(tmp_path, "flows")
    first = min(float(row["start_ns"]) for row in flows)
    last = max(float(row["completed_ns"]) for row in flows)
    assert results["cct_ns"] == pytest.approx(last - first, abs=1e-3)
    links = [row for row in rows(tmp_path, "links") if row["layer"] != "host-up"]
    assert results["max_queue_packets"] == max(int(row["max_queue_packets"]) for row in links)
    mean = statistics.mean(float(row["mean_queue_packets"]) for row in links)
    assert results["mean_queue_packets"] == pytest.approx(mean)
    samples = [row for row in rows(tmp_path, "queues") if row["layer"] != "host-up"]
    assert results["max_queue_packets"] >= max(int(row["max_queue_packets"]) for row in samples)
    for layer in {row["layer"] for row in samples}:
        sampled = [float(row["mean_queue_packets"]) for row in samples if row["layer"] == layer]
        mean = results["layers"][layer]["mean_queue_packets"]
        assert mean == pytest.approx(statistics.mean(sampled), rel=0.05)


def summary_of(folder, *options):
    """The lines that a run prints, by their first words, and its results."""
    run = call(folder, *options, "--out=out")
    assert run.returncode == 0 and run.stderr == ""
    lines = dict(re.split("  +", line, maxsplit=1) for line in run.stdout.splitlines())
    return lines, json.loads((folder / "out/run.json").read_text())["results"]


@pytest.mark.parametrize(
    "options, warns",
    [
        ("--balancer=rsq --buffer=10MB", False),
        ("--workload=incast", True),
        ("--workload=incast --acks=bypass", True),
        ("--workload=incast --recovery=strict", True),
        ("--workload=incast --recovery=go-back-n", False),
        ("--balancer=rsq --buffer=10MB --fail=host-0:0--pod0-edge-0:0%0.005@0s", False),
        ("--balancer=rsq --buffer=10MB --fail=host-0:0--pod0-edge-0:0%0.5@0s", True),
        ("--balancer=rsq --buffer=10MB --recovery=sack --fail=host-0:0--pod0-edge-0:0%0.5@0s", False),
    ],
)
def test_the_summary_tells_of_losses(tmp_path, options, warns):
    """All counts, zeros too, and a warning where an ideal recovery hides more than 1 % of loss."""
    lines, results = summary_of(tmp_path, "--k=4", "--size=256KiB", *options.split())
    names = ["network", "stack", "completion time", "switch queues", "losses", *["faults"] * ("--fail" in options)]
    assert list(lines) == [*names, *["warning"] * warns, "results"]
    again = results["retransmissions"] + results["repair_packets"]
    assert lines["losses"] == (
        f"{results['drops']} packets dropped, {results['link_losses']} lost on links, "
        f"{again} retransmissions, {results['timeouts']} timeouts"
    )
    sent = sum(int(row["frames_sent"]) for row in rows(tmp_path, "links") if row["layer"] == "host-up")
    percent = 100 * (results["drops"] + results["link_losses"]) / sent
    ideal = not re.search("go-back-n|sack", options)
    assert warns == (ideal and percent > 1)
    if warns:
        assert lines["warning"].startswith(f"{percent:.1f} % of all packets were lost")


def test_the_summary_says_what_bounds_stand_on(tmp_path):
    fail = "--fail=pod0-edge-1:2--pod0-agg-0:1@0s"
    options = "--balancer=rsq", "--size=64KiB", "--out=out"
    small = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=4"
    texts = {
        more: call(tmp_path, *options, *(more if small in more else f"--k=4 {more}").split()).stdout
        for more in (
            "--rho=1",
            f"{fail} --convergence=10ms",
            f"{fail} --rho=max",
            f"{fail},core-0@1us --rho=max",
            f"{fail} --rho=0.5",
            "--fail=core-0@1s",
            f"{small} --planes=2 --rate=200Gb/s",
            f"{small} --fail=leaf-1--spine-0@1us --workload=send-receive --convergence=0",
        )
    }
    plain, cut, limited, more, half, late, planes, idle = texts.values()
    assert "computed" not in plain and "faults" not in plain and plain.startswith("network          16 hosts, fat-tree, 800 Gb/s a host\n")
    assert "computed" not in cut and "computed" not in limited.replace("(computed at the rate of the hosts)", "")
    assert "us (computed without faults)\n" in late
    assert "faults           1 began; " in cut and " frames were lost on links or had no route" in cut
    assert "warning          the run ended before all switches knew of a cut (--convergence=10ms)" in cut
    assert "us (computed at the rate of the hosts)\n" in limited
    assert ", 400 Gb/s a host, 50 % (--rho) of its links\n" in limited
    assert "us (computed at the rate of the hosts, without the other faults)\n" in more
    assert "us (computed at the rate of the hosts)\n" in half
    assert "faults           none had begun when the run ended\n" in late and "warning" not in late
    assert ", 400 Gb/s a host, 2 planes of 200 Gb/s\n" in planes
    assert "faults           1 began; no frame was lost\n" in idle and "warning" not in idle


def test_samples_stay_few(tmp_path):
    succeed(tmp_path, "--k=2", "--sample=1ns")
    times = [float(row["time_ns"]) for row in rows(tmp_path, "queues") if row["layer"] == "host-up"]
    assert 500 <= len(times) <= 1000
    steps = {round(b - a, 3) for a, b in zip(times, times[1:])}
    assert len(steps) == 1
    succeed(tmp_path, *SMALL, "--sample=0")
    assert rows(tmp_path, "queues") == []


def test_samples_begin_with_the_first_message(tmp_path):
    late = "".join(f"1000000000,{host},0,262144\n" for host in range(1, 5))
    option = write_flows(tmp_path, HEADER + late)
    succeed(tmp_path, "--k=4", option)
    samples = rows(tmp_path, "queues")
    assert float(samples[0]["time_ns"]) == 1e9
    assert max(int(row["max_queue_packets"]) for row in samples) > 10


@pytest.mark.parametrize(
    "options",
    [
        "--recovery=strict --size=16KiB",
        "--workload=incast --senders=12 --size=128KiB --recovery=go-back-n --admission=shared "
        "--ns3::aifabric::SharedBuffer::LosslessClasses=8 --buffer=400kB",
    ],
)
def test_shares_of_time_are_no_more_than_one_and_means_no_more_than_the_most(tmp_path, options):
    """Strict sends as long as the run goes on; with PFC a port may send nothing but pause frames."""
    results = succeed(tmp_path, "--k=4", *options.split())["results"]
    assert results["cct_ns"] < results["measured_ns"] < results["cct_ns"] + 501
    for name in "links", "layers", "queues":
        for row in rows(tmp_path, name):
            shares = [float(row[column]) for column in row if column.endswith("utilization")]
            assert all(share <= 1 for share in shares)
            assert float(row["mean_queue_packets"]) <= float(row["max_queue_packets"])
    most = {row["layer"]: int(row["max_queue_packets"]) for row in rows(tmp_path, "layers")}
    for sample in rows(tmp_path, "queues"):
        assert int(sample["max_queue_packets"]) <= most[sample["layer"]]
    assert most["host-up"] >= 1


def test_progress_goes_to_stderr(tmp_path):
    run = call(tmp_path, *SMALL, "--progress", "--out=out")
    line = stderr_lines(run)[-1]
    assert line.startswith("16 of 16 messages, ") and "us simulated, " in line
    assert "packet-hops/s" in line
    rates = "--fidelity=fluid", "--balancer=ofan", "--workload=all-reduce", "--size=4MiB", "--buffer=1GB"
    assert stderr_lines(call(tmp_path, "--k=4", *rates, "--progress", "--out=rates"))[-1].endswith(" us simulated")


@pytest.mark.parametrize("more, shows", [([], True), (["--quiet"], False), (["--progress=false"], False)])
def test_a_terminal_shows_the_progress(tmp_path, more, shows):
    terminal, end = pty.openpty()
    run = call(tmp_path, *SMALL, *more, "--out=out", stderr=end)
    os.close(end)
    seen = b""
    with contextlib.suppress(OSError):  # EIO: nothing was written
        seen = os.read(terminal, 4096)
    os.close(terminal)
    assert run.returncode == 0 and (b"16 of 16 messages, " in seen) == shows


def test_a_quiet_run_prints_nothing(tmp_path):
    run = call(tmp_path, *SMALL, "--quiet", "--out=out")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "") and (tmp_path / "out/run.json").exists()
    check = call(tmp_path, *SMALL, "--quiet", "--check")
    assert (check.returncode, check.stdout, check.stderr) == (0, "", "")
    assert call(tmp_path, *SMALL, "--quiet", "--size=x").stderr.startswith("ai-fabric-run: --size=x: ")


def test_the_summary_is_printed_as_json(tmp_path):
    run = call(tmp_path, *SMALL, "--balancer=rr", "--json", "--out=out")
    assert run.returncode == 0 and run.stderr == "" and run.stdout.count("\n") == 1
    written = json.loads((tmp_path / "out/run.json").read_text())
    assert json.loads(run.stdout) == {"folder": "out", "notes": [], **{key: written[key] for key in ("summary", "results")}}
    refused = {"--json --quiet": "--json=true: false with --quiet", "--json --check": "--json=true: false with --check",
               "--json=x": "--json=x: true or false"}  # fmt: skip
    check_refusals(tmp_path, refused, *SMALL)


def test_layers_table_is_that_of_run_json(tmp_path):
    results = succeed(tmp_path, *SMALL, "--balancer=rsq")["results"]
    table = {row.pop("layer"): row for row in rows(tmp_path, "layers")}
    assert list(table) == list(results["layers"])
    for layer, row in table.items():
        assert {name: float(value) for name, value in row.items()} == pytest.approx(results["layers"][layer])
        integral = results["layers"][layer]["mean_queue_packets"] * results["measured_ns"]
        period = results["sending_period_ns"]
        assert results["layers"][layer]["sending_queue_packets"] * period == pytest.approx(integral)
    assert results["sending_period_ns"] == pytest.approx(16 * (4096 + 62 + 20) * 0.01)


def test_sending_period_can_be_given(tmp_path):
    automatic = succeed(tmp_path, *SMALL)["results"]
    given = succeed(tmp_path, *SMALL, "--period=1us")["results"]
    assert given["sending_period_ns"] == 1000
    assert given["sending_queue_packets"] == pytest.approx(
        automatic["sending_queue_packets"] * automatic["sending_period_ns"] / 1000
    )


def test_policies_are_counted(tmp_path):
    def policies(*options):
        return succeed(tmp_path, "--k=4", *options)["results"]["policies"]

    assert policies("--balancer=rsq") == {}
    assert policies("--balancer=plb", "--size=4MiB", "--RngRun=2")["plb_relabels"] > 0
    reps = policies("--balancer=reps")
    assert reps["reps_freezes"] == reps["reps_thaws"] == 0
    # none in the first round trip, nearly all in the second: nothing is marked in so small a fabric
    assert 0.2 < reps["reps_reused"] / (16 * 256) < 0.8
    marked = policies("--balancer=reps", "--ns3::aifabric::RepsBalancer::MarkingShare=0.00001")
    assert marked["reps_reused"] < 0.5 * reps["reps_reused"]
    # all that is on the way is lost, so timers expire
    cut = "--fail=" + ",".join(f"pod0-edge-0:{port}--pod0-agg-{port - 2}:0@2us-900us" for port in (2, 3))
    frozen = policies(
        "--balancer=reps", cut, "--recovery=go-back-n", "--ns3::aifabric::RepsBalancer::FreezingTime=100us"
    )
    assert frozen["reps_freezes"] > 0
    assert 0 < frozen["reps_thaws"] <= frozen["reps_freezes"]


def test_faults_are_logged(tmp_path):
    link = "pod0-edge-0:2--pod0-agg-0:0"
    faults = f"--fail={link}@2us-4us,{link}*0.5@5us,{link}%0.1@1us-2us"
    summary = succeed(tmp_path, "--k=4", "--balancer=rsq", faults)
    events = [(row["time_ns"], row["event"], row["detail"]) for row in rows(tmp_path, "events")]
    assert set(events) >= {
        ("1000.000", "fault_begin", "probability=0.1"), ("2000.000", "fault_end", "probability=0.1"),
        ("2000.000", "fault_begin", "cut"), ("2000.000", "link_down", ""), ("4000.000", "link_up", ""),
        ("4000.000", "fault_end", "cut"), ("5000.000", "fault_begin", "factor=0.5"),
    }
    assert {row["subject"] for row in rows(tmp_path, "events")} == {link}
    lost = sum(int(row["frames_lost"]) for row in rows(tmp_path, "links"))
    assert summary["results"]["link_losses"] == lost > 0
    assert summary["results"]["retransmissions"] >= lost / 2


def test_timeouts_are_logged(tmp_path):
    # The last packets of host 1 are lost, so that only the timer notices.
    link = "host-1:0--pod0-edge-0:1"
    options = "--recovery=sack", "--workload=flows", write_flows(tmp_path, HEADER + "0,1,9,65536\n")
    timeout = "--ns3::aifabric::RcQueuePair::AckTimeout=20us"
    summary = succeed(tmp_path, "--k=4", *options, timeout, f"--fail={link}@600ns-30us")
    assert summary["results"]["timeouts"] == 2
    timeouts = [row for row in rows(tmp_path, "events") if row["event"] == "timeout"]
    assert {row["subject"] for row in timeouts} == {"host-1:qp-16"}
    assert [row["detail"] for row in timeouts] == ["peer=host-9 retries=1", "peer=host-9 retries=2"]


def test_the_memory_of_a_run_is_its_own(tmp_path):
    """Not that of a large process which has started it."""
    large = bytearray(b"x" * (600 << 20))
    assert succeed(tmp_path, *SMALL)["results"]["peak_rss_bytes"] < 300 << 20 < len(large)
