// Recordings to download.

import { get, post } from "./api.js";
import { $, make, moment, say } from "./dom.js";

function size(n) {
  return n < 1e6 ? (n / 1e3).toFixed(0) + " kB" : (n / 1e6).toFixed(1) + " MB";
}

// download asks for a ticket: the browser itself sends no token when it saves a file.
async function download(name, button) {
  button.disabled = true;
  try {
    const { ticket } = await post("/api/ticket", { name });
    const a = make("a", { href: `/recordings/${encodeURIComponent(name)}?ticket=${encodeURIComponent(ticket)}`, download: name });
    document.body.append(a);
    a.click();
    a.remove();
    complain("");
  } catch (e) {
    await list(); // it may be gone
    complain(e.message);
  } finally {
    button.disabled = false;
  }
}

// complain says why there is no download.
function complain(text) {
  $("file-answer").hidden = !text;
  say($("file-answer"), text);
}

export async function list() {
  let files = [];
  complain("");
  try { files = await get("/api/recordings"); } catch (e) { $("files").replaceChildren(make("li", {}, e.message)); return; }
  $("files").replaceChildren(...files.map((f) => {
    const b = make("button", { type: "button", "aria-label": "Download " + f.name }, "download");
    b.addEventListener("click", () => download(f.name, b));
    return make("li", {}, make("span", {}, f.name), make("span", { class: "note" }, `${size(f.bytes)}, ${moment(f.written)}`), b);
  }));
  if (!files.length) $("files").replaceChildren(make("li", {}, "none yet: fieldbrain run --record FOLDER"));
}
