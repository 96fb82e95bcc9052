// The journal: what happened, the newest first.

import { $, clock, make } from "./dom.js";

const most = 400;

export function note(events) {
  const list = $("journal");
  for (const e of events) {
    const at = make("time", { datetime: new Date(e.at_ms).toISOString() }, clock(e.at_ms));
    list.prepend(make("li", { class: e.bad ? "bad" : "", "data-kind": e.kind }, at, make("span", {}, e.text)));
  }
  while (list.children.length > most) list.lastChild.remove();
}

export function forget() { $("journal").replaceChildren(); }
