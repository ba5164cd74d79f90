# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""The timeline of messages and the heat maps of links: what is drawn of which data."""

import csv
import itertools
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import time
from argparse import ArgumentTypeError

import pytest
from chakra_traces import ALL_REDUCE, COLLECTIVE, node, trace
from harness import PROGRAM, ROOT, needs_program, offered, script
from harness import call as run_program

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

from ai_fabric.common.program import ScriptError
from ai_fabric.plot import charts
import numpy
from ai_fabric.plot import plot_compare
from ai_fabric.plot import plot_dashboard
from ai_fabric.plot import plot_links
from ai_fabric.sweep import plot_means
from ai_fabric.plot import plot_planes
from ai_fabric.plot import plot_run
from ai_fabric.plot import plot_timeline
from ai_fabric.plot import style
from ai_fabric.common.command import number_list, time_ns, whole_number
from ai_fabric.plot.faults import name_of
from ai_fabric.plot.messages import Choice, lanes_of, leaves_of, places_of, read_messages, under_way
from ai_fabric.plot.plot_links import CUT, DEAD, marks_of, plot_link_load, tiers_of
from ai_fabric.plot.plot_timeline import Timeline, boxes
from ai_fabric.runs.run_data import Run, first_of
from ai_fabric.sweep.plot_request import read_plot

PNG = b"\x89PNG"
COLLECTIVES = "collective,name,kind,algorithm,ranks,bytes,start_ns,end_ns,bus_bandwidth_gbps,bound_ns"
LAYERS = ["host-up", "leaf-up", "spine-down", "leaf-down"]

# --- Runs that are made by hand -------------------------------------------------------------------


def write(folder, name, header, *lines):
    (folder / f"{name}.csv").write_text("\n".join([header, *lines, ""]))


def cable(layers, lower, upper, up, down):
    """Both directions of a link, with the bytes sent."""
    name = f"{lower}--{upper}"
    yield f"{name},{lower},{upper},{layers[0]},{up},{up / 1000}"
    yield f"{name},{upper},{lower},{layers[1]},{down},{down / 1000}"


def make_run(folder, hosts=4, bound=20.0):
    """Hosts at two leaves with two spines: no messages, and no load yet."""
    scenario = {"hosts": hosts, "topology": "leaf-spine", "rate": "800Gb/s", "balancer": "rr"}
    scenario.update(workload="flows", size=None)
    results = {"bound_ns": bound, "messages": 0, "layers": {layer: {} for layer in LAYERS}}
    folder.mkdir(exist_ok=True)
    (folder / "run.json").write_text(json.dumps({"scenario": scenario, "results": results, "run": 1}))
    lines = []
    for host in range(hosts):
        leaf, port = divmod(host, hosts // 2)
        lines += cable(("host-up", "leaf-down"), f"host-{host}:0", f"leaf-{leaf}:{port}", 10, 10)
    for leaf in range(2):
        for spine in range(2):
            up = f"leaf-{leaf}:{hosts // 2 + spine}"
            bytes_up = [[30, 10], [5, 15]][leaf][spine]
            lines += cable(("leaf-up", "spine-down"), up, f"spine-{spine}:{leaf}", bytes_up, 0)
    write(folder, "links", "link,from,to,layer,bytes_sent,utilization", *lines)
    write(folder, "events", "time_ns,event,subject,detail")
    write(folder, "queues", "time_ns,layer,max_queue_packets")
    write(folder, "flows", "flow,source,destination,start_ns,received_ns,completed_ns")
    return folder


def add_collectives(folder):
    """Two collectives of two steps, and a plain flow."""
    header = "flow,source,destination,start_ns,received_ns,completed_ns,collective,slice,step"
    write(
        folder,
        "flows",
        header,
        "0,0,1,0.000,10.000,12.000,0,0,0",
        "1,1,0,1.000,11.000,13.000,0,0,0",
        "2,0,1,11.000,20.000,22.000,0,0,1",
        "3,0,3,30.000,40.000,45.000,1,1,0",
        "4,2,3,30.000,50.000,52.000,,,",
    )
    write(
        folder,
        "collectives",
        COLLECTIVES,
        "0,grad,all-reduce,ring,2,4096,0.000,22.000,1,18.000",
        "1,pull,all-gather,ring,2,4096,30.000,45.000,1,9.000",
    )
    lines = [f"{now}.000,{name},{now % 7}" for now in range(0, 60, 5) for name in LAYERS]
    write(folder, "queues", "time_ns,layer,max_queue_packets", *lines)
    return folder


@pytest.fixture
def plain(tmp_path):
    return Run(make_run(tmp_path / "plain"))


@pytest.fixture
def collectives(tmp_path):
    return Run(add_collectives(make_run(tmp_path / "collectives")))


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """A run with all tables."""
    folder = tmp_path_factory.mktemp("counted")
    fabric = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=2 --planes=2 --stallTime=1ms"
    traffic = "--workload=all-reduce --repeat=2 --size=256KiB"
    series = "--linkSeries=1us --planeSeries=1us --nicCounters --fail=host-0:0@1us-3us"
    more = "--hopLatency --reachability=20us"
    pauses = "--admission=shared --ns3::aifabric::SharedBuffer::LosslessClasses=8 --buffer=4MB"
    options = f"{fabric} {traffic} {series} {more} {pauses} --out=out".split()
    run_program(folder, *options, check=True)
    return folder / "out"


@pytest.fixture
def quickly(monkeypatch):
    """Without the layout that takes half of the time of a plot, and with few pixels."""
    for name, value in {"figure.constrained_layout.use": False, "savefig.dpi": 20}.items():
        monkeypatch.setitem(plot_run.plt.rcParams, name, value)


def write_ring(folder, hosts, collectives):
    """A run of all-reduces over a ring, one after the other: (hosts - 1) * 2 steps each."""
    generator = numpy.random.default_rng(1)
    sources = numpy.arange(hosts)
    ready, tables = numpy.zeros(hosts), []
    for number in range(collectives):
        for step in range(2 * (hosts - 1)):
            received = ready + generator.uniform(100, 140, hosts)
            columns = {"source": sources, "destination": (sources + 1) % hosts, "start_ns": ready}
            columns.update(received_ns=received, completed_ns=received + 50)
            columns.update(collective=number, slice=0, step=step)
            tables.append(pandas.DataFrame(columns))
            ready = numpy.maximum(received, numpy.roll(received, 1))
    table = pandas.concat(tables, ignore_index=True)
    table.to_csv(folder / "flows.csv", index_label="flow", float_format="%.3f")
    by = table.groupby("collective")
    found = pandas.DataFrame({"start_ns": by.start_ns.min(), "end_ns": by.completed_ns.max()})
    found.assign(name="all-reduce", bound_ns=10).to_csv(folder / "collectives.csv")
    return table


# --- Which messages -------------------------------------------------------------------------------


def test_lists_of_numbers():
    lists = {"3": [3], "0-3": [0, 1, 2, 3], "7,0-2,1-3": [0, 1, 2, 3, 7], "5-5": [5]}
    assert {text: number_list(text) for text in lists} == lists
    for text in "", "a", "3-", "-3", "3-1", "1,,2", "0-9999999999", "1.5", "²":
        with pytest.raises(ArgumentTypeError):
            number_list(text)


def test_times():
    assert [time_ns(text) for text in ("0", "12.5us", "3ns", "1ms")] == [0, 12500, 3, 1e6]
    for text in ("", "5", "-5us", "5KiB", "us"):
        with pytest.raises(ArgumentTypeError):
            time_ns(text)
    for text in ("-1", "x", "", "1.5", "²"):
        with pytest.raises(ArgumentTypeError):
            whole_number(text)


@pytest.mark.parametrize(
    "choice, starts",
    [
        (Choice(), [0, 1, 11, 30, 30]), (Choice(collective=0), [0, 1, 11]), (Choice(collective=1), [30]),
        (Choice(hosts=[1, 2]), [1, 30]), (Choice(hosts=[0], collective=0), [0, 11]),
        (Choice(begin_ns=12.5, end_ns=29), [1, 11]), (Choice(begin_ns=46), [30]), (Choice(end_ns=0.5), [0]),
        (Choice(begin_ns=100), []),
    ],
)
def test_messages_that_are_wanted(collectives, choice, starts):
    choice.check(collectives)
    messages = read_messages(collectives, choice, "step")
    assert list(messages.start_ns) == starts


def test_messages_without_a_collective(collectives):
    assert list(read_messages(collectives, Choice(), "collective").collective) == [0, 0, 0, 1, -1]
    assert list(read_messages(collectives, Choice(), "slice").slice) == [0, 0, 0, 1, -1]


def test_pieces_make_the_table(collectives):
    pieces = list(collectives.chunks("flows", ["source", "start_ns"], ["step", "color"], rows=2))
    assert [len(piece) for piece in pieces] == [2, 2, 1]
    table = collectives.table("flows")[["source", "start_ns", "step"]]
    pandas.testing.assert_frame_equal(pandas.concat(pieces), table)


def test_rows_are_the_hosts_that_send(collectives):
    messages = read_messages(collectives, Choice())
    places, hosts = places_of(messages, None)
    assert list(hosts) == [0, 1, 2] and list(places) == [0, 1, 0, 0, 2]
    chosen = Choice(hosts=[0, 2, 3])
    places, hosts = places_of(read_messages(collectives, chosen), chosen.hosts)
    assert list(hosts) == [0, 2, 3] and list(places) == [0, 0, 0, 1]


def test_leaves(plain):
    assert dict(leaves_of(plain)) == {0: 0, 1: 0, 2: 1, 3: 1}


# --- Lanes and messages under way -----------------------------------------------------------------


def test_lanes():
    begins, ends = numpy.array([0, 0, 5, 6, 0.0]), numpy.array([5, 9, 8, 7, 1.0])
    places = numpy.array([0, 0, 0, 0, 1])
    assert list(lanes_of(places, begins, ends)) == [0, 1, 0, 2, 0]


def peak(begins, ends):
    """The most intervals that have a time in common."""
    return max(sum(b <= now < e for b, e in zip(begins, ends)) for now in begins)


def test_lanes_never_overlap_and_are_few():
    source = random.Random(5)
    for _ in range(50):
        count = source.randint(1, 60)
        places = numpy.array([source.randrange(4) for _ in range(count)])
        begins = numpy.array([source.randrange(40) for _ in range(count)])
        ends = begins + [source.randint(1, 15) for _ in range(count)]
        lanes = lanes_of(places, begins, ends)
        for place in set(places):
            its = places == place
            assert lanes[its].max() + 1 == peak(begins[its], ends[its])
            for lane in set(lanes[its]):
                bars = sorted(zip(begins[its & (lanes == lane)], ends[its & (lanes == lane)]))
                assert all(end <= begin for (_, end), (begin, _) in zip(bars, bars[1:]))


def test_under_way():
    places = numpy.array([0, 0, 1])
    begins, ends = numpy.array([0, 5, 12.0]), numpy.array([15, 10, 99.0])
    counts = under_way(places, begins, ends, 3, numpy.linspace(0, 30, 4))
    expected = [[1.5, 0.5, 0], [0, 0.8, 1], [0, 0, 0]]
    assert counts == pytest.approx(numpy.array(expected))


def test_under_way_is_the_mean_of_every_interval():
    source = numpy.random.default_rng(3)
    for _ in range(30):
        places = source.integers(0, 5, 40)
        begins = source.uniform(-10, 60, 40)
        ends = begins + source.uniform(0, 30, 40)
        edges = numpy.linspace(3, 53, source.integers(2, 30))
        counts = under_way(places, begins, ends, 5, edges)
        for row in range(5):
            for column, (low, high) in enumerate(zip(edges, edges[1:])):
                shared = numpy.minimum(ends, high) - numpy.maximum(begins, low)
                mean = shared[places == row].clip(0).sum() / (high - low)
                assert counts[row, column] == pytest.approx(mean, abs=1e-9)


# --- The timeline ---------------------------------------------------------------------------------


def test_bars():
    table = pandas.DataFrame({"begin": [1000.0, 3000], "end": [2000.0, 7000]})
    corners = boxes(table.begin, table.end, numpy.array([0.1, 4.0]), 0.5)
    assert corners[0].tolist() == [[1, 0.1], [1, 0.6], [2, 0.6], [2, 0.1]]
    assert corners[1, :, 0].tolist() == [3, 3, 7, 7]


def test_what_colors_tell_apart(plain, collectives):
    assert Timeline(plain, Choice(), None).by == "leaf"
    assert Timeline(collectives, Choice(), None).by == "collective"
    assert Timeline(collectives, Choice(collective=0), None).by == "step"
    line = Timeline(collectives, Choice(), "leaf")
    assert list(line.groups()) == [0, 0, 0, 1, 1] and line.name(1) == "to leaf 1"
    line = Timeline(collectives, Choice(), None)
    assert list(line.groups()) == [0, 0, 0, 1, -1]
    assert [line.name(group) for group in (0, 1, -1)] == ["0 grad", "1 pull", "no collective"]
    assert list(Timeline(collectives, Choice(), "slice").groups()) == [0, 0, 0, 1, -1]


def test_time_that_is_shown(plain, collectives):
    assert Timeline(collectives, Choice(), None).span == (0, 52)
    assert Timeline(collectives, Choice(hosts=[2]), None).span == (0, 52)
    line = Timeline(collectives, Choice(collective=1), None)
    assert line.span == (30, 45) and line.bound_ns() == 39
    assert line.title() == "Messages of 1 pull, 0.01 us"
    assert not len(line.collectives())
    line = Timeline(collectives, Choice(begin_ns=23, end_ns=29), None)
    assert line.span == (23, 29) and not len(line.collectives())
    assert line.samples().time_ns.unique().tolist() == [20, 25, 30]
    assert "host-up" not in set(line.samples().layer)
    assert len(Timeline(collectives, Choice(), None).collectives()) == 2
    begin, end = Timeline(plain, Choice(), None).span
    assert begin == 0 < end


@pytest.mark.parametrize("start_ns, begin_ns", [(0, 0), (2, 0), (1e6, 1e6)])
def test_the_bound_counts_from_the_first_start(plain, start_ns, begin_ns):
    header = "flow,source,destination,start_ns,received_ns,completed_ns"
    write(plain.folder, "flows", header, f"0,0,1,{start_ns + 3},{start_ns + 20},{start_ns + 30}",
          f"1,2,3,{start_ns},{start_ns + 20},{start_ns + 25}")
    for choice in Choice(), Choice(hosts=[0]):
        line = Timeline(plain, choice, None)
        assert line.bound_ns() == start_ns + 20  # of all messages, as 20 in run.json
        assert line.span == (begin_ns, start_ns + 30)


def test_the_bound_of_collectives_counts_from_0(collectives):
    write(collectives.folder, "flows", "flow,start_ns", "0,5")
    assert collectives.first_start_ns == 5
    iteration = Run(collectives.folder)
    iteration.results["collectives"] = {"iteration_ns": 50.0}
    assert iteration.first_start_ns == 0


def test_the_axis_of_queues_begins_with_the_traffic():
    assert [first_of(*span) for span in ((0, 5), (1, 5), (3, 5))] == [0, 0, 3]
    assert first_of(math.nan, 1) == 0


def test_bars_that_would_be_too_thin(tmp_path):
    run = Run(make_run(tmp_path, hosts=32))
    table = write_ring(tmp_path, 32, 20)
    line = Timeline(run, Choice(), None)
    assert line.lanes is None and line.title() == "Messages under way"
    counts = line.counts(500)
    width = (line.span[1] - line.span[0]) / 500
    assert counts.sum() * width == pytest.approx((table.received_ns - table.start_ns).sum())
    assert Timeline(run, Choice(collective=3), None).lanes is not None
    assert Timeline(run, Choice(hosts=[0, 5], end_ns=20000), None).lanes is not None


@pytest.mark.parametrize(
    "choice, by",
    [
        (Choice(), None), (Choice(collective=0), None), (Choice(collective=1, hosts=[2, 3]), None),
        (Choice(begin_ns=12, end_ns=13), "slice"), (Choice(begin_ns=1e6), "leaf"),
    ],
)
def test_draws_collectives(collectives, tmp_path, choice, by):
    path = plot_timeline.plot_timeline(collectives, tmp_path / "timeline.png", choice, by)
    assert path.read_bytes()[:4] == PNG


def test_draws_a_run_without_messages(plain, tmp_path):
    for plot in plot_timeline.plot_timeline, plot_link_load:
        assert plot(plain, tmp_path / "plot.png").read_bytes()[:4] == PNG
    write(plain.folder, "collectives", COLLECTIVES)
    assert plot_timeline.plot_timeline(plain, tmp_path / "plot.png").read_bytes()[:4] == PNG


def test_many_messages_take_seconds(tmp_path):
    run = Run(make_run(tmp_path, hosts=128))
    assert len(write_ring(tmp_path, 128, 1)) == 128 * 254
    start = time.process_time()
    plot_timeline.plot_timeline(run, tmp_path / "timeline.png")
    window = Choice(begin_ns=1000, end_ns=5000)
    assert Timeline(run, window, None).lanes is not None
    plot_timeline.plot_timeline(run, tmp_path / "window.png", window)
    assert time.process_time() - start < 10


# --- Heat maps ------------------------------------------------------------------------------------


def test_maps(plain):
    links = plain.table("links")
    hosts, leaves = tiers_of(plain, links)
    assert (hosts.up, hosts.down) == ("host-up", "leaf-down")
    assert (leaves.up, leaves.down) == ("leaf-up", "spine-down")
    assert hosts.names == leaves.names == ["leaf-0", "leaf-1"]
    assert hosts.cells(links, "host-up", "layer").tolist() == [[1, 1], [1, 1]]
    assert leaves.cells(links, "leaf-up", "layer").tolist() == [[2, 2 / 3], [1 / 3, 1]]
    assert leaves.cells(links, "leaf-up", "switch").tolist() == [[1.5, 0.5], [0.5, 1.5]]
    assert leaves.cells(links, "leaf-up", "utilization").tolist() == [[0.03, 0.01], [0.005, 0.015]]
    for value in "layer", "switch":
        cells = leaves.cells(links, "spine-down", value)
        assert cells.shape == (2, 2) and numpy.isnan(cells).all()
    assert plot_links.title_of("spine-down", cells) == "spine-down: nothing sent"


def test_maps_of_switches_with_fewer_ports(plain):
    links = plain.table("links")
    links = links[links["from"].ne("leaf-1:2") & links.to.ne("leaf-1:2")]
    cells = tiers_of(plain, links)[1].cells(links, "leaf-up", "switch")
    assert cells[0].tolist() == [1.5, 0.5]
    assert cells[1, 0] == 1 and math.isnan(cells[1, 1])


def test_links_that_were_cut(plain, tmp_path):
    write(
        plain.folder,
        "events",
        "time_ns,event,subject,detail",
        "0.000,fault_begin,leaf-0:2--spine-0:0,cut",
        "0.000,link_down,leaf-0:2--spine-0:0,",
        "1.000,link_down,leaf-1:2--spine-0:1,",
        "2.000,link_up,leaf-1:2--spine-0:1,",
        "3.000,timeout,host-3:qp-16,peer=1 retries=1",
    )
    marks = marks_of(plain)
    assert dict(marks) == {"leaf-0:2--spine-0:0": DEAD, "leaf-1:2--spine-0:1": CUT}
    assert plot_link_load(plain, tmp_path / "load.png", "switch").read_bytes()[:4] == PNG


# --- Comparisons ----------------------------------------------------------------------------------


class Loads:
    """A run whose links of a layer have these loads."""

    label, switch_layers = "rr", lambda self: LAYERS[1:]

    def __init__(self, **loads):
        self.loads = loads

    def choice_layers(self):
        return [name.replace("_", "-") for name in self.loads]

    def link_load(self, layer):
        return numpy.array(self.loads[layer.replace("-", "_")])


@pytest.fixture
def saved(monkeypatch):
    """The figures that are written, which stay open."""
    figures = []
    monkeypatch.setattr(plot_compare, "save", lambda figure, *_, **__: figures.append(figure))
    yield figures
    plot_compare.plt.close("all")


def test_no_curve_of_a_later_panel_is_cut(saved):
    runs = [Loads(leaf_up=[1.1, 0.9], spine_down=[7, 0.5]), Loads(leaf_up=[2, 1], spine_down=[1, 1])]
    plot_compare.plot_links(runs, None, "")
    for axes in saved[0].axes:
        assert axes.get_ylim()[0] == 0 and axes.get_ylim()[1] > 7


def test_legends_of_many_runs_are_beside_the_panels(saved):
    runs = [Loads(leaf_up=[1, 1], spine_down=[1, 1], leaf_x=[2, 1], leaf_y=[2, 1]) for _ in range(16)]
    for number, run in enumerate(runs):
        run.label = f"scheme-of-{number}"
        run.queue_over_time = lambda: pandas.DataFrame({"mean": [1, 2], "max": [2, 3]}, index=[0, 9])
    plot_compare.plot_links(runs, None, "")
    plot_compare.plot_queues(runs, None, "")
    for figure in saved:
        figure.draw_without_rendering()
        legend = figure.legends[0].get_window_extent()
        assert legend.x1 <= figure.bbox.x1 and legend.y0 >= 0
        for axes in figure.axes:
            assert axes.get_window_extent().x1 <= legend.x0
            assert axes.get_window_extent().height > 0.25 * figure.bbox.height


@pytest.mark.parametrize("second_start, lines", [(0.1, 2), (15.0, 1)])
def test_the_bound_of_all_is_drawn_where_messages_start_together(saved, monkeypatch, tmp_path, second_start, lines):
    """Beside messages that wait for each other it says nothing of a single one."""
    monkeypatch.setattr(plot_run, "save", lambda figure, *_, **__: saved.append(figure))
    run = Run(make_run(tmp_path / "run", bound=20.0))
    write(run.folder, "flows", "flow,start_ns,duration_ns", "0,0.000,21.000", f"1,{second_start},9.000")
    plot_run.plot_flows(run, None)
    assert len(saved[0].axes[0].lines) == lines
    assert saved[0].axes[0].get_xlim()[0] == 0


def test_a_run_without_frames_has_a_dashboard(saved, monkeypatch, tmp_path):
    """As one of a message of 0 bytes."""
    monkeypatch.setattr(plot_dashboard, "save", lambda figure, *_, **__: saved.append(figure))
    run = Run(make_run(tmp_path / "run"))
    write(run.folder, "link-series", "time_ns,interval_ns,layer,utilization,waiting_bytes")
    counters = ["host", *plot_dashboard.COUNTERS]
    write(run.folder, "nic-counters", ",".join(counters), ",".join("0" for _ in counters))
    write(run.folder, "hop-latency", "switch,frames,min_ns,p50_ns,p99_ns", "leaf-0,0,0.000,0.000,0.000")
    write(run.folder, "hop-series", "time_ns,interval_ns,tier,max_ns")
    plot_dashboard.plot_dashboard(run, None)
    said = [text.get_text() for axes in saved[0].axes for text in axes.texts]
    assert said.count("no frame crossed a switch") == 2


def test_no_bar_is_under_the_legend():
    figure, axes = plot_dashboard.plt.subplots()
    parts = {name: [1000.0] * 12 for name in ("out_of_sequence", "packet_seq_err", "rx_discards")}
    plot_dashboard.draw_bars(axes, [f"host-{host}" for host in range(12)], parts, "NICs", "none")
    figure.draw_without_rendering()
    legend = axes.get_legend().get_window_extent()
    assert not any(legend.overlaps(bar.get_window_extent()) for bar in axes.patches)
    plot_dashboard.plt.close(figure)


@pytest.mark.parametrize("has_bound", [True, False])
def test_completion_is_drawn_over_the_bound(saved, has_bound):
    percents = [1.8, 230.0] if has_bound else [math.nan] * 2
    table = pandas.DataFrame({"scheme": ["ofan", "ecmp"], "cct_us": [17.4, 57], "bound_us": 17.06})
    table["increase_percent"] = percents
    for column in "cct_us", "increase_percent":
        table[f"{column}_low95"], table[f"{column}_high95"] = 0.9 * table[column], 1.1 * table[column]
    plot_compare.plot_completion(table, None, "")
    axes = saved[0].axes[0]
    assert axes.get_xscale() == ("symlog" if has_bound else "linear")
    means = [line.get_xdata()[0] for line in axes.lines if len(line.get_xdata()) == 1]
    assert means == (percents if has_bound else [17.4, 57])
    least, most = axes.get_xlim()
    assert least == 0 and most >= 1.1 * means[1]
    assert axes.texts[0].get_text() == ("+1.8 %  (17.40 us)" if has_bound else "17.40 us")  # first what the axis has


@needs_program
def test_lines_that_are_too_many_are_one_of_each_family():
    names = [*offered("balancer"), "mine"]
    assert set(names) - set(plot_compare.SCHEMES) == {"mine"}
    drawn = plot_compare.choose_lines(names)
    assert len(drawn) == plot_compare.MOST_LINES and drawn == [name for name in names if name in drawn]
    assert {"mine", "ofan", "ecmp"} < set(drawn) and len(set(drawn) - set(plot_compare.FAMILIES)) == 1
    assert plot_compare.choose_lines(names[:10]) == names[:10]
    others = [name for name in plot_compare.SCHEMES if name not in plot_compare.FAMILIES]
    assert plot_compare.choose_lines(others) == others[: plot_compare.MOST_LINES]


DAMAGE = [
    ("run.json", lambda text: "[]"),
    ("run.json", lambda text: text.replace('"layers"', '"liars"')),
    ("run.json", lambda text: text.replace('"hosts": 4', '"hosts": "many"')),
    ("run.json", lambda text: text.replace('"bound_ns"', '"bind_ns"')),
    ("run.json", lambda text: 100_000 * "["),
    ("flows.csv", lambda text: text.replace("duration_ns", "duration")),
    ("flows.csv", lambda text: text.replace("start_ns", "\x1b[31m")),
    ("queues.csv", lambda text: text.replace("0", "x")),
    ("queues.csv", lambda text: ""),
    ("queues.csv", lambda text: "\0" + text),
    ("links.csv", lambda text: text.replace(",", ";")),
    ("links.csv", lambda text: text[: len(text) // 2] + '"'),
    ("links.csv", lambda text: text.replace("leaf-up", "leaf-left")),
]


@pytest.mark.slow
@needs_program
def test_damaged_results_are_one_line(counted, tmp_path):
    for number, (name, change) in enumerate(DAMAGE):
        path = shutil.copytree(counted, tmp_path / f"{number}") / name
        path.write_text(change(path.read_text()))
        run = script("plot.plot_run", path.parent)
        assert run.returncode == 1 and run.stderr.count("\n") == 1, run.stderr
        assert str(path) in run.stderr and run.stderr.strip().isprintable()


@needs_program
def test_the_picture_of_the_readme_has_every_balancer():
    """The demo writes their names into the file. `make -C doc figures` makes the picture again."""
    known = set(offered("balancer")) - {"conga", "conweave"}  # which are not for three tiers
    picture = (ROOT / "doc" / "figures" / "demo-completion.png").read_bytes()
    key = b"tEXtDescription\0"
    begin = picture.index(key)
    length = int.from_bytes(picture[begin - 4 : begin], "big") + len(b"tEXt") - len(key)
    drawn = picture[begin + len(key) :][:length].decode("latin1").split(",")
    assert len(drawn) == len(known) and set(drawn) == known


# --- Command lines --------------------------------------------------------------------------------


def call(monkeypatch, capsys, module, *arguments):
    """What a program says when it ends with status 1."""
    monkeypatch.setattr(sys, "argv", [f"{module.__name__}.py", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        module.in_one_line(module.main)
    code = ended.value.code
    return code if isinstance(code, str) else capsys.readouterr().err if code == 1 else f"{code}"


BAD = [
    (plot_timeline, "--collective=2", "one of 0 to 1"),
    (plot_timeline, "--collective=-1", "not a whole number"),
    (plot_timeline, "--collective=x", "not a whole number"),
    (plot_timeline, "--ranks=0-4", "4 is none of the hosts 0 to 3"),
    (plot_timeline, "--ranks=", "is not a list"),
    (plot_timeline, "--from=5", "is not a time"),
    (plot_timeline, "--from=5us --to=5us", "ends before it begins"),
    (plot_timeline, "--color=red", "--color"),
    (plot_timeline, "--speed=3", "--speed"),
    (plot_timeline, "--out=/dev/null/x", "/dev/null/x: Not a directory"),
    (plot_links, "--value=mean", "--value"),
    (plot_links, "--out=/dev/null", "/dev/null: File exists"),
    (plot_run, "--out=/proc/nothing", "No such file"),
]


def test_bad_options(collectives, monkeypatch, capsys):
    for module, options, message in BAD:
        said = call(monkeypatch, capsys, module, collectives.folder, *options.split())
        assert message in said and said.strip().count("\n") == 0


def test_messages_name_the_command():
    for kind, called in (("run", "plot"), ("timeline", "plot timeline"), ("links", "plot links")):
        assert script(f"plot.plot_{kind}", "--x").stderr.startswith(f"{called}: ")
        said = script(f"plot.plot_{kind}", "--help").stdout
        assert said.startswith(f"usage: ./fabric {called} [-h]") and f"plot_{kind}" not in said


def test_the_file_of_a_full_disk_is_named(plain, tmp_path, monkeypatch, capsys):
    (tmp_path / "link-load.png").symlink_to("/dev/full")
    said = call(monkeypatch, capsys, plot_links, plain.folder, f"--out={tmp_path}")
    assert said == f"{tmp_path}/link-load.png: No space left on device"


def test_bad_folders(plain, tmp_path, monkeypatch, capsys):
    for module in plot_timeline, plot_links, plot_run:
        assert "no results of a run there" in call(monkeypatch, capsys, module, tmp_path / "x")
    said = call(monkeypatch, capsys, plot_timeline, plain.folder, "--collective=0")
    assert said == "--collective=0: the run had no collectives"
    said = call(monkeypatch, capsys, plot_timeline, plain.folder, "--color=step")
    assert said.endswith("flows.csv: there is no column step")
    (plain.folder / "flows.csv").write_text("source\n1,2\n3\n1,2,3\n")
    assert "flows.csv" in call(monkeypatch, capsys, plot_timeline, plain.folder)
    for name, module in (("flows", plot_timeline), ("links", plot_links)):
        (plain.folder / f"{name}.csv").unlink()
        said = call(monkeypatch, capsys, module, plain.folder)
        assert f"{name}.csv: no such table; there are " in said
    (plain.folder / "run.json").write_text("{}")
    assert "run.json" in call(monkeypatch, capsys, plot_links, plain.folder)


TABLES = {
    plot_timeline: ["flows", "queues", "collectives"],
    plot_links: ["links", "events"],
    plot_planes: ["planes", "events"],
    plot_dashboard: ["link-series", "nic-counters", "pfc", "hop-latency", "reachability"],
    plot_compare: ["links", "queues"],
}
READ = [(module, table) for module, tables in TABLES.items() for table in tables]
MAY_HAVE_NO_ROWS = {"flows", "queues", "collectives", "events", "link-series", "pfc"}


def on_rows(change, first=1, last=10**6):
    """Damages some rows of a table."""

    def damage(text):
        lines = enumerate(text.splitlines(keepends=True))
        return "".join(change(line) if first <= number <= last else line for number, line in lines)

    return damage


def on_row(change):
    """Damages the second row of a table."""
    return on_rows(change, 2, 2)


DAMAGES = {  # and what is said of them
    "nothing": (lambda text: "", ": is empty"),
    "header": (lambda text: text.partition("\n")[0] + "\n", ": has no rows"),
    "letters": (on_rows(lambda line: line.replace("0", "x")), r":\d+: [\w]+=.*x.*: is not a (number|name)"),
    "separators": (lambda text: text.replace(",", ";"), ": there is no column "),
    "half": (lambda text: text[: len(text) // 2] + '"\x1b[31m', ": the last line has no end|:1: no line with "),
    "short": (on_row(lambda line: line.partition(",")[0] + "\n"), r":3: [\w]+ is empty"),
    "long": (on_row(lambda line: line.replace("\n", ",1\n")), ": .*Expected .* fields in line 3"),
    "blank": (on_row(lambda line: "\n" + line), r":3: [\w]+ is empty"),
    "large": (on_row(lambda line: re.sub(r"\d+", "9" * 400, line)), r":3: [\w]+=.*9{20,}\.\.\.: is not a"),
    "negative": (on_row(lambda line: re.sub(r"(^|,)(?=\d)", r"\1-7", line)), r":3: [\w]+=-7.*: is not a number"),
    "columns": (lambda text: 10**6 * "a," + text, ":1: no line with at most 16384 bytes"),
    "twice": (lambda text: "a,a," + on_rows(lambda line: "1,1," + line)(text), ":1: two columns have one name"),
}


@pytest.mark.slow
@needs_program
@pytest.mark.parametrize("module, table", READ, ids=lambda part: getattr(part, "__name__", part))
def test_damaged_tables_are_one_line(counted, tmp_path, monkeypatch, capsys, recwarn, request, module, table):
    """Of a table without rows, too, if every run has some."""
    path = shutil.copytree(counted, tmp_path / "run") / f"{table}.csv"
    whole = path.read_text()
    if module is not plot_compare:  # which sets the layout
        request.getfixturevalue("quickly")
    monkeypatch.setattr(sys, "argv", [f"{module.__name__}.py", str(path.parent), f"--out={tmp_path}"])
    for name, (change, words) in DAMAGES.items():
        path.write_text(change(whole))
        start = time.process_time()
        end = None
        try:
            module.in_one_line(module.main)
        except SystemExit as ended:
            end = ended.code
        plot_compare.plt.close("all")
        assert not capsys.readouterr().err and not recwarn.list, name
        if name == "header" and table in MAY_HAVE_NO_ROWS:
            assert end is None and list(tmp_path.glob("*.png"))
        else:
            assert end.isprintable() and re.match(f"{re.escape(str(path))}({words})", end), (name, end)
            assert time.process_time() < start + 20


# --- Runs of the program --------------------------------------------------------------------------

REAL = {
    "all-to-all": "--k=4 --workload=all-to-all --size=16KiB",
    "incast": "--k=4 --workload=incast --size=16KiB --sample=0",
    "leaf-spine": "--topology=leaf-spine --leaves=3 --spines=2 --hostsPerLeaf=4 --size=64KiB",
    "planes": "--topology=leaf-spine --leaves=2 --spines=4 --hostsPerLeaf=2 --planes=2 "
    "--failRate=0.2 --size=64KiB --balancer=rsq",
    "cut": "--k=4 --size=64KiB --convergence=0 --fail=pod0-agg-0:2--core-0:0@1us-3us",
}


@needs_program
@pytest.mark.parametrize("name", REAL)
def test_draws_real_runs(tmp_path, monkeypatch, quickly, name):
    out = tmp_path / "run"
    run_program(tmp_path, *REAL[name].split(), "--out=run", check=True)
    monkeypatch.setattr(sys, "argv", ["plot_run.py", str(out), f"--out={tmp_path}"])
    plot_run.main()
    names = {path.name for path in tmp_path.glob("*.png")}
    plots = "queues.png", "links.png", "flows.png", "link-load.png", "timeline.png"
    assert names == set(plots)
    assert all((tmp_path / path).read_bytes()[:4] == PNG for path in plots)
    run = Run(out)
    links, shown = run.table("links"), []
    with open(out / "layers.csv", newline="") as file:
        imbalance = {row["layer"]: float(row["link_imbalance"]) for row in csv.DictReader(file)}
    for tier in tiers_of(run, links):
        for layer in tier.up, tier.down:
            cells = tier.cells(links, layer, "layer")
            assert numpy.count_nonzero(~numpy.isnan(cells)) in (0, (links.layer == layer).sum())
            if imbalance[layer]:
                assert numpy.nanmax(cells) == pytest.approx(imbalance[layer])
            shown.append(layer)
    assert sorted(shown) == sorted(imbalance)
    cut = {"cut": CUT, "planes": DEAD}.get(name)
    assert set(marks_of(run)) == ({cut} if cut else set())
    assert set(marks_of(run).index) <= set(links.link)
    assert len(Timeline(run, Choice(), None).messages) == run.results["messages"]


@needs_program
def test_a_run_of_the_fluid_model_is_plotted(tmp_path, monkeypatch, quickly):
    """It has neither queues nor results of layers."""
    fabric = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=4 --fidelity=fluid --out=run"
    run_program(tmp_path, *fabric.split(), check=True)
    monkeypatch.setattr(sys, "argv", ["plot_run.py", str(tmp_path / "run"), f"--out={tmp_path}"])
    plot_run.main()
    assert {path.name for path in tmp_path.glob("*.png")} == {"links.png", "flows.png", "link-load.png", "timeline.png"}
    assert Run(tmp_path / "run").layers == ["host-up", "leaf-up", "spine-down", "leaf-down"]
    (tmp_path / "run/links.csv").unlink()
    with pytest.raises(ScriptError, match="links.csv: no such table"):
        plot_run.main()


FABRIC = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=4 --rate=100Gb/s"
WORKLOADS = {
    "all-gather": "--workload=all-gather --size=16KiB",
    "poisson": f"--workload=poisson --duration=20us --cdf={ROOT}/scenarios/sizes-small-calls.csv",
    "flows": "--flows=flows.csv",
    "empty flows": "--flows=empty.csv",
    **{f"a byte, {name}": f"--workload={name} --size=1"
       for name in ("permutation", "tornado", "incast", "all-to-all", "all-reduce", "broadcast", "sendrecv")},
    **{f"a byte, {name}": f"--workload=all-reduce --size=1 --algorithm={name}" for name in ("halving-doubling", "esa")},
    **{name: f"--workload=all-reduce --size=16KiB --algorithm={name}" for name in ("ring", "atp", "esa", "switchml")},
    "esa, computing": "--workload=all-reduce --algorithm=esa --jobs=jobs.csv",
    "jobs of messages": "--workload=all-reduce --jobs=jobs.csv --jobRanks=8",
    "training": f"--training={ROOT}/scenarios/overlap.toml",
    "chakra": "--chakra=trace",
    "goal": f"--goal={ROOT}/scenarios/pipeline.goal",
    "cluster": "--cluster=cluster.csv",
    "two sites": f"--topology={ROOT}/scenarios/two-sites.toml --stack=uec --size=64KiB",
    "one switch": "--topology=star.csv",
    "dragonfly": "--topology=dragonfly --size=16KiB",
}

SEVERAL_SIZES = {"poisson"}


@needs_program
@pytest.mark.parametrize("name", WORKLOADS)
def test_each_workload_is_plotted(tmp_path, monkeypatch, quickly, name):
    (tmp_path / "flows.csv").write_text("start_ns,source,destination,bytes\n0,0,5,20000\n")
    (tmp_path / "star.csv").write_text("kind,node,to,rate,delay,count\nswitch,a,,,,\nhost,host-0..3,a,,,\n")
    (tmp_path / "empty.csv").write_text("start_ns,source,destination,bytes\n5,0,5,0\n")
    (tmp_path / "jobs.csv").write_text("bytes,layers,iterations,compute_ns,jitter,start_ns\n2480,2,2,1000,0.1,0\n")
    (tmp_path / "cluster.csv").write_text(
        "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns\none,4,packed,0,all-reduce,20000,2,1000\n"
    )
    if name == "chakra":
        for rank in range(8):
            data = node(1, COLLECTIVE, comm_type=ALL_REDUCE, comm_size=20000)
            (tmp_path / f"trace.{rank}.et").write_bytes(trace([data]))
    fabric = [] if "--topology" in WORKLOADS[name] else FABRIC.split()
    run = run_program(tmp_path, *fabric, *WORKLOADS[name].split(), "--out=run")
    assert run.returncode == 0, run.stderr
    for table in tmp_path.glob("run/*.csv"):
        assert not re.search(r"(^|,)-?(inf|nan)\b", table.read_text(), re.MULTILINE), table.name
    monkeypatch.setattr(sys, "argv", ["plot_run.py", str(tmp_path / "run"), f"--out={tmp_path}"])
    plot_run.main()
    plots = {"queues.png", "links.png", "flows.png", "link-load.png", "timeline.png"}
    plots |= {"slowdown.png"} if name in SEVERAL_SIZES else set()
    assert {path.name for path in tmp_path.glob("*.png")} == plots
    assert (tmp_path / "slowdown.csv").exists() == (name in SEVERAL_SIZES)


def test_the_table_of_slowdowns_has_a_row_a_size():
    flows = pandas.DataFrame({"bytes": [4096] * 101 + [65536], "slowdown": [1 + i / 100 for i in range(101)] + [3]})
    table = plot_run.tabulate_slowdown(flows)
    assert list(table.columns) == ["bytes", "messages", "slowdown_p50", "slowdown_p95", "slowdown_p99"]
    assert table.values.tolist() == [pytest.approx([4096, 101, 1.5, 1.95, 1.99]), [65536, 1, 3, 3, 3]]


@needs_program
def test_a_run_with_failed_messages_is_plotted(tmp_path, monkeypatch, quickly):
    """They have no times."""
    fails = "--k=4 --size=64KiB --recovery=sack --convergence=1us --fail=host-3@1us --ns3::aifabric::RcQueuePair::RetryTime=50us"
    assert run_program(tmp_path, *fails.split(), "--out=run").returncode == 3
    monkeypatch.setattr(sys, "argv", ["plot_run.py", str(tmp_path / "run"), f"--out={tmp_path}"])
    plot_run.main()
    assert {path.stem for path in tmp_path.glob("*.png")} == {"queues", "links", "flows", "link-load", "timeline"}


# --- Planes ---------------------------------------------------------------------------------------


def add_planes(folder, evs=True):
    """Two planes over three intervals, the last one shorter; a switch fails, then a link for good."""
    names = ["good", "skip", "assumed_bad", "denied", "active"] if evs else []
    header = ",".join(["time_ns", "interval_ns", "plane", "sent_bytes", *(f"evs_{name}" for name in names)])
    states = {10: "16,0,0,0,8", 20: "10,2,4,0,8", 25: "12,0,0,4,8"}
    lines = []
    for time, state in states.items():
        lines.append(f"{time},{10 if time < 25 else 5},0,4000" + (",16,0,0,0,8" if evs else ""))
        lines.append(f"{time},{10 if time < 25 else 5},1,2000" + ("," + state if evs else ""))
    write(folder, "planes", header, *lines)
    write(
        folder,
        "events",
        "time_ns,event,subject,detail",
        "12,fault_begin,leaf-0:2--spine-0:0,cut",
        "12,fault_begin,leaf-1:2--spine-0:1,cut",
        "14,fault_end,leaf-0:2--spine-0:0,cut",
        "14,fault_end,leaf-1:2--spine-0:1,cut",
        "16,fault_begin,host-1:0--leaf-0:1,probability=0.5",
        "17,link_down,host-1:0--leaf-0:1,",
    )
    return Run(folder)


@pytest.mark.parametrize("evs", [False, True])
def test_planes_are_plotted(tmp_path, evs):
    run = add_planes(make_run(tmp_path / "planes"), evs)
    path = plot_planes.plot_planes(run, tmp_path / "planes.png")
    assert path.read_bytes().startswith(PNG)


def test_rates_and_shares_are_those_of_the_intervals(tmp_path):
    series = plot_planes.Series(add_planes(make_run(tmp_path / "planes")))
    assert series.edges_us.tolist() == [0, 0.01, 0.02, 0.025]
    assert series.rates(0, 4).tolist() == [800, 800, 1600]
    shares = series.shares(1)
    assert [shares[state].tolist() for state in shares] == [[0, 12.5, 0], [0, 25, 0], [0, 0, 25]]
    assert not any(share.any() for share in series.shares(0).values())


def test_faults_are_named_by_what_has_failed(tmp_path):
    faults = plot_planes.faults_of(add_planes(make_run(tmp_path / "planes")))
    assert faults == [(0.012, 0.014, "spine-0 cut"), (0.016, numpy.inf, "host-1:0--leaf-0:1 probability=0.5")]
    assert name_of(["a-0:1--b-0:1", "a-1:1--b-1:1"]) == "2 links"


def test_a_run_without_planes_says_so(tmp_path, monkeypatch):
    folder = make_run(tmp_path / "plain")
    monkeypatch.setattr(sys, "argv", ["plot_planes.py", str(folder)])
    with pytest.raises(SystemExit, match="no planes.csv there; run with --planeSeries=5us"):
        plot_planes.main()


@pytest.mark.parametrize("schemes, shades, bars", [(5, 5, 0), (6, 0, 6)])
def test_intervals_of_many_schemes_do_not_cover_each_other(schemes, shades, bars):
    names = ["ecmp", "rsq", "jsq", "ofan", "prime", "reps"][:schemes]
    rows = [{"scheme": n, "x": x, "y": 5, "y_low95": 1, "y_high95": 9} for n in names for x in (1, 4)]
    _, (axes,) = charts.panels()
    charts.draw_schemes(axes, pandas.DataFrame(rows), "x", "y")
    kinds = [type(collection).__name__ for collection in axes.collections]
    assert kinds.count("LineCollection") == bars
    assert len(kinds) == shades + bars
    low, high = axes.get_ylim()
    assert low <= 1 and high >= 9


def test_rows_of_one_run_are_drawn_without_an_interval(recwarn):
    _, (axes,) = charts.panels()
    rows = pandas.DataFrame([["a", 5, 4, 6], ["b", 7, math.nan, math.nan]], columns=["name", "x", "low", "high"])
    charts.draw_rows(axes, [(rows, "red", "o", "ours")], ["a", "b"], "name", "x", ("low", "high"))
    assert len(axes.collections[0].get_segments()) == 1 and len(axes.lines[0].get_xdata()) == 2
    assert not [str(warning.message) for warning in recwarn]


@pytest.mark.parametrize("high, place", [(8, 8), (math.nan, 5)])
def test_the_number_of_a_bar_stands_behind_it(high, place):
    """One run has no interval."""
    _, (axes,) = charts.panels()
    row = {"scheme": "ecmp", "y": 5, "y_low95": math.nan, "y_high95": high, "runs": 1, "completed": 1}
    charts.draw_bars(axes, pandas.DataFrame([row]), "y")
    assert axes.texts[0].get_position()[0] == place


def test_a_plot_of_means_has_panels_a_line_and_units(saved, monkeypatch):
    monkeypatch.setattr(plot_means, "save", lambda figure, *_, **__: saved.append(figure))
    cases = itertools.product(("500ns", "2us"), ("ecmp", "ofan"), ("64KiB", "1MiB"))
    rows = [{"delay": delay, "balancer": name, "size": size, "cct_ns": 2000.0 + place, "cct_ns_low95": 1900.0,
             "cct_ns_high95": 2200.0} for place, (delay, name, size) in enumerate(cases)]
    plot = read_plot("size,cct_ns,log,line=1500,facet=delay")
    plot_means.plot_means(pandas.DataFrame(rows), ["delay", "balancer", "size"], plot, None, "", "")
    first, second = saved[0].axes
    assert [axes.get_title("left") for axes in (first, second)] == ["delay=500ns", "delay=2us"]
    assert first.get_yscale() == "log" and first.get_ylabel() == "completion time (us)"
    for axes in first, second:
        ecmp, ofan, line = axes.lines
        assert (ecmp.get_label(), ofan.get_label()) == ("ecmp", "ofan") and set(line.get_ydata()) == {1.5}
    assert list(first.lines[0].get_ydata()) == [2.0, 2.001]


def test_means_of_which_none_is_above_0_have_no_logarithmic_axis(saved, monkeypatch):
    monkeypatch.setattr(plot_means, "save", lambda figure, *_, **__: saved.append(figure))
    rows = [{"size": size, "drops": 0} for size in ("1KiB", "4KiB")]
    plot_means.plot_means(pandas.DataFrame(rows), ["size"], read_plot("size,drops,log"), None, "", "")
    assert saved[0].axes[0].get_yscale() == "linear"


def test_panels_of_means_agree_and_have_numbers_below(saved, monkeypatch):
    """Combinations that one panel lacks change no color of another one; no panel is below the second one."""
    monkeypatch.setattr(plot_means, "save", lambda figure, *_, **__: saved.append(figure))
    cases = [(delay, loss, size) for delay in "1234" for loss in ("0", "0.1", "0.2") for size in ("1KiB", "4KiB")]
    rows = [{"delay": delay, "loss": loss, "size": size, "cct_ns": 2000.0} for delay, loss, size in cases if (delay, loss) != ("2", "0")]
    plot_means.plot_means(pandas.DataFrame(rows), ["delay", "loss", "size"], read_plot("size,cct_ns,facet=delay"), None, "", "")
    looks = {(line.get_label(), line.get_color()) for axes in saved[0].axes for line in axes.lines}
    assert len(looks) == 3
    shown = [axes.xaxis.get_major_ticks()[0].label1.get_visible() for axes in saved[0].axes]
    assert shown[:4] == [False, True, True, True]


def test_figures_of_a_column_can_be_read(tmp_path):
    """Panels keep a height, no name of an axis is longer than it, and nothing is wider than the figure."""
    code = "import pathlib, sys; from ai_fabric.plot.style import columns_within, plt, save; " \
        "figure, grid = plt.subplots(2, 2, figsize=(14, 3)); grid[0, 0].set_ylabel('increase over the lower bound (%)'); " \
        "grid[0, 0].set_title('word ' * 14); figure.colorbar(plt.cm.ScalarMappable(), ax=grid[1, 1]); save(figure, pathlib.Path(sys.argv[1]) / 'x.png', 'n = 5 ' * 18); label = grid[0, 0].yaxis.label; " \
        "print(columns_within(3), figure.get_figheight(), label.get_window_extent().height, grid[0, 0].get_window_extent().height, " \
        "max(text.get_window_extent().x1 for text in figure.findobj(plt.Text)) / figure.bbox.width)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "contrib"), "AI_FABRIC_STYLE": "paper"}
    run = subprocess.run([sys.executable, "-c", code, tmp_path], env=environment, capture_output=True, text=True, check=True)
    columns, height, label, axis, right = map(float, run.stdout.split())
    assert columns == 2 and height >= 2.5 and label <= 1.05 * axis and right <= 1.01


@pytest.mark.parametrize("count, name", [(8, "gradients"), (3, "a rather long name of a collective"), (5, "x")])
def test_no_legend_of_a_narrow_timeline_covers_anything(monkeypatch, count, name):
    names = pandas.Series([name] * count, name="name")
    monkeypatch.setitem(style.plt.rcParams, "figure.figsize", (3.4, 2.4))
    monkeypatch.setitem(style.plt.rcParams, "font.size", 7)
    figure, axes = plot_timeline.make_axes({"names": 0.2, "messages": 2, "queues": 1.7})
    for one, title in (axes["messages"], "Messages"), (axes["queues"], "Fullest port of a layer"):
        for number, text in names.items():
            one.barh(0, 0, label=f"{number} {text}")
        one.set_title(title)
        charts.legend_above(one, 5)
    style.fit(figure)
    figure.draw_without_rendering()
    for one in axes["messages"], axes["queues"]:
        legend = one.get_legend().get_window_extent()
        others = [other.get_window_extent() for other in axes.values()] + [one._left_title.get_window_extent()]
        inner = legend.padded(-1)
        assert not [other for other in others if inner.overlaps(other)]
        assert legend.x1 <= figure.bbox.width * 1.01


@pytest.mark.parametrize("style, kinds", [("", ["png", "pdf", "svg"]), ("paper", ["pdf", "svg"])])
def test_the_style_of_the_environment(tmp_path, style, kinds):
    code = "import pathlib, sys; from ai_fabric.plot.style import plt, save; figure, _ = plt.subplots(figsize=(8, 4)); " \
        "print(save(figure, pathlib.Path(sys.argv[1]) / 'x.png', 'n = 5', ['ofan'], vector=True).name, *figure.get_size_inches())"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "contrib"), "AI_FABRIC_STYLE": style}
    run = subprocess.run([sys.executable, "-c", code, tmp_path], env=environment, capture_output=True, text=True, check=True)
    name, *inches = run.stdout.split()
    assert name == f"x.{kinds[0]}" and [float(text) for text in inches] == ([3.4, 1.7] if style else [8, 4])
    assert sorted(path.suffix[1:] for path in tmp_path.iterdir()) == sorted(kinds)
    assert b"n = 5" in (tmp_path / "x.pdf").read_bytes() and b"ofan" in (tmp_path / "x.svg").read_bytes()


@pytest.mark.parametrize("text, words", [
    ("root:x:0\n", ":1: root is no setting of matplotlib"),
    ("font.size: big\n", "Could not convert 'big' to float"),
    ("savefig.format: odd\n", ": savefig.format: odd: one of eps, "),
    (b"\xff\xfe\x00", ": is no text, and no style sheet of matplotlib"),
])
def test_a_style_that_is_wrong_is_refused_in_one_line(tmp_path, text, words):
    (tmp_path / "x.mplstyle").write_bytes(text if isinstance(text, bytes) else text.encode())
    run = subprocess.run([sys.executable, ROOT / "contrib/start.py", "plot.plot_links", tmp_path], cwd=tmp_path, text=True, check=False,
                         env={**os.environ, "AI_FABRIC_STYLE": "x.mplstyle"}, capture_output=True)
    assert run.returncode == 1 and run.stderr.startswith("x.mplstyle:") and words in run.stderr
    assert run.stderr.count("\n") == 1 and run.stdout == ""


def test_a_style_that_is_not_there_is_refused_before_anything_runs(tmp_path):
    run = subprocess.run([ROOT / "fabric", "demo"], env={**os.environ, "AI_FABRIC_STYLE": "none"}, cwd=tmp_path,
                         capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == "fabric: AI_FABRIC_STYLE=none: paper, or a style sheet of matplotlib, is needed\n"


@needs_program
@pytest.mark.parametrize("part", ["sweep", "collectives", "study", "demo"])
def test_a_style_that_is_wrong_is_refused_before_anything_runs(tmp_path, part):
    (tmp_path / "own").write_text("root: 1\n")
    options = {"sweep": ["--k=2"], "collectives": ["--", "--k=2", "--workload=all-reduce"], "study": ["moe-failed-uplink"], "demo": []}
    run = script(part, f"--program={PROGRAM}", *options[part], cwd=tmp_path, AI_FABRIC_STYLE="own")
    assert run.returncode == 1 and run.stderr.count("\n") == 1 and "own:1: root is no setting" in run.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["own"]


@pytest.mark.parametrize("scale", ["log", "symlog"])
def test_logarithmic_axes_have_plain_numbers(tmp_path, scale):
    figure, axes = style.plt.subplots()
    axes.plot([1, 1000], [2, 5])
    axes.set(xscale=scale, yscale=scale)
    style.save(figure, tmp_path / "x.png", "", vector=True)
    shown = [label.get_text() for axis in (axes.xaxis, axes.yaxis) for label in axis.get_ticklabels(which="both")]
    assert "100" in shown and not any("$" in text for text in shown)
