// @ts-check
// Requests to the board, one after the other. This module holds the stamp of the draft on the page.
// After a change from outside, requests of the player that were waiting are dropped with a message.
import { all, get, maybe } from "./dom.js";
import * as editing from "./editing.js";
import { base, picture, say, touch } from "./page.js";
import * as panels from "./panels.js";
/** @typedef {Record<string, any>} Body */

const HERE = document.body.dataset.here;
const SLOW = `The board has not answered yet: the board or ${HERE} is busy. The page waits.`;
const PAGE = HERE === "this browser" ? "Load the page again." : ""; // there is no 'kursk board'
const GONE = `The board cannot be reached: it has ended, or ${HERE} is busy. ${PAGE || "Start 'kursk board' again."}`;
const AGAIN = `The board was started again. ${PAGE || "Use the window that 'kursk board' has opened."}`;
const FELL = "Your last step was not done, because the draft was changed outside this page. Repeat the step.";
const PATIENCE = 8000; // milliseconds before the page says that the board is slow

/** The stamp of the draft on the page. */
export let stamp = picture.dataset.stamp || "";
let outside = 0;
/** @type {Promise<any>} */
let turn = Promise.resolve();
let open = 0;

/** Show the page after a change. @param {import("./types.js").Filled} found */
export function refresh(found) {
  panels.fill(found);
  stamp = found.stamp;
  document.dispatchEvent(new Event("filled"));
  if (found.said) say(found.said, found.bad);
}
/** Show a change from outside. @param {import("./types.js").Filled} now */
export function takeIn(now) {
  outside += 1;
  refresh(now);
}
/** @param {string} path @param {Body} [body] @returns {Promise<any>} */
export function ask(path, body) {
  const seen = outside;
  const found = turn.then(() => asked(path, body, seen));
  open += 1;
  document.body.dataset.asked = String(open);
  turn = found.catch(() => null).then(() => setTimeout(answered));
  return found;
}
function answered() {
  open -= 1;
  document.body.dataset.asked = String(open);
}
/** @param {string} path @param {Body | undefined} body @param {number} seen */
async function asked(path, body, seen) {
  if (body && !body.really && path !== "try" && seen !== outside) {
    say([FELL, unwritten(body)], true);
    return null;
  }
  const slow = body && body.really ? 0 : setTimeout(() => say([SLOW], true), PATIENCE);
  try {
    const answer = await fetch(base + path, body ? posted(body) : {});
    const found = await answer.json();
    if ([SLOW, GONE].includes(get("said").textContent || "")) say([]);
    if (answer.status === 403) {
      say([AGAIN], true);
      return null;
    }
    if (answer.ok || found.changed || found.text !== undefined) return found;
    if (found.stale) {
      const now = await (await fetch(base + "now")).json();
      if (now.stamp) takeIn(now);
    }
    say([found.why, unwritten(body)], true);
    const typed = /** @type {HTMLInputElement | null} */ (maybe("typed"));
    if (found.stale && body && body.words && typed) typed.value = body.words;
  } catch (error) {
    say([GONE], true);
  } finally {
    clearTimeout(slow);
  }
  return null;
}
/** @param {Body} body @returns {RequestInit} */
function posted(body) {
  return {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...body, stamp: stamp, once: crypto.randomUUID() }),
  };
}
/** @param {Body | undefined} body */
function unwritten(body) {
  return body && body.words && !body.number ? `Not written: ${body.words}` : "";
}
/**
 * Write an order, or replace the edited order; return whether the board has written the order.
 * @param {string} words @param {string} [by] @returns {Promise<boolean>}
 */
export async function order(words, by) {
  const { path, body } = editing.asked(words, by || "");
  const found = await ask(path, body);
  if (!found) return false;
  if (path === "edit") editing.end();
  refresh(found);
  if (found.plain.length) say(found.plain, found.bad, found.said);
  setTimeout(() => all("#listed .new")[0]?.scrollIntoView({ block: touch ? "start" : "nearest" }));
  return true;
}
