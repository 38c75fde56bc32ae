// @ts-check
// Clicks and forms in the panels.
import { ask, order } from "./asking.js";
import * as composer from "./composer.js";
import { decide } from "./deciding.js";
import { bends } from "./deeds.js";
import { all, around, dialog, field, get, maybe } from "./dom.js";
import { copies } from "./drops.js";
import * as editing from "./editing.js";
import * as guide from "./guide.js";
import * as goals from "./goals.js";
import { counters, middle, spot, unitOf } from "./ground.js";
import { back as goBack } from "./keyboard.js";
import { closes } from "./links.js";
import * as overlay from "./overlay.js";
import { back, say } from "./page.js";
import { layers, turn } from "./panels.js";
import { rotate } from "./plane.js";
import * as plans from "./plans.js";
import * as ruler from "./ruler.js";
import { share } from "./share.js";
import { signed } from "./signing.js";
import { change, choose, find, goTo, moves } from "./units.js";
import { bring } from "./view.js";
import * as watching from "./watching.js";

/** Actions of repeated buttons, by class. @type {Record<string, (data: DOMStringMap) => unknown>} */
const ONE_OF_MANY = {
  async edit(data) {
    editing.begin(data);
    if (data.unit) await moves(data.unit, data.verb || "");
    else if (data.verb) await composer.open(data.verb, data.about, true);
    else composer.inWords((data.words || "").replace(/^note: /, "note "));
    const how = data.unit ? "Choose the new end" : data.verb ? "Change the form, save the order" : "Change the words";
    say([`${how}; ${back} leaves order ${data.number} as it is.`]);
  },
  verb(data) {
    if (data.alone) order(data.verb || "");
    else if (data.verb === "note") composer.inWords("note ", "note a word to my opponent");
    else composer.open(data.verb || "");
  },
  async target(data) {
    await composer.open(data.verb || "", data.words);
    const form = composer.inHand();
    if (form) form.include(data.unit || "");
  },
  leave: () => decide(),
  "by-way": bends,
  copy: (data) => copiesMail(data.url || ""),
  share: async (data) => share(await (await fetch(data.url || "")).text(), "turn.png"),
  async mailto(data) {
    const address = fetch(data.to || "").then((found) => found.json());
    await copiesMail(data.url || "");
    location.href = (await address).address; // also without a copy: the player can attach the saved file
  },
  watch: (data) => watching.watch(data.seq || ""),
  "watch-all": () => watching.watch(1, true),
  choose: (data) => choose(data.unitId || ""),
  lights: (data) => overlay.light(data.phase || ""),
  end(data) {
    overlay.light(data.phase || "");
    goTo(data.place || "");
  },
  turn: (data) => rotate(Number(data.step)),
  out: (data) => change("out", { number: data.number, words: data.words }),
  async idea(data) {
    if (!data.words) return change("hint", { number: data.number });
    if (await order(data.words)) brings(data.words);
  },
  up: (data) => change("up", { number: data.number, words: data.words }),
  talk: (data) => signed("talk", { what: data.what }, "Sign this?"),
};
/** Actions of single buttons, by id. @type {Record<string, () => unknown>} */
const NAMED = {
  cancel: composer.close,
  sign: () => signed("sign", {}, "Sign this message?"),
  undo: () => change("undo"),
  redo: () => change("redo"),
  keys: () => dialog("help").showModal(),
  back: goBack,
  plan() {
    ruler.off();
    plans.turn();
  },
  ruler() {
    plans.off();
    ruler.turn();
  },
  "watch-play": watching.toggle,
  "watch-step": watching.step,
  "watch-skip": () => watching.close(),
  "watch-back": watching.back,
  "watch-before": () => watching.other(-1),
  "watch-after": () => watching.other(1),
  "guide-start": () => guide.start(),
  "guide-next": () => guide.go(1),
  "guide-back": () => guide.go(-1),
  "guide-leave": guide.leave,
  "rule-close": closes,
  again: () => signed("again", {}, ""),
  hints: goals.hint,
  moments: goals.moments,
};
/** Actions of forms, by id. @type {Record<string, (form: HTMLFormElement) => unknown>} */
const FORMS = {
  words: typed,
  goal: goals.tell,
  form: composer.give,
  policy: keepsPolicy,
  onward(form) {
    const said = Object.fromEntries(new FormData(form));
    signed("talk", { ...said, what: "successor" }, "Offer this successor game?");
  },
  search: () => find(field("wanted").value),
};

/** Move the map to the first place or counter that an order names, and show the orders. @param {string} words */
function brings(words) {
  get("orders").scrollTop = 0;
  for (const word of words.split(/[\s,]+/)) {
    const counter = counters().find((each) => unitOf(each) === word);
    const at = middle(word) || (counter && spot(counter));
    if (at) return bring(at);
  }
}
/** Copy the message for the mail. @param {string} url */
function copiesMail(url) {
  return copies(fetch(url).then((found) => found.text()), () => "Copied: paste the text into your mail.");
}
async function typed() {
  const words = field("typed").value;
  field("typed").value = "";
  if (!(await order(words, "words")) && maybe("typed")) field("typed").value = words;
}
async function keepsPolicy() {
  const found = await ask("policy", { policy: field("policy-text").value, kept: field("policy-stamp").value });
  if (!found) return;
  const other = found.text !== undefined; // the board has newer answers: show them
  say(other ? [found.why] : found.said, other);
  field("policy-stamp").value = found.stamp;
  get("policy-other").hidden = !other;
  get("policy-now").textContent = found.text || "nothing";
  if (!other) field("policy-text").defaultValue = field("policy-text").value;
}
/** @param {MouseEvent} event */
function clicked(event) {
  const button = around(event, "button");
  if (!button) return;
  if (button.getAttribute("role") === "tab") turn(button.id.slice(4));
  else if (button.dataset.tab) {
    turn(button.dataset.tab, true);
    const part = all(button.dataset.part || "#none")[0]; // the part of the panel that the button names
    if (part) part.scrollIntoView({ block: "nearest" });
  }
  else if (NAMED[button.id]) NAMED[button.id]();
  else for (const kind of button.classList) if (ONE_OF_MANY[kind]) ONE_OF_MANY[kind](button.dataset);
}
/** Add the listeners. */
export function begin() {
  document.addEventListener("click", clicked);
  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!FORMS[form.id]) return;
    event.preventDefault();
    FORMS[form.id](form);
  });
  document.addEventListener("change", (event) => {
    if (around(event, "#layers")) layers();
  });
}
