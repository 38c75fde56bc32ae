// @ts-check
// Leaving the page: whoever has begun an order, or typed words that are not written yet, is asked first.
import * as composer from "./composer.js";
import { all } from "./dom.js";
import { leaving } from "./drops.js";

let meant = false;

/** Go to another page, or load this one anew, without asking. @param {string} [address] */
export function leave(address) {
  meant = true;
  if (address) location.assign(address);
  else location.reload();
}
/** Whether a reload would lose something: a form that was touched, words behind a first one, standing answers. */
function unfinished() {
  const typed = /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */ (all("#typed, #policy-text"));
  return composer.begun() || typed.some((line) => line.value !== line.defaultValue && /\S\s+\S/.test(line.value));
}
/** Listen. */
export function begin() {
  window.addEventListener("beforeunload", (event) => {
    if (!meant && !leaving && unfinished()) event.preventDefault();
  });
}
