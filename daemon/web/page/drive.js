// The wheel: by touch or mouse on a pad, by keys, by a gamepad. Words go to the daemon
// twenty times a second, one after the other and numbered; whatever keeps them from coming
// stops the car (docs/manual.md).

import { post } from "./api.js";
import { $, say } from "./dom.js";
import { askToken, stop } from "./orders.js";

const every = 50; // ms from word to word
const late = 450; // ms after which a word counts as lost
const quiet = 2000; // ms after which a pushed stick that has not changed counts as let go: a pad whose radio is out of range leaves it where it was
const dead = 0.12; // of a stick's way in which it is let alone

const keys = new Set(), moves = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, 1], ArrowRight: [0, -1], w: [1, 0], s: [-1, 0], a: [0, 1], d: [0, -1] };
const hand = { page: "", holds: false, taking: false, ready: false, said: 0, pad: null, steering: 0, stopped: false, wrong: 0, state: "", changed: 0 };

const clip = (v) => Math.max(-1, Math.min(1, v));
const free = (v) => (Math.abs(v) < dead ? 0 : clip((v - Math.sign(v) * dead) / (1 - dead)));

// begin is called with every stream: it names the page to the server.
export function begin(page) {
  hand.page = page;
  hand.holds = false;
  $("drive").hidden = false;
  show("");
}

// lost is called when the stream ends: the server has let the wheel go.
export function lost() {
  hand.page = "";
  hand.holds = false;
  show("not connected");
}

function show(text) {
  $("take").classList.toggle("primary", hand.holds);
  say($("take"), hand.holds ? "Let go" : "Take the wheel");
  $("take").disabled = !hand.page;
  $("pad").classList.toggle("active", hand.holds);
  $("drive-answer").className = "";
  say($("drive-answer"), text);
}

// heard is told who drives: why the wheel was lost need not stand there for ever.
export function heard(who, source) {
  say($("driver"), who === "brain" ? "The brain drives." : who === "lost" ? `Nobody drives: ${source} is gone.` : hand.holds ? "" : `${source} drives.`);
  if (hand.holds || who !== "brain" || !hand.wrong || Date.now() - hand.wrong < 6000) return;
  hand.wrong = 0;
  show("");
}

async function toggle() {
  if (hand.holds) return letGo();
  if (hand.taking) return; // the first click's answer is on its way
  hand.taking = true;
  const page = hand.page, pad = gamepad();
  try {
    const a = await post("/api/wheel/take", { page });
    if (hand.page !== page) return; // the stream has ended meanwhile, and the wheel is gone with it
    Object.assign(hand, { holds: true, said: 0, pad: null, steering: 0, ready: !pad || !pad[0] });
    keys.clear();
    show(a.note || "You drive.");
    $("pad").focus();
    words();
  } catch (e) {
    if (e.status === 401) askToken();
    show(e.message);
  } finally {
    hand.taking = false;
  }
}

// letGo gives the wheel back to the brain.
async function letGo() {
  if (!hand.holds) return;
  hand.holds = false;
  show("The brain drives.");
  try { await post("/api/wheel/release", { page: hand.page }); } catch (e) { show(e.message); }
}

// words says what the person wants until he lets go.
async function words() {
  while (hand.holds) {
    const began = performance.now(), [throttle, steering] = wanted();
    knob(throttle, steering);
    const patience = new AbortController(), timer = setTimeout(() => patience.abort(), late);
    try {
      await post("/api/wheel/drive", { page: hand.page, number: ++hand.said, throttle, steering }, patience.signal);
      if (hand.holds && $("drive-answer").className) { $("drive-answer").className = ""; show("You drive."); }
    } catch (e) {
      if (!hand.holds) break; // let go, or the stream has ended
      $("drive-answer").className = "bad";
      if (e.status) { hand.holds = false; hand.wrong = Date.now(); show(e.message); $("drive-answer").className = "bad"; break; }
      say($("drive-answer"), "The last word was lost or late; the car stops by itself.");
    } finally {
      clearTimeout(timer);
    }
    await new Promise((r) => setTimeout(r, Math.max(5, every - (performance.now() - began))));
  }
  knob(0, 0);
}

// wanted is the pad while it is touched, else keys, else the gamepad.
function wanted() {
  const pad = gamepad(); // at any rate: its button stops
  hand.ready ||= !pad || !pad[0]; // a stick that was pushed when the wheel was taken counts once it has come back
  if (pad && !hand.ready) pad[0] = 0;
  if (pad && pad[2]) pad[0] = pad[1] = 0;
  if (hand.pad) return hand.pad;
  let throttle = 0, steer = 0;
  for (const k of keys) if (moves[k]) { throttle += moves[k][0]; steer += moves[k][1]; }
  if (!throttle && !steer && pad) return pad;
  hand.steering += clip(steer - hand.steering) * 0.35; // a key is all or nothing, a wheel is not
  if (Math.abs(hand.steering) < 0.02) hand.steering = 0;
  return [clip(throttle) * (keys.has("Shift") ? 1 : 0.7), clip(hand.steering)];
}

// gamepad reads the first one: triggers or the left stick's way forwards are throttle, the
// left stick's sides steering, the right upper button (B) stops. The third says that nothing
// of it has changed for too long while it is pushed (docs/manual.md).
function gamepad() {
  const p = [...(navigator.getGamepads ? navigator.getGamepads() : [])].find((g) => g && g.connected);
  say($("gamepad"), p ? "Gamepad: " + p.id.slice(0, 40) : "No gamepad: press a button of one.");
  if (!p) return null;
  const pressed = (i) => (p.buttons[i] ? p.buttons[i].value : 0);
  const stopping = pressed(1) > 0.5;
  if (stopping && !hand.stopped) stop();
  hand.stopped = stopping;
  const triggers = pressed(7) - pressed(6), throttle = triggers ? clip(triggers) : -free(p.axes[1] || 0) || 0;
  const state = [...p.axes, ...p.buttons.map((b) => b.value)].join(), now = performance.now();
  if (state !== hand.state) Object.assign(hand, { state, changed: now });
  const gone = throttle !== 0 && now - hand.changed >= quiet;
  if (gone) say($("gamepad"), `Gamepad: ${p.id.slice(0, 40)}: no word for ${quiet / 1000} s: move the stick`);
  return [throttle, -free(p.axes[0] || 0) || 0, gone];
}

function knob(throttle, steering) {
  const e = $("knob");
  e.style.transform = `translate(${-steering * 120}%, ${-throttle * 120}%)`;
  $("pad").setAttribute("aria-valuetext", `throttle ${Math.round(throttle * 100)} percent, steering ${Math.round(steering * 100)} percent left`);
  say($("word"), `throttle ${throttle.toFixed(2)}, steering ${steering.toFixed(2)}`);
}

export function listenDrive() {
  const pad = $("pad");
  const touch = (e) => {
    const b = pad.getBoundingClientRect();
    hand.pad = [clip(-(e.clientY - b.top - b.height / 2) / (b.height * 0.38)), clip(-(e.clientX - b.left - b.width / 2) / (b.width * 0.38))].map((v) => Math.round(v * 100) / 100);
  };
  pad.addEventListener("pointerdown", (e) => { if (hand.holds && !e.button) { pad.setPointerCapture(e.pointerId); touch(e); e.preventDefault(); } });
  pad.addEventListener("pointermove", (e) => { if (hand.pad) touch(e); });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) pad.addEventListener(end, () => { hand.pad = null; });
  addEventListener("keydown", (e) => {
    if (!hand.holds || e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input")) return;
    const k = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (!moves[k] && k !== "Shift") return;
    if (!e.repeat) keys.add(k); // one that was down before the wheel was taken, or the window looked away, is no wish
    if (moves[k]) e.preventDefault();
  });
  addEventListener("keyup", (e) => keys.delete(e.key.length === 1 ? e.key.toLowerCase() : e.key));
  addEventListener("blur", () => { keys.clear(); hand.pad = null; });
  setInterval(() => hand.holds || gamepad(), 2 * every); // its button stops whoever drives
  addEventListener("gamepadconnected", () => gamepad());
  addEventListener("gamepaddisconnected", () => gamepad());
  $("take").addEventListener("click", toggle);
}
