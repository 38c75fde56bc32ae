// @ts-check
// A whole game, frame by frame. Everything it shows is in its own file, as data.
import { kurskMap } from "./map.js";

/** @typedef {[number, number, number, number]} Piece across, down, the number of its look, its rank in its stack */
/** @typedef {[string, string, [number, number][]]} Arrow the side's class, its kind, its points */
/** @typedef {[number, number, string]} Burst */
/**
 * @typedef {{m: number, turn: string, kind: string, title: string, lines: string[], pieces: Record<string, Piece | 0>,
 *   overlay: number, arrows: Arrow[], bursts: Burst[]}} Frame
 */
/**
 * @typedef {{seq: number, from: string, kind: string, turn: string, id: string, note: string, headlines: string[],
 *   standing: string[][], luck: string[], verified: string}} Told
 */
/**
 * @typedef {{sides: string[], frames: Frame[], messages: Told[], charts: {name: string, values: number[][]}[],
 *   names: Record<string, string>, places: Record<string, [number, number]>, verdict: string, verified: string[]}} Game
 */

const NS = "http://www.w3.org/2000/svg";
/** @param {string} id @returns {HTMLElement} */
const get = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id @returns {HTMLInputElement} */
const field = (id) => /** @type {HTMLInputElement} */ (get(id));
/** @type {Game} */
const data = JSON.parse(get("data").textContent || "");
const map = kurskMap(get("map"), /** @type {SVGSVGElement} */ (document.querySelector("#map svg")));
let now = 0; // the number of the frame
let timer = 0;
let marked = "";
const [STEP, HALF, COUNT] = [90, 620, 560]; // how far counters of a stack are apart, half of one, where its number is

/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [text] */
function node(name, attributes, text) {
  const made = document.createElementNS(NS, name);
  for (const key of Object.keys(attributes)) made.setAttribute(key, String(attributes[key]));
  if (text !== undefined) made.textContent = text;
  return made;
}
/** @param {string} name @param {string} text @param {string} [kind] */
function words(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}
/** @param {string} panel @param {Node[]} children */
function fill(panel, children) {
  get(panel).replaceChildren(...children);
}

/** @param {number} upTo @returns {Record<string, Piece | 0>} */
function pieces(upTo) {
  /** @type {Record<string, Piece | 0>} */
  const there = {};
  for (let number = 0; number <= upTo; number += 1) Object.assign(there, data.frames[number].pieces);
  return there;
}
/** @param {Record<string, Piece | 0>} there */
function drawPieces(there) {
  /** @type {Map<string, [Piece, string][]>} */
  const stacks = new Map();
  for (const [id, piece] of Object.entries(there)) {
    if (!piece) continue;
    const key = piece[0] + "," + piece[1];
    stacks.set(key, [...(stacks.get(key) || []), [piece, id]]);
  }
  get("pieces").replaceChildren(...[...stacks.values()].flatMap(drawStack));
}
/** @param {[Piece, string][]} stack */
function drawStack(stack) {
  stack.sort((one, other) => one[0][3] - other[0][3]);
  const title = stack.map(([, id]) => `${data.names[id]} (${id})`).join(", ");
  const step = stack.length > 1 ? STEP / 2 : 0;
  const [[x, y]] = stack[0];
  const drawn = stack.slice(0, 2).map(([[, , look]], place) => {
    const off = step * (1 - 2 * place);
    const used = node("use", { href: "#look-" + look, x: x + off, y: y - off });
    used.appendChild(node("title", {}, title));
    return used;
  });
  if (!step) return drawn;
  const count = [
    node("circle", { class: "count", cx: x + COUNT, cy: y + COUNT, r: 190 }),
    node("text", { class: "count", x: x + COUNT, y: y + COUNT + 85 }, String(stack.length)),
  ];
  return [...drawn.reverse(), ...count];
}
/** @param {Arrow} each @param {boolean} old */
function arrow(each, old) {
  const points = each[2].map((point) => point.join(",")).join(" ");
  const kind = "arrow " + each[1] + " " + each[0] + (old ? " old" : "");
  return node("polyline", { class: kind, points: points, "marker-end": "url(#tip)" });
}
/** A pill on the upper edge of what is attacked. @param {Burst} each */
function burst(each) {
  const group = node("g", { class: "burst", transform: `translate(${each[0]},${each[1] - HALF})` });
  const tag = node("g", { class: "tag" });
  const text = each[2] || "\u2217";
  const wide = 200 * text.length + 260;
  const pill = node("rect", { x: -wide / 2, y: -235, width: wide, height: 470, rx: 235 });
  tag.append(pill, node("text", { y: 118 }, text));
  group.append(tag);
  return group;
}

/** @param {number} number */
function show(number) {
  now = Math.max(0, Math.min(data.frames.length - 1, number));
  const frame = data.frames[now];
  /** @type {Arrow[]} */
  const before = [];
  for (let back = now - 1; back >= 0 && data.frames[back].m === frame.m; back -= 1) {
    before.push(...data.frames[back].arrows);
  }
  get("overlay").setAttribute("href", "#overlay-" + frame.overlay);
  drawPieces(pieces(now));
  get("old").replaceChildren(...before.map((each) => arrow(each, true)));
  get("new").replaceChildren(...frame.arrows.map((each) => arrow(each, false)), ...frame.bursts.map(burst));
  mark();
  tell(frame);
  field("line").value = String(now);
  field("turn").value = frame.turn;
}
/** @param {Frame} frame */
function tell(frame) {
  const message = data.messages[frame.m];
  get("where").textContent = `Turn ${frame.turn}: ${frame.title}`;
  const kind = message.kind === "turn" ? "" : ` (${message.kind})`;
  const report = [words("p", `Message ${frame.m}${kind}, from ${message.from}.`)];
  if (message.note) report.push(words("blockquote", message.note));
  if (message.headlines.length) {
    const list = document.createElement("ul");
    for (const line of message.headlines) list.appendChild(words("li", line));
    report.push(list);
  }
  report.push(words("pre", frame.lines.join("\n")));
  fill("report", report);
  const table = document.createElement("table");
  for (const row of message.standing) {
    const line = document.createElement("tr");
    for (const cell of row) line.appendChild(words("td", cell));
    table.appendChild(line);
  }
  fill("standing", [table]);
  const luck = message.luck.length ? message.luck : ["No dice have fallen yet."];
  fill("luck", luck.map((line) => words("p", line)));
  const proof = [message.verified, "Id: " + message.id, ...data.verified];
  fill("proof", proof.map((line) => words("p", line)));
  chart(frame.m);
}

const [WIDE, HIGH, LEFT, BELOW] = [400, 120, 30, 15];

/** @param {number} message */
function chart(message) {
  fill("chart", data.charts.map((each) => oneChart(each, message)));
}
/** @param {{name: string, values: number[][]}} each @param {number} message */
function oneChart(each, message) {
  const last = Math.max(1, each.values.length - 1);
  const low = Math.min(0, ...each.values.flat());
  const high = Math.max(1, ...each.values.flat());
  const across = (/** @type {number} */ index) => LEFT + (index / last) * (WIDE - LEFT - 10);
  const up = (/** @type {number} */ value) => HIGH - BELOW - ((value - low) / (high - low)) * (HIGH - 2 * BELOW);
  const drawn = node("svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" });
  const ends = each.values[each.values.length - 1].map((value, side) => `${data.sides[side] || ""} ${value}`);
  drawn.appendChild(node("title", {}, `${each.name}: at the end ${ends.join(", ")}`));
  const many = each.values[0].length > 1;
  each.values[0].forEach((_value, side) => {
    const points = each.values.map((row, index) => `${across(index)},${up(row[side])}`).join(" ");
    drawn.appendChild(node("polyline", { class: side ? "b" : "a", points: points }));
    const told = `${side ? "- -" : "\u2014"} ${many ? data.sides[side] : ""} ${each.values[message][side]}`;
    drawn.appendChild(node("text", { x: 40 + side * 150, y: 12 }, told));
  });
  const x = across(message);
  drawn.appendChild(node("line", { class: "now", x1: x, x2: x, y1: BELOW, y2: HIGH - BELOW }));
  drawn.appendChild(node("text", { x: 2, y: 20 }, String(high)));
  drawn.appendChild(node("text", { x: 2, y: HIGH - 10 }, String(low)));
  const box = document.createElement("div");
  box.append(words("h3", each.name), drawn);
  return box;
}

function mark() {
  const here = marked && pieces(now)[marked];
  const at = here || data.places[marked];
  const ring = at ? [node("circle", { class: "found", cx: at[0], cy: at[1], r: 900 })] : [];
  get("found").replaceChildren(...ring);
  return at;
}
/** @param {string} text */
function find(text) {
  const wanted = text.trim().toLowerCase();
  const ids = Object.keys(data.names);
  const close = (/** @type {string} */ name) => name.toLowerCase().includes(wanted);
  const named = ids.find((id) => close(data.names[id]));
  const id = ids.find((each) => each.toLowerCase() === wanted) || named || ids.find(close);
  marked = wanted ? Object.keys(data.places).find(close) || id || "" : "";
  if (ids.includes(wanted)) marked = wanted;
  const at = mark();
  if (at) map.show(at[0], at[1]);
}
function play() {
  if (timer) {
    clearInterval(timer);
    timer = 0;
  } else {
    if (now === data.frames.length - 1) show(0);
    timer = window.setInterval(() => {
      if (now === data.frames.length - 1) play();
      else show(now + 1);
    }, 900);
  }
  get("play").textContent = timer ? "Pause" : "Play";
  get("play").setAttribute("aria-label", timer ? "Pause" : "Play");
}
/** @param {number} step */
function message(step) {
  const message = data.frames[now].m + step;
  const wanted = data.frames.findIndex((frame) => frame.m === message);
  if (wanted >= 0) show(wanted);
}
/** @returns {HTMLElement[]} */
function tabs() {
  return [...document.querySelectorAll("[role=tab]")].map((found) => /** @type {HTMLElement} */ (found));
}
/** @param {HTMLElement} chosen */
function tab(chosen) {
  for (const each of tabs()) {
    const on = each === chosen;
    each.setAttribute("aria-selected", String(on));
    each.tabIndex = on ? 0 : -1;
    get(each.getAttribute("aria-controls") || "").hidden = !on;
  }
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowRight: () => show(now + 1),
  ArrowLeft: () => show(now - 1),
  PageDown: () => message(1),
  PageUp: () => message(-1),
  Home: () => show(0),
  End: () => show(data.frames.length - 1),
  " ": play,
  "0": map.fit,
  "+": () => map.zoom(0.8),
  "-": () => map.zoom(1.25),
  "/": () => get("wanted").focus(),
};
/** Whether the element in hand has a use of its own for a key. @param {HTMLElement} at @param {string} key */
function own(at, key) {
  if (["BUTTON", "SELECT"].includes(at.tagName) && [" ", "ArrowUp", "ArrowDown"].includes(key)) return true;
  return at.id === "line" && key.startsWith("Arrow");
}
document.addEventListener("keydown", (event) => {
  const at = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (at.id === "wanted") {
    if (event.key === "Escape") at.blur();
    return;
  }
  if (at.getAttribute && at.getAttribute("role") === "tab" && event.key.startsWith("Arrow")) {
    const next = tabs()[(tabs().indexOf(at) + (event.key === "ArrowRight" ? 1 : tabs().length - 1)) % tabs().length];
    tab(next);
    next.focus();
  } else if (KEYS[event.key] && !own(at, event.key)) KEYS[event.key]();
  else return;
  event.preventDefault();
});
get("first").addEventListener("click", () => show(0));
get("back").addEventListener("click", () => show(now - 1));
get("on").addEventListener("click", () => show(now + 1));
get("last").addEventListener("click", () => show(data.frames.length - 1));
get("play").addEventListener("click", play);
get("line").addEventListener("input", () => show(Number(field("line").value)));
get("turn").addEventListener("change", () => {
  show(data.frames.findIndex((frame) => frame.turn === field("turn").value));
});
get("search").addEventListener("submit", (event) => {
  event.preventDefault();
  find(field("wanted").value);
});
for (const each of tabs()) {
  each.addEventListener("click", (event) => {
    tab(each);
    if (event.detail) each.blur(); // after the mouse the arrows step again
  });
}

get("check").textContent = "\u2713 " + data.verified[0];
get("verdict").textContent = data.verdict;
field("line").max = String(data.frames.length - 1);
for (const turn of new Set(data.frames.map((frame) => frame.turn))) {
  get("turn").appendChild(words("option", turn));
}
for (const name of [...Object.keys(data.places), ...Object.keys(data.names)].sort()) {
  const made = document.createElement("option");
  made.value = name;
  get("known").appendChild(made);
}
tab(get("tab-report"));
show(0);
