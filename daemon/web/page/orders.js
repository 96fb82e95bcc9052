// Orders: what a person tells the car.

import { keep, post, token } from "./api.js";
import { $, say } from "./dom.js";

// answer shows what the daemon said.
function answer(text, good) {
  say($("answer"), text);
  $("answer").className = "answer " + (good ? "good" : "bad");
}

// give sends a command and shows what became of it.
export async function give(request, what) {
  answer(`${what} ...`, true);
  try {
    const a = await post("/api/order", request);
    answer(`${what}: done${a.note ? ". " + a.note : ""}`, true);
  } catch (e) {
    if (e.status === 401) askToken();
    answer(`${what}: ${e.message}`, false);
  }
}

export const go = (order) => give({ command: "go", order }, order);

// goal orders a place with centimetres: more nobody knows.
export const goal = (p) => go(`goal ${p.x.toFixed(2)} ${p.y.toFixed(2)}`);

export function askToken() {
  $("token-form").hidden = false;
}

const patience = [400, 1500, 1500, 1500, 1500]; // ms for an answer to a stop, which the server carries out even when nobody waits for it
let leave = () => {}, watch = () => {}; // the stream: give it up, take it up again

// stop is the emergency stop: tried again until somebody has heard it. A browser has six
// connections to a server, and as many of its windows take them all: where no answer comes
// the page's stream makes room.
export async function stop() {
  answer("STOP ...", true);
  await stopping();
  watch();
}

async function stopping() {
  for (const wait of patience) {
    try {
      const a = await post("/api/stop", {}, AbortSignal.timeout(wait));
      answer(`Stopped${a.note ? " (" + a.note + ")" : ""}. Make the place safe, then Reset and Arm.`, true);
      return;
    } catch (e) {
      if (e.status === 401) askToken();
      answer(`STOP: ${e.message}`, false);
      if (e.name === "TimeoutError") leave();
      else await new Promise((r) => setTimeout(r, 150));
    }
  }
}

export function listenOrders(onLeave, onWatch) {
  leave = onLeave;
  watch = onWatch;
  const names = { arm: "Arm", disarm: "Disarm", reset: "Reset" };
  for (const b of document.querySelectorAll("[data-command]")) b.addEventListener("click", () => give({ command: b.dataset.command }, names[b.dataset.command]));
  for (const b of document.querySelectorAll("[data-order]")) b.addEventListener("click", () => go(b.dataset.order));
  for (const b of document.querySelectorAll("[data-outcome]")) b.addEventListener("click", () => give({ command: "outcome", value: Number(b.dataset.outcome) }, b.dataset.outcome > 0 ? "Well" : "Badly"));
  $("goal-form").addEventListener("submit", (e) => {
    e.preventDefault();
    const x = $("goal-x").valueAsNumber, y = $("goal-y").valueAsNumber;
    if (Number.isFinite(x) && Number.isFinite(y)) goal({ x, y });
    else answer("A goal needs two numbers.", false);
  });
  $("token-form").addEventListener("submit", (e) => {
    e.preventDefault();
    keep($("token").value.trim());
    $("token").value = "";
    $("token-form").hidden = true;
    leave();
    watch();
  });
  $("estop").addEventListener("click", stop);
  addEventListener("keydown", (e) => {
    if (e.key === "Escape" && !e.repeat) { e.preventDefault(); stop(); }
  });
}

export const named = () => token() !== "";
