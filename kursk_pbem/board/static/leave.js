// @ts-check
// Leaving the page. The browser asks first if the player has an unfinished order or unwritten words.
import * as composer from "./composer.js";
import { all } from "./dom.js";
import { leaving } from "./drops.js";

let meant = false;

/** Open another page, or load this page again, without a question. @param {string} [address] */
export function leave(address) {
  meant = true;
  show(true);
  if (address) location.assign(address);
  else location.reload();
}
/** Show that the present board waits for the next one, and takes no clicks. @param {boolean} waits */
function show(waits) {
  document.body.classList.toggle("leaving", waits);
  for (const part of all("header, main, footer")) part.inert = waits;
}
/** Return whether a reload would lose choices in a form, typed words or standing answers. */
function unfinished() {
  const typed = /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */ (all("#typed, #policy-text"));
  return composer.begun() || typed.some((line) => line.value !== line.defaultValue && /\S\s+\S/.test(line.value));
}
/** Add the listeners. */
export function begin() {
  window.addEventListener("pageshow", (event) => event.persisted && show(false));
  window.addEventListener("beforeunload", (event) => {
    if (!meant && !leaving && unfinished()) event.preventDefault();
  });
}
