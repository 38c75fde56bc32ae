// The page around the board: one tab, one worker, one frame; saving and sharing; new releases.
const HERE = new URL(".", import.meta.url).pathname;
const RELEASE = HERE.split("/").at(-2);
const ROOT = `${HERE}b-${crypto.randomUUID().replaceAll("-", "")}`; // secret: no form of another site can reach the board
const TAKEN = "The board is open in another tab of this browser. Go on there, or close that tab and load this page again.";
const REFUSED = "This browser does not store the games of this page: its storage is full, or refused (as in a private window). Free some space or allow site data, then load the page again.";
const NEWER = "A newer release has stored the games of this browser. Open that release: load the address without '?release='.";
const STORAGE = { QuotaExceededError: REFUSED, UnknownError: REFUSED, InvalidStateError: REFUSED, SecurityError: REFUSED, VersionError: NEWER };
const UNLASTING = "This window may forget your key and your games: perhaps it is a private window, or a window inside another app. Save your key right after this step, or use your usual browser.";
const INSIDE_APP = /; wv\)|\bFBA[NV]\b|Instagram|\bLine\/|MicroMessenger/;
const THINKS = "Your opponent thinks. You need not wait: the next lower level can write this message.";
const LEAVING = 5_000; // ms in which a page that was left must have ended
const PATIENCE = 1_000; // ms before the page offers to stop the thinking
const make = (tag, props) => Object.assign(document.createElement(tag), props);
const state = (name) => (document.documentElement.dataset.state = name);
const say = document.getElementById("say");
const notice = make("div", { hidden: true, role: "alert" });
const frame = make("iframe", { name: "board", title: "The board", hidden: true });
const about = make("footer", { hidden: true });
for (const name of ["stdlib.zip", "pyodide.asm.mjs", "pyodide.asm.wasm"]) fetch(HERE + name); // what the worker asks for soon
let worker;
let opponent;
let kept; // the promise of all files
let path; // of the page in the frame

// ``link``: the fragment of the address, which may carry a message
export async function open(link) {
  const mine = await new Promise((go) => { // a page that has just left this tab gives its lock back a little later
    navigator.locks.request("kursk", { signal: AbortSignal.timeout(LEAVING) }, (lock) => (go(lock), new Promise(() => 0))).catch(() => go(null));
  });
  if (!mine) throw TAKEN;
  document.body.append(notice, frame, about);
  frame.addEventListener("load", shown);
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
    if (!data.ask || data.ask.root !== ROOT) return;
    const practice = data.ask.path.startsWith(`${ROOT}/opponent/`);
    practice ? askOpponent(data.ask, ports[0]) : worker.postMessage(data, [ports[0]]);
  });
  addEventListener("hashchange", () => take(location.hash));
  const home = await run();
  lasts();
  if (!take(link)) frame.src = home;
}

// Start the worker; return the address of the home page when the board is ready. A worker whose program stopped is replaced, and the frame stays
function run() {
  worker?.terminate();
  worker = new Worker(`${HERE}worker.js`, { type: "module" });
  worker.postMessage({ boot: { root: ROOT } });
  return new Promise((ready, fail) => {
    worker.onerror = (event) => fail(Error(event.message || "a part of the program is missing"));
    worker.onmessage = ({ data }) => {
      if (data.failed) fail(STORAGE[data.name] || Error(data.failed));
      if (data.dead) restart(data.dead);
      if (data.ready) ready(data.ready);
    };
  });
}
// The opponent of practice games: a worker of its own, started by its first request
function findOpponent() {
  if (opponent) return opponent;
  opponent = new Worker(`${HERE}worker.js`, { type: "module" });
  opponent.postMessage({ boot: { root: ROOT, practice: true } });
  opponent.onmessage = ({ data }) => {
    if (data.failed || data.dead) opponent = opponent.terminate();
  };
  return opponent;
}
// A worker that thinks hears nothing: to stop it, another worker answers instead, with the next lower level. The first
// one has stored nothing yet, or its answer is stored and counts
function askOpponent(ask, port) {
  const { port1, port2 } = new MessageChannel();
  const asking = ask.query ? 0 : setTimeout(() => tell(THINKS, "Stop thinking", stop), PATIENCE);
  const stop = () => {
    opponent = opponent?.terminate();
    askOpponent({ ...ask, query: "stopped" }, port);
  };
  port1.onmessage = ({ data }) => {
    clearTimeout(asking);
    if (notice.textContent.startsWith(THINKS)) notice.hidden = true;
    port.postMessage(data, [data.data.buffer]);
  };
  findOpponent().postMessage({ ask }, [port2]);
}
async function restart(why) {
  state("restarting");
  await run().catch((error) => tell(`${why} It cannot start again: ${error.message || error}`));
  tell(`${why} It was started again, and your games are as they were before that step.`);
  state("ready");
}
// Ask for storage that lasts: otherwise browsers may clear the games of sites that are rarely opened
async function lasts() {
  return !INSIDE_APP.test(navigator.userAgent) && Boolean(await navigator.storage?.persist?.().catch(() => false));
}
function tell(text, label = "OK", act = () => 0) {
  notice.replaceChildren(`${text} `, make("button", { textContent: label, onclick: () => ((notice.hidden = true), act()) }));
  notice.hidden = false;
}

// A page of the board has loaded
function shown() {
  const page = frame.contentDocument;
  page.addEventListener("click", save, true);
  const name = () => (document.title = page.title);
  name();
  new MutationObserver(name).observe(page.head, { childList: true, subtree: true });
  say.hidden = true;
  frame.hidden = false;
  const before = path;
  path = frame.contentWindow.location.pathname.slice(ROOT.length);
  if (before === "/link" && path !== before) history.replaceState(null, ""); // the letter is done with
  const warnings = page.querySelectorAll("[data-unlasting]");
  if (warnings.length) lasts().then((yes) => warnings.forEach((line) => Object.assign(line, { hidden: yes, textContent: UNLASTING })));
  const game = /^\/game\/(\w+)\/$/.exec(path);
  if (game) localStorage[`begun ${game[1]}`] ||= RELEASE;
  if (game) lasts();
  about.hidden = path !== "/";
  if (!about.hidden) describe();
  state("ready");
  kept ||= keep(); // after the first page, which is on its way before
}

// Hand a link that carries a message to the board; sites of tournaments link to the page that verifies.
// Return whether the frame shows something now
function take(link) {
  if (link === "#verify") frame.src = `${ROOT}/verify`;
  if (!link.startsWith("#k1.")) return link === "#verify";
  history.replaceState({ link }, "", location.pathname + location.search);
  const form = make("form", { method: "post", action: `${ROOT}/link`, target: "board", hidden: true });
  form.append(make("input", { name: "link", value: link }));
  document.body.append(form);
  form.submit();
  form.remove();
  return true;
}

// Browsers do not ask a service worker for <a download>: fetch the file here, then save it, or share it on a phone
async function save(event) {
  const link = event.target.closest?.("a[download]");
  if (!link || link.protocol === "blob:") return;
  event.preventDefault();
  event.stopPropagation();
  const got = await fetch(link.href);
  if (!got.ok) return tell("The file cannot be made now: load the page again.");
  const name = /filename="?([^";]*)/.exec(got.headers.get("Content-Disposition"))?.[1] || "kursk.txt";
  const data = await got.blob();
  const text = new File([data], name.replace(/\.(yaml|eml|pub)$/, ".txt"), { type: "text/plain" }); // what phones share
  const download = () => {
    const made = make("a", { href: URL.createObjectURL(data), download: name });
    made.click();
    setTimeout(() => URL.revokeObjectURL(made.href), 60_000);
  };
  if (!matchMedia("(pointer: coarse)").matches || text.name === name || !navigator.canShare?.({ files: [text] })) return download();
  const share = (refused) => navigator.share({ files: [text] }).catch((error) => error.name === "NotAllowedError" && refused());
  // some browsers share only at once after a click, and the first click was before the fetch: ask for another one
  share(() => tell("The file is ready.", "Share it", () => share(download)));
}

// Below the home page: what this release is, and a newer one, which is taken only by a click
async function describe() {
  const hash = make("code", { textContent: RELEASE });
  const told = make("details");
  told.append(make("summary", { textContent: "Can I trust this page?" }), `${TRUST} This release: `, hash);
  about.replaceChildren(told);
  for (const old of begun().filter((each) => each !== RELEASE))
    told.append(make("br"), make("a", { href: `/?release=${old}`, textContent: `Open with release ${old.slice(0, 12)}, with which you began a game` }));
  const newest = await fetch("/app.json", { cache: "no-store" }).then((got) => got.arrayBuffer()).catch(() => null);
  const digest = newest && new Uint8Array(await crypto.subtle.digest("SHA-256", newest));
  const name = digest && Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (!name || name === RELEASE) return;
  const button = make("button", { textContent: "Take the new release", onclick: () => update(name, JSON.parse(new TextDecoder().decode(newest))) });
  const offer = make("p");
  offer.append("A new release is here: ", make("code", { textContent: name }), ". You have ", hash.cloneNode(true), ". ", button);
  about.prepend(offer);
}
const TRUST = `Whoever runs this address can change the code at any visit, and such code could copy your keys or show false dice.
It cannot change what others have signed, and anybody can find it out by verifying the game with the installed program.
The hash tells releases apart; it does not cover the few files that start them. For a title game use the installed program.
Do not serve the page on a machine with other users: another user can take the port later, and then the keys.`;
const inside = (files) => Object.keys(files).filter((name) => !name.startsWith("/")); // the others belong to the loader
const begun = () => [...new Set(Object.keys(localStorage).filter((key) => key.startsWith("begun ")).map((key) => localStorage[key]))];
async function update(name, files) {
  const got = await Promise.all(inside(files).map((file) => fetch(`/r/${name}/${file}`)));
  if (!got.every((each) => each.ok)) return tell("The new release did not arrive whole, so this one stays. Try again later.");
  localStorage.setItem("release", name);
  const wanted = [name, RELEASE, ...begun()];
  for (const old of await caches.keys()) if (!wanted.includes(old) && !old.startsWith("loader")) await caches.delete(old);
  location.assign("/");
}

// Fetch what the first pages did not need, so that all works offline
async function keep() {
  for (const name of inside(await (await fetch(`${HERE}app.json`)).json())) await fetch(HERE + name);
  document.documentElement.dataset.kept = "";
}
