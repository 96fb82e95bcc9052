// The page: connects, and hands every event to its part.

import { get, listen } from "./api.js";
import { $, chip, say } from "./dom.js";
import * as drive from "./drive.js";
import { FieldView } from "./field.js";
import * as journal from "./journal.js";
import { CarMap, where } from "./map.js";
import { askToken, goal, listenOrders } from "./orders.js";
import * as parameters from "./parameters.js";
import * as recordings from "./recordings.js";
import { Stages } from "./stages.js";
import { State } from "./state.js";

const state = new State(), stages = new Stages(), field = new FieldView();
const map = new CarMap($("map"), askGoal);
let asked = null, last = null, mayCommand = false, ending = null, wait = 250, due = 0, looked = 0, running = "";

const patience = 8000; // ms for a connection
const silent = 2500; // ms without a word of the server, which speaks once a second at least

// askGoal shows a place that was pointed at; only a second click sends the car there.
function askGoal(p) {
  asked = p;
  $("goal").hidden = false;
  say($("goal-at"), `Goal ${where(p.x, p.y)}`);
}

function dropGoal() {
  asked = map.asked = null;
  $("goal").hidden = true;
  map.draw();
}

// soon draws with the screen's next picture: a browser that is slower than the frames
// draws the newest alone. What is drawn rarely, is drawn so often a second at most.
const waiting = new Map(), drawnAt = new Map();
function soon(name, draw, every = 0) {
  const first = waiting.size === 0;
  waiting.set(name, { draw, every });
  if (first) requestAnimationFrame(paint);
}
function paint(now) {
  const all = [...waiting];
  waiting.clear();
  for (const [name, d] of all) {
    if (now - (drawnAt.get(name) || 0) < d.every) continue; // the next frame brings it
    drawnAt.set(name, now);
    d.draw();
  }
}

const on = {
  still() {},
  page(name) { if (mayCommand) drive.begin(name); },
  run(r) {
    if (running !== r.page + r.since) dropGoal(); // a place of the run before
    running = r.page + r.since;
    map.clear();
    stages.clear();
    stages.period = r.period_ns;
    state.run(r);
  },
  trail: (t) => map.trail(t),
  journal: (events) => journal.note(events),
  tick(t) {
    last = t;
    stages.tick(t);
    map.heard(t);
    drive.heard(t.hand, t.source);
    soon("tick", () => { state.tick(last); map.show(last); });
    soon("plot", () => stages.draw(), 300);
  },
  status(s) {
    state.status(s);
    stages.status(s);
    parameters.show(s.parameters || []);
    const words = ((s.order && !s.order.over && s.order.order) || "").split(" ");
    map.goal = words[0] === "goal" ? { x: Number(words[1]), y: Number(words[2]) } : words[0] === "home" ? { x: 0, y: 0 } : null;
  },
  field: (f) => soon("field", () => field.show(f, last), 200),
  ground: (g) => soon("ground", () => map.floor(g), 200),
  trouble(t) { lost(t.error); },
};

// lost says that what is shown is old, and why.
function lost(why) {
  chip($("life"), "no data", "bad");
  for (const id of ["armed", "level"]) $(id).className = "chip"; // as they were
  say($("banner"), why);
  $("banner").className = "banner";
  $("banner").hidden = false;
}

// watch connects again and again, until the page is hidden: a page that nobody sees
// takes no connection.
async function watch() {
  if (ending || document.hidden) return;
  ending = new AbortController();
  const mine = ending;
  try {
    due = performance.now() + patience;
    const h = await get("/api/hello", mine.signal);
    mayCommand = h.may_command;
    if (!mayCommand) askToken();
    $("token-form").hidden = h.may_command;
    state.hello(h);
    map.bearings = h.bearings;
    stages.names = h.streams;
    field.names = h.channels;
    $("recordings").hidden = !h.recordings;
    if (h.recordings) recordings.list();
    journal.forget();
    wait = 250;
    await listen("/api/stream", (name, value) => { due = performance.now() + silent; (on[name] || on.still)(value); }, mine.signal);
  } catch (e) {
    if (mine.signal.aborted) return;
    if (e.status === 401) askToken();
    lost(e.status ? e.message : "The connection to fieldbrain serve is lost; the page tries again. The car is not held by this page.");
  }
  ending = null;
  drive.lost();
  setTimeout(watch, wait);
  wait = Math.min(wait * 2, 4000);
}

// A server that hangs and a network that swallows everything end no stream: nothing comes,
// and what stands here grows old. The page says so, and connects anew. One that had no
// processor itself has not listened.
setInterval(() => {
  const now = performance.now();
  if (now - looked > 1000) due = Math.max(due, now + silent);
  looked = now;
  if (!ending || now < due) return;
  leave();
  lost("fieldbrain serve is silent: what stands here is old; the page tries again. The car is not held by this page.");
  watch();
}, 250);

// leave gives the connection up. Whoever drives from here has not let go: the end of the
// stream takes the wheel, and the car stands.
function leave() {
  if (ending) { ending.abort(); drive.lost(); }
  ending = null;
}

addEventListener("pagehide", leave);
document.addEventListener("visibilitychange", () => (document.hidden ? leave() : watch()));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  map.repaint();
  stages.build();
  field.draw(last);
});
$("goal-go").addEventListener("click", () => { if (asked) goal(asked); dropGoal(); });
$("goal-no").addEventListener("click", dropGoal);
$("relist").addEventListener("click", recordings.list);
drive.listenDrive();
listenOrders(leave, watch);
watch();
