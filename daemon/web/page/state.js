// How the car stands: chips, facts, degraded parts, sensors, failsafes.

import { $, chip, clock, degrees, make, moment, say, short, span } from "./dom.js";

const levels = { NORMAL: "good", LIMITED: "warn", HOLD: "warn", STOPPED: "warn", LATCHED: "bad" };

export class State {
  // hello fills in the table of failsafes.
  hello(h) {
    this.bearings = h.bearings;
    this.rows = new Map();
    const body = $("faults").tBodies[0];
    body.replaceChildren();
    for (const f of h.faults) {
      const row = make("tr", {}, make("th", { scope: "row" }, f.Name), make("td", {}, f.Level + (f.Rearm ? ", disarms" : "")), make("td"), make("td", {}, f.Trigger), make("td", {}, f.Remedy));
      this.rows.set(f.Name, row);
      body.append(row);
    }
  }

  run(r) {
    this.from = r;
    const world = r.world ? `${r.body}, ${r.world}` : r.body;
    say($("run"), `${world}, since ${moment(r.since)}`);
    say($("foot"), `fieldbrain ${r.program}, process ${r.pid}, a tick every ${short(r.period_ns)}. Read from ${r.page}.`);
    document.title = `${world} - fieldbrain`;
  }

  tick(t) {
    chip($("armed"), t.armed ? "ARMED" : "disarmed", t.armed ? "good" : "warn");
    chip($("level"), t.level, levels[t.level] || "");
    this.life(t);
    this.sensors(t);
    for (const [name, row] of this.rows || []) {
      const holds = t.causes.includes(name), disarmed = t.tripped.includes(name);
      row.className = holds ? "holds" : "";
      say(row.cells[2], holds ? "holds" : disarmed ? "disarmed the car" : "");
    }
  }

  // life says whether what is shown is true still.
  life(t) {
    const ago = (t.now_ms - t.at_ms) / 1000, banner = $("banner");
    const since = moment(t.at_ms) + (ago < 0 ? "" : `, ${span(ago)} ago`); // the clock may have been set back
    const ticks = t.alive && t.age_ms !== null && t.age_ms <= 1000;
    if (!t.alive) {
      const ended = this.ended && !this.ended.startsWith("0001");
      chip($("life"), "DEAD", "bad");
      say(banner, ended ? `The daemon ended in order. This is how it stood at its last tick, ${since}.` : `The daemon is DEAD since ${since}, without an orderly end. This is how it stood at its last tick.`);
      banner.className = ended ? "banner calm" : "banner";
    } else if (!ticks) {
      chip($("life"), "no ticks", "bad");
      say(banner, t.age_ms === null ? `The newest tick lies in the future, at ${since}: the clock was set, and nobody can tell whether the daemon ticks.` : `The daemon lives, but has not ticked for ${span(t.age_ms / 1000)}.`);
      banner.className = "banner";
    } else {
      chip($("life"), "live", "good");
    }
    banner.hidden = ticks;
  }

  sensors(t) {
    const body = $("sensors").tBodies[0];
    const rows = t.ranges.map((r, i) => [`range ${degrees(this.bearings[i])} deg`, r, (v) => v.toFixed(2) + " m"])
      .concat(t.floor.map((r, i) => ["floor " + ["left", "middle", "right"][i], r, (v) => v.toFixed(2)]))
      .filter(([, r]) => r.ok || r.age_ms < 60000 && r.v > 0);
    while (body.rows.length > rows.length) body.deleteRow(-1);
    rows.forEach(([name, r, format], i) => {
      const row = body.rows[i] || body.appendChild(make("tr", {}, make("th", { scope: "row" }), make("td"), make("td")));
      say(row.cells[0], name);
      say(row.cells[1], !r.ok ? "none" : r.beyond ? "free to " + format(r.v) : format(r.v));
      say(row.cells[2], r.age_ms + " ms");
    });
    if (t.battery_v !== null) this.battery = t.battery_v.toFixed(2) + " V";
    else if (this.battery) this.battery = "unknown"; // not the voltage of some time ago
    this.live = { driver: t.hand === "person" ? t.source : t.hand === "lost" ? `nobody: ${t.source} is gone` : t.hand, mode: t.mode, speed: t.speed_m_s.toFixed(2) + " m/s", steering: degrees(t.steering_rad) + " deg", quality: t.rung, bus: t.link };
    this.facts();
  }

  status(s) {
    this.ended = s.page && s.page.ended;
    const q = s.quality || {}, machine = [];
    if (q.temperature_c !== undefined) machine.push(q.temperature_c.toFixed(0) + " C");
    this.slow = { engine: s.engine, ...(s.gpu ? { card: `${s.gpu.phase}, ${s.gpu.device || "no card yet"}` } : {}), ...(machine.length ? { machine: machine.join(", ") } : {}) };
    const h = $("hindrance");
    h.hidden = !s.hindrance;
    if (s.hindrance) say(h, s.hindrance.what + (s.hindrance.remedy ? ". What to do: " + s.hindrance.remedy : ""));
    this.conditions(s.conditions || []);
    const o = s.order;
    say($("order"), o && o.order ? `Order ${o.order}: ${o.standing}${o.why ? " (" + o.why + ")" : ""}${o.left_m !== undefined ? `, ${o.left_m.toFixed(2)} m left` : ""}, ${o.driven_m.toFixed(1)} m driven` : "");
    this.facts();
  }

  facts() {
    const list = $("facts"), all = { ...this.live, ...(this.battery ? { battery: this.battery } : {}), ...this.slow };
    for (const [k, v] of Object.entries(all)) {
      let dd = list.querySelector(`dd[data-of="${k}"]`);
      if (!dd) { dd = make("dd", { "data-of": k }); list.append(make("dt", {}, k), dd); }
      say(dd, v);
    }
  }

  conditions(list) {
    const text = JSON.stringify(list);
    if (text === this.shown) return;
    this.shown = text;
    $("conditions").replaceChildren(...(list.length ? list.map((c) => make("li", {},
      make("strong", {}, c.name), `: ${c.value}. ${c.cause ? "Because " + c.cause + ". " : ""}`, c.remedy ? make("em", {}, "Remedy: " + c.remedy) : "",
      c.since && !c.since.startsWith("0001") ? ` (since ${clock(new Date(c.since).getTime())})` : "")) : [make("li", { class: "none" }, "none")]));
  }
}
