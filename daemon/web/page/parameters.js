// Parameters that may change while the car drives, with their limits.

import { $, make, say } from "./dom.js";
import { give } from "./orders.js";

const step = 0.01; // of every number: finer nobody needs
const rows = new Map();

// say a value as people write it.
const text = (p, v) => (p.words ? p.words[v] : String(v));
const unit = (p) => (p.unit ? " " + p.unit : "");

// set orders a value; the next status shows what became of it.
async function set(row, value) {
  row.wanted = Date.now();
  await give({ command: "set", order: `${row.p.key} ${text(row.p, value)}` }, `${row.p.key} = ${text(row.p, value)}${unit(row.p)}`);
  row.wanted = 0;
}

// build makes the controls of a parameter.
function build(p) {
  const row = { p, wanted: 0 }, id = "p-" + p.key.replace(".", "-");
  const about = make("p", { class: "note", id: id + "-about" });
  if (p.words) {
    row.choice = make("select", { id, "aria-describedby": about.id }, ...p.words.map((w, i) => make("option", { value: i }, w)));
    row.choice.addEventListener("change", () => set(row, Number(row.choice.value)));
  } else {
    const bounds = { min: p.low, max: p.high, step };
    row.slider = make("input", { type: "range", "aria-label": `${p.key}, slider`, "aria-describedby": about.id, ...bounds });
    row.number = make("input", { type: "number", id, inputmode: "decimal", "aria-describedby": about.id, ...bounds, step: "any" });
    row.slider.addEventListener("input", () => { row.wanted = Date.now(); row.number.value = row.slider.value; });
    row.slider.addEventListener("change", () => set(row, row.slider.valueAsNumber));
    row.number.addEventListener("change", () => { if (Number.isFinite(row.number.valueAsNumber)) set(row, row.number.valueAsNumber); });
  }
  row.back = make("button", { type: "button", "aria-label": `${p.key} as at the start` }, "reset");
  row.back.addEventListener("click", () => set(row, row.p.start));
  row.about = about;
  const control = row.choice ? [row.choice] : [row.slider, row.number, make("span", { class: "note unit" }, p.unit || "")];
  $("dials").append(make("div", { class: "dial" }, make("label", { for: id }, p.key), make("div", { class: "set" }, ...control, row.back), about));
  return row;
}

// show takes the values in force. A control that a person is moving stays as it is.
export function show(list) {
  $("parameters").hidden = list.length === 0;
  for (const p of list) {
    let row = rows.get(p.key);
    if (!row || row.p.low !== p.low || row.p.high !== p.high) {
      if (row) row.about.parentElement.remove();
      rows.set(p.key, (row = build(p)));
    }
    row.p = p;
    const limits = p.words ? "" : `, ${p.low} to ${p.high}${unit(p)}`;
    say(row.about, `${p.about}${limits}; ${text(p, p.start)}${unit(p)} at the start`);
    row.back.disabled = p.value === p.start;
    if (Date.now() - row.wanted < 3000) continue;
    if (row.choice) row.choice.value = p.value;
    else {
      row.slider.value = p.value;
      if (document.activeElement !== row.number) row.number.value = p.value;
    }
  }
}
