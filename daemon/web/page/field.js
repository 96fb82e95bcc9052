// What the field is about: outputs of all channels, obstacle map, input of the heading.

import { $, bytes, colour, sharp } from "./dom.js";

const side = 32;

// heat is black, blue, orange, white: readable in grey, too.
const heat = (() => {
  const stops = [[8, 12, 22], [24, 66, 120], [40, 140, 170], [245, 170, 70], [255, 250, 235]];
  const table = new Uint8Array(256 * 3);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length - 1), k = Math.min(stops.length - 2, Math.floor(at)), f = at - k;
    for (let j = 0; j < 3; j++) table[i * 3 + j] = stops[k][j] + f * (stops[k + 1][j] - stops[k][j]);
  }
  return table;
})();

export class FieldView {
  constructor() {
    this.names = [];
    $("channels").addEventListener("pointermove", (e) => this.name(e));
    $("channels").addEventListener("pointerdown", (e) => this.name(e));
    this.frame = null;
  }

  // name says which channel the pointer is on.
  name(e) {
    const b = e.currentTarget.getBoundingClientRect();
    const row = Math.floor(((e.clientY - b.top) / b.height) * 64);
    $("channel").textContent = `Row ${row}: ${this.names[row] || ""}`;
  }

  show(frame, tick) {
    this.frame = frame;
    this.draw(tick);
  }

  draw(tick) {
    if (!this.frame) return;
    this.drawChannels(bytes(this.frame.channels));
    this.drawObstacles(bytes(this.frame.obstacle), tick);
    this.drawHeading(this.frame.heading_input, this.frame.blocked);
  }

  drawChannels(rows) {
    const canvas = $("channels"), c = canvas.getContext("2d");
    const image = c.createImageData(side, 64);
    for (let r = 0; r < 64; r++) {
      for (let x = 0; x < side; x++) {
        const v = rows[r * side + side - 1 - x]; // a bearing to the left is drawn to the left
        image.data.set([heat[v * 3], heat[v * 3 + 1], heat[v * 3 + 2], 255], (r * side + x) * 4);
      }
    }
    const small = new OffscreenCanvas(side, 64);
    small.getContext("2d").putImageData(image, 0, 0);
    c.imageSmoothingEnabled = false;
    c.drawImage(small, 0, 0, canvas.width, canvas.height);
  }

  // drawObstacles draws cells of bearing and range as pieces of rings.
  drawObstacles(cells, tick) {
    const canvas = $("obstacles"), c = canvas.getContext("2d"), w = canvas.width, mid = w / 2, ring = (mid - 4) / side;
    c.fillStyle = `rgb(${heat[0]},${heat[1]},${heat[2]})`;
    c.fillRect(0, 0, w, w);
    const wedge = (2 * Math.PI) / side;
    for (let x = 0; x < side; x++) {
      const bearing = (x - side / 2) * wedge;
      for (let y = 0; y < side; y++) {
        const v = cells[x * side + y];
        if (v < 6) continue;
        c.fillStyle = `rgb(${heat[v * 3]},${heat[v * 3 + 1]},${heat[v * 3 + 2]})`;
        const a = -bearing - Math.PI / 2;
        c.beginPath();
        c.arc(mid, mid, (y + 1) * ring, a - wedge / 2, a + wedge / 2);
        c.arc(mid, mid, y * ring, a + wedge / 2, a - wedge / 2, true);
        c.fill();
      }
    }
    if (tick && tick.mass > 0) {
      c.strokeStyle = "#b69cf0";
      c.lineWidth = 3;
      c.beginPath();
      c.moveTo(mid, mid);
      c.lineTo(mid - Math.sin(tick.bearing_rad) * mid, mid - Math.cos(tick.bearing_rad) * mid);
      c.stroke();
    }
    c.fillStyle = "#fff";
    c.beginPath();
    c.moveTo(mid, mid - 8); c.lineTo(mid + 5, mid + 5); c.lineTo(mid - 5, mid + 5);
    c.fill();
  }

  drawHeading(input, blocked) {
    const { c, w, h } = sharp($("heading"));
    c.clearRect(0, 0, w, h);
    const n = input.length, top = Math.max(1, ...input.map(Math.abs)), base = h * 0.6, cell = w / n;
    c.fillStyle = colour("held");
    c.globalAlpha = 0.35;
    blocked.forEach((v, x) => { const t = Math.min(1, Math.max(0, v)) * (h - 4); c.fillRect(w - (x + 1) * cell + 1, h - t, cell - 2, t); });
    c.globalAlpha = 1;
    c.strokeStyle = colour("grid");
    c.beginPath(); c.moveTo(0, base); c.lineTo(w, base); c.stroke();
    c.strokeStyle = colour("line1");
    c.lineWidth = 2;
    c.beginPath();
    input.forEach((v, x) => { const px = w - (x + 0.5) * cell, py = base - (v / top) * (h * 0.5); x ? c.lineTo(px, py) : c.moveTo(px, py); });
    c.stroke();
  }
}
