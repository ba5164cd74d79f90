"use strict";
// Tables are sorted, commands copied, and charts zoomed. The page is complete without this script.
(() => {
  const all = (where, what) => [...where.querySelectorAll(what)];
  const make = (name, kind, where) => {
    const made = document.createElement(name);
    made.className = kind;
    where.append(made);
    return made;
  };

  // --- Tables -----------------------------------------------------------------------------------

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.value ?? cell.textContent.trim();
    const value = Number(text);
    return text === "" || text === "-" ? null : Number.isNaN(value) ? text : value;
  };

  const compare = (one, other) => {
    if (typeof one === "number" && typeof other === "number") return one - other;
    return String(one).localeCompare(String(other), "en", { numeric: true });
  };

  const sort = (table, head) => {
    const column = head.cellIndex;
    const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    all(table, "thead th").forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows].map((row) => [valueOf(row, column), row]);
    rows.sort(([one], [other]) => (one === null) - (other === null) || sign * compare(one, other)); // gaps come last
    table.tBodies[0].append(...rows.map(([, row]) => row));
  };

  for (const table of all(document, "table.sortable")) {
    for (const head of table.tHead.rows[0].cells) {
      head.tabIndex = 0;
      head.addEventListener("click", () => sort(table, head));
      head.addEventListener("keydown", (event) => event.key === "Enter" && sort(table, head));
    }
  }

  for (const input of all(document, ".filter input")) {
    const rows = [...document.getElementById(input.dataset.table).tBodies[0].rows];
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const count = input.parentElement.querySelector("output");
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/);
      let shown = 0;
      rows.forEach((row, at) => {
        row.hidden = !words.every((word) => texts[at].includes(word));
        shown += !row.hidden;
      });
      count.textContent = `${shown} of ${rows.length}`;
    });
  }

  // --- Commands ---------------------------------------------------------------------------------

  const copyOld = (code) => { // where the clipboard is not allowed
    const range = document.createRange();
    range.selectNodeContents(code);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand("copy") ? Promise.resolve() : Promise.reject();
  };

  for (const button of all(document, ".command button")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.parentElement.querySelector("pre");
      const copied = navigator.clipboard?.writeText(code.textContent) ?? copyOld(code);
      const said = await copied.then(() => "Copied", () => copyOld(code).then(() => "Copied", () => "Select and copy"));
      button.textContent = said;
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  // --- Charts -----------------------------------------------------------------------------------

  const niceStep = (span, count) => {
    const power = 10 ** Math.floor(Math.log10(span / count));
    return [1, 2, 5, 10].find((factor) => factor * power >= 0.999 * span / count) * power;
  };

  const plain = (value) => String(Number(value.toPrecision(7)));

  /** The points of a path, whose y points down: [x, y], NaN where it is interrupted. */
  const pointsOf = (path) => {
    const points = [];
    let x = 0;
    for (const [, letter, text] of path.getAttribute("d").matchAll(/([MHVL])([^MHVL]*)/g)) {
      const numbers = text.trim().split(" ").map(Number);
      if (letter === "H") {
        [x] = numbers;
      } else if (letter === "V") {
        points.push([x, -numbers[0]]);
      } else {
        if (letter === "M" && points.length) points.push([points.at(-1)[0], NaN]);
        x = numbers[0];
        points.push([x, -numbers[1]]);
      }
    }
    return points;
  };

  /** The last point that does not lie right of x. */
  const lastBefore = (points, x) => {
    let low = 0;
    let high = points.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (points[middle][0] <= x) low = middle + 1; else high = middle;
    }
    return points[low - 1];
  };

  class Chart {
    constructor(figure) {
      this.figure = figure;
      this.plot = figure.querySelector(".plot");
      this.area = figure.querySelector(".area");
      this.svg = figure.querySelector("svg");
      this.isBars = figure.classList.contains("bars");
      this.isTime = "time" in this.plot.dataset;
      this.ticks = JSON.parse(this.plot.dataset.ticks ?? "[]");
      const [x, y, width, height] = this.svg.getAttribute("viewBox").split(" ").map(Number);
      Object.assign(this, { whole: [x, x + width], shown: [x, x + width], top: y, height });
      this.hidden = new Set();
      this.area.addEventListener("pointermove", (event) => this.hover(event));
      this.area.addEventListener("pointerleave", () => this.leave());
      if (this.isTime) {
        this.area.addEventListener("pointerdown", (event) => this.begin(event));
        this.area.addEventListener("pointerup", (event) => this.end(event));
        this.area.addEventListener("dblclick", () => charts.forEach((chart) => chart.isTime && chart.show(chart.whole)));
      }
      for (const button of all(figure, ".legend button")) {
        button.addEventListener("click", () => this.toggle(button));
      }
    }

    /** What the paths say, which is read once. */
    get lines() {
      this.known ??= all(this.svg, "path.step, path.line").map((path) => ({
        index: Number(path.dataset.line),
        color: path.getAttribute("stroke"),
        isStepped: path.classList.contains("step"),
        label: this.figure.querySelector(`.legend [data-line="${path.dataset.line}"]`)?.textContent ?? "",
        points: pointsOf(path),
      }));
      return this.known;
    }

    toggle(button) {
      const index = Number(button.dataset.line);
      const isShown = this.hidden.delete(index);
      if (!isShown) this.hidden.add(index);
      button.setAttribute("aria-pressed", isShown);
      all(this.svg, `[data-line="${index}"]`).forEach((path) => { path.style.display = isShown ? "" : "none"; });
    }

    dataX(event) {
      const box = this.area.getBoundingClientRect();
      const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
      return this.shown[0] + share * (this.shown[1] - this.shown[0]);
    }

    percent(x) {
      return 100 * (x - this.shown[0]) / (this.shown[1] - this.shown[0]);
    }

    begin(event) {
      if (event.pointerType === "touch") return; // which scrolls
      this.from = this.dataX(event);
      this.chosen = make("div", "chosen", this.area);
      this.area.setPointerCapture(event.pointerId);
      event.preventDefault();
    }

    end(event) {
      if (this.from === undefined) return;
      const range = [this.from, this.dataX(event)].sort((one, other) => one - other);
      this.from = undefined;
      this.chosen.remove();
      if (range[1] - range[0] > 0.01 * (this.shown[1] - this.shown[0])) {
        charts.forEach((chart) => chart.isTime && chart.show(range));
      }
    }

    /** Shows a part of the time, or all; of another chart's time what both have. */
    show([from, to]) {
      const begin = Math.max(from, this.whole[0]);
      const end = Math.min(to, this.whole[1]);
      if (!(begin < end)) return;
      this.shown = [begin, end];
      this.svg.setAttribute("viewBox", `${begin} ${this.top} ${end - begin} ${this.height}`);
      const axis = this.figure.querySelector(".x");
      axis.textContent = "";
      const step = niceStep(end - begin, 5);
      for (let at = Math.ceil(begin / step - 1e-9); at * step <= end + 1e-9 * step; at += 1) {
        const tick = make("span", "", axis);
        tick.textContent = plain(at * step);
        tick.style.left = `${this.percent(at * step)}%`;
      }
      const isWhole = begin === this.whole[0] && end === this.whole[1];
      this.reset ??= this.addReset();
      this.reset.hidden = isWhole;
    }

    addReset() {
      const button = make("button", "", this.figure.querySelector(".legend"));
      button.type = "button";
      button.textContent = "show all time";
      button.addEventListener("click", () => charts.forEach((chart) => chart.isTime && chart.show(chart.whole)));
      return button;
    }

    /** What lines have at x: [color, label, value]. */
    at(x) {
      const found = [];
      for (const line of this.lines) {
        if (this.hidden.has(line.index) || !line.points.length) continue;
        const point = line.isStepped ? lastBefore(line.points, x) : line.points.find(([other]) => other === x);
        if (point && !Number.isNaN(point[1])) found.push([line.color, line.label, point[1]]);
      }
      return found;
    }

    /** The x of the point that is nearest, where lines have points only. */
    snapped(x) {
      if (this.lines.some((line) => line.isStepped)) return x;
      const xs = this.lines.flatMap((line) => line.points.map(([other]) => other));
      return xs.reduce((best, other) => Math.abs(other - x) < Math.abs(best - x) ? other : best, xs[0]);
    }

    hover(event) {
      if (this.from !== undefined) {
        const ends = [this.from, this.dataX(event)].map((x) => this.percent(x)).sort((one, other) => one - other);
        this.chosen.style.left = `${ends[0]}%`;
        this.chosen.style.width = `${ends[1] - ends[0]}%`;
      }
      const x = this.snapped(this.dataX(event));
      const values = this.at(x);
      if (!values.length) return this.leave();
      this.hair ??= make("div", "hair", this.area);
      this.tip ??= make("div", "tip", this.area);
      const left = this.percent(x);
      this.hair.style.left = `${left}%`;
      this.tip.textContent = "";
      const head = make("div", "", this.tip);
      const name = this.ticks.find(([other]) => other === x)?.[1];
      head.textContent = name ?? `${plain(Number(x.toPrecision(5)))} ${this.plot.dataset.time ?? ""}`;
      const table = make("table", "", this.tip);
      for (const [color, label, value] of values.slice(0, 12)) {
        const row = table.insertRow();
        make("i", "", row.insertCell()).style.cssText = `--c:${color};background:${color}`;
        row.insertCell().textContent = label;
        if (!this.isBars) make("b", "", row.insertCell()).textContent = plain(Number(value.toPrecision(5)));
      }
      this.tip.style.left = left > 55 ? "" : `calc(${left}% + 12px)`;
      this.tip.style.right = left > 55 ? `calc(${100 - left}% + 12px)` : "";
      this.tip.style.top = "8px";
      return undefined;
    }

    leave() {
      this.hair?.remove();
      this.tip?.remove();
      this.hair = this.tip = undefined;
    }
  }

  const charts = all(document, "figure.chart").map((figure) => new Chart(figure));
  document.documentElement.dataset.ready = "true";
})();
