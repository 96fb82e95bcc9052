// What the page says to the server, and how it listens.

const store = "fieldbrain.token";

// token returns what the person has named himself by. It stands behind # in the address
// that serve printed, where no browser sends it, and goes from there into this tab's
// memory.
export function token() {
  const found = /[#&]token=([0-9a-fA-F]+)/.exec(location.hash);
  if (found) {
    keep(found[1]);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(store) || localStorage.getItem(store) || "";
}

export function keep(text) {
  for (const s of [sessionStorage, localStorage]) text ? s.setItem(store, text) : s.removeItem(store);
}

function headers(more) {
  const t = token();
  return t ? { Authorization: "Bearer " + t, ...more } : { ...more };
}

// get returns an object of the server.
export async function get(path, signal) {
  const r = await fetch(path, { headers: headers(), signal });
  const v = await r.json();
  if (!r.ok) throw Object.assign(new Error(v.error || r.statusText), { status: r.status });
  return v;
}

// post sends an object, and returns the answer or throws its reason.
export async function post(path, value, signal) {
  const r = await fetch(path, { method: "POST", headers: headers({ "Content-Type": "application/json" }), body: JSON.stringify(value), signal, keepalive: true });
  const v = await r.json().catch(() => ({}));
  if (!r.ok) throw Object.assign(new Error(v.error || r.statusText), { status: r.status });
  return v;
}

// listen calls on(name, value) for every server-sent event until the signal ends it. An
// EventSource could not send the token.
export async function listen(path, on, signal) {
  const r = await fetch(path, { headers: headers({ Accept: "text/event-stream" }), signal });
  if (!r.ok) {
    const v = await r.json().catch(() => ({}));
    throw Object.assign(new Error(v.error || r.statusText), { status: r.status });
  }
  const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error("the server has ended the stream");
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      let name = "message", data = "";
      for (const line of block.split("\n")) {
        if (line.startsWith("event: ")) name = line.slice(7);
        else if (line.startsWith("data: ")) data += line.slice(6);
      }
      on(data ? name : "still", data ? JSON.parse(data) : null);
    }
  }
}
