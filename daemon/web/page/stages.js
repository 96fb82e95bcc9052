// Latencies: the longest of every tenth of a second over the last minute, and the
// percentiles since the start.

import { $, colour, make, say, short } from "./dom.js";

const kept = 600; // tenths of a second
const across = ["age", "response"]; // from a sensor to a motor: two periods are theirs
const drawn = [["busy", "line1"], ["wake-up", "line2"], ["step", "line3"]];

export class Stages {
  constructor() {
    this.names = [];
    this.period = 5e6;
    this.clear();
  }

  clear() {
    this.times = [];
    this.lines = drawn.map(() => []);
    this.rows = new Map();
    $("stages").tBodies[0].replaceChildren();
  }

  // tick takes the longest lengths since the frame before.
  tick(t) {
    if (!t.alive) return;
    this.times.push(t.now_ms / 1000);
    drawn.forEach(([name], i) => {
      const ns = t.longest_ns[this.names.indexOf(name)];
      this.lines[i].push(ns >= 0 ? ns / 1e6 : null);
    });
    if (this.times.length > kept) { this.times.shift(); this.lines.forEach((l) => l.shift()); }
  }

  draw() {
    if (this.plot) this.plot.setData([this.times, ...this.lines]);
    else this.build();
  }

  // build makes the plot in the colours of light or dark.
  build() {
    if (this.plot) this.plot.destroy();
    const place = $("plot");
    place.replaceChildren();
    const axis = { stroke: colour("soft"), grid: { stroke: colour("grid"), width: 1 }, ticks: { stroke: colour("grid"), width: 1 }, font: "11px system-ui, sans-serif" };
    const own = () => ({ width: Math.max(220, place.clientWidth), height: 190 });
    this.plot = new uPlot({
      ...own(),
      series: [{ value: "{HH}:{mm}:{ss}" }, ...drawn.map(([name, c]) => ({
        label: name, stroke: colour(c), width: 1.5, points: { show: false }, value: (_, v) => (v === null || v === undefined ? "-" : v.toFixed(2) + " ms"),
      }))],
      axes: [axis, { ...axis, size: 66, values: (_, vs) => vs.map((v) => v + " ms") }],
      scales: { y: { range: (_, min, max) => [0, Math.max(1, max * 1.1 || 1)] } },
      cursor: { drag: { x: false, y: false } },
    }, [this.times, ...this.lines], place);
    if (!this.watching) {
      this.watching = new ResizeObserver(() => this.plot && this.plot.setSize(own()));
      this.watching.observe(place);
    }
  }

  // status takes the histograms.
  status(s) {
    const body = $("stages").tBodies[0];
    for (const r of s.latency.rows || []) {
      let row = this.rows.get(r.name);
      if (!row) {
        const meter = make("meter", { min: 0, max: 1, low: 0.5, high: 0.9, optimum: 0, "aria-label": `${r.name}: share of its time, 99 percent` });
        row = make("tr", {}, make("th", { scope: "row" }, r.name), ...[0, 1, 2, 3].map(() => make("td")), make("td", {}, meter));
        this.rows.set(r.name, row);
        body.append(row);
      }
      [r.p50_ns, r.p99_ns, r.p999_ns, r.max_ns].forEach((v, i) => say(row.cells[i + 1], short(v)));
      const time = this.period * (across.includes(r.name) ? 2 : 1), share = Math.min(1, r.p99_ns / time), meter = row.cells[5].firstChild;
      meter.value = share;
      meter.title = `${Math.round(100 * share)} % of ${short(time)}`;
    }
    const c = s.latency.counts;
    say($("overruns"), `${c.ticks} ticks of ${short(this.period)}, ${c.overruns} overruns, ${c.skipped} periods left out`);
  }
}
