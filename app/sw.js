// Serves the releases from the cache, checked by hash, and hands requests of the board to the page that runs it.
const LOADER = "loader"; // the build puts the hash of the files below here: changed files are a new service worker
const FILES = ["/", "/start.js", "/shell.css", "/manifest.webmanifest", "/icon.svg", "/icon-192.png", "/icon-512.png"];

addEventListener("install", (event) => {
  const fresh = FILES.map((path) => new Request(path, { cache: "reload" }));
  event.waitUntil(caches.open(LOADER).then((cache) => cache.addAll(fresh)));
});
addEventListener("activate", (event) => event.waitUntil(tidy()));
addEventListener("message", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== location.origin) return;
  const [, release, rest] = /^\/r\/(\w+)\/(.+)$/.exec(url.pathname) || [];
  if (rest && rest.startsWith("b-")) event.respondWith(board(event.request, url, release, rest));
  else if (rest) event.respondWith(released(release, rest));
  else if (FILES.includes(url.pathname)) event.respondWith(loader(url.pathname));
});
async function tidy() {
  for (const name of await caches.keys()) if (name.startsWith("loader") && name !== LOADER) await caches.delete(name);
  await clients.claim();
}
async function loader(path) {
  return (await (await caches.open(LOADER)).match(path)) || fetch(path);
}

// A file of a release, as its app.json says. The name of the release is the hash of app.json
const progress = new BroadcastChannel("loaded");
const coming = new Map(); // files on their way: whoever asks again waits for the same file
async function released(release, name) {
  const path = `/r/${release}/${name}`;
  const held = await (await caches.open(release)).match(path);
  if (held) return held;
  if (!coming.has(path)) coming.set(path, arrive(release, name, path).finally(() => coming.delete(path)));
  return (await coming.get(path)).clone();
}
let loaded = 0; // bytes that have come, for the page that shows them
function count(part, out) {
  progress.postMessage((loaded += part.length));
  out.enqueue(part);
}
async function arrive(release, name, path) {
  const wanted = name === "app.json" ? release : (await (await released(release, "app.json")).json())[name];
  const got = await fetch(path, { cache: "no-cache" });
  const data = await new Response(got.body && got.body.pipeThrough(new TransformStream({ transform: count }))).arrayBuffer();
  const hash = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", data)), (byte) => byte.toString(16).padStart(2, "0"));
  if (!got.ok || hash.join("") !== wanted) return new Response(`${name} is missing or changed on its way`, { status: 502 });
  const headers = { "Content-Type": got.headers.get("Content-Type"), "Content-Security-Policy": "CSP" };
  const good = new Response(data, { headers });
  await (await caches.open(release)).put(path, good.clone()).catch(() => 0); // no space: it runs, but not offline
  return good;
}

async function board(request, url, release, rest) {
  if (request.destination === "document") return Response.redirect("/", 303); // the board lives inside the page only
  const still = /^b-\w+(\/static\/.*|\/map\.css)$/.exec(rest); // what one release never changes
  const key = still && `/r/${release}/still${still[1]}${url.search}`;
  const cache = await caches.open(release);
  const held = still && (await cache.match(key));
  if (held) return held;
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = [...request.headers, ["sec-fetch-dest", request.destination || "empty"]];
  const root = `/r/${release}/${rest.split("/")[0]}`;
  const ask = { method: request.method, path: url.pathname, query: url.search.slice(1), headers, body, root };
  const windows = (await clients.matchAll({ type: "window" })).filter((each) => each.frameType === "top-level");
  const got = await Promise.any(windows.map((each) => new Promise((answered) => { // the page with this board answers
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (message) => answered(message.data);
    each.postMessage({ ask }, [port2]);
  }))).catch(() => null);
  if (!got) return new Response("The board is not open.", { status: 503 });
  const answer = new Response([204, 304].includes(got.status) ? null : got.data, got);
  if (still && got.status === 200) await cache.put(key, answer.clone()).catch(() => 0);
  return answer;
}
