// @ts-check
// The edited order of the list, if any. The list changes only when the player saves the order.
import { all } from "./dom.js";

/** ``by``: "form", "words", or the id of the moved unit. @type {{number: string, words: string, by: string} | null} */
let order = null;

/** @param {DOMStringMap} data the data of the order's line */
export function begin(data) {
  order = { number: data.number || "", words: data.words || "", by: data.unit || (data.verb ? "form" : "words") };
  show();
}
/** End the edit. */
export function end() {
  order = null;
  show();
}
/** End the edit of a move if the player chooses another unit. @param {string} unit */
export function keeps(unit) {
  if (order && !["form", "words", unit].includes(order.by)) end();
}
/**
 * Return the request for an order: a new order, or a replacement of the edited order.
 * @param {string} words @param {string} by
 */
export function asked(words, by) {
  if (!order || order.by !== by) return { path: "order", body: { words, typed: by === "words" ? "1" : "" } };
  return { path: "edit", body: { number: order.number, words: order.words, then: words } };
}
/** Return the number of the edited order, or "" if this input edits no order. @param {string} by */
export function number(by) {
  return order && order.by === by ? order.number : "";
}
/** Mark the edited order in the list. */
export function show() {
  for (const line of all("#listed .edit")) {
    line.setAttribute("aria-pressed", String(order !== null && line.dataset.number === order.number));
  }
}
