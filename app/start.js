// Starts the release that this browser has taken. It lies outside the releases, so it stays short and rarely changes.
"use strict";
const FOLDER = `This folder was opened as a file. Browsers run the program only from an address: type
'kursk app --serve', or 'python3 -m http.server' in this folder, then open the printed address.`;
const OLD = "This browser cannot run the program: it lacks WebAssembly, service workers or storage. Use a newer browser.";
const PRIVATE = `This browser does not let the page store anything, so games would be lost.
Use a window that is not private, and allow cookies and site data for this address.`;
const FRAMED = "This page runs only in a window of its own, because a page around it could lead your clicks: open its own address.";
const say = document.getElementById("say");
const loaded = document.getElementById("loaded");
new BroadcastChannel("loaded").onmessage = ({ data }) => (loaded.value = data / 1e6); // bytes, from the service worker

async function begin() {
  if (top !== self) throw FRAMED;
  const link = location.hash || history.state?.link || ""; // of a letter: out of the address bar before anything is shown
  if (link) history.replaceState({ link }, "", location.pathname + location.search); // a reload shows the letter again
  if (location.protocol === "file:") throw FOLDER;
  if (!isSecureContext) throw "This address is not secure: browsers run the program only from https or localhost.";
  if (typeof WebAssembly !== "object" || !navigator.locks) throw OLD;
  if (!navigator.serviceWorker || !window.indexedDB) throw PRIVATE;
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch((error) => {
    throw error.name === "SecurityError" ? PRIVATE : `The program cannot be loaded: go online, then load the page again. (${error.message})`;
  });
  const ready = await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) {
    ready.active.postMessage("claim");
    await new Promise((go) => setTimeout(go, 50));
  }
  const own = localStorage.getItem("release") || (await newest());
  const asked = new URLSearchParams(location.search).get("release");
  const release = /^[0-9a-f]{64}$/.test(asked) ? await choose(own, asked) : own;
  if (release === own) localStorage.setItem("release", own);
  const shell = await import(`/r/${encodeURIComponent(release)}/shell.js`);
  await shell.open(link);
}
// A link may name a release with which this browser began a game. Another one may have old holes: the person decides
async function choose(own, asked) {
  const begun = Object.keys(localStorage).filter((key) => key.startsWith("begun ")).map((key) => localStorage[key]);
  if (asked === own || begun.includes(asked)) return asked;
  const told = say.innerHTML;
  say.textContent = `This link asks for another release of the program than yours, and this browser began no game with it.
An old release may have known faults. Take it only if you know why. Asked for: ${asked}. Yours: ${own}. `;
  const release = await new Promise((go) => {
    for (const [text, taken] of [["Stay with my release", own], ["Run the other release", asked]])
      say.append(Object.assign(document.createElement("button"), { textContent: text, onclick: () => go(taken) }), " ");
    document.documentElement.dataset.state = "asking";
  });
  say.innerHTML = told;
  if (release === own) history.replaceState(null, "", location.pathname);
  return release;
}
async function newest() {
  const data = await (await fetch("/app.json", { cache: "no-store" })).arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
begin().catch((error) => {
  document.documentElement.dataset.state = "failed";
  const refused = error.name === "SecurityError" ? PRIVATE : `The program cannot start: ${error.message}. Load the page again.`;
  say.textContent = typeof error === "string" ? error : refused;
});
