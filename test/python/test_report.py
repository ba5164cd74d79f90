# Copyright (c) 2026 The ai-fabric authors
#
# SPDX-License-Identifier: GPL-2.0-only

"""./fabric report: what the page says, that nothing of a file becomes HTML, and how it behaves in a browser."""

import base64
import hashlib
import json
import os
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from browser import Browser, find_browser
from harness import BIN_DIR, HEADER, PROGRAM, call, needs_program, script, write_flows

from ai_fabric.report import html_table
from ai_fabric.runs.made_by import note_command

WIDTHS = 1400, 420
LIMIT = 2.0  # seconds in which the page of many runs opens
MANY = 500
SERIES = ("--topology=leaf-spine", "--leaves=2", "--spines=2", "--hostsPerLeaf=2", "--size=256KiB", "--linkSeries=1us",
          "--nicSeries=1us", "--hopLatency", "--queuePeaks", "--planeSeries=1us", "--recovery=sack", "--convergence=2us",
          "--fail=leaf-0--spine-0@2us-8us")  # fmt: skip


class Document(HTMLParser):
    """The elements of a page: their names, attributes and texts."""

    def __init__(self, path):
        super().__init__()
        self.elements, self.texts, self.inside, self.said = [], {}, [], ""
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "img", "input", "br"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        assert self.inside.pop() == tag

    def handle_data(self, data):
        if self.inside:
            self.texts.setdefault(self.inside[-1], []).append(data)
            self.said += "" if self.inside[-1] in ("script", "style") else data

    def named(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    def count(self, words):
        """How often words are on the page, whatever the space between them."""
        return "".join(self.said.split()).count("".join(words.split()))


def report(folder, *arguments):
    """The page of folders."""
    run = script("report", *arguments, cwd=folder)
    assert run.returncode == 0 and not run.stderr, run.stderr
    path = folder / run.stdout.strip()
    return path, Document(path)


def write_run(folder, seed=1, options=None, **parts):
    """The summary of a run that nobody made."""
    scenario = {"balancer": "ecmp", "hosts": 4, "size": 1024, "topology": "leaf-spine", "rate": "800Gb/s", "workload": "permutation"}
    results = {"cct_ns": 2000.0 + seed, "increase_percent": 5.5, "bound_ns": 1900.0, "messages": 4, "drops": seed, "layers": {}}
    content = {"program": "ai-fabric-run", "seed": 1, "run": seed, "options": options or {}, "scenario": scenario, "results": results}
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({**content, **parts}))


def commands_of(path):
    """The commands that the page shows."""
    found = re.findall(r"<pre>(.*?)</pre>", path.read_text())
    unescaped = [re.sub("<[^>]*>", "", text).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for text in found]
    return [shlex.split(text) for text in unescaped]


# --- What files hold is text ----------------------------------------------------------------------

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


def check_safe(document):
    """One script, that of the page, which its policy names; nothing that loads anything."""
    assert len(document.named("script")) == 1 and not any("onerror" in attributes for _, attributes in document.elements)
    [policy] = [one["content"] for one in document.named("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    digest = base64.b64encode(hashlib.sha256("".join(document.texts["script"]).encode()).digest()).decode()
    assert policy == f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert all(one.get("src", "data:").startswith("data:") for _, one in document.elements)
    assert all(one["href"].startswith(("#", ".")) for _, one in document.elements if "href" in one)


def test_nothing_of_a_run_becomes_html(tmp_path):
    folder = tmp_path / "a<b>\"'&"
    summary = [["warning", EVIL], [EVIL, EVIL], ["stack", f"--fail={EVIL}"]]
    write_run(folder, options={"fail": EVIL, EVIL: "1"}, versions={"commit": EVIL}, summary=summary, attributes={EVIL: EVIL})
    (folder / "events.csv").write_text('time_ns,event,subject,detail\n1,fault_begin,"<b>x</b>","<script>"\n')
    path, document = report(tmp_path, folder)
    check_safe(document)
    assert document.count(EVIL) > 4 and document.count("<script>")
    assert not document.named("img") and ["./fabric", "pack", str(folder)] in commands_of(path)


def test_nothing_of_many_runs_becomes_html(tmp_path):
    for seed in 1, 2:
        write_run(tmp_path / f"{seed}<i>", seed, {"fail": EVIL * seed}, versions={"commit": EVIL * seed})
    _, document = report(tmp_path, tmp_path)
    check_safe(document)
    assert document.count(f"commit {EVIL} {EVIL * 2}") and not document.named("i")


@pytest.mark.parametrize("column", ["scheme", "claim", "name"])
def test_nothing_of_a_table_becomes_html(tmp_path, column):
    tables = {
        "scheme": ("demo.csv", f'scheme,runs,cct_us,increase_percent\n"{EVIL.replace(chr(34), chr(34) * 2)}",1,2,3\n'),
        "claim": ("x-verdicts.csv", f'claim,expected,measured,holds\n"{EVIL.replace(chr(34), chr(34) * 2)}",1,2,yes\n'),
        "name": ("slowdown.csv", f'name,ranks,slowdown\n"{EVIL.replace(chr(34), chr(34) * 2)}",1,1.5\n'),
    }
    name, text = tables[column]
    (tmp_path / name).write_text(text)
    (tmp_path / "command.json").write_text(json.dumps({"command": ["./fabric", EVIL], "title": EVIL}))
    path, document = report(tmp_path, tmp_path)
    check_safe(document)
    assert document.count(EVIL) and ["./fabric", EVIL] in commands_of(path)


@pytest.mark.parametrize("runs, note", [(1, "One run each."), (2, "Means of 2 runs; lines are 95 % intervals.")])
def test_a_demo_of_one_run_has_no_intervals(tmp_path, runs, note):
    (tmp_path / "demo.csv").write_text(f"scheme,runs,cct_us,increase_percent\necmp,{runs},2,3\n")
    assert report(tmp_path, tmp_path)[1].count(note) == 1
    note_command(tmp_path, "demo", [], about="16 hosts; mrc with --transport=mrc")
    assert report(tmp_path, tmp_path)[1].count(f"{note} 16 hosts; mrc with --transport=mrc.") == 1


def test_characters_that_html_forbids_are_replaced(tmp_path):
    (tmp_path / "slowdown.csv").write_text("name,ranks,slowdown\na\x1b[31m\x00,1,1.5\n")
    (tmp_path / "command.json").write_text(json.dumps({"command": ["./fabric", "\x07"]}))
    path, document = report(tmp_path, tmp_path)
    assert document.count("a\ufffd[31m\ufffd") and not re.search("[\0-\x08\x0b-\x1f]", path.read_text())


def test_a_table_of_runs_that_have_changed(tmp_path):
    (tmp_path / "means.csv").write_text("k,runs\n4,3\n")
    (tmp_path / "sweep.csv").write_text("k,seed,cct_ns,folder\n" + "".join(f"4,{seed},{2000 + seed}.0,{seed}\n" for seed in (1, 2, 3)))
    warning = "runs are gone, or were run again with other results"
    for seed in 1, 2, 3:
        write_run(tmp_path / str(seed), seed)
    assert not report(tmp_path, tmp_path)[1].count(warning)
    (tmp_path / "1/run.json").unlink()
    (tmp_path / "2/run.json").write_text((tmp_path / "3/run.json").read_text())
    assert report(tmp_path, tmp_path)[1].count(f"2 of 3 {warning}")


# --- What cannot be shown -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, words",
    [
        ("nowhere", "nowhere: there is no such folder"),
        ("empty", "empty: no results of a run, a sweep, a study, a figure or the demo there"),
        ("run --out=page.txt", "a name that ends in .html is needed"),
        ("damaged", "damaged/run.json: is not what a run leaves"),
        ("wrong", "wrong: the results are damaged, or not of a run"),
        ("cut", "cut/queues.csv: the last line has no end"),
        ("half", "half/slowdown.csv: the last line has no end; the file was cut"),
        ("short", "short/slowdown.csv: a row has not as many cells as there are columns"),
        ("study", "study/answer.md: is empty"),
        ("study2", "study2/differences.csv: there is no column case"),
        ("sizes", "sizes/collectives.csv: there is no column busbw_gbit_per_s"),
        ("link", "link: no results of a run there (No such file or directory)"),
        ("run --out=/proc/x.html", "report: /proc/x.html: "),
    ],
)
def test_what_cannot_be_shown_is_refused(tmp_path, arguments, words):
    (tmp_path / "empty").mkdir()
    for name in "run", "damaged", "wrong", "cut":
        write_run(tmp_path / name)
    for name, text in ("half", "name,ranks,slowdown\na,2,1.4"), ("short", "name,ranks,slowdown\na,2\n"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "slowdown.csv").write_text(text)
    for name, answer in ("study", ""), ("study2", "# Why?\n\nSo.\n"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "answer.md").write_text(answer)
        (tmp_path / name / "differences.csv").write_text("x\n")
        (tmp_path / name / "means.csv").write_text("case,scheme,completed,cct_ns\n")
    (tmp_path / "sizes").mkdir()
    (tmp_path / "sizes/collectives.csv").write_text("size_bytes\n")
    (tmp_path / "link").mkdir()
    (tmp_path / "link/run.json").symlink_to("nowhere")
    (tmp_path / "damaged/run.json").write_text("[")
    content = json.loads((tmp_path / "wrong/run.json").read_text())
    (tmp_path / "wrong/run.json").write_text(json.dumps(content | {"results": content["results"] | {"cct_ns": "soon"}}))
    (tmp_path / "cut/queues.csv").write_text("time_ns,layer,mean_queue_packets,max_queue_packets\n1,x,")
    run = script("report", *arguments.split(), cwd=tmp_path)
    assert run.returncode == 1 and run.stdout == "" and len(run.stderr.splitlines()) == 1, run
    assert run.stderr.startswith("report: ") and words in run.stderr
    assert not list(tmp_path.rglob("*.html"))


# --- What pages say -------------------------------------------------------------------------------


def check_links(path, document, least):
    """Rows lead to files that are there."""
    found = [unquote(one["href"]) for one in document.named("a") if not one["href"].startswith("#")]
    assert len(found) >= least and all((path.parent / link).is_file() for link in found)


@needs_program
def test_the_page_of_a_run(tmp_path):
    run = call(tmp_path, *SERIES, "--out=results/one")
    assert run.returncode == 0, run.stderr
    noted = json.loads((tmp_path / "results/one/run.json").read_text())["summary"]
    printed = [line for line in run.stdout.splitlines() if not line.startswith("results ")]
    assert [f"{label:<17}{text}" for label, text in noted] == printed
    path, document = report(tmp_path, "results/one")
    assert path == tmp_path / "results/one/report.html"
    check_safe(document)
    check_links(path, document, 10)
    for label, text in noted:
        assert label == "warning" or document.count(text)
    titles = {"Rate by plane", "Fullest port of a layer", "Busiest link of a layer", "Longest time in a switch", "Messages under way"}
    assert titles <= set(document.texts["b"]) and document.count("fault: leaf-0:2--spine-0:0 cut")
    assert commands_of(path)[0] == ["./fabric", "run", "--config=results/one/run.json"]
    again = call(tmp_path, *commands_of(path)[1][2:], "--out=again")
    assert again.returncode == 0 and (tmp_path / "again/flows.csv").read_bytes() == (tmp_path / "results/one/flows.csv").read_bytes()


@needs_program
def test_the_page_of_a_run_of_the_fluid_model(tmp_path):
    """It has neither queues nor results of layers."""
    fabric = "--topology=leaf-spine --leaves=2 --spines=2 --hostsPerLeaf=2 --fidelity=fluid"
    assert call(tmp_path, *fabric.split(), "--out=out").returncode == 0
    _, document = report(tmp_path, "out")
    assert {"Load over links", "Messages under way"} <= set(document.texts["b"])


def test_the_page_of_the_latest_run_names_the_folder_that_stays(tmp_path):
    for seed in 1, 2:
        write_run(tmp_path / f"results/run-{seed}", seed)
    (tmp_path / "results/latest").symlink_to("run-1")
    path, document = report(tmp_path, "results/latest")
    assert path == tmp_path / "results/run-1/report.html" and not document.count("latest")
    assert commands_of(path)[0][2] == "--config=results/run-1/run.json"
    path, document = report(tmp_path, "results/latest", "results/run-2", "--out=both.html")
    assert not document.count("latest")


def test_a_title_says_of_what_planes_consist(tmp_path):
    write_run(tmp_path / "run")
    content = json.loads((tmp_path / "run/run.json").read_text())
    for planes, words in (1, "leaf-spine, 800Gb/s, permutation"), (2, "leaf-spine, 2 planes of 800Gb/s, permutation"):
        (tmp_path / "run/run.json").write_text(json.dumps(content | {"scenario": content["scenario"] | {"planes": planes}}))
        assert words in "".join(report(tmp_path, "run")[1].texts["h1"])


def test_a_warning_of_several_runs_has_all_of_their_numbers(tmp_path):
    for seed, share in (1, "9.3"), (2, "10.05"), (3, "2"):
        write_run(tmp_path / f"{seed}", seed, summary=[["warning", f"{share} % of packets were lost; see --convergence=100us"]])
    _, document = report(tmp_path, tmp_path)
    assert document.count("3 of 3 runs: 2 to 10.05 % of packets were lost; see --convergence=100us")


def test_a_balancer_of_ones_own_has_one_color(tmp_path):
    for seed, balancer in enumerate(("mine", "yours", "mine"), 1):
        write_run(tmp_path / f"{seed}", seed)
        path = tmp_path / f"{seed}/run.json"
        path.write_text(path.read_text().replace('"ecmp"', f'"{balancer}"'))
    first, second, third = re.findall(r'--c:(#\w+)', report(tmp_path, tmp_path)[0].read_text().partition("Completion times")[2])[:3]
    assert first == third != second


def test_the_page_of_a_sweep_has_n_and_what_was_plotted_in_any_format(tmp_path):
    (tmp_path / "means.csv").write_text("k,runs,acks,acks_low95,acks_high95\n4,3,5,4,6\n8,3,7,6,8\n")
    (tmp_path / "sweep.csv").write_text("k,seed,acks,folder\n4,1,5,1\n8,1,7,2\n")
    (tmp_path / "acks-by-k.svg").touch()
    _, document = report(tmp_path, tmp_path)
    assert document.count("Means of 3 runs; bars are 95 % intervals.")


def colors_of(path):
    """The colors of each name in the legends of the charts."""
    found = {}
    for color, name in re.findall(r'style="--c:(#\w+)"></i>([^<]+)</button>', path.read_text()):
        found.setdefault(name, set()).add(color)
    return found


@needs_program
def test_a_layer_has_one_color_in_all_charts(tmp_path):
    assert call(tmp_path, *SERIES, "--out=one").returncode == 0
    colors = colors_of(report(tmp_path, "one")[0])
    layers = [colors[name] for name in ("host-up", "leaf-up", "spine-down", "leaf-down")]
    assert all(len(found) == 1 for found in layers) and len(set.union(*layers)) == 4


@needs_program
def test_the_page_of_several_runs(tmp_path):
    for balancer in "ecmp", "rsq":
        assert call(tmp_path, "--k=4", "--size=64KiB", f"--balancer={balancer}", f"--out=results/{balancer}").returncode == 0
    path, document = report(tmp_path, "results/rsq", "results/ecmp", "--each")
    assert path == tmp_path / "results/report.html"
    check_links(path, document, 2)
    assert (tmp_path / "results/rsq/report.html").is_file() and "./rsq/report.html" in path.read_text()
    assert path.read_text().index(">rsq</th>") < path.read_text().index(">ecmp</th>"), "as they were named"
    assert not document.count("Asked for balancer") and document.count("Differences") and document.count("Completion times are from")


VERBS = {
    "sweep": ("sweep", "--balancer=ofan,rsq --size=64KiB,256KiB --seeds=2 --out=out -- --k=4", "Sweep of balancer and size"),
    "study": ("study", "moe-failed-uplink --quick --seeds=2 --out=out", "Does PRIME beat REPS and adaptive switches"),
    "reproduce": ("reproduce", "fig2 --quick --out=.", "came out as expected"),
    "demo": ("demo", "--balancers=ofan,rsq --runs=2 --k=4 --out=out", "each with another permutation"),
    "collectives": ("collectives", "--sizes=1KiB,4KiB --out=out -- --k=4 --workload=all-reduce", "The bus bandwidth is at most"),
    "check-fluid": ("sweep.check_fluid", "--out=out -- --k=4 --balancer=ofan --workload=all-reduce", "differs most from that of packets"),
}


@needs_program
@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
def test_the_page_of_a_verb(tmp_path, verb):
    name, options, words = VERBS[verb]
    run = script(name, f"--program={PROGRAM}", *options.split(), cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    folder = "fig2-quick" if verb == "reproduce" else "out"
    path, document = report(tmp_path, folder)
    check_safe(document)
    check_links(path, document, 2)
    assert document.count(words) and ["./fabric", verb, *options.split()] in commands_of(path)
    assert "Figures" in document.texts["h2"] and (document.named("svg") or document.named("img"))
    if verb == "study":
        sentences = (tmp_path / "out/answer.md").read_text().partition("## Settings")[0].removeprefix("# ")
        assert all(document.count(sentence) for sentence in sentences.split("\n\n"))


# --- In a browser ---------------------------------------------------------------------------------


@pytest.fixture
def browser():
    """Chromium. ./fabric test installs it, and says so if it is gone; without the program's folder the test is left out."""
    if not find_browser():
        (pytest.fail if BIN_DIR or os.environ.get("CI") else pytest.skip)("no browser: apt-get install chromium")
    with Browser() as found:
        yield found


def test_many_runs_open_soon(tmp_path, browser):
    for seed in range(1, MANY + 1):
        write_run(tmp_path / f"runs/{seed:03}", seed, {"balancer": ("ecmp", "rsq")[seed % 2], "k": "4"})
    path, document = report(tmp_path, "runs")
    assert len(document.named("tr")) > MANY
    seconds = min(browser.open(path) for _ in range(3))
    assert seconds < LIMIT and not browser.complaints()
    print(f"{MANY} runs open in {seconds:.2f} s")


def test_tables_are_sorted_and_filtered(tmp_path, browser):
    for seed in range(1, 21):
        write_run(tmp_path / f"runs/{seed}", seed, {"balancer": ("ecmp", "rsq")[seed % 2]})
    path, _ = report(tmp_path, "runs")
    browser.open(path)
    column = browser.evaluate("[...document.querySelectorAll('#rows-of-runs th')].findIndex((th) => th.textContent === 'drops')")
    values = f"[...document.querySelectorAll('#rows-of-runs tbody tr')].map((row) => Number(row.cells[{column}].textContent))"
    click = f"document.querySelectorAll('#rows-of-runs th')[{column}].click()"
    browser.evaluate(click)
    assert browser.evaluate(values) == [*range(1, 21)]
    browser.evaluate(click)
    assert browser.evaluate(values) == [*range(20, 0, -1)]
    browser.evaluate("(() => { const i = document.querySelector('.filter input'); i.value = 'RSQ'; i.dispatchEvent(new Event('input')); })()")
    assert browser.evaluate("[...document.querySelectorAll('#rows-of-runs tbody tr')].filter((row) => !row.hidden).length") == 10
    assert browser.evaluate("document.querySelector('.filter output').textContent") == "10 of 20"
    assert not browser.complaints()


def test_commands_are_copied(tmp_path, browser):
    write_run(tmp_path / "run", options={"fail": "a b&<c>"})
    path, _ = report(tmp_path, "run")
    browser.open(path)
    browser.evaluate("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
    browser.evaluate("document.querySelectorAll('.command button')[1].click()")
    assert browser.evaluate("window.copied") == "./fabric run '--fail=a b&<c>' --RngRun=1" and not browser.complaints()


def at(browser, share):
    """A point of the chart of queues, at a share of its width."""
    box = browser.evaluate("""(() => { const f = [...document.querySelectorAll('figure.chart')]
        .find((one) => one.textContent.includes('Fullest port')); f.scrollIntoView({block: 'center'});
        const b = f.querySelector('.area').getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()""")
    return box[0] + share * box[2], box[1] + box[3] / 2


BOXES = "[...document.querySelectorAll('.plot[data-time] svg')].map((svg) => svg.getAttribute('viewBox').split(' ').map(Number))"


@needs_program
def test_charts_show_values_and_zoom_together(tmp_path, browser):
    assert call(tmp_path, *SERIES, "--out=one").returncode == 0
    path, _ = report(tmp_path, "one")
    browser.open(path)
    whole = browser.evaluate(BOXES)
    assert len(whole) > 6 and len({(box[0], box[2]) for box in whole}) == 1  # one axis of time
    browser.mouse("mouseMoved", *at(browser, 0.5))
    tip = browser.evaluate("document.querySelector('.tip').textContent")
    [time] = re.findall(r"^([\d.]+) us", tip)
    assert float(time) == pytest.approx(whole[0][0] + 0.5 * whole[0][2], rel=0.02) and "leaf-up" in tip
    browser.mouse("mousePressed", *at(browser, 0.25), buttons=1, count=1)
    browser.mouse("mouseMoved", *at(browser, 0.6), buttons=1)
    browser.mouse("mouseReleased", *at(browser, 0.75), count=1)
    zoomed = browser.evaluate(BOXES)
    assert all(box[2] == pytest.approx(whole[0][2] / 2, rel=0.02) for box in zoomed)
    browser.evaluate("[...document.querySelectorAll('.legend button')].find((b) => b.textContent === 'show all time').click()")
    assert browser.evaluate(BOXES) == whole
    browser.evaluate("document.querySelector('.legend button[data-line=\"1\"]').click()")
    assert browser.evaluate("document.querySelector('path[data-line=\"1\"]').style.display") == "none"
    assert not browser.complaints()


@needs_program
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_fit_into_their_window(tmp_path, browser, dark):
    """Text stays readable, and nothing but tables is wider than the window."""
    assert call(tmp_path, *SERIES, "--out=one").returncode == 0
    call(tmp_path, "--k=4", "--size=64KiB", "--out=two")
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
    for folders in (["one"], ["one", "two"]):
        path, _ = report(tmp_path, *folders, f"--out={len(folders)}.html")
        for width in WIDTHS:
            browser.resize(width, 900)
            browser.open(path)
            assert browser.evaluate("document.documentElement.scrollWidth") <= width
            assert browser.evaluate("Math.min(...[...document.querySelectorAll('p, td, th, .x span, pre')]"
                                    ".map((one) => parseFloat(getComputedStyle(one).fontSize)))") >= 10
            paper = browser.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (sum(map(int, re.findall(r"\d+", paper))) < 150) == dark and not browser.complaints()


@pytest.mark.parametrize("count", [20, 30])
def test_only_long_tables_scroll_by_themselves(tmp_path, browser, count):
    for seed in range(1, count + 1):
        write_run(tmp_path / f"runs/{seed:03}", seed)
    path, _ = report(tmp_path, "runs")
    for width in WIDTHS:
        browser.resize(width, 900)
        browser.open(path)
        room = "(() => { const box = document.querySelector('#rows-of-runs').parentElement; return box.scrollHeight - box.clientHeight; })()"
        assert (browser.evaluate(room) > 1) == (count > 24)


def test_a_page_is_complete_without_its_script(tmp_path, browser):
    write_run(tmp_path / "run")
    (tmp_path / "run/flows.csv").write_text("flow,source,destination,bytes,start_ns,received_ns,completed_ns,duration_ns\n0,0,1,9,0,5,6,6\n")
    path, _ = report(tmp_path, "run")
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.call("Page.navigate", url=Path(path).as_uri())
    assert "M0 " in path.read_text() and "<span style=\"left:" in path.read_text()


def test_points_of_numbers_stand_below_each_other():
    def shown(*values):
        return re.findall(r">([\d.,e-]+)</td>", "".join(map(str, html_table.draw_table(["x"], [[value] for value in values]))))

    assert shown(3.8171, 29.7, 16.876, 0.0) == ["3.82", "29.70", "16.88", "0.00"]
    assert shown(0.0012, 0.5) == ["0.0012", "0.5000"] and shown(1e-6, 1.0) == ["1e-06", "1"] and shown(12, 1400) == ["12", "1,400"]


def test_numbers_with_units_are_sorted_as_such():
    rows = [["1KiB", "a"], ["512KiB", "b"], ["64KiB", "c"]]
    shown = "".join(str(element) for element in html_table.draw_table(["size", "name"], rows))
    assert re.findall(r'data-value="([^"]*)">(\d+KiB)', shown) == [("1024.0", "1KiB"), ("524288.0", "512KiB"), ("65536.0", "64KiB")]
    assert "data-value" not in "".join(str(element) for element in html_table.draw_table(["size"], [["64KiB"], ["auto"]]))


@needs_program
def test_a_page_has_the_slowdown_by_size(tmp_path):
    """The numbers of the slowdown.csv that ./fabric plot writes; with messages of one size there is no table."""
    flows = HEADER + "".join(f"0,{source},0,{4096 * source}\n" for source in (1, 2, 3))
    for name, options in {"sizes": [write_flows(tmp_path, flows)], "one": []}.items():
        run = call(tmp_path, "--k=4", *options, f"--out={name}")
        assert run.returncode == 0, run.stderr
        _, document = report(tmp_path, name)
        assert (document.count("Slowdown by size") > 0) == (name == "sizes")
        heads = [text for text in document.texts.get("th", []) if text.startswith("slowdown_")]
        assert heads == (["slowdown_p50", "slowdown_p95", "slowdown_p99"] if name == "sizes" else [])
