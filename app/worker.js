// The worker of the page: answers requests of the board one after the other, and stores changes before it answers.
import { loadPyodide } from "./pyodide.mjs";
import { HOME, openBoard, start } from "./engine.js";
import { load, openStore, save } from "./store.js";

async function unpacked(name) {
  const { body } = await fetch(name);
  return new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
let board;
let files;
let memory; // bytes of the program
let queue = Promise.resolve();

function fetchRest() { // an import cannot wait, so the request does not either
  const request = new XMLHttpRequest();
  request.open("GET", "rest.zip", false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error("A part of the program cannot be fetched: go online, then try again.");
  return request.response;
}

// A practice opponent is another worker, with its own storage. The board waits for its answer, as in other programs
function askOpponent(root, level, request) {
  const asked = new XMLHttpRequest();
  asked.open("POST", `${root}/opponent/level-${level}`, false);
  asked.responseType = "arraybuffer";
  asked.send(request);
  return [asked.status, new Uint8Array(asked.response || 0)];
}

async function boot({ root, practice }) {
  const stored = openStore(practice && "kursk-practice");
  stored.catch(() => 0);
  // the engine starts while the program is still on its way, so the program waits until the engine has arrived
  const py = await start({ loadPyodide, zip: fetch("pyodide.asm.wasm").then(() => unpacked("app.pack")), fetchRest, stdLibURL: new URL("stdlib.zip", location).href });
  files = await load(await stored, py.FS, HOME);
  py.registerJsModule("kursk_practice", { ask: (level, request) => askOpponent(root, level, request) });
  board = openBoard(py, root, practice);
  await save(files);
  memory = () => py._module.HEAPU8.length;
  postMessage({ ready: board.first });
}

// An error as the board would say it: data for a script, otherwise a page
function refuse({ root, headers }, status, why) {
  const script = headers.some(([name, value]) => name === "sec-fetch-dest" && value === "empty");
  const text = script ? JSON.stringify({ why }) : `<!doctype html><html lang="en"><meta charset="utf-8"><title>kursk</title>
<link rel="stylesheet" href="${root}/static/board.css"><main><h1>That does not work</h1><p role="alert">${why}</p><p><a href="${root}/">To your games</a></p></main>`;
  const kind = script ? "application/json" : "text/html; charset=utf-8";
  return { status, headers: [["Content-Type", kind], ["Cache-Control", "no-store"]], data: new TextEncoder().encode(text) };
}

let dead = ""; // why the program has stopped; the page then starts another worker
async function answer(ask) {
  if (dead) return refuse(ask, 503, "The program starts again: repeat this step in a moment.");
  let got;
  try {
    got = board.ask(ask.method, ask.path, ask.query, ask.headers, ask.body);
  } catch (error) {
    console.error(error);
    dead = "The program stopped at the last step.";
    return refuse(ask, 500, "The program stopped at this step, so it was not done. It starts again, with your games as they were.");
  }
  try {
    await save(files);
  } catch (error) {
    dead = "The browser did not store the last step.";
    return refuse(ask, 507, `The browser did not store this step (${error.name}), so it was not done. Free some space, then repeat it.`);
  }
  return got;
}

addEventListener("message", ({ data, ports }) => {
  if (data.boot) queue = boot(data.boot).catch((error) => postMessage({ failed: String(error), name: error.name }));
  if (!data.ask) return;
  queue = queue.then(async () => {
    const began = performance.now();
    const [before, got] = [dead, await answer(data.ask)];
    ports[0].postMessage(got, [got.data.buffer]);
    if (dead && !before) postMessage({ dead });
    performance.measure(`${data.ask.method} ${data.ask.path}`, { start: began, detail: memory() }); // for the bench
  });
});
