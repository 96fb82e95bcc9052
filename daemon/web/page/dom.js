// Small helpers. No text is ever read as HTML.

export const $ = (id) => document.getElementById(id);

// make returns an element with attributes and children.
export function make(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) {
    if (v === false || v === null || v === undefined) continue;
    if (k === "class") e.className = v;
    else e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined).map((c) => (c instanceof Node ? c : String(c))));
  return e;
}

// say sets a text if it differs, so that screen readers hear changes alone.
export function say(e, text) {
  if (e.textContent !== text) e.textContent = text;
}

// chip sets a chip's text and colour.
export function chip(e, text, colour) {
  say(e, text);
  e.className = "chip " + (colour || "");
}

const two = (n) => String(n).padStart(2, "0");

// clock and moment say an instant as a clock on this machine does.
export const clock = (ms) => { const d = new Date(ms); return [d.getHours(), d.getMinutes(), d.getSeconds()].map(two).join(":"); };
export const moment = (at) => { const d = new Date(at); return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${clock(d)}`; };

// span says a length of time.
export function span(s) {
  if (s < 90) return Math.max(0, Math.round(s)) + " s";
  if (s < 5400) return Math.round(s / 60) + " min";
  if (s < 129600) return Math.round(s / 3600) + " h";
  return Math.round(s / 86400) + " days";
}

// short says a length of time given in ns.
export function short(ns) {
  if (ns < 0) return "-";
  if (ns < 1e3) return ns + " ns";
  if (ns < 1e6) return (ns / 1e3).toFixed(1) + " us";
  if (ns < 1e9) return (ns / 1e6).toFixed(2) + " ms";
  return (ns / 1e9).toFixed(2) + " s";
}

export const degrees = (rad) => Math.round((rad * 180) / Math.PI);

// colour returns a colour of the style sheet, as light or dark has it.
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

// bytes decodes base64.
export const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

// sharp fits a canvas to its place and the screen's pixels, and returns its context in
// CSS pixels.
export function sharp(canvas) {
  const box = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
  const w = Math.max(1, Math.round(box.width * ratio)), h = Math.max(1, Math.round(box.height * ratio));
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { c, w: box.width, h: box.height };
}
