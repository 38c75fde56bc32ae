// @ts-check
// Leaving the page. The browser asks first if the player has an unfinished order or unwritten words.
import * as composer from "./composer.js";
import { all } from "./dom.js";
import { leaving } from "./drops.js";

let meant = false;

/** Open another page, or load this page again, without a question. @param {string} [address] */
export function leave(address) {
  meant = true;
  if (address) location.assign(address);
  else location.reload();
}
/** Return whether a reload would lose choices in a form, typed words or standing answers. */
function unfinished() {
  const typed = /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */ (all("#typed, #policy-text"));
  return composer.begun() || typed.some((line) => line.value !== line.defaultValue && /\S\s+\S/.test(line.value));
}
/** Add the listeners. */
export function begin() {
  window.addEventListener("beforeunload", (event) => {
    if (!meant && !leaving && unfinished()) event.preventDefault();
  });
}
