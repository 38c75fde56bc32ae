// @ts-check
// Asking the board, one question after the other. This module holds the stamp of the draft that the page shows.
// What a player has done is written into what they saw: a change from outside in between lets it fall, and says so.
import { get, maybe } from "./dom.js";
import * as editing from "./editing.js";
import { base, picture, say } from "./page.js";
import * as panels from "./panels.js";
/** @typedef {Record<string, any>} Body */

const SLOW =
  "The board has not answered yet: it is at work, or other programs of this machine keep it busy. The page waits.";
const GONE =
  "The board cannot be reached: 'kursk board' has ended, or other programs of this machine keep it from answering.";
const AGAIN = "The board was started again: it goes on where it was, in the window that it has opened.";
const FELL = "Something was changed outside while you did that, so it was not done. Look, and do it again.";
const PATIENCE = 8000; // milliseconds before a player is told that the page waits

/** Of the draft that the page shows. */
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
/** Show what was changed outside. @param {import("./types.js").Filled} now */
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
    if (answer.ok || found.changed || found.policy !== undefined) return found;
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
 * Write an order, or the one that is edited by this anew; whether that was done.
 * @param {string} words @param {string} [by] @returns {Promise<boolean>}
 */
export async function order(words, by) {
  const { path, body } = editing.asked(words, by || "");
  const found = await ask(path, body);
  if (!found) return false;
  if (path === "edit") editing.end();
  refresh(found);
  return Boolean(found);
}
