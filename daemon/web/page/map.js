// The map: floor, trail, car and beams in the frame of the start; x is ahead, y to the
// left, as the car stood then. On the screen ahead is up.

import { $, bytes, colour, degrees, say, sharp } from "./dom.js";

const minScale = 12, maxScale = 600; // pixels a metre

export class CarMap {
  constructor(canvas, onGoal) {
    this.canvas = canvas;
    this.onGoal = onGoal;
    this.bearings = [];
    this.scale = 90;
    this.at = { x: 0, y: 0 }; // in the middle of the canvas
    this.asked = null;
    this.pointers = new Map();
    this.listen();
    this.clear();
  }

  // clear forgets the run before.
  clear() {
    this.points = [];
    this.firstPoint = 0;
    this.echoes = [];
    this.tick = null;
    this.ground = null;
    this.goal = null;
    this.draw();
  }

  trail({ first, points }) {
    if (first !== this.firstPoint + this.points.length) { this.points = []; this.firstPoint = first; }
    this.points.push(...points);
    if (this.points.length > 9000) { const over = this.points.length - 8192; this.points.splice(0, over); this.firstPoint += over; }
  }

  // floor takes the ground around the car: a frame of its own, moved to where the car is.
  floor(g) {
    const occupied = bytes(g.occupied), free = bytes(g.free), side = g.side;
    const picture = document.createElement("canvas");
    picture.width = picture.height = side;
    const c = picture.getContext("2d"), image = c.createImageData(side, side);
    const wall = rgb(colour("wall")), open = rgb(colour("free"));
    const bit = (a, i) => (a[i >> 3] >> (i & 7)) & 1;
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const i = y * side + x, o = ((side - 1 - y) * side + x) * 4; // pictures begin at the top
        const shade = bit(occupied, i) ? wall : bit(free, i) ? open : null;
        if (shade) image.data.set([...shade, 255], o);
      }
    }
    c.putImageData(image, 0, 0);
    this.ground = { ...g, picture, pose: { x: g.at_x_m, y: g.at_y_m, turn: g.at_heading_rad }, raw: g };
  }

  // repaint takes the colours of light or dark.
  repaint() {
    if (this.ground) this.floor(this.ground.raw);
    this.draw();
  }

  // heard keeps the echoes of a tick, whether it is drawn or not.
  heard(tick) {
    tick.ranges.forEach((r, i) => {
      if (!r.ok || r.beyond || r.age_ms > 150) return;
      const a = tick.heading_rad + this.bearings[i];
      const p = { x: tick.x_m + r.v * Math.cos(a), y: tick.y_m + r.v * Math.sin(a) };
      const last = this.echoes[this.echoes.length - 1];
      if (last && Math.hypot(p.x - last.x, p.y - last.y) < 0.03) return;
      this.echoes.push(p);
      if (this.echoes.length > 3000) this.echoes.splice(0, 500);
    });
  }

  show(tick) {
    this.tick = tick;
    if ($("follow").checked && this.pointers.size === 0) this.at = { x: tick.x_m, y: tick.y_m };
    this.draw();
    say($("place"), `${where(tick.x_m, tick.y_m)}, heading ${degrees(tick.heading_rad)} deg, known to ${tick.off_m.toFixed(2)} m`);
    this.canvas.setAttribute("aria-label", `Map. The car is ${where(tick.x_m, tick.y_m)}, heading ${degrees(tick.heading_rad)} degrees. Arrow keys move the map, plus and minus zoom, Enter sets a goal in its middle.`);
  }

  // screen returns the pixel of a place; place the place of a pixel.
  screen(x, y) { return [this.w / 2 - (y - this.at.y) * this.scale, this.h / 2 - (x - this.at.x) * this.scale]; }
  place(px, py) { return { x: this.at.x - (py - this.h / 2) / this.scale, y: this.at.y - (px - this.w / 2) / this.scale }; }

  draw() {
    const { c, w, h } = sharp(this.canvas);
    Object.assign(this, { w, h });
    c.clearRect(0, 0, w, h);
    if ($("floor").checked) this.drawFloor(c);
    this.drawGrid(c);
    this.drawEchoes(c);
    this.drawTrail(c);
    this.drawMark(c, 0, 0, "soft", "start");
    if (this.goal) this.drawMark(c, this.goal.x, this.goal.y, "good", "goal");
    if (this.asked) this.drawMark(c, this.asked.x, this.asked.y, "warn", "goal?");
    if (this.tick) { this.drawBeams(c); this.drawCar(c); }
  }

  drawFloor(c) {
    const g = this.ground;
    if (!g) return;
    c.save();
    const [px, py] = this.screen(g.pose.x, g.pose.y);
    c.translate(px, py);
    c.rotate(-(g.pose.turn - g.heading_rad) - Math.PI / 2); // the ground's east is its x: the frame's ahead is up
    const size = g.cell_m * this.scale, east = g.west * g.cell_m - g.x_m, north = (g.south + g.side) * g.cell_m - g.y_m;
    c.imageSmoothingEnabled = false;
    c.drawImage(g.picture, east * this.scale, -north * this.scale, g.side * size, g.side * size);
    c.restore();
  }

  drawGrid(c) {
    const step = this.scale > 160 ? 0.25 : this.scale > 45 ? 0.5 : this.scale > 20 ? 1 : 5;
    const a = this.place(0, 0), b = this.place(this.w, this.h);
    c.strokeStyle = colour("grid");
    c.lineWidth = 1;
    c.beginPath();
    for (let x = Math.ceil(b.x / step) * step; x <= a.x; x += step) { const [, y] = this.screen(x, 0); c.moveTo(0, y); c.lineTo(this.w, y); }
    for (let y = Math.ceil(b.y / step) * step; y <= a.y; y += step) { const [x] = this.screen(0, y); c.moveTo(x, 0); c.lineTo(x, this.h); }
    c.stroke();
    c.fillStyle = colour("soft");
    c.font = "12px system-ui, sans-serif";
    c.fillText(`${step} m`, 8, this.h - 8);
  }

  drawEchoes(c) {
    c.fillStyle = colour("echo");
    for (const p of this.echoes) { const [x, y] = this.screen(p.x, p.y); c.fillRect(x - 1, y - 1, 2.5, 2.5); }
  }

  drawTrail(c) {
    c.lineWidth = 2;
    c.lineJoin = "round";
    for (const held of [0, 1]) {
      c.strokeStyle = colour(held ? "held" : "trail");
      c.beginPath();
      for (let i = 1; i < this.points.length; i++) {
        const a = this.points[i - 1], b = this.points[i];
        if (Math.min(1, b[2]) !== held) continue;
        c.moveTo(...this.screen(a[0] / 1000, a[1] / 1000));
        c.lineTo(...this.screen(b[0] / 1000, b[1] / 1000));
      }
      c.stroke();
    }
  }

  drawMark(c, x, y, shade, text) {
    const [px, py] = this.screen(x, y);
    c.strokeStyle = c.fillStyle = colour(shade);
    c.lineWidth = 2;
    c.beginPath();
    c.arc(px, py, 6, 0, 7);
    c.moveTo(px - 10, py); c.lineTo(px + 10, py);
    c.moveTo(px, py - 10); c.lineTo(px, py + 10);
    c.stroke();
    c.font = "12px system-ui, sans-serif";
    c.fillText(text, px + 10, py - 8);
  }

  drawBeams(c) {
    const t = this.tick;
    t.ranges.forEach((r, i) => {
      if (!r.ok) return;
      const a = t.heading_rad + this.bearings[i], half = 0.26; // rad, half of a sonar's cone
      const [px, py] = this.screen(t.x_m, t.y_m);
      c.globalAlpha = r.beyond ? 0.1 : 0.26;
      c.fillStyle = colour("beam");
      c.beginPath();
      c.moveTo(px, py);
      c.arc(px, py, r.v * this.scale, -a - half - Math.PI / 2, -a + half - Math.PI / 2);
      c.fill();
    });
    c.globalAlpha = 1;
  }

  drawCar(c) {
    const t = this.tick, s = Math.max(this.scale, 70);
    c.save();
    c.translate(...this.screen(t.x_m, t.y_m));
    c.strokeStyle = colour("soft");
    c.globalAlpha = 0.6;
    c.beginPath();
    c.arc(0, 0, t.off_m * this.scale, 0, 7); // how far it may be astray
    c.stroke();
    c.globalAlpha = 1;
    c.rotate(-t.heading_rad);
    c.fillStyle = colour(!t.alive ? "soft" : t.armed ? "accent" : "warn");
    c.strokeStyle = colour("card");
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(0, -0.17 * s); c.lineTo(0.075 * s, -0.02 * s); c.lineTo(0.075 * s, 0.07 * s); c.lineTo(-0.075 * s, 0.07 * s); c.lineTo(-0.075 * s, -0.02 * s);
    c.closePath();
    c.fill();
    c.stroke();
    if (t.mass > 0) { // where the heading's peak stands
      c.strokeStyle = colour("line3");
      c.lineWidth = 2.5;
      c.beginPath();
      c.moveTo(0, 0);
      c.lineTo(-Math.sin(t.bearing_rad) * 0.34 * s, -Math.cos(t.bearing_rad) * 0.34 * s);
      c.stroke();
    }
    c.restore();
  }

  // zoom keeps the place under a pixel where it is.
  zoom(by, px = this.w / 2, py = this.h / 2) {
    const p = this.place(px, py);
    this.scale = Math.min(maxScale, Math.max(minScale, this.scale * by));
    const q = this.place(px, py);
    this.at.x += p.x - q.x;
    this.at.y += p.y - q.y;
    this.draw();
  }

  // fit shows the whole way.
  fit() {
    const xs = [0, ...this.points.map((p) => p[0] / 1000)], ys = [0, ...this.points.map((p) => p[1] / 1000)];
    const min = (l) => l.reduce((a, b) => Math.min(a, b)), max = (l) => l.reduce((a, b) => Math.max(a, b));
    this.at = { x: (min(xs) + max(xs)) / 2, y: (min(ys) + max(ys)) / 2 };
    const room = Math.min(this.h / (max(xs) - min(xs) + 1), this.w / (max(ys) - min(ys) + 1));
    this.scale = Math.min(maxScale, Math.max(minScale, room));
    $("follow").checked = false;
    this.draw();
  }

  ask(p) { this.asked = p; this.onGoal(p); this.draw(); }

  listen() {
    const e = this.canvas;
    let moved = 0, spread = 0;
    const at = (ev) => { const b = e.getBoundingClientRect(); return { x: ev.clientX - b.left, y: ev.clientY - b.top }; };
    const gap = () => { const [a, b] = [...this.pointers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
    e.addEventListener("pointerdown", (ev) => {
      if (ev.button) return;
      e.setPointerCapture(ev.pointerId);
      this.pointers.set(ev.pointerId, at(ev));
      moved = this.pointers.size > 1 ? 99 : 0;
      if (this.pointers.size === 2) spread = gap();
    });
    e.addEventListener("pointermove", (ev) => {
      const was = this.pointers.get(ev.pointerId);
      if (!was) return;
      const now = at(ev);
      this.pointers.set(ev.pointerId, now);
      moved += Math.hypot(now.x - was.x, now.y - was.y);
      if (this.pointers.size === 2) { const g = gap(); if (g > 0 && spread > 0) this.zoom(g / spread, now.x, now.y); spread = g; return; }
      if (moved < 6) return;
      $("follow").checked = false;
      this.at.x += (now.y - was.y) / this.scale;
      this.at.y += (now.x - was.x) / this.scale;
      this.draw();
    });
    e.addEventListener("pointerup", (ev) => {
      if (this.pointers.delete(ev.pointerId) && moved < 6) { const p = at(ev); this.ask(this.place(p.x, p.y)); }
    });
    e.addEventListener("pointercancel", (ev) => this.pointers.delete(ev.pointerId));
    e.addEventListener("wheel", (ev) => { ev.preventDefault(); const p = at(ev); this.zoom(ev.deltaY < 0 ? 1.15 : 1 / 1.15, p.x, p.y); }, { passive: false });
    e.addEventListener("keydown", (ev) => {
      const step = 40 / this.scale;
      const keys = {
        ArrowUp: () => (this.at.x += step), ArrowDown: () => (this.at.x -= step), ArrowLeft: () => (this.at.y += step), ArrowRight: () => (this.at.y -= step),
        "+": () => this.zoom(1.25), "-": () => this.zoom(0.8), Enter: () => this.ask({ ...this.at }),
      };
      if (!keys[ev.key] || ev.ctrlKey || ev.metaKey) return;
      ev.preventDefault();
      ev.stopPropagation();
      if (ev.key.startsWith("Arrow")) $("follow").checked = false;
      keys[ev.key]();
      this.draw();
    });
    new ResizeObserver(() => this.draw()).observe(e);
    $("zoom-in").addEventListener("click", () => this.zoom(1.4));
    $("zoom-out").addEventListener("click", () => this.zoom(1 / 1.4));
    $("fit").addEventListener("click", () => this.fit());
    for (const id of ["follow", "floor"]) $(id).addEventListener("change", () => this.draw());
  }
}

// where says a place as seen from the start.
export function where(x, y) {
  return `${Math.abs(x).toFixed(2)} m ${x < 0 ? "behind" : "ahead"} and ${Math.abs(y).toFixed(2)} m ${y < 0 ? "right" : "left"} of the start`;
}

function rgb(text) {
  const n = parseInt(text.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}
